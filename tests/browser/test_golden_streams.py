"""Every ruling of many random matches of all games, equal in this Python and in Chromium's.

A few matches of each game, or as many in all as GOLDEN_MATCHES says: 10,000 before a release (THOROUGH=1).
"""

from __future__ import annotations

import json
import os
from itertools import cycle, islice
from random import Random
from typing import TYPE_CHECKING, Any

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from tests.conftest import ROOT
from tests.golden_streams import digests
from tests.thorough import THOROUGH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Route

MATCHES = int(os.environ.get("GOLDEN_MATCHES") or (10_000 if THOROUGH else 120))
AT_ONCE = 40
"""Matches in one message to the worker."""
SLIPS = 25
"""One event in so many is preceded by one that somebody might enter by mistake."""
STARTS = "from cardledger_web.engine.inside import Inside\n\nInside().answer\n"
ASK = """(asked) => new Promise((done) => {
  window.engine.onmessage = ({ data }) => done(data.answer);
  window.engine.postMessage({ id: 1, asked });
})"""
READY = """() => new Promise((done) => {
  window.engine = new Worker("/engine/worker.js", { type: "module" });
  window.engine.onmessage = ({ data }) => done(data.ready ? "" : data.failed);
})"""


def matches(many: int) -> Iterator[list[Any]]:
    """Yield the events of matches of all games in turn, with slips among them, under both policies."""
    for seed, (name, game) in enumerate(islice(cycle(games().items()), many)):
        chance = Random(seed)
        events = simulate(
            name, chance.choice(game.sizes), chance, ["random"], max_hands=2, policy=chance.choice(("strict", "record"))
        )
        lines: list[Any] = []
        for event in events:
            line = json.loads(ev.encode(event))
            cards = [each["card"] for each in lines if "card" in each]
            if len(lines) > 1 and chance.randrange(SLIPS) == 0:
                slip = chance.choice(lines[1:])
                lines.append(line | {"card": chance.choice(cards)} if "card" in line and cards else slip)
            lines.append(line)
        yield lines


def test_rulings_of_random_matches_are_equal_in_a_browser(browser: Browser, address: str) -> None:
    source = (ROOT / "tests/golden_streams.py").read_text(encoding="utf-8")
    assert "`" not in source.replace("`digests`", "")

    def ours(route: Route) -> None:
        """Let the worker run the digests instead of the page's engine."""
        answer = route.fetch()
        text = answer.text()
        assert STARTS in text
        # It stands behind other lines there, and in a text of JavaScript.
        code = source.replace("from __future__ import annotations\n", "").replace("`", "").replace("\\", "\\\\")
        start = "from cardledger.rules.games import editions\neditions()\ndigests\n"
        route.fulfill(response=answer, body=text.replace(STARTS, f"{code}\n{start}"))

    context = browser.new_context(base_url=address, service_workers="block")
    page = context.new_page()
    page.route("**/engine/worker.js", ours)
    page.goto("/games")
    assert page.evaluate(READY) == ""
    waiting = matches(MATCHES)
    done = 0
    while some := [*islice(waiting, AT_ONCE)]:
        asked = json.dumps(some)
        here, there = json.loads(digests(asked)), json.loads(page.evaluate(ASK, asked))
        wrong = [number for number, pair in enumerate(zip(here, there, strict=True), done) if pair[0] != pair[1]]
        assert wrong == [], f"matches {wrong} are judged otherwise in the browser"
        done += len(some)
    assert done == MATCHES
    context.close()
