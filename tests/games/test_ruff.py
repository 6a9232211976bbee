"""Ruff: every rule of its book, proved by the test that bears its name."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.games.ruff_rules")

from tests.games.ruff_rules import RuffRules, decided  # noqa: E402
from tests.tables import trick_of  # noqa: E402


class TestRuff(RuffRules):
    game = "ruff"

    @pytest.mark.parametrize(
        ("cards", "takes"), [("5S AC 2D KS", "2D"), ("5H AC 2S 3D", "2S"), ("5H AC 2S 3D AH", "2S")]
    )
    def test_trick_ruff_as_the_rulebook_works_it_out(self, cards: str, takes: str) -> None:
        assert decided("ruff", cards) == (takes, "trick.ruff")

    @pytest.mark.parametrize(
        ("cards", "takes"),
        [
            ("5S AC 3D KS", "3D"),
            ("5H AC 3S 3D", "3S"),
            ("5S AC 4D 3H", "3H"),
            ("AC 4D 5D 7D", "7D"),
            ("AH 4C KH", "4C"),
            ("AC KD QH JS", "JS"),
            ("AS KS 3C 4C QS", "4C"),
        ],
    )
    def test_trick_ruff_suits_rank_in_hierarchy(self, cards: str, takes: str) -> None:
        assert trick_of("ruff", cards) == (takes, "trick.ruff")
