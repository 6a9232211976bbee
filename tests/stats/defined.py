"""Figures of a small club that never changes, by the editions of their definitions; writes what tests compare with.

    python -m tests.stats.defined

It writes `defined.json`, unless figures have changed under the same editions: then an edition is missing.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import date, timedelta
from hashlib import sha256
from itertools import count
from math import floor, log10
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

import msgspec

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.dealer import dealers_favour
from cardledger.study.stats.estimators import (
    ACCURACY,
    DIFFERENCES,
    HABITS,
    INTERVALS,
    OPEN_DEALS,
    PROGRESS,
    PUZZLES,
    REVIEW,
    WORTH,
    Estimator,
    estimators_of,
)
from cardledger.study.stats.forecasts import forecasts
from cardledger.study.stats.head_to_head import head_to_head
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.measures.differences import verdicts
from cardledger.study.stats.measures.field import field_means
from cardledger.study.stats.measures.of_game import measures_of
from cardledger.study.stats.partner_calls import partner_calls
from cardledger.study.stats.review.answers import record_answer
from cardledger.study.stats.review.progress import progress
from cardledger.study.stats.review.puzzles import find_puzzles
from cardledger.study.stats.review.quiz import Quiz
from cardledger.study.stats.review.reviews import compute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardledger.rules.engine.definition import Definition
    from cardledger.study.stats import StatsTable

GOLDEN = Path(__file__).with_name("defined.json")
WRITE = "python -m tests.stats.defined"
PLAYERS = ("ana", "ben", "chloe", "dev", "eva", "finn", "gita", "hugo")
MAIN = "euchre"
"""A game with partners and calls whose hands are short, so that luck and reviews take little time."""
PAIRED = "diversity"
"""A game in which two players do better whenever they meet."""
WORDS = frozenset({"edition", "note"})
"""Columns with words for readers: they may be said better at any time."""
_EVENINGS = 18
_REVIEWED = 16
_DIGITS = 4
"""So many digits of a figure are compared: other machines add up in another order."""


class Figures(NamedTuple):
    """Some figures: the editions behind them, and a digest."""

    editions: list[str]
    digest: str


def fill(ledger: Ledger) -> None:
    """Record a club: many evenings of one game, and one match of all others."""
    salts, nobody = count(), Random(20260101)
    ledger.store.names.salt = lambda size: next(salts).to_bytes(size, "big")  # no order depends on a pseudonym
    for evening in range(_EVENINGS):
        day = date(2026, 1, 1) + timedelta(days=7 * evening)
        for table in range(2):
            seated = nobody.sample(PLAYERS, 4)
            _play(ledger, MAIN, seated, 100 * evening + table, day, 9)
    _pair_up(ledger, nobody)
    for id in games().keys() - {MAIN}:
        for number in range(3):
            n = max(one for one in games()[id].players if one <= 4)
            _play(ledger, id, [PLAYERS[(number + seat) % n] for seat in range(n)], number, date(2026, 1, 1 + number), 2)


def _pair_up(ledger: Ledger, chance: Random) -> None:
    """Record score sheets of a game in which the first two players do better whenever they meet."""
    for number in range(120):
        seated = chance.sample(PLAYERS, 4)
        help = 9 if {*PLAYERS[:2]} <= {*seated} else 0
        scores = [[chance.randrange(12) + help * (one not in PLAYERS[:2]) for one in seated] for _ in range(2)]
        opened = ev.Open(game=PAIRED, players=tuple(seated), options={"hands": 2})
        hands = [
            event
            for dealer, one in enumerate(scores)
            for event in (ev.Deal(dealer=dealer, hands=None), ev.Score(scores=tuple(one)))
        ]
        _record(ledger, 1000 + number, date(2026, 1, 1) + timedelta(days=number), opened, hands)


def _play(ledger: Ledger, game: str, seated: list[str], seed: int, day: date, hands: int) -> None:
    options = {"target": 2} if game == MAIN else None
    opened, *events = simulate(game, len(seated), Random(seed), ["random"], options, players=seated, max_hands=hands)
    assert isinstance(opened, ev.Open)
    _record(ledger, seed, day, opened, events)


def _record(ledger: Ledger, seed: int, day: date, opened: ev.Open, events: list[ev.Event]) -> None:
    match = str(UUID(bytes=sha256(f"{opened.game} {seed}".encode()).digest()[:16]))
    ledger.record(match, [msgspec.structs.replace(opened, date=day.isoformat(), event="club"), *events], 0)


def figures(ledger: Ledger) -> dict[str, Figures]:
    """Return the figures of every table, and the values of every measure, by a name."""
    with LuckStore(ledger) as store:
        store.catch_up()
        hands = store.hands("game = ? AND why IS NULL", (MAIN,))
        for _ in compute(hands[:_REVIEWED], store):
            pass
    statistics = Statistics(ledger.views)
    statistics.sheets.patience = None
    found = {f"table {name}": _of_table(table) for name, table in _tables(ledger, statistics)}
    for estimator, said in _accounts(ledger, statistics):
        found[f"account {estimator.id}"] = _figures([estimator], said)
    for id in games():
        n = max(one for one in games()[id].players if one <= 4)
        rows = [row for one in PLAYERS[:n] for row in statistics.player(one, Query(), id).rows]
        for measure in measures_of(id):
            limits = [measure.par, measure.kind, measure.better, repr(measure.least), repr(measure.most)]
            values = [
                [row[name] for name in ("value", "cases", "matches", "others")]
                for row in rows
                if row["measure"] == measure.id
            ]
            found[f"measure {id} {measure.id}"] = _figures(
                [measure, *(one for one in estimators_of([measure]) if one is not INTERVALS)], [limits, values]
            )
    return found


def _tables(ledger: Ledger, statistics: Statistics) -> Iterator[tuple[str, StatsTable]]:
    """Yield every table of the main game with its name."""
    query, one, sheet = Query(), PLAYERS[0], statistics.sheets.sheet(MAIN)
    yield "players", statistics.players(MAIN, query)
    yield "players by a measure", statistics.players(MAIN, query, "points")
    yield "change", statistics.change(one, query, MAIN)
    yield "evenings", statistics.evenings(one, query, MAIN)
    yield "company", statistics.company(one, query, MAIN)
    yield "pairs", statistics.pairs(PAIRED, query)
    yield "partnerships", statistics.partnerships(MAIN, query)
    yield "ratings", statistics.ratings(MAIN)
    yield "cards", statistics.cards(MAIN, query)
    yield "field", field_means(sheet, query)
    yield "dealer", dealers_favour(statistics, MAIN)
    yield "forecasts", forecasts(statistics, MAIN)
    yield "partner-calls", partner_calls(ledger.views, sheet, query)
    yield "head-to-head", head_to_head(ledger, *PLAYERS[:2])
    for name, ask in (("decisions", accountant.decisions), ("after-bad-hand", accountant.after_bad_hand)):
        yield name, ask(ledger, MAIN, query, patience=None)


def _accounts(ledger: Ledger, statistics: Statistics) -> Iterator[tuple[Estimator, object]]:
    """Yield the figures that stand in no table, with their estimator."""
    luck = accountant.luck(ledger, MAIN, patience=None)
    habits = accountant.habits(ledger, MAIN, patience=None)
    assert luck is not None and habits is not None
    yield WORTH, [luck["players"], luck["reduction"]]
    yield REVIEW, luck["reviews"]
    yield PUZZLES, [*_puzzles(ledger)]
    yield HABITS, {player: one["habits"] for player, one in habits["players"].items()}
    yield ACCURACY, {player: one["accuracy"] for player, one in habits["players"].items()}
    sheet = statistics.sheets.sheet(MAIN)
    yield PROGRESS, _progress(ledger)
    yield DIFFERENCES, [sorted(map(str, verdicts(sheet, Query(), one).items())) for one in PLAYERS]


def _puzzles(ledger: Ledger) -> Iterator[list[Any]]:
    """Yield the puzzles of the reviewed hands, without the ids of their matches."""
    with LuckStore(ledger) as store:
        hands = store.hands("game = ? AND why IS NULL", (MAIN,))[:_REVIEWED]
        for hand in find_puzzles(hands, store):
            yield [
                row[:-1] for row in store.puzzles(hand.match, hand.hand, PUZZLES.edition) or []
            ]  # without other tables


def _progress(ledger: Ledger) -> dict[str, Any]:
    """Return the progress of somebody who always takes the first choice, without the ids of matches."""
    (match, *_) = (id for id in ledger.matches() if ledger.stream(id).table.game.id == MAIN)
    for asked in Quiz(ledger.stream(match), 1).questions(0)[:3]:
        record_answer(ledger, match, 1, asked.seq, asked.choices[0], "zoe", "defined", date(2026, 1, 31))
    return {name: value for name, value in progress(ledger, "zoe", at_once=True)["games"][0].items() if name != "game"}


def _of_table(table: StatsTable) -> Figures:
    assert table.rows, f"{table.name} is empty: nobody would notice a change"
    said: Any = [[row[name] for name in table.columns if name not in WORDS] for row in table.rows]
    if table.comparison is not None:
        said = [said, [asdict(one) for one in table.comparison.pools]]
    return Figures(list(table.editions), _digest(said))


def _figures(by: Iterable[Definition], said: object) -> Figures:
    return Figures([*dict.fromkeys(below.edition for one in by for below in one.whole)], _digest(said))


def _digest(said: object) -> str:
    return sha256(json.dumps(_rounded(said), sort_keys=True).encode()).hexdigest()[:16]


def _rounded(said: Any) -> Any:
    """Return figures with few digits; what is next to nothing is 0."""
    if isinstance(said, float):
        return 0.0 if abs(said) < 1e-9 else round(said, _DIGITS - 1 - floor(log10(abs(said))))
    if isinstance(said, dict):
        return {str(key): _rounded(value) for key, value in said.items()}
    return [_rounded(one) for one in said] if isinstance(said, list | tuple) else said


def unexplained(now: dict[str, Figures], before: dict[str, Figures]) -> dict[str, list[str]]:
    """Return the figures that changed under the same editions, with those editions."""
    return {
        name: one.editions
        for name, one in now.items()
        if name in before and one.digest != before[name].digest and one.editions == before[name].editions
    }


def golden() -> dict[str, Figures]:
    """Return the figures as they were written."""
    return {name: Figures(*one) for name, one in json.loads(GOLDEN.read_text("utf-8")).items()}


def advice(changed: dict[str, list[str]]) -> str:
    """Say what to do about figures that changed under the same editions."""
    named = "\n".join(f"  {name}: one of {', '.join(editions)}" for name, editions in changed.items())
    return (
        "These figures have changed, but no edition of their definitions. Put an Edition(day, what changed) in front of"
        f" the history of what you changed:\n{named}\nThen write them anew: {WRITE}"
    )


def main() -> str | None:
    """Write the figures of now, or say why not."""
    with TemporaryDirectory() as folder, Ledger(Path(folder) / "club.db") as ledger:
        fill(ledger)
        now = figures(ledger)
    if GOLDEN.exists() and (changed := unexplained(now, golden())):
        return advice(changed)
    GOLDEN.write_text(json.dumps(now, indent=0, ensure_ascii=False) + "\n", "utf-8")
    return None


UNTRIED = (OPEN_DEALS,)
"""Estimators that need an extra: the name of the solver is its edition."""

if __name__ == "__main__":
    sys.exit(main())
