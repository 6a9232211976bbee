"""Hands worth seeing: a rare rule is one of play or scoring that decided something in few hands, the fewest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.study.stats.luck import accountant
from tests.stats.night import evening, recorded

if TYPE_CHECKING:
    from pathlib import Path


def test_a_rare_rule_is_one_of_play_or_scoring_that_decides_few_hands(tmp_path: Path) -> None:
    with recorded(tmp_path / "club.db", evening("poison-hearts", 4, matches=12)) as ledger:
        found = accountant.sights(ledger, "poison-hearts", "rarest", 50, patience=None)
        assert found is not None
        assert found["sights"]
        for sight in found["sights"]:
            hands = {
                (match, hand.number)
                for match in ledger.matches()
                for hand in ledger.stream(match).table.hands
                if hand.scores is not None and sight["detail"] in [rule for *_, rule in hand.tricks]
            }
            assert sight["amount"] == len(hands) <= 0.2 * 24
            assert (sight["match"], sight["hand"]) in hands
        assert {sight["detail"] for sight in found["sights"]} == {"trick.removed"}
