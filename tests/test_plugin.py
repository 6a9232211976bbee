"""More games come from installed packages, through the entry-point group `cardledger.games`."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.phases import Calls
from cardledger.rules.engine.scoring import MatchScoring
from cardledger.rules.engine.shown import Fact, Shown
from cardledger.rules.games import game, start
from tests.waiting import LIMIT

ROOT = Path(__file__).parents[1]
PLUGIN = Path(__file__).parent / "plugin" / "high_card.py"
WHY = "No module named 'nothing_like_this'"
FACES = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def guide() -> str:
    """Return the game of the guide to adding a game."""
    text = (PLUGIN.parents[2] / "ledger/cardledger/rules/games/README.md").read_text(encoding="utf-8")
    return text.partition("```python\n")[2].partition("```")[0]


def installed(site: Path, id: str = "high-card", text: str = PLUGIN.read_text(encoding="utf-8")) -> dict[str, str]:
    """Lay a plugin out as an installer does, and return an environment that sees it."""
    module = id.replace("-", "_")
    (site / f"{module}.py").write_text(text, encoding="utf-8")
    info = site / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {id}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[cardledger.games]\n{id} = {module}:GAME\n")
    return os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


def cardledger(*words: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cardledger", *words]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=LIMIT, check=False)


@pytest.mark.long
def test_a_game_of_an_installed_package_is_listed_ruled_and_replayed(tmp_path: Path) -> None:
    env = installed(tmp_path)
    assert "high-card" in cardledger("games", env=env).stdout
    assert "trick.highest" in cardledger("rules", "high-card", env=env).stdout
    events = [
        {"type": "open", "game": "high-card", "players": ["ana", "ben"]},
        {"type": "deal", "dealer": 0, "hands": [["9S"], ["TC"]], "aside": sorted({*FACES} - {"9S", "TC"})},
        {"type": "play", "seat": 1, "card": "TC"},
        {"type": "play", "seat": 0, "card": "9S"},
    ]
    match = tmp_path / "match.jsonl"
    match.write_text("".join(json.dumps(event) + "\n" for event in events))
    replayed = cardledger("replay", "--json", str(match), env=env)
    assert json.loads(replayed.stdout)["winners"] == [1]
    db = str(tmp_path / "club.db")
    assert "1 match, 4 events stored" in cardledger("import", str(match), "--db", db, env=env).stdout
    assert "every result fits" in cardledger("verify", "--db", db, env=env).stdout
    told = cardledger("stats", "player", "ben", "--db", db, "--json", env=env).stdout
    assert {row["measure"]: row["value"] for row in json.loads(told)["rows"]}["aces"] == 0


def test_events_of_an_installed_package_are_as_good_as_ours(tmp_path: Path) -> None:
    env = installed(tmp_path, "high-card-talk", "from tests.plugin.talk import GAME\n")
    env["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{ROOT}"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "tests/check_events_of_packages.py",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=env, timeout=LIMIT)
    assert done.returncode == 0, done.stdout


def test_without_the_package_the_game_is_unknown() -> None:
    refused = cardledger("rules", "high-card", env=dict(os.environ))
    assert refused.returncode == 2
    assert refused.stderr.startswith("cardledger: format.game: there is no game 'high-card'")


@pytest.mark.long
@pytest.mark.parametrize(
    ("id", "text"),
    [
        ("high-card", PLUGIN.read_text(encoding="utf-8")),
        ("plain-partners", guide()),
        ("declarer", PLUGIN.with_name("declarer.py").read_text(encoding="utf-8")),
    ],
)
def test_a_game_of_another_package_passes_the_kit(id: str, text: str, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--pyargs",
        "cardledger.testing",
        "--game",
        id,
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path, env=installed(tmp_path, id, text)
    )
    assert done.returncode == 0, done.stdout
    assert "failed" not in done.stdout


def break_one(site: Path) -> None:
    """Lay out a package whose game and command cannot be loaded."""
    (site / "bad.py").write_text("import nothing_like_this\n")
    info = site / "bad_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[cardledger.games]\nbad = bad:GAME\n[cardledger.commands]\nworse = bad:run\n"
    )


@pytest.mark.long
def test_a_broken_plugin_is_named_and_left_out_and_all_other_games_work(tmp_path: Path) -> None:
    env = installed(tmp_path)
    break_one(tmp_path)
    listed = cardledger("games", env=env)
    assert listed.returncode == 0 and "diversity" in listed.stdout and "high-card" in listed.stdout
    assert "plugin.broken: bad of the package bad-games is left out: ModuleNotFoundError" in listed.stderr
    assert "Traceback" not in listed.stderr
    helped = cardledger("--help", env=env)
    assert helped.returncode == 0 and "verify" in helped.stdout and "plugin.broken: worse" in helped.stderr


@pytest.mark.long
def test_the_doctor_lists_broken_plugins_with_the_reason(tmp_path: Path) -> None:
    env, db, match = installed(tmp_path), str(tmp_path / "club.db"), tmp_path / "match.jsonl"
    match.write_text(json.dumps({"type": "open", "game": "ruff", "players": ["ana", "ben", "chloe"]}) + "\n")
    cardledger("import", str(match), "--db", db, env=env)
    assert "plugin" not in cardledger("doctor", "--db", db, env=env).stdout
    break_one(tmp_path)
    told = cardledger("doctor", "--json", "--db", db, env=env)
    found = [one for one in json.loads(told.stdout)["findings"] if one["name"] == "plugins"]
    assert [(one["state"], one["text"]) for one in found] == [
        ("problem", f"plugin.broken: {name} of the package bad-games is left out: ModuleNotFoundError: {why}")
        for name, why in (("bad", WHY), ("worse", WHY))
    ]
    assert "uninstall" in found[0]["advice"]
    assert told.returncode == 1


@pytest.mark.long
def test_a_match_of_a_game_that_is_not_installed_is_skipped_with_a_warning(tmp_path: Path) -> None:
    env, db, match = installed(tmp_path), str(tmp_path / "club.db"), tmp_path / "match.jsonl"
    events = [
        {"type": "open", "game": "high-card", "players": ["ana", "ben"]},
        {"type": "deal", "dealer": 0, "hands": [["9S"], ["TC"]], "aside": sorted({*FACES} - {"9S", "TC"})},
    ]
    other = {"type": "open", "game": "ruff", "players": ["ana", "ben", "chloe"]}
    match.write_text("".join(json.dumps(event) + "\n" for event in [*events, other]))
    assert cardledger("import", str(match), "--db", db, env=env).returncode == 0
    without = dict(os.environ)
    for command in ("rebuild", "verify", "matches"):
        done = cardledger(command, "--db", db, env=without)
        assert done.returncode == 0, done.stderr
        assert "warning: there is no game 'high-card'" in done.stderr or command == "matches" and not done.stderr
    assert "2 matches" in cardledger("verify", "--db", db, env=without).stdout
    with sqlite3.connect(db) as file:
        file.execute("DROP TRIGGER events_are_final")
        file.execute("UPDATE events SET line = replace(line, '9S', '9C') WHERE line LIKE '%9S%'")
    file.close()
    changed = cardledger("verify", "--db", db, env=without)
    assert changed.returncode == 1 and "store.hash" in changed.stderr, "hashes are checked all the same"


@pytest.mark.long
def test_no_output_dies_of_an_encoding(tmp_path: Path) -> None:
    match = tmp_path / "match.jsonl"
    match.write_text(json.dumps({"type": "open", "game": "ruff", "players": ["José", "李", "Łukasz"]}) + "\n", "utf-8")
    db = str(tmp_path / "club.db")
    for encoding in ("ascii", "cp1252"):
        env = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
        for words in (["import", str(match), "--db", db], ["matches", "--db", db], ["replay", "--json", str(match)]):
            command = [sys.executable, "-m", "cardledger", *words]
            done = subprocess.run(command, env=env, capture_output=True, timeout=LIMIT, check=False)
            assert done.returncode in (0, 1) and b"Traceback" not in done.stderr, (words, done.stderr)
            if "--json" in words:
                assert json.loads(done.stdout.decode("utf-8" if encoding == "ascii" else encoding))["players"] == [
                    "José",
                    "李",
                    "Łukasz",
                ]


@pytest.mark.long
def test_a_new_ledger_is_reported_without_a_warning_about_sqlite(tmp_path: Path) -> None:
    match = tmp_path / "match.jsonl"
    match.write_text(json.dumps({"type": "open", "game": "ruff", "players": ["a", "b", "c"]}) + "\n")
    first, second = (
        cardledger("import", str(match), "--db", str(tmp_path / "x.db"), env=dict(os.environ)) for _ in "12"
    )
    assert f"There was no ledger at {tmp_path}/x.db: a new one was made." in first.stderr
    assert second.stderr == ""


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"players": 4}, "for a game for four, "),
        ({"phases": game("whist").phases[1:]}, "the first phase is not Dealing"),
        ({"scoring": replace(game("whist").scoring, rules=("score.maed",))}, "has no rule score.maed"),
    ],
)
def test_a_mistake_in_a_game_is_named_when_it_is_made(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError, KeyError), match=message):
        replace(game("whist"), **wrong)


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (lambda: Shown(facts=(Fact("made", "Made", "hand", "contrat"),)), "choose a kind"),  # type: ignore[arg-type]
        (lambda: Shown(facts=(Fact("way", "Way", "hand", "text"),)), "nothing says its values in words"),
        (lambda: Shown(facts=(Fact("bid", "Bid", "hand", "call"),)), "a vocabulary if it is a call"),
        (lambda: MatchScoring(fewest=True, rules=(), over=lambda match: None), "nothing scores a hand"),
        (
            lambda: replace(game("whist").phases[-1], lead=("a", max)),
            "no duty|Duty object expected",
        ),  # what compiled rules say
    ],
)
def test_a_mistake_in_a_part_is_named_when_it_is_made(part: Callable[[], object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        part()


def test_a_call_that_names_no_next_seat_is_an_error_of_the_game() -> None:
    euchre = game("euchre")
    (first, *_) = (phase for phase in euchre.phases if isinstance(phase, Calls))
    calls = replace(first, made=lambda match, hand, seat, call: None)
    match = start(ev.Open(game="euchre", players=("ana", "ben", "chloe", "dev")))
    match.apply(ev.Deal(dealer=0, hands=None, upcard="9S"), 2)
    # Compiled code notices it where the number is taken in.
    with pytest.raises((ValueError, TypeError), match=r"followed by None|got None"):
        calls.call(match, match.hand, ev.Call(seat=1, call="pass"))
