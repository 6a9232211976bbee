"""What commands print: JSON where it is asked for, tables that fit, signs and colours only on a terminal, problems with hints."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from shutil import copy
from typing import Any

import click
import pytest
from click.shell_completion import get_completion_class
from click.testing import CliRunner, Result

from cardledger.cli import main as cli
from cardledger.cli import output
from cardledger.record.matches.grid import columns, grid
from cardledger.record.recording.ledger import Ledger
from cardledger_web.app import access_of, create_app, ledger_of
from tests.conftest import SAMPLES
from tests.documents import DOCUMENTS
from tests.evenings.bridge import HOWELL, words_of

OTHER_FORMS = {
    "demo": "serves", "export": "a match file", "prove": "a tlog proof",
    "receipt": "a receipt, which is JSON", "serve": "serves",
}  # fmt: skip
"""Commands without --json, and what they print."""


def run(*words: str, status: int = 0, env: dict[str, str] | None = None) -> Result:
    result = CliRunner().invoke(cli.main, list(words), env=env)
    assert result.exit_code == status, (words, result.output, result.exception)
    return result


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("club") / "club.db")
    for name in ("diversity-corrections", "euchre-alone", "hearts-moon"):
        run("import", str(SAMPLES / f"{name}.jsonl"), "--db", path)
    run("people", "name", "ana", "Ana Lima", "--db", path)
    run("evening", "open", str(SAMPLES / "evenings" / "tuesday.jsonl"), "--db", path)
    return path


def leaves(command: click.Command, name: str = "") -> dict[str, click.Command]:
    """Return all commands that do something, by their words."""
    if not isinstance(command, click.Group):
        return {name: command}
    context = click.Context(command)
    subs = {sub: command.get_command(context, sub) for sub in command.list_commands(context)}
    return {
        words: leaf for sub, one in subs.items() if one for words, leaf in leaves(one, f"{name} {sub}".strip()).items()
    }


def test_every_command_that_prints_has_the_same_option_for_json() -> None:
    without = set()
    for words, command in leaves(cli.main).items():
        helps = [one.help for one in command.params if isinstance(one, click.Option) and "--json" in one.opts]
        without |= {words} if not helps else set()
        assert all(text and text.startswith("As JSON") and len(text.split()) > 3 for text in helps), words
        assert "JSON" not in "".join(helps).removeprefix("As JSON"), f"{words}: say what the JSON holds"
    assert without == OTHER_FORMS.keys()


def test_every_option_names_its_value_in_a_word_of_its_own() -> None:
    for words, command in leaves(cli.main).items():
        for option in command.params:
            if isinstance(option, click.Option) and not option.is_flag and not isinstance(option.type, click.Choice):
                shown = option.make_metavar(click.Context(command))
                assert not re.search("INTEGER|FLOAT|RANGE|DIRECTORY", shown), (words, option.name)
                assert shown != "TEXT" or option.name not in ("by", "name", "player", "bots"), (words, option.name)


RUNS = {
    "amend": "MATCH 1 event=Cup", "analyse": "SAMPLES/hearts-moon.jsonl --out TMP/out", "backup": "TMP/backup", "checkpoint": "", "clubs create": "TMP new", "clubs forget": "TMP ana", "clubs list": "FOLDER", "clubs set": "TMP events=5", "config": "", "discussion": "MATCH --event 2 --author ana --text Why?",
    "copy": "DB TMP/copy.db", "doctor": "", "double-dummy": "BOARDS", "drill": "--from BACKUP", "evening boards": "EVENING", "evening card": "EVENING 1",
    "evening import": "SAMPLES/evenings/hearts-tische.csv --yes", "evening layouts": "", "evening late": "Howell 6 zoe,yan --sits next", "evening movement": "Howell --minutes 90", "evening list": "", "evening new": "--name Friday --game hearts --here ana,ben,chloe,dev",
    "evening not-played": "Howell --board 10", "evening open": "SAMPLES/evenings/tuesday.jsonl", "evening penalty": "Howell 3 2", "evening publish": "EVENING", "evening round": "EVENING",
    "evening ruling": "Howell --board 9 --ns A+", "evening results": "Canasta", "evening rulings": "Howell", "evening show": "EVENING", "evening take-back": "Howell 10 --yes",
    "evening drive": "DRIVE --next", "evening tricks": "DRIVE 8 5", "evening prizes": "DRIVE --hidden-table 2", "evening said": "DRIVE 1 9", "evening result": "Tables 1 pass", "evening handicap": "DRIVE 1:2", "evening masterpoints": "EVENING", "evening guide": "Howell",
    "explain": "store.gap", "games": "", "habits": "ana hearts", "import": "SAMPLES/oh-hell-five.jsonl", "key": "", "luck": "hearts", "lesson lead": "Monday on", "lesson list": "", "lesson open": "MATCH 1", "lesson show": "Monday", "lesson vote": "Monday ana CHOICE",
    "hands": "hearts --where points:1..", "matches": "", "pack": "TMP/a.parquet", "people erase": "ana --yes", "people list": "", "people merge": "gus dev", "people pose": "ana --no", "people shown": "ana none", "people name": "ben Ben",
    "people sat": "MATCH 0 zoe", "people similar": "", "people split": "hana", "publish": "TMP/site --workers 1", "publish-data": "TMP/open --title Cards --publisher Club --license CC0-1.0 --k 2 --regular 1", "puzzles": "ruff", "quiz": "MATCH 1 --seat 0", "rebuild": "", "replay": "SAMPLES/hearts-moon.jsonl",
    "restore": "BACKUP TMP/new.db", "review": "MATCH", "rules": "hearts", "show": "MATCH", "simulate": "hearts", "stats after-bad-hand": "hearts", "stats cards": "hearts", "stats change": "ana", "stats company": "ana", "stats decisions": "hearts", "stats definitions": "", "stats dealer": "", "stats forecasts": "", "stats partner-calls": "spades",
    "stats head-to-head": "ana ben", "stats measures": "", "stats pairs": "hearts", "stats partnerships": "whist", "stats player": "ana", "stats players": "hearts",
    "acts": "", "stats progress": "ana", "stats ratings": "hearts", "tables": "", "token create": "zoe", "token list": "", "token revoke": "ana", "unpack": "PACKED", "verify": "",
    "void": "MATCH --reason torn", "webhook create": "desk https://example.org/", "webhook delete": "board",
    "webhook deliveries": "board", "webhook list": "", "webhook test": "board", "witness know": "cardledger/next+b58f9f71+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f", "witness ask": "cardledger/next+b58f9f71+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f https://example.org/witness", "witness list": "", "witness remove": "cardledger/next", "what-if": "--rules ruff-2/2 --game ruff-2 --workers 1",
}  # fmt: skip
"""What follows each command that has --json, so that it prints something."""
SLOW = ("publish", "analyse", "double-dummy", "luck", "puzzles", "quiz", "review")


@pytest.fixture(scope="module")
def stored(db: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A ledger with something for every command, and the words that stand for its parts."""
    folder = tmp_path_factory.mktemp("every")
    path = str(folder / "every.db")
    run("copy", db, path)
    run("import", str(SAMPLES / "bridge-rubber-and-chicago.jsonl"), "--db", path)
    run("import", str(SAMPLES / "ruff-2-rounds.jsonl"), "--db", path)
    (folder / "howell.jsonl").write_text("\n".join(map(json.dumps, HOWELL)))
    run("evening", "open", str(folder / "howell.jsonl"), "--db", path)
    pairs = [word for pair in ("pia,quim", "rex,sol", "tia,uri", "vin,wes") for word in ("--entry", pair)]
    bridge = words_of("Tables", "matchpoints", "howell", "--date", "2026-01-06")
    run("evening", "new", *bridge, *pairs, "--db", path)
    run("evening", "round", "Tables", "--open", "--db", path)
    run("people", "merge", "hana", "chloe", "--db", path)
    run("token", "create", "ana", "--db", path)
    run("webhook", "create", "board", "http://192.0.2.1/", "--private-webhooks", "--db", path)
    run("witness", "know", "cardledger/next+b58f9f71+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f", "--db", path)
    run("pack", str(folder / "packed.parquet"), "--db", path)
    run("backup", str(folder / "backup"), "--db", path)
    words = (
        "--name",
        "Drive",
        "--game",
        "whist",
        "--scoring",
        "total",
        "--here",
        "Uma, Vic, Wyn, Xia, Yul, Zev, Quin, Rory",
    )
    run("evening", "new", *words, "--db", path)
    run("evening", "drive", "Drive", "--hands", "12", "--next", "--db", path)
    run("evening", "tricks", "Drive", "7", "6", "--db", path)
    canasta = str(SAMPLES / "evenings" / "canasta.csv")
    run(
        "evening",
        "import",
        canasta,
        "--game",
        "Canasta",
        "--wins",
        "most",
        "--names",
        "Quinn=new",
        "--yes",
        "--db",
        path,
    )
    listed = json.loads(run("matches", "--json", "--db", path).stdout)["matches"]
    evenings = [json.loads(line) for line in run("evening", "list", "--json", "--db", path).stdout.splitlines()]
    hearts = next(one["id"] for one in listed if one["game"] == "hearts")
    lesson = json.loads(
        run("lesson", "open", hearts, "1", "--seat", "0", "--name", "Monday", "--json", "--db", path).stdout
    )
    return {
        "CHOICE": lesson["choices"][0], "FOLDER": str(folder), "DB": path, "SAMPLES": str(SAMPLES), "BACKUP": str(folder / "backup"),
        "PACKED": str(folder / "packed.parquet"),
        "MATCH": hearts,
        "BOARDS": next(one["id"] for one in listed if one["game"] == "bridge"),
        "DRIVE": next(one["evening"] for one in evenings if one["name"] == "Drive"),
        "EVENING": next(one["evening"] for one in evenings if one["evening"].startswith("session")),
    }  # fmt: skip


def test_every_command_with_json_is_tried() -> None:
    assert RUNS.keys() | {"warm"} == leaves(cli.main).keys() - OTHER_FORMS.keys(), "all but warm, which takes minutes"


@pytest.mark.parametrize("words", [pytest.param(one, marks=[pytest.mark.long] * (one in SLOW)) for one in RUNS])
def test_json_is_on_standard_output_and_nothing_else(words: str, stored: dict[str, str], tmp_path: Path) -> None:
    copied = tmp_path / "club.db"
    for file in Path(stored["FOLDER"]).glob("every.*"):
        copy(file, tmp_path / file.name.replace("every", "club"))
    given = RUNS[words]
    for name, value in (stored | {"DB": str(copied), "TMP": str(tmp_path)}).items():
        given = given.replace(name, value)
    command = leaves(cli.main)[words]
    has_db = any("--db" in one.opts for one in command.params) and words not in ("replay", "analyse")
    more = ["--db", str(copied)] if has_db else []
    result = CliRunner().invoke(cli.main, [*words.split(), *given.split(), "--json", *more])
    assert result.exit_code == (1 if words == "webhook test" else 0), (words, result.output, result.exception)
    lines = result.stdout.splitlines()
    assert lines, words
    assert all(isinstance(json.loads(line), dict | list) for line in lines)


def test_the_points_of_bots_are_json_only_where_the_matches_go_elsewhere(tmp_path: Path) -> None:
    words = ("simulate", "ruff", "--matches", "2", "--json")
    told = json.loads(run(*words, "--out", str(tmp_path)).stdout)
    assert told["game"] == "ruff"
    assert [(bot["bot"], bot["matches"]) for bot in told["bots"]] == [("cautious", 2), ("random", 2)]
    assert "--json needs --out or --db" in run(*words, status=2).stderr


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("evening show EVENING", "/sessions/EVENING/ranking"),
        ("evening boards EVENING", "/sessions/EVENING/travellers"),
        ("evening card EVENING 1", "/sessions/EVENING/cards/1"),
        ("evening round EVENING", "/sessions/EVENING/round"),
        ("evening movement EVENING --boards 3", "/sessions/EVENING/movements?boards=3"),
        ("evening drive DRIVE", "/sessions/DRIVE/drive"),
        ("evening prizes DRIVE", "/sessions/DRIVE/prizes"),
        ("evening said DRIVE", "/sessions/DRIVE/differences"),
        ("evening handicap DRIVE", "/sessions/DRIVE/handicaps"),
        ("evening masterpoints EVENING", "/sessions/EVENING/masterpoints"),
        ("evening masterpoints", "/masterpoints"),
        ("habits ana hearts", "/players/ana/habits?game=hearts"),
        ("matches", "/matches?limit=200"),
    ],
)
def test_json_that_is_called_the_answer_of_the_api_has_its_keys(
    words: str, address: str, stored: dict[str, str]
) -> None:
    app = create_app(Path(stored["DB"]))
    for name in ("EVENING", "DRIVE"):
        words, address = words.replace(name, stored[name]), address.replace(name, stored[name])
    try:
        answer = app.test_client().get("/api/v1" + address).get_json()
    finally:
        access_of(app).close()
        ledger_of(app).close()
    printed = json.loads(run(*words.split(), "--json", "--db", stored["DB"]).stdout)
    assert "code" not in answer, answer
    assert answer.keys() - {"total"} <= printed.keys()


def test_the_list_of_matches_as_json_is_the_answer_of_the_api(db: str) -> None:
    def api(address: str) -> Any:
        return app.test_client().get(address).get_json()

    app = create_app(Path(db), open_reading=True)
    try:
        for query, options in (("", []), ("?game=hearts", ["--game", "hearts"]), ("?limit=1", ["--limit", "1"])):
            assert json.loads(run("matches", "--json", *options, "--db", db).stdout) == api(f"/api/v1/matches{query}")
        told = {one["id"]: one for one in json.loads(run("games", "--json").stdout)}
        for one in api("/api/v1/games")["games"]:
            both = told[one["id"]].keys() & one.keys() - {"players"}
            assert {key: one[key] for key in both} == {key: told[one["id"]][key] for key in both}
    finally:
        ledger_of(app).close()
        access_of(app).close()


def test_matches_are_filtered_and_limited(db: str) -> None:
    def listed(*options: str) -> list[str]:
        return [line.split()[2] for line in run("matches", *options, "--db", db).stdout.splitlines()[1:]]

    games = listed()
    assert len(games) > 2
    assert listed("--game", "hearts") == ["hearts"]
    assert listed("--limit", "1") == games[-1:]
    assert listed("--player", "nobody") == []
    assert run("matches", "--player", "nobody", "--db", db).stderr == "no match fits: leave out a filter\n"
    assert listed("--since", "2026-01-01", "--until", "2026-12-31") == games
    assert run("matches", "--since", "soon", "--db", db, status=2).stdout == ""


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("words", ["matches", "people list", "evening list", "stats measures", "rules bridge", "games"])
def test_tables_fit_the_width(words: str, width: int, db: str) -> None:
    more = [] if words.split()[0] in ("games", "rules") else ["--db", db]
    lines = run(*words.split(), *more, env={"COLUMNS": str(width)}).stdout.splitlines()
    long = [line for line in lines if columns(line) > width and " " in line.strip()]
    assert not long


def test_a_table_breaks_its_last_column_and_then_stands_in_blocks() -> None:
    rows = [["ana", "7", "one two three four"], ["ben", "11", "five"]]
    assert [*grid(["who", "points", "words"], rows, 33)] == [
        "who  points  words", "ana       7  one two three four", "ben      11  five",
    ]  # fmt: skip
    assert max(map(len, grid(["who", "points", "words"], rows, 31))) <= 31
    assert [*grid(["who", "points", "words"], rows, 20)][:3] == ["ana", "  points  7", "  words   one two"]


def test_signs_and_colours_are_for_terminals_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def printed(*players: str) -> str:
        output.print_match(["ana leads  TH  9S"], players)
        return capsys.readouterr().out

    assert printed("ana", "ben") == "ana leads  TH  9S\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert printed("ana", "ben") == "ana leads  \x1b[31mT♥\x1b[0m  9♠\x1b[0m\n"
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed("ana", "ben") == "ana leads  T♥  9♠\n"
    assert printed("AS", "ben") == "ana leads  TH  9S\n", "a name that reads like a card"


def test_all_problems_of_a_file_come_at_once_with_hints(tmp_path: Path) -> None:
    file, db = tmp_path / "wrong.jsonl", tmp_path / "club.db"
    opening = '{"type":"open","game":"diversity","players":["ana","ben","chloe","dev"],"date":"22.11.2026"}'
    good = '{"type":"open","game":"diversity","players":["ana","ben","chloe","dev"],"date":"2026-11-22"}'
    wrong = [
        '{"type":"deal","dealer":"ana","hands":null}',
        '{"type":"paly","seat":1,"card":"10H"}',
        '{"type":"play","seet":1,"card":"TH"}',
        "{",
    ]
    file.write_text("\n".join([good, opening, *wrong, good]))
    for words in (("import", str(file), "--db", str(db)), ("replay", str(file))):
        lines = run(*words, status=2).stderr.splitlines()
        told = [line.removeprefix(f"{file}:") for line in lines if line.startswith(str(file))]
        assert [line.split(":")[0] for line in told] == ["2", "4", "5", "6"]
        assert told[0].endswith("write 2026-11-22")
        assert "did you mean 'play'?" in told[1]
        assert "did you mean 'seat'?" in told[2]
    with Ledger(db, create=False) as ledger:
        assert len(ledger.matches()) == 1, "as before: what stands before the first problem"


def test_errors_say_what_to_do_next(db: str) -> None:
    for words, hint in (
        (("matches", "--db", "nowhere.db"), "--db"),
        (("show", "zz", "--db", db), "cardledger matches"),
        (("rules", "diversty"), "did you mean 'diversity'?"),
        (("explain", "follow.siut"), "did you mean follow.suit"),
        (("matchs",), "matches"),
    ):
        assert hint in run(*words, status=2).stderr, words


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_documented_and_works(shell: str) -> None:
    variable = "_CARDLEDGER_COMPLETE"
    assert f"{variable}={shell}_source" in DOCUMENTS["ledger/cardledger/cli/README.md"]
    kind = get_completion_class(shell)
    assert kind is not None
    completer = kind(cli.main, {}, "cardledger", variable)
    assert variable in completer.source_template % completer.source_vars()
    assert {one.value for one in completer.get_completions([], "mat")} == {"matches"}
    assert {one.value for one in completer.get_completions(["matches", "--status"], "c")} == {"complete"}
