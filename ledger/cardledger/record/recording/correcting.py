"""Correcting the result of a hand: the events that give it other points, tricks, or another contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cardledger.errors import RuleError
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import unroll
from cardledger.sentence import advising

if TYPE_CHECKING:
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
        raise RuleError("table.range", f"the match has hands 1 to {len(hands)}, not {number}")
    after = hands[number].first if number < len(hands) else stream.seq + 1
    ending = deal = None
    for seq, event in unroll(stream.heads[-1]):
        if hands[number - 1].first <= seq < after:
            if isinstance(event, ev.Deal):
                deal = seq, event
            elif isinstance(event, ev.Score | ev.Claim):
                ending = seq, event
    assert deal is not None, "a hand begins with its deal"
    return RecordedResult(number, ending, deal)


def correction(
    result: RecordedResult,
    numbers: Sequence[int],
    contract: str | None = None,
    declarer: int | None = None,
    reason: str | None = None,
) -> list[ev.Amend]:
    """Return the amends that give a hand other points or tricks by seat, and with them another contract.

    Nothing is amended that stays as it is, so the list may be empty. Raises RuleError `table.phase` for a hand that was
    played card by card.
    """
    if result.ending is None:
        raise RuleError(
            "table.phase",
            advising(f"hand {result.hand} was recorded card by card: amend the card that is wrong, in the log"),
        )
    amends = []
    seq, deal = result.deal
    if contract is not None and (contract, declarer) != (deal.contract, deal.declarer):
        other = msgspec.structs.replace(deal, contract=contract, declarer=declarer)
        amends.append(ev.Amend(about=seq, event=ev.bare(other), reason=reason))
    seq, ending = result.ending
    if tuple(numbers) != result.numbers:
        key = "scores" if isinstance(ending, ev.Score) else "tricks"
        changed = msgspec.structs.replace(ending, **{key: tuple(numbers)})
        amends.append(ev.Amend(about=seq, event=ev.bare(changed), reason=reason))
    return amends
