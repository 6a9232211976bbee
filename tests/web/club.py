"""A club's ledger for tests of the API and the pages: every sample, and a match whose texts mean harm."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
from flask import Flask
from flask.testing import FlaskClient

from cardledger.record.matches.matchfile import Problem, read_file
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger_web.app import access_of

SAMPLES = Path(__file__).parent.parent.parent / "samples"
LONG_AGO = "2026-01-01T00:00:00Z"
"""A time when any text could be a name: matches from then stay readable."""
HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(2)>",
    "\u202e%{y}<b>abc</b><a href='https://example.org'>",
    "\u754c" * 64,
)
"""Names that try to be markup, attributes, templates, text direction; and one of 64 wide characters."""


def fill(ledger: Ledger) -> None:
    """Import every sample, and record the hostile match last."""
    for path in sorted(SAMPLES.glob("*.jsonl")):
        for found in ledger.import_matches(read_file(path)):
            assert not isinstance(found, Problem), found
    ledger.record(None, hostile(), 0)


def hostile() -> list[ev.Event]:
    """Return a match of one hand whose every text is hostile."""
    opening, *rest = simulate("diversity", 4, Random(1), ["random"], {"hands": 1}, players=HOSTILE, max_hands=1)
    opening = msgspec.structs.replace(
        opening,
        event="{{ 7 * 7 }}<script>",
        table="</bdi></span>",
        place="\u202e<img src=x>",
        at=LONG_AGO,
    )
    return [opening, *rest, ev.Note(text="<script>alert(3)</script>")]


def opened(game: str = "diversity", players: tuple[str, ...] = ("a", "b", "c", "d"), at: str | None = None) -> ev.Open:
    """Return the opening of a match."""
    return ev.Open(game=game, players=players, at=at)


def sign_in(app: Flask, role: str = "admin") -> None:
    """Let the test clients of an application send a token of a role with every request."""
    token = access_of(app).lend(role, role)

    class SignedIn(FlaskClient):
        def __init__(self, *args: object, **more: object) -> None:
            super().__init__(*args, **more)
            self.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"

    app.test_client_class = SignedIn
