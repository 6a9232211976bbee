"""A club's pages as files: every link leads to a file, nothing needs a server, and names are those that the club wants."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Any

import pytest
from click.testing import CliRunner
from selectolax.lexbor import LexborHTMLParser

from cardledger.cli.main import main
from cardledger.errors import LedgerError
from cardledger.record.matches.matchfile import read_file
from cardledger.record.people.people import Name
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.study.stats import Statistics
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.commands.demo import import_samples, import_season
from cardledger_web.publishing import made_before, site
from cardledger_web.publishing.addresses import FEEDS, PUBLISHED, Files, LinkTarget, file_of
from cardledger_web.publishing.folder import PublishedFolder
from cardledger_web.publishing.freezer import OF_MATCH, PATIENCE, SiteEdition, freeze, group_of
from cardledger_web.publishing.made_before import Reads, record_of
from cardledger_web.publishing.rewriting import Rewriting
from cardledger_web.publishing.site import Site
from cardledger_web.samples_folder import sample_files

SAMPLES = Path(__file__).parent.parent.parent / "samples"
TAG = re.compile(r'<[a-z]+(?:[^>"]|"[^"]*")*>')
LINK = re.compile(r'\s(?:xlink:)?(?:href|src)="([^"]*)"')
PAGE = "<html><head></head><body>{}</body></html>"
SAFE = re.compile(r"(?!(?:con|prn|aux|nul)\.)[a-z0-9][a-z0-9_.-]*", re.ASCII)


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their names."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def publish(folder: Path, ledger: Path, *options: str) -> dict[str, int]:
    """Publish, and return what the command says."""
    given = ["publish", str(folder), "--db", str(ledger), "--workers", "1", "--json", *options]
    said = CliRunner().invoke(main, given)
    assert said.exit_code == 0, said.output
    counted: dict[str, int] = json.loads(said.stdout)
    return counted


def expect_whole(made: dict[str, bytes]) -> None:
    """Expect that every link leads to a file or to another site, and that nothing asks a server for something."""
    for name, body in made.items():
        assert all(SAFE.fullmatch(part) for part in name.split("/")), name
        if not name.endswith((".html", ".svg")):
            continue
        text = body.decode()
        assert "published.invalid" not in text, name
        assert "<form" not in text, name
        for tag in TAG.findall(text):
            for link in map(unescape, LINK.findall(tag)):
                if link.startswith(("https://", "#", "data:")):
                    assert link.startswith(("#", "data:")) or tag.startswith("<a "), (name, tag)
                    continue
                assert normpath(join(dirname(name), link.partition("#")[0])) in made, (name, link)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A ledger with one short match, whose players have names."""
    path = tmp_path / "club.db"
    with Ledger(path) as ledger:
        for found in ledger.import_matches(read_file(SAMPLES / "ruff-2-rounds.jsonl")):
            match = found.match  # type: ignore[union-attr]
        stream = ledger.stream(match)
        one, other, *_ = stream.table.players
        ledger.record_people(
            [Name(player=one, name="Ana Zorblatt"), Name(player=other, name="Ana Quimperle")], 0, "zoe"
        )
        ledger.record(match, [ev.Note(text="Ana Zorblatt misread a card")], stream.seq, "zoe")
    return path


@pytest.mark.long
def test_a_site_is_whole_says_only_what_it_may_and_is_written_again_only_where_it_changed(
    club: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "mine.txt").write_text("of the club itself")
    counted = publish(folder, club)
    made = files(folder)
    expect_whole({name: body for name, body in made.items() if name != "mine.txt"})
    assert counted == {
        "files": len(made) - 2, "written": len(made) - 2, "removed": 0, "shown": {"first": 0, "none": 0}
    }  # fmt: skip
    assert any(b"Ana Zorblatt" in body for body in made.values())
    assert any(name.startswith("matches/") and b'id="positions"' in body for name, body in made.items())

    assert publish(folder, club)["written"] == 0
    assert files(folder) == made

    hidden = publish(folder, club, "--names", "none")
    texts = b"".join(files(folder).values())
    assert hidden["removed"] > 0
    for gone in (b"Zorblatt", b"Quimperle", b"zorblatt", b"quimperle"):
        assert gone not in texts, gone
    assert b"Player " in texts

    with Ledger(club) as ledger:
        erase(ledger, examine(ledger, ledger.people().events[0].player), "zoe")  # type: ignore[attr-defined]
    publish(folder, club)
    texts = b"".join(body for name, body in files(folder).items() if name != "mine.txt")
    assert b"Zorblatt" not in texts
    assert b"Ana Quimperle" in texts
    assert (folder / "mine.txt").read_text() == "of the club itself"


@pytest.mark.long
def test_pages_of_a_match_are_made_again_only_if_something_that_they_read_changed(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, made = tmp_path / "site", list[str]()

    def counting(edition: SiteEdition, addresses: list[str], *rest: Any) -> object:
        files, reads = freeze(edition, addresses, *rest)
        made.extend(each.address for each in files if OF_MATCH.match(each.address))
        return files, reads

    def again() -> list[str]:
        made.clear()
        publish(folder, club)
        return [*made]

    monkeypatch.setattr(site, "freeze", counting)
    pages = again()
    assert len(pages) > 3
    assert again() == []

    with Ledger(club) as ledger:  # another evening: the pages that were there stay
        for found in ledger.import_matches(read_file(SAMPLES / "euchre-alone.jsonl")):
            other = found.match  # type: ignore[union-attr]
    assert all(other in address for address in again())
    name = next(name for name in files(folder) if name.startswith("matches/"))
    (folder / name).write_text("somebody changed it")
    assert [file_of(address) for address in again()] == [name]

    with Ledger(club) as ledger:
        changed = ledger.people().events[0]
        ledger.record_people([Name(player=changed.player, name="Zoe Changed")], ledger.people().seq, "zoe")  # type: ignore[attr-defined]
    assert len(again()) > 3
    fresh = tmp_path / "fresh"
    publish(fresh, club)
    assert files(folder) == files(fresh)

    monkeypatch.setattr(made_before, "digest_of_program", lambda: b"another program")
    assert len(again()) > len(pages) - 3
    assert record_of(folder, club).stat().st_mode & 0o777 == 0o600
    publish(folder, club, "--names", "first")
    assert not record_of(folder, club).exists()


def test_a_match_is_opened_once_for_all_of_its_pages(club: Path) -> None:
    with Ledger(club) as ledger:
        match = f"/matches/{ledger.matches()[0]}"
    edition = SiteEdition(club, "en", None)
    whole, reads = freeze(edition, [match], {}, frozenset())
    assert reads
    made = {each.address: each.body for each in whole}
    assert len(made) == len(whole) > 3
    assert {each.split("/")[2].partition(".")[0] for each in made} == {match.split("/")[2]}
    assert {to for each in whole for to in each.leads if group_of(to) == match} == {*made}
    last = whole[-1].address
    alone, _ = freeze(edition, [last], {})
    assert [(each.address, each.body) for each in alone] == [(last, made[last])]
    assert last not in {each.address for each in freeze(edition, [match], {}, {last})[0]}


def test_what_a_site_was_made_of_goes_with_a_person_who_is_erased(club: Path, tmp_path: Path) -> None:
    record = record_of(tmp_path / "site", club)
    record.write_bytes(b"queries that name zorblatt")
    other = record.with_name(record.name.replace("club", "clubs"))
    other.write_bytes(b"of another ledger")
    with Ledger(club) as ledger:
        found = examine(ledger, ledger.people().events[0].player)  # type: ignore[attr-defined]
        assert not any("made-of" in each for each in found.staying)
        erase(ledger, found, "zoe")
    assert not record.exists()
    assert other.exists()


def test_what_was_read_is_known_only_if_all_of_it_is(tmp_path: Path) -> None:
    def reads(*found: tuple[str, str, tuple[object, ...], list[tuple[object, ...]]]) -> Reads:
        noted = Reads(tmp_path)
        for file, query, given, rows in found:
            noted.told(file, query, given, rows)
        return noted

    here = str(tmp_path / "club.db")
    assert len(reads((here, "a", (), [(1,)]), (here, "b", (2,), []), (here, "a", (), [(1,)])).found or ()) == 2
    assert reads((here, "a", (), [(1,)]), (here, "a", (), [(2,)])).found is None  # it changed meanwhile
    assert reads((str(tmp_path / "other" / "club.db"), "a", (), [])).found is None
    assert reads((here, "a", (object(),), [])).found is None


@pytest.mark.long
def test_published_pages_say_what_the_pages_of_the_server_say(club: Path, tmp_path: Path) -> None:
    pages, wrong = said_otherwise(club, tmp_path / "site")
    assert pages > 50
    assert wrong == []


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_the_published_demo_says_what_its_server_says(tmp_path: Path) -> None:
    """Every page of the samples and of a season of evenings: rankings, boards, players, statistics, replays."""
    with Ledger(tmp_path / "demo.db") as ledger:
        given = [*import_samples(ledger, sample_files()), *import_season(ledger)]
    assert len(given) > 100
    pages, wrong = said_otherwise(tmp_path / "demo.db", tmp_path / "site")
    assert pages > 1_000
    assert wrong == []


def said_otherwise(club: Path, target: Path) -> tuple[int, list[tuple[str, str]]]:
    """Publish a ledger; return how many pages there are, and the first word of each that the server's page has not.

    Words are left out with what needs a server; none is added, changed or moved.
    """
    with PublishedFolder(target) as folder:
        site = Site(SiteEdition(club, "en", None), folder)
        site.publish(1)
        folder.finish()
    app = create_app(club, hosts=None, limits=Limits.of(0))
    Statistics.of(ledger_of(app).views).sheets.patience = PATIENCE
    client = app.test_client(use_cookies=False)
    wrong, pages = [], 0
    for address in sorted(site.pages):
        file = target / file_of(address)
        if file.suffix != ".html":
            continue
        pages += 1
        on_server = words_of(client.get(address, headers={"Accept-Language": "en"}).text)
        rest = iter(on_server)
        if strange := next((word for word in words_of(file.read_text("utf-8")) if word not in rest), None):
            wrong.append((address, strange))
    access_of(app).close()
    ledger_of(app).close()
    return pages, wrong


def words_of(page: str) -> list[str]:
    """Return the words of the main part of a page."""
    main = LexborHTMLParser(page).css_first("main")
    assert main is not None
    for node in reversed(main.css("script, style, template")):
        node.decompose()
    return main.text(separator=" ").split()


def test_every_page_is_published_or_stays_on_the_server(tmp_path: Path) -> None:
    app = create_app(tmp_path / "club.db")
    routes = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    access_of(app).close()
    ledger_of(app).close()
    assert routes >= PUBLISHED.keys()
    assert PUBLISHED.keys() >= FEEDS
    assert not {name for name in PUBLISHED if name.startswith("api.") or "sign" in name}


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/", "index.html"),
        ("/matches", "matches.html"),
        ("/matches?after=12", "matches.after-12.html"),
        ("/evenings/session-1.txt", "evenings/session-1.txt"),
        ("/players/con", "players/con-"),
        ("/players/Ana", "players/ana-"),
        ("/players/%E7%95%8C", "players/x-"),
        ("/players/a%2F..%2Fb", "players/a-b-"),
        (f"/players/{'a' * 300}", f"players/{'a' * 40}-"),
    ],
)
def test_names_of_files_are_safe_on_every_system(address: str, name: str) -> None:
    file = file_of(address)
    assert file.startswith(name)
    assert all(SAFE.fullmatch(part) and len(part) < 80 for part in file.split("/"))


def test_two_addresses_never_have_one_file() -> None:
    known = Files()
    taken = known.add("/players/Ana")
    assert known.add("/players/Ana") == taken
    with pytest.raises(LedgerError) as refused:
        known.add(f"/{taken.removesuffix('.html')}")
    assert refused.value.code == "publish.name"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<a class="x" href="/sign-in">Sign in</a>', '<a class="x">Sign in</a>'),
        ('<a href="?lang=de" hreflang="de">Deutsch</a>', '<a hreflang="de">Deutsch</a>'),
        ('<form action="/x"><button>Go</button></form><p>A</p>', "<p>A</p>"),
        ('<details><summary>Filter</summary> <form method="get"><input name="a"></form> </details>', ""),
        ('<script src="/static/x.js"></script><p>B</p>', "<p>B</p>"),
        ('<link rel="manifest" href="/nowhere">', ""),
        ('<meta property="og:url" content="http://published.invalid/">', ""),
        ('<p data-live="/api/v1/live">C</p>', "<p>C</p>"),
        ('<a href="https://example.org/">D</a>', '<a href="https://example.org/">D</a>'),
        ('<a href="#main">E</a>', '<a href="#main">E</a>'),
    ],
)
def test_what_needs_a_server_is_left_out(before: str, after: str) -> None:
    assert Rewriting("/matches", lambda _: None, None).page(before) == PAGE.format(after)


def test_of_a_tool_nothing_is_said() -> None:
    page = Rewriting("/matches", lambda _: None, None, lambda there: there.startswith("/api")).page
    before = '<p><a href="/matches?game=ruff">3 matches</a>, <a href="/api/v1">JSON</a></p>'
    assert page(before) == PAGE.format("<p><a>3 matches</a></p>")
    assert page('<p class="hint"><a href="/api/v1">JSON</a></p>') == PAGE.format("")


def test_in_a_piece_of_a_page_only_links_change() -> None:
    def place(there: str) -> LinkTarget | None:
        return LinkTarget(there.partition("#")[0], "deal") if there.startswith("/games") else None

    piece = Rewriting("/matches/1", place).part
    assert piece('</b><td><a href="/games/whist?a=1&amp;b=2#deal">A &amp;&nbsp;B') == (
        '</b><td><a href="../games/whist.a-1.b-2.html#deal">A &amp;&nbsp;B'
    )
    assert piece('<li><a class="x" href="/sign-in">C</a><use xlink:href="#D"/>') == (
        '<li><a class="x">C</a><use xlink:href="#D"/>'
    )


def test_a_folder_with_files_of_others_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with PublishedFolder(tmp_path) as folder:
        folder.put("index.html", b"theirs")
        folder.put("matches.html", b"theirs")
        with pytest.raises(LedgerError) as refused:
            folder.finish()
    assert refused.value.code == "publish.folder"
    assert files(tmp_path) == {"index.html": b"mine"}


def test_a_list_of_files_that_leads_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "published.json").write_text('{"format": 1, "files": ["../club.db"]}')
    with pytest.raises(LedgerError) as refused:
        PublishedFolder(tmp_path)
    assert refused.value.code == "publish.folder"


def test_what_is_no_longer_made_is_removed_and_the_same_bytes_are_not_written_again(tmp_path: Path) -> None:
    with PublishedFolder(tmp_path) as folder:
        folder.put("players/ana.html", b"Ana")
        folder.put("index.html", b"one")
        folder.finish()
    before = (tmp_path / "index.html").stat().st_mtime_ns
    with PublishedFolder(tmp_path) as folder:
        folder.put("index.html", b"one")
        assert folder.finish() == (1, 0, 1)
    assert files(tmp_path).keys() == {"index.html", "published.json"}
    assert not (tmp_path / "players").exists()
    assert (tmp_path / "index.html").stat().st_mtime_ns == before
