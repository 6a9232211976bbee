"""The compiled build says what pure Python says, to the byte: replays, audits, errors, simulated play, statistics, luck."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import portalocker
import pytest

from cardledger.errors import LedgerError
from cardledger.record.matches.matchfile import write
from cardledger.rules.bots.simulation import league
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.rules.stream import Stream
from tests.conftest import EVERYDAY
from tests.tables import any_match, hide, whole_hands
from tests.thorough import THOROUGH, many

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]
ROOT = Path(__file__).parent.parent
GUIDE = "ledger/cardledger/rules/games/README.md"
RULES = (
    "games", "bots", "engine/test_whole_tricks.py", "test_corrections.py", "test_hidden_hands.py", "test_plugin.py", "test_properties.py",
    "test_rulings.py", "test_samples.py", "stats/test_rollouts.py", "stats/test_measures.py",
)  # fmt: skip
"""The tests of the rules, which the compiled build has to pass as well."""


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the compiled wheel; whatever else is installed is what is installed here."""
    base = tmp_path_factory.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "compiled"
    python = home / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    with portalocker.Lock(home.with_suffix(".lock"), timeout=1500):
        if not (home / "whole").exists():
            shutil.rmtree(home, ignore_errors=True)  # a build that failed leaves a part
            pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
            wheels = home.with_suffix(".wheels")
            # No result depends on how far C is optimized, but the time it takes does.
            env = os.environ | {"CARDLEDGER_COMPILE": "1", "CARDLEDGER_OPTIMIZE": "3" if THOROUGH else "0"}
            subprocess.run([*pip, "wheel", "--no-deps", "-w", wheels, ROOT], check=True, env=env)
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", home / "venv"], check=True)
            site = Path(
                told(python, "-c", "import sysconfig; print(sysconfig.get_paths()['purelib'])", cwd=base).strip()
            )
            (site / "others.pth").write_text(sysconfig.get_paths()["purelib"])
            subprocess.run([*pip, "install", "--no-deps", "--target", site, *wheels.glob("*.whl")], check=True)
            (home / "whole").touch()
    return python


def told(python: Path | str, *words: object, cwd: Path) -> str:
    """Return what a program says, errors and exit status included."""
    command = [str(python), *map(str, words)]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=env)
    return f"{done.stdout}{done.stderr}{done.returncode or ''}"


def same(compiled: Path, tmp_path: Path, *words: object) -> str:
    """Return what `cardledger` says to a command, the same from both builds, each in a folder of its own."""
    said = []
    for name, python in (("pure", sys.executable), ("compiled", compiled)):
        (tmp_path / name).mkdir(exist_ok=True)
        said.append(told(python, "-m", "cardledger", *words, cwd=tmp_path / name))
    assert said[0] == said[1]
    return said[0]


def troubled(game: str, n: int, rng: Random) -> Iterator[list[ev.Event]]:
    """Yield matches with all that can come up in one: revokes, hidden hands, claims, score sheets, corrections, an end."""
    yield any_match(game, n, rng, "strict", events=250)
    yield any_match(game, n, rng, "record", wild=0.3, events=250)
    yield possible(hide(whole_hands(game, n, rng, 2, wild=0.2), "record"))
    yield possible(hide(whole_hands(game, n, rng, 2, "strict", wild=0), "strict"))
    events = whole_hands(game, n, rng, 2, wild=0.2)
    most = events[: len(events) * 3 // 4]
    claim = ev.Claim(tricks=(getattr(Stream.of(most).table, "tricks_left", 0), *[0] * (n - 1)))
    sheet = ev.Score(scores=tuple(range(n)))
    yield possible([*most, claim, sheet, ev.Note(text="late"), *corrections(events, rng), ev.End()])


def possible(events: list[ev.Event]) -> list[ev.Event]:
    """Return a match without the events that are refused; a hand that waits for its score gets one."""
    stream = Stream(events[0])
    for event in events[1:]:
        if stream.table.hand.moment == "score":
            stream.append(ev.Score(scores=(7,) * stream.table.n))
        try:
            stream.append(event)
        except LedgerError:
            continue
    return stream.events


def corrections(events: list[ev.Event], rng: Random) -> Iterator[ev.Event]:
    """Yield amends and retracts, many of which cannot be made."""
    for _ in range(40):
        about, other = rng.randrange(2, len(events)), rng.choice(events[1:])
        yield ev.Amend(about=about, event=other)
    yield ev.Retract(to=len(events) // 2, reason="all wrong")
    yield from events[len(events) // 2 :]
    yield ev.Retract(to=len(events) // 3)


@pytest.mark.parametrize("game", games() if THOROUGH else [game for game in games() if game not in EVERYDAY])
def test_replays_and_audits_of_troubled_matches_are_the_same(compiled: Path, tmp_path: Path, game: str) -> None:
    file = tmp_path / "matches.jsonl"
    rng = Random(game)
    sizes = games()[game].players
    found = [match for n in (sizes[0], sizes[-1]) for _ in range(many(1, 3)) for match in troubled(game, n, rng)]
    file.write_bytes(b"".join(map(write, found)))
    assert same(compiled, tmp_path, "replay", "--json", file).count('"winners"') == len(found)
    assert "ok" in same(compiled, tmp_path, "replay", "--audit", file)
    for at in (7, 101):
        same(compiled, tmp_path, "replay", "--at", at, "--json", file)


def test_replays_and_audits_of_the_samples_are_the_same(compiled: Path, tmp_path: Path) -> None:
    files = sorted((ROOT / "samples").glob("*.jsonl"))
    assert same(compiled, tmp_path, "replay", "--json", *files).count('"winners"') >= len(files) > 0
    same(compiled, tmp_path, "replay", "--audit", *files)


@pytest.mark.parametrize("game", games() if THOROUGH else EVERYDAY)
def test_refusals_have_the_same_words(compiled: Path, tmp_path: Path, game: str) -> None:
    rng, file = Random(game), tmp_path / "matches.jsonl"
    wrong = []
    for _ in range(60):
        events = any_match(game, games()[game].players[0], rng, events=60)
        at = rng.randrange(1, len(events))
        wrong.append([*events[:at], rng.choice(events[1:]), *events[at:]])
    file.write_bytes(b"".join(map(write, wrong)))
    same(compiled, tmp_path, "import", "--keep-going", "--db", "wrong.db", file)


@pytest.mark.parametrize("game", games() if THOROUGH else EVERYDAY)
def test_bots_statistics_luck_and_reviews_are_the_same(compiled: Path, tmp_path: Path, game: str) -> None:
    n = 4
    for size in {games()[game].players[0], n}:
        same(compiled, tmp_path, "simulate", game, "--players", size, "--seed", 5, "--matches", 2)
    file = tmp_path / "league.jsonl"
    night = [
        [msgspec.structs.replace(first, date="2026-01-02"), *rest]
        for first, *rest in league(game, n, 3, 3, max_hands=3)
    ]
    file.write_bytes(b"".join(map(write, night)))
    same(compiled, tmp_path, "import", "--db", "club.db", file)
    match, *_ = same(compiled, tmp_path, "matches", "--db", "club.db").split()
    assert '"rows"' in same(compiled, tmp_path, "stats", "players", game, "--json", "--db", "club.db")
    same(compiled, tmp_path, "stats", "ratings", game, "--json", "--db", "club.db")
    assert '"players"' in same(compiled, tmp_path, "luck", game, "--json", "--db", "club.db")
    same(compiled, tmp_path, "review", match, "--hand", 1, "--json", "--db", "club.db")
    assert "every result fits" in same(compiled, tmp_path, "verify", "--db", "club.db")


def test_the_tests_of_the_rules_pass_compiled(compiled: Path, tmp_path: Path) -> None:
    assert told(compiled, "-m", "cardledger", "--version", cwd=tmp_path).endswith("rules compiled\n")
    assert told(sys.executable, "-m", "cardledger", "--version", cwd=tmp_path).endswith("rules in pure Python\n")
    for name in ("tests", "samples"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    guide = tmp_path / GUIDE  # its example is a plugin that is tested
    guide.parent.mkdir(parents=True)
    shutil.copy(ROOT / GUIDE, guide)
    command = [compiled, "-m", "pytest", "-n", "0", "-q", *(f"tests/{name}" for name in RULES)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
