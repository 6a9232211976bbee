"""Forecasts by ratings: nothing of a match's day or of later ones is known, and the score is what one works out by hand."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.errors import FormatError
from cardledger.record.readmodels.tables import ratings
from cardledger.rules.engine import events as ev
from cardledger.study.stats import Statistics
from cardledger.study.stats.forecasts import chance_ahead, forecasts, foretold, scores_of
from cardledger.study.stats.head_to_head import head_to_head
from tests.partners import euchre

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardledger.record.recording.ledger import Ledger


def match(players: Iterable[str], scores: tuple[int, ...], date: str) -> list[ev.Event]:
    """Return a complete match of one hand with these points; in diversity the fewest are best."""
    opening = ev.Open(game="diversity", players=tuple(players), options={"hands": 1}, date=date)
    return [opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=scores)]


def league(ledger: Ledger, nights: int, skill: float, seed: int = 5, start: int = 0) -> None:
    """Record nights of two matches each, of players who differ by `skill` standard deviations of a match."""
    rng = Random(seed)
    strength = {player: skill * at for at, player in enumerate("abcdefgh")}
    for night in range(start, start + nights):
        seated = rng.sample("abcdefgh", 8)
        for players in (seated[:4], seated[4:]):
            order = sorted(players, key=lambda player: rng.gauss(strength[player], 1))
            scores = tuple((0, 3, 4, 6)[order.index(player)] for player in players)
            ledger.record(None, match(players, scores, f"2026-{1 + night // 28:02}-{1 + night % 28:02}"), 0)


def chances(ledger: Ledger) -> list[tuple[object, ...]]:
    ratings.bring_up_to_date(ledger.views)
    rows = "SELECT match, seat, chance FROM ratings ORDER BY number, seat"
    return ledger.views.reader.execute(rows).fetchall()


@pytest.mark.parametrize("first", [10, 16, 20, 40])
def test_a_forecast_does_not_change_when_later_matches_become_known(ledger: Ledger, first: int) -> None:
    """Not even through the scale of chance, which is fitted again after 32, 64 and 128 matches."""
    league(ledger, first, 0.0)
    before = chances(ledger)
    league(ledger, 70, 0.0, seed=6, start=first)
    assert chances(ledger)[: len(before)] == before
    list(ledger.rebuild())
    assert chances(ledger)[: len(before)] == before


def test_after_a_correction_forecasts_are_those_of_a_fresh_ledger(ledger: Ledger) -> None:
    league(ledger, 40, 0.5)
    chances(ledger)
    ledger.record(ledger.matches()[6], [ev.Amend(about=3, event=ev.Score(scores=(5, 4, 4, 0)))], 3)
    kept = chances(ledger)
    list(ledger.rebuild())
    assert chances(ledger) == kept


def test_the_score_is_what_one_works_out_by_hand(ledger: Ledger) -> None:
    ledger.record(None, match("abcd", (1, 3, 4, 5), "2026-01-01"), 0)
    ledger.record(None, match("abcd", (3, 3, 2, 5), "2026-01-02"), 0)
    told = [chance for _, _, chance in chances(ledger)[4:]]
    won = (0, 0, 1, 0)
    rows = {(one.question, one.tenth): one for one in scores_of(ledger.views.reader, "diversity")}
    wins = rows["wins", None]
    assert (wins.matches, wins.forecasts) == (1, 4)
    assert wins.brier == pytest.approx(sum((one - it) ** 2 for one, it in zip(told, won, strict=True)))
    assert wins.equal == pytest.approx(3 / 16 * 4)
    ahead = rows["ahead", None]
    pairs = [(0, 1, 0.5), (0, 2, 0), (0, 3, 1), (1, 2, 0), (1, 3, 1), (2, 3, 1)]
    expected = [(told[one] / (told[one] + told[other]) - it) ** 2 for one, other, it in pairs]
    assert (ahead.matches, ahead.forecasts) == (1, 6)
    assert ahead.brier == pytest.approx(sum(expected) / 6)
    assert ahead.equal == pytest.approx(5 * 0.25 / 6)
    assert ahead.low is None, "one day says nothing about how much days differ"


def test_the_first_day_of_a_game_is_no_forecast(ledger: Ledger) -> None:
    assert list(scores_of(ledger.views.reader, "diversity")) == []
    ledger.record(None, match("abcd", (1, 3, 4, 5), "2026-01-01"), 0)
    chances(ledger)
    assert list(scores_of(ledger.views.reader, "diversity")) == []
    assert forecasts(Statistics.of(ledger.views)).rows == []


def test_partners_are_one_forecast(ledger: Ledger) -> None:
    for day, scores in (("2026-01-01", (2, 0)), ("2026-01-02", (0, 1)), ("2026-01-03", (2, 0))):
        ledger.record(None, euchre("a b c d", scores, day), 0)
    ratings.bring_up_to_date(ledger.views)
    told = foretold(ledger.views.reader, "euchre")
    assert [len(told[question].chance) for question in ("ahead", "wins")] == [2, 4]
    assert told["ahead"].chance.tolist() == pytest.approx(told["wins"].chance[::2].tolist())
    scores = {one.question: one for one in scores_of(ledger.views.reader, "euchre") if one.tenth is None}
    assert scores["wins"].brier == pytest.approx(2 * scores["ahead"].brier), "a side's loss is the other's win"
    assert (scores["ahead"].equal, scores["wins"].equal) == pytest.approx((0.25, 0.5))


def test_where_players_differ_forecasts_beat_equal_chances_and_where_not_they_are_no_worse(ledger: Ledger) -> None:
    league(ledger, 60, 0.6)
    found = {
        row["question"]: row for row in forecasts(Statistics.of(ledger.views), "diversity").rows if row["tenth"] is None
    }
    for question, equal in (("ahead", 0.25), ("wins", 0.75)):
        assert found[question]["equal"] == pytest.approx(equal)
        assert found[question]["brier"] < 0.9 * equal
    assert all(found[one]["slope_low"] <= 1.1 and found[one]["slope_high"] >= 0.9 for one in found)
    assert found["ahead"]["forecasts"] == 6 * found["ahead"]["matches"] == 6 * 118


def test_tenths_hold_all_forecasts_and_their_intervals_hold_what_was_foretold(ledger: Ledger) -> None:
    league(ledger, 80, 0.3)
    table = forecasts(Statistics.of(ledger.views), "diversity")
    for question in ("ahead", "wins"):
        whole, *tenths = [row for row in table.rows if row["question"] == question]
        assert sum(row["forecasts"] for row in tenths) == whole["forecasts"]
        assert all(row["tenth"] / 10 <= row["foretold"] <= (row["tenth"] + 1) / 10 for row in tenths)
        many = [row for row in tenths if row["forecasts"] >= 30]
        assert sum(row["low"] - 0.1 <= row["foretold"] <= row["high"] + 0.1 for row in many) == len(many) > 1
        assert all(row["low"] <= row["happened"] <= row["high"] for row in many)


def test_forecasts_of_an_unknown_game_are_refused(ledger: Ledger) -> None:
    with pytest.raises(FormatError):
        forecasts(Statistics.of(ledger.views), "nothing")


def test_the_chance_of_the_next_match_is_what_is_foretold_when_it_is_played(ledger: Ledger) -> None:
    league(ledger, 12, 0.6)
    for players in ("abcd", "abcd"):
        ledger.record(None, match(players, (1, 3, 4, 5), "2026-01-20"), 0)
    (row,) = [row for row in head_to_head(ledger, "a", "b").rows if row["how"] == "against"]
    (turned,) = [row for row in head_to_head(ledger, "b", "a").rows if row["how"] == "against"]
    assert row["chance"] + turned["chance"] == pytest.approx(1, abs=1e-5)
    assert row["chance"] > 0.55
    ledger.record(None, match("abcd", (1, 3, 4, 5), "2026-01-21"), 0)
    told = {seat: chance for _, seat, chance in chances(ledger)[-4:]}
    assert row["chance"] == pytest.approx(told[0] / (told[0] + told[1]), abs=0.02), "the others' uncertainty apart"


def test_partners_and_strangers_have_no_chance_against_each_other(ledger: Ledger) -> None:
    for day, scores in (("2026-01-01", (2, 0)), ("2026-01-02", (2, 1))):
        ledger.record(None, euchre("a b c d", scores, day), 0)
    (together,) = head_to_head(ledger, "a", "c").rows
    assert together["chance"] is None
    (against,) = head_to_head(ledger, "a", "b").rows
    assert 0.5 < against["chance"] < 1
    assert chance_ahead(ledger.views.reader, "euchre", 4, "a", "nobody") is None
