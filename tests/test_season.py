"""A season of a club: days of play one by one, or by month if there are too many."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from cardledger.record.readmodels.questions.season import latest_day, season
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev


@pytest.fixture
def played(ledger: Ledger) -> Ledger:
    """A match of a hand every day from the new year on, on 61 days; two of them on the first."""
    for day in (0, *range(61)):
        opening = ev.Open(
            game="ruff", players=("ana", "ben", "chloe"), options={"rounds": 1},
            date=(date(2026, 1, 1) + timedelta(day)).isoformat(),
        )  # fmt: skip
        ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=(5, 4, 6))], 0)
    ledger.views.catch_up()
    return ledger


def test_from_the_sixty_first_day_on_days_of_play_are_summed_by_month(played: Ledger) -> None:
    months = season(played, fewest=frozenset()).days
    assert [tuple(month.values()) for month in months] == [("2026-01", 32, 32), ("2026-02", 28, 28), ("2026-03", 2, 2)]
    days = season(played, fewest=frozenset(), until="2026-03-01").days
    assert len(days) == 60
    assert (days[0]["day"], days[0]["matches"], days[-1]["day"]) == ("2026-01-01", 2, "2026-03-01")


def test_a_season_has_first_and_last_day_standings_and_attendance(played: Ledger) -> None:
    found = season(played, fewest=frozenset())
    assert (found.matches, found.hands, found.first, found.last) == (62, 62, "2026-01-01", "2026-03-02")
    assert latest_day(played) == "2026-03-02"
    ((key, standings),) = found.standings.items()
    assert key == ("ruff", 3)
    assert [(row["player"], row["won"], row["points"]) for row in standings] == [
        ("chloe", 62, 372),
        ("ana", 0, 310),
        ("ben", 0, 248),
    ]
    assert [(row["player"], row["days"], row["matches"]) for row in found.attendance] == [
        (name, 61, 62) for name in ("ana", "ben", "chloe")
    ]


def test_the_fewest_points_lead_where_they_win(played: Ledger) -> None:
    (standings,) = season(played, fewest=frozenset({"ruff"}), since="2026-02-01").standings.values()
    assert [row["player"] for row in standings] == ["chloe", "ben", "ana"], "who won most, then the fewest points"
