"""Ruff 2.0: every rule of its book, proved by the test that bears its name."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.games.ruff_rules")

from tests.games.ruff_rules import RuffRules, decided  # noqa: E402
from tests.tables import trick_of  # noqa: E402


class TestRuff2(RuffRules):
    game = "ruff-2"

    @pytest.mark.parametrize(("cards", "takes"), [("5S AC 2D KS", "2D"), ("5H AC 2S 3D", "3D")])
    def test_trick_ruff_as_the_rulebook_works_it_out(self, cards: str, takes: str) -> None:
        assert decided("ruff-2", cards) == (takes, "trick.ruff")

    @pytest.mark.parametrize(
        ("cards", "takes"),
        [
            ("AC KD QH 3S", "3S"),
            ("AC KD 3H QC", "3H"),
            ("AD KH QS 3C", "3C"),
            ("AD KH 3S QD", "3S"),
            ("AH KS QC 3D", "3D"),
            ("AH KS 3C QH", "3C"),
            ("AS KC QD 3H", "3H"),
            ("AS KC 3D QS", "3D"),
            ("5H AC 3S 4D", "4D"),
            ("AS 4C 5C", "5C"),
            ("AS KS 3C 4C QS", "4C"),
        ],
    )
    def test_trick_ruff_suits_rank_in_cycle_after_the_suit_led(self, cards: str, takes: str) -> None:
        assert trick_of("ruff-2", cards) == (takes, "trick.ruff")
