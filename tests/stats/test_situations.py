"""Situations of a hand: one table of them, each a function of the fold; filters, splits by two, and the hands behind a number."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import FormatError, StoreError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.situations import HAND_SITUATIONS, OF_HAND, codes_of
from cardledger.rules.games import games
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.measures.hand_counts import hand_counts, situations_wanted
from tests.stats.night import evening, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardledger.record.recording.ledger import Ledger


@pytest.fixture(scope="module")
def spades(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    """Three matches of spades, partners opposite."""
    with recorded(tmp_path_factory.mktemp("situations") / "club.db", evening("spades", matches=3, hands=4)) as ledger:
        yield ledger


def cases(rows: list[dict[str, Any]], measure: str = "points") -> dict[Any, int]:
    """Return the cases of a measure by the values of one dimension or two."""
    return {
        (row["group"], row["second"]) if row.get("second") is not None else row["group"]: row["cases"]
        for row in rows
        if row["measure"] == measure
    }


def dealt(ledger: Ledger) -> Iterator[tuple[str, int, int, tuple[str, ...], list[int]]]:
    """Yield match, hand, seat, cards dealt and the totals before the hand."""
    for match in ledger.matches():
        totals, number = [0, 0, 0, 0], 0
        table = ledger.stream(match).table
        for event in ledger.events(match):
            if isinstance(event, ev.Deal):
                assert event.hands is not None
                for seat, cards in enumerate(event.hands):
                    yield table.players[seat], number + 1, seat, cards, totals
                totals, number = table.hands[number].totals or totals, number + 1


def test_every_situation_is_what_the_deal_and_the_score_say(spades: Ledger) -> None:
    statistics = Statistics(spades.views)
    for player in {who for who, *_ in dealt(spades)}:
        own = [(seat, cards, totals) for who, _, seat, cards, totals in dealt(spades) if who == player]
        trumps, voids, high, standing = (
            cases(statistics.player(player, Query(by=one.id), "spades").rows)
            for one in (OF_HAND[id] for id in ("trump_length", "void_suits", "high_cards", "standing"))
        )
        counted: list[dict[Any, int]] = [{}, {}, {}, {}]
        for seat, cards, totals in own:
            difference = totals[seat] - totals[seat - 1]
            values = (
                sum(card.endswith("S") for card in cards), 4 - len({card[-1] for card in cards}),
                sum(card[:-1] in ("A", "K", "Q") for card in cards),
                "ahead" if difference > 0 else "behind" if difference < 0 else "level",
            )  # fmt: skip
            for count, value in zip(counted, values, strict=True):
                count[value] = count.get(value, 0) + 1
        assert [trumps, voids, high, standing] == counted


def test_a_split_by_two_adds_up_to_the_split_by_one_and_filters_take_one_cell(spades: Ledger) -> None:
    statistics = Statistics(spades.views)
    player = next(dealt(spades))[0]
    for one, other in (
        ("standing", "turn"),
        ("month", "trump_length"),
        ("opponent", "high_cards"),
        ("partner", "seat"),
    ):
        both = statistics.player(player, Query(by=f"{one},{other}"), "spades").rows
        alone = cases(statistics.player(player, Query(by=one), "spades").rows)
        summed: dict[Any, int] = {}
        for row in both:
            if row["measure"] == "points":
                summed[row["group"]] = summed.get(row["group"], 0) + row["cases"]
        assert summed == alone
    cell = next(row for row in both if row["measure"] == "points")
    assert {cell["group"]} <= set(alone)
    by_turn = cases(statistics.player(player, Query(by="standing,turn"), "spades").rows)
    for (standing, turn), number in by_turn.items():
        found = statistics.player(player, Query(where=(("standing", standing),), turn=turn), "spades").rows
        assert cases(found)[None] == number


def test_the_comparison_and_all_tables_take_situations(spades: Ledger) -> None:
    statistics = Statistics(spades.views)
    ahead = statistics.players("spades", Query(where=(("standing", "ahead"),)))
    assert 0 < sum(row["hands"] for row in ahead.rows) < 48
    two = statistics.players("spades", Query(by="partner,standing"), "points")
    assert {"group", "second"} <= {*two.columns}
    run = CliRunner().invoke(
        main,
        [
            "stats",
            "players",
            "spades",
            "--where",
            "standing:ahead",
            "--by",
            "turn,bid",
            "--csv",
            "--db",
            str(spades.at),
        ],
    )
    assert run.exit_code == 0, run.output
    assert run.output.startswith("player,group,second,value")


def test_unknown_situations_and_three_dimensions_are_refused(spades: Ledger) -> None:
    statistics = Statistics(spades.views)
    with pytest.raises(StoreError, match="cannot be split by 'moon'"):
        statistics.players("spades", Query(where=(("moon", "full"),)))
    with pytest.raises(StoreError, match="not by both"):
        statistics.players("spades", Query(by="opponent,partner"))
    assert Query.parse({"by": "seat,seat"}).text == Query.parse({"by": "seat"}).text
    for text in ("seat,turn,size", "seat,"):
        with pytest.raises(FormatError):
            Query.parse({"by": text})
    assert Query.parse({"where": "standing:ahead,bid:3"}).text == "where=bid:3,standing:ahead"
    spans = {
        ("standing", "ahead"): (3, 3), ("void_suits", "0"): (1, 1), ("bid", "3"): (3, 3), ("bid", "x"): None,
        ("bid", "3..4"): (3, 4), ("void_suits", "..1"): (1, 2), ("void_suits", "-1"): (1, 0), ("bid", ".."): None,
        ("bid", "3..x"): None, ("standing", "level..ahead"): None, ("bid", "1_0"): None, ("bid", ""): None,
    }  # fmt: skip
    assert {one: codes_of(*one) for one in spans} == spans


def test_a_span_counts_the_hands_of_all_its_values_and_none_whose_value_is_not_known(spades: Ledger) -> None:
    statistics = Statistics(spades.views)
    player = next(dealt(spades))[0]
    by_length = cases(statistics.player(player, Query(by="trump_length"), "spades").rows)
    for text, low, high in (("3..", 3, 13), ("..3", 0, 3), ("2..4", 2, 4), ("0..", 0, 13), ("4..2", 4, 2)):
        rows = statistics.player(player, Query.parse({"where": f"trump_length:{text}"}), "spades").rows
        wanted = sum(number for length, number in by_length.items() if length is not None and low <= length <= high)
        assert cases(rows).get(None, 0) == wanted, text


def test_a_deal_that_was_not_recorded_has_no_situation_until_the_play_shows_it(tmp_path: Path) -> None:
    matches = evening("spades", matches=1, hands=2, hidden=True)
    with recorded(tmp_path / "club.db", matches) as ledger:
        statistics = Statistics(ledger.views)
        player = ledger.stream(ledger.matches()[0]).table.players[0]
        played_out = cases(statistics.player(player, Query(by="void_suits"), "spades").rows)
    assert sum(played_out.values()) == 2


@pytest.mark.parametrize("game", games())
def test_situations_have_a_value_for_every_seat_of_every_game(game: str, club: Ledger) -> None:
    sheet = Statistics(club.views).sheets.sheet(game)
    for one in HAND_SITUATIONS:
        for code in set(sheet.hands[one.id].tolist()):
            value = one.word(code)
            assert value is None or codes_of(one.id, str(value)) == (code, code)
    assert (sheet.hands["standing"] > 0).all()


def test_json_names_both_dimensions(spades: Ledger) -> None:
    run = CliRunner().invoke(
        main, ["stats", "players", "spades", "--by", "standing,turn", "--json", "--db", str(spades.at)]
    )
    told = json.loads(run.output)
    assert told["by"] == "standing,turn"
    assert {(row["group"], row["second"]) for row in told["rows"]} >= {("level", 1)}


@pytest.mark.parametrize(
    ("game", "has"),
    [("ruff", False), ("diversity", False), ("hearts", False), ("whist", True), ("bridge", True), ("euchre", True)],
)
def test_trumps_can_be_asked_for_only_where_a_suit_is_trump_in_all_tricks(game: str, has: bool) -> None:
    assert ("trump_length" in hand_counts(game)) is has
    assert {"void_suits", "high_cards", "standing"} <= hand_counts(game).keys()
    if not has:
        with pytest.raises(StoreError, match=f"{game} does not count 'trump_length'"):
            situations_wanted("trump_length:4..", game)
