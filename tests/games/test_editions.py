"""Edition 2 of the moved games: a hidden hand cut short is judged on the cards shown; in edition 1 it is not judged."""

from __future__ import annotations

import pytest

from cardledger.rules import games
from cardledger.rules.engine import events as ev
from tests.tables import Sitting

TWO_EDITIONS = ("diversity", "diamonds-bid", "poison-hearts", "ruff", "ruff-2", "diamonds-draw")


def test_editions_are_numbered_and_the_newest_is_played() -> None:
    for game, known in games.editions().items():
        assert [*known] == [f"{game}/{number}" for number in range(1, 3 if game in TWO_EDITIONS else 2)]
    assert Sitting("ruff").match.game.book.edition == "ruff/2"


def revoke(rules: str | None = None, policy: str = "strict") -> Sitting:
    """Seat 1 played a heart to a spade, and then, to the next trick, a spade."""
    match = Sitting("ruff", 4, policy, rules).deal(hidden=True, dealer=3)  # type: ignore[arg-type]
    return match.play("5S AH 6S 7S").play("8S", 1)


@pytest.mark.parametrize("policy", ["strict", "record"])
@pytest.mark.parametrize("ends", [ev.Claim(tricks=(11, 0, 0, 0)), ev.Score(scores=(12, 0, 0, 0)), ev.End()])
def test_a_revoke_proven_in_the_trick_under_way_is_found_however_the_hand_ends(ends: ev.Event, policy: str) -> None:
    match = revoke(policy=policy)
    assert match.violations == []
    match.do(ends)
    assert match.violations == [(4, 1, "follow.suit", "8S")]
    assert match.match.strict == (policy == "strict")
    assert "broken" in [ruling.verdict for ruling in match.match.trail or ()]


def test_edition_1_judges_no_hand_cut_short() -> None:
    match = revoke("ruff/1").claim(11, 0, 0, 0)
    assert match.violations == []


def test_the_result_is_the_same_except_for_the_violations_found() -> None:
    first, second = revoke("ruff/1").claim(11, 0, 0, 0).result, revoke().claim(11, 0, 0, 0).result
    assert second.pop("violations") != first.pop("violations")
    assert first == second


def debts(paid: str, back: str) -> Sitting:
    """The second hand, hidden: seat 1 fell short in the first and pays seat 0 cards when it asks for spades.

    Seat 1 leads then.
    """
    owed = len(paid.split())
    match = Sitting("ruff", 4, "record").deal(hidden=True, dealer=3).claim(3 + owed, 3 - owed, 3, 3).deal(hidden=True)
    for card in paid.split():
        match.do(ev.Ask(seat=0, source=1, suit="S"), ev.Give(seat=1, to=0, card=card))
    return match.do(*(ev.Give(seat=0, to=1, card=card) for card in back.split()))


def rest(match: Sitting) -> Sitting:
    return match.claim(match.hand.tricks_left, 0, 0, 0)


def test_a_debt_is_judged_by_cards_that_the_debtor_shows_later() -> None:
    assert rest(debts("9S", "9H").play("KS QS JS TS")).violations == [(6, 1, "debt.highest", "KS")]


def test_a_card_received_later_proves_nothing_about_earlier_plays() -> None:
    assert rest(debts("9S", "KS").play("KS QS JS TS")).violations == []


def test_a_card_given_away_and_got_back_was_held() -> None:
    match = rest(debts("9S KS", "KS 9H"))
    assert match.violations == [(6, 1, "debt.highest", "KS")]


def test_a_hidden_hand_of_diamonds_draw_is_judged_when_its_score_comes() -> None:
    match = Sitting("diamonds-draw", 2).deal(hidden=True, dealer=1)
    match.play("5S 3D").do(ev.Draw(seat=0, source="stock", cards=("2C", "4D"))).play("9C 6C")
    assert match.violations == []
    match.do(ev.Draw(seat=0, source="stock", cards=("3C",))).score(20, 16)
    assert match.violations == [(4, 1, "first-trick.no-diamond", "6C")]


def test_the_lowest_club_is_judged_only_if_it_was_played() -> None:
    for lead, later, expected in (("5C", "2C", [(7, 0, "lead.lowest-club", "2C")]), ("5C", "6C", [])):
        match = Sitting("diamonds-bid", 4).deal(hidden=True, dealer=3).bid(3, 3, 3, 3)
        match.play(f"{lead} 7C 8C 9C", 0).play(f"TC {later}").claim(0, 0, 0, 12)
        assert match.violations == expected


def test_a_tie_counts_as_removal_if_the_leader_plays_only_faces_tried() -> None:
    match = Sitting("poison-hearts", 3).deal(hidden=True, dealer=0).play("R1 R1 Y5").play("R1 R5 Y6")
    assert match.violations == []
    match.play("Y8 Y7 G8").score(1, 2, 3)
    assert match.violations == [(6, 0, "lead.different", "G8")]
    match = Sitting("poison-hearts", 3).deal(hidden=True, dealer=0).play("R1 R1 Y5").play("R1 R5 Y6").score(1, 2, 3)
    assert match.violations == []
    assert [trick["rule"] for trick in match.last_hand["tricks"]] == ["trick.tie", "trick.highest"]
