"""How cards come to players: counted as the matches have it, and each count is that of the hands listed behind it."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import cardledger
from cardledger.errors import FormatError, StoreError
from cardledger.record.readmodels.questions.card_in_hand import IN_TRICKS, WAYS, card_asked, faces_of, has_tricks
from cardledger.record.readmodels.questions.hand_list import count_hands, list_hands
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger.study.stats import Statistics
from cardledger.study.stats.card_occasions import occasions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Seat = tuple[str, int, int]
"""Match, hand and seat."""
Came = dict[tuple[str, str], set[Seat]]
"""The seats to whom a card came, by way and face."""
PLAYED_OUT = ("hearts", "whist", "spades", "ruff", "bridge", "oh-hell")
"""Games in which every card held is played, if nobody claims."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """Two matches of bots in every game, at tables of different sizes."""
    path: Path = tmp_path_factory.mktemp("occasions") / "club.db"
    with Ledger(path) as ledger:
        for id, rules in games().items():
            for at, n in enumerate((rules.sizes[0], rules.sizes[-1])):
                ledger.record(None, simulate(id, n, Random(at), ("cautious", "random"), max_hands=2), 0)
        ledger.views.catch_up()
        yield ledger


def counted(ledger: Ledger, game: str) -> Came:
    """Return who came by each card, as statistics count it."""
    sheet = Statistics.of(ledger.views).sheets.sheet(game)
    faces = {face: at for at, face in enumerate(sorted(faces_of(game)))}
    match, every = sheet.text("match"), np.ones(len(sheet.hands["row"]), dtype=bool)
    found: Came = defaultdict(set)
    for how in WAYS if has_tricks(game) else ("dealt", "held"):
        came = occasions(ledger.views, sheet, every, how, faces)
        row = came.row[came.occasion]
        seat = sheet.hands["row"][row]
        of = sheet.matches["match"][sheet.seats["row"][seat]]
        for card, m, n, s in zip(
            came.card.tolist(), of.tolist(), sheet.hands["number"][row].tolist(), sheet.seats["seat"][seat].tolist(),
            strict=True,
        ):  # fmt: skip
            found[how, [*faces][card]].add((match[m], n, s))
    return found


def from_matches(ledger: Ledger, game: str) -> Came:
    """Return who came by each card, from the matches themselves; what was held only where every card is played."""
    found: Came = defaultdict(set)
    for match in ledger.matches():
        stream = ledger.stream(match)
        table = stream.table
        if table.game.id != game:
            continue
        faces = table.pack.faces
        for hand in (hand for hand in table.hands if hand.scores is not None):
            deal = stream.events[hand.first - 1]
            assert isinstance(deal, ev.Deal)
            for seat, dealt in enumerate(deal.hands or ()):
                for face in dealt:
                    found["dealt", face].add((match, hand.number, seat))
            for seats, cards, taker, _ in hand.tricks:
                for place, (seat, card) in enumerate(zip(seats, cards, strict=True)):
                    at = match, hand.number, seat
                    found["played" if place else "led", faces[card]].add(at)
                    if game in PLAYED_OUT:
                        found["held", faces[card]].add(at)
                    if taker is not None:
                        found["won", faces[card]].add((match, hand.number, taker))
    return found


@pytest.mark.parametrize("game", games())
def test_cards_are_counted_as_the_matches_have_them(club: Ledger, game: str) -> None:
    told, seen = counted(club, game), from_matches(club, game)
    assert told
    for how in WAYS if game in PLAYED_OUT else (*IN_TRICKS, "dealt"):
        assert {key: at for key, at in told.items() if key[0] == how} == {
            key: at for key, at in seen.items() if key[0] == how
        }


def test_a_card_passed_on_is_held_by_who_got_it_and_one_laid_away_by_nobody(club: Ledger) -> None:
    hearts, euchre = counted(club, "hearts"), counted(club, "euchre")
    assert any(hearts["dealt", face] != hearts["held", face] for face in faces_of("hearts"))
    took_up = [
        (match, hand, seat)
        for match, hand, seat in club.views.reader.execute(
            "SELECT match, hand, seat FROM dealt WHERE game = 'euchre' AND came = 'picked up'"
        )
    ]
    assert took_up
    for at in took_up:
        held = {face for (how, face), seats in euchre.items() if how == "held" and at in seats}
        played = {face for (how, face), seats in euchre.items() if how in ("led", "played") and at in seats}
        assert held == played


def listed(ledger: Ledger, **filters: Any) -> set[tuple[str, int]]:
    return {(hand["match"], hand["hand"]) for hand in list_hands(ledger, 1000, **filters).hands}


@pytest.mark.parametrize("game", games())
def test_the_list_of_hands_has_the_hands_behind_each_count(club: Ledger, game: str) -> None:
    told = counted(club, game)
    rng = Random(game)
    for how in WAYS if has_tricks(game) else ("dealt", "held"):
        for face in rng.sample(sorted(faces_of(game)), 4):
            seats = told[how, face]
            asked: dict[str, Any] = {"game": game, "card": face, "how": how}
            assert listed(club, **asked) == {at[:2] for at in seats}, (how, face)
            assert count_hands(club, **asked) == len({at[:2] for at in seats})
            player = "bot1" if seats else "bot2"
            name = {match: club.stream(match).table.players for match in club.matches()}
            player = name[min(seats)[0]][min(seats)[2]] if seats else name[club.matches()[0]][0]
            own = {at[:2] for at in seats if name[at[0]][at[2]] == player}
            assert listed(club, player=player, **asked) == own


def test_place_and_card_are_of_one_and_the_same_player(club: Ledger) -> None:
    every = listed(club, game="whist", card="AS")
    by_place = [listed(club, game="whist", card="AS", turn=turn) for turn in range(1, 5)]
    assert set.union(*by_place) == every
    assert sum(map(len, by_place)) == len(every)


def test_a_card_may_be_written_as_people_write_it(club: Ledger) -> None:
    assert listed(club, game="hearts", card="q♠", how="won") == listed(club, game="hearts", card="QS", how="won")
    assert card_asked("10h", "whist") == "TH"


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"how": "led"}, "format.key"),
        ({"card": "XX"}, "store.unknown"),
        ({"card": "RY6", "game": "hearts"}, "store.unknown"),
        ({"card": "QS", "how": "eaten"}, "store.unknown"),
    ],
)
def test_what_cannot_be_asked_of_a_card_is_refused(club: Ledger, asked: dict[str, str], code: str) -> None:
    with pytest.raises((FormatError, StoreError)) as refused:
        list_hands(club, 10, **asked)
    assert refused.value.code == code


@pytest.mark.parametrize("how", WAYS)
def test_hands_by_a_card_wait_for_other_tables_and_for_the_end_for_everybody(ledger: Ledger, how: str) -> None:
    events = simulate("whist", 4, Random(1), ("random",), max_hands=2)
    match = ledger.record(None, events, 0).match
    ledger.views.catch_up()
    asked = {"game": "whist", "card": "AS", "how": how}
    over = {(match, hand.number) for hand in ledger.stream(match).table.hands if hand.scores is not None}
    assert listed(ledger, **asked) <= over
    before = sum(len(seats) for seats in counted(ledger, "whist").values())
    other = ledger.record(None, events[:2], 0).match  # the same first deal, under way
    ledger.views.catch_up()
    assert listed(ledger, **asked) <= over - {(match, 1)}
    sheet = Statistics.of(ledger.views).sheets.sheet("whist")
    shown = occasions(ledger.views, sheet, np.ones(len(sheet.hands["row"]), dtype=bool), how, {"AS": 0})
    assert 1 not in sheet.hands["number"][shown.row]
    ledger.record(other, [ev.Void()], 2)
    ledger.views.catch_up()
    assert sum(len(seats) for seats in counted(ledger, "whist").values()) == before


def test_python_has_the_hands_of_the_list(club: Ledger, tmp_path_factory: pytest.TempPathFactory) -> None:
    told = counted(club, "hearts")
    with Ledger(tmp_path_factory.mktemp("python") / "club.db") as ledger:
        for match in club.matches():
            ledger.record(None, [*club.stream(match).events], 0)
        python = cardledger.OpenLedger(ledger)
        rows = python.hands(game="hearts", card="QS", how="won")
        assert rows.num_rows == len({at[:2] for at in told["won", "QS"]})
        assert python.hands(where="points:13..").num_rows > 0
        assert python.hands().num_rows > rows.num_rows
        with pytest.raises(FormatError):
            python.hands(cards="QS")
        worth = python.statistics.cards("hearts", "won")
        assert worth.column("hands").to_pylist()[worth.column("card").to_pylist().index("QS")] == rows.num_rows


def test_a_hand_from_a_score_sheet_tells_nothing_of_its_cards_though_its_deal_was_recorded(ledger: Ledger) -> None:
    events = simulate("whist", 4, Random(1), ("random",), max_hands=1)
    ledger.record(None, [*events[:2], ev.Score(scores=(3, 0, 3, 0))], 0)
    ledger.views.catch_up()
    assert len(list_hands(ledger, 10, game="whist").hands) == 1
    assert not any(listed(ledger, game="whist", card="AS", how=how) for how in WAYS)
    assert not counted(ledger, "whist")


def test_what_was_read_for_one_question_is_not_kept_beyond_the_next_match(ledger: Ledger) -> None:
    for seed in range(3):
        ledger.record(None, simulate("whist", 4, Random(seed), ("random",), max_hands=1), 0)
        ledger.views.catch_up()
        assert {len(seats) for (how, _), seats in counted(ledger, "whist").items() if how == "dealt"} == {seed + 1}
