"""Rulings and summaries of read models: they agree with the audit trail after any correction."""

from __future__ import annotations

from collections import Counter

import pytest

from cardledger.record.matches.replay import audit
from cardledger.record.readmodels import SUMMARIES
from cardledger.record.readmodels.questions.violation_list import rule_counts
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.test_readmodels import sample_matches


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    ledger = Ledger(tmp_path_factory.mktemp("rulings") / "club.db")
    for match in sample_matches():
        ledger.record(None, match.events, 0)
    yield ledger
    ledger.close()


def test_every_ruling_that_is_counted_is_in_the_trail_of_its_hand(recorded: Ledger) -> None:
    for match in recorded.matches():
        table = recorded.stream(match).table
        trail = [ruling for entry in audit(recorded.events(match)) for ruling in entry.rulings]
        rows = recorded.views.reader.query("SELECT * FROM rulings WHERE match = ?", (match,))
        counted = {(row["hand"], row["rule"], row["verdict"]): row["count"] for row in rows}
        for hand in table.hands:
            in_hand = [ruling for ruling in trail if hand.first <= ruling.seq <= (hand.last or 10**9)]
            said = Counter((ruling.rule, ruling.verdict) for ruling in in_hand)
            here = {
                (rule, verdict): count for (number, rule, verdict), count in counted.items() if number == hand.number
            }
            assert here.keys() <= said.keys()
            assert all(here.get(key) == count for key, count in said.items() if key[1] == "broken")
            decided = Counter(rule for *_, rule in hand.tricks)
            assert {rule: here[rule, "resolved"] for rule in decided} == decided
            assert hand.scores is None or sum(here.values()) > sum(decided.values())


def test_the_trail_names_the_rule_that_ended_the_match(recorded: Ledger) -> None:
    for match in recorded.matches():
        table = recorded.stream(match).table
        last = audit(recorded.events(match))
        if table.status == "complete":
            rule = next(entry.rulings[-1].rule for entry in reversed(last) if entry.rulings)
            rows = recorded.views.reader.query(
                "SELECT hand FROM rulings WHERE match = ? AND rule = ? AND verdict = 'resolved'", (match, rule)
            )
            assert [row["hand"] for row in rows][-1:] == [len(table.hands)]


@pytest.mark.parametrize("summary", SUMMARIES, ids=lambda summary: summary.name)
def test_a_summary_is_the_sum_of_its_rows_and_verification_knows_when_it_is_not(tmp_path, summary) -> None:
    ledger = Ledger(tmp_path / "club.db")
    for match in sample_matches()[:4]:
        ledger.record(None, match.events, 0)
    assert [error for _, error in ledger.verify() if error] == []
    column = next(iter(summary.sums))
    with ledger.views.file.writing() as db:
        db.execute(f"UPDATE {summary.name} SET {column} = {column} + 1")
    (wrong,) = [(name, error.code) for name, error in ledger.verify() if error]
    assert wrong == (summary.name, "store.views")
    ledger.close()


def test_a_group_without_rows_is_deleted(ledger: Ledger) -> None:
    opening = ev.Open(game="diversity", players=tuple("abcd"), date="2026-11-21")
    match = ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=(4, 3, 3, 3))], 0).match
    assert rule_counts(ledger, "diversity") == {("score.agreed", "resolved"): (1, 1)}
    amended = ev.Open(game="diversity", players=tuple("wxyz"), date="2026-12-01")
    ledger.record(match, [ev.Retract(to=2), ev.Amend(about=1, event=amended)], 3)
    assert rule_counts(ledger, "diversity") == {}
    rows = ledger.views.reader.query("SELECT player, month, hands FROM careers ORDER BY player")
    assert [tuple(row.values()) for row in rows] == [(name, "2026-12", 0) for name in "wxyz"]


def test_places_are_shared_by_equals(ledger: Ledger) -> None:
    opening = ev.Open(game="ruff", players=tuple("abc"), options={"rounds": 1})
    ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=(2, 7, 2))], 0)
    rows = ledger.views.reader.query("SELECT player, place, won FROM players ORDER BY seat")
    assert [tuple(row.values()) for row in rows] == [("a", 2, 0), ("b", 1, 1), ("c", 2, 0)]
