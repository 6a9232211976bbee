"""Correcting the result of a hand: the events that give it other points, tricks, or another contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardledger.errors import RuleError
from cardledger.record.matches.results_only import after_deal, line_read
from cardledger.record.recording.recording_again import recorded_again
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import unroll
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from cardledger.rules.engine.hand_line import LineWords
    from cardledger.rules.stream import Stream


class RecordedResult(NamedTuple):
    """How the result of a hand is recorded: its score or claim, and its deal, each with its number in the stream.

    `ending` is None for a hand that was played card by card, or is under way.
    """

    hand: int
    ending: tuple[int, ev.Score | ev.Claim] | None
    deal: tuple[int, ev.Deal]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The points or tricks, by seat; empty without them."""
        if self.ending is None:
            return ()
        _, event = self.ending
        return event.scores if isinstance(event, ev.Score) else event.tricks


def recorded_result(stream: Stream, number: int) -> RecordedResult:
    """Return how the result of a hand is recorded, corrections applied.

    Hands count from 1. Raises RuleError `table.range`.
    """
    hands = stream.table.hands
    if not 1 <= number <= len(hands):
        raise RuleError(
            "table.range", Sentence("the match has hands 1 to {most}, not {number}", most=len(hands), number=number)
        )
    ending = deal = None
    for seq, event in _of_hand(stream, number):
        if isinstance(event, ev.Deal):
            deal = seq, event
        elif isinstance(event, ev.Score | ev.Claim):
            ending = seq, event
    assert deal is not None, "a hand begins with its deal"
    return RecordedResult(number, ending, deal)


def correction(result: RecordedResult, numbers: Sequence[int], reason: str | None = None) -> list[ev.Amend]:
    """Return the amend that gives a hand other points or tricks by seat; none if they are those in the record.

    Raises RuleError `table.phase` for a hand that was played card by card.
    """
    if result.ending is None:
        raise _card_by_card(result.hand)
    if tuple(numbers) == result.numbers:
        return []
    seq, ending = result.ending
    key = "scores" if isinstance(ending, ev.Score) else "tricks"
    changed = msgspec.structs.replace(ending, **{key: tuple(numbers)})
    return [ev.Amend(about=seq, event=ev.bare(changed), reason=reason)]


def _card_by_card(hand: int) -> RuleError:
    return RuleError(
        "table.phase",
        advising(
            Sentence("hand {hand} was recorded card by card: amend the card that is wrong, in the log", hand=hand)
        ),
    )


def written_on_line(stream: Stream, number: int) -> str | None:
    """Return a hand of which no card was recorded as players write it on one line, "" for points without more.

    None for a hand with cards, for one that is under way, and for a game whose hands are not written so.
    """
    table = stream.table
    line, hand = table.game.sheet.line, table.hands[number - 1]
    known = (ev.Deal, ev.Call, ev.Score, ev.Claim, ev.Adjust)
    bare_hand = all(
        isinstance(event, known) and getattr(event, "hands", None) is None for _, event in _of_hand(stream, number)
    )
    return line.write(hand) if line is not None and bare_hand and hand.scores is not None else None


def line_correction(
    stream: Stream, number: int, text: str, words: LineWords, reason: str | None = None
) -> list[ev.Event]:
    """Return the events after which a hand is what a line says; all hands after it stay as they are.

    None are needed if it says that already. Raises FormatError `format.value` for a line that cannot be read, RuleError `table.phase`
    for a hand with cards.
    """
    if written_on_line(stream, number) is None:
        raise _card_by_card(number)
    read, hand = line_read(stream.table.game, text, words), stream.table.hands[number - 1]
    old = _of_hand(stream, number)
    (deal_seq, deal), *ending = old
    assert isinstance(deal, ev.Deal)
    rulings = [(seq, event) for seq, event in ending if isinstance(event, ev.Adjust)]
    new_deal = msgspec.structs.replace(deal, **{"contract": None, "declarer": None, **read.deal})
    then = after_deal(read, hand.dealer, stream.table.n)
    plays = [(seq, event) for seq, event in ending if not isinstance(event, ev.Adjust)]
    if len(plays) == len(then):
        changed = [(deal_seq, deal, new_deal), *((seq, was, now) for (seq, was), now in zip(plays, then, strict=True))]
        return [
            ev.Amend(about=seq, event=ev.bare(now), reason=reason)
            for seq, was, now in changed
            if ev.bare(was) != ev.bare(now)
        ]
    first = (deal_seq, deal if ev.bare(deal) == ev.bare(new_deal) else new_deal)
    chain = unroll(stream.heads[-1])[1:]
    place = next(at for at, (seq, _) in enumerate(chain) if seq == deal_seq)
    wanted = [*chain[:place], first, *((0, event) for event in then), *rulings, *chain[place + len(old) :]]
    was = written_on_line(stream, number) or "points"
    return recorded_again(stream, wanted, reason or f"{was} → {text}")


def _of_hand(stream: Stream, number: int) -> list[tuple[int, ev.Event]]:
    """Return the events of a hand that count, each with its number."""
    hands = stream.table.hands
    after = hands[number].first if number < len(hands) else stream.seq + 1
    return [(seq, event) for seq, event in unroll(stream.heads[-1]) if hands[number - 1].first <= seq < after]
