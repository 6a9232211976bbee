"""What a match file may say in short: seats by the names of their players, and a trick on one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cardledger.errors import FormatError, RuleError

if TYPE_CHECKING:
    from cardledger.engine.stream import Stream

TRICK = "trick"
_KEYS = {"type", "lead", "cards"}
_SEATS = {
    **dict.fromkeys(("bid", "call", "pass", "play", "draw", "discard", "close", "layoff", "claim"), ("seat",)),
    "deal": ("dealer", "starter", "declarer"), "collect": ("seat", "from"), "ask": ("seat", "from"), "give": ("seat", "to"),
    TRICK: ("lead",),
}  # fmt: skip
"""The keys with seats, by type of event."""


def written_out(value: Any, match: Stream | None, unread: bool = False) -> Iterable[Any]:
    """Return the JSON objects of the events that a line stands for; each play of a trick after the one before is recorded.

    `match` is the match so far; `unread` says that it is wrong: then players cannot be known, and any will do. Raises FormatError `format.key`, `format.value`, `format.open`, RuleError `table.phase`.
    """
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str):
        return (value,)
    if unread and kind != "open":
        names = {key: 0 for key in _SEATS.get(kind, ()) if isinstance(value.get(key), str)}
        return () if kind == TRICK else (value | names,)
    if match is None:
        if kind == TRICK:
            raise FormatError("format.open", f"a {TRICK} comes before any open")
        return (value,)
    players = match.table.players
    if kind == "amend" and isinstance(value.get("event"), dict):
        return (value | {"event": _with_seats(value["event"], players)},)
    value = _with_seats(value, players)
    return _plays(value, match) if kind == TRICK else (value,)


def _with_seats(value: dict[str, Any], players: tuple[str, ...]) -> dict[str, Any]:
    """Return an event with the numbers of seats in place of names."""
    for key in _SEATS.get(str(value.get("type")), ()):
        name = value.get(key)
        if isinstance(name, str):
            if name not in players:
                known = ", ".join(players)
                raise FormatError(
                    "format.value", f"{key}: {name!r} does not play in this match; its players are {known}"
                )
            value = value | {key: players.index(name)}
    return value


def _plays(trick: dict[str, Any], match: Stream) -> Iterator[dict[str, Any]]:
    """Yield the plays of a trick: that of the seat that leads, then of the seat whose turn it is."""
    if trick.keys() != _KEYS:
        wrong = ", ".join(repr(key) for key in sorted(trick.keys() ^ _KEYS))
        raise FormatError("format.key", f"a {TRICK} has the keys 'lead' and 'cards' and no others: correct {wrong}")
    cards = trick["cards"]
    if not isinstance(cards, list) or not cards:
        raise FormatError("format.value", f"{TRICK}: cards is a list of cards, in the order of play")
    if match.table.hand.trick:
        raise RuleError("table.phase", f"a {TRICK} begins with a lead: first play the last {TRICK} out")
    for place, card in enumerate(cards):
        if place and not match.table.hand.trick:
            raise FormatError("format.value", f"{TRICK}: it has {len(cards)} cards, but is over after {place}")
        yield {"type": "play", "seat": match.table.hand.turn if place else trick["lead"], "card": card}
