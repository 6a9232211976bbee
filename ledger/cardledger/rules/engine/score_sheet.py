"""Checks of score sheets: are the points possible in the game? They only warn; there is no ruling."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.at_any_time import VOID
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.hand_line import LineRules
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.state import Hand

DOUBTFUL: Final = "score.sum"
"""The code of the warning about impossible points; the sheet is stored all the same, because it is the record."""


class ScoreSheet(NamedTuple):
    """The points of a hand by seat from a score sheet, and the other known facts of the hand.

    `bids` are None if not made, `taken` counts the tricks that were recorded before the sheet, `each` are the cards
    that were dealt to a seat.
    """

    scores: Sequence[int]
    options: Mapping[str, Any]
    bids: Sequence[int | None]
    taken: Sequence[int]
    each: int = 0

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.scores)


SheetCheck = Callable[[ScoreSheet], Sentence | None]
"""Says why the points of a sheet are impossible, None if they are possible."""


@dataclass(frozen=True, kw_only=True, eq=False)
class SheetRules:
    """What is known of a hand of which only the results are written down; nothing by default."""

    check: SheetCheck | None = None
    """Says why the points of a score sheet are impossible. It only warns: the sheet is stored all the same."""
    tricks_decide: Callable[[dict[str, Any]], bool] | None = None
    """Tells by the options whether bids and tricks alone decide the points: then forms ask for tricks, not for
    points."""
    sums: Callable[[dict[str, Any], int], Collection[int]] | None = None
    """What the points of all sides in a hand can add up to, by options and number of players, if these are few numbers.
    Totals of several hands are checked with it."""
    all_to_one: Callable[[dict[str, Any]], tuple[int, int] | None] | None = None
    """The points of a player who takes everything that counts, and of each of the others; None if the options leave
    it open. Forms then offer it as one tap on a name."""
    line: LineRules | None = None
    """How players write a hand on one line, if they do: a contract, who plays it, and the tricks."""


class Doubt(NamedTuple):
    """A hand with impossible points: its number, the number of the event that gave them, and the reason."""

    hand: int
    seq: int
    why: Sentence

    @property
    def code(self) -> str:
        """The code of the warning."""
        return DOUBTFUL

    @property
    def message(self) -> Sentence:
        """A sentence for people."""
        return Sentence(
            "hand {hand}: {why}; they count as written, amend them if the sheet says otherwise",
            hand=self.hand,
            why=self.why,
        )


def a_point_a_trick(tricks: Callable[[int], int]) -> SheetCheck:
    """Return the check for games in which each trick is a point and a hand of `n` players has `tricks(n)` tricks."""

    def check(sheet: ScoreSheet) -> Sentence | None:
        total = tricks(sheet.players)
        if min(sheet.scores) < 0:
            return Sentence("nobody scores below 0")
        if sum(sheet.scores) != total:
            return Sentence.counted(
                "a hand has {num} trick, so its points add up to {num}, not to {sum}",
                "a hand has {num} tricks, so its points add up to {num}, not to {sum}",
                total,
                sum=sum(sheet.scores),
            )
        if any(points < taken for points, taken in zip(sheet.scores, sheet.taken, strict=True)):
            return Sentence("a player has fewer points than tricks recorded in the hand")
        return None

    return check


def doubt(table: Match[Any], hand: Hand) -> Sentence | None:
    """Say why the points of a hand are impossible; None if they are possible, computed, or not checked by the game."""
    check = table.game.sheet.check
    if check is None or not hand.agreed or hand.scores is None:
        return None
    bids = [None if bid < 0 else bid for bid in getattr(hand, "bids", [-1] * table.n)]
    why: Sentence | None = check(ScoreSheet(hand.scores, table.options, bids, hand.taken, hand.each))
    return why


def doubts(table: Match[Any]) -> Iterator[Doubt]:
    """Yield the hands of a match with impossible points; none for a void match."""
    for hand in () if table.status == VOID else table.hands:
        if hand.last is not None and (why := doubt(table, hand)) is not None:
            yield Doubt(hand.number, hand.last, why)


def doubts_about(table: Match[Any], events: Iterable[tuple[int, ev.Event]]) -> Iterator[Doubt]:
    """Yield the hands with impossible points among those of some numbered events."""
    numbers = sorted(event.about if isinstance(event, ev.Amend) else seq for seq, event in events)
    for doubtful in doubts(table):
        place = bisect_left(numbers, table.hands[doubtful.hand - 1].first)
        if place < len(numbers) and numbers[place] <= doubtful.seq:
            yield doubtful
