"""Guide cards: for each number of a movement, where to go in each round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.errors import RuleError
from cardledger.rules.evenings.guide import guide_cards
from cardledger.rules.evenings.session import SessionState
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.evenings.night import opening, record
from tests.web.test_pages import page

if TYPE_CHECKING:
    from flask import Flask

    from cardledger.record.recording.ledger import Ledger

BRIDGE = {"game": "bridge", "unit": "pair", "scoring": {"kind": "matchpoints"}}


def night(ledger: Ledger, pairs: int, **movement: object) -> str:
    entries = [{"type": "entry", "number": n, "players": [f"Nord {n}", f"Sued {n}"]} for n in range(1, pairs + 1)]
    return record(ledger, None, opening() | BRIDGE, *entries, *([{"type": "movement", **movement}] if movement else []))


def state(ledger: Ledger, session: str) -> SessionState:
    found = ledger.evenings.stream(session).state
    assert isinstance(found, SessionState)
    return found


def test_each_number_goes_where_the_movement_seats_it(empty: Flask) -> None:
    ledger = ledger_of(empty)
    session = night(ledger, 7, kind="howell", entries=8, boards=2)
    cards, now = guide_cards(state(ledger, session)), state(ledger, session)
    assert [len(stops) for stops in cards.values()] == [7] * 7
    for entry, stops in cards.items():
        assert sum(not stop.table for stop in stops) == 1, "seven pairs: each sits out once"
        for stop in stops:
            if stop.table:
                seated = now.tables(stop.round)[int(stop.table)]
                assert seated.seats[("NS", "EW").index(stop.sits)] == entry
                assert ({*seated.seats} - {entry}, seated.boards) == ({*stop.opponents}, stop.boards)
    shown = page(as_role(empty, "reader"), f"/evenings/{session}/guide-cards")
    assert shown.count("<section") == 7 and shown.count("sits out") == 7 and "Nord 3" in shown


def test_tables_of_sections_and_partners_are_named(empty: Flask) -> None:
    ledger = ledger_of(empty)
    cards = guide_cards(state(ledger, night(ledger, 8, kind="howell", sections=[2, 2], shared=True)))
    assert {stop.table for stop in cards[8]} <= {"B1", "B2"}
    alone = opening() | {"game": "bridge", "scoring": {"kind": "matchpoints"}}
    singles = [{"type": "entry", "number": n, "players": [f"Solo {n}"]} for n in range(1, 9)]
    session = record(ledger, None, alone, *singles, {"type": "movement", "kind": "individual", "entries": 8})
    card = guide_cards(state(ledger, session))[1]
    assert sorted(stop.partner or 0 for stop in card) == [2, 3, 4, 5, 6, 7, 8], "everybody is a partner once"
    assert all(len(stop.opponents) == 2 for stop in card)


@pytest.mark.parametrize("movement", [{}, {"kind": "swiss"}], ids=["none", "swiss"])
def test_without_planned_seats_there_are_no_cards(empty: Flask, movement: dict[str, object]) -> None:
    ledger = ledger_of(empty)
    session = night(ledger, 4, **movement)
    with pytest.raises(RuleError, match="guide cards"):
        guide_cards(state(ledger, session))
    assert as_role(empty, "reader").get(f"/evenings/{session}/guide-cards").status_code == 422
