"""PBN and LIN files at the command line: replay, import, export."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from cardledger.cli.main import main
from tests.bridge_files.made import pbn
from tests.conftest import SAMPLES

BROKEN = pbn() + "\n" + pbn(Board="2").replace('[Site "Lyon"]', "Lyon") + "\n" + pbn(Board="17", Score="NS 5")


def run(*args: str) -> Result:
    """Run a command."""
    return CliRunner().invoke(main, args)


def written(folder: Path, text: str, name: str = "made.pbn") -> str:
    """Write a file and return its path."""
    (folder / name).write_text(text)
    return str(folder / name)


def test_replay_gives_one_object_for_each_game_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, BROKEN)
    done = run("replay", "--json", path)
    first, broken, last = map(json.loads, done.stdout.splitlines())
    assert first["source"] == {"file": path, "line": 1, "game": 1}
    assert first["notices"] == []
    assert first["hands"][0]["made"] == 13
    assert broken["source"] == {"file": path, "line": 23, "game": 2}
    assert (broken["error"]["code"], broken["error"]["line"]) == ("pbn.tag", 24)
    assert [notice["code"] for notice in last["notices"]] == ["pbn.score"]
    assert done.exit_code == 2
    assert f"{path}:24: pbn.tag: " in done.stderr


def test_a_file_is_recognised_by_its_content_and_format_overrules_it(tmp_path: Path) -> None:
    assert '"made": 13' in run("replay", "--json", written(tmp_path, pbn(), "evening.txt")).stdout
    lin = written(tmp_path, "pn|a,b,c,d|md|3|ah|Board 1|mb|4Sppp|mc|9|", "any.txt")
    assert '"made": 9' in run("replay", "--json", lin).stdout
    assert run("replay", "--format", "pbn", lin).exit_code == 2


def test_of_a_file_with_a_wrong_board_nothing_is_stored_unless_the_others_are_wanted(tmp_path: Path) -> None:
    path, db = written(tmp_path, BROKEN), str(tmp_path / "club.db")
    refused = run("import", path, "--db", db)
    assert refused.exit_code == 2
    assert "0 matches, 0 events stored; --keep-going takes the boards without an error" in refused.stdout
    assert run("matches", "--db", db).stdout == ""
    taken = run("import", "--keep-going", path, "--db", db)
    assert "2 matches, 32 events stored (noticed: 1 pbn.score)" in taken.stdout
    again = run("import", "--keep-going", path, "--db", db)
    assert "0 matches, 0 events stored, 2 stored already" in again.stdout
    assert run("verify", "--db", db).exit_code == 0


def test_to_go_on_is_advised_only_where_it_helps(tmp_path: Path) -> None:
    whole = (SAMPLES / "evenings/bridge-pairs.xml").read_text()
    path = written(tmp_path, whole[: len(whole) // 2], "evening.xml")
    refused = run("import", path, "--db", str(tmp_path / "club.db"))
    assert (refused.exit_code, "usebio.xml" in refused.stderr) == (2, True)
    assert "keep-going" not in refused.stdout + refused.stderr


def test_boards_of_one_evening_may_come_in_several_files(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    assert run("import", written(tmp_path, pbn(Board="5")), "--db", db).exit_code == 0
    assert run("import", written(tmp_path, pbn(Board="9", Play=None)), "--db", db).exit_code == 0
    corrected = run("import", written(tmp_path, pbn(Board="9", Play=None, Result="9")), "--db", db)
    assert "store.similar" in corrected.stderr


def test_no_name_of_an_extra_stays_in_the_record(tmp_path: Path) -> None:
    db = tmp_path / "club.db"
    run(
        "import",
        written(tmp_path, pbn(Annotator="Zacharias", Play="E\n{Zacharias says}\nHA D2 C2 S2\n*")),
        "--db",
        str(db),
    )
    stored = run("export", "--as-stored", "--db", str(db)).stdout
    assert "Zacharias" not in stored
    assert '["tag","Scoring","MP"]' in stored
    assert run("export", "--db", str(db)).stdout.count("Zacharias") == 2


def test_export_writes_boards_as_pbn_and_lin(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    run("import", written(tmp_path, pbn(North="Łukasz")), "--db", db)
    as_pbn = run("export", "--format", "pbn", "--db", db)
    assert as_pbn.stdout.startswith("% PBN 2.1\n% EXPORT\n")
    assert '[North "Łukasz"]' in as_pbn.stdout
    other = str(tmp_path / "other.db")
    run("import", written(tmp_path, as_pbn.stdout), "--db", other)
    assert run("export", "--format", "pbn", "--db", other).stdout == as_pbn.stdout
    assert "mb|4S|" in run("export", "--format", "lin", "--db", db).stdout
    assert "pbn.encoding" in run("export", "--format", "pbn", "--latin-1", "--db", db).stderr


def test_only_bridge_can_be_written_as_pbn(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    hearts = '{"type":"open","game":"hearts","players":["a","b","c","d"]}\n'
    run("import", written(tmp_path, hearts, "night.jsonl"), "--db", db)
    assert run("export", "--format", "pbn", "--db", db).stdout.count("[Event") == 0
    match = json.loads(run("matches", "--json", "--db", db).stdout)["matches"][0]["id"]
    assert "format.game" in run("export", match, "--format", "pbn", "--db", db).stderr


def test_a_file_may_come_by_a_pipe(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    done = CliRunner().invoke(main, ["import", "-", "--db", db], input=BROKEN)
    assert "<stdin>:24: pbn.tag" in done.stderr
    assert (
        "<stdin>: 2 matches"
        in CliRunner().invoke(main, ["import", "--keep-going", "-", "--db", db], input=BROKEN).stdout
    )


def test_a_refused_file_tells_a_thousand_problems_and_counts_the_others(tmp_path: Path) -> None:
    path = written(tmp_path, '[Board "x"]\n[Contract "4S"]\n\n' * 1_200)
    answer = run("import", path, "--json", "--db", str(tmp_path / "club.db"))
    assert (answer.exit_code, answer.stderr.count("pbn.board")) == (2, 1_000)
    assert answer.stderr.endswith("made.pbn: 200 more problems; `cardledger replay` tells them all\n")
    assert json.loads(answer.stdout)["problems"] == 1_200
