"""Fixtures that many tests share."""

from __future__ import annotations

import gc
import os
import signal
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.games import games
from tests.compiled_once import compile_once

EVERYDAY = ("ruff", "hecto-diversity", "diamonds-draw", "spades")
"""Games whose every side is tested every day: between them they have all that a game can have."""
UPON_RULES = ("api", "web", "browser", "archive", "analyse", "stats", "testing")
"""Folders of tests of what shows, stores and counts matches of any game."""
ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "samples"
compile_once()
# Tests say nothing of speed, and a busy machine breaks no promise: benchmarks measure.
settings.register_profile("any machine", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
# No test depends on what was compiled before; those of kernels switch them on.
os.environ.setdefault("CARDLEDGER_FAST", "0")
# A page without a value that its template asks for is a fault; servers that tests start hear of it too.
os.environ.setdefault("CARDLEDGER_STRICT_PAGES", "1")
# Shells let what they start in the background ignore Ctrl+C; the servers that tests start would ignore it too.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Tests that run side by side get the width of the terminal, but commands write as into a pipe.
os.environ.pop("COLUMNS", None)


def pytest_configure() -> None:
    """Refuse to run with the commands of an earlier source: after a pull there may be new ones."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {(group, *point) for group, points in project["entry-points"].items() for point in points.items()}
    installed = {(point.group, point.name, point.value) for point in distribution("cardledger").entry_points}
    if not wanted <= installed:
        pytest.exit("The commands have changed since the install. Run pip install -e '.[test]' again.", 4)


def pytest_collection_finish() -> None:
    """Set aside what stays until the end, ten thousand tests with their modules: no search for garbage looks at it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty ledger."""
    opened = Ledger(tmp_path / "club.db")
    yield opened
    opened.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which files of tests take the most time, all workers added up."""
    seconds = Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                seconds[report.nodeid.partition("::")[0]] += report.duration
    if sum(seconds.values()) < 30:
        return  # a few tests: nobody asks
    terminalreporter.section(f"{sum(seconds.values()):.0f} seconds of tests, by file")
    for file, taken in seconds.most_common(15):
        terminalreporter.write_line(f"{taken:7.1f} s  {file}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to the long tests what the everyday run says of enough games already, unless somebody asks for a game.

    The rules of every game are tested every day. Whatever stands upon them is tested with the games of `EVERYDAY`, and
    at the smallest table. Long tests may take long: only one that hangs is ended.
    """
    if not config.getoption("--game"):
        _leave_to_long(items)
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(1800))


def _leave_to_long(items: list[pytest.Item]) -> None:
    known = games()
    for item in items:
        room = item.path.parent.name
        values = (
            list(item.callspec.params.values())
            if isinstance(item, pytest.Function) and hasattr(item, "callspec")
            else []
        )
        game = next((value for value in values if isinstance(value, str) and value in known), None)
        if game is None or room in ("games", "engine"):
            continue
        size = next((value for value in values if type(value) is int), None)
        if (game not in EVERYDAY and room in UPON_RULES) or (size in known[game].players[1:]):
            item.add_marker(pytest.mark.long)
