"""A match replayed: its result, its table at any event, pictures, rulings and other editions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from cardledger.errors import FormatError
from cardledger.record.matches.describe import account, in_words
from cardledger.record.matches.drawing import SUITS, Drawing, draw, rank_of, suit_of
from cardledger.record.matches.other_edition import under
from cardledger.record.matches.replay import Audited, audit, result
from cardledger.record.matches.trick_drawing import draw_trick, trick_at
from cardledger.record.matches.two_records import TwoRecords, two_records
from cardledger.rules.engine import table_view
from cardledger.rules.engine.events import Event
from cardledger.rules.knowledge import SeatKnowledge, knowledge
from cardledger.rules.stream import Stream
from cardledger.study.stats.review.quiz import Quiz

_IN_THE_MIDDLE = ("int", "call", "contract", "seat", "suit", "text")
"""The kinds of facts that are short enough for the middle of a picture."""


@dataclass(frozen=True)
class Replay:
    """A match replayed: `events` holds all recorded events, corrections included."""

    events: Sequence[Event]
    stream: Stream

    @classmethod
    def of(cls, events: Sequence[Event]) -> Replay:
        """Replay events from an opening on; raises LedgerError with the index of the first that does not fit."""
        return cls(events, Stream.of(events))

    @property
    def result(self) -> dict[str, Any]:
        """The replay result as `cardledger replay --json` prints it: hands, tricks, scores, winners, violations."""
        return result(self.stream.table)

    @property
    def state(self) -> dict[str, Any]:
        """The table now, and the legal choices for the next event."""
        return table_view.state(self.stream.table)

    def at(self, seq: int) -> Replay:
        """Return the match as it was right after event number `seq`."""
        if not 1 <= seq <= len(self.events):
            raise FormatError("format.value", f"seq is {seq}, but the match has events 1 to {len(self.events)}")
        return Replay.of(self.events[:seq])

    def knowledge(self, seat: int) -> SeatKnowledge:
        """What a seat can know of the cards it has not seen, counted over every deal that fits.

        If the cards dealt were not recorded, it is what follows from the record for everybody. Raises RuleError
        `deal.hidden` if nobody holds cards.
        """
        return knowledge(self.stream, seat)

    def quiz(self, hand: int) -> Quiz:
        """The decisions of a hand as questions, and what each choice costs.

        Raises StoreError `quiz.hand` for a hand that is under way, or whose cards are not known.
        """
        return Quiz(self.stream, hand)

    def compared(self, at: int, entries: Sequence[Event]) -> TwoRecords:
        """Compare what was recorded after event `at` with the entries of somebody who did not know it, part by part.

        Raises RuleError `table.range` if there is no event `at`, and FormatError `format.size` for too many entries.
        """
        return two_records(self.stream, at, entries)

    def rulings(self) -> list[Audited]:
        """Return the audit trail: each event with the rules that allowed, forbade or decided something."""
        return audit(self.events)

    @property
    def table(self) -> Drawing:
        """The table now, as a picture: every hand by suit, and the trick.

        Cards that were not recorded are not made up.
        """
        table = self.stream.table
        game = table.game
        return draw(
            f"{game.title}, {table.status}", table.players, self.state, seats=game.shown.seats, bottom=game.shown.bottom
        )

    @property
    def trick(self) -> Drawing:
        """The trick under way, or the one taken last, as a moving picture: card by card, then its taker.

        Raises FormatError `format.value` before the first trick of a match, and in games without tricks.
        """
        table, hands = self.stream.table, self.result["hands"]
        trick = trick_at(self.state.get("trick"), hands[-1]["tricks"] if hands else ())
        if trick is None:
            raise FormatError("format.value", "no card of a trick has been played in this hand")
        taker = trick.get("taker")
        return draw_trick(
            table.game.title, table.players, trick, said="" if taker is None else f"{table.players[taker]} takes it",
            seats=table.game.shown.seats, bottom=table.game.shown.bottom,
        )  # fmt: skip

    def hand(self, number: int) -> Drawing:
        """Return a hand, by its number from 1, as a picture of the table right after the deal.

        With what is known of it in words.
        """
        table = self.stream.table
        if not 1 <= number <= len(table.hands):
            raise FormatError("format.value", f"hand is {number}, but the match has hands 1 to {len(table.hands)}")
        dealt = self.at(table.hands[number - 1].first)
        game, hand = table.game, table.hands[number - 1]
        found = (
            (fact, fact.of(table, hand))
            for fact in game.shown.facts
            if fact.result and fact.per == "hand" and fact.kind in _IN_THE_MIDDLE
        )
        facts = ((fact.title, in_words(fact, value, table.players)) for fact, value in found)
        return draw(
            f"{game.title}, hand {number}", table.players, dealt.state, seats=game.shown.seats, bottom=game.shown.bottom,
            middle=[f"{title}: {words}" for title, words in facts if words],
        )  # fmt: skip

    def under(self, rules: str) -> Replay:
        """Return the match as another edition of its rulebook sees it (`ruff/2`).

        Up to the first event which that edition refuses.
        """
        compared = under(self.events, rules)
        return Replay(compared.stream.events, compared.stream)

    def __str__(self) -> str:
        return "\n".join(account(self.stream.table))

    def _repr_html_(self) -> str:
        """Show players, hands and points in a notebook, and the tricks of the last hand."""
        shown, table = self.result, self.stream.table
        head = "".join(f"<th>{escape(player)}</th>" for player in shown["players"])
        rows = "".join(
            f"<tr><th>hand {hand['number']}</th>{''.join(f'<td>{p}</td>' for p in hand['scores'] or ['…'] * table.n)}</tr>"
            for hand in shown["hands"]
        )
        totals = "".join(f"<td><b>{total}</b></td>" for total in shown["totals"])
        tricks = ""
        if shown["hands"] and shown["hands"][-1]["tricks"]:
            lines = (" ".join(map(card_html, trick["cards"])) for trick in shown["hands"][-1]["tricks"])
            tricks = "<ol>" + "".join(f"<li>{line}</li>" for line in lines) + "</ol>"
        return f"<table><tr><th>{escape(table.game.title)}</th>{head}</tr>{rows}<tr><th>total</th>{totals}</tr></table>{tricks}"


def card_html(face: str) -> str:
    """Return a card for a notebook: rank and sign of the suit in its colour, or its face as written."""
    suit = suit_of(face)
    if suit is None:
        return f"<span>{escape(face)}</span>"
    sign, colour = SUITS[suit]
    return f'<span style="color:{colour};white-space:nowrap">{rank_of(face)}{sign}</span>'
