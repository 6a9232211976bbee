"""A ledger in a read-only place: shown, verified, exported and served, and left unchanged byte for byte."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cardledger.record.matches.matchfile import read_file
from cardledger.record.proofs.log import Log
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.conftest import SAMPLES

GOLDEN = Path(__file__).parent.parent / "golden"
CLUB_NIGHT = SAMPLES / "diversity-club-night.jsonl"
_ON_READ_ONLY_MEDIUM = """
mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99
! touch "$1/written" 2>/dev/null || exit 99
shift
exec "$@"
"""
_COMMANDS = """
import json, sys
from click.testing import CliRunner
from cardledger.cli.main import main
for line in sys.stdin:
    done = CliRunner().invoke(main, json.loads(line))
    said = done.exception and not isinstance(done.exception, SystemExit) and repr(done.exception)
    print(json.dumps([done.exit_code, done.stdout, done.stderr, said or ""]), flush=True)
"""


def child(
    folder: Path, script: str, *words: str, stdin: str = "", kernel: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run a script where a folder can only be read: its medium, or (without `kernel`) its owner says so."""
    scratch = folder.with_name("scratch")
    scratch.mkdir(exist_ok=True)
    python = [sys.executable, "-c", script, *words]
    command = (
        ["unshare", "--map-root-user", "--mount", "sh", "-c", _ON_READ_ONLY_MEDIUM, "sh", str(folder), *python]
        if kernel
        else ["unshare", "--user", *python]  # not even root may write where nobody may
    )
    env = os.environ | {"TMPDIR": str(scratch)}
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=200, check=False, env=env)
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip("a namespace of its own is not to be had here")
    assert done.returncode == 0, done.stderr
    assert [*scratch.iterdir()] == [], "nothing is left behind"
    return done


def run(folder: Path, *commands: list[str]) -> list[tuple[int, str, str]]:
    """Run commands where a folder can only be read; return status, output and errors of each."""
    before = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    done = child(folder, _COMMANDS, stdin="".join(json.dumps(command) + "\n" for command in commands))
    found: list[Any] = [json.loads(line) for line in done.stdout.splitlines()]
    assert {path.name: path.read_bytes() for path in sorted(folder.iterdir())} == before
    assert [said for *_, said in found] == [""] * len(commands)
    return [(status, out, err) for status, out, err, _ in found]


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A folder with a ledger that was sealed and closed."""
    folder = tmp_path / "medium"
    folder.mkdir()
    with Ledger(folder / "club.db") as ledger:
        for _ in ledger.import_matches(read_file(CLUB_NIGHT)):
            pass
        with Log(ledger) as log:
            log.seal()
    return folder


def text_of(path: Path) -> str:
    with Ledger(path) as ledger:
        return "".join(ledger.export(ledger.matches()))


@pytest.mark.long
def test_it_is_shown_verified_exported_and_taken_away(club: Path, tmp_path: Path) -> None:
    db, expected = str(club / "club.db"), text_of(club / "club.db")
    with Ledger(db) as ledger:
        match, *_ = ledger.matches()
    to = tmp_path / "elsewhere"
    to.mkdir()
    found = run(
        club,
        ["verify", "--db", db], ["export", "--db", db], ["show", match, "--db", db], ["matches", "--json", "--db", db],
        ["receipt", match, "--db", db], ["stats", "players", "diversity", "--db", db], ["people", "list", "--db", db],
        ["backup", str(to / "backup.db"), "--db", db], ["pack", str(to / "club.parquet"), "--db", db],
        ["copy", db, str(to / "copy.db")], ["review", match, "--hand", "1", "--db", db], ["rebuild", "--db", db],
    )  # fmt: skip
    assert [status for status, *_ in found] == [0] * 12, found
    assert "every hash and every result fits, and 1 checkpoint too" in found[0][1]
    assert found[1][1] == expected
    assert len(json.loads(found[3][1])["matches"]) == 2
    assert text_of(to / "copy.db") == expected


@pytest.mark.long
def test_refused_writes_give_the_reason_and_known_events_need_no_write(club: Path) -> None:
    db = str(club / "club.db")
    other = SAMPLES / "ruff-debts.jsonl"
    known, new, name = run(
        club, ["import", str(CLUB_NIGHT), "--db", db], ["import", str(other), "--db", db], ["people", "name", "ana", "Ana", "--db", db]
    )  # fmt: skip
    assert (known[0], new[0], name[0]) == (0, 2, 2)
    assert "2 stored already" in known[1]
    for _, _, told in (new, name):
        assert "store.read-only" in told and db in told and "is read-only" in told


@pytest.mark.long
@pytest.mark.parametrize("left", ["nothing", "read models of before", "read models that are none"])
def test_missing_read_models_are_created_in_the_cache(club: Path, left: str) -> None:
    views = club / "club.views.db"
    if left == "read models of before":
        before = views.read_bytes()
        with Ledger(club / "club.db") as ledger:
            ledger.record(None, [ev.Open(game="ruff", players=("a", "b", "c", "d"))], 0)
        views.write_bytes(before)
    elif left == "nothing":
        views.unlink()
    else:
        shutil.copy(GOLDEN / "v1" / "club.db", views)
        ((status, _, told),) = run(club, ["matches", "--db", str(club / "club.db")])
        assert status == 2 and "is a database of another program: choose another file" in told
        return
    ((status, out, _),) = run(club, ["matches", "--json", "--db", str(club / "club.db")])
    assert (status, len(json.loads(out)["matches"])) == (0, 3 if left == "read models of before" else 2)


@pytest.mark.long
def test_a_copy_includes_the_write_ahead_log(tmp_path: Path) -> None:
    """As when the folder of a running server is written to a disc."""
    club, medium = tmp_path / "club.db", tmp_path / "medium"
    medium.mkdir()
    with Ledger(club) as ledger:
        match = ledger.record(None, [ev.Open(game="ruff", players=("a", "b", "c", "d"))], 0).match
        ledger.record(match, [ev.Note(text="the last word")], 1)
        for ending in ("", "-wal"):
            shutil.copy(f"{club}{ending}", medium / f"club.db{ending}")
    verified, exported = run(
        medium, ["verify", "--db", str(medium / "club.db")], ["export", "--db", str(medium / "club.db")]
    )
    assert (verified[0], exported[0]) == (0, 0)
    assert "the last word" in exported[1]


@pytest.mark.long
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_ledger_of_an_earlier_version_is_read_too(tmp_path: Path, version: str) -> None:
    medium, here = tmp_path / "medium", tmp_path / "here"
    for folder in (medium, here):
        shutil.copytree(GOLDEN / version, folder)
    ((status, out, told),) = run(medium, ["export", "--db", str(medium / "club.db")])
    assert (status, told) == (0, "")
    assert out == text_of(here / "club.db")


_SERVED = """
import json, sys
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
app = create_app(sys.argv[1], limits=Limits.of(0))
ledger, client = ledger_of(app), app.test_client()
head = {"Authorization": f"Bearer {access_of(app).lend('owner', 'admin')}"}
(match, *_) = ledger.matches()
pages = ["/", "/matches", f"/matches/{match}", f"/matches/{match}/hands/1", f"/matches/{match}/audit", f"/matches/{match}/receipt",
         f"/matches/{match}.jsonl", "/players", "/players/ana", "/stats/diversity", "/season", "/integrity", "/health/ready",
         f"/api/v1/matches/{match}/events", "/api/v1/checkpoint"]
found = {page: client.get(page, headers=head).status_code for page in pages}
note = {"events": [{"type": "note", "text": "x"}]}
answer = client.post(f"/api/v1/matches/{match}/events", json=note, headers=head | {"If-Match": '"%d"' % ledger.stream(match).seq})
print(json.dumps([found, answer.status_code, answer.get_json()["code"]]))
access_of(app).close()
ledger.close()
"""


@pytest.mark.long
def test_it_is_served_and_recording_is_refused(club: Path) -> None:
    found, status, code = json.loads(child(club, _SERVED, str(club / "club.db")).stdout)
    assert {page: status for page, status in found.items() if status != 200} == {}
    assert (status, code) == (403, "store.read-only")


_READER = """
import sys
from cardledger.record.recording.ledger import Ledger
with Ledger(sys.argv[1], create=False) as ledger:
    assert not ledger.store.writable
    for line in sys.stdin:
        ledger.views.catch_up()
        rows = ledger.views.reader.execute("SELECT seq FROM matches ORDER BY position").fetchall()
        print([seq for (seq,) in rows], ledger.store.last_position(), flush=True)
"""


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="who may not write must be another than who does")
def test_a_read_only_process_sees_new_events_of_others(tmp_path: Path) -> None:
    """It begins with a file nobody has open, which then is written to under its eyes."""
    club = tmp_path / "club"
    club.mkdir()
    path = club / "club.db"
    with Ledger(path) as ledger:
        match = ledger.record(None, [ev.Open(game="ruff", players=("a", "b", "c", "d"))], 0).match
    child(club, "", kernel=False)  # can it be done here?
    club.chmod(0o555)
    path.chmod(0o444)
    with subprocess.Popen(
        ["unshare", "--user", sys.executable, "-c", _READER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        assert reader.stdin is not None and reader.stdout is not None

        def seen() -> str:
            print("look", file=reader.stdin, flush=True)
            return reader.stdout.readline()  # type: ignore[union-attr]

        assert seen() == "[1] 1\n"
        with Ledger(path) as ledger:  # as root, who may
            for number in range(1, 200):
                ledger.record(match, [ev.Note(text="x" * 500)], number)
                if number % 40 == 0:
                    assert seen() == f"[{number + 1}] {number + 1}\n"
            ledger.record(None, [ev.Open(game="ruff", players=("a", "b", "c", "d"))], 0)
            assert seen() == "[200, 1] 201\n"
        assert seen() == "[200, 1] 201\n", "and when nobody writes any more"
        reader.stdin.close()
    assert reader.returncode == 0
    club.chmod(0o755)
