"""What the scoring page needs to know of a match beyond its table: words, cards, the deal, and the log of events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from ledger import events as ev
from ledger.corrections import unroll
from ledger.rulebook import COMMON
from ledger.words import told
from web.cards import deck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.corrections import Stream
    from ledger.table import Table

_COMMON_KEYS = frozenset(ev.Event.__struct_fields__)
_SHEETS = (ev.Deal, ev.Claim, ev.Score, ev.End)
"""Events that have forms of their own; all others are said in a word or two."""


def scorecard(table: Table, names: Sequence[str]) -> dict[str, Any]:
    """Return what does not change while a match is scored, ready for JSON; `names` by seat.

    `kinds` are the events of the game with the keys they carry, `deal` says which cards are dealt (`deck`), how many
    to `each` seat, how many are left `over`, and which `keys` the deal has.
    """
    pack, game = table.pack, table.game
    # What has no tricks has a hand of seven so far; a game that deals otherwise says so as tables of tricks do.
    each, dealt = getattr(table, "each", 7), getattr(table, "deck", pack.full)
    return {
        "players": names,
        "fewest": game.fewest,
        "cards": deck(pack),
        "faces": list(dict.fromkeys(pack.faces)),
        "rows": _rows(table),
        "suits": list(pack.suit_names),
        "rules": {rule.id: rule.text for rule in (*game.book, *COMMON)},
        "kinds": {ev_tag(cls): _keys(cls) for cls in table.actions if cls not in _SHEETS},
        "deal": {
            "keys": sorted(game.deal_keys),
            "deck": pack.list(dealt),
            "each": each,
            "over": dealt.bit_count() - each * table.n,
        },
    }


def ev_tag(cls: type[ev.Event]) -> str:
    """Return the type word of a class of events."""
    return str(cls.__struct_config__.tag)


def _keys(cls: type[ev.Event]) -> list[str]:
    return [found.encode_name for found in msgspec.structs.fields(cls) if found.name not in _COMMON_KEYS]


def _rows(table: Table) -> list[list[str]]:
    """Return the faces of the pack row by row, each row a suit; cards of two suits stand with their lower one."""
    rows: dict[int, list[str]] = {}
    for face, suits in zip(table.pack.faces, table.pack.suits, strict=True):
        row = rows.setdefault(suits & -suits, [])
        if face not in row:
            row.append(face)
    return [rows[suit] for suit in sorted(rows)]


@dataclass(frozen=True, slots=True)
class LogRow:
    """An event in the log: its words, whether it counts, what counts in its place, and the rule it broke.

    `amends` is the event to begin from when it is amended, as JSON; empty where it cannot be.
    """

    seq: int
    words: str
    by: str | None
    counts: bool
    now: str | None
    rule: str | None
    amends: str


@dataclass(frozen=True, slots=True)
class Log:
    """The latest events of a match, the last first; `undo` is the seq to go back to, and `undone` what that takes back."""

    seq: int
    rows: list[LogRow]
    more: bool
    undo: int | None
    undone: str


def log_of(stream: Stream, events: Sequence[ev.Event], names: Sequence[str], *, whole: bool) -> Log:
    """Return the log of a match, back to the deal of the hand before the last, or the whole; `names` by seat."""
    table = stream.table
    counting = dict(unroll(stream.heads[-1]))
    broken = {found.seq: found.rule for found in table.violations}
    deals = [seq for seq, event in enumerate(events, 1) if isinstance(event, ev.Deal)]
    first = 1 if whole or len(deals) < 2 else deals[-2]
    rows = []
    for seq, event in enumerate(events[first - 1 :], first):
        counts = counting.get(seq)
        words = told(event, names)
        now = words if counts is None else told(counts, names)
        remark = isinstance(event, ev.Note | ev.Retract | ev.Amend)
        rows.append(
            LogRow(
                seq=seq,
                words=words,
                by=event.by,
                counts=remark or counts is not None,
                now=now if now != words else None,
                rule=broken.get(seq),
                amends="" if isinstance(counts, ev.Open | ev.End | None) else ev.encode(_bare(counts)).decode(),
            )
        )
    last = _last(events)
    undone = told(events[last - 1], names) if last else ""
    return Log(len(events), rows[::-1], first > 1, last - 1 if last else None, undone)


def _last(events: Sequence[ev.Event]) -> int | None:
    """Return the event to take back next: the last, or what counted last after those taken back already."""
    last = len(events)
    while isinstance(event := events[last - 1], ev.Retract):
        last = event.to
    return last if last > 1 else None


def _bare(event: ev.Event) -> ev.Event:
    """Return an event without what says when and by whom it was recorded."""
    return msgspec.structs.replace(event, seq=None, id=None, at=None, by=None)
