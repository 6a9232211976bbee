"""What a match file may say in short: seats by the names of their players, and a trick on one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cardledger.errors import FormatError, RuleError
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.stream import Stream

TRICK = "trick"
_KEYS = {"type", "lead", "cards"}
SEATS = {
    **dict.fromkeys(("bid", "call", "pass", "play", "draw", "discard", "close", "layoff", "claim"), ("seat",)),
    "deal": ("dealer", "starter", "declarer"), "collect": ("seat", "from"), "ask": ("seat", "from"), "give": ("seat", "to"),
    TRICK: ("lead",),
}  # fmt: skip
"""The keys with seats, by type of event."""


def written_out(value: Any, match: Stream | None) -> Iterable[Any]:
    """Return the JSON objects of the events that a line stands for.

    Each play of a trick after the one before is recorded.

    `match` is the match so far. Raises FormatError `format.key`, `format.value`, `format.open`, RuleError
    `table.phase`.
    """
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str):
        return (value,)
    if match is None:
        if kind == TRICK:
            raise FormatError("format.open", f"a {TRICK} comes before any open")
        return (value,)
    players = match.table.players
    if kind == "amend" and isinstance(value.get("event"), dict):
        return (value | {"event": with_seats(value["event"], players)},)
    value = with_seats(value, players)
    return _plays(value, match) if kind == TRICK else (value,)


def with_seats(value: dict[str, Any], players: tuple[str, ...]) -> dict[str, Any]:
    """Return an event with the numbers of seats in place of names; raises FormatError `format.value`."""
    for key in SEATS.get(str(value.get("type")), ()):
        name = value.get(key)
        if isinstance(name, str):
            if name not in players:
                known = ", ".join(players)
                raise FormatError(
                    "format.value",
                    Sentence(
                        "{key}: {name!r} does not play in this match; its players are {known}",
                        key=key,
                        name=name,
                        known=known,
                    ),
                )
            value = value | {key: players.index(name)}
    return value


def check_trick(trick: dict[str, Any]) -> None:
    """Check the keys of a trick; raises FormatError `format.key`, `format.value`."""
    if trick.keys() != _KEYS:
        wrong = ", ".join(repr(key) for key in sorted(trick.keys() ^ _KEYS))
        raise FormatError("format.key", f"a {TRICK} has the keys 'lead' and 'cards' and no others: correct {wrong}")
    if not isinstance(trick["cards"], list) or not trick["cards"]:
        raise FormatError("format.value", f"{TRICK}: cards is a list of cards, in the order of play")


def _plays(trick: dict[str, Any], match: Stream) -> Iterator[dict[str, Any]]:
    """Yield the plays of a trick: that of the seat that leads, then of the seat whose turn it is."""
    check_trick(trick)
    cards = trick["cards"]
    if match.table.hand.trick:
        raise RuleError("table.phase", f"a {TRICK} begins with a lead: first play the last {TRICK} out")
    for place, card in enumerate(cards):
        if place and not match.table.hand.trick:
            raise FormatError("format.value", f"{TRICK}: it has {len(cards)} cards, but is over after {place}")
        yield {"type": "play", "seat": match.table.hand.turn if place else trick["lead"], "card": card}
