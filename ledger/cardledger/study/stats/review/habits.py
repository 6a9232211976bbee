"""Habits: what a player's decisions cost by situation, and the costliest of them with examples to replay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import json

from cardledger.errors import StoreError
from cardledger.rules.engine.situations import OF_HAND
from cardledger.sentence import Sentence, choosing
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.luck.luck import interval
from cardledger.study.stats.review.accuracy import accuracy, careful_mistakes
from cardledger.study.stats.review.named_habits import kind_of, named_habits
from cardledger.study.stats.review.situations import SITUATIONS, TITLES, Values, situations_of

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.review.named_habits import Kind, NamedHabit
    from cardledger.study.stats.review.review import Decision
    from cardledger.study.stats.review.reviews import Reviewed
    from cardledger.study.stats.review.situations import DecisionSituation

COSTLIEST = 5
"""How many habits are named, and how many examples each has."""
_SEATS = 16
_PLACES = {"1": "first", "2": "second", "3": "third"}


def in_words(habit: Mapping[str, Any]) -> str:
    """Return a habit in words: `follow suit, third to the trick`."""
    choice, place = habit["choice"], habit["place"]
    if place in (None, "1"):
        return str(choice)
    return f"{choice}, {_PLACES.get(place, place + 'th')} to the trick"


class Decided(NamedTuple):
    """A decision with the hand it belongs to, the number of seats there, and what was the case."""

    match: str
    hand: int
    seats: int
    values: Values
    decision: Decision


@dataclass
class _Cell:
    """Decisions of a player in one situation."""

    clusters: defaultdict[str | int, list[float]] = field(default_factory=lambda: defaultdict(lambda: [0.0, 0]))
    bad: int = 0
    all: list[Decided] = field(default_factory=list)

    def add(self, one: Decided, cluster: str | int | None = None) -> None:
        sums = self.clusters[one.match if cluster is None else cluster]
        sums[0] += one.decision.cost
        sums[1] += 1
        self.bad += one.decision.bad
        self.all.append(one)

    def examples(self) -> list[dict[str, Any]]:
        """Return the costliest decisions, to replay."""
        costliest = sorted(self.all, key=lambda one: (-one.decision.cost, one.match, one.decision.seq))[:COSTLIEST]
        return [
            {
                "match": one.match, "hand": one.hand, "seq": one.decision.seq, "made": one.decision.made,
                "best": one.decision.best, "cost": one.decision.cost,
            }
            for one in costliest
            if one.decision.cost > 0
        ]  # fmt: skip

    def row(self, hands: int) -> dict[str, Any]:
        """Return cost by decision with its 95% interval, and by hand; `hands` is the number of the player's hands."""
        sums = [cost for cost, _ in self.clusters.values()]
        cost, low, high = interval(sums, [int(count) for _, count in self.clusters.values()])
        return {
            "decisions": len(self.all), "bad": self.bad, "cost": cost, "low": low, "high": high,
            "a_hand": sum(sums) / hands,
        }  # fmt: skip


def decided(
    ledger: Ledger, reviewed: Iterable[Reviewed], asked: Sequence[DecisionSituation] = SITUATIONS
) -> dict[tuple[str, int], list[Decided]]:
    """Return the reviewed decisions with their situations, by match and seat; each match is folded once."""
    by_match: dict[str, dict[int, Reviewed]] = defaultdict(dict)
    for one in reviewed:
        if one.decisions is not None:
            by_match[one.hand.match][one.hand.hand] = one
    rows: dict[tuple[str, int], list[Decided]] = defaultdict(list)
    for match, hands in by_match.items():
        for played in hands_of(ledger.stream(match)):
            review = hands.get(played.hand.number)
            if review is None or played.dealt is None or played.dealt != review.hand.dealt:
                continue  # corrected since: it will be reviewed again
            values = dict(situations_of(played.dealt, review.hand.dealer, played.events, asked))
            of_hand = _of_hand(ledger, match, played.hand.number)
            for decision in review.decisions or ():
                known = values.get(decision.seq, {}) | of_hand[decision.seat]
                rows[match, decision.seat].append(
                    Decided(match, played.hand.number, review.hand.seats, known, decision)
                )
    return rows


def _of_hand(ledger: Ledger, match: str, hand: int) -> list[Values]:
    """Return the situations of a hand by seat."""
    question = "SELECT counts, seats FROM counts JOIN matches USING (match) WHERE match = ? AND hand = ?"
    row = ledger.views.reader.execute(question, (match, hand)).fetchone()
    counts, seats = (json.decode(row[0]), row[1]) if row else ({}, 0)
    by_seat: list[Values] = [{} for _ in range(max(seats, _SEATS))]
    for id, situation in OF_HAND.items():
        for seat, code in enumerate(counts.get(id, ())):
            value = situation.word(code)
            if value is not None:
                by_seat[seat][id] = str(value)
    return by_seat


def by_player(
    decisions: Mapping[tuple[str, int], list[Decided]], players: Mapping[tuple[str, int], str], game: str
) -> dict[str, dict[str, Any]]:
    """Return the costs of each player by situation, and the costliest habits.

    A habit is a kind of decision at a place in the trick. The habits named are the ones that gave up most points a
    hand, of those that cost the player more than the others at the same tables, beyond chance (`named_habits`).
    """
    named = named_habits(decisions, players)
    return {
        player: _account(rows, game, named.get(player, ()))
        for player, rows in sorted(by_person(decisions, players).items())
    }


def by_person(
    decisions: Mapping[tuple[str, int], list[Decided]], players: Mapping[tuple[str, int], str]
) -> dict[str, list[Decided]]:
    """Return the decisions of each player."""
    rows_of: dict[str, list[Decided]] = defaultdict(list)
    for key, rows in decisions.items():
        rows_of[players[key]] += rows
    return rows_of


def split(
    rows: Iterable[Decided],
    by: Sequence[str],
    where: Iterable[tuple[str, str]],
    evening: Mapping[str, int] = MappingProxyType({}),
) -> list[dict[str, Any]]:
    """Return the cost of the decisions in some situations, split by others: one row for each value, or pair of values.

    A match is one observation, or with `evening`, the numbers of the evenings of matches, an evening is.
    Raises StoreError `store.unknown` for an unknown situation.
    """
    wanted = dict(where)
    for id in (*by, *wanted):
        if id not in TITLES:
            raise StoreError("store.unknown", choosing(Sentence("there is no situation {id!r}", id=id), id, TITLES))
    rows = [*rows]
    hands = len({(one.match, one.hand) for one in rows})
    cells: dict[tuple[str, ...], _Cell] = defaultdict(_Cell)
    for one in rows:
        if wanted.items() <= one.values.items() and all(id in one.values for id in by):
            cells[tuple(one.values[id] for id in by)].add(one, evening.get(one.match))
    return [
        {"values": [*values]} | cell.row(hands) | {"examples": cell.examples()}
        for values, cell in sorted(cells.items(), key=lambda item: [_ordered(value) for value in item[0]])
    ]


def _ordered(value: str) -> tuple[int, str]:
    """Return a key that puts numbers in their order."""
    return (int(value), "") if value.isdigit() else (0, value)


def _account(rows: list[Decided], game: str, named: Sequence[NamedHabit]) -> dict[str, Any]:
    hands = len({(one.match, one.hand) for one in rows})
    cells: dict[str, dict[str, _Cell]] = {id: defaultdict(_Cell) for id in TITLES}
    habits: dict[Kind, _Cell] = defaultdict(_Cell)
    for one in rows:
        for kind, value in one.values.items():
            cells[kind][value].add(one)
        if one.values:
            habits[kind_of(one)].add(one)
    return {
        "hands": hands,
        "careful_mistakes": careful_mistakes(game),
        "accuracy": accuracy(game, [(one.match, one.seats, one.decision.cost) for one in rows]),
        "situations": [
            {
                "id": id,
                "title": title,
                "rows": [
                    {"value": value} | cell.row(hands)
                    for value, cell in sorted(cells[id].items(), key=lambda item: _ordered(item[0]))
                ],
            }
            for id, title in TITLES.items()
            if cells[id]
        ],
        "habits": _dearest(habits, named, hands),
    }


def _dearest(cells: Mapping[Kind, _Cell], named: Sequence[NamedHabit], hands: int) -> list[dict[str, Any]]:
    """Return the habits that cost most a hand beyond what they cost the others."""
    rows = []
    for (choice, place), others, q in named:
        cell = cells[choice, place]
        row = {"choice": choice, "place": place, "q": q} | cell.row(hands) | {"others": others}
        rows.append(row | {"examples": cell.examples()})
    return sorted(rows, key=lambda row: -(row["cost"] - row["others"]) * row["decisions"])[:COSTLIEST]
