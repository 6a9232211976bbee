"""The command line: every help example runs, every command does what it says, problems are one line each."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import click
import pytest
from click.testing import CliRunner, Result

from cardledger.cli import main as cli
from cardledger.cli.sections import SECTIONS
from cardledger.errors import UnusableError
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.sqlite import SqliteStore
from cardledger.record.store.write_lock import WriteLock
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine.events import Open, encode
from cardledger.rules.games import games
from tests.conftest import SAMPLES
from tests.waiting import LIMIT

ELSEWHERE = {"serve", "demo", "warm", "test"}
"""Commands whose examples run for long or need another server; they are tested in files of their own, as PostgreSQL is."""
COMMANDS = sorted(cli.main.list_commands(click.Context(cli.main)))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the samples and a ledger of one match whose id begins with 5."""
    shutil.copytree(SAMPLES, tmp_path / "samples")
    monkeypatch.chdir(tmp_path)
    opening = '{"type":"open","game":"diversity","players":["ana","ben","chloe","dev"],"id":"5a0ea0c2-77f1-4c8e-8cc2-9b4dbe6f0a55"}'
    deal = '{"type":"deal","dealer":0,"hands":null}'
    plays = [f'{{"type":"play","seat":{seat},"card":"{card}"}}' for seat, card in ((1, "9S"), (2, "TH"), (3, "6C"))]
    Path("five.jsonl").write_text("\n".join([opening, deal, *plays]))
    run("import", "five.jsonl", "--db", "club.db")
    return tmp_path


def run(*words: str, status: int = 0, stdin: bytes | None = None) -> Result:
    result = CliRunner().invoke(cli.main, list(words), input=stdin)
    assert result.exit_code == status, (words, result.output, result.exception)
    return result


def examples(name: str) -> list[str]:
    text = run(name, "--help").stdout if name else run("--help").stdout
    return re.findall(r"^    (cardledger .+)$", text, re.MULTILINE)


@pytest.mark.long
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_every_command_has_help_with_examples_that_run(name: str, here: Path) -> None:
    found = examples(name)
    assert found, f"{name} --help shows no example"
    if name == "export":
        run("import", "samples/evenings/bridge-pairs.xml", "--db", "club.db")
    if name in ("discussion", "quiz"):
        hand = simulate("whist", 4, Random(1), ["cautious"], max_hands=1)
        opening, *events = (json.loads(encode(event)) for event in hand)
        whole = [opening | {"id": "55a0ea0c-77f1-4c8e-8cc2-9b4dbe6f0a55"}, *events]
        Path("whole.jsonl").write_text("\n".join(map(json.dumps, whole)))
        run("import", "whole.jsonl", "--db", "whole.db")
        found = [line.replace("club.db", "whole.db") for line in found]
    every = "".join(f"{rank}{suit}\n" for rank in "23456789TJQKA" for suit in "CDHS") * 30
    if name in ("analyse", "unpack", "what-if"):
        archives = re.findall(r"\S+\.parquet", " ".join(found))
        for archive, season in zip(archives, sorted(Path("samples").glob("*.jsonl")), strict=False):
            run("import", str(season), "--db", f"{archive}.db")
            run("pack", archive, "--db", f"{archive}.db")
    for line in found:
        words = shlex.split(line)
        if not ELSEWHERE & set(words) and "postgresql://" not in line:
            run(*words[1:], stdin=every.encode() if name == "quiz" else None)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_explained(name: str) -> None:
    command = cli.main.get_command(click.Context(cli.main), name)
    assert command is not None
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{name} {parameter.opts}"


def test_every_command_has_a_summary_that_fits_a_narrow_terminal() -> None:
    printed = CliRunner().invoke(cli.main, ["--help"], terminal_width=80).output
    assert {name for summaries in SECTIONS.values() for name in summaries} == {*COMMANDS}
    assert max(len(line) for line in printed.splitlines()) <= 80
    assert "..." not in printed.partition("Options:")[2]


def test_the_list_of_games_fits_a_narrow_terminal(here: Path) -> None:
    printed = run("games").output
    assert max(len(line) for line in printed.splitlines()) <= 80
    assert all(id in printed for id in games())


def test_python_m_ledger_is_the_same_command() -> None:
    command = [sys.executable, "-m", "cardledger", "games"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LIMIT).stdout
    assert re.findall(r"^(\S+)", shown, re.MULTILINE) == list(games())


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_rules_print_every_rule_and_option(game) -> None:
    shown = run("rules", game.id).stdout
    for rule in game.book:
        assert re.search(rf"^{re.escape(rule.id)} .*{re.escape(rule.text)}$", shown, re.MULTILINE)
    for option in game.options:
        assert f"Option {option.name}: {option.text}" in shown


def test_replay_json_is_the_replay_result(here: Path) -> None:
    for path in sorted(Path("samples").glob("*.jsonl")):
        shown = run("replay", "--json", str(path)).stdout.splitlines()
        expected = path.with_suffix(".expected.json").read_text().splitlines()
        assert [json.loads(line) for line in shown] == [json.loads(line) for line in expected]


def test_replay_prints_every_trick_and_score() -> None:
    path = SAMPLES / "diversity-club-night.jsonl"
    shown = run("replay", str(path)).stdout
    for line in path.with_suffix(".expected.json").read_text().splitlines():
        for hand in json.loads(line)["hands"]:
            for trick in hand["tricks"]:
                assert re.search(r"leads +" + " +".join(trick["cards"]) + rf" +\S+ takes \({trick['rule']}\)", shown)
    assert " wins." in shown


def test_replay_at_shows_the_table_and_what_may_come_next(here: Path) -> None:
    shown = run("replay", "--at", "5", "five.jsonl").stdout
    assert "trick: ben led 9S TH 6C" in shown
    assert "Next: ana may play" in shown


def test_replay_at_a_missing_event_is_a_problem(here: Path) -> None:
    for at in ("0", "6", "-1"):
        result = run("replay", "--at", at, "five.jsonl", status=2)
        assert result.stderr.startswith("five.jsonl:1: table.range: ")


def test_the_audit_names_the_rules_of_every_event() -> None:
    shown = run("replay", "--audit", str(SAMPLES / "diamonds-bid-revokes.jsonl")).stdout
    assert re.search(r"BROKEN follow\.suit: \w+ plays \w\w; legal: ", shown)
    assert "so     trick.trump: " in shown


def test_the_audit_shows_only_rules_broken_or_only_corrections() -> None:
    file = str(SAMPLES / "diamonds-bid-revokes.jsonl")
    whole = json.loads(run("replay", "--audit", "--json", file).stdout)
    broken = json.loads(run("replay", "--audit", "--only", "broken", "--json", file).stdout)
    assert [*whole] == [*broken] == ["seq", "events"] and len(whole["events"]) == whole["seq"] == broken["seq"]
    violations = json.loads(run("replay", "--json", file).stdout)["violations"]
    assert {one["seq"] for one in broken["events"]} == {one["seq"] for one in violations}
    shown = run("replay", "--audit", "--only", "broken", file).stdout
    assert shown.count("BROKEN") == len(violations) > 0
    samples = SAMPLES / "diversity-corrections.jsonl"
    types = [json.loads(line)["type"] for line in samples.read_text().splitlines()]
    corrected = run("replay", "--audit", "--only", "corrections", str(samples)).stdout.splitlines()
    assert [int(line.split()[0]) for line in corrected] == [
        seq for seq, type in enumerate(types, 1) if type in ("retract", "amend", "void")
    ]
    assert "give --audit too" in run("replay", "--only", "broken", file, status=2).stderr


def test_the_audit_marks_retracted_and_amended_events() -> None:
    shown = run("replay", "--audit", str(SAMPLES / "diversity-corrections.jsonl")).stdout
    assert "— no longer counts" in shown
    assert "— counts as: " in shown


def test_a_problem_is_one_line_with_file_line_code_and_exit_status_2(here: Path) -> None:
    Path("bad.jsonl").write_text(Path("five.jsonl").read_text() + '\n\n{"type":"play","seat":0,"card":"9S"}\n')
    for words in (["replay", "bad.jsonl"], ["import", "bad.jsonl", "--db", "x.db"]):
        result = run(*words, status=2)
        problem = [line for line in result.stderr.splitlines() if "table" in line]
        assert problem == ["bad.jsonl:7: table.holding: ana does not hold 9S"]


def test_texts_of_a_file_cannot_control_the_terminal(here: Path) -> None:
    Path("esc.jsonl").write_text('{"type":"\\u001b[2J"}\n')
    assert "\x1b" not in run("replay", "esc.jsonl", status=2).stderr
    note = '{"type":"note","text":"\\u001b[2J\\u0007"}\n'
    Path("esc.jsonl").write_text(Path("five.jsonl").read_text() + "\n" + note)
    assert "\x1b" not in run("replay", "--audit", "esc.jsonl").output


def test_replay_reads_standard_input(here: Path) -> None:
    assert "ben" in run("replay", "-", stdin=Path("five.jsonl").read_bytes()).stdout
    assert run("replay", "-", stdin=b'{"type"', status=2).stderr.startswith("<stdin>:1: format.json: ")


def test_matches_and_show_print_the_stored_matches(here: Path) -> None:
    assert "5a0ea0c2-77f1-4c8e-8cc2-9b4dbe6f0a55" in run("matches", "--db", "club.db").stdout
    assert "Diversity: ana, ben, chloe, dev" in run("show", "5a0", "--db", "club.db").stdout


def test_an_unknown_match_is_a_clear_error(here: Path) -> None:
    assert run("show", "77", "--db", "club.db", status=2).stderr == (
        "cardledger: store.unknown: there is no match 77\n  cardledger matches lists those there are\n"
    )


def test_a_file_that_is_not_a_ledger_gives_a_clear_error(here: Path) -> None:
    result = run("matches", "--db", "five.jsonl", status=2)
    assert result.stderr.startswith(
        "cardledger: store.open: five.jsonl is no ledger: this is a match file: `cardledger import`"
    )
    assert not Path("five.jsonl.lock").exists()


@pytest.mark.parametrize("command", ["matches", "export", "verify", "rebuild"])
def test_reading_a_missing_ledger_does_not_create_it(command: str, here: Path) -> None:
    first, hint = run(command, "--db", "typo.db", status=2).stderr.splitlines()
    assert first == "cardledger: store.missing: there is no ledger at typo.db"
    assert "--db" in hint
    assert not Path("typo.db").exists()


def test_the_ledger_may_be_named_by_the_environment(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDLEDGER_DB", "club.db")
    assert "5a0ea0c2" in run("matches").stdout


def test_verify_fails_with_the_first_event_that_does_not_fit(here: Path) -> None:
    import sqlite3

    db = sqlite3.connect("club.db")
    db.execute("DROP TRIGGER events_are_final")
    db.execute("UPDATE events SET line = replace(line, 'TH', '2H') WHERE seq = 4")
    db.commit()
    db.close()
    result = run("verify", "--db", "club.db", status=1)
    assert "5a0ea0c2-77f1-4c8e-8cc2-9b4dbe6f0a55:4: store.hash: " in result.stderr


def test_export_is_a_match_file_that_imports(here: Path) -> None:
    exported = CliRunner().invoke(cli.main, ["export", "--db", "club.db"]).stdout_bytes
    Path("out.jsonl").write_bytes(exported)
    run("import", "out.jsonl", "--db", "other.db")
    assert CliRunner().invoke(cli.main, ["export", "5a", "--db", "other.db"]).stdout_bytes == exported


def test_simulate_is_the_same_for_the_same_seed(here: Path) -> None:
    words = ["simulate", "poison-hearts", "--players", "3", "--seed", "4", "--matches", "2"]
    assert run(*words).stdout == run(*words).stdout != run(*words[:-3], "5").stdout
    run(*words, "--out", "played")
    assert len(list(Path("played").glob("*.jsonl"))) == 2
    run("replay", *map(str, Path("played").glob("*.jsonl")))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["diversity", "--players", "5"], "--players: diversity is for 4 players, not 5"),
        (["nothing"], "format.game: there is no game 'nothing'"),
        (["diversity", "--bots", "genius"], "format.bot: there is no bot 'genius'"),
        (["diversity", "--option", "hands=none"], "format.option: hands is a whole number"),
    ],
)
def test_simulate_refuses_impossible_options(words: list[str], message: str) -> None:
    assert message in run("simulate", *words, status=2).stderr


def test_people_are_named_merged_and_parted_again(here: Path) -> None:
    db = ["--db", "club.db"]
    run("simulate", "ruff", "--players", "3", *db)
    (ruff,) = [line.split()[0] for line in run("matches", *db).stdout.splitlines() if "ruff" in line]
    other = json.loads(run("show", ruff, "--json", *db).stdout)["players"][0]
    run("people", "name", "ana", "Ana Lima", *db)
    run("people", "merge", other, "ana", "--reason", "one person", *db)
    assert run("people", "list", *db).stdout.splitlines()[1].split(None, 1) == ["ana", f"Ana Lima  {other}"]
    run("people", "split", other, *db)
    run("people", "sat", "5a0", "1", "benno", "--reason", "another Ben", *db)
    assert json.loads(run("show", "5a0", "--json", *db).stdout)["players"][1] == "ben", "matches keep their ids"
    opening = run("show", "5a0", "--audit", *db).stdout.splitlines()[0]
    assert "Ana Lima" in opening and "benno" in opening and "ana" not in opening
    run("people", "sat", "5a0", "1", *db)
    run("people", "name", "ana", *db)
    assert run("people", "list", *db).stdout == ""
    assert "people.table" in run("people", "merge", "ana", "ben", *db, status=2).stderr
    assert "people.merged" in run("people", "split", "ana", *db, status=2).stderr


@pytest.mark.parametrize("command", ["import", "replay"])
def test_a_file_without_a_match_is_no_success(here: Path, command: str) -> None:
    Path("empty.jsonl").write_text("\n")
    words = [command, "empty.jsonl", *(["--db", "club.db"] if command == "import" else [])]
    done = CliRunner().invoke(cli.main, words)
    assert done.exit_code == 2
    assert "empty.jsonl:1: store.empty" in done.output


# --- what is refused leaves nothing behind


REFUSED = {
    "no match file": ("import", "{folder}/words.txt"),
    "no sheet": ("evening", "import", "{folder}/words.csv", "--yes"),
    "only previewed": ("evening", "import", str(SAMPLES / "evenings/hearts-tische.csv")),
    "no evening": ("evening", "open", "{folder}/words.txt", "--by", "ana"),
    "too many players": ("simulate", "whist", "--players", "99"),
    "less than none": ("simulate", "whist", "--players", "-3"),
    "no archive": ("unpack", "{folder}/words.parquet"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_leaves_no_ledger_behind(tmp_path: Path, what: str) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for ending in "txt", "csv", "parquet":
        (files / f"words.{ending}").write_text("hello\n")
    place = tmp_path / "new"
    place.mkdir()
    words = [word.format(folder=files) for word in REFUSED[what]]
    done = CliRunner().invoke(cli.main, [*words, "--db", str(place / "club.db")])
    assert done.exit_code == 2, done.output
    assert [*place.iterdir()] == []
    assert "a new one was made" not in done.stderr


def test_a_new_ledger_that_somebody_else_uses_stays(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with closing(SqliteStore(path)) as store, Ledger(path) as other:
        assert store.created
        other.record(None, [Open(game="whist", players=("a", "b", "c", "d"))], 0)
        assert not store.withdraw()
    empty = tmp_path / "empty.db"
    with closing(SqliteStore(empty)) as store, Ledger(empty) as other:
        assert store.withdraw()
        with pytest.raises(UnusableError, match="is not the file"):
            other.record(None, [Open(game="whist", players=("a", "b", "c", "d"))], 0)
    assert not empty.exists()


def test_a_new_ledger_that_somebody_is_writing_to_stays(tmp_path: Path) -> None:
    path = tmp_path / "club.db"
    with closing(SqliteStore(path)) as store, WriteLock(path).held(0.0):
        assert not store.withdraw()
    assert path.exists()


def test_an_error_of_the_system_that_is_not_of_the_output_is_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli.main.commands["games"], "callback", lambda **_: os.read(2**20, 1))
    with pytest.raises(OSError, match="Bad file descriptor"):
        cli.main.main(["games"], standalone_mode=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device here")
@pytest.mark.parametrize(
    "words", [("games",), ("rules", "whist"), ("simulate", "whist", "--matches", "9"), ("--help",)]
)
def test_output_that_cannot_be_written_is_said_in_one_line(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cardledger", *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "cardledger: store.write: the output cannot be written: No space left on device\n"


def test_an_option_in_the_place_of_a_ledger_makes_no_file(here: Path) -> None:
    before = {*here.iterdir()}
    for words in (["matches", "--db", "--help"], ["import", "x.jsonl", "--db", "--yes"], ["serve", "--db", "-p"]):
        result = CliRunner().invoke(cli.main, words)
        assert result.exit_code == 2
        assert "is an option and names no ledger" in result.output
    assert {*here.iterdir()} == before
