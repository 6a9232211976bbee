"""A game of a PBN file: its tags and sections, and which tags there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from cardledger.formats.bridge_files.boards import Extra, Notice

FACTS: Final = frozenset({
    "Event", "Site", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Auction", "Contract",
    "Declarer", "Play", "Result", "Score", "Date",
})  # fmt: skip
"""The tags that become keys of events; all others are kept as extras."""
PLAIN: Final = FACTS - {"Auction", "Play"} | {
    "Scoring", "Stage", "Round", "Table", "Section", "Room", "HomeTeam", "VisitTeam", "Competition", "Annotator",
    "Generator", "Mode", "Note",
}  # fmt: skip
"""Tags that no section follows."""
KNOWN: Final = PLAIN | {"Auction", "Play", "ScoreTable", "TotalScoreTable", "OptimumResultTable", "ScoreIMP", "ScoreMP"}
NAMES_OF_TAGS: Final = {name.lower(): name for name in KNOWN}
"""The names of tags by their small letters."""
EMPTY: Final = frozenset({"", "?", "-"})
"""Values of tags that say nothing."""
COUNTED: Final = re.compile(r"(?:^|\s)[^\s=$!?]")
"""The beginnings of calls and cards in a row of a section."""
_NAMED = re.compile(r"=(\d+)=", re.ASCII)


def tag_of(name: str, value: str) -> str:
    """Return a tag as a file has it."""
    value = " ".join(re.split(r"[\r\n]+", value))
    value = (value if name.endswith("Table") else value.replace("\\", "\\\\")).replace('"', '\\"')
    return f'[{name} "{value}"]'


@dataclass(slots=True)
class PbnGame:
    """The tags and sections of one game; `order` holds names of tags and extras as they follow each other."""

    line: int
    number: int
    tags: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    sections: dict[str, list[str]] = field(default_factory=dict)
    order: list[str | Extra] = field(default_factory=list)
    repeated: list[tuple[int, str, list[str]]] = field(default_factory=list)
    notes: dict[str, dict[str, str]] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    wrong: Notice | None = None
    size: int = 0
    block: str = ""

    @property
    def length(self) -> int:
        """The number of characters in its tags and sections, also in those of earlier games that it takes over."""
        rows = chain.from_iterable(self.sections.values()) if self.sections else ()
        return sum(map(len, self.tags.values())) + 2 * len(self.tags) + sum(map(len, rows))

    def line_of(self, tag: str) -> int:
        """Return the line of a tag, that of the game if it has none."""
        if self.block:
            place = self.block.find(f'[{tag} "')
            return self.line + self.block.count("\n", 0, max(place, 0))
        return self.lines.get(tag, self.line)

    def text(self, section: str) -> str:
        """Return a section as written, without blank lines."""
        lines = "\n".join(self.sections.get(section, ())).split("\n")
        return "\n".join(line.rstrip() for line in lines if line.strip())

    def kept(self, section: str) -> list[Extra]:
        """Return a section with its tag as extras; the notes that it names stand below it."""
        text, known = self.text(section), self.notes_for(section)
        notes = [
            tag_of("Note", f"{name}:{known[name]}") for name in dict.fromkeys(_NAMED.findall(text)) if name in known
        ]
        return [("tag", section, self.tags.get(section, "")), ("section", section, "\n".join([text, *notes]))]

    def notes_for(self, section: str) -> dict[str, str]:
        """Return the notes of a section; those of the other one stand in for its own."""
        other = "Play" if section == "Auction" else "Auction"
        return self.notes.get(other, {}) | self.notes.get(section, {})

    def unnamed_notes(self) -> Iterator[Extra]:
        """Yield the notes that neither section names."""
        if not self.notes:
            return
        named = {*_NAMED.findall("\n".join((self.text("Auction"), self.text("Play"))))}
        for notes in self.notes.values():
            for number, text in notes.items():
                if number not in named:
                    yield "tag", "Note", f"{number}:{text}"

    def refuse(self, code: str, line: int, text: str) -> None:
        """Note the first thing that is wrong with the game."""
        if self.wrong is None:
            self.wrong = Notice(code, line, text)
