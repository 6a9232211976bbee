"""A match as its page shows it: the folded match, as rows ready for a template."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cardledger.record.matches.describe import event_in_words, in_words, rounds
from cardledger.record.matches.hand_diagram import events_by_hand
from cardledger.record.matches.hand_replay import ended_by
from cardledger.record.store.codec import decode_one
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.score_sheet import doubt
from cardledger.rules.stream import unroll
from cardledger_web.languages import N_, here, minus, option_word, translated
from cardledger_web.views.cards import DrawnCard, drawn
from cardledger_web.views.corrected import corrected, hand_at
from cardledger_web.views.diagram import DrawnDiagram, drawn_diagram
from cardledger_web.views.wording import Wording, wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.record.recording.secrecy import Secrets
    from cardledger.record.store import Stored
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.shown import Fact
    from cardledger.rules.engine.state import Hand, Trick
    from cardledger.rules.stream import Correction, Stream

ENDED = {"play": N_("played out"), "claim": N_("ended by a claim"), "score": N_("from the score sheet")}
"""How a hand ended, in words, by the words of the read model."""


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick.

    A card for each seat (None: the seat sat out), the leader, the taker (None: tied), the rule that decided it, and the
    number of the event that led.
    """

    number: int
    seq: int
    cards: tuple[DrawnCard | None, ...]
    leader: int
    taker: int | None
    rule: str


@dataclass(frozen=True, slots=True)
class HandRow:
    """A hand.

    How it ended, its tricks, its diagram where seats have names, and `facts`: a heading with a text for each seat, or
    with one for all.

    `hand_facts` are the facts of the hand as a whole, in words; `seq` is the number of its deal.

    `doubt` says why the points of its score sheet cannot be, `withheld` that its tricks are not shown because others
    play the same cards, or are going to.
    """

    number: int
    seq: int
    dealer: int
    ended: str
    hidden: bool
    doubt: str | None
    scores: list[int] | None
    totals: list[int] | None
    tricks: tuple[TrickRow, ...]
    facts: tuple[tuple[str, tuple[str, ...]], ...]
    hand_facts: tuple[str, ...]
    withheld: bool
    diagram: DrawnDiagram | None = None


@dataclass(frozen=True, slots=True)
class ViolationRow:
    """A violation: the event and its number, the hand, the player, the rule, and the legal cards, or calls as text."""

    seq: int
    hand: int
    seat: int
    verb: str
    card: DrawnCard | None
    rule: str
    legal: tuple[DrawnCard | str, ...]


@dataclass(frozen=True, slots=True)
class CorrectionRow:
    """A correction: its number, what it changed in words, and the changed totals: player, total before and after.

    `undone` tells whether it only took back entries, or let them count again.
    """

    seq: int
    words: str
    changes: tuple[tuple[str, int, int], ...]
    undone: bool = False


def hand_rows(
    stream: Stream,
    secrets: Secrets | None = None,
    number: int | None = None,
    *,
    tricks: bool = True,
    names: Sequence[str] = (),
) -> list[HandRow]:
    """Return the hands of a match in order, or only one; without `tricks` they have no tricks.

    `names` are what the players are called, by seat; without, they go by their ids.
    """
    table = stream.table
    names = names or table.players
    leads = [seq for seq, event in unroll(stream.heads[-1]) if isinstance(event, ev.Play)] if tricks else []
    by_hand = events_by_hand(stream) if tricks and table.game.shown.seats else []
    rows = []
    for hand in table.hands:
        if number in (None, hand.number):
            withheld = secrets is not None and secrets.holds(hand.number)
            row = _hand(table, hand, names, leads, tricks, withheld)
            if by_hand and hand.scores is not None and not withheld:
                shown = drawn_diagram(table, hand.dealer, by_hand[hand.number - 1])
                # The facts of the hand stand above the diagram, and its calls beside it.
                row = row if shown is None else replace(row, diagram=shown, facts=_facts(table, hand, names, True))
            rows.append(row)
    return rows


def violation_rows(stream: Stream, secrets: Secrets | None = None) -> list[ViolationRow]:
    """Return the violations of a match in order, without secret ones."""
    table = stream.table
    cards = drawn(table.pack)
    counted = dict(unroll(stream.heads[-1])) if table.violations else {}
    rows = []
    for violation in table.violations:
        if secrets is not None and secrets.covers(violation.seq):
            continue
        event = counted[violation.seq]
        played = event.card if isinstance(event, ev.Play | ev.Give) else None
        if isinstance(event, ev.Call):
            calls = wording(table.game)
            verb = f"call {calls.call(event.call)}"
            legal: tuple[DrawnCard | str, ...] = tuple(calls.legal(violation.legal))
        else:
            verb = ev.type_of(event)
            legal = tuple(cards[face] for face in sorted(violation.legal, key=table.pack.of.__getitem__))
        rows.append(
            ViolationRow(
                violation.seq,
                hand_at(table, violation.seq),
                violation.seat,
                verb,
                cards.get(played or ""),
                violation.rule,
                legal,
            )
        )
    return rows


def correction_rows(stream: Stream, secrets: Secrets | None, names: Sequence[str]) -> list[CorrectionRow]:
    """Return the corrections of a match in order, without secret cards; `names` are by seat."""
    return [_correction(correction, stream, names, secrets) for correction in stream.corrections]


def _correction(entry: Correction, stream: Stream, names: Sequence[str], secrets: Secrets | None) -> CorrectionRow:
    seq, event, replaced, before, after = entry
    public: ev.Event = event
    instead = replaced
    if secrets is not None:
        about = event.about if isinstance(event, ev.Amend) else seq
        public, instead = secrets.public(event, seq), replaced and secrets.public(replaced, about)
    changes = tuple((name, old, new) for name, old, new in zip(names, before, after, strict=True) if old != new)
    return CorrectionRow(seq, corrected(stream, seq, public, instead, names), changes, isinstance(event, ev.Retract))


def remark_rows(rows: Sequence[Stored], secrets: Secrets | None, players: Sequence[str]) -> list[tuple[int, str]]:
    """Return remarks and an early end, in words, without what is secret."""
    # Lines are canonical, with the type first, so most need not be decoded.
    remarks = (word for word, cls in ev.TYPES.items() if cls is ev.End or not (cls.counts or cls.corrects))
    kinds = tuple(f'{{"type":"{word}"' for word in remarks)
    found = ((row.seq, decode_one(row.line)) for row in rows if row.line.startswith(kinds))
    public = ((seq, event if secrets is None else secrets.public(event, seq)) for seq, event in found)
    return [(seq, event_in_words(event, players, here())) for seq, event in public]


def unjudged(hands: list[HandRow]) -> list[int]:
    """Return the numbers of hands that could only partly be judged."""
    return [hand.number for hand in hands if hand.ended != ENDED["play"]]


def _hand(
    table: Match[Any], hand: Hand, names: Sequence[str], leads: list[int], tricks: bool, withheld: bool
) -> HandRow:
    """`leads` are the numbers of all plays of the match; those of a trick follow one another."""
    ended = ended_by(hand)
    words = ENDED[ended] if ended else N_("under way") if table.status == "open" else N_("cut short")
    shown: tuple[TrickRow, ...] = ()
    if tricks and not withheld:
        first = bisect_left(leads, hand.first)
        shown = tuple(
            _trick(table, number, leads[place], trick)
            for (number, trick), place in zip(enumerate(hand.tricks, 1), _places(first, hand), strict=False)
        )
    return HandRow(
        hand.number, hand.first, hand.dealer, words, hand.hidden, doubt(table, hand), hand.scores, hand.totals, shown,
        _facts(table, hand, names, withheld), () if withheld else tuple(_hand_facts(table, hand, names)), withheld,
    )  # fmt: skip


def _trick(table: Match[Any], number: int, seq: int, trick: Trick) -> TrickRow:
    seats, played, taker, rule = trick
    cards, faces = drawn(table.pack), table.pack.faces
    by_seat: list[DrawnCard | None] = [None] * table.n
    for seat, card in zip(seats, played, strict=True):
        by_seat[seat] = cards[faces[card]]
    return TrickRow(number, seq, tuple(by_seat), seats[0], taker, rule)


def _places(first: int, hand: Hand) -> Iterator[int]:
    """Yield for each trick of a hand the place of its lead among all plays of the match."""
    for seats, *_ in hand.tricks:
        yield first
        first += len(seats)


def _facts(
    table: Match[Any], hand: Hand, names: Sequence[str], only_numbers: bool
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the facts of a hand beside its tricks, or only the numbers; rows that do not apply are left out."""
    n, words = table.n, wording(table.game)
    rows: list[tuple[str, tuple[str, ...]]] = []
    for fact in () if only_numbers else table.game.shown.facts:
        value = fact.of(table, hand) if fact.shown(table, "result") and not fact.per.startswith("match") else None
        if value is None or value == []:
            continue
        if fact.kind == "calls":
            for number, calls in enumerate(rounds([*map(words.call, value)], hand.dealer, n), 1):
                rows.append((f"{fact.title}, round {number}" if number > 1 else fact.title, calls))
        elif fact.per == "seat":
            rows.append((fact.title, _by_seat(value)))
        elif fact.kind in ("seat", "seats"):
            marked = {value} if fact.kind == "seat" else set(value)
            rows.append((fact.title, tuple("✓" if seat in marked else "" for seat in range(n))))
        elif fact.kind == "contract":
            rows.append(
                (fact.title, tuple(words.call(value["call"]) if seat == value["seat"] else "" for seat in range(n)))
            )
        else:
            text = in_words(fact, value, names, here())
            rows.append((fact.title, (_said(words, fact, text),)))
    numbers: dict[str, Sequence[int] | None] = {
        N_("Tricks taken"): hand.taken if any(hand.taken) else None,
        N_("of them claimed"): hand.claimed,
        N_("Points"): hand.scores,
    }
    rows += [(name, tuple(minus(value) for value in values)) for name, values in numbers.items() if values is not None]
    return tuple(rows)


def _hand_facts(table: Match[Any], hand: Hand, names: Sequence[str]) -> Iterator[str]:
    """Yield the facts of a hand as a whole, in words: its trump, who shot the moon."""
    called = wording(table.game)
    named = called.named(names)
    for fact in table.game.shown.facts:
        if fact.per == "hand" and fact.kind != "calls" and fact.shown(table, "result"):
            words = in_words(fact, fact.of(table, hand), named, here())
            if words:
                yield f"{translated(fact.title)}: {_said(called, fact, words)}"


def _said(words: Wording, fact: Fact, text: str) -> str:
    """Return the value of a fact as people say it."""
    if fact.kind == "contract":
        name, _, call = text.rpartition(": ")
        return f"{name}: {words.call(call)}"
    return words.call(text) if fact.kind == "call" else text


def match_facts(table: Match[Any], names: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the game's facts about the match: a heading with a text for each seat, or one for all."""
    rows = []
    for fact in table.game.shown.facts:
        value = fact.of(table, table.hand) if fact.per.startswith("match") and fact.shown(table, "result") else None
        if value is None or value == []:
            continue
        by_seat = fact.per == "match seat"
        rows.append((fact.title, _by_seat(value) if by_seat else (in_words(fact, value, names, here()),)))
    return tuple(rows)


def _by_seat(values: Sequence[Any]) -> tuple[str, ...]:
    return tuple("\u2013" if one is None else minus(one) for one in values)


def option_text(value: object) -> str:
    """Return the value of an option in words."""
    if isinstance(value, bool):
        return option_word("yes" if value else "no")
    return option_word("none" if value is None else str(value))
