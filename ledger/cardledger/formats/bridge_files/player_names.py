"""The names of the players of a board, as the ledger takes them."""

from __future__ import annotations

from functools import lru_cache

from cardledger.errors import RuleError
from cardledger.formats.bridge_files.boards import Board
from cardledger.formats.bridge_files.notation import NAMES
from cardledger.record.people.spelling import LONGEST, expect_name, tidy_name

_LOOKED_AT = 400
"""Letters of a name that are looked at."""


def players_of(board: Board) -> tuple[str, ...]:
    """Return the names of the four players; the name of a seat stands for one that is missing."""
    names: list[str] = []
    missing = False
    for seat, written in enumerate(board.names):
        name = clean_name(written)
        if name in ("", "?"):
            name, missing = NAMES[seat], True
        elif name != tidy_name(written) and written.strip():
            board.extras.append(("tag", NAMES[seat], written))
        plain, count = name, 1
        while name in names:
            count += 1
            name = f"{plain[: LONGEST - 5]} ({count})"
        names.append(name)
    if missing:
        board.tell("names.missing", "a player has no name: the name of the seat stands for it")
    return tuple(names)


def clean_name(text: str) -> str:
    """Return a name as a player's id: tidy, without letters that nobody can see, not too long."""
    return _cleaned(text[:_LOOKED_AT])


@lru_cache(maxsize=10_000)  # the same people play board after board
def _cleaned(text: str) -> str:
    name = tidy_name(text)
    if name.isascii() and name.isprintable() and len(name) <= LONGEST and name not in (".", ".."):
        return name
    name = tidy_name("".join(letter if letter.isprintable() else " " for letter in name))[:LONGEST].strip()
    try:
        expect_name(name)
    except RuleError:
        name = tidy_name("".join(letter for letter in name if letter.isalnum() or letter in " -'.,_"))
        try:
            expect_name(name)
        except RuleError:
            return ""
    return name
