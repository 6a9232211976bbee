"""Helpers of tests that record through the API: clients by role, bodies, matches of every game under way."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_web.app import access_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

GAMES = [*games()]
OPENING = {"type": "open", "game": "diversity", "players": ["ana", "ben", "chloe", "dev"]}
NOTE = {"type": "note", "text": "a remark"}


def plain(events: Sequence[ev.Event]) -> list[Any]:
    """Return events as JSON has them."""
    return [msgspec.to_builtins(event) for event in events]


def match_of(game: str, seed: int = 1, hands: int = 2, **more: Any) -> list[ev.Event]:
    """Return a simulated match of some hands, played by chance."""
    n = 3 if 3 in games()[game].players else games()[game].players[0]
    return simulate(game, n, Random(seed), ["random"], max_hands=hands, **more)


def as_role(app: Flask, role: str) -> FlaskClient:
    """Return a client with a token of a role."""
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {access_of(app).lend(role, role)}"  # type: ignore[arg-type]
    return client


def opened(client: FlaskClient, events: Sequence[ev.Event | dict[str, Any]] | None = None) -> str:
    """Record a match and return its id."""
    answer = client.post("/api/v1/matches", json={"events": msgspec.to_builtins(events) if events else [OPENING]})
    assert answer.status_code == 201, answer.text
    return str(answer.json["match"])


def append(
    client: FlaskClient, match: str, events: Sequence[Any], seq: object = None, key: str | None = None
) -> TestResponse:
    """Append events to a match, under a condition and a key."""
    headers = {} if seq is None else {"If-Match": seq if isinstance(seq, str) else f'"{seq}"'}
    if key is not None:
        headers["Idempotency-Key"] = key
    return client.post(f"/api/v1/matches/{match}/events", json={"events": events}, headers=headers)
