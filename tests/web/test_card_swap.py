"""Swapping two cards that were mixed up: one correction, whole or not at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.web.conftest import opened as application
from tests.web.test_partners import words

if TYPE_CHECKING:
    from flask import Flask

SUITS = tuple(tuple(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS")
MIXED = tuple(tuple(face for suit in SUITS for face in suit)[seat::4] for seat in range(4))


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """An application whose clients are an admin's, for all swaps."""
    yield from application(tmp_path_factory.mktemp("swaps") / "club.db")


def played(app: Flask, *faces: str, hands: Any = MIXED, policy: Any = "record") -> str:
    """A hand of diversity, dealt by the last seat, in which seats play these cards in turn."""
    opening = ev.Open(game="diversity", players=("ana", "ben", "chloe", "dev"), policy=policy)
    plays = [ev.Play(seat=place % 4, card=face) for place, face in enumerate(faces)]
    return ledger_of(app).record(None, [opening, ev.Deal(dealer=3, hands=hands), *plays], 0).match


def post(app: Flask, match: str, one: str, other: str, **more: Any) -> Any:
    form = {"hand": "1", "one": one, "other": other, "seq": ledger_of(app).stream(match).seq}
    return app.test_client().post(f"/matches/{match}/swap", data=form | more)


def trick(app: Flask, match: str) -> list[str]:
    table = ledger_of(app).stream(match).table
    return [table.pack.faces[card] for card in table.hand.tricks[0][1]]


def test_the_played_cards_of_two_players_are_swapped_in_play_and_deal(app: Flask) -> None:
    match = played(app, "2C", "3C", "4C", "5C")
    before = ledger_of(app).stream(match).seq
    assert post(app, match, "3C", "4C").status_code == 303
    assert trick(app, match) == ["2C", "4C", "3C", "5C"]
    first, *rest = ledger_of(app).events(match)[before:]
    assert isinstance(first, ev.Retract)
    assert first.reason == "3C and 4C were mixed up"
    assert [ev.type_of(event) for event in rest] == ["deal", "play", "play", "play", "play"]


def test_a_played_card_and_one_in_the_same_hand_are_one_amendment(app: Flask) -> None:
    match = played(app, "2C", "3C")
    assert post(app, match, "2C", "6C").status_code == 303
    last = ledger_of(app).events(match)[-1]
    assert isinstance(last, ev.Amend)
    assert (last.about, last.event) == (3, ev.Play(seat=0, card="6C"))


def test_earlier_amendments_stay(app: Flask) -> None:
    match = played(app, "2C", "3C", "4C", "5C", hands=None)
    opening = ev.Open(game="diversity", players=("ana", "ben", "chloe", "eva"), policy="record")
    amends = [ev.Amend(about=1, event=opening), ev.Amend(about=3, event=ev.Play(seat=0, card="9C"))]
    ledger_of(app).record(match, amends, 6)
    assert post(app, match, "4C", "5C").status_code == 303
    table = ledger_of(app).stream(match).table
    assert table.players[3] == "eva"
    assert trick(app, match) == ["9C", "3C", "5C", "4C"]


def test_the_page_shows_what_a_swap_changes_before_it_is_recorded(app: Flask) -> None:
    match = played(app, "2C", "3C", "4C", "5C")
    text = app.test_client().get(f"/matches/{match}/swap?hand=1&one=4C&other=5C").text
    assert "4 of clubs and 5 of clubs change places" in words(text)
    assert "Swap them" in text
    assert re.search(r'<option value="5C" selected>5♣\S* dev, played</option>', text)
    assert len(ledger_of(app).events(match)) == 6


def test_a_swap_that_cannot_be_is_refused_whole(app: Flask) -> None:
    match = played(app, "2C", "3C", "4C", "5C", policy="strict")
    for one, other, said in (("2C", "2C", "two different cards"), ("2C", "XX", "no card of its own")):
        answer = post(app, match, one, other)
        assert answer.status_code == 400
        assert said in answer.text
    assert "recorded meanwhile" in post(app, match, "3C", "4C", seq="3").text
    assert len(ledger_of(app).events(match)) == 6
