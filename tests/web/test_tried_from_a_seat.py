"""Moves tried from a seat's view: own ones are judged, those of others come from a deal that fits, nothing is told."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.games import games
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.conftest import EVERYDAY
from tests.tables import Sitting

if TYPE_CHECKING:
    from flask import Flask


@pytest.mark.parametrize("game", EVERYDAY)
def test_every_choice_that_is_offered_can_be_tried_or_says_why_not(empty: Flask, game: str) -> None:
    sizes = games()[game].sizes
    events = [*simulate(game, 4 if 4 in sizes else sizes[0], Random(4), ["cautious"], max_hands=1)]
    match = ledger_of(empty).record(None, events, 0).match
    client = as_role(empty, "reader")
    tried = 0
    for seq in range(3, len(events) - 2, 9):
        address = f"/matches/{match}/replay/{seq}/what-if?view=0"
        begun = client.get(address)
        if begun.status_code == 422:
            continue  # the hand is over there
        assert begun.status_code == 200, begun.text
        offered = [part.split('"')[0] for part in begun.json.get("choices", "").split('data-move="')[1:]]
        offered += [part.split('"')[0] for part in begun.json.get("table", "").split('data-move="')[1:]]
        for move in Random(seq).sample(offered, min(3, len(offered))):
            answer = client.get(f"{address}&line={quote(move)}")
            assert answer.status_code == 200, answer.text
            assert answer.json["moves"] == [move] or answer.json["trouble"], answer.json
            tried += answer.json["moves"] == [move]
    assert tried


def test_what_is_shown_does_not_depend_on_what_others_held(empty: Flask) -> None:
    shown = []
    for hands in (("2C 3C", "4C 5C 2H", "6C 7C 2D", "8C 9C 2S"), ("2C 3C", "4C 5C 2H", "6C 9C 2D", "8C 7C 2S")):
        sitting = Sitting("whist", 4).deal(*hands, dealer=3).play("2C 4C 6C 8C")
        match = ledger_of(empty).record(None, [*sitting.stream.events], 0).match
        client = as_role(empty, "scorer")
        answer = client.get(f"/matches/{match}/replay/2/what-if?view=0&line=play.0.3C~play.1.5C").json
        shown.append({key: str(value).replace(match, "MATCH") for key, value in answer.items()})
    assert shown[0] == shown[1]
    assert shown[0]["moves"] == "['play.0.3C', 'play.1.5C']"
