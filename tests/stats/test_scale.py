"""The scale of strength: points, or against the other tables that played the same deal; never both in one figure."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardledger
from cardledger.errors import FormatError, StoreError
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings.awards import certain
from cardledger.rules.evenings.imps import cross_imps
from cardledger.rules.games import game
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.compare import compare
from cardledger.study.stats.measures.scale import LEAST_TABLES, mean_imps, on_field
from cardledger.study.stats.measures.shared_boards import SharedBoards, shared_boards
from cardledger.study.stats.measures.tally import Tally
from tests.conftest import SAMPLES
from tests.evenings.bridge import pairs, play
from tests.evenings.night import play as play_elsewhere
from tests.evenings.night import record
from tests.stats.leagues import of_boards

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.study.stats.measures.sheet import Sheet

SIDES = game("bridge").sides
FIELD = Query(scale="field")


def apart(sheet: Sheet) -> float:
    """Return how far the first four of eight pairs are ahead of the others, in standard errors of pairs."""
    query = Query() if sheet.scale == "points" else Query(scale=sheet.scale)
    found = {one.player: one for one in compare(Tally(sheet, query), sides=SIDES, fewest=False).players}
    pairs = [found[f"player-{2 * pair:02}"] for pair in range(8)]
    ahead = sum(one.adjusted for one in pairs[:4]) - sum(one.adjusted for one in pairs[4:])
    return float(ahead / sum(one.error**2 for one in pairs) ** 0.5)


def test_the_field_tells_pairs_apart_where_points_do_not() -> None:
    """Eight pairs, 60 boards at four tables: the same results on two scales."""
    rng = np.random.default_rng(1)
    seasons = [of_boards(rng, np.repeat([0.2, -0.2], 4), 60) for _ in range(10)]
    points, field, imps = (
        np.mean([apart(one if scale is None else on_field(one, scale)) for one in seasons])
        for scale in (None, "field", "imps")
    )
    assert field > 2 * points > 0
    assert imps > points


def test_percent_are_the_matchpoints_of_a_board() -> None:
    """At four tables a top is 100, a bottom 0, and equal results share; what north-south win, east-west lose."""
    sheet = of_boards(np.random.default_rng(1), np.zeros(8), 1)
    sheet.hands["points"] = np.repeat([420, 420, -50, 620], 4) * np.tile([1, -1, 1, -1], 4)
    shares = on_field(sheet, "field").hands["fair"].reshape(4, 4)
    assert shares[:, 0] == pytest.approx([50, 50, 0, 100])
    assert shares[:, 1] == pytest.approx([50, 50, 100, 0])
    assert (shares[:, :2] == shares[:, 2:]).all()


BOARDS = st.lists(
    st.lists(st.integers(-80, 80).map(lambda tens: 10 * tens), min_size=LEAST_TABLES, max_size=8),
    min_size=1,
    max_size=3,
)


@given(BOARDS)
def test_imps_are_those_of_an_evening(boards: list[list[int]]) -> None:
    """The sum over all tables of a board is that of the scorer of evenings, board by board."""
    group = np.repeat(np.arange(len(boards)), [len(board) for board in boards])
    found = mean_imps(group, np.concatenate(boards).astype(float))
    expected = [float(each) for board in boards for each in cross_imps([certain(score) for score in board])]
    assert found == pytest.approx(expected)


def test_a_league_of_shared_and_single_deals_has_two_scales_that_are_never_added() -> None:
    """The hands of single deals do not count on the scale of the field, whatever their points are."""
    sheet = of_boards(np.random.default_rng(2), np.zeros(8), 20)
    sheet.hands["deal"][160:] = np.where(np.arange(160) % 16 < 8, sheet.hands["deal"][160:], -1)  # two tables each
    shared = on_field(sheet, "field")
    assert Tally(shared, FIELD).basis().hands == 40
    assert Tally(shared, FIELD).basis().abandoned == Tally(shared, FIELD).basis().valued == 0
    before = compare(Tally(shared, FIELD), sides=SIDES, fewest=False)
    sheet.hands["points"][160:] *= 100
    assert compare(Tally(on_field(sheet, "field"), FIELD), sides=SIDES, fewest=False) == before
    assert Tally(sheet, Query()).basis().hands == 80


def test_what_has_one_scale_only_refuses_the_other() -> None:
    sheet = of_boards(np.random.default_rng(3), np.zeros(8), 2)
    with pytest.raises(StoreError, match="leave out the scale"):
        Tally(sheet, FIELD)
    with pytest.raises(StoreError, match="leave out the scale"):
        Tally(on_field(sheet, "field"), Query())
    with pytest.raises(FormatError, match="points, field, imps"):
        Query.parse({"scale": "victory"})
    assert Query.parse({"scale": "points"}) == Query()
    assert Query.parse({"scale": "field"}).text == "scale=field"


def test_tables_of_a_ledger_have_the_scale_and_say_so(tmp_path: Path) -> None:
    """One board at three tables, and one more that a single table played."""
    opening, *events = cardledger.read(SAMPLES / "bridge-club-night.jsonl")[0].events
    with Ledger(tmp_path / "club.db") as ledger:
        for table in range(LEAST_TABLES):
            players = tuple(f"{name}-{table}" for name in ("nan", "eve", "sam", "wes"))
            first = msgspec.structs.replace(opening, options={"boards": 1}, players=players, id=None)
            ledger.record(None, [first, *events[:8], ev.Claim(tricks=(5 + table, 8 - table, 0, 0))], 0)
            statistics = Statistics(ledger.views)
            notes = statistics.players("bridge", Query()).notes
            assert any("3 hands" in note for note in notes) == (table == LEAST_TABLES - 1)
        found = statistics.players("bridge", FIELD)
        points = {row["player"]: row["points"] for row in found.rows}
        assert [points[f"nan-{table}"] for table in range(3)] == [0, 50, 100]
        assert [points[f"eve-{table}"] for table in range(3)] == [100, 50, 0]
        assert any("percent" in note for note in found.notes)
        assert {row["pair"] for row in statistics.partnerships("bridge", FIELD).rows} >= {"eve-0 + wes-0"}
        assert statistics.change("nan-0", FIELD).rows == []
        with pytest.raises(StoreError, match="not compared with the field"):
            statistics.players("whist", FIELD)
        for refused in (
            lambda: statistics.player("nan-0", FIELD), lambda: statistics.players("bridge", FIELD, "field")
        ):  # fmt: skip
            with pytest.raises(StoreError, match="leave out the scale"):
                refused()


@pytest.mark.parametrize(("scale", "kind"), [("field", "matchpoints"), ("imps", "cross_imps")])
def test_an_evening_of_results_without_cards_has_the_scale_of_its_ranking(
    ledger: Ledger, scale: str, kind: str
) -> None:
    """Most clubs record no cards: the evening knows who played the same board. Each pair has what the scorer gives it."""
    session = pairs(ledger, 4, 2, scoring={"kind": kind})
    statistics = Statistics(ledger.views)
    before = statistics.players("bridge", Query(scale=scale)).rows
    play(ledger, session, Random(3))
    rows = {row["player"]: row for row in statistics.players("bridge", Query(scale=scale)).rows}
    standings = ledger.evenings.rankings.standings(session)
    assert not before
    assert len(rows) == 2 * len(standings) == 16
    for standing in standings:
        value = standing.value if scale == "field" else standing.value / standing.played
        assert rows[f"a{standing.entry}"]["points"] == pytest.approx(float(value), abs=0.006)
    assert {row["hands"] for row in rows.values()} == {standing.played for standing in standings}


class Rows:
    """Answers a question with rows."""

    def __init__(self, *rows: tuple[str, int, str, str | None], ruled: frozenset[str] = frozenset()) -> None:
        self.rows = [(*row, row[0] in ruled) for row in rows]

    def execute(self, _: str) -> Rows:
        return self

    def fetchall(self) -> list[tuple[str, int, str, str | None, bool]]:
        return self.rows


def test_a_table_without_cards_had_those_of_the_others_unless_they_disagree() -> None:
    tables = [("m1", 1, "e 5", "hash"), ("m2", 1, "e 5", None), ("m3", 2, "e 6", None), ("m4", 2, "e 6", None)]
    assert shared_boards(Rows(*tables)).deal == ("hash", "hash", "e 6", "e 6")
    apart = shared_boards(Rows(*tables[:2], ("m5", 1, "e 5", "another")))
    assert (apart.match, apart.deal) == (("m1", "m5"), ("hash", "another"))
    ruled = shared_boards(Rows(*tables, ruled=frozenset({"m1", "m3"})))
    assert ruled.deal == (None, "hash", None, "e 6")
    assert shared_boards(Rows()) == SharedBoards()
    boards = SharedBoards(("m", "n", "o", "p"), (1, 1, 1, 1), ("x", "hash", "x", None))
    assert boards.codes({"hash": 0}).tolist() == [1, 0, 1, -1]


def test_a_change_of_the_evening_alone_is_noticed(ledger: Ledger) -> None:
    """A board that the director takes out of a table's match is no longer shared; events elsewhere change nothing."""
    session = pairs(ledger, 3, 1)
    play(ledger, session, Random(4))
    sheets = Statistics(ledger.views).sheets
    before = sheets.sheet("bridge")
    play_elsewhere(ledger)
    assert sheets.sheet("bridge").stamp == before.stamp
    first = ledger.evenings.stream(session).state.results[1, 1, 1]
    entered = {"type": "result", "round": 1, "table": 1, "board": 1, "score": 420}
    record(ledger, session, {"type": "amend", "about": first[0], "event": entered})
    after = sheets.sheet("bridge")
    assert after.stamp != before.stamp
    deals = [sorted(np.unique(each.hands["deal"], return_counts=True)[1].tolist()) for each in (before, after)]
    assert deals == [[12, 12, 12], [4, 8, 12, 12]]
    assert (after.hands["deal"] == Statistics(ledger.views).sheets.sheet("bridge").hands["deal"]).all()


def test_a_board_that_the_director_ruled_measures_nobody(ledger: Ledger) -> None:
    """The result that was recorded is not what the table made of it: neither that table nor the others have it."""
    session = pairs(ledger, 5, 1)
    play(ledger, session, Random(5))
    statistics = Statistics(ledger.views)
    before = {row["player"]: row["hands"] for row in statistics.players("bridge", FIELD).rows}
    found = statistics.sheets.on("bridge", "field")
    assert {*before.values()} == {5}
    record(ledger, session, {"type": "adjust", "round": 1, "table": 1, "board": 1, "ns": 60, "ew": 40})
    after = {row["player"]: row["hands"] for row in statistics.players("bridge", FIELD).rows}
    seated = ledger.evenings.stream(session).state.tables(1)[1].seats
    assert {player for player in before if after[player] < before[player]} == {
        f"{letter}{entry}" for entry in seated for letter in "ab"
    }
    assert {*after.values()} == {4, 5}
    now = statistics.sheets.on("bridge", "field")
    assert (len(found.hands["points"]), len(now.hands["points"])) == (4 * 25, 4 * 24)
    # Four results are left on the board: the percentages are those of three comparisons, and 50 on average.
    assert now.hands["points"].mean() == pytest.approx(50)


def test_tables_that_play_another_number_of_boards_are_compared(tmp_path: Path) -> None:
    """The number of boards of a match changes nothing about a board; how it is scored does."""
    opening, *events = cardledger.read(SAMPLES / "bridge-club-night.jsonl")[0].events
    with Ledger(tmp_path / "club.db") as ledger:
        statistics = Statistics(ledger.views)
        for table in range(LEAST_TABLES):
            players = tuple(f"{name}-{table}" for name in ("nan", "eve", "sam", "wes"))
            first = msgspec.structs.replace(opening, options={"boards": 1 + table}, players=players, id=None)
            over = [ev.End()] if table else []
            ledger.record(None, [first, *events[:8], ev.Claim(tricks=(5 + table, 8 - table, 0, 0)), *over], 0)
        points = {row["player"]: row["points"] for row in statistics.players("bridge", FIELD).rows}
        assert [points[f"nan-{table}"] for table in range(3)] == [0, 50, 100]
