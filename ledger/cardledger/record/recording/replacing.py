"""Replacing: the events that make a stored match equal to a corrected file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from cardledger.errors import SimilarError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people.pseudonyms import personal
from cardledger.record.recording.loaded_match import bare
from cardledger.rules.engine import events as ev
from cardledger.sentence import Sentence

REASON = "the file was corrected and imported again"


def replacement(match: str, stored: Sequence[ev.Event], wanted: Sequence[ev.Event]) -> list[ev.Event]:
    """Return the events to record in a stored match so that it equals `wanted`; empty if it already does.

    The common beginning stays. The rest of the stored match is taken back by a retract, another opening becomes an
    amend, and the rest of the wanted match is recorded after that, under the numbers it gets here. Raises
    SimilarError for a match of another game or number of players, and for one with an erased person.
    """
    if any(map(_tells_erased, stored)):
        raise SimilarError(
            match,
            Sentence(
                "a person was erased in match {match}, and a file could bring the name back: amend single "
                "events instead",
                match=match,
            ),
        )
    opens_alike = bare(stored[0]) == bare(wanted[0])
    common = 1
    for old, new in zip(stored[1:], wanted[1:], strict=False):
        if bare(old) != bare(new):
            break
        common += 1
    if not opens_alike and (
        any(event.corrects for event in wanted[1:common])
        or any(isinstance(event, ev.Retract) and event.to <= common for event in wanted[common:])
    ):
        common = 1  # corrections around the amend would refer to the old opening
    events: list[ev.Event] = [ev.Retract(to=common, reason=REASON)] if common < len(stored) else []
    opened = 1
    if not opens_alike:
        events.append(ev.Amend(about=1, event=_opening(match, stored[0], wanted[0]), reason=REASON))
        opened = len(stored) + len(events)  # the event after which only the opening counts
    shift = len(stored) + len(events) - common
    return [*events, *(_moved(event, common, shift, opened) for event in wanted[common:])]


def _tells_erased(event: ev.Event) -> bool:
    """Tell whether an event in clear still holds a pseudonym, apart from its recorder."""
    texts = (text for field in personal(type(event)) for text in _texts(getattr(event, field)))
    return isinstance(event, ev.Amend) and _tells_erased(event.event) or any(map(is_pseudonym, texts))


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a value, of hands within hands too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for within in value:
            yield from _texts(within)


def _opening(match: str, stored: ev.Event, wanted: ev.Event) -> ev.Open:
    """Return the opening that a stored one is amended into; it keeps the edition if none is named."""
    assert isinstance(stored, ev.Open)
    assert isinstance(wanted, ev.Open)
    if (stored.game, len(stored.players)) != (wanted.game, len(wanted.players)):
        raise SimilarError(
            match,
            Sentence(
                "match {match} is {game} of {players}, and {wanted_game} of {others} cannot replace it: "
                "declare it void, then import the file",
                match=match,
                game=stored.game,
                players=len(stored.players),
                wanted_game=wanted.game,
                others=len(wanted.players),
            ),
        )
    opening = ev.bare(wanted)
    assert isinstance(opening, ev.Open)
    return msgspec.structs.replace(opening, rules=wanted.rules or stored.rules)


def _moved(event: ev.Event, common: int, shift: int, opened: int) -> ev.Event:
    """Return an event for another place: numbers after the common beginning move by `shift`."""

    def moved(number: int) -> int:
        return number if number <= common else number + shift

    event = msgspec.structs.replace(event, seq=None, id=None)
    if isinstance(event, ev.Retract):
        return msgspec.structs.replace(event, to=opened if event.to == 1 else moved(event.to))
    if isinstance(event, ev.Amend):
        within = msgspec.structs.replace(event.event, seq=None, id=None)
        return msgspec.structs.replace(event, about=moved(event.about), event=within)
    if isinstance(event, ev.Note | ev.Adjust) and event.about is not None:
        return msgspec.structs.replace(event, about=moved(event.about))
    return event
