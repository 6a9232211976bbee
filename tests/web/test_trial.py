"""A file that is tried is judged as the import judges it; the page for it is a site of files that knows no ledger."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zipfile
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from selectolax.lexbor import LexborHTMLParser

from cardledger.cli.main import main
from cardledger_web.engine.archive import LIBRARIES, OURS, SCORING, STUDYING, TRYING, Start, archive, imports, modules
from cardledger_web.engine.trying import Trying
from cardledger_web.language_choice import OfRequest
from cardledger_web.languages import LANGUAGES, spoken_by
from tests.web.club import SAMPLES
from tests.web.test_publishing import expect_whole, files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BROKEN = {
    "broken.jsonl": b'{"type":"open","game":"ruff","players":["a","b","c"]}\n{"type":"play","seat":9}\n',
    "picture.jpg": b"\xff\xd8\xff\xe0 no cards",
    "empty.pbn": b"",
    "evening.xml": b"<USEBIO><EVENT></USEBIO>",
}


@pytest.fixture
def trying() -> Iterator[Trying]:
    """The engine of the page, as the browser runs it."""
    yield Trying()
    spoken_by(OfRequest())


def told(trying: Trying, ask: str, **more: object) -> Any:
    answer = json.loads(trying.answer(json.dumps({"ask": ask, **more})))
    assert "told" in answer, answer
    return answer["told"]


def read(trying: Trying, name: str, body: bytes, language: str = "en", **said: str) -> LexborHTMLParser:
    packed = b64encode(body).decode()
    return LexborHTMLParser(told(trying, "read", name=name, body=packed, language=language, said=said))


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_said_as_the_import_says_it(trying: Trying, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(BROKEN[name])
    given = ["import", "--keep-going", str(tmp_path / name), "--db", str(tmp_path / "x.db"), "--new"]
    by_import = CliRunner().invoke(main, given).output
    said = read(trying, name, BROKEN[name]).css(".tried-said li")
    assert said
    for each in said:
        code, words = each.css_first("code"), each.css_first("bdi")
        assert code is not None
        assert words is not None
        assert f"{code.text()}: {words.text()}" in by_import


def test_a_match_is_shown_with_its_rulings_and_every_position(trying: Trying) -> None:
    found = read(trying, "ruff.jsonl", (SAMPLES / "ruff-2-rounds.jsonl").read_bytes())
    assert len(found.css("[data-match]")) == 2
    shown = told(trying, "show", number=0)
    events = LexborHTMLParser(shown["events"])
    assert len(events.css("[data-seq]")) == shown["seq"]
    assert events.css("a[data-rule]")
    for seq in (1, shown["seq"]):
        assert 'class="card-table' in told(trying, "table", at=seq)["drawn"]


def test_boards_are_read_and_spoken_of_in_the_language_of_the_page(trying: Trying) -> None:
    body = (SAMPLES / "bridge-evening.pbn").read_bytes()
    assert len(read(trying, "evening.pbn", body).css("[data-match]")) > 1
    assert "Partien in dieser Datei" in read(trying, "evening.pbn", body, "de").text()


SHEETS = {
    "no day.csv": b"Player,1,2\nAna,3,4\nBen,5,6\n",
    "sums.csv": b"Date,2026-01-20\nGame,Hearts\n\nPlayer,1,2,Total\nAna,18,1,19\nBen,4,6,10\nCem,4,4,9\nEva,0,16,16\n",
    "no numbers.txt": b"It was a good evening.\nWe will be back.\n",
    "quote.csv": b'Player,1,2\n"Ana,3,4\nBen,5,6\n',
}


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_judged_as_for_an_evening_of_a_club(trying: Trying, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(SHEETS[name])
    given = ["evening", "import", str(tmp_path / name), "--db", str(tmp_path / "x.db"), "--yes", "--json"]
    by_import = json.loads(CliRunner().invoke(main, given).stdout)
    said = read(trying, name, SHEETS[name]).css(".sheet-problems li")
    problems = [(each["cell"] or "", each["code"], each["detail"]) for each in by_import["problems"]]
    assert problems
    assert [(" ".join(each.text().split()), each.css_first("code").text()) for each in said] == [
        (" ".join(filter(None, [cell, detail, code])), code) for cell, code, detail in problems
    ]


@pytest.mark.parametrize("name", ["hearts-tische.csv", "oh-hell-by-hand.csv", "whole-evening.xlsx"])
def test_what_a_sheet_is_read_as_is_shown_with_its_matches(trying: Trying, name: str, tmp_path: Path) -> None:
    path = SAMPLES / "evenings" / name
    given = ["evening", "import", str(path), "--db", str(tmp_path / "x.db"), "--yes", "--json"]
    tables = json.loads(CliRunner().invoke(main, given).stdout)["tables"]
    found = read(trying, name, path.read_bytes())
    assert not found.css(".sheet-problems li")
    points = [
        [int(row.css("td")[-1].text()) for row in table.css("tbody tr")] for table in found.css(".paper-tables table")
    ]
    assert points == [each["totals"] or each["places"] for each in tables]
    assert len(found.css("[data-match]")) == sum(each["match"] is not None for each in tables)
    last = told(trying, "show", number=0)["seq"]
    assert 'class="card-table' in told(trying, "table", at=last)["drawn"]


def test_what_a_sheet_does_not_say_is_said_beside_it(trying: Trying) -> None:
    body = b"Player,1\nAna,13\nBen,13\nCem,0\nEva,0\n"
    assert read(trying, "sheet.csv", body, "fr").css("form [name=date]")
    again = read(trying, "sheet.csv", body, "fr", date="2026-01-20", game="hearts", columns="")
    assert not again.css(".sheet-problems li")
    assert "2026-01-20" in again.css_first("strong").text()
    assert again.css_first("form [name=date]").attributes["value"] == "2026-01-20"
    assert again.css_first("[selected]").attributes["value"] == "hearts"
    assert len(again.css("[data-match]")) == 1


def test_the_archive_speaks_the_languages() -> None:
    packed = zipfile.ZipFile(io.BytesIO(gzip.decompress(archive(TRYING))))
    said = packed.read("cardledger_web/translations/de/LC_MESSAGES/messages.mo").decode(errors="replace")
    assert "Partien in dieser Datei" in said


def test_the_page_needs_no_store_and_no_server() -> None:
    needed = modules(TRYING)
    assert "cardledger_web.engine.trying" in needed
    assert "cardledger.formats.spreadsheets.preview" in needed
    assert not {
        name for name in needed if name.startswith(("cardledger.record.store.sqlite", "cardledger.record.readmodels"))
    }


def test_the_site_is_whole_in_every_language(tmp_path: Path) -> None:
    said = CliRunner().invoke(main, ["publish", "--try", str(tmp_path), "--json"])
    assert said.exit_code == 0, said.output
    made = files(tmp_path)
    expect_whole(made)
    for language in LANGUAGES:
        mark = "" if language == "en" else f".lang-{language}"
        page = made[f"index{mark}.html"].decode()
        assert f'<html lang="{language}">' in page
        assert "connect-src 'self'" in page
        assert f"games/whist{mark}.html" in made
    size = sum(len(body) for name, body in made.items() if name.startswith("engine/"))
    assert size < 6_500_000
    again = CliRunner().invoke(main, ["publish", "--try", str(tmp_path), "--json"])
    assert json.loads(again.stdout)["written"] == 0


@pytest.mark.parametrize("start", [SCORING, STUDYING, TRYING], ids=lambda start: start.answers)
def test_nothing_is_imported_that_a_browser_has_not_wherever_it_stands(start: Start) -> None:
    there = {*OURS, *LIBRARIES, "msgspec", *sys.stdlib_module_names}
    beyond = {
        (module, name.partition(".")[0])
        for module, path in modules(start).items()
        for name in imports(path)
        if name.partition(".")[0] not in there
    }
    assert beyond == {("cardledger_web.languages", "babel")}, "catalogues are compiled before they are packed"
