"""Clubs and leagues folded from their events, and contracts as they are scored."""

from __future__ import annotations

import pytest

from cardledger.errors import FormatError, LedgerError
from cardledger.rules.evenings.club import ClubState
from cardledger.rules.evenings.contract import score
from cardledger.rules.evenings.league import LeagueState
from cardledger.rules.evenings.season import Night
from cardledger.rules.evenings.shape import event_of
from tests.evenings.evening import add, stream

CLUB = {"type": "club", "name": "Tuesday Club", "place": "Town hall"}
LEAGUE = {
    "type": "league",
    "club": None,
    "name": "2026",
    "from": "2026-01-01",
    "until": "2026-12-31",
    "count": {"best": 2},
}


def test_a_club_knows_its_members_on_a_day_and_its_guests() -> None:
    club = stream(
        CLUB,
        {"type": "member", "player": "ana", "number": "7", "from": "2020-01-01"},
        {"type": "member", "player": "ben", "from": "2020-01-01", "until": "2025-12-31"},
        {"type": "member", "player": "eva"},
    )
    assert isinstance(club.state, ClubState)
    assert [*club.state.members("2026-01-06")] == ["ana"]
    assert [*club.state.members("2025-12-31")] == ["ana", "ben"]
    assert [*club.state.guests()] == ["eva"]
    add(club, type="member", player="eva", number="8")
    assert [*club.state.guests()] == []
    add(club, type="amend", about=2, event={"type": "member", "player": "ana"})
    assert [*club.copy().state.guests()] == ["ana"]
    add(club, type="retract", to=4)
    assert [*club.state.guests()] == ["eva"]
    with pytest.raises(LedgerError, match="a club takes no arrive") as caught:
        add(club, type="arrive", player="ana")
    assert caught.value.code == "session.phase"


def test_a_league_counts_sessions_by_date_and_weight() -> None:
    league = stream(
        LEAGUE,
        {"type": "counts", "session": "s2"},
        {"type": "counts", "session": "s1", "weight": 0.5},
        {"type": "counts", "session": "s3", "weight": 0},
    )
    nights = {
        "s1": Night("s1", {"ana": 60}, date="2026-01-06"),
        "s2": Night("s2", {"ana": 30}, date="2026-01-13"),
    }
    assert isinstance(league.state, LeagueState)
    (line,) = league.state.table(nights.__getitem__)
    assert (line.total, line.counted) == (60, ("s1", "s2"))
    for event, code in (
        ({"type": "counts", "session": "s1"}, "session.twice"),
        ({"type": "counts", "session": "s4", "weight": -1}, "format.value"),
        ({"type": "close"}, "session.phase"),
    ):
        with pytest.raises(LedgerError) as caught:
            add(league, **event)
        assert caught.value.code == code
    assert league.copy().state.sessions == league.state.sessions
    add(league, type="publish", at_position=5)
    add(league, type="amend", about=3, event={"type": "counts", "session": "s1", "weight": 2})
    assert league.state.sessions == {"s2": 1, "s1": 2, "s3": 0}
    assert [seq for seq, _ in league.state.published] == [5]


def test_a_league_ends_after_it_begins() -> None:
    with pytest.raises(FormatError, match="comes before"):
        event_of(LEAGUE | {"until": "2025-01-01"})


@pytest.mark.parametrize(
    ("contract", "tricks", "board", "points"),
    [
        ("1C", 7, 1, 70),
        ("4S", 10, 1, 420),
        ("4S", 10, 2, 620),
        ("3NT", 9, 1, 400),
        ("2Hx", 8, 1, 470),
        ("2Hx", 9, 2, 870),
        ("1NTxx", 7, 2, 760),
        ("6D", 12, 1, 920),
        ("6NT", 12, 2, 1440),
        ("7H", 13, 2, 2210),
        ("7NTXX", 13, 2, 2980),
        ("4S", 8, 1, -100),
        ("4Sx", 6, 1, -800),
        ("4Sx", 8, 2, -500),
        ("4Sxx", 9, 2, -400),
        ("5Cx", 12, 1, 650),
        ("1Dx", 5, 1, -300),
    ],
)
def test_contracts_score_as_law_77_says(contract: str, tricks: int, board: int, points: int) -> None:
    assert score(contract, 0, tricks, board) == points
    # East-west are as vulnerable on board 3 as north-south on board 2, and on 1 nobody is.
    assert score(contract, 1, tricks, 3 if board == 2 else 1) == -points


@pytest.mark.parametrize(
    ("contract", "declarer", "tricks", "said"),
    [
        ("8S", 0, 9, "no contract"),
        ("4S", 4, 9, "seats are 0 to 3"),
        ("4S", None, 9, "seats are 0 to 3"),
        ("4S", 0, 14, "0 to 13"),
    ],
)
def test_a_contract_that_cannot_be_is_refused(contract, declarer, tricks, said) -> None:
    with pytest.raises(FormatError, match=said):
        score(contract, declarer, tricks, 1)
    assert score("pass", None, None, 7) == 0
