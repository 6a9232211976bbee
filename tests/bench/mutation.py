"""Changes the program in small ways, one at a time, and tells which changes no test of their area notices.

Run: python -m tests.bench.mutation [--area rules] [--minutes 50] [--sample 600] [--seed 1] [--jobs 1] [--only table.py]    (needs `pip install cosmic-ray`)

Cosmic Ray finds the changes and makes them, in copies of the tree. Not asked for are those that cannot matter: in
annotations, in `assert` (it states what holds), of decorators that only cache or compile, and identity for equality.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import difflib
import importlib
import math
import os
import py_compile
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import hypothesis
import pytest

from tests.bench.timing import TINY, scaled
from tests.bench.tree import ROOT, ROOTS, copy_sources


class Area(NamedTuple):
    """What is changed, and the tests that have to notice, the quickest first; `also` for what is made of some modules."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    also: dict[str, tuple[str, ...]] = {}


RECORD, STUDY = "ledger/cardledger/record", "ledger/cardledger/study"
AREAS = {
    "rules": Area(
        (
            "ledger/cardledger/rules/games/*/rules.py", "ledger/cardledger/rules/engine/*.py", "ledger/cardledger/rules/engine/phases/*.py",
            f"{RECORD}/matches/hand_replay.py",
        ),
        (
            "tests/games/test_*.py", "tests/engine/test_*.py", "tests/test_corrections.py", "tests/test_hidden_hands.py", "tests/test_unseen.py",
            "tests/test_samples.py", "tests/test_refusals.py", "tests/test_trail.py", "tests/test_words.py",
            "tests/test_changes.py", "tests/test_rulings.py", "tests/test_properties.py",
        ),
        {
            "hand_replay": ("tests/api/test_replay.py", "tests/web/test_replay.py", "tests/web/test_audit.py"),
            "game": ("tests/test_matchfile.py", "tests/web/test_rulebook_page.py"),
            "events": ("tests/test_matchfile.py",),
        },
    ),
    "store": Area(
        (f"{RECORD}/store/[a-o]*.py", f"{RECORD}/store/[q-z]*.py"),
        (
            "tests/test_ledger.py", "tests/test_event_ids.py", "tests/test_database.py", "tests/store/test_order.py", "tests/store/test_siblings.py",
            "tests/store/test_lost_tail.py", "tests/store/test_beside_the_chain.py", "tests/store/test_versions.py",
            "tests/store/test_replaced.py", "tests/store/test_busy.py", "tests/store/test_foreign.py", "tests/store/test_write_lock.py",
            "tests/store/test_missing_names.py", "tests/store/test_read_only.py", "tests/store/test_modes.py", "tests/store/test_sqlite.py",
            "tests/store/test_copying.py", "tests/store/test_full_disk.py", "tests/store/test_lost.py", "tests/test_signing.py",
        ),
    ),
    "recording": Area(
        (f"{RECORD}/recording/*.py",),
        (
            "tests/test_ledger.py", "tests/test_turns.py", "tests/test_match_cache.py", "tests/test_event_ids.py", "tests/test_replacing.py",
            "tests/test_similar.py", "tests/test_signing.py", "tests/test_corrections.py", "tests/test_verification.py", "tests/test_erasure.py",
            "tests/test_void.py", "tests/test_people.py", "tests/evenings/test_*.py", "tests/api/test_secret_boards.py", "tests/web/test_card_swap.py",
        ),
    ),
    "secrecy": Area(
        (
            f"{RECORD}/recording/secrecy.py", f"{RECORD}/matches/seat_view.py", "api/cardledger_api/auth/[a-bd-z]*.py",
            f"{RECORD}/readmodels/questions/shared_deals.py", "ledger/cardledger/rules/engine/hidden.py",
        ),
        (
            "tests/api/test_secret_boards.py", "tests/api/test_scopes.py", "tests/api/test_roles.py", "tests/api/test_tokens.py", "tests/api/test_access.py",
            "tests/api/test_limits.py", "tests/api/test_shared_deals.py", "tests/api/test_table.py", "tests/web/test_secrecy.py",
            "tests/web/test_sign_in.py", "tests/web/test_invitations.py", "tests/test_hidden_hands.py", "tests/api/test_turns_of_readers.py",
            "tests/api/test_secret_webhooks.py",
        ),
    ),
    "evenings": Area(
        ("ledger/cardledger/rules/evenings/*.py",),
        ("tests/evenings/test_*.py", "tests/test_season.py", "tests/api/test_evenings.py", "tests/bridge_files/test_usebio_evenings.py"),
    ),
    "statistics": Area(
        (f"{STUDY}/stats/*.py", f"{STUDY}/stats/measures/*.py", f"{STUDY}/stats/strength/*.py", f"{STUDY}/stats/luck/*.py"),
        (
            "tests/stats/test_compare.py", "tests/stats/test_tables.py", "tests/stats/test_measures.py", "tests/stats/test_counts.py",
            "tests/stats/test_query.py", "tests/stats/test_change.py", "tests/stats/test_strength.py", "tests/stats/test_with_whom.py", "tests/stats/test_head_to_head.py",
            "tests/stats/test_luck.py", "tests/stats/test_luck_in_comparison.py", "tests/stats/test_differences.py", "tests/stats/test_ratings.py",
            "tests/test_sides_by_hand.py", "tests/stats/test_shelf.py", "tests/stats/test_kept_sheets.py", "tests/stats/test_accountant.py",
        ),
    ),
}  # fmt: skip
if TINY:
    AREAS = {"rules": AREAS["rules"]._replace(tests=("tests/games/test_diversity.py",), also={})}
NO_CHANGE = ("Eq_Is", "NotEq_IsNot", "Is_Eq", "IsNot_NotEq")
OPTIONS = (
    "-x",
    "-q",
    "-n",
    "0",
    "-m",
    "not long",
    "-p",
    "xdist",
    "-p",
    "pytest_timeout",
    "-p",
    "no:cacheprovider",
    "-p",
    "cardledger.testing.plugin",
)
COMMON = ("click", "flask", "hypothesis", "marshmallow", "msgspec", "numpy", "plotly")
"""What tests and program import of others, once for all changes."""
LOG = "tests.log"
NONE_CHOSEN = 5
"""What pytest says of a file with nothing but long tests."""
EXAMPLES = 20
SECONDS, MEMORY = 240, 4 << 30
"""What a run of the tests may take, of the processor and of memory, before the change counts as noticed."""


def main() -> None:
    """Take a sample, try it, and print the score and what was not noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=scaled(600, 2))
    parser.add_argument("--area", choices=AREAS, default="rules")
    parser.add_argument("--minutes", type=float, default=600, help="after which no more changes are tried")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", default="games/diversity/rules.py" if TINY else "", help="files whose path ends so")
    given = parser.parse_args()
    os.chdir(ROOT)
    area = AREAS[given.area]
    paths = [str(path) for pattern in area.files for path in sorted(Path().glob(pattern))]
    everything = [spec for path in paths if path.endswith(given.only) for spec in changes(path)]
    sample = Random(given.seed).sample(everything, min(given.sample, len(everything)))
    print(f"{len(sample)} of {len(everything)} changes of {given.area}, seed {given.seed}", flush=True)
    noticed: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        prepared = Path(scratch) / "prepared"
        prepare(prepared, area)
        until = time.monotonic() + 60 * given.minutes
        with ProcessPoolExecutor(given.jobs, initializer=settle, initargs=(Path(scratch), prepared)) as pool:
            for future in as_completed([pool.submit(attempt, spec, area, until) for spec in sample]):
                spec, killed, diff = future.result()
                if killed is None:
                    continue  # there was no time left for it
                path = str(spec.module_path)
                asked[path] += 1
                noticed[path] += killed
                if asked.total() % 20 == 0:
                    print(f"{asked.total()} tried, {noticed.total()} noticed", flush=True)
                if not killed:
                    print(
                        f"\nnot noticed: {path}:{spec.start_pos[0]} {spec.operator_name.rpartition('/')[2]}\n{diff}",
                        flush=True,
                    )
    print()
    for path in sorted(asked):
        print(f"{path:<36} {noticed[path]:>4} of {asked[path]:>4}")
    low, high = interval(noticed.total(), asked.total())
    print(f"noticed: {noticed.total() / asked.total():.1%} (95%: {low:.1%} to {high:.1%})")


def changes(path: str) -> Iterator[Any]:
    """Yield what can be changed in a file, in its order, but for what cannot matter."""
    from cosmic_ray.commands import init
    from cosmic_ray.work_db import WorkDB, use_db

    with tempfile.TemporaryDirectory() as folder, use_db(f"{folder}/all.sqlite", WorkDB.Mode.create) as work:
        init([Path(path)], work, {})
        specs = [item.mutations[0] for item in work.work_items]
    silent = unjudged(Path(path).read_text())
    for spec in sorted(specs, key=lambda spec: (spec.start_pos, spec.operator_name, spec.occurrence)):
        within = any(first <= spec.start_pos and spec.end_pos <= last for first, last in silent)
        if not within and not spec.operator_name.endswith(NO_CHANGE):
            yield spec


def unjudged(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return from where to where nothing is asked."""
    spans = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assert():
                parts: Sequence[ast.AST | None] = [node]
            case ast.arg() | ast.AnnAssign():
                parts = [node.annotation]
            case ast.FunctionDef() | ast.ClassDef():
                decorators = [
                    one for one in node.decorator_list if ast.unparse(one).startswith(("cache", "mypyc_attr"))
                ]
                parts = [*decorators, getattr(node, "returns", None)]
            case _:
                continue
        for part in parts:
            if part is not None:
                # A decorator begins with its sign.
                before = 1 if isinstance(node, ast.FunctionDef | ast.ClassDef) else 0
                start = (part.lineno, max(0, part.col_offset - before))  # type: ignore[attr-defined]
                spans.append((start, (part.end_lineno, part.end_col_offset + before)))  # type: ignore[attr-defined]
    return spans


def prepare(tree: Path, area: Area) -> None:
    """Copy the tree, compiled, and see that no test fails in it: a change could not be told from that."""
    copy_sources(tree)
    shutil.copytree(ROOT / "tests", tree / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tree)
    # What is compiled is good as long as the source is the same: what is not changed is not compiled again.
    compileall.compile_dir(tree, quiet=1, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    with ProcessPoolExecutor(1, initializer=settle, initargs=(tree,)) as pool:
        if pool.submit(fails, tests_of(None, area)).result():
            raise SystemExit((tree / LOG).read_text())


def settle(tree: Path, prepared: Path | None = None) -> None:
    """Make this process work in a tree, a copy of its own of the one prepared, within bounds of memory."""
    if prepared is not None:
        tree /= str(os.getpid())
        shutil.copytree(prepared, tree, symlinks=True)
        sys.dont_write_bytecode = True
    os.chdir(tree)
    for module in COMMON:
        importlib.import_module(module)
    for module in [
        name
        for name in sys.modules
        if name.partition(".")[0] in ("tests", "cardledger", "cardledger_api", "cardledger_web")
    ]:
        del sys.modules[module]
    sys.path[:1] = [str(tree), *(str(tree / root) for root in ROOTS)]
    os.environ |= {"CI": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # hypothesis without chance; a quick start
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def attempt(spec: Any, area: Area, until: float) -> tuple[Any, bool | None, str]:
    """Make a change, run the tests, and tell whether one failed, and the change; None after the time is over."""
    if time.monotonic() > until:
        return spec, None, ""
    from cosmic_ray.mutating import use_mutation
    from cosmic_ray.plugins import get_operator

    with use_mutation(spec.module_path, get_operator(spec.operator_name)(), spec.occurrence) as (before, after):
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
        return spec, fails(tests_of(spec.module_path, area)), "\n".join([*lines][2:])


def fails(tests: list[str]) -> bool:
    """Run test files one by one in a process of its own, and tell whether one of them failed, or did not end."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        log = os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        few: Any = partial(_few, hypothesis.settings)
        few.register_profile, few.load_profile = hypothesis.settings.register_profile, hypothesis.settings.load_profile
        hypothesis.settings = few  # type: ignore[misc]
        os._exit(any(pytest.main([*OPTIONS, test]) not in (0, NONE_CHOSEN) for test in tests))
    return os.waitpid(child, 0)[1] != 0


def _few(settings: Any, **given: Any) -> Any:
    """Property tests look at few examples: what these do not find is not worth the time."""
    return settings(**given | {"max_examples": EXAMPLES})


def tests_of(path: Path | None, area: Area) -> list[str]:
    """Return the test files for a file, those of its own game first; all there are for none."""
    stem = path.stem if path else ""
    also = area.also.get(stem, ()) if path else [test for tests in area.also.values() for test in tests]
    found = [str(file) for test in (*area.tests, *also) for file in sorted(Path().glob(test))]
    own = path.parent.name if path and stem == "rules" else stem
    return sorted(dict.fromkeys(found), key=lambda test: not test.endswith(f"/test_{own}.py"))


def interval(hits: int, n: int) -> tuple[float, float]:
    """Return Wilson's interval of 95% for a share."""
    z, share = 1.96, hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return middle - half, middle + half


if __name__ == "__main__":
    main()
