"""Replays: the result of a match as data, and the audit trail event by event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.rulebook import Ruling
from cardledger.rules.engine.sides import sides_among
from cardledger.rules.engine.table_view import facts
from cardledger.rules.games import start
from cardledger.rules.stream import Stream, unroll


def result(match: Match[Any]) -> dict[str, Any]:
    """Return the replay result of a match, ready for JSON (format: README.md beside this file)."""
    own = {
        fact.key: fact.of(match, match.hand)
        for fact in match.game.shown.facts
        if fact.per.startswith("match") and fact.shown(match, "result")
    }
    return {
        "game": match.game.id,
        "players": list(match.players),
        **({"sides": match.sides} if match.sides else {}),
        "options": match.options,
        "status": match.status,
        "hands": [hand_result(match, hand) for hand in match.hands],
        "totals": match.totals,
        "winners": match.winners,
        **own,
        "violations": [
            {"seq": violation.seq, "seat": violation.seat, "rule": violation.rule, "legal": list(violation.legal)}
            | ({} if match.game.director.consequences is None else match.game.director.consequences(match, violation))
            for violation in match.violations
        ],
    }


def hand_result(match: Match[Any], hand: Any) -> dict[str, Any]:
    """Return one hand of the replay result."""
    faces = match.pack.faces
    shown: dict[str, Any] = {
        "number": hand.number,
        "dealer": hand.dealer,
        "complete": hand.scores is not None,
        "tricks": [
            {"leader": seats[0], "cards": [faces[card] for card in cards], "taker": taker, "rule": rule}
            for seats, cards, taker, rule in hand.tricks
        ],
        "tricks_taken": hand.taken,
        "scores": hand.scores,
        **facts(match, hand, "result"),
    }
    if hand.side != match.side:
        shown["sides"] = sides_among(hand.side)
    if hand.claimed is not None:
        shown["claimed"] = hand.claimed
    if hand.agreed:
        shown["agreed"] = True
    return shown


KINDS = ("all", "broken", "corrections")
"""The parts of an audit trail: everything, the events that broke a rule, the corrections."""


@dataclass(frozen=True, slots=True)
class Audited:
    """A recorded event and its rulings.

    `event` is the event as recorded, `counts` the one that counts in its place (None: it was retracted, or is a note
    or a correction), `rulings` the rulings on that.
    """

    seq: int
    event: ev.Event
    counts: ev.Event | None
    rulings: list[Ruling]


def audit(events: Sequence[ev.Event], rules: str | None = None) -> list[Audited]:
    """Return the audit trail of a match, or of the same events under another edition; raises like folding."""
    stream = Stream.of(events, audit=True, begin=partial(start, rules=rules))
    counting = dict(unroll(stream.heads[-1]))
    rulings: dict[int, list[Ruling]] = {}
    for ruling in stream.table.trail or ():
        rulings.setdefault(ruling.seq, []).append(ruling)
    return [Audited(seq, event, counting.get(seq), rulings.get(seq, [])) for seq, event in enumerate(events, 1)]


def of_kind(entries: Iterable[Audited], kind: str | None) -> list[Audited]:
    """Return the entries of an audit trail that belong to one of `KINDS`, None for all."""
    if kind == "broken":
        return [entry for entry in entries if any(ruling.verdict == "broken" for ruling in entry.rulings)]
    if kind == "corrections":
        return [entry for entry in entries if entry.event.corrects]
    return [*entries]


def rulings(stream: Stream, among: range) -> dict[int, list[Ruling]]:
    """Return the entries of `audit` for some events, by number, without a trail of all the others."""
    (_, opening), *chain = unroll(stream.heads[-1])
    hands = stream.table.hands
    # A hidden hand is judged at its end, so its trail starts at its deal.
    first = max((hand.first for hand in hands if hand.first <= among.start), default=1)
    last = next((hand.last for hand in hands if hand.last is not None and hand.last >= among.stop - 1), stream.seq)
    table = Stream(opening, audit=True).table
    at_opening = table.trail if 1 in among else []
    table.trail = None
    for seq, event in chain:
        if seq > last:
            break
        if seq >= first and table.trail is None:
            table.trail = []
        table.apply(event, seq)
    by_event: dict[int, list[Ruling]] = {}
    for ruling in (*(at_opening or ()), *(table.trail or ())):
        if ruling.seq in among:
            by_event.setdefault(ruling.seq, []).append(ruling)
    return by_event
