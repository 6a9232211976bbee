"""Estimators: how figures follow from counted hands, each with its editions and their history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardledger.rules.engine.definition import Definition, Edition, History, first
from cardledger.rules.engine.measures import LUCK, OPEN_CARDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardledger.rules.engine.measures import Measure


@dataclass(frozen=True, slots=True)
class Estimator(Definition):
    """A way to estimate figures from hands, in words; `uses` are the estimators whose figures it takes over."""

    id: str
    title: str
    formula: str
    history: History
    uses: tuple[Estimator, ...] = ()

    @property
    def whole(self) -> tuple[Definition, ...]:
        """The estimator, and those that its figures rest on, each once."""
        return (*dict.fromkeys((self, *(below for one in self.uses for below in one.whole))),)


INTERVALS = Estimator(
    "intervals",
    "Intervals of measures",
    "95% interval of a measure by its kind; the matches of an evening are one observation",
    (
        Edition("2026-11-27", "the interval of a rate ends at 0% and at 100%"),
        Edition(
            "2026-11-27", "intervals of means lean on the field after few evenings and stay within what rules allow"
        ),
        Edition("2026-11-26", "an evening is one observation, no longer a match"),
        *first("2026-11-21"),
    ),
)
WORTH = Estimator(
    "cautious",
    "Luck of the deal",
    "mean points over replays of the deal by careful bots, less the average over random deals",
    (
        Edition("2026-11-23", "a deal is replayed more often where that is cheap"),
        Edition("2026-11-23", "chance is drawn as compiled rules draw it"),
        *first("2026-11-21"),
    ),
)
REVIEW = Estimator(
    "review",
    "Cost of a decision",
    "points that the best alternative makes more than the actual choice, over possible worlds of the unseen cards",
    (
        Edition("2026-11-27", "worlds are drawn exactly evenly, and cards passed or laid away are unseen"),
        Edition("2026-11-23", "of many options, the promising ones are found in a few worlds first"),
        Edition("2026-11-23", "chance is drawn as compiled rules draw it"),
        *first("2026-11-21"),
    ),
)
RATINGS = Estimator(
    "ratings",
    "Ratings",
    "Weng and Lin's Plackett-Luce over complete matches; rating = μ − 3σ",
    (
        Edition("2026-11-27", "chances kept with a match know nothing of its day or of later ones"),
        Edition(
            "2026-11-26", "the matches of a day are rated together, and how much chance decides is fitted to each game"
        ),
        *first("2026-11-21"),
    ),
)
ADJUSTED = Estimator(
    "adjusted",
    "Adjusted and believed points",
    "least squares over all matches, with strengths of all at the table; believed points are shrunk towards the pool",
    (
        Edition(
            "2026-11-26", "evenings are observations, guests have a mean of their own, partners who never part are one"
        ),
        Edition("2026-11-25", "partners are found hand by hand where a game says so"),
        *first("2026-11-21"),
    ),
    (WORTH,),
)
COMPARISON = Estimator(
    "comparison",
    "Comparison of players",
    "adjusted and believed points, places and verdicts of a pool beside measures and ratings",
    (
        Edition("2026-11-26", "a verdict needs four evenings; hands are named that would tell"),
        *first("2026-11-21"),
    ),
    (ADJUSTED, INTERVALS, RATINGS),
)
PARTNERSHIPS = Estimator(
    "partnerships",
    "Partnerships",
    "adjusted and believed points of pairs as they played",
    first("2026-11-26"),
    (ADJUSTED,),
)
CHANGE = Estimator(
    "change",
    "Change of strength",
    "results evening by evening, corrected for the others' strengths; breaks against shuffled evenings",
    (
        Edition("2026-11-26", "corrected for all players and games looked at; an evening is one observation"),
        *first("2026-11-21"),
    ),
    (ADJUSTED,),
)
COMPANY = Estimator(
    "company",
    "With partners and against opponents",
    "what a side makes with somebody beyond the strengths of all at the table",
    (
        Edition("2026-11-26", "an evening is one observation"),
        *first("2026-11-23"),
    ),
    (ADJUSTED,),
)
PAIRS = Estimator(
    "pairs",
    "Pairs that stand out",
    "pairs beyond what 500 leagues with the same matches have by chance",
    (
        Edition("2026-11-26", "an evening is one observation"),
        *first("2026-11-23"),
    ),
    (ADJUSTED,),
)
FIELD = Estimator(
    "field",
    "All players together",
    "measures over all players; an evening is one observation",
    first("2026-11-26"),
    (INTERVALS,),
)
CARDS = Estimator(
    "cards",
    "Worth of a card",
    "points of hands it came to, less what the place expects; pooled by rank and suit",
    (
        Edition(
            "2026-11-27",
            "only hands under the same options are compared; a card that all must lead at that moment has no figure",
        ),
        *first("2026-11-26"),
    ),
)
DECISIONS = Estimator(
    "decisions", "Cost by kind of decision", "mean cost of reviewed decisions of a kind", first("2026-11-26"), (REVIEW,)
)
BAD_HANDS = Estimator(
    "after-bad-hand",
    "After a bad hand",
    "the hand after a bad one, less the player's other hands of the match",
    (
        Edition("2026-11-26", "where the fewest points win, a bad hand has many"),
        *first("2026-11-26"),
    ),
    (REVIEW, WORTH),
)
PARTNER_CALLS = Estimator(
    "partner-calls",
    "Worth of a partner's call",
    "points of hands by the partner's call, less what such hands expect",
    first("2026-11-27"),
)
DEALER = Estimator(
    "dealer",
    "Favour of the dealer",
    "the dealer's points less the mean of the others in the same hand",
    first("2026-11-27"),
)
FORECASTS = Estimator(
    "forecasts",
    "Forecasts",
    "chances by ratings before the day of a match, beside what came true",
    first("2026-11-27"),
    (RATINGS,),
)
HEAD_TO_HEAD = Estimator(
    "head-to-head",
    "Head to head",
    "points a hand of one player less the other's; the chance to be ahead in their next match, by ratings",
    (
        Edition("2026-11-27", "says the chance that one is ahead of the other"),
        *first("2026-11-23"),
    ),
    (FORECASTS,),
)
DIFFERENCES = Estimator(
    "differences",
    "Better, worse, more or fewer",
    "seats are exchanged inside a match; p-values of all figures of a page are corrected together",
    (
        Edition("2026-11-26", "p-values allow for evenings whose matches go together"),
        *first("2026-11-23"),
    ),
)
ACCURACY = Estimator(
    "accuracy",
    "Accuracy",
    "cost of decisions on a scale from any legal choice (0) to the careful bot of the reviews (100)",
    (
        Edition("2026-11-27", "the ends of the scale are measured again, with review-4"),
        *first("2026-11-23"),
    ),
    (REVIEW,),
)
HABITS = Estimator(
    "habits",
    "Habits",
    "kinds of decisions that cost a player more than the others at the same tables, beyond chance",
    (
        Edition("2026-11-26", "a habit is compared with the others, no longer with nothing"),
        *first("2026-11-23"),
    ),
    (REVIEW,),
)
PUZZLES = Estimator(
    "puzzle",
    "Puzzles",
    "decisions in which each other choice costs at least three standard errors against the best",
    first("2026-11-28"),
    (REVIEW,),
)
PROGRESS = Estimator(
    "progress",
    "Answers",
    "share of a player's answers that were best, and what they cost on average, in the worlds by which puzzles are found",
    first("2026-11-28"),
    (PUZZLES,),
)
OPEN_DEALS = Estimator(
    "dds", "All cards open", "tricks with all cards open, by Bo Haglund's double-dummy solver", first("2026-11-23")
)
ESTIMATORS = tuple(one for one in tuple(vars().values()) if isinstance(one, Estimator))
"""Every estimator of this module, in its order."""


def estimators_of(measures: Iterable[Measure]) -> tuple[Estimator, ...]:
    """Return the estimators behind the values and intervals of some measures."""
    counts = {count for one in measures for count in (one.amount, one.of)}
    return (INTERVALS, *((WORTH,) if counts & LUCK else ()), *((OPEN_DEALS,) if counts & OPEN_CARDS else ()))
