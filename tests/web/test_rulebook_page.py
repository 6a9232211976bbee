"""Rulebooks: how often each rule decided something or was broken, with a way to the hands."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from cardledger.record.readmodels.questions.violation_list import rule_counts
from cardledger.rules.games import games
from cardledger_web.app import ledger_of
from tests.web.test_pages import page
from tests.web.test_players_page import number_of_hands

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient


@pytest.mark.parametrize("game", games())
def test_the_effects_of_a_rule_are_shown_with_links_to_the_hands(app: Flask, client: FlaskClient, game: str) -> None:
    text = page(client, f"/games/{game}")
    counts = rule_counts(ledger_of(app), game)
    assert counts
    for (rule, verdict), (hands, count) in counts.items():
        clause = text.partition(f'<div id="{rule}">')[2].partition("</div>")[0]
        said = " ".join(re.sub(r"<[^>]+>", " ", clause).split())
        verb = "decided" if verdict == "resolved" else "broken"
        times = "once" if count == 1 else f"{count:,} times"
        assert f"{verb} {times} , in {hands} hand{'s' if hands > 1 else ''}" in said
        name = "rule" if verdict == "resolved" else "violation"
        link = next(unescape(href) for href in re.findall(r'href="(/hands[^"]+)"', clause) if f"{name}={rule}" in href)
        assert number_of_hands(client, link) == hands


def test_every_trick_of_the_ledger_is_counted_once(app: Flask) -> None:
    ledger = ledger_of(app)
    tricks = 0
    for game in games():
        tricks += sum(count for (rule, _), (_, count) in rule_counts(ledger, game).items() if rule.startswith("trick."))
    assert tricks == ledger.views.reader.execute("SELECT count(*) FROM tricks").fetchone()[0]
