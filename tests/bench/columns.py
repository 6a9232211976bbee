"""Archives judged as columns: plays a second from memory, and from the file to rulings, beside the fold of the same archive.

Run: python -m tests.bench.columns [GAME]...    (beside open_spiel's plays without a check, if that is installed)
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from cardledger.crew import Alone, Processes
from cardledger.rules.games import game, games
from cardledger.rules.kernel import kernels
from cardledger.rules.kernel.recorded import COMPLETE, NOT_JUDGED
from cardledger.study.analyse.columns import COLUMNS, HandColumns
from cardledger.study.analyse.judged import judged
from cardledger.study.analyse.sources import of_archives
from cardledger.study.analyse.what_if import MOST_PAGES, judge_share, what_if
from cardledger.study.archive import files
from cardledger.study.archive.files import Archive
from tests.bench.packed import PAGE, club, copies
from tests.bench.timing import TINY, loop_speed, row, scaled, seconds

GAMES = tuple(id for id in games() if id != "hecto-diversity")
VARIANTS = {"ruff": "ruff-2/2", "diversity": "diversity/1"}
"""Games of which a million hands are judged again under other rules."""
HANDS = scaled(1_000_000, 50)
ROUNDS = scaled(7, 1)
PAGES = scaled(8, 1)


def main() -> None:
    """Measure and print, as a table of the README; what is compared takes turns."""
    row("empty loop", loop_speed(), "turns/s")
    if not kernels.available():
        print("there is no numba: pip install 'cardledger[fast]'")
        return
    print("| game | from memory, million plays/s | archive to rulings | archive fold | ratio | open_spiel |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        chosen = sys.argv[1:] or (["ruff"] if TINY else GAMES)
        for id in chosen:
            kernels.warm(game(id), kernels.Judge)
            with club(Path(folder) / f"{id}.db", [id]) as ledger:
                archive = Path(folder) / f"{id}.parquet"
                files.pack(copies(ledger.store, -(-PAGE * PAGES // ledger.store.last_position())), archive, 1)
            speeds(id, archive)
        for id in chosen:
            if id in VARIANTS:
                million(id, VARIANTS[id], Path(folder) / f"{id}.parquet")


def speeds(id: str, path: Path) -> None:
    """Measure a game; all take turns, by what this process worked."""
    with Archive(path) as archive:
        pages = [*read(archive)]
        plays = 0
        for one in pages:
            status = judged(one, one.rows).rulings.status[one.rows]
            assert {*status.tolist()} <= {COMPLETE, NOT_JUDGED}, "the matches of the archive are regular"
            plays += int((one.stop - one.play)[one.rows][status == COMPLETE].sum())  # the live table judges the others

        def memory() -> None:
            for one in pages:
                judged(one, one.rows)

        def rulings() -> None:
            for one in read(archive):
                judged(one, one.rows)

        def fold() -> None:
            for number in range(len(archive)):
                for course in archive.courses(number):
                    course.stream()

        works = [(memory, plays), (rulings, plays), (fold, plays)]
        if find_spec("pyspiel"):
            works.append(spiel())
        found = [[busy(work) for work, _ in works] for _ in range(ROUNDS)]
    rates = [many / median(times) / 1e6 for (_, many), times in zip(works, zip(*found, strict=True), strict=True)]
    beside = f"{rates[3]:.2f}: {rates[1] / rates[3]:.1f} ×" if len(rates) > 3 else ""
    print(
        f"| {id} | {rates[0]:.1f} | {rates[1]:.1f} | {rates[2]:.2f} | {rates[1] / rates[2]:.0f} × | {beside} |",
        flush=True,
    )


def read(archive: Archive) -> Iterator[HandColumns]:
    """Yield the hands of an archive, as many pages at a time as `what-if` reads."""
    for first in range(0, len(archive), MOST_PAGES):
        yield HandColumns(archive.page(first, COLUMNS, min(MOST_PAGES, len(archive) - first)))


def million(id: str, rules: str, path: Path) -> None:
    """Measure what-if over a million hands: the pages of an archive again and again; and two workers beside one over a fifth of them."""
    kernels.warm(game(rules.partition("/")[0], rules), kernels.Judge)
    once = of_archives([path])
    hands = what_if(once, Alone(judge_share), id, rules).hands
    many, fewer = (
        replace(
            once, size=once.size * times, shares=lambda times=times: (s for _ in range(times) for s in once.shares())
        )
        for times in (-(-HANDS // hands // part) for part in (1, 5))
    )
    alone = median(busy(lambda: what_if(many, Alone(judge_share), id, rules)) for _ in range(scaled(3, 1)))
    with closing(Processes(judge_share, 1)) as one, closing(Processes(judge_share, 2)) as two:
        for crew in (one, two):
            what_if(once, crew, id, rules)
        found = [
            [seconds(partial(what_if, fewer, crew, id, rules), 1) for crew in (one, two)] for _ in range(scaled(3, 1))
        ]
    ratio = median(single / double for single, double in found)
    print(f"what-if, {HANDS:,} hands of {id} under {rules}: {alone:.1f} s; two workers {ratio:.2f} × one", flush=True)


def busy(work: Callable[[], object]) -> float:
    """Return the seconds that this process worked; on a shared machine the clock would say more."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def spiel() -> tuple[Callable[[], None], int]:
    """Return open_spiel playing games of hearts in trust, and the number of its plays."""
    import pyspiel

    hearts: Any = pyspiel.load_game("hearts")
    rng, played, plays = Random(1), [], 0
    for _ in range(scaled(60, 1)):
        state, actions = hearts.new_initial_state(), []
        while not state.is_terminal():
            action = rng.choice(state.legal_actions())
            plays += not state.is_chance_node()
            actions.append(action)
            state.apply_action(action)
        played.append(actions)

    def unchecked() -> None:
        for actions in played:
            apply = hearts.new_initial_state().apply_action
            for action in actions:
                apply(action)

    return unchecked, plays


if __name__ == "__main__":
    main()
