"""The first minutes on the command line: documents work as printed, slips are understood, advice fits its case."""

from __future__ import annotations

import csv
import io
import json
import os
import pickle
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from cardledger.cli import main as cli
from cardledger.cli.notices import tell_if_similar, what_next
from cardledger.codes import explained
from cardledger.errors import StoreError
from cardledger.sentence import Sentence, advising
from tests.documents import DOCUMENTS, ROOT, SAVED
from tests.test_cli import run
from tests.test_plugin import installed
from tests.waiting import LIMIT
from tests.web.server import running

FENCE = re.compile(r"^```(?:sh)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = {
    f"{name}:{text[: found.start()].count(chr(10)) + 1}": found[1]
    for name, text in DOCUMENTS.items()
    for found in FENCE.finditer(text)
    if re.search(r"^cardledger ", found[1], re.MULTILINE)
}
"""Every block of a document with commands of ours, by its place."""
TUTORIALS = {name: text for name, text in DOCUMENTS.items() if "/tutorials/" in name}
TOURS = {place: block for place, block in BLOCKS.items() if block.startswith(". .venv/bin/activate")} | {
    name: "".join(found[1] for found in FENCE.finditer(SAVED.sub("", text))) for name, text in TUTORIALS.items()
}
"""What a reader types into one shell: a block that begins with the environment, or all of a tutorial."""


def commands(block: str) -> list[list[str]]:
    """Return the words of each command of ours; what follows `>` and `#` is the shell's."""
    lines = block.replace("\\\n", " ").splitlines()
    return [shlex.split(re.split(r" \d?>+ ?|\s#\s", line)[0])[1:] for line in lines if line.startswith("cardledger ")]


def expect_known(words: list[str], patch: pytest.MonkeyPatch) -> None:
    """Parse a command as the program does, without running it: names, options and their values."""
    command: click.Command = cli.main
    above = click.Context(cli.main, info_name="cardledger")
    while isinstance(command, click.Group):
        name, found, rest = command.resolve_command(above, words)
        assert found is not None
        command, words = found, rest
        if isinstance(command, click.Group):
            above = click.Context(command, above, name)
    for option in command.params:  # files that a reader has and we have not
        if isinstance(option.type, click.Path | click.File):
            patch.setattr(option, "type", click.STRING)
    command.make_context(words[0] if words else "", [*words], above).close()


@pytest.mark.parametrize("place", BLOCKS)
def test_every_command_that_a_document_prints_is_one(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = commands(BLOCKS[place])
    assert found
    for words in found:
        expect_known(words, monkeypatch)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="the tours are for a POSIX shell")
@pytest.mark.parametrize("place", TOURS)
def test_a_tour_works_in_a_fresh_shell_as_printed(place: str, tmp_path: Path) -> None:
    """A reader has the folder of the project and its `.venv`; the last command serves.

    What pip would install lies on the path already, as it would lay it out: a test needs no index of packages.
    """
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    runs = {"cardledger": f'"{sys.executable}" -m cardledger "$@"', "python": f'"{sys.executable}" "$@"', "pip": "echo"}
    for name, command in runs.items():
        program = tmp_path / ".venv" / "bin" / name
        program.write_text(f"#!/bin/sh\nexec {command}\n")
        program.chmod(0o755)
    site = tmp_path / "site"
    site.mkdir()
    for name, text in SAVED.findall(DOCUMENTS[place.partition(":")[0]]):
        (tmp_path / name).write_text(text, encoding="utf-8")
        for each in (
            tomllib.loads(text)["project"]["entry-points"]["cardledger.games"] if name.endswith(".toml") else ()
        ):
            installed(site, each, (tmp_path / f"{each.replace('-', '_')}.py").read_text("utf-8"))
    (tmp_path / ".venv" / "bin" / "activate").write_text('PATH="$PWD/.venv/bin:$PATH"\n')
    *lines, last = TOURS[place].strip().splitlines()
    assert last.startswith("cardledger serve ")
    script = "\n".join(["set -e", *lines, last.partition(" #")[0].rstrip() + " --port 0"])
    fresh = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": f"{site}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        "PYTHONUNBUFFERED": "1",
    }
    shell = subprocess.Popen(
        ["/bin/sh", "-c", script.replace("cardledger serve", "exec cardledger serve")],
        cwd=tmp_path, env=fresh, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with running(shell) as (address, said):
        assert address.startswith("http://127.0.0.1:")
        assert len(said) > len(lines), "every command said something"


def test_every_tutorial_tells_of_files_before_it_uses_them() -> None:
    assert TUTORIALS
    for name, text in TUTORIALS.items():
        saved = {file for file, _ in SAVED.findall(text)}
        assert {*re.findall(r"^python (\S+)", TOURS[name], re.MULTILINE)} <= saved, name
        assert text.count("```") // 2 == len(SAVED.findall(text)) + len(FENCE.findall(SAVED.sub("", text))), name


def test_the_first_documents_are_tours() -> None:
    assert {place.partition(":")[0] for place in TOURS} >= {"README.md", "ledger/cardledger/cli/README.md"}


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("games", "--jsn"), "'--json'"),
        (("matchs",), "'matches'"),
        (("evening", "opne"), "'open'"),
        (("rules", "harts"), "'hearts'"),
        (("simulate", "hearts", "--bots", "cautios"), "'cautious'"),
        (("simulate", "oh-hell", "--option", "ordr=up"), "'order'"),
        (("matches", "--status", "complet"), "'complete'"),
        (("what-if", "--rules", "diversity-2"), "'diversity/2'"),
        (("stats", "players", "diversity", "--measure", "plcae"), "'place'"),
        (("hands", "diversity", "--where", "takn:1"), "'taken'"),
        (("evening", "new", "--name", "x", "--game", "whits", "--here", "a,b,c,d"), "'whist'"),
    ],
)
def test_a_slip_is_understood(
    words: tuple[str, ...], meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = str(tmp_path / "club.db")
    run("import", str(ROOT / "samples/diversity-club-night.jsonl"), "--db", db)
    monkeypatch.setenv("CARDLEDGER_DB", db)
    known = run(*words, status=2).stderr
    assert re.search(rf"[Dd]id you mean (one of: )?.*{meant}", known), known


@pytest.mark.parametrize("players", ["99", "-3", "0"])
def test_no_number_of_players_is_a_traceback(players: str) -> None:
    said = run("simulate", "hearts", "--players", players, status=2).stderr
    assert f"hearts is for 4 players, not {players}" in said


SILENT = StoreError("store.write", "x cannot be written: No space left on device")


@pytest.mark.parametrize("message", ["there is no folder x: make it first", Sentence("{x} is there: leave it", x="y")])
def test_a_message_with_advice_gets_no_other(message: str) -> None:
    error = StoreError("store.write", advising(message))
    assert what_next(error) == what_next(pickle.loads(pickle.dumps(error))) == ""
    assert str(error) == f"store.write: {message}"


def test_a_message_without_advice_gets_that_of_its_code() -> None:
    assert what_next(SILENT) == getattr(explained("store.write"), "remedy", None) != ""


def test_two_names_at_one_table_are_two_people(capsys: pytest.CaptureFixture[str]) -> None:
    known = {"Leon"}
    tell_if_similar("f:1", ["Lea", "Leah", "Léon"], known)
    said = capsys.readouterr().err
    assert "Léon is new and looks like Leon;" in said
    assert "Leah" not in said, "a merge of two who sat together is refused"
    tell_if_similar("f:2", ["Lea", "Léah"], known)
    assert "Léah is new and looks like Leah" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
@pytest.mark.parametrize("words", [("pack",), ("backup",)])
def test_what_is_no_file_is_not_replaced(words: tuple[str, ...], tmp_path: Path) -> None:
    db, pipe = str(tmp_path / "club.db"), tmp_path / "pipe"
    run("import", str(ROOT / "samples/diversity-club-night.jsonl"), "--db", db)
    os.mkfifo(pipe)
    assert "store.open" in run(*words, str(pipe), "--db", db, status=2).stderr
    assert pipe.is_fifo()


@pytest.mark.parametrize("env", [{"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}, {"LC_ALL": "C"}])
def test_signs_are_ascii_where_the_output_is(env: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cardledger", "rules", "ruff"], capture_output=True, timeout=LIMIT, check=True,
        env={name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))} | env,
    )  # fmt: skip
    assert "+ can be broken at the table" in done.stdout.decode("ascii")


@pytest.mark.parametrize("env", [{"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}, {"LC_ALL": "C"}])
def test_data_for_programs_stay_as_they_are_where_the_output_is_ascii(env: dict[str, str], tmp_path: Path) -> None:
    place = "Club \u2014 hall \u2665, \u201cupstairs\u201d"
    db, file = str(tmp_path / "club.db"), tmp_path / "match.jsonl"
    opening = {
        "type": "open",
        "game": "ruff",
        "players": ["ana", "ben", "Łukasz"],
        "place": place,
        "date": "2026-11-07",
    }
    file.write_text(json.dumps(opening) + "\n")
    run("import", str(file), "--db", db)
    told = {}
    for words in (("tables", "matches", "--csv"), ("matches", "--json")):
        done = subprocess.run(
            [sys.executable, "-m", "cardledger", *words, "--db", db], capture_output=True, timeout=LIMIT, check=True,
            env={name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))} | env,
        )  # fmt: skip
        told[words[0]] = done.stdout.decode()
    (row,) = csv.DictReader(io.StringIO(told["tables"]))
    assert row["venue"] == place and "Łukasz" in row["players"]
    (match,) = json.loads(told["matches"])["matches"]
    assert match["place"] == place
