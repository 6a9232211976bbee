"""Editions live side by side: a match folds under its own, and a released one never changes its results."""

from __future__ import annotations

import msgspec
import pytest

from cardledger.errors import FormatError, RuleError
from cardledger.rules import games
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.editions import by_game, newest
from tests.tables import opening

KNOWN = games.editions()
PRESENT = ("diversity", "diamonds-bid", "poison-hearts", "ruff", "ruff-2", "diamonds-draw")


def test_editions_come_oldest_first() -> None:
    for id, known in KNOWN.items():
        assert [*known] == [f"{id}/{number}" for number in range(1, len(known) + 1)]
        assert all(game.id == id and game.book.edition == edition for edition, game in known.items())


def test_the_second_edition_of_the_present_games_judges_hands_cut_short() -> None:
    for id in PRESENT:
        assert [game.judges_cut for game in KNOWN[id].values()] == [False, True]
    assert all(newest(known).judges_cut for id, known in KNOWN.items() if id != "hecto-diversity")


def test_a_match_is_opened_under_the_edition_it_names_or_the_newest() -> None:
    named = msgspec.structs.replace(opening("ruff", 4), rules="ruff/1")
    assert games.start(named).game is KNOWN["ruff"]["ruff/1"]
    assert games.start(opening("ruff", 4)).game is KNOWN["ruff"]["ruff/2"]
    assert games.start(named, rules="ruff/2").game is KNOWN["ruff"]["ruff/2"]


@pytest.mark.parametrize("rules", ["ruff/3", "ruff", "ruff-2/1", "", "ruff/01"])
def test_an_unknown_edition_is_refused_with_the_known_ones(rules: str) -> None:
    with pytest.raises(
        FormatError, match=r"no edition '[^']*'( \(did you mean 'ruff/[12]'\?\))?: choose one of ruff/1, ruff/2"
    ) as refused:
        games.start(msgspec.structs.replace(opening("ruff", 4), rules=rules))
    assert refused.value.code == "format.value"


def test_an_edition_given_twice_is_found_when_games_are_loaded() -> None:
    game = KNOWN["whist"]["whist/1"]
    with pytest.raises(ValueError, match="whist/1 is given twice"):
        by_game([game, game])


@pytest.mark.parametrize(
    ("change", "code"),
    [({"game": "bingo"}, "format.game"), ({"players": ("a", "a", "b", "c")}, "format.value"),
     ({"players": ("a", "\x07", "b", "c")}, "format.value"), ({"players": ("a", "", "b", "c")}, "format.value"),
     ({"players": tuple("ab")}, "table.range"), ({"options": {"colour": 1}}, "format.option"),
     ({"options": {"rounds": 0}}, "table.range"), ({"options": {"rounds": "2"}}, "format.option")],
)  # fmt: skip
def test_an_impossible_opening_is_refused(change: dict[str, object], code: str) -> None:
    with pytest.raises((FormatError, RuleError)) as refused:
        games.start(msgspec.structs.replace(opening("ruff", 4), **change))
    assert refused.value.code == code


def test_a_hand_cut_short_is_judged_in_the_second_edition_only() -> None:
    """Seat 2 throws a heart on clubs and plays a club later: only the second edition names the revoke."""
    found = {}
    for edition in KNOWN["ruff"]:
        match = games.start(msgspec.structs.replace(opening("ruff", 4), rules=edition))
        match.apply(ev.Deal(dealer=0, hands=None), 2)
        plays = ((1, "AC"), (2, "9H"), (3, "KC"), (0, "QC"), (2, "8C"))
        for seq, (seat, card) in enumerate(plays, 3):
            match.apply(ev.Play(seat=seat, card=card), seq)
        assert match.violations == []
        match.apply(ev.Claim(tricks=(3, 4, 2, 2)), 8)
        found[edition] = [(v.seq, v.seat, v.rule, v.legal) for v in match.violations]
    assert found == {"ruff/1": [], "ruff/2": [(4, 2, "follow.suit", ("8C",))]}
