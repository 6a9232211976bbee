"""More games come from installed packages, through the entry-point group `cardledger.games`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

PLUGIN = Path(__file__).parent / "plugin" / "high_card.py"
FACES = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def installed(site: Path) -> dict[str, str]:
    """Lay the plugin out as an installer does, and return an environment that sees it."""
    shutil.copy(PLUGIN, site / "high_card.py")
    info = site / "high_card-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: high-card\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[cardledger.games]\nhigh-card = high_card:GAME\n")
    return os.environ | {"PYTHONPATH": f"{site}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


def cardledger(*words: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ledger", *words]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)


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
    assert "1 matches, 4 events stored" in cardledger("import", str(match), "--db", db, env=env).stdout
    assert "every result fits" in cardledger("verify", "--db", db, env=env).stdout
    told = cardledger("stats", "player", "ben", "--db", db, "--json", env=env).stdout
    assert {row["measure"]: row["value"] for row in json.loads(told)["rows"]}["aces"] == 0


def test_without_the_package_the_game_is_unknown() -> None:
    refused = cardledger("rules", "high-card", env=dict(os.environ))
    assert refused.returncode == 2
    assert refused.stderr.startswith("cardledger: format.game: there is no game 'high-card'")
