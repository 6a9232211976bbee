"""The score of a hand of hearts: hearts, the queen of spades, the moon, and the agreed options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cardledger.rules import Match, PassHand, Sentence, after_hands, at_target, by_seat, from_option, standard_pack

PACK: Final = standard_pack()
HEARTS: Final = PACK.suit_masks[2]
QUEEN: Final = PACK.mask["QS"]
JACK: Final = PACK.mask["JD"]


@dataclass
class HeartsHand(PassHand):
    """Adds whether hearts are broken, the cards each seat has won, who took all points (-1: nobody), and the options."""

    broken: bool = False
    shot: int = -1
    won: list[int] = by_seat()
    break_hearts: bool = from_option(False)
    queen_breaks: bool = from_option(False)
    clean_first_trick: bool = from_option(False)
    any_club: bool = from_option(False)
    hearts_for_queen: bool = from_option(False)
    moon: int = from_option()
    jack: bool = from_option(False)
    no_trick_bonus: bool = from_option(False)


def points(hand: HeartsHand, seat: int) -> int:
    """Hearts and the queen, the moon, the jack, and a hand without a trick."""
    won, moon = hand.won[seat], taker_of_all(hand)
    score = (won & HEARTS).bit_count() + (13 if won & QUEEN else 0)
    if moon >= 0:
        score = -score if hand.moon else 26 - score
    if hand.jack and won & JACK:
        score -= 10
    if hand.no_trick_bonus and moon < 0 and not hand.taken[seat]:
        score -= 5
    return score


def span(n: int, options: dict[str, Any]) -> tuple[int, int]:
    """All 26 points, or the others' 26; below 0 by a moon, by the jack, or without a trick."""
    moon = -26 if options["moon"] == "self" else 0
    return min(moon - 10 * options["jack"], -5 * options["no_trick_bonus"]), 26


def taker_of_all(hand: HeartsHand) -> int:
    """Return the seat that took all points, -1 for none."""
    for seat in range(4):
        if hand.won[seat] & (HEARTS | QUEEN) == HEARTS | QUEEN:
            return seat
    return -1


def note(match: Match[HeartsHand], hand: HeartsHand) -> None:
    """Note who took all points."""
    hand.shot = taker_of_all(hand)


def scored_by(match: Match[HeartsHand], hand: HeartsHand) -> tuple[str, ...]:
    """Cards or the moon, and the agreed options that applied."""
    rules = ["score.card" if hand.shot < 0 else "score.moon"]
    if hand.jack:
        rules.append("score.jack")
    if hand.no_trick_bonus and hand.shot < 0 and 0 in hand.taken:
        rules.append("score.no-trick")
    return tuple(rules)


def claim_refused(hand: HeartsHand, tricks: tuple[int, ...]) -> str | None:
    """One seat takes all remaining tricks; otherwise nobody knows who gets the points."""
    return (
        None
        if max(tricks) == hand.tricks_left
        else "in a claim one seat takes all remaining tricks; otherwise score the hand"
    )


def claimed(hand: HeartsHand, tricks: tuple[int, ...]) -> None:
    """The claimer takes every card not yet taken."""
    hand.won[tricks.index(hand.tricks_left)] |= hand.deck & ~(hand.won[0] | hand.won[1] | hand.won[2] | hand.won[3])


def over(match: Match[HeartsHand]) -> str | None:
    """After the agreed hands, or at the target; fewest points win in both cases."""
    hands = match.options["hands"]
    rule = at_target("match.target")(match) if hands is None else after_hands("match.hands", "hands")(match)
    if rule is not None:
        match.cite(rule, Sentence("this was the last hand"))
    return None if rule is None else "match.fewest"
