"""Signing: new events get their numbers, ids, times and recorders, and become the lines that are stored."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardledger.errors import LedgerError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people.names import quoted
from cardledger.record.people.pseudonyms import Hider, is_impersonal, players_in
from cardledger.record.people.recorders import written
from cardledger.record.people.spelling import expect_name
from cardledger.rules.engine import events as ev
from cardledger.rules.games import game

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from cardledger.record.people.names import Named, Names
    from cardledger.record.people.recorders import Recorder

_KEYS = ev.Event.__struct_encode_fields__


class Signed(NamedTuple):
    """New events ready to store: their lines, the names of the pseudonyms in them, the first and the last event."""

    lines: list[str]
    names: Collection[Named]
    first: ev.Event
    last: ev.Event


def signed_by(
    by: Recorder, now: datetime, events: Sequence[ev.Event], ids: Sequence[str], after: int, names: Names
) -> Signed:
    """Return events as they are stored in a match after event `after`, each with its id.

    Raises StoreError `store.recorder`, `store.time`, RuleError `people.name` with the index of the event.
    """
    hider = Hider(names)
    last = len(events) - 1
    plain = ev.encode_lines(events).decode().split("\n") if last > 1 else []
    stored: list[ev.Event] = []
    lines: list[str] = []
    signature = ""
    for index, (event, id) in enumerate(zip(events, ids, strict=True)):
        seq = after + 1 + index
        if 0 < index < last and _is_plain(type(event)) and ev.is_bare(event):
            signature = signature or f'"at":"{written(now)}","by":{quoted(hider.recorder(by.name))}}}'
            lines.append(f'{plain[index][:-1]},"seq":{seq},"id":"{id}",{signature}')
            continue
        try:
            signed = by.signature(event, now)
            _expect_names(event, names)
        except LedgerError as error:
            error.index, error.message = index, f"event {seq}: {error.message}"
            raise
        if isinstance(event, ev.Open):
            event = _completed(event, now)
        stored.append(msgspec.structs.replace(event, seq=seq, id=id, **signed))
        lines.append(ev.encode(hider.hide(stored[-1])).decode())
    return Signed(lines, frozenset(hider.used), stored[0], stored[-1])


@cache
def _is_plain(cls: type[ev.Event]) -> bool:
    """Tell whether lines of a type of event only need a signature, at the end."""
    return is_impersonal(cls) and cls.__struct_encode_fields__[-len(_KEYS) :] == _KEYS


def _completed(opening: ev.Open, now: datetime) -> ev.Open:
    """Return an opening with its optional keys filled in: the edition, and the local day of recording."""
    if opening.rules is None:
        opening = msgspec.structs.replace(opening, rules=game(opening.game).book.edition)
    # An event with its own time comes from elsewhere and stays as written.
    if opening.date is None and opening.at is None:
        opening = msgspec.structs.replace(opening, date=now.astimezone().date().isoformat())
    return opening


def _expect_names(event: ev.Event, names: Names) -> None:
    """Refuse names of players that people cannot read or type; raises RuleError `people.name`.

    An event with its own time is an old one, and stays as it is. An erased person sits there under the pseudonym.
    """
    if event.at is not None:
        return
    if isinstance(event, ev.Amend):
        event = event.event
    for player in players_in(event):
        if not (is_pseudonym(player) and names.is_erased(player)):
            expect_name(player)
