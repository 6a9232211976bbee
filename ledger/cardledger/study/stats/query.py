"""Queries: which matches and hands a statistic covers, and how it is split; written as the query string of a URL."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from datetime import date
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote, urlencode

from cardledger.errors import FormatError
from cardledger.rules.engine.situations import HAND_SITUATIONS, OF_HAND
from cardledger.sentence import Sentence, choosing

if TYPE_CHECKING:
    from collections.abc import Mapping

DIMENSIONS = {
    "month": "month of play",
    "year": "year of play",
    "event": "club night or tournament",
    "seat": "seat, from 0 clockwise",
    "turn": "place from the dealer: 1 is left of the dealer",
    "size": "number of players",
    "place": "place in a complete match; equal players share the better place",
    "options": "options of the match",
    "opponent": "each other player at the table; a hand counts once for each of them",
    "partner": "each partner; a hand counts once for each of them",
    "lead": "suit of the first card led",
}
"""What statistics of any game can be split by, in words. A game adds its own counts (`bid`)."""
DIMENSIONS |= {one.id: one.about for one in HAND_SITUATIONS}
BY_HAND = frozenset({"turn", "lead", *OF_HAND})
"""Dimensions whose value differs between the hands of one match; so do the counts of a game."""
OTHERS = frozenset({"opponent", "partner"})
"""Dimensions that count a hand once for each of some other players."""
MOST_SPLITS = 2
SCALES = {
    "points": "points a hand, as scored",
    "field": "matchpoints in percent of what was possible, of deals that at least three tables played; 50 is average",
    "imps": "mean IMPs against the other tables, of deals that at least three tables played; 0 is average",
}
"""On what strength can be measured."""
FILTERS = ("since", "until", "event", "against", "seat", "turn", "size", "option", "policy", "where")
"""Filters of statistics, as in addresses and in the API."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which hands to look at: those that pass every filter.

    `since` and `until` are ISO days, both inclusive. `against` names players who must all sit at other seats of the
    table. `seat` counts from 0; `turn` 1 is left of the dealer. `option` holds names and values that the options of the
    match must have. `where` holds situations of a hand, or counts of the game, and the value that they must have, as
    texts. `by` is a dimension, or two of them with a comma between. `scale` is that of strength:
    "field" or "imps" for hands against the other tables that played them, None for points.
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
    where: tuple[tuple[str, str], ...] = ()
    by: str | None = None
    scale: str | None = None

    @classmethod
    def parse(cls, given: Mapping[str, str | None]) -> Self:
        """Return the query given as texts by name; raises FormatError `format.key`, `format.value`.

        >>> Query.parse({"since": "2026-01-01", "against": "ben,chloe", "option": "hands:4"}).text
        'since=2026-01-01&against=ben,chloe&option=hands:4'
        >>> Query.parse({"where": "void_suits:1,standing:behind", "by": "turn,trump_length"}).splits
        ('turn', 'trump_length')
        """
        filters = {field.name for field in fields(cls)}
        for name in given:
            if name not in filters:
                raise FormatError(
                    "format.key", choosing(Sentence("statistics have no filter {name!r}", name=name), name, filters)
                )
        values: dict[str, Any] = {name: _PARSERS[name](name, text) for name, text in given.items() if text is not None}
        return cls(**values)

    @property
    def text(self) -> str:
        """The query as the query string of a URL. Equal queries give equal texts: unset filters are left out."""
        filters = {
            "since": self.since,
            "until": self.until,
            "event": self.event,
            "against": ",".join(name.replace("%", "%25").replace(",", "%2C") for name in self.against) or None,
            "seat": self.seat,
            "turn": self.turn,
            "size": self.size,
            "option": ",".join(f"{name}:{_written(value)}" for name, value in self.option) or None,
            "policy": self.policy,
            "where": ",".join(f"{name}:{value}" for name, value in self.where) or None,
            "by": self.by,
            "scale": self.scale,
        }
        return urlencode(
            {name: value for name, value in filters.items() if value is not None}, safe=",:", quote_via=quote
        )

    @property
    def by_day(self) -> bool:
        """Whether the query needs to know days: matches of an unknown one are left out."""
        return self.since is not None or self.until is not None or not {"month", "year"}.isdisjoint(self.splits)

    @property
    def by_hand(self) -> bool:
        """Whether the query separates hands of the same match; then measures of whole matches are not available."""
        return self.of_hands or any(part in BY_HAND or part not in DIMENSIONS for part in self.splits)

    @property
    def of_hands(self) -> bool:
        """Whether a filter separates hands of the same match."""
        return self.turn is not None or bool(self.where)

    @property
    def splits(self) -> tuple[str, ...]:
        """The dimensions by which the query splits: none, one or two."""
        return () if self.by is None else tuple(self.by.split(","))


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
    """Return names separated by commas; a comma in a name is %2C, a per cent sign %25."""
    names = (part.replace("%2C", ",").replace("%2c", ",").replace("%25", "%") for part in text.split(","))
    return tuple(sorted({name for name in names if name}))


def _options(name: str, text: str) -> tuple[tuple[str, Any], ...]:
    """Return options written as NAME:VALUE, separated by commas; a value is a JSON scalar or a bare word."""
    options = {}
    for part in filter(None, text.split(",")):
        option, sign, value = part.partition(":")
        if not sign:
            raise FormatError("format.value", f"{name} is written as NAME:VALUE, not {part!r}")
        options[option] = _scalar(value)
    return tuple(sorted(options.items()))


def _situations(name: str, text: str) -> tuple[tuple[str, str], ...]:
    """Return situations written as NAME:VALUE, separated by commas."""
    wanted = {}
    for part in filter(None, text.split(",")):
        situation, sign, value = part.partition(":")
        if not sign or not value:
            raise FormatError("format.value", f"{name} is written as NAME:VALUE, not {part!r}")
        wanted[situation] = value
    return tuple(sorted(wanted.items()))


def _split(name: str, text: str) -> str:
    """Return one dimension or two; one that is given twice is one."""
    parts = [*dict.fromkeys(text.split(","))]
    if len(parts) > MOST_SPLITS or not all(parts):
        raise FormatError("format.value", f"{name} is one dimension or two, not {text!r}")
    return ",".join(parts)


def _scalar(text: str) -> Any:
    """Read a text as JSON; a bare word, or a value that no option can have (a list, an infinite number), stays text."""
    if text.startswith(("[", "{")):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, float) and not math.isfinite(value) else value


def _written(value: Any) -> str:
    """Return the shortest text that reads back as the value."""
    return value if isinstance(value, str) and _scalar(value) == value else json.dumps(value)


def _scale(name: str, text: str) -> str | None:
    """Return the scale of strength; points are the usual one."""
    if text not in SCALES:
        raise FormatError("format.value", f"{name} is one of {', '.join(SCALES)}, not {text!r}")
    return None if text == "points" else text


def _word(name: str, text: str) -> str:
    return text


_PARSERS = {
    "since": _day, "until": _day, "event": _word, "against": _names, "seat": _number, "turn": _number, "size": _number,
    "option": _options, "policy": _word, "where": _situations, "by": _split,
    "scale": _scale,
}  # fmt: skip
