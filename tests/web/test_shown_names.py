"""What is published has no name that the ledger decides to hide; admins, and each person, decide it over HTTP and on pages."""

from __future__ import annotations

import json
import re
from contextlib import closing, contextmanager
from itertools import count
from random import Random
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import LedgerError
from cardledger.record.people.people import Merge, Name, PublishedName, Split
from cardledger.record.people.shown import HOW_SHOWN, least
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.naming.names import Naming, renamed
from cardledger_web.standalone.match_file import match_file
from tests.api.test_answers import API, anybody, client_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

    from cardledger.rules.engine.events import Event

TABLES = (("idqa", "idqb", "idqc"), ("idqd", "idqe", "idqf"))


def fill(ledger: Ledger) -> list[str]:
    """Record two matches of two tables; return their ids."""
    rng = Random(5)
    return [
        ledger.record(None, simulate("ruff", 3, rng, ["random"], players=players, max_hands=1), 0, "idqzoe").match
        for players in TABLES
    ]


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A ledger with two matches."""
    with Ledger(tmp_path / "club.db") as ledger:
        fill(ledger)
    return tmp_path / "club.db"


def told(ledger: Ledger, *events: Event) -> None:
    ledger.record_people(events, ledger.people().seq, "desk")


class History:
    """A random history of people, and which words it hides in the end.

    Every id and every part of a name is a word that nothing else has.
    """

    def __init__(self, ledger: Ledger, matches: list[str], rng: Random) -> None:
        self._ledger, self._matches, self._rng = ledger, matches, rng
        self._number = count()
        self._ids = [*TABLES[0], *TABLES[1], "idqzoe"]
        self._names: dict[str, list[tuple[str, str]]] = {id: [] for id in self._ids}
        self._decided: dict[str | None, str | None] = {}
        self._gone: set[str] = set()

    def go_on(self) -> None:
        """Let something happen; what the ledger refuses does not happen."""
        rng, ledger = self._rng, self._ledger
        id, other = rng.choice(self._ids), rng.choice(self._ids)
        how = rng.choice([None, *HOW_SHOWN])
        ids = [one for one in self._ids if ledger.people().person(one) == ledger.people().person(id)]
        what = rng.choice(["name", "merge", "split", "shown", "shown", "rule", "erase"])
        name = f"fx{next(self._number)}q", f"sx{next(self._number)}q"
        try:
            match what:
                case "name":
                    told(ledger, Name(player=id, name=" ".join(name)))
                    self._names[id].append(name)
                    match = self._matches[0]
                    note = ev.Note(text=f"{' '.join(name)} misread a card")
                    ledger.record(match, [note], ledger.stream(match).seq, rng.choice(self._ids))
                case "merge":
                    told(ledger, Merge(player=id, into=other))
                case "split":
                    told(ledger, Split(player=id))
                case "shown":
                    told(ledger, PublishedName(player=id, shown=how))
                    self._decided |= dict.fromkeys(ids, how)
                case "rule":
                    told(ledger, PublishedName(player=None, shown=how))
                    self._decided[None] = how
                case "erase" if len(self._ids) > 3:
                    left = erase(ledger, examine(ledger, id), "desk")
                    self._erased(ids, left)
        except LedgerError:
            return

    def _erased(self, ids: list[str], left: str) -> None:
        own = [how for id in ids if (how := self._decided.pop(id, None))]
        for id in ids:
            self._gone |= {id, *(word for name in self._names.pop(id) for word in name)} - {left}
            self._ids.remove(id)
        self._ids.append(left)
        self._names[left] = []
        self._decided[left] = least(own) if own else None  # type: ignore[type-var]

    def hidden(self) -> set[str]:
        """Return the words that nothing published may have."""
        people = self._ledger.people()
        hidden = {*self._gone}
        for id in self._ids:
            ids = [one for one in self._ids if people.person(one) == people.person(id)]
            own = [how for one in ids if (how := self._decided.get(one))]
            shown = least(own) if own else self._decided.get(None) or "full"  # type: ignore[type-var]
            words = {*ids, *(word for one in ids for name in self._names[one] for word in name)}
            if shown == "first":
                hidden |= words - {people.name(id).split()[0]}
            elif shown == "none":
                hidden |= words
        return {word for word in hidden if not word.startswith("~")}


def pages_of(app: Flask, matches: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what an anonymous reader gets that is published too."""
    client = anybody(app)
    waiting, seen = ["/", "/matches", "/players", "/season"], set()
    for match in matches:
        waiting += [f"/matches/{match}", f"/matches/{match}.jsonl", f"/matches/{match}/hands/1"]
    while waiting:
        address = waiting.pop(0)
        if address in seen:
            continue
        seen.add(address)
        text = client.get(address).text
        yield address, text
        if address == "/players":
            waiting += re.findall(r'href="(/players/[^"/?#]*)"', text)


@contextmanager
def served(copy: Path) -> Iterator[Flask]:
    app = create_app(copy, limits=Limits.of(0))
    with closing(access_of(app)), closing(ledger_of(app)):
        yield app


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 40))])
def test_no_page_that_is_published_has_a_name_that_is_hidden(tmp_path: Path, seed: int) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        matches = fill(ledger)
        history = History(ledger, matches, Random(seed))
        for _ in range(25):
            history.go_on()
        hidden = history.hidden()
    (tmp_path / "folder").mkdir()
    made = renamed(tmp_path / "club.db", tmp_path / "folder", Naming(), "en")
    with served(made.copy) as app:
        for address, text in pages_of(app, matches):
            assert [word for word in hidden if word in text.lower()] == [], (address, seed)
    with served(tmp_path / "club.db") as app:
        text = match_file(app, matches[0], "en", small=True)
    assert [word for word in hidden if word in text.lower()] == []


def published(folder: Path, ledger: Path, *options: str) -> tuple[str, str, str]:
    """Publish; return what is said, on both streams, and all that is in the folder."""
    said = CliRunner().invoke(main, ["publish", str(folder), "--db", str(ledger), "--workers", "1", *options])
    assert said.exit_code == 0, said.output
    every = "".join(
        f"{path.name}\n{path.read_text('utf-8')}"
        for path in sorted(folder.rglob("*"))
        if path.suffix != ".png" and path.is_file()
    )
    return said.stdout, said.stderr, every.lower()


@pytest.mark.long
def test_a_site_keeps_to_the_ledger_and_options_only_show_less(club: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    said, _, every = published(folder, club)
    assert "by the whole name, as the ledger has no rule" in said
    assert "idqa" in every
    with Ledger(club) as ledger:
        told(
            ledger,
            Name(player="idqa", name="Fax Sax"),
            Name(player="idqb", name="Fbx Sbx"),
            PublishedName(player="idqa", shown="none"),
            PublishedName(player=None, shown="first"),
        )
    said, wrong, every = published(folder, club, "--names", "full", "--person", "idqa=full")
    assert {word for word in ("fax", "sax", "idqa", "sbx") if word in every} == set()
    assert "fbx" in every
    assert "idqa stays none, as the ledger decides" in wrong
    assert "by the first name: 7 of 8 people; by a word that says nothing: 1;" in said
    _, wrong, every = published(folder, club, "--person", "idqb=none")
    assert "fbx" not in every
    assert "stays" not in wrong
    counted = json.loads(published(folder, club, "--names", "none", "--json")[0])
    assert counted["shown"] == {"first": 0, "none": 8}


def test_a_name_given_after_an_erasure_is_hidden_as_the_person_decided(club: Path, tmp_path: Path) -> None:
    with Ledger(club) as ledger:
        told(ledger, PublishedName(player="idqa", shown="none"))
        left = erase(ledger, examine(ledger, "idqa"), "desk")
        told(ledger, Name(player=left, name="Zorblatt"))
        (match, *_) = ledger.matches()
    made = renamed(club, tmp_path / "folder", Naming(), "en") if (tmp_path / "folder").mkdir() is None else None
    assert made is not None
    with served(made.copy) as app:
        assert not any("Zorblatt" in text for _, text in pages_of(app, [match]))


@pytest.fixture
def played(empty: Flask) -> list[str]:
    return fill(ledger_of(empty))


def test_a_file_of_a_match_keeps_to_it_at_every_door_and_has_no_receipt(empty: Flask, played: list[str]) -> None:
    told(ledger_of(empty), Name(player="idqa", name="Fax Sax"))
    addresses = f"/matches/{played[0]}.html?small=1", f"{API}/matches/{played[0]}/page?small=1"
    for address in addresses:
        assert "Fax Sax" in anybody(empty).get(address).text
    told(ledger_of(empty), PublishedName(player="idqa", shown="none"))
    for address in addresses:
        answer = client_of(empty, f"desk{uuid4()}", "admin").get(address)
        assert answer.status_code == 200
        assert "Fax" not in answer.text
        assert "idqa" not in answer.text
        assert "idqb" in answer.text
    whole = match_file(empty, played[0], "en", quiz_cards=0)
    assert "idqa" not in whole
    assert '"receipt": null' in whole or '"receipt":null' in whole
    assert "Fax Sax" in anybody(empty).get(f"/matches/{played[0]}").text, "the pages of the server stay as they are"


def test_each_decides_for_themselves_admins_for_all_and_nobody_else_sees_it(empty: Flask, played: list[str]) -> None:
    ana, ben, desk = client_of(empty, "idqa"), client_of(empty, "idqb", "scorer"), client_of(empty, "desk", "admin")
    own, rule = f"{API}/players/idqa/shown", f"{API}/people/shown"
    assert anybody(empty).post(own, json={"shown": "none"}).status_code == 401
    assert ben.post(own, json={"shown": "none"}).status_code == 403
    assert ana.get(rule).status_code == ben.post(rule, json={"shown": "full"}).status_code == 403
    assert ana.post(own, json={"shown": "all"}).status_code == 400
    assert ana.post(own, json={"shown": "none"}).json == {"player": "idqa", "decided": "none", "shown": "none"}
    assert desk.post(rule, json={"shown": "first"}).json["rule"] == "first"
    assert ana.post(own, json={"shown": None}).json == {"player": "idqa", "decided": None, "shown": "first"}
    assert desk.post(f"{API}/players/idqb/shown", json={"shown": "full"}).status_code == 200
    assert [client.get(f"{API}/me").json["shown"] for client in (ana, ben, desk)] == [None, "full", None]
    assert desk.get(rule).json["people"] == [{"player": "idqb", "decided": "full", "shown": "full"}]

    events = desk.get(f"{API}/people").json["events"]
    assert next((one["player"], one["shown"]) for one in events if one["type"] == "shown") == ("idqa", "none")
    for client in (anybody(empty), ana, ben):
        seen = client.get(f"{API}/people")
        assert len(seen.json["events"]) == len(events)
        assert not {"idqa", "idqb", "none", "first", "desk"} & {*re.findall(r"\w+", seen.text)}
        assert "published" not in client.get("/people").text


def test_on_pages_it_is_decided_and_reversed(empty: Flask, played: list[str]) -> None:
    people = ledger_of(empty).people
    ana, ben, desk = client_of(empty, "idqa"), client_of(empty, "idqb"), client_of(empty, "desk", "admin")
    assert 'name="shown"' in ana.get("/players/idqa").text
    assert 'name="shown"' not in ben.get("/players/idqa").text + anybody(empty).get("/players/idqa").text
    assert ben.post("/players/idqa/shown", data={"shown": "full"}).status_code == 403
    assert ana.post("/players/idqa/shown", data={"shown": "everything"}).status_code == 400
    assert ana.post("/players/idqa/shown", data={"shown": "none"}).status_code == 303
    assert people().shown("idqa") == "none"
    assert 'value="none" selected' in ana.get("/players/idqa").text

    def send(**form: str) -> int:
        return desk.post("/people", data={"expected": str(people().seq), **form}).status_code

    assert send(change="rule", shown="first") == 303
    assert send(change="shown", player="idqb", shown="full") == 303
    assert send(change="shown", player="nobody", shown="full") == 422
    assert send(change="shown", player="", shown="full") == 422
    assert send(change="shown", player="idqb", shown="everything") == 400
    assert (people().rule, people().deciding()) == ("first", {"idqa": "none", "idqb": "full"})
    text = desk.get("/people").text
    assert "what is published shows first names, as a rule" in text
    assert "what is published shows no name of" in text
    back = [
        dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        for form in re.findall(r"<form.*?</form>", text, re.DOTALL)
    ]
    for fields in [one for one in back if one.get("change") in ("shown", "rule") and "shown" in one]:
        assert send(**{key: value for key, value in fields.items() if key != "expected"}) == 303
    assert people().shows_all
    for language, words in (("de", "Namen in dem"), ("fr", "Noms dans ce qui")):
        assert words in desk.get("/people", headers={"Accept-Language": language}).text
