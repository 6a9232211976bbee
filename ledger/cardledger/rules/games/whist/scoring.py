"""The score of a hand of whist: tricks and honours, and the games of a rubber."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from cardledger.rules import (
    SUITS,
    Hand,
    Match,
    Sentence,
    best_total,
    by_seat,
    cards_at_start,
    from_option,
    standard_pack,
)

PACK: Final = standard_pack()
NO_TRUMP: Final = 4
TRUMPS: Final = (*PACK.suit_masks, 0)
"""The cards that are trump, by card order."""
HONOUR_CARDS: Final = sum(PACK.mask[rank + suit] for rank in "AKQJ" for suit in SUITS)


@dataclass
class WhistHand(Hand):
    """Adds the points for honours.

    `scoring` is set if all tricks count, `game` is the number of the game in a rubber.
    """

    scoring: int = from_option()
    game: int = 0
    honours: list[int] = by_seat()


@dataclass
class Rubber:
    """What a rubber keeps: points in the game under way, and games won, by seat."""

    n: int
    points: list[int] = by_seat()
    games: list[int] = by_seat()

    def __post_init__(self) -> None:
        self.points, self.games = [0] * self.n, [0] * self.n


def trick_points(hand: WhistHand, seat: int) -> int:
    """The tricks of both partners, those beyond six or all of them."""
    tricks = hand.taken[seat] + hand.taken[(seat + 2) % 4]
    return tricks if hand.scoring else max(0, tricks - 6)


def points(hand: WhistHand, seat: int) -> int:
    """Tricks and honours."""
    return trick_points(hand, seat) + hand.honours[seat]


def span(n: int, options: dict[str, Any]) -> tuple[int, int]:
    """All tricks, or those beyond six, and four honours."""
    return 0, (13 if options["scoring"] == "all" else 7) + (4 if options["honours"] else 0)


def score(match: Match[WhistHand], hand: WhistHand) -> list[int]:
    """Honours, unless they come too late or the cards are not known."""
    known = not hand.hidden or hand.claimed is None
    if match.options["honours"] and known and hand.order != NO_TRUMP:
        standing = match.account.points if match.options["rubber"] else match.totals
        target = match.options["target"] if match.options["hands"] is None else 10**15
        ended = any(standing[seat] + trick_points(hand, seat) >= target for seat in (0, 1))
        dealt = cards_at_start(hand)
        for seat in range(4):
            count = (TRUMPS[hand.order] & HONOUR_CARDS & (dealt[seat] | dealt[(seat + 2) % 4])).bit_count()
            if count >= 3:
                late = ended or standing[seat] == target - 1
                hand.honours[seat] = 0 if late else 2 * (count - 2)
                match.cite(
                    "score.honours-late" if late else "score.honours",
                    Sentence("{who} and partner: {count} honours", who=match.who(seat), count=count),
                )
    return [points(hand, seat) for seat in range(4)]


def bank(match: Match[WhistHand]) -> None:
    """In a rubber, a side that reaches the target wins a game, and both sides start again from nothing."""
    account = match.account
    if not match.options["rubber"]:
        return
    account.points = [a + b for a, b in zip(account.points, match.hand.scores or (), strict=True)]
    best = max(account.points)
    if best >= match.options["target"] and account.points[0] != account.points[1]:
        account.games = [won + (points == best) for won, points in zip(account.games, account.points, strict=True)]
        account.points = [0] * 4


def over(match: Match[WhistHand]) -> str | None:
    """After the agreed hands, two games of a rubber, or at the target."""
    options = match.options
    if options["hands"] is not None:
        return "match.hands" if len(match.hands) >= options["hands"] else None
    if options["rubber"]:
        return "match.rubber" if max(match.account.games) == 2 else None
    return "match.target" if max(match.totals) >= options["target"] else None


def winners(match: Match[WhistHand]) -> list[int]:
    """The side with two games, or with the most points."""
    return [s for s in range(4) if match.account.games[s] == 2] if match.options["rubber"] else best_total(match)


def scored_by(match: Match[Any], hand: WhistHand) -> tuple[str, ...]:
    """Tricks beyond six, or all."""
    return ("score.all" if hand.scoring else "score.odd",)


def honours(match: Match[Any], hand: WhistHand) -> list[int] | None:
    """The points for honours, if the hand was scored by its cards."""
    return None if hand.scores is None or hand.agreed else hand.honours
