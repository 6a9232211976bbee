"""What a style says of a state, it says by more than colour: some readers see none, and forced colours take them away."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import cardledger_web

if TYPE_CHECKING:
    from collections.abc import Iterator

STYLES = Path(cardledger_web.__file__).parent / "static"
COLOURS = re.compile(
    r"(color|background(-color)?|border(-[a-z]+)*-color|box-shadow|text-shadow|fill|stroke|cursor|filter|--[\w-]+)$"
)
"""Properties that are nothing but colour: with forced colours they are gone."""
GROUND = re.compile(r"background|shadow|border")
MARKED = re.compile(r"[.\[:#]")
ELSEWHERE = {
    ".seats .wins": "`.wins` has a frame",
    ".verdict.resolved": "its word",
    ".banner button": "buttons of the banner, no state",
    ".evening fieldset fieldset": "no state",
    ".opening .pick:has(:checked)": "the radio button in it is ticked",
    "#status[data-state=sending]": "its words",
    "#tray .free .legal .card": "all cards alike are free: no state",
    ".sheet::backdrop": "what lies behind an open dialogue",
    ".sheet button.plain": "a kind of button, no state",
    ".badge.open": "its word",
    ".badge.ended, .badge.void, .badge.ours": "its word",
    ".info > summary:hover, .info[open] > summary": "what it opens is in sight",
    ".scoreboard thead th, .tricks thead th": "headings",
    ".card-table .card": "the ground of every card",
    ".card-table .turn .chip:nth-last-child(1 of .chip)": "the words of the chip; the seat has a frame",
}
"""Rules that colour only, and what tells the same without colour."""


def rules(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the selector and the declarations of each rule of a style sheet that is for screens."""
    above: list[str] = []
    part = ""
    for sign in re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL):
        if sign == "{":
            above.append(" ".join(part.split()))
            part = ""
        elif sign == "}":
            selector = above.pop()
            said = dict(one.strip().split(":", 1) for one in part.split(";") if ":" in one)
            if said and not any("print" in one for one in above) and not selector.startswith("@"):
                yield selector, {name.strip(): value.strip() for name, value in said.items()}
            part = ""
        else:
            part += sign


def only_coloured() -> list[tuple[str, str]]:
    """Return the rules that set something apart by the colour of its ground or frame alone."""
    return [
        (path.name, selector)
        for path in sorted(STYLES.glob("*.css"))
        for selector, said in rules(path.read_text())
        if MARKED.search(selector) and not re.fullmatch(r"[^,]*:hover", selector)
        if all(COLOURS.match(name) for name in said) and any(GROUND.search(name) for name in said)
    ]


def test_no_state_is_told_by_colour_alone() -> None:
    found = [(name, selector) for name, selector in only_coloured() if selector not in ELSEWHERE]
    assert not found, "these rules need a frame, a line, a place or a weight as well: an outline may be transparent"


def test_every_exception_is_in_use() -> None:
    assert not {*ELSEWHERE} - {selector for _, selector in only_coloured()}
