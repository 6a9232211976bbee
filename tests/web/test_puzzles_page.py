"""The page of puzzles: the one of the day first, each leads to its question, and none tells its answer."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote

from cardledger.record.people.people import Sat
from cardledger.rules.bots.simulation import simulate
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.puzzles import find_puzzles
from cardledger.study.stats.review.review import FOR_PUZZLES
from cardledger.study.stats.review.reviews import compute
from cardledger_web.app import ledger_of

if TYPE_CHECKING:
    from flask import Flask

API = "/api/v1"


def test_puzzles_lead_from_the_list_to_their_answers(empty: Flask) -> None:
    ledger, client = ledger_of(empty), empty.test_client()
    assert "None yet." in client.get("/puzzles").text
    ledger.record(None, simulate("ruff", 3, Random(1), ["cautious", "random", "random"], max_hands=2), 0)
    page = client.get("/puzzles?game=ruff").text
    assert "None yet." in page and "2 hands were not searched yet" in page
    with LuckStore(ledger) as store:
        store.catch_up()
        assert [*compute(store.hands(), store)] and [*find_puzzles(store.hands(), store)]
        kept = {(h.match, h.hand): store.puzzles(h.match, h.hand, FOR_PUZZLES.edition) or [] for h in store.hands()}
    page = client.get("/puzzles?day=2026-11-28").text
    links = [unescape(link) for link in re.findall(r'href="(/matches/[^"]*/quiz\?[^"]*)"', page)]
    number = sum(map(len, kept.values()))
    assert len(links) == len({*links}) == number > 1
    assert "The puzzle of" in page and "not searched" not in page
    assert client.get("/puzzles?day=2026-11-28").text == page
    assert client.get("/puzzles?day=yesterday").status_code == 400

    told = client.get(f"{API}/puzzles?game=ruff").json
    assert (len(told["puzzles"]), told["pending"]) == (number, 0)
    assert client.get(f"{API}/puzzles?game=whist").json["puzzles"] == []
    for one in told["puzzles"]:
        (row,) = [row for row in kept[one["match"], one["hand"]] if row[0] == one["seq"]]
        question = client.get(
            f"{API}/matches/{one['match']}/hands/{one['hand']}/quiz?seat={one['seat']}&stops={one['seq']}"
        ).json
        assert (question["seq"], len(question["choices"])) == (one["seq"], one["options"])
        answer = client.get(f"{API}/matches/{one['match']}/hands/{one['hand']}/quiz/{one['seq']}").json
        assert (answer["made"], answer["best"], answer["worlds"]) == (row[3], row[4], FOR_PUZZLES.judging)
    first = told["puzzles"][0]
    ledger.record_people([Sat(match=first["match"], seat=first["seat"], player="zoe")], 0, "ana")
    assert "zoe" in client.get("/puzzles?day=2026-11-28").text, "who truly sat there is named"
    asked = client.get(links[0]).text
    assert "What would you do as" in asked
    (choice, *_) = re.findall('<button type="submit" name="choice" value="(.*?)"', asked)
    seen = client.get(f"{links[0]}&choice={quote(unescape(choice))}&see=1").text
    assert f"a mean over {FOR_PUZZLES.judging} possible worlds" in seen
