"""A client that knows no game plays every game: the lines of the README, with nothing refused."""

from __future__ import annotations

import io
import json
import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.games import games
from tests.api.recording import GAMES, as_role, opened
from tests.documents import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from flask.testing import FlaskClient

API = "/api/v1"
HAND = 150
"""More events than a hand takes, but for hands that chance may never end."""


def of_readme(client: FlaskClient, sent: Counter[str]) -> Callable[[str, int], None]:
    """Return `play` of the README; its requests go to a client, and the types of its events are counted."""

    def ask(path: str, body: Any = None, **headers: str) -> io.BytesIO:
        if body is not None:
            sent.update(event["type"] for event in body["events"])
        answer = (client.post if body else client.get)(API + path, json=body, headers=headers)
        assert answer.status_code < 400, (body, answer.text)
        return io.BytesIO(answer.data)

    blocks = re.findall(r"^```python\n(.*?)^```$", DOCUMENTS["api/cardledger_api/README.md"], re.MULTILINE | re.DOTALL)
    (lines,) = (block.partition("\n\n\nplay(")[0] for block in blocks if "def play(" in block)
    assert not [game for game in GAMES if game in lines]
    known: dict[str, Any] = {"ask": ask, "json": json}
    exec(lines, known)  # the README's own lines
    played: Callable[[str, int], None] = known["play"]
    return played


def play_matches(client: FlaskClient, game: str, matches: int) -> Counter[str]:
    """Play the beginnings of matches with every number of players, and return how often each type of event was sent."""
    random.seed(game)
    sent = Counter[str]()
    play, sizes = of_readme(client, sent), games()[game].sizes
    for number in range(matches):
        players = [f"player-{seat}" for seat in range(sizes[number % len(sizes)])]
        match = opened(client, [{"type": "open", "game": game, "players": players}])
        play(match, HAND if number % 10 == 0 else HAND // 3)
    return sent


@pytest.mark.parametrize("game", GAMES)
def test_a_client_without_a_game_plays_every_game(game: str, empty: Flask) -> None:
    sent = play_matches(as_role(empty, "scorer"), game, 2)
    assert sent["deal"] >= 2


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", GAMES)
def test_a_client_without_a_game_plays_a_thousand_matches(game: str, empty: Flask) -> None:
    sent = play_matches(as_role(empty, "scorer"), game, 1000)
    assert {*sent} >= {"deal"} | ({phase.name for phase in games()[game].phases} & {"bid", "give", "play", "draw"})
