"""Swapping two cards that were mixed up: the events that put each in the place of the other, all at once.

An amend of one card alone would leave the other one twice on the table, so it is refused: the events are recorded again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from cardledger.errors import RuleError
from cardledger.record.recording.recording_again import recorded_again
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import unroll
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream

CARDS: Final = ("card", "cards", "hands", "upcard", "aside", "stock")
"""The keys of an event that hold faces of cards."""


def swap(stream: Stream, number: int, one: str, other: str) -> list[ev.Event]:
    """Return the events that exchange two cards of a hand wherever it names them: dealt, passed, played.

    Raises RuleError `table.range`, `table.deck`, `table.phase`.
    """
    table = stream.table
    expect_two(table, number, one, other)
    first = table.hands[number - 1].first
    after = table.hands[number].first if number < len(table.hands) else stream.seq + 1
    chain: list[tuple[int, Any]] = unroll(stream.heads[-1])
    _, *counting = chain
    faces = {one: other, other: one}
    wanted: list[tuple[int, Any]] = [
        (seq, _swapped(event, faces) if first <= seq < after else event) for seq, event in counting
    ]
    differ = [place for place, (seq, event) in enumerate(counting) if wanted[place][1] is not event]
    if not differ:
        raise RuleError(
            "table.deck",
            Sentence("neither {one} nor {other} is named in hand {number}", one=one, other=other, number=number),
        )
    reason = f"{one} and {other} were mixed up"
    if len(differ) == 1:
        seq, event = wanted[differ[0]]
        return [ev.Amend(about=seq, event=ev.bare(event), reason=reason)]
    return recorded_again(stream, wanted, reason)


def expect_two(table: Match[Any], number: int, one: str, other: str) -> None:
    """Refuse what are not two cards of a hand; raises RuleError `table.range`, `table.deck`, `table.phase`."""
    if not 1 <= number <= len(table.hands):
        raise RuleError("table.range", Sentence("there is no hand {number}", number=number))
    if table.status == "void":
        raise RuleError("table.phase", Sentence("the match is void: bring it back before you correct it"))
    for face in (one, other):
        if table.pack.faces.count(face) != 1:
            raise RuleError("table.deck", Sentence("{face!r} is no card of its own in this pack", face=face))
    if one == other:
        raise RuleError("table.deck", Sentence("choose two different cards"))


def _swapped(event: ev.Event, faces: dict[str, str]) -> ev.Event:
    """Return an event with the cards exchanged; the event itself if it names neither."""
    changed = {key: new for key in CARDS if (new := _exchanged(old := getattr(event, key, None), faces, key)) != old}
    return msgspec.structs.replace(event, **changed) if changed else event


def _exchanged(value: Any, faces: dict[str, str], key: str) -> Any:
    if not isinstance(value, tuple):
        return faces.get(value, value) if isinstance(value, str) else value
    if key != "stock" and faces.keys() <= {*value}:
        return value  # the order of the cards in a hand says nothing
    return tuple(_exchanged(each, faces, key) for each in value)
