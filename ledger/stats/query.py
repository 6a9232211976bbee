"""Queries: which matches and hands statistics are asked of, and by what they are split; as text, the query of an address."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from datetime import date
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, urlencode

from ledger.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Mapping

DIMENSIONS = {
    "month": "month of play",
    "year": "year of play",
    "event": "club night or tournament",
    "seat": "seat, from 0 clockwise",
    "turn": "place from the dealer: 1 is left of the dealer",
    "size": "number of players",
    "place": "place in a complete match, equals sharing the better one",
    "options": "options of the match",
    "opponent": "each other player at the table; a hand counts once for each of them",
    "lead": "suit of the first card led",
}
"""What statistics may be split by in any game, in words; in its own games also any of their counts (`bid`)."""
BY_HAND = frozenset({"turn", "lead"})
"""Dimensions in which the hands of one match differ; so do the counts of a game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which hands to look at: those that fit everything said.

    `since` and `until` are ISO days, included. `against` are players who must all sit at other seats of the table.
    `seat` counts from 0, `turn` from 1 for left of the dealer. `option` holds names and values that the options of
    the match must have. `by` is a dimension.
    """

    since: str | None = None
    until: str | None = None
    event: str | None = None
    against: tuple[str, ...] = ()
    seat: int | None = None
    turn: int | None = None
    size: int | None = None
    option: tuple[tuple[str, Any], ...] = ()
    policy: str | None = None
    by: str | None = None

    @classmethod
    def parse(cls, given: Mapping[str, str | None]) -> Self:
        """Return the query that texts by name stand for; raises FormatError `format.key`, `format.value`.

        >>> Query.parse({"since": "2026-01-01", "against": "ben,chloe", "option": "hands:4"}).text
        'since=2026-01-01&against=ben,chloe&option=hands:4'
        """
        known = {field.name for field in fields(cls)}
        for name in given:
            if name not in known:
                raise FormatError("format.key", f"statistics have no filter {name!r} (there are {', '.join(known)})")
        values: dict[str, Any] = {name: _PARSERS[name](name, text) for name, text in given.items() if text is not None}
        return cls(**values)

    @property
    def text(self) -> str:
        """The query of an address that says the same, in one way only: what is not said is left out."""
        said = {
            "since": self.since,
            "until": self.until,
            "event": self.event,
            "against": ",".join(name.replace("%", "%25").replace(",", "%2C") for name in self.against) or None,
            "seat": self.seat,
            "turn": self.turn,
            "size": self.size,
            "option": ",".join(f"{name}:{_written(value)}" for name, value in self.option) or None,
            "policy": self.policy,
            "by": self.by,
        }
        return urlencode({name: value for name, value in said.items() if value is not None}, safe=",:", quote_via=quote)

    @property
    def by_hand(self) -> bool:
        """Whether hands of one match are told apart, so that nothing can be said of whole matches."""
        return self.turn is not None or self.by is not None and (self.by in BY_HAND or self.by not in DIMENSIONS)


def _day(name: str, text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise FormatError("format.value", f"{name} is a day such as 2026-11-21, not {text!r}") from None


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise FormatError("format.value", f"{name} is a whole number, not {text!r}")
    return int(text)


def _names(name: str, text: str) -> tuple[str, ...]:
    """Return names written with commas between them; a comma in a name is %2C, a per cent sign %25."""
    names = (part.replace("%2C", ",").replace("%2c", ",").replace("%25", "%") for part in text.split(","))
    return tuple(sorted({name for name in names if name}))


def _options(name: str, text: str) -> tuple[tuple[str, Any], ...]:
    """Return options written as NAME:VALUE with commas between them; a value is a JSON scalar or a bare word."""
    found = {}
    for part in filter(None, text.split(",")):
        option, sign, value = part.partition(":")
        if not sign:
            raise FormatError("format.value", f"{name} is written as NAME:VALUE, not {part!r}")
        found[option] = _scalar(value)
    return tuple(sorted(found.items()))


def _scalar(text: str) -> Any:
    """Return what the text says in JSON; a bare word, or what no option can be (a list, an endless number), is itself."""
    if text.startswith(("[", "{")):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, float) and not math.isfinite(value) else value


def _written(value: Any) -> str:
    """Return the shortest text that is read as the value."""
    return value if isinstance(value, str) and _scalar(value) == value else json.dumps(value)


def _word(name: str, text: str) -> str:
    return text


_PARSERS = {
    "since": _day, "until": _day, "event": _word, "against": _names, "seat": _number, "turn": _number, "size": _number,
    "option": _options, "policy": _word, "by": _word,
}  # fmt: skip
