"""A store that fails in the middle of an import: exactly the reported matches are stored."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardledger.errors import LedgerError, LostError, UnusableError
from cardledger.record.matches.matchfile import MatchInFile, Problem, read_file, write
from cardledger.record.recording import importer
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.results import Imported
from cardledger.record.store import Append
from cardledger.rules.bots.simulation import simulate
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of

FAILURES = {
    "full": lambda: UnusableError("store.write", "the disk is full"),
    "lost": lambda: LostError("it does not answer"),
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of 40 matches with about 70 events each."""
    path = tmp_path_factory.mktemp("file") / "season.jsonl"
    path.write_bytes(b"".join(write(simulate("ruff", 4, Random(seed), ["random"], max_hands=1)) for seed in range(40)))
    return path


def failing(ledger: Ledger, good: int, error: Callable[[], LedgerError]) -> None:
    """Let a store accept a number of batches, and then fail until released."""
    store, append, left = ledger.store, ledger.store.append, [good]

    def now(appends: Sequence[Append]) -> list[int]:
        if left[0] == 0:
            raise error()
        left[0] -= 1
        return append(appends)

    store.append = now  # type: ignore[method-assign]


@pytest.mark.long
@pytest.mark.parametrize("remote", [False, True], ids=["in a file", "at a server"])
@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("good", [0, 1, 3])
def test_exactly_the_reported_matches_are_stored(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, good: int, failure: str, remote: bool
) -> None:
    monkeypatch.setattr(importer, "BATCH", 500)
    with Ledger(tmp_path / "club.db") as ledger:
        ledger.store.remote = remote  # type: ignore[misc]
        failing(ledger, good, FAILURES[failure])
        *stored, problem = ledger.import_matches(read_file(file))
        assert isinstance(problem, Problem)
        assert problem.error.code == FAILURES[failure]().code
        assert (
            "all matches before this one are stored" in problem.error.message
            and "import the file again" in problem.error.message
        )
        assert [item.match for item in stored if isinstance(item, Imported)] == ledger.matches()
        assert len(ledger.matches()) == len(stored) < 40
        assert (good == 0) == (stored == [])
        opened = [match.line for match in read_file(file) if isinstance(match, MatchInFile)]
        assert problem.line == opened[len(stored)], "the first that is not stored"
        del ledger.store.append  # type: ignore[attr-defined]
        again = [*ledger.import_matches(read_file(file))]
        assert [item.new for item in again if isinstance(item, Imported)].count(0) == len(stored)
        assert len(ledger.matches()) == 40


@pytest.mark.long
def test_an_interrupted_import_over_http_says_what_is_stored(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "BATCH", 500)
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    with ledger_of(app) as ledger:
        failing(ledger, 2, FAILURES["full"])
        head = {
            "Authorization": f"Bearer {access_of(app).lend('owner', 'admin')}",
            "Content-Type": "application/x-ndjson",
        }
        answer = app.test_client().post("/api/v1/import", data=file.read_bytes(), headers=head)
        said: dict[str, Any] = answer.get_json()
        assert (answer.status_code, said["code"]) == (503, "store.write")
        assert [match["match"] for match in said["matches"]] == ledger.matches() != []
        assert f"({len(said['matches'])} matches stored before it)" in said["detail"]
        access_of(app).close()


_SMALL_DISK = """
mount -t tmpfs -o size="$1" none "$2" || exit 99
shift 2
exec "$@"
"""
_IMPORTS = """
import json, os, sys
from click.testing import CliRunner
from cardledger.cli.main import main
db, *files = sys.argv[1:]
def run(*words):
    done = CliRunner().invoke(main, [*words, "--db", db])
    return [done.exit_code, done.stdout, done.stderr]
found = [run("import", *files), run("matches", "--json"), run("verify")]
os.truncate(os.path.join(os.path.dirname(db), "ballast"), 0)
print(json.dumps([*found, run("import", "--anyway", *files), run("verify")]))
"""


@pytest.mark.long
def test_a_disk_that_fills_up_during_an_import_holds_the_reported_matches(file: Path, tmp_path: Path) -> None:
    """A real one, of which somebody gives back a half later."""
    disk, season = tmp_path / "disk", tmp_path / "long.jsonl"
    disk.mkdir()
    season.write_bytes(
        b"".join(write(simulate("ruff", 4, Random(seed), ["random"], max_hands=2)) for seed in range(40, 240))
    )
    fill = f'head -c 16000000 /dev/zero > {disk}/ballast; exec "$@"'
    imports = [sys.executable, "-c", _IMPORTS, str(disk / "club.db"), str(season), str(file)]
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", _SMALL_DISK, "sh", "22m", str(disk)]
    done = subprocess.run(
        [*command, "sh", "-c", fill, "sh", *imports], capture_output=True, text=True, timeout=250, check=False
    )
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip("a disk of its own is not to be had here")
    (status, out, err), matches, verified, again, at_last = json.loads(done.stdout)
    assert status == 2 and "full" in err and "all matches before this one are stored" in err and "Traceback" not in err
    stored = int(out.split(": ")[1].split(" matches")[0])
    assert 0 < stored < 200
    assert f"{file}: not imported" in err
    assert matches[0] == 2, "read models want room too"
    assert (
        len(json.loads(matches[1])["matches"]) + int(matches[2].splitlines()[-1].split(" more matches cannot")[0])
        == stored
    )
    assert verified[0] == 2 and "store.write" in verified[2]
    assert again[0] == 0 and f"{stored} stored already" in again[1], again
    assert at_last[0] == 0 and at_last[1].startswith("240 matches")
