"""MatchScoring, a part of a game: the points of a hand, the totals of a match, its end and its winners."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from cardledger.rules.engine.state import H

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match


def best_total(match: Match[Any]) -> list[int]:
    """The best total wins, ties share; partners win together."""
    totals = match.totals
    best = min(totals) if match.game.scoring.fewest else max(totals)
    return [seat for seat, total in enumerate(totals) if total == best]


@dataclass(frozen=True, kw_only=True, eq=False)
class MatchScoring(Generic[H]):
    """How hands are scored, and how a match ends.

    The points of a hand come from one of three functions: `points` (the usual one), `scores`, or `score`.
    """

    fewest: bool
    """The fewest points win. Every game says so, because results read the wrong way round would not be noticed."""
    rules: tuple[str, ...] | Callable[[Match[H], H], tuple[str, ...]]
    """The rules of scoring, by id; or a function that returns those that gave a hand its points."""
    over: Callable[[Match[H]], str | None]
    """Is called after every hand, and returns the rule that ends the match; None if it goes on."""
    points: Callable[[H, int], int] | None = None
    """The points of a seat, from the hand alone; in the rule subset, so that luck and reviews are fast."""
    scores: Callable[[H], list[int]] | None = None
    """The points of all seats, in place of `points`, where they depend on each other; in the rule subset."""
    score: Callable[[Match[H], H], list[int]] | None = None
    """The points of all seats where more than the hand counts, such as totals; it goes before the other two."""
    needs_match: Callable[[dict[str, Any]], bool] | None = None
    """Tells by the options whether `score` is needed; where it is not, the other functions do. By default it always
    is."""
    note: Callable[[Match[H], H], None] | None = None
    """Is called once a hand has its points: writes down or cites what else follows, such as bags carried on."""
    bank: Callable[[Match[H]], None] | None = None
    """Changes `match.totals` after a hand has been added, such as a total that never falls below 0."""
    account: Callable[[int], Any] | None = None
    """Makes the record that a match of `n` seats keeps from hand to hand beside totals, such as games won."""
    winners: Callable[[Match[Any]], list[int]] = best_total
    """The seats that win a match that is over; by default those with the best total."""
    unfinished: Callable[[Match[H]], None] | None = None
    """Changes the totals of a match that ends early."""
    span: Callable[[int, dict[str, Any]], tuple[int, int]] | None = None
    """The least and the most points that the rules allow a player in one hand, by number of players and options; no
    interval of statistics reaches further. The promises of a game ask for it (`cardledger.testing`)."""
    opposed: bool = False
    """The points of one side are the loss of the other, as in bridge: only one of them is shown."""

    def __post_init__(self) -> None:
        if self.points is None and self.scores is None and (self.score is None or self.needs_match is not None):
            raise TypeError("nothing scores a hand: give points(hand, seat), scores(hand) or score(match, hand)")

    def of_hand(self, match: Match[H], hand: H) -> list[int]:
        """Return the points of a hand that is played out, by seat."""
        if self.by_match(match.options):
            assert self.score is not None
            return self.score(match, hand)
        if self.scores is not None:
            return self.scores(hand)
        assert self.points is not None
        return [self.points(hand, seat) for seat in range(match.n)]

    def by_match(self, options: dict[str, Any]) -> bool:
        """Tell whether the points of a hand depend on more than the hand in a match with these options."""
        return self.score is not None and (self.needs_match is None or self.needs_match(options))

    def rules_for(self, match: Match[H], hand: H) -> tuple[str, ...]:
        """Return the rules that gave a complete hand its points; none if the points come from a score sheet."""
        return self.rules if isinstance(self.rules, tuple) else self.rules(match, hand)
