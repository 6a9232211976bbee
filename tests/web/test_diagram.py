"""The diagram of a hand, as newspapers print it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import cardledger
from cardledger.rules.engine import events as ev
from cardledger_web.app import ledger_of
from tests.web.test_pages import page
from tests.web.test_wording import plain

if TYPE_CHECKING:
    from flask import Flask

NIGHT = Path(__file__).parents[2] / "samples" / "bridge-club-night.jsonl"


def recorded(app: Flask, events: list[ev.Event]) -> str:
    return ledger_of(app).record(None, events, 0).match


def test_a_hand_is_drawn_around_a_compass_with_its_auction_and_lead(empty: Flask) -> None:
    match = recorded(empty, list(cardledger.read(NIGHT)[0].events))
    text = page(empty.test_client(), f"/matches/{match}/hands/1")
    seats = {
        found[1]: plain(found[2])
        for found in re.finditer(r'<div class="hand-of place-(\d)">(.*?)</div>', text, re.DOTALL)
    }
    assert seats["0"].startswith("S chloe")
    assert seats["1"].startswith("W dev")
    assert "A K Q J 4" in seats["1"]
    shown = plain(text[text.index('<div class="auction">') : text.index('class="tricks"')])
    assert shown.startswith("W N E S Pass 1♦ Pass 3NT Pass Pass Pass Lead: A♥")
    assert "Vulnerable: nobody" in plain(text)


def test_alerts_stand_below_the_auction_with_their_numbers(empty: Flask) -> None:
    match = recorded(empty, list(cardledger.read(NIGHT)[0].events))
    text = page(empty.test_client(), f"/matches/{match}/hands/3")
    assert "2♣\ufe0e<sup>1</sup>" in text
    assert '<ol class="alerts" aria-label="Alerts"><li><bdi>5 clubs, 8 to 15</bdi>' in text
    assert "cards not seen" not in text


def test_a_hand_of_which_some_cards_were_seen_shows_these_and_says_so(empty: Flask) -> None:
    """Of a hidden hand that ended with a claim only the cards played are known."""
    players = ("ana", "ben", "chloe", "dev")
    deal = ev.Deal(hands=None, board=1, contract="1NT", declarer=0)
    cards = (ev.Play(seat=1, card="AS"), ev.Play(seat=2, card="2S"), ev.Play(seat=3, card="3S"))
    events = [ev.Open(game="bridge", players=players), deal, *cards, ev.Play(seat=0, card="4S")]
    match = recorded(empty, [*events, ev.Claim(tricks=(7, 5, 0, 0))])
    text = plain(page(empty.test_client(), f"/matches/{match}/hands/1"))
    assert "Only cards that were seen are shown." in text
    assert "E ben ♠ Ace of spades A" in text


def test_readers_see_no_diagram_of_a_hand_under_way(empty: Flask) -> None:
    events = list(cardledger.read(NIGHT)[0].events)[:14]
    match = recorded(empty, events)
    for text in (
        page(empty.test_client(), f"/matches/{match}/hands/1"),
        page(empty.test_client(), f"/matches/{match}"),
    ):
        assert 'class="compass"' not in text


def test_the_picture_for_notebooks_has_seats_and_contract() -> None:
    svg = cardledger.read(NIGHT)[0].hand(1).svg
    words = " ".join(ElementTree.fromstring(svg).itertext())
    assert "N  ana (dealer)" in words
    assert "Contract: 3NT" in words


def test_a_match_of_many_boards_draws_none_before_it_is_opened(empty: Flask) -> None:
    """Boards of which only deal and result are recorded have no tricks, and are long all the same."""
    events: list[ev.Event] = [ev.Open(game="bridge", players=("ann", "bob", "cem", "dot"), options={"boards": 12})]
    for number in range(1, 13):
        hands = tuple(tuple(rank + suit for rank in "23456789TJQKA") for suit in "CDHS")
        deal = ev.Deal(board=number, hands=hands[number % 4 :] + hands[: number % 4], contract="3NT", declarer=0)
        events += [deal, ev.Claim(tricks=(9, 4, 0, 0))]
    match = recorded(empty, events)
    shown = empty.test_client().get(f"/matches/{match}").text
    assert shown.count("data-hand=") == 12
    assert "diagram" not in shown.split("<main")[1]
