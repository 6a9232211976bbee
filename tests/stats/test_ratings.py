"""Ratings: Plackett-Luce over the complete matches in the order of play, however they came into the ledger."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from openskill.models import PlackettLuce

from cardledger.errors import StoreError
from cardledger.record.readmodels.tables import ratings
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.study.stats import Statistics
from tests.partners import euchre

if TYPE_CHECKING:
    from pathlib import Path

MODEL = PlackettLuce()


def match(players: str, scores: tuple[int, ...], date: str) -> list[ev.Event]:
    """Return a complete match of one hand with these points; in diversity the fewest are best."""
    opening = ev.Open(game="diversity", players=tuple(players), options={"hands": 1}, date=date)
    return [opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=scores)]


def rows(ledger: Ledger) -> list[tuple[Any, ...]]:
    ratings.bring_up_to_date(ledger.views)
    columns = "game, number, seat, date, player, place, played, mu, sigma"
    return ledger.views.reader.execute(f"SELECT {columns} FROM ratings ORDER BY game, number, seat").fetchall()


def rated(*results: tuple[str, tuple[int, ...]]) -> dict[str, tuple[float, float]]:
    """Rate results one after the other with nothing but the library."""
    known = {}
    for players, scores in results:
        teams = [[MODEL.rating(*known.get(player, (MODEL.mu, MODEL.sigma)))] for player in players]
        ranks = [1 + sum(other < score for other in scores) for score in scores]
        for player, (after,) in zip(players, MODEL.rate(teams, ranks=ranks), strict=True):
            known[player] = after.mu, after.sigma
    return known


def latest(ledger: Ledger) -> dict[str, tuple[float, float]]:
    return {player: (mu, sigma) for *_, player, _, _, mu, sigma in rows(ledger)}


NIGHTS = [
    ("abcd", (1, 3, 4, 5), "2026-01-01"),
    ("badc", (2, 4, 4, 3), "2026-01-02"),
    ("bcde", (0, 4, 4, 5), "2026-01-03"),
    ("acde", (3, 2, 4, 4), "2026-01-04"),
]


def test_ratings_are_those_of_the_library_match_after_match(ledger: Ledger) -> None:
    for night in NIGHTS:
        ledger.record(None, match(*night), 0)
    assert latest(ledger) == rated(*((players, scores) for players, scores, _ in NIGHTS))


def test_the_matches_of_a_day_are_rated_together_whatever_their_order(tmp_path: Path) -> None:
    """Each says what it says from where the day began; several are put together as independent observations."""
    evening = [("abcd", (1, 3, 4, 5)), ("abce", (2, 4, 4, 3)), ("dcba", (0, 2, 5, 6)), ("ebad", (1, 2, 4, 6))]
    found = []
    for seed in range(4):
        order = [*evening]
        Random(seed).shuffle(order)
        with Ledger(tmp_path / f"{seed}.db") as ledger:
            ledger.record(None, match(*NIGHTS[0]), 0)
            for players, scores in order:
                ledger.record(None, match(players, scores, "2026-01-02"), 0)
                if seed % 2:
                    rows(ledger)
            found.append(latest(ledger))
    assert found == [found[0]] * 4
    before = rated(NIGHTS[0][:2])
    alone = [rated_from(before, *one) for one in evening]
    for player, (mu, sigma) in found[0].items():
        start, spread = before.get(player, (MODEL.mu, MODEL.sigma))
        each = [one[player] for one in alone if player in one]
        precision = 1 / spread**2 + sum(1 / after**2 - 1 / spread**2 for _, after in each)
        pulled = start / spread**2 + sum(value / after**2 - start / spread**2 for value, after in each)
        assert sigma == pytest.approx(precision**-0.5)
        assert mu == pytest.approx(pulled / precision)


def rated_from(
    known: dict[str, tuple[float, float]], players: str, scores: tuple[int, ...]
) -> dict[str, tuple[float, float]]:
    """Rate one match with the library, from what is known before."""
    teams = [[MODEL.rating(*known.get(player, (MODEL.mu, MODEL.sigma)))] for player in players]
    ranks = [1 + sum(other < score for other in scores) for score in scores]
    return {player: (one.mu, one.sigma) for player, (one,) in zip(players, MODEL.rate(teams, ranks=ranks), strict=True)}


@pytest.mark.parametrize(("skill", "fewest"), [(0.0, 1.5), (3.0, 0.0)])
def test_the_scale_of_chance_is_fitted_to_the_game(ledger: Ledger, skill: float, fewest: float) -> None:
    rng = Random(5)
    strength = {player: rng.gauss(0, skill) for player in "abcdefgh"}
    for number in range(40):
        players = "".join(rng.sample("abcdefgh", 4))
        won = sorted(players, key=lambda player: -strength[player] + rng.gauss(0, 1))
        scores = tuple((0, 3, 4, 6)[won.index(player)] for player in players)
        ledger.record(None, match(players, scores, f"2026-01-{1 + number // 2:02}"), 0)
    rows(ledger)
    scale = "SELECT matches, beta FROM rating_scales WHERE game = 'diversity'"
    ((matches, beta),) = ledger.views.reader.execute(scale).fetchall()
    assert matches == 32
    assert beta >= ratings.BETA * max(fewest, 1)
    assert skill == 0 or beta == ratings.BETA
    kept = rows(ledger)
    list(ledger.rebuild())
    assert rows(ledger) == kept
    found = ratings.calibration(ledger.views.reader, "diversity")
    assert found is not None
    assert found.matches == 38
    assert found.equal == pytest.approx(0.75)
    assert skill == 0 or found.brier < 0.6
    assert any("38 matches" in note for note in Statistics(ledger.views).ratings("diversity").notes)


def test_equal_points_share_a_place(ledger: Ledger) -> None:
    ledger.record(None, match("abcd", (0, 4, 4, 5), "2026-01-01"), 0)
    assert [row[5] for row in rows(ledger)] == [1, 2, 2, 4]


@pytest.mark.parametrize("seed", range(5))
def test_a_match_that_arrives_late_is_rated_in_its_place(seed: int, tmp_path: Path) -> None:
    """The order within a day does not depend on the order of recording, or on ratings read in between."""
    nights = [NIGHTS[0], NIGHTS[1], NIGHTS[2]]
    Random(seed).shuffle(nights)
    with Ledger(tmp_path / "club.db") as ledger:
        for night in nights:
            ledger.record(None, match(*night), 0)
            if seed % 2:
                rows(ledger)
        assert latest(ledger) == rated(*((players, scores) for players, scores, _ in NIGHTS[:3]))
        assert [row[3] for row in rows(ledger)][::4] == [date for _, _, date in NIGHTS[:3]]


def test_after_a_correction_all_later_matches_are_rated_again(ledger: Ledger) -> None:
    ids = [ledger.record(None, match(*night), 0).match for night in NIGHTS]
    before = rows(ledger)
    ledger.record(ids[1], [ev.Amend(about=3, event=ev.Score(scores=(5, 4, 4, 0)))], 3)
    corrected = [*NIGHTS]
    corrected[1] = ("badc", (5, 4, 4, 0), "2026-01-02")
    assert latest(ledger) == rated(*((players, scores) for players, scores, _ in corrected))
    assert rows(ledger)[:4] == before[:4]
    ledger.record(ids[1], [ev.Retract(to=3)], 4)
    assert rows(ledger) == before


def test_another_day_moves_a_match(ledger: Ledger) -> None:
    ids = [ledger.record(None, match(*night), 0).match for night in NIGHTS[:3]]
    rows(ledger)
    moved = match("abcd", (1, 3, 4, 5), "2026-02-01")[0]
    ledger.record(ids[0], [ev.Amend(about=1, event=moved)], 3)
    order = [NIGHTS[1], NIGHTS[2], NIGHTS[0]]
    assert latest(ledger) == rated(*((players, scores) for players, scores, _ in order))


def test_matches_open_or_abandoned_are_not_rated(ledger: Ledger) -> None:
    ledger.record(None, match("abcd", (1, 3, 4, 5), "2026-01-01")[:2], 0)
    ledger.record(None, [*match("abcd", (1, 3, 4, 5), "2026-01-01")[:2], ev.End()], 0)
    assert rows(ledger) == []
    with pytest.raises(StoreError, match="no complete match"):
        Statistics(ledger.views).ratings("diversity", "a")


def test_a_match_that_is_no_longer_complete_is_taken_out(ledger: Ledger) -> None:
    ids = [ledger.record(None, match(*night), 0).match for night in NIGHTS]
    rows(ledger)
    ledger.record(ids[0], [ev.Retract(to=2)], 3)
    assert latest(ledger) == rated(*((players, scores) for players, scores, _ in NIGHTS[1:]))


def test_stored_ratings_equal_ratings_from_scratch_to_the_last_bit(ledger: Ledger) -> None:
    rng = Random(1)
    for night in range(30):
        players = "".join(rng.sample("abcdefg", 4))
        scores = rng.choice(((1, 3, 4, 5), (0, 4, 4, 5), (7, 3, 2, 1)))
        ledger.record(None, match(players, scores, f"2026-01-{rng.randint(1, 28):02}"), 0)
        if night % 3 == 0:
            rows(ledger)
    kept = rows(ledger)
    list(ledger.rebuild())
    assert rows(ledger) == kept


def test_the_history_of_a_rating_is_shown_match_by_match(ledger: Ledger) -> None:
    for night in NIGHTS:
        ledger.record(None, match(*night), 0)
    stats = Statistics(ledger.views)
    course = stats.ratings("diversity", "a").rows
    assert [(row["number"], row["date"], row["place"]) for row in course] == [
        (1, "2026-01-01", 1),
        (2, "2026-01-02", 3),
        (4, "2026-01-04", 2),
    ]
    (standing,) = [row for row in stats.ratings("diversity").rows if row["player"] == "a"]
    assert standing["played"] == 3
    assert standing["rating"] == course[-1]["rating"]


def test_verify_finds_a_rating_that_differs_from_the_matches(ledger: Ledger) -> None:
    for night in NIGHTS:
        ledger.record(None, match(*night), 0)
    assert not any(error for _, error in ledger.verify())
    with ledger.views.file.writing() as db:
        db.execute("UPDATE ratings SET mu = mu + 1 WHERE number = 3 AND seat = 0")
    assert [(name, error.code) for name, error in ledger.verify() if error] == [("ratings", "store.views")]


def test_a_side_is_one_team_and_its_partners_rise_and_fall_together(ledger: Ledger) -> None:
    """The library rates the two sides as two teams; the less certain partner moves more."""
    known: dict[str, tuple[float, float]] = {}
    nights = [("abcd", (2, 0), "2026-01-01"), ("abed", (0, 1), "2026-01-02"), ("baed", (4, 0), "2026-01-03")]
    for players, scores, day in nights:
        before = dict(known)
        ledger.record(None, euchre(" ".join(players), scores, day), 0)
        sides = [players[::2], players[1::2]]
        teams = [[MODEL.rating(*known.get(one, (MODEL.mu, MODEL.sigma))) for one in side] for side in sides]
        for side, rated_side in zip(sides, MODEL.rate(teams, ranks=[1 + (scores[0] < scores[1]), 1 + (scores[1] < scores[0])]), strict=True):  # fmt: skip
            for one, after in zip(side, rated_side, strict=True):
                known[one] = after.mu, after.sigma
        found = latest(ledger)
        assert found == known
        for side, won in zip(sides, (scores[0] > scores[1], scores[1] > scores[0]), strict=True):
            assert {found[one][0] > before.get(one, (25.0,))[0] for one in side} == {won}
    assert [row[5] for row in rows(ledger)][:4] == [1, 2, 1, 2]


def test_a_rating_is_less_certain_after_an_absence(ledger: Ledger) -> None:
    """Thirty days between two matches are none; a year away makes a player nearly a stranger, never more than one."""
    usual, absent = [
        [("abcd", (1, 3, 4, 5), "2025-01-01"), ("bcda", (1, 3, 4, 5), "2025-01-20"), ("abcd", (2, 4, 4, 3), day)]
        for day in ("2025-02-19", "2026-01-20")
    ]
    for night in usual:
        ledger.record(None, match(*night), 0)
    assert latest(ledger) == rated(*((players, scores) for players, scores, _ in usual))
    ids = ledger.matches()
    ledger.record(ids[2], [ev.Amend(about=1, event=match(*absent[2])[0])], 3)
    sure = rated(*((players, scores) for players, scores, _ in usual))
    for player, (_, sigma) in latest(ledger).items():
        assert sure[player][1] < sigma < MODEL.sigma
    assert ratings.after_absence(2.0, "2026-01-01", "2096-01-01") == MODEL.sigma


def test_an_absent_player_sinks_in_the_list(ledger: Ledger) -> None:
    ledger.record(None, match("abcd", (1, 3, 4, 5), "2025-01-01"), 0)
    stats = Statistics(ledger.views)
    before = {row["player"]: row for row in stats.ratings("diversity").rows}
    ledger.record(None, match("bcde", (1, 3, 4, 5), "2026-01-01"), 0)
    after = {row["player"]: row for row in stats.ratings("diversity").rows}
    assert after["a"]["mu"] == before["a"]["mu"]
    assert after["a"]["sigma"] > before["a"]["sigma"]
    assert after["a"]["rating"] < before["a"]["rating"]
    assert any("2026-01-01" in note for note in stats.ratings("diversity").notes)
    (once,) = stats.ratings("diversity", "a").rows
    assert once["sigma"] == before["a"]["sigma"]


def test_partners_who_never_parted_share_a_place_in_the_list(ledger: Ledger) -> None:
    ledger.record(None, euchre("a b c d", (2, 0), "2026-01-01"), 0)
    assert [(row["player"], row["rank"]) for row in Statistics(ledger.views).ratings("euchre").rows] == [
        ("a", 1), ("c", 1), ("b", 3), ("d", 3),
    ]  # fmt: skip
