"""The example of every operation, as the documentation shows it: it works, and its answer is as described."""

from __future__ import annotations

import re
import shlex
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from jsonschema import Draft202012Validator

from cardledger.formats.spreadsheets.known_to_ledger import KnownToLedger
from cardledger.formats.spreadsheets.preview import preview
from cardledger.formats.spreadsheets.storing import store
from cardledger.formats.spreadsheets.wishes import Wishes
from cardledger.record.people.recorders import Recorder
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine.events import Open
from cardledger.rules.evenings.shape import event_of
from cardledger.rules.lessons.lesson_events import LessonMoment
from cardledger.study.stats.review.lessons import open_lesson
from cardledger.study.stats.review.quiz import Quiz
from cardledger_api.auth.limits import Limits
from cardledger_api.http.answers import writer
from cardledger_api.http.streams import ALL, streams_of
from cardledger_web.app import access_of, create_app, ledger_of
from tests.conftest import SAMPLES
from tests.evenings.night import FOUR, OPENINGS, opening, record
from tests.web.club import fill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from marshmallow import Schema
    from werkzeug.test import TestResponse

    from cardledger.record.recording.ledger import Ledger
    from cardledger_api.http.answers import Writer


def compared(schema: Schema) -> Writer:
    """Return the writer of a schema, which must say what marshmallow says."""
    write = writer(schema)

    def both(value: Any) -> Any:
        told = write(value)
        assert told == schema.dump(value)
        return told

    return both


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application on the club's ledger, for writing too, whose streams end soon."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cardledger_api.http.operations.writer", compared)
        app = create_app(tmp_path_factory.mktemp("examples") / "club.db", limits=Limits.of(0))
    fill(ledger_of(app))
    streams_of(app).lifetime = 0.05
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture(scope="module")
def names(club: Flask) -> dict[str, str]:
    """What stands for the placeholders of examples: a match under way, one whose hand is over, a table of bridge, a player, a token, and a club with its evening."""
    ledger = ledger_of(club)
    events = [*simulate("diversity", 4, Random(3), ["random"], {"hands": 1}, players=("ana", "ben", "chloe", "dev"))]
    match = ledger.record(None, events[:9], 0).match
    played = ledger.record(None, simulate("ruff", 3, Random(5), ["random"], {}, max_hands=1), 0).match
    bridge = ledger.record(None, [Open(game="bridge", players=(*FOUR,))], 0).match
    evenings = {
        kind.upper(): ledger.evenings.record(None, [event_of(opening)], 0, as_written=False).match
        for kind, opening in OPENINGS.items()
    }
    record(ledger, evenings["SESSION"], *({"type": "arrive", "player": player} for player in FOUR))
    record(ledger, evenings["LEAGUE"], {"type": "counts", "session": evenings["SESSION"]})
    evenings["DRIVE"] = drive(ledger)
    sheet = (SAMPLES / "evenings" / "canasta.csv").read_bytes()
    store(
        preview(
            KnownToLedger(ledger), [("canasta.csv", sheet)], Wishes(game="Canasta", wins="most", names={"*": "new"})
        ),
        ledger,
        "tests",
    )
    hook = access_of(club).hooks.add("tests", "https://example.org/", "reader", ALL, 0).id
    asked = Quiz(ledger.stream(played), 1).question(3)
    lesson = open_lesson(ledger, "Monday", [LessonMoment(played, 1, 3, asked.seat)], "tests")
    return {
        "CHOICE": asked.choices[0],
        "LESSON": lesson,
        "MATCH": match,
        "PLAYED": played,
        "BRIDGE": bridge,
        "PLAYER": "ana",
        "TOKEN": access_of(club).lend("tests", "admin"),
        "WEBHOOK": hook,
        **evenings,
    }


def drive(ledger: Ledger) -> str:
    """Open an evening of whist with eight players, who sit down for the first hand of a drive."""
    whist = opening(game="whist", scoring={"kind": "total"})
    session = record(ledger, None, whist, *({"type": "arrive", "player": f"{name} Whist"} for name in "ABCDEFGH"))
    ledger.evenings.drives.begin(session, "tests")
    ledger.evenings.rounds.set(session, Recorder("tests"))
    return session


def document(app: Flask) -> dict[str, Any]:
    return app.test_client().get("/api/v1/openapi.json").json


def asked(app: Flask, names: dict[str, str], command: str) -> TestResponse:
    """Send the request of a command line of curl."""
    method, headers, body, address = "GET", {}, None, ""
    words = iter(shlex.split(command)[1:])
    for word in words:
        if word == "-X":
            method = next(words)
        elif word == "-H":
            name, _, value = next(words).partition(": ")
            headers[name] = value
        elif word in ("-d", "--data-binary"):
            body = next(words)
        elif not word.startswith("-"):
            address = word

    def filled(text: str) -> str:
        return re.sub("|".join(names), lambda found: names[found[0]], text)

    parts = urlsplit(filled(address))
    return app.test_client().open(
        parts.path,
        method=method,
        query_string=parts.query,
        headers={name: filled(value) for name, value in headers.items()},
        data=body and filled(body),
    )


def operations(app: Flask) -> dict[str, dict[str, Any]]:
    return {
        operation["operationId"]: operation for item in document(app)["paths"].values() for operation in item.values()
    }


def test_every_example_works_and_is_answered_as_described(club: Flask, names: dict[str, str]) -> None:
    doc = document(club)
    for name, operation in operations(club).items():
        (sample,) = operation["x-codeSamples"]
        answer = asked(club, names, sample["source"])
        text = answer.get_data(as_text=True)
        described = operation["responses"].get(str(answer.status_code))
        assert answer.status_code < 300 and described, (name, sample["source"], answer.status, text)
        media = described["content"][answer.mimetype]
        if answer.mimetype == "application/json":
            schema = media["schema"] | {"components": doc["components"]}
            Draft202012Validator(schema).validate(answer.json)
            assert {*answer.json} <= {*properties(doc, media["schema"])}, name
        else:
            assert text, name
        always = [header for header, said in described.get("headers", {}).items() if said.get("required")]
        assert all(header in answer.headers for header in always), name


def properties(doc: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the keys a schema knows."""
    name = schema["$ref"].rpartition("/")[2]
    return doc["components"]["schemas"][name]["properties"]
