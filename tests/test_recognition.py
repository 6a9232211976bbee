"""Files that are something else: the refusal says what they are and what to do, on the command line, on pages, over HTTP."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import zipfile
from contextlib import closing, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cardledger.cli.main import main
from cardledger.errors import FormatError
from cardledger.formats.mending import mended
from cardledger.formats.recognition import (
    LOOKED_AT,
    in_utf_8,
    is_list_of_events,
    is_no_match_file,
    is_sheet,
    kind_of_text,
    no_sheet,
    what_it_is,
)
from cardledger.record.recording.ledger import Ledger
from tests.conftest import SAMPLES


def zipped(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for name in names:
            file.writestr(name, "x")
    return content.getvalue()


def database(path: Path) -> bytes:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE scores (points)")
        db.commit()
    return path.read_bytes()


def ledger(path: Path) -> bytes:
    Ledger(path).close()
    return path.read_bytes()


SAID = {
    "%PDF-1.7\n": "a PDF",
    b"\x89PNG\r\n\x1a\n": "a picture",
    b"\xff\xd8\xff\xe0": "a picture",
    b"\0\0\0\x18ftypheic": "a picture",
    gzip.compress(b"x", mtime=0): "compressed",
    zipped("[Content_Types].xml", "xl/workbook.xml"): "evening import",
    zipped("[Content_Types].xml", "word/document.xml"): "Word",
    zipped("matches.jsonl"): "ZIP",
    b"\xd0\xcf\x11\xe0\xa1\xb1": "old file",
    "<!DOCTYPE html><p>": "a web page",
    "{\u201ctype\u201d:\u201copen\u201d}": "curly",
    "Name;R1;R2\nAda;1;2\n": "a sheet",
    "\ufeffName,R1,R2\nAda,1,2\n": "a sheet",
    "hello": "a text, and no file of matches",
    "[serve]\nport = 80\n": "settings (TOML)",
    "{\u201dtype\u201d:\u201dopen\u201d}": "curly",
    '[{"type":"open","game":"whist"},': "breaks off",
    '{"seq":1,"events":[{"type":"open"': "breaks off",
    "Name;R1;R2\nAda;1;2\n".encode("utf-16"): "a sheet",
    "hello".encode("utf-16"): "a text, and no file of matches",
}


@pytest.mark.parametrize("content", SAID, ids=range(len(SAID)))
def test_a_file_that_is_something_else_is_named(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "night"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    for command in (["import", str(path), "--db", str(tmp_path / "club.db")], ["replay", str(path)]):
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 2
        assert SAID[content] in done.stderr, done.stderr
        assert not any(word in done.stderr for word in ("codec", "Expecting", "char 0", "Traceback"))
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(("make", "said"), [(database, "this is a database"), (ledger, "this is a ledger")])
def test_databases_are_named(tmp_path: Path, make: object, said: str) -> None:
    assert callable(make)
    assert str(what_it_is(make(tmp_path / "some.db")[:LOOKED_AT])).startswith(said)


def test_what_can_be_read_is_never_taken_for_something_else() -> None:
    files = [path for path in SAMPLES.rglob("*") if path.suffix in (".jsonl", ".pbn", ".lin", ".xml", ".csv")]
    assert len(files) > 40
    for path in files:
        head = path.read_bytes()[:LOOKED_AT]
        assert what_it_is(head) is None, path
        assert is_sheet(head) or path.suffix != ".csv", path
        assert not is_sheet(head) or path.suffix != ".jsonl", path


@given(st.binary(max_size=60), st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3))
def test_anything_has_an_answer_and_an_object_of_json_is_no_other_thing(content: bytes, event: dict[str, str]) -> None:
    what_it_is(content)
    is_sheet(content)
    assert what_it_is(json.dumps(event).encode()) is None
    assert not is_sheet(json.dumps(event).encode())


MATCH = (SAMPLES / "hearts-moon.jsonl").read_text()
EVENTS = [json.loads(line) for line in MATCH.splitlines()]
MENDED = {
    "utf-16": MATCH.encode("utf-16"),
    "utf-16 without a mark": MATCH.encode("utf-16-be"),
    "list": json.dumps(EVENTS).encode(),
    "list over many lines": json.dumps(EVENTS, indent=2).encode(),
    "list in utf-16": json.dumps(EVENTS).encode("utf-16"),
    "answer of the API": json.dumps({"seq": len(EVENTS), "events": EVENTS}).encode(),
}


@pytest.mark.parametrize("content", MENDED.values(), ids=MENDED)
def test_what_another_program_did_to_a_match_file_is_put_right_and_said(tmp_path: Path, content: bytes) -> None:
    path, db = tmp_path / "night", tmp_path / "club.db"
    path.write_bytes(content)
    done = CliRunner().invoke(main, ["import", str(path), "--db", str(db)])
    assert (done.exit_code, "format.mended" in done.stderr) == (0, True), done.stderr
    assert "1 match" in done.stdout
    with Ledger(db) as ledger:
        (match,) = ledger.matches()
        assert len(ledger.events(match)) == len(EVENTS)


@pytest.mark.parametrize("content", [MATCH.encode(), *MENDED.values()], ids=["as it is", *MENDED])
def test_a_file_of_matches_is_no_sheet(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "night.csv"
    path.write_bytes(content)
    done = CliRunner().invoke(main, ["evening", "import", str(path), "--db", str(tmp_path / "club.db")])
    assert done.exit_code == 2
    assert "this is a match file: `cardledger import` reads it" in done.stderr
    assert not (tmp_path / "club.db").exists()


@given(st.binary(max_size=300))
def test_any_bytes_are_looked_at_without_an_error(content: bytes) -> None:
    for look in (kind_of_text, is_list_of_events, is_no_match_file, no_sheet, in_utf_8):
        look(content)
    with suppress(FormatError):
        mended(io.BytesIO(content))
