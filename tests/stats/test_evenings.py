"""Evenings, guests, places and pairs: what several matches of one evening say, and who cannot be told from what."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from cardledger.rules.engine.measures import COMMON
from cardledger.rules.engine.sides import each_alone
from cardledger.rules.games import game
from cardledger.study.stats import Query
from cardledger.study.stats.compare import MIN_VERDICT, compare
from cardledger.study.stats.measures.differences import verdicts
from cardledger.study.stats.measures.estimate import estimates
from cardledger.study.stats.measures.evening_of import evenings_of
from cardledger.study.stats.measures.tally import Tally, cells
from cardledger.study.stats.strength.bend import straightened
from cardledger.study.stats.strength.change import change
from cardledger.study.stats.strength.company import leagues
from cardledger.study.stats.strength.least_squares import least_squares
from cardledger.study.stats.strength.strengths import strengths
from cardledger.study.stats.with_whom import pairs_standing_out, with_whom
from tests.stats import leagues as worlds
from tests.stats.leagues import Held, League

PARTNERS = game("whist").sides


def alone(league: League) -> League:
    """Return the same matches, each an evening of its own."""
    sheet = league.tally.sheet
    sheet.matches["event"] = sheet.code("event", [f"Match {number}" for number in range(len(sheet.matches["match"]))])
    return League(league.strength, Tally(sheet, Query()))


def test_an_evening_is_an_event_and_a_day() -> None:
    rng = np.random.default_rng(1)
    sheet = worlds.of_evenings(rng, np.zeros(12), 5, 0.0).tally.sheet
    assert len({*evenings_of(sheet).tolist()}) == 5
    sheet.matches["event"] = sheet.code("event", ["Club night", "Cup"] * 30)
    assert len({*evenings_of(sheet).tolist()}) == 10


def test_matches_without_an_event_belong_to_their_day_where_days_tell_anything() -> None:
    rng = np.random.default_rng(1)
    sheet = worlds.of_evenings(rng, np.zeros(12), 5, 0.0).tally.sheet
    sheet.matches["event"] = sheet.code("event", [None] * 60)
    assert len({*evenings_of(sheet).tolist()}) == 5
    sheet.matches["date"] = sheet.code("date", ["2026-01-01", "2026-01-02"] * 30)
    assert len({*evenings_of(sheet).tolist()}) == 60


def test_form_makes_intervals_wider_and_evenings_of_one_match_change_nothing() -> None:
    rng = np.random.default_rng(3)
    league = worlds.of_evenings(rng, np.zeros(12), 20, 0.7)
    wide = {one.player: one for one in compare(league.tally, fewest=True, sides=each_alone).players}
    one_by_one = alone(league)
    plain = {one.player: one for one in compare(one_by_one.tally, fewest=True, sides=each_alone).players}
    ratios = [wide[name].error / plain[name].error for name in plain]  # type: ignore[operator]
    assert np.mean(ratios) > 1.2
    sheet = one_by_one.tally.sheet
    sheet.matches["event"] = np.full(240, -1)
    sheet.matches["date"] = sheet.code("date", ["2026-01-01"] * 240)
    assert [*plain.values()] == compare(Tally(sheet, Query()), fewest=True, sides=each_alone).players


def test_there_is_no_verdict_below_four_evenings() -> None:
    rng = np.random.default_rng(4)
    league = worlds.of_evenings(rng, np.repeat([-3.0, 3.0], 6), MIN_VERDICT - 1, 0.0, rounds=20)
    assert not any(one.verdict or one.q for one in compare(league.tally, fewest=True, sides=each_alone).players)
    assert all(one.verdict for one in compare(alone(league).tally, fewest=True, sides=each_alone).players)


@pytest.mark.parametrize(("players", "evenings", "rounds"), [(4, 1, 2), (4, 2, 2), (8, 1, 3), (12, 2, 1), (5, 3, 2)])
def test_a_few_evenings_give_figures_or_none_but_no_fault(players: int, evenings: int, rounds: int) -> None:
    rng = np.random.default_rng([players, evenings])
    league = worlds.of_evenings(rng, rng.normal(0, 1, players), evenings, 0.5, rounds)
    for sides in (each_alone, PARTNERS):
        found = compare(league.tally, fewest=True, sides=sides)
        assert all(one.error is None or np.isfinite(one.error) for one in found.players)
        assert not any(one.verdict for one in found.players)


def test_what_a_player_did_in_an_evening_is_one_case_of_a_measure() -> None:
    rng = np.random.default_rng(5)
    tally = worlds.of_evenings(rng, np.zeros(8), 12, 1.0).tally
    players = tally.sheet.seats["player"][tally.rows]
    by_evening = estimates(COMMON[0], cells(tally, None), players, 8)
    apart = alone(League({}, tally)).tally
    by_match = estimates(COMMON[0], cells(apart, None), players, 8)
    width = [(one.high - one.low) / (other.high - other.low) for one, other in zip(by_evening, by_match, strict=True)]  # type: ignore[operator]
    assert np.mean(width) > 1.3
    assert [one.matches for one in by_evening] == [one.matches for one in by_match] == [48] * 8


def test_change_is_a_matter_of_evenings() -> None:
    rng = np.random.default_rng(6)
    league = worlds.of_evenings(rng, np.zeros(8), 20, 0.5)
    comparison = compare(league.tally, fewest=True, sides=each_alone)
    found = change(league.tally, each_alone, comparison, "player-00")
    assert found is not None
    assert (found.matches, found.evenings) == (80, 20)


def share_of_equals_named(form: float, leagues_: int) -> dict[str, float]:
    """Return how often something is said of twelve equal players, over so many leagues."""
    rng = np.random.default_rng(int(100 * form))
    named: dict[str, list[bool]] = {"better or worse": [], "changed": [], "company": [], "pair": [], "colour": []}
    inside = []
    for _ in range(leagues_):
        league = worlds.of_evenings(rng, np.zeros(12), 20, form)
        comparison = compare(league.tally, fewest=True, sides=each_alone)
        named["better or worse"].append(any(one.verdict for one in comparison.players))
        for player in worlds.names(12)[:4]:
            changed = change(league.tally, each_alone, comparison, player)
            named["changed"].append(changed is not None and not changed.stayed)
            company = with_whom(league.tally, each_alone, player, fewest=True)
            named["company"].append(any(one.verdict for one in company))
            named["colour"].append(bool(verdicts(league.tally.sheet, Query(), player)))
        named["pair"].append(bool(pairs_standing_out(league.tally, each_alone, partners=False, fewest=True)[0]))
        players = league.tally.sheet.seats["player"][league.tally.rows]
        found = estimates(COMMON[0], cells(league.tally, None), players, 12)
        inside += [one.low <= 3.25 <= one.high for one in found if one.low is not None and one.high is not None]
    shares = {what: float(np.mean(some)) for what, some in named.items()} | {"raw holds": float(np.mean(inside))}
    print(f"form {form}: {shares}")  # noqa: T201
    return shares


def test_equals_with_a_form_of_the_evening_are_seldom_named() -> None:
    assert share_of_equals_named(0.4, 4)["better or worse"] <= 0.25


@pytest.mark.long
@pytest.mark.parametrize("form", [0.0, 0.2, 0.3, 0.4, 0.7])
def test_equals_with_a_form_of_the_evening_are_named_in_at_most_5_percent_of_leagues(form: float) -> None:
    shares = share_of_equals_named(form, 60)
    assert shares.pop("raw holds") >= 0.92
    assert all(share <= 0.05 + 3 * (0.05 * 0.95 / 60) ** 0.5 for share in shares.values()), shares


@pytest.mark.long
@pytest.mark.parametrize(("form", "evenings"), [(0.0, 20), (0.2, 20), (0.4, 20), (0.7, 20), (0.4, 6), (0.7, 6)])
@pytest.mark.parametrize("spread", [0.0, 0.3])
def test_intervals_hold_with_a_form_of_the_evening(form: float, evenings: int, spread: float) -> None:
    rng = np.random.default_rng([int(100 * form), evenings, int(10 * spread)])
    found = Held.nothing()
    for _ in range(60):
        found.league(worlds.of_evenings(rng, rng.normal(0, spread, 12), evenings, form))
    print(f"form {form}, {evenings} evenings, players {spread}: {found}")  # noqa: T201
    assert np.mean(found.adjusted) >= 0.93
    assert np.mean(found.believed) >= 0.93
    assert np.mean(found.pairs) >= 0.93
    assert sum(found.wrong) <= 0.02 * len(found.told) + 2


@pytest.mark.parametrize("visits", [1, 2])
def test_guests_make_no_error_much_larger(visits: int) -> None:
    rng = np.random.default_rng(visits)
    for _ in range(10):
        seated = worlds.guests_once(rng, 6, int(rng.integers(10, 50)), visits)
        strength = np.concatenate([rng.normal(0, 0.5, 6), rng.normal(0, 1.5, seated.max() - 5)])
        for league in leagues(worlds.played(rng, strength, 0, seated=seated).tally, each_alone):
            assert worst(league) <= 1.5


def worst(league: worlds.Linked) -> float:
    """Return how much the largest standard error grows by the correction for strong and weak company."""
    fit = least_squares(league)
    centre = np.eye(len(league.players)) - league.share
    after, before = (centre @ one.covariance @ centre.T for one in (straightened(league, fit), fit))
    return float(np.sqrt(np.diag(after) / np.diag(before)).max())


@pytest.mark.long
@pytest.mark.parametrize("visits", [1, 2])
@pytest.mark.parametrize(
    ("spread", "guests", "shift"), [(0.3, 0.3, 0.0), (0.3, 0.3, 1.0), (0.3, 1.0, 0.0), (0.5, 0.5, 0.5)]
)
def test_intervals_hold_with_guests(visits: int, spread: float, guests: float, shift: float) -> None:
    rng = np.random.default_rng([visits, int(10 * spread), int(10 * guests), int(shift)])
    found, largest = Held.nothing(), 0.0
    for _ in range(50):
        seated = worlds.guests_once(rng, 6, int(rng.integers(15, 60)), visits)
        strength = np.concatenate([rng.normal(0, spread, 6), rng.normal(shift, guests, seated.max() - 5)])
        league = worlds.played(rng, strength, 0, seated=seated)
        found.league(league)
        largest = max(largest, *map(worst, leagues(league.tally, each_alone)))
    print(f"guests {visits} times, {spread} and {guests}, {shift} apart: {found}, errors at most {largest:.2f} times")  # noqa: T201
    assert np.mean(found.adjusted) >= 0.93
    assert np.mean(found.believed) >= 0.92
    assert largest <= 1.5
    assert sum(found.wrong) <= 0.02 * len(found.told) + 2


PLACES = (0.0, -0.7, 0.0, 0.2)
"""What each place from the dealer is worth; seat 0 deals in every match of one hand."""


def seldom_elsewhere(rng: np.random.Generator, always: float) -> League:
    """Return a league whose strong first player sits left of the dealer whenever there."""
    strength = rng.normal(0, 0.3, 7)
    strength[0] -= 0.8
    strength -= strength.mean()
    seated = worlds.left_of_the_dealer(rng, 7, 250, always)
    return worlds.scored(rng, strength, seated, strength[seated], PLACES, hands=1)


def test_a_strong_player_who_always_sits_left_of_the_dealer_is_strong() -> None:
    rng = np.random.default_rng(7)
    held = []
    for _ in range(12):
        league = seldom_elsewhere(rng, 0.6)
        found = compare(league.tally, fewest=True, sides=each_alone)
        own = next(one for one in found.players if one.player == "player-00")
        (pool,) = found.pools
        field = float(
            np.average(
                [league.strength[one.player] for one in found.players], weights=[one.hands for one in found.players]
            )
        )
        assert own.adjusted is not None
        assert own.error is not None
        held.append(abs(own.adjusted - pool.mean - (league.strength["player-00"] - field)) < 2 * own.error)
        assert not own.placeless
    assert np.mean(held) >= 0.8


def test_a_player_who_alone_holds_a_place_cannot_be_told_from_it() -> None:
    found = compare(seldom_elsewhere(np.random.default_rng(8), 1.0).tally, fewest=True, sides=each_alone)
    own = next(one for one in found.players if one.player == "player-00")
    assert own.placeless
    assert own.adjusted is own.believed is own.rank_low is own.q is None
    others = [one for one in found.players if one.player != "player-00"]
    assert all(one.adjusted is not None and not one.placeless for one in others)


def test_pairs_who_never_part_are_ranked_as_pairs() -> None:
    rng = np.random.default_rng(9)
    sheet = worlds.of_pairs(rng, np.linspace(1.5, -1.5, 8), 60)
    found = compare(Tally(sheet, Query()), fewest=False, sides=PARTNERS).players
    assert len(found) == 16
    for one, other in pairwise(found):
        if one.pair == other.pair:
            assert (one.adjusted, one.believed, one.rank_low, one.verdict) == (
                other.adjusted, other.believed, other.rank_low, other.verdict,
            )  # fmt: skip
    assert {one.pair for one in found} == {tuple(worlds.names(16)[at : at + 2]) for at in range(0, 16, 2)}
    assert {one.ranked for one in found} == {8}
    assert {one.player for one in found if one.verdict == "better"} >= {"player-00", "player-01"}
    assert {one.player for one in found if one.verdict == "worse"} >= {"player-14", "player-15"}
    assert all(one.hands == 60 for one in found)


def test_a_pair_that_parted_once_is_two_players() -> None:
    rng = np.random.default_rng(10)
    sheet = worlds.of_pairs(rng, np.zeros(4), 30)
    player = sheet.seats["player"].reshape(-1, 4)
    player[0, [0, 1]] = player[0, [1, 0]]
    sheet.seats["player"] = player.ravel()
    found = compare(Tally(sheet, Query()), fewest=False, sides=PARTNERS).players
    parted = {*worlds.names(8)} & {sheet.text("player")[code] for code in player[0]}
    assert {one.player for one in found if not one.pair} == parted
    assert len({one.pair for one in found if one.pair}) == 2


@pytest.mark.long
@pytest.mark.parametrize("spread", [0.0, 0.3, 0.6])
def test_intervals_hold_for_pairs_who_never_part(spread: float) -> None:
    rng = np.random.default_rng([9, int(10 * spread)])
    held, apart = [], []
    for _ in range(100):
        true = rng.normal(0, spread, 8)
        true -= true.mean()
        tally = Tally(worlds.of_pairs(rng, true, 60), Query())
        (league,) = leagues(tally, PARTNERS)
        found = strengths(league)
        for at, codes in enumerate(league.units):
            off = found.strength[at] - found.strength.mean() - 10 * true[codes[0] // 2]
            held.append(abs(off) < 1.97 * found.error(found.against_group(at)))
        apart.append(any(one.verdict for one in compare(tally, fewest=False, sides=PARTNERS).players))
    print(f"pairs {spread}: {np.mean(held):.3f} hold, {np.mean(apart):.2f} of leagues have a verdict")  # noqa: T201
    assert np.mean(held) >= 0.93
    assert spread or np.mean(apart) <= 0.09


def test_whether_the_dealer_is_favoured_has_an_answer_with_an_interval() -> None:
    rng = np.random.default_rng(12)
    seated = np.array([rng.permutation(12)[:4] for _ in range(120)])
    tally = worlds.scored(rng, np.zeros(12), seated, np.zeros((120, 4)), PLACES, hands=1).tally
    split = cells(tally, "turn")
    by_turn = dict(
        zip(split.labels, estimates(COMMON[0], split, split.group, len(split.labels), whole=True), strict=True)
    )
    rows = [by_turn[turn] for turn in (1, 2, 3, 4)]
    points = 3.25 + np.roll(PLACES, -1) - np.mean(PLACES)  # seat 0 deals: it is the last place
    for row, true in zip(rows, points, strict=True):
        assert row.low is not None
        assert row.high is not None
        assert row.low < true < row.high
    assert rows[0].high is not None
    assert rows[0].high < 3.25
