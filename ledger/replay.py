"""Replays: the result of a match as other programs read it, and the audit trail event by event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ledger import events as ev
from ledger.corrections import Stream, unroll
from ledger.hand import Hand
from ledger.rulebook import Ruling
from ledger.table import Table


def result(table: Table) -> dict[str, Any]:
    """Return the replay result of a match, ready for JSON (format: README, "Replay result")."""
    return {
        "game": table.game.id,
        "players": list(table.players),
        "options": table.options,
        "status": table.status,
        "hands": [hand_result(table, hand) for hand in table.hands],
        "totals": table.totals,
        "winners": table.winners,
        "violations": [
            {"seq": found.seq, "seat": found.seat, "rule": found.rule, "legal": list(found.legal)}
            for found in table.violations
        ],
    }


def hand_result(table: Table, hand: Hand) -> dict[str, Any]:
    """Return one hand of the replay result."""
    faces = table.pack.faces
    shown: dict[str, Any] = {
        "number": hand.number,
        "dealer": hand.dealer,
        "complete": hand.scores is not None,
        "tricks": [
            {"leader": leader, "cards": [faces[card] for card in cards], "taker": taker, "rule": rule}
            for leader, cards, taker, rule in hand.tricks
        ],
        "tricks_taken": hand.taken,
        "scores": hand.scores,
        **hand.extra,
    }
    if hand.claimed is not None:
        shown["claimed"] = hand.claimed
    if hand.agreed:
        shown["agreed"] = True
    return shown


@dataclass(frozen=True, slots=True)
class Audited:
    """An event of the record with what became of it.

    `event` is what was recorded, `counts` what counts in its place (None: it was retracted, or is a note or a
    correction), `rulings` what the rules said about that.
    """

    seq: int
    event: ev.Event
    counts: ev.Event | None
    rulings: list[Ruling]


def audit(events: Sequence[ev.Event]) -> list[Audited]:
    """Return the audit trail of a match; raises as folding does."""
    stream = Stream.of(events, audit=True)
    counting = dict(unroll(stream.heads[-1]))
    rulings: dict[int, list[Ruling]] = {}
    for ruling in stream.table.trail or ():
        rulings.setdefault(ruling.seq, []).append(ruling)
    return [Audited(seq, event, counting.get(seq), rulings.get(seq, [])) for seq, event in enumerate(events, 1)]


def rulings(stream: Stream, among: range) -> dict[int, list[Ruling]]:
    """Return what `audit` says of some events of a match, by their numbers, without a trail of all the others."""
    (_, opening), *chain = unroll(stream.heads[-1])
    hands = stream.table.hands
    # A hidden hand is judged at its end, by a trail that was kept from its deal on.
    first = max((hand.first for hand in hands if hand.first <= among.start), default=1)
    last = next((hand.last for hand in hands if hand.last is not None and hand.last >= among.stop - 1), stream.seq)
    table = Stream(opening, audit=True).table
    found = table.trail if 1 in among else []
    table.trail = None
    for seq, event in chain:
        if seq > last:
            break
        if seq >= first and table.trail is None:
            table.trail = []
        table.apply(event, seq)
    by_event: dict[int, list[Ruling]] = {}
    for ruling in (*(found or ()), *(table.trail or ())):
        if ruling.seq in among:
            by_event.setdefault(ruling.seq, []).append(ruling)
    return by_event
