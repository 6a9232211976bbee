"""What the scripts of a page are refused is said in the language of the page: in Greek letters, no word is English."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from cardledger.rules.engine.event import bare
from cardledger.rules.engine.events import TYPES
from cardledger.rules.games import games
from cardledger_web.app import ledger_of
from tests.web.test_every_word import IDS, SAME, WORD, greek, match_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

__all__ = ["greek"]
GREEK = {"Accept-Language": "el"}
ARGUMENTS = ("about", "amount", "scores", "to", "tricks")
KEPT = {*SAME, *TYPES, *(word for game in games() for word in game.split("-")), *ARGUMENTS}
"""Words of events and games as programs write them."""
FACE = re.compile(r"'[^']*'")


def wrong(kept: list[dict[str, Any]], n: int, seq: int) -> Iterator[dict[str, Any]]:
    """Yield events as a script may send them at a wrong moment: those of the match, at other seats, with other cards."""
    firsts = {event["type"]: event for event in reversed(kept)}
    for event in (*firsts.values(), *kept[-6:]):
        if event["type"] == "open":
            continue
        yield event
        for seat in {key: event[key] for key in ("seat", "dealer", "starter") if isinstance(event.get(key), int)}:
            yield event | {seat: (event[seat] + 1) % n}
            yield event | {seat: n}
        for card in ("card", "upcard"):
            if isinstance(event.get(card), str):
                yield event | {card: "QS"}
                yield event | {card: "13"}
        if isinstance(event.get("cards"), list):
            yield event | {"cards": event["cards"][:1]}
            yield event | {"cards": [*event["cards"], "QS"]}
            yield event | {"cards": ["QS"] * len(event["cards"])}
        for number in ("amount", "bid", "tricks", "board"):
            if isinstance(event.get(number), int):
                yield event | {number: 99}
        if isinstance(event.get("call"), str):
            yield event | {"call": "9Z"}
        if isinstance(event.get("hands"), list) and event["hands"]:
            hands = event["hands"]
            yield event | {"hands": hands[1:]}
            yield event | {"hands": [hands[0], *hands[:-1]]}
            yield event | {"hands": [hands[0][1:] if hands[0] else None, *hands[1:]]}
    yield {"type": "score", "scores": [1] * n}
    yield {"type": "score", "scores": [1] * (n - 1)}
    yield {"type": "tricks", "tricks": [99] * n}
    yield {"type": "tricks", "tricks": [1] * (n + 1)}
    yield {"type": "claim", "tricks": [99] * n}
    yield {"type": "deal", "dealer": 0, "hands": None}
    yield {"type": "deal", "dealer": n, "hands": None}
    yield {"type": "end"}
    yield {"type": "retract", "to": seq + 5}
    yield {"type": "amend", "about": seq + 5, "event": kept[-1]}
    yield {"type": "amend", "about": 1, "event": kept[-1]}
    yield {"type": "play", "seat": 0, "card": "QS"}
    yield {"type": "bid", "seat": 0, "bid": 99}
    yield {"type": "pass", "seat": 0, "cards": ["QS"]}
    yield {"type": "draw", "seat": 0, "cards": ["QS"]}


@pytest.mark.parametrize("game", games())
def test_nothing_english_is_left_of_a_refusal(greek: Flask, game: str) -> None:
    match, ledger, client = match_of(game), ledger_of(greek), greek.test_client()
    stream, scorer = ledger.stream(match), f"/matches/{match}/score/what-if"
    kept = [msgspec.to_builtins(bare(event)) for event in ledger.events(match)]
    asked = [
        (at, event) for at in (2, stream.seq // 3, stream.seq) for event in wrong(kept[: at + 6], stream.table.n, at)
    ]
    said: dict[str, Any] = {}
    for place, (at, event) in enumerate(asked):
        for address in (scorer, f"/api/v1/matches/{match}/what-if")[: 1 + (place % 9 == 0)]:
            answer = client.post(address, json={"events": [event], "at": at}, headers=GREEK)
            refused = answer.status_code >= 400
            told = [answer.json] if refused else answer.json["warnings"] if address == scorer else []
            # An unknown type or key of JSON is a program's mistake, and told to its author.
            said |= {each["detail"]: event for each in told if each["code"] not in ("format.type", "format.key")}
    assert len(said) > 5
    assert {
        text: event for text, event in said.items() if {*WORD.findall(IDS.sub("", FACE.sub("", text)))} - KEPT
    } == {}
