"""Files that are something else: commands say what they are and what takes them, and put right what is certain."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from cardledger.cli.main import main
from cardledger.errors import FormatError
from cardledger.formats.bridge_files.reading import read_file_of_matches
from cardledger.formats.encoding import beginning_in_utf_8
from cardledger.formats.mending import mended
from cardledger.formats.recognition import LOOKED_AT, recognised
from cardledger.record.matches.matchfile import Problem
from cardledger.record.recording.ledger import Ledger
from tests.conftest import SAMPLES
from tests.other_files import EVENTS, FILES, MATCH, MENDED, PYTHON


@pytest.mark.parametrize("kind", FILES)
def test_commands_take_a_file_or_say_what_it_is_and_what_takes_it(tmp_path: Path, kind: str) -> None:
    file = FILES[kind]
    path, db = tmp_path / "night", tmp_path / "club.db"
    path.write_bytes(file.content)
    for command, reader in (
        (["import", str(path), "--db", str(db)], "matches"),
        (["replay", str(path)], "matches"),
        (["evening", "import", str(path), "--date", "2026-01-06", "--db", str(db)], "sheets"),
        (["evening", "open", str(path), "--db", str(db)], "evenings"),
    ):
        done = CliRunner().invoke(main, command)
        assert not any(word in done.stderr for word in PYTHON), done.stderr
        assert done.exception is None or isinstance(done.exception, SystemExit)
        if file.reader != reader:
            assert [*tmp_path.iterdir()] == [path]
            assert (done.exit_code, kind) in ((2, kind), (0, "empty"), (0, "blank"))
            assert (done.exit_code == 0) or any(words in done.stderr for words in file.said), done.stderr
        elif reader == "sheets":
            assert ("file.kind" in done.stderr, [*tmp_path.iterdir()]) == (False, [path]), "it is only shown"
        else:
            assert done.exit_code == 0, done.stderr
            assert ("format.mended" in done.stderr) == file.mended
            for made in tmp_path.glob("club.*"):
                made.unlink()


@pytest.mark.parametrize("kind", [kind for kind, file in FILES.items() if kind not in ("ledger", "empty", "blank")])
def test_what_is_named_as_a_ledger_and_is_none_says_what_it_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "night"
    path.write_bytes(FILES[kind].content)
    for command in (["verify", "--db", str(path)], ["restore", str(path), str(tmp_path / "again.db")]):
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 2
        assert not any(word in done.stderr for word in (*PYTHON, "file is not a database")), done.stderr
        assert "store.open" in done.stderr
        if kind != "database":
            found = recognised(FILES[kind].content[:LOOKED_AT])
            assert (found.words if found.kind != "unknown" else "cardledger doctor") in done.stderr
        assert [*tmp_path.iterdir()] == [path]


def test_what_can_be_read_is_never_taken_for_something_else() -> None:
    kinds = {".jsonl": "match", ".pbn": "pbn", ".xml": "usebio", ".csv": "sheet", ".xlsx": "workbook"}
    files = [path for path in SAMPLES.rglob("*") if path.suffix in kinds and "evenings/tuesday" not in path.as_posix()]
    assert len(files) > 40
    for path in files:
        assert recognised(path.read_bytes()[:LOOKED_AT]).kind == kinds[path.suffix], path


def test_a_name_tells_a_text_that_does_not_say_what_it_is() -> None:
    assert recognised(b"; a remark", "x.PBN").kind == "pbn"
    assert recognised(b"; a remark", "x.txt").kind == "text"
    assert recognised(b"%PDF-1", "x.pbn").kind == "pdf"
    assert recognised(b'{"type":"open"}', "x.pbn").kind == "match"


@given(st.binary(max_size=300), st.dictionaries(st.text(max_size=5), st.text(max_size=5), min_size=1, max_size=3))
def test_anything_has_an_answer_and_an_object_of_json_is_no_other_thing(content: bytes, event: dict[str, str]) -> None:
    assert recognised(content).words
    beginning_in_utf_8(content)
    assert recognised(json.dumps(event).encode()).reader != "sheets"
    with suppress(FormatError):
        mended(io.BytesIO(content))


DAMAGED = {
    "a letter that was cut": b"Zo\xc3",
    "a letter of UTF-8 beside one of Windows": "Zoë ".encode() + b"Ren\xe9",
    "a sign that is no letter": b"Wa\xb3esa",
    "a byte that stands alone": b"a \xff b",
    "a byte that Windows does not have": b"An\x81a",
}


@pytest.mark.parametrize("name", DAMAGED.values(), ids=DAMAGED)
def test_what_may_be_damaged_utf_8_is_not_put_right(name: bytes) -> None:
    content = MATCH.encode().replace(b'"ana"', b'"' + name + b'"')
    (problem, *_) = (item for item in read_file_of_matches(io.BytesIO(content), "x") if isinstance(item, Problem))
    assert problem.error.code == "format.json"


HALVES = {
    "cut within a letter": b"\0",
    "cut between two halves": "\U0001f0a1".encode("utf-16-le")[:2],
    "a half within": "\U0001f0a1".encode("utf-16-le")[2:] + "\n".encode("utf-16-le"),
}


@pytest.mark.parametrize("mark", [b"", b"\xff\xfe"], ids=["without a mark", "with a mark"])
@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_half_a_letter_of_utf_16_is_refused_with_its_line(tmp_path: Path, half: bytes, mark: bytes) -> None:
    lines = MATCH.count("\n") + (not MATCH.endswith("\n"))
    path, db = tmp_path / "night", tmp_path / "club.db"
    path.write_bytes(mark + MATCH.rstrip("\n").encode("utf-16-le") + half)
    done = CliRunner().invoke(main, ["import", str(path), "--db", str(db)])
    assert (done.exit_code, [*tmp_path.iterdir()]) == (2, [path]), done.output
    assert f"night:{lines}: format.json: half a letter is missing here" in done.stderr, "nothing is left out in silence"


def test_quotes_within_a_text_stay_curly() -> None:
    curly = MATCH.replace('"', "“")
    lines = curly.splitlines()
    lines[-1] = '{"type":"note","text":"the “moon”"}'
    assert "“moon”".encode() in mended(io.BytesIO("\n".join(lines).encode())).file.read()
    with pytest.raises(FormatError, match="some may belong to the text"):
        mended(io.BytesIO((curly + "\n{“type”:“note”,“text”:“a “b” c”}").encode()))


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
