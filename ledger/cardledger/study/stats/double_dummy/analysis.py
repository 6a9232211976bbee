"""The double-dummy analysis of hands: computed once, kept in the luck store, and read from there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.count_of import count_of
from cardledger.record.store.streams import is_match
from cardledger.rules.engine.measures import OPEN_CARDS
from cardledger.study.stats.double_dummy import solver
from cardledger.study.stats.double_dummy.open_deal import OpenDeal, open_deals
from cardledger.study.stats.double_dummy.par import Par, par, words

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.double_dummy.solver import Tricks
    from cardledger.study.stats.luck.luck_store import LuckStore

_BATCH = 200
"""Events after which the place reached is kept: the work may be stopped at any time."""
STRAINS = ("C", "D", "H", "S", "NT")


@dataclass(frozen=True, slots=True)
class CardCost:
    """A card played, event `seq`: the tricks of the declarer's side with best play before it and after it.

    `cost` are the tricks that it gave up for its own side; `player` is the seat that chose it, the declarer for dummy.
    """

    seq: int
    seat: int
    player: int
    card: str
    before: int
    after: int
    cost: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """A hand with all cards open: tricks by strain and declarer, par, and what each card gave up.

    `expected` are the tricks of the declarer's side with best play, None without a contract.
    """

    deal: OpenDeal
    table: Tricks
    par: Par
    cards: tuple[CardCost, ...]

    @property
    def expected(self) -> int | None:
        """The tricks that the declarer takes if nobody errs."""
        contract = self.deal.contract
        return None if contract is None else self.table[contract.strain][self.deal.declarer]

    @property
    def beyond(self) -> int | None:
        """The tricks taken beyond the expected ones; None if they are not known."""
        return None if self.expected is None or self.deal.tricks is None else self.deal.tricks - self.expected

    def json(self) -> dict[str, Any]:
        """Return the analysis ready for JSON."""
        deal, contract = self.deal, self.deal.contract
        return {
            "hand": deal.hand,
            "first_seq": deal.first_seq,
            "table": {strain: list(row) for strain, row in zip(STRAINS, self.table, strict=True)},
            "par": {
                "score": self.par.score,
                "contracts": [
                    {"contract": one.contract, "declarers": list(one.declarers), "tricks": one.tricks}
                    for one in self.par.contracts
                ],
            },
            "contract": None if contract is None else str(contract),
            "declarer": None if contract is None else deal.declarer,
            "expected": self.expected,
            "tricks": deal.tricks,
            "cards": [
                {
                    "seq": one.seq, "seat": one.seat, "card": one.card, "before": one.before, "after": one.after,
                    "cost": one.cost,
                }
                for one in self.cards
            ],
        }  # fmt: skip


def stored(deal: OpenDeal, store: LuckStore) -> Analysis | None:
    """Return the analysis of a hand if it has been computed."""
    table = store.solved(deal.deal_key)
    course = store.solved(deal.play_key) if deal.plays else []
    return None if table is None or course is None else _analysis(deal, tuple(map(tuple, table)), course)


def compute(deal: OpenDeal, store: LuckStore) -> Analysis:
    """Return the analysis of a hand, computing its missing parts; needs the extra."""
    if (found := stored(deal, store)) is not None:
        return found
    table = store.solved(deal.deal_key)
    if table is None:
        table = [*solver.table_of(deal.hands)]
        store.keep_solved(deal.deal_key, table)
    course: list[int] = []
    if deal.plays and deal.contract is not None:
        cards = [play.card for play in deal.plays]
        course = [*solver.course(deal.hands, deal.contract.strain, deal.declarer, cards)]
        store.keep_solved(deal.play_key, course)
    return _analysis(deal, tuple(map(tuple, table)), course)


def _analysis(deal: OpenDeal, table: Tricks, course: Any) -> Analysis:
    cards = []
    for play, before, after in zip(deal.plays, course, course[1:], strict=False):
        defends = (play.seat - deal.declarer) % 2
        player = play.seat if defends else deal.declarer
        cost = after - before if defends else before - after
        cards.append(CardCost(play.seq, play.seat, player, play.card, before, after, cost))
    return Analysis(deal, table, par(table, deal.vulnerable, deal.dealer), tuple(cards))


def solve_news(ledger: Ledger, store: LuckStore) -> int:
    """Compute the analysis of all hands recorded since the last time; return the number of hands. Needs the extra."""
    number = 0
    while news := ledger.store.news(store.solved_to, _BATCH):
        for match in dict.fromkeys(match for _, match in news if is_match(match)):
            number += len([*solve(ledger, store, match)])
        store.solved_to = news[-1][0]
    return number


def solve(ledger: Ledger, store: LuckStore, match: str) -> Iterator[Analysis]:
    """Yield the analysis of each hand of a match whose cards are known, and keep its counts for statistics.

    Needs the extra.
    """
    stream = ledger.stream(match)
    found = []
    for deal in open_deals(stream):
        found.append(compute(deal, store))
        yield found[-1]
    store.keep_counts(match, stream.seq, [(one.deal.hand, counts_of(one)) for one in found])


SLAM = 12
"""The tricks of a slam."""


def counts_of(analysis: Analysis) -> dict[str, list[int]]:
    """Return the counts of a hand for statistics; those that are 0 for everybody are left out."""
    deal, beyond = analysis.deal, analysis.beyond
    counts = {name: [0, 0, 0, 0] for name in OPEN_CARDS}
    for seat in range(4):
        if max(max(row[seat], row[(seat + 2) % 4]) for row in analysis.table) >= SLAM:
            bid = deal.contract is not None and deal.contract.level >= 6 and (seat - deal.declarer) % 2 == 0
            counts["dd_slams"][seat], counts["dd_slams_bid"][seat] = 1, int(bid)
    if beyond is not None:
        for seat in range(4):
            if seat == deal.declarer:
                counts["dd_declared"][seat], counts["dd_beyond"][seat] = 1, beyond
            elif (seat - deal.declarer) % 2:
                counts["dd_defended"][seat], counts["dd_beyond_defence"][seat] = 1, -beyond
    for place, one in enumerate(analysis.cards):
        counts["dd_cards"][one.player] += 1
        counts["dd_cost"][one.player] += one.cost
        if place == 0:
            counts["dd_led"][one.player], counts["dd_lead"][one.player] = 1, one.cost
    return {name: numbers for name, numbers in counts.items() if any(numbers)}


def in_words(analysis: Analysis) -> Iterator[str]:
    """Yield an analysis as lines."""
    yield f"hand {analysis.deal.hand}:      " + "".join(f"{strain:>4}" for strain in STRAINS)
    for seat, name in enumerate("NESW"):
        yield f"  {name}           " + "".join(f"{row[seat]:>4}" for row in analysis.table)
    contracts = ", ".join(map(words, analysis.par.contracts)) or "passed out"
    yield f"  par {analysis.par.score:+d} for NS: {contracts}"
    if analysis.deal.contract is not None:
        made = "" if analysis.deal.tricks is None else f", {analysis.deal.tricks} taken"
        yield (
            f"  {analysis.deal.contract} by {'NESW'[analysis.deal.declarer]}: "
            f"{count_of(analysis.expected or 0, 'trick')} with best play{made}"
        )
    for one in analysis.cards:
        if one.cost:
            yield (
                f"  {one.seq:>5} {'NESW'[one.seat]} {one.card}: "
                f"{one.cost} given up ({one.before} to {one.after} for declarer)"
            )
