"""Each reviewed decision in one sentence: what the rules tell of it, and what it cost."""

from __future__ import annotations

from random import Random

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.phases import BidHand
from cardledger.rules.games.hearts.remarks import remark
from cardledger.rules.stream import Stream
from cardledger.sentence import Sentence
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.review.decision_words import of_bids, of_takers, said, sentences
from cardledger.study.stats.review.review import Decision, review
from tests.conftest import EVERYDAY

NAMES = ("ana", "ben", "chloe", "dev")


def decision(made: str, best: str, *, seq: int = 9, cost: float = 0.4, error: float = 0.1) -> Decision:
    return Decision(seq, 0, "play", made, best, 3, cost, error)


def test_a_sentence_names_the_choice_the_better_one_and_the_cost_with_its_error() -> None:
    assert said(decision("9S", "4S"), "ana") == "ana played 9S; 4S was better: it cost 0.4 ± 0.1 points"
    doubtful = said(decision("9S", "4S", error=0.3), "ana")
    assert doubtful == "ana played 9S; 4S was better: it cost 0.4 ± 0.3 points, which may be chance"
    for nothing in (decision("9S", "9S", cost=0.0), decision("9S", "4S", cost=-0.2)):
        assert said(nothing, "ana") == "ana: 9S, and nothing better was found"


@pytest.mark.parametrize("game", EVERYDAY)
def test_every_decision_has_a_sentence_and_what_it_says_of_the_trick_is_so(game: str) -> None:
    n = 3 if game == "diamonds-draw" else 4
    stream = Stream.of(simulate(game, n, Random(7), ["random"], max_hands=1))
    played = next(hands_of(stream))
    assert played.dealt is not None
    decisions = review(played.dealt, played.hand.dealer, played.events)
    told = sentences(played, decisions, NAMES)
    assert [*told] == [one.seq for one in decisions]
    trick_of = {}
    for seats, cards, taker, _ in played.hand.tricks:
        faces = [stream.table.pack.faces[card] for card in cards]
        trick_of |= {(seat, face): taker == seat for seat, face in zip(seats, faces, strict=True)}
    for one in decisions:
        words = told[one.seq]
        assert isinstance(words, Sentence) and words.startswith(NAMES[one.seat])
        if one.cost > 0 and one.made != one.best:
            assert f"{one.cost:.1f} ± {one.error:.1f}" in words
            assert words.endswith("which may be chance") != one.bad
        if "could have held the trick" in words:
            assert trick_of[one.seat, one.made] is False
        if "took the trick" in words:
            assert trick_of[one.seat, one.made] is True


def test_hearts_says_more_by_its_hook() -> None:
    class Hand:
        trick = [1]
        led = 0

    class Match:
        hand = Hand

    made, queen, heart = (ev.Play(seat=0, card=card) for card in ("7D", "QS", "9H"))
    assert "rid of the queen of spades" in str(remark(Match, made, queen))
    assert "rid of {best}" in str(remark(Match, made, heart))
    assert "keep her" in str(remark(Match, queen, made))
    assert remark(Match, heart, made) is None
    assert remark(Match, ev.Bid(seat=0, amount=3), made) is None


class _Table:
    """A table of four, partners opposite, at the last card of a trick."""

    n = 4

    def __init__(
        self, bids: tuple[int, ...] | None = None, taken: tuple[int, ...] = (0, 0, 0, 0), *, pairs: bool = True
    ):
        hand = BidHand(4)
        hand.side = (0, 1, 0, 1) if pairs else (0, 1, 2, 3)
        hand.bids, hand.taken = [*(bids or (-1,) * 4)], [*taken]
        self.hand = hand


@pytest.mark.parametrize(
    ("taker", "would", "words"),
    [
        (0, 0, "to take it with"), (0, 1, "could have let it go"), (0, 2, "left it to a partner"),
        (1, 0, "could have held"), (2, 0, "left the trick to a partner"), (1, 2, None),
    ],
)  # fmt: skip
def test_a_trick_is_told_by_who_took_it_and_who_would_have(taker: int, would: int, words: str | None) -> None:
    told = of_takers(_Table(), 0, taker, would)
    assert told is None if words is None else words in str(told)


@pytest.mark.parametrize(
    ("bids", "taken", "pairs", "taker", "would", "words"),
    [
        ((0, 3, 3, 3), (0, 1, 1, 1), True, 0, 1, "had bid no trick"),
        ((0, 3, 3, 3), (0, 1, 1, 1), True, 1, 0, None),
        ((2, 3, 3, 3), (2, 1, 3, 1), True, 0, 1, "one more"),
        ((2, 3, 3, 3), (2, 1, 2, 1), True, 0, 1, None),
        ((2, 3, 3, 3), (2, 1, 2, 1), True, 1, 0, "would have taken this one"),
        ((2, 3, 3, 3), (2, 1, 2, 1), True, 2, 0, None),
        ((2, 3, 3, 3), (2, 1, 2, 1), False, 1, 0, None),
        ((2, 3, 3, 3), (2, 1, 2, 1), False, 0, 1, "one more"),
        ((2, -1, 3, 3), (0, 0, 0, 0), True, 1, 0, None),
    ],
)  # fmt: skip
def test_tricks_that_were_bid_are_told_as_kept_or_broken(
    bids: tuple[int, ...], taken: tuple[int, ...], pairs: bool, taker: int, would: int, words: str | None
) -> None:
    told = of_bids(_Table(bids, taken, pairs=pairs), 0, taker, would)
    assert told is None if words is None else words in str(told)
