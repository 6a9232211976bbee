"""The table of arrivals: how cards came into the hands of players, step by step; and the view of each card in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

from cardledger.record.readmodels.columns import GAME, HAND, MATCH, NTH, PLAYER, SEAT, here
from cardledger.record.readmodels.model import DerivedView, Folded, ReadModel, Row
from cardledger.record.readmodels.tables.deals import cards_dealt, counting
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.phases import Phase

STEP = ("INTEGER NOT NULL", "number of the step by which cards came into hands, from 1 for the deal")
CAME = (
    "TEXT NOT NULL",
    "how it came: dealt, drawn (from the stock), taken (from the discards), "
    "passed, given, picked up, or a word of the game",
)


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the steps of the hands that are over and count, as soon as their deal may be seen: it has to be known."""
    stream = match.stream
    table = stream.table
    hands = [hand for hand in table.hands[since - 1 :] if hand.scores is not None]
    counts = counting(stream) if hands else None
    phases = bringing(table.game.phases)
    for hand in hands:
        dealt, _ = cards_dealt(stream, hand, counts)
        if dealt is None:
            continue
        yield match.id, hand.number, 1, "dealt", json.dumps([" ".join(faces) for faces in dealt], separators=(",", ":"))
        step = 1
        for seq in range(hand.first + 1, (hand.last or hand.first) + 1) if phases else ():
            event = stream.events[seq - 1] if counts is None else counts.get(seq)
            phase = None if event is None else phases.get(type(event))
            for seat, how, faces in () if phase is None or event is None else phase.arrivals(table, hand, event):
                step += 1
                given = [" ".join(faces) if each == seat else "" for each in range(table.n)]
                yield match.id, hand.number, step, how, json.dumps(given, separators=(",", ":"))


@cache
def bringing(phases: tuple[Phase, ...]) -> dict[type[ev.Event], Phase]:
    """Return the phase of each kind of event that can bring cards into hands after the deal.

    A kind of event that says nothing of it brings none, unless its phase does.
    """
    return {
        kind: phase
        for phase in phases
        for kind in phase.takes()
        if kind is not ev.Deal
        and (kind.arrivals is not ev.Event.arrivals or type(phase).arrivals is not Phase.arrivals)
    }


ARRIVALS = ReadModel(
    "arrivals",
    "Every step by which cards came into hands, in hands that are over and whose deal is known.",
    {
        "match": MATCH,
        "hand": HAND,
        "step": STEP,
        "came": CAME,
        "faces": ("TEXT NOT NULL", "JSON list by seat of the faces that came, empty for a seat that got none"),
    },
    ("match", "hand", "step"),
    rows,
)
DEALT = DerivedView(
    "dealt",
    "Every card that came into a hand, in hands that are over and whose deal is known; void matches are left out.",
    {
        "match": MATCH,
        "game": GAME,
        "hand": HAND,
        "step": STEP,
        "seat": SEAT,
        "nth": here(NTH, "among the cards of the seat in this step"),
        "player": PLAYER,
        "card": ("TEXT NOT NULL", "face of the card"),
        "came": CAME,
    },
    ("match", "hand", "step", "seat", "nth"),
    """SELECT a.match, m.game, a.hand, a.step, s.key, c.key + 1, p.player, c.value, a.came
    FROM arrivals AS a CROSS JOIN matches AS m USING (match)
    CROSS JOIN json_each(a.faces) AS s ON s.value <> ''
    CROSS JOIN json_each('["' || replace(s.value, ' ', '","') || '"]') AS c
    CROSS JOIN players AS p ON p.match = a.match AND p.seat = s.key""",
)
