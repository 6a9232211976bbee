"""A sheet of a game without rules: what is missing is asked for, the sheet's own totals judge, and results are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.formats.spreadsheets.known_to_ledger import KnownToLedger
from cardledger.formats.spreadsheets.preview import preview
from cardledger.formats.spreadsheets.storing import store
from cardledger.formats.spreadsheets.wishes import Wishes
from cardledger.rules.evenings.session import SessionState
from tests.spreadsheets.paper import SAMPLES

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.preview import Preview
    from cardledger.record.recording.ledger import Ledger

CANASTA = (SAMPLES / "canasta.csv").read_bytes()
WISHES = Wishes(game="Canasta", wins="most", names={"*": "new"})
HANDS = b"date,2026-03-17\ngame,Canasta\nplayer,1,2,3,total\nana,500,-20,900,1380\nben,200,1100,0,1300\n"


def of(ledger: Ledger, content: bytes, wishes: Wishes = WISHES) -> Preview:
    return preview(KnownToLedger(ledger), [("night.csv", content)], wishes)


def problems(found: Preview) -> list[tuple[str, str | None]]:
    return [(problem.code, problem.cell) for problem in found.problems]


def results(ledger: Ledger, session: str) -> list[tuple[int, ...] | None]:
    state = ledger.evenings.stream(session).state
    assert isinstance(state, SessionState)
    return [result.points or result.places for _, result in state.results.values()]


def test_an_unknown_game_asks_who_wins_and_stores_nothing(ledger: Ledger) -> None:
    found = of(ledger, CANASTA, WISHES._replace(wins=None))
    assert not found.ready
    (problem,) = found.problems
    assert problem.code == "sheet.game"
    assert "there is no game 'Canasta' with rules here" in problem.message
    assert "most or least points win" in problem.message
    on_sheet = of(ledger, HANDS, WISHES._replace(game=None, wins=None))
    assert problems(on_sheet) == [("sheet.game", "B2")]


def test_totals_of_three_tables_become_an_evening_and_again_nothing(ledger: Ledger) -> None:
    found = of(ledger, CANASTA)
    stored = store(found, ledger, "tests")
    assert stored.matches == ()
    opening = ledger.evenings.stream(stored.sessions[0]).state.opening
    assert (opening.other_game, opening.game, opening.scoring.kind) == ("Canasta", None, "total")
    assert results(ledger, stored.sessions[0])[1] == (-240, 5015, -240, 5015)
    assert of(ledger, CANASTA).new == 0
    assert of(ledger, CANASTA, WISHES._replace(game="CANASTA")).new == 0


def test_of_hands_the_points_in_all_are_recorded_and_the_totals_judge(ledger: Ledger) -> None:
    stored = store(of(ledger, HANDS, WISHES._replace(game=None)), ledger, "tests")
    assert results(ledger, stored.sessions[0]) == [(1380, 1300)]
    assert of(ledger, HANDS, WISHES._replace(game=None)).new == 0
    wrong = of(ledger, HANDS.replace(b"1380", b"1381"), WISHES._replace(game=None))
    assert [code for code, _ in problems(wrong)][:1] == ["sheet.sum"]


def test_running_totals_are_read_as_such(ledger: Ledger) -> None:
    running = HANDS.replace(b"500,-20,900", b"500,480,1380").replace(b"200,1100,0", b"200,1300,1300")
    found = of(ledger, running, WISHES._replace(game=None))
    assert [table.hands for table in found.tables] == [((500, 200), (-20, 1100), (900, 0))]


def test_places_alone_are_enough(ledger: Ledger) -> None:
    sheet = b"date,2026-03-17\nplayer,place\nana,1\nben,2\ncai,2\ndan,4\n"
    stored = store(of(ledger, sheet, WISHES._replace(wins="least")), ledger, "tests")
    assert results(ledger, stored.sessions[0]) == [(1, 2, 2, 4)]
    state = ledger.evenings.stream(stored.sessions[0]).state
    assert (state.opening.scoring.kind, state.opening.scoring.fewest) == ("places", True)


def test_places_that_contradict_the_points_are_a_problem(ledger: Ledger) -> None:
    sheet = b"date,2026-03-17\nplayer,total,place\nana,100,2\nben,50,1\n"
    assert [code for code, _ in problems(of(ledger, sheet))][:1] == ["sheet.place"]
    assert of(ledger, sheet, WISHES._replace(wins="least")).ready


@pytest.mark.parametrize(
    "wishes", [WISHES._replace(game="hearts"), WISHES._replace(game=None), WISHES._replace(wins="some")]
)
def test_who_wins_is_said_of_such_a_game_alone(ledger: Ledger, wishes: Wishes) -> None:
    assert ("sheet.game", None) in problems(of(ledger, CANASTA, wishes))


def test_two_games_are_no_evening(ledger: Ledger) -> None:
    sheet = b"date,game,table,player,total\n" + b"".join(
        f"2026-03-17,{game},{table},{player},10\n".encode()
        for table, game, pair in ((1, "Canasta", "ab"), (2, "Rummy", "cd"))
        for player in pair
    )
    assert problems(of(ledger, sheet, WISHES._replace(game=None))) == [("sheet.game", "B4")]


def test_another_game_of_the_day_is_another_evening(ledger: Ledger) -> None:
    first = store(of(ledger, CANASTA), ledger, "tests").sessions[0]
    second = store(of(ledger, CANASTA, WISHES._replace(game="Rummy")), ledger, "tests").sessions[0]
    assert first != second
    into = of(ledger, CANASTA, WISHES._replace(game="Rummy", session=first))
    assert ("sheet.game", None) in problems(into)
    other = of(ledger, CANASTA, WISHES._replace(wins="least"))
    assert ("sheet.session", None) in problems(other)


def test_partners_are_checked_and_kept(ledger: Ledger) -> None:
    together = WISHES._replace(partners=True)
    stored = store(of(ledger, CANASTA, together), ledger, "tests")
    opening = ledger.evenings.stream(stored.sessions[0]).state.opening
    assert (opening.partners, opening.sizes) == (True, (4,))
    unequal = of(ledger, CANASTA.replace(b"Niamh,4120", b"Niamh,4121").replace(b"-17,", b"-18,"), together)
    assert [code for code, _ in problems(unequal)] == ["sheet.partners"]
    assert problems(of(ledger, HANDS.replace(b"-17", b"-19"), together._replace(game=None))) == [("sheet.game", "B2")]
    assert ("sheet.game", None) in problems(of(ledger, CANASTA, together._replace(game="hearts", wins=None)))
