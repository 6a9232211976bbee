"""Handicaps: who has which, and the ranking with them beside the one that is published."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import FormatError
from cardledger.record.recording.handicaps import give_handicaps, handicap_ranking
from cardledger.rules.evenings.handicaps import handicap_written, handicaps
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.evenings.night import FOUR, opening, record, table
from tests.web.test_pages import page
from tests.web.test_scoring import signed_in

if TYPE_CHECKING:
    from flask import Flask

    from cardledger.record.recording.ledger import Ledger

HERE = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def ledger(empty: Flask) -> Ledger:
    return ledger_of(empty)


def night(ledger: Ledger, points: tuple[int, ...] = (10, 8, 5, 1), **keys: object) -> str:
    """Record an evening of one table with points; the numbers are 1 to 4 by seat."""
    rummy = opening() | {
        "game": None, "other_game": "Rummy", "sizes": [4], "scoring": {"kind": "total", "decimals": 0}
    } | keys  # fmt: skip
    session = record(ledger, None, rummy, table(1))
    record(ledger, session, {"type": "result", "round": 1, "table": 1, "points": [*points]})
    return session


def places(ledger: Ledger, session: str) -> dict[int, tuple[str, str]]:
    return {row["entry"]: (row["place"], row["adjusted"]) for row in handicap_ranking(ledger, session)["ranking"]}


def test_a_handicap_is_added_and_the_published_ranking_stays(ledger: Ledger) -> None:
    session = night(ledger)
    before = ledger.evenings.rankings.ranking(session)
    give_handicaps(ledger, session, "tests", {3: Fraction(9, 2), 4: Fraction(9)})
    assert places(ledger, session) == {1: ("1=", "10"), 4: ("1=", "10"), 3: ("3", "9.50"), 2: ("4", "8")}
    assert ledger.evenings.rankings.ranking(session).hash == before.hash
    give_handicaps(ledger, session, "tests", {4: Fraction(0)})
    assert places(ledger, session)[4] == ("4", "1")


def test_where_the_fewest_win_a_handicap_is_taken_off(ledger: Ledger) -> None:
    session = night(ledger, scoring={"kind": "total", "decimals": 0, "fewest": True})
    give_handicaps(ledger, session, "tests", {1: Fraction(20)})
    assert next(iter(places(ledger, session).items())) == (1, ("1", "-10"))


def test_the_same_again_records_nothing_and_the_last_one_counts(ledger: Ledger) -> None:
    session = night(ledger)
    give_handicaps(ledger, session, "tests", {1: Fraction(-2), 2: Fraction(1, 4)})
    before = ledger.store.last_position()
    give_handicaps(ledger, session, "tests", {1: Fraction(-2), 2: Fraction(1, 4), 3: Fraction(0)})
    assert ledger.store.last_position() == before
    give_handicaps(ledger, session, "tests", {1: Fraction(3)})
    assert handicaps(ledger.evenings.stream(session)) == {1: Fraction(3), 2: Fraction(1, 4)}
    seq = ledger.evenings.stream(session).seq
    record(ledger, session, {"type": "retract", "to": seq - 1})
    assert handicaps(ledger.evenings.stream(session))[1] == -2


@pytest.mark.parametrize("text", ["", "x", "1.234", "1e5", "++1", "12345678", "\u0661"])
def test_what_is_no_handicap_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="is no handicap"):
        handicap_written(text)


def test_a_number_that_nobody_has_gets_none(ledger: Ledger) -> None:
    with pytest.raises(FormatError, match="nobody has the number 9"):
        give_handicaps(ledger, night(ledger), "tests", {9: Fraction(1)})


def test_handicaps_on_the_page_and_over_http(empty: Flask, ledger: Ledger) -> None:
    session = night(ledger)
    scorer, reader = signed_in(empty, "scorer"), as_role(empty, "reader")
    address = f"/evenings/{session}/handicaps"
    assert "Nobody has a handicap" in page(reader, address) and "Ranking with handicaps" not in page(scorer, address)
    assert reader.post(address, data={"handicap-1": "2"}, headers=HERE).status_code == 403
    wrong = scorer.post(address, data={"handicap-1": "two", "handicap-2": "3"}, headers=HERE)
    assert (
        wrong.status_code == 400 and "is no handicap" in wrong.text and not handicaps(ledger.evenings.stream(session))
    )
    assert scorer.post(address, data={"handicap-4": "9,5"}, headers=HERE).status_code == 303
    assert "Ranking with handicaps" in page(reader, f"/evenings/{session}")
    assert "10.50" in page(reader, address) and 'value="9.5"' in page(scorer, address)
    told = reader.get(f"/api/v1/sessions/{session}/handicaps").json
    assert (told["unit"], told["ranking"][0]["players"], told["ranking"][0]["handicap"]) == (
        "points",
        [FOUR[3]],
        "9.50",
    )
