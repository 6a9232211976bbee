"""The gaps of a hand: the decisions that cost a player something beyond doubt, as the review finds."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from cardledger.errors import UnreadyError
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.reviewer import Reviewer
from cardledger.study.stats.review.reviews import compute, stored_review

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger


def reviewed(ledger: Ledger, match: str, hand: int) -> bool:
    """Tell whether the gaps of a hand are known at once."""
    ledger.folded(match)
    with LuckStore(ledger) as store:
        store.catch_up()
        return all(stored_review(one, store).decisions is not None for one in store.hands(*_of(match, hand)))


def gaps(ledger: Ledger, match: str, hand: int, seconds: float | None = None) -> set[int]:
    """Return the events of a hand at which the review finds a clear cost.

    A review that is missing is made: here, or in the background if somebody waits for it `seconds` at most.

    Raises UnreadyError while it is being made in the background.
    """
    ledger.folded(match)
    with LuckStore(ledger) as store:
        store.catch_up()
        (found,) = store.hands(*_of(match, hand))
        if stored_review(found, store).unreviewed:
            if seconds is None:
                deque(compute([found], store), maxlen=0)
            else:
                Reviewer.of(ledger).ask([found], seconds)
        decisions = stored_review(found, store).decisions
    if decisions is None:
        raise UnreadyError("the hand is being reviewed: ask again in a few seconds")
    return {one.seq for one in decisions if one.bad}


def _of(match: str, hand: int) -> tuple[str, tuple[str, int]]:
    return "match = ? AND hand = ?", (match, hand)
