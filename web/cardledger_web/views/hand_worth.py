"""What the hand that has just ended was worth: the points of each side, what decided them, and by which rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.record.matches.describe import in_words
from cardledger.record.matches.results_only import sides_of
from cardledger_web.languages import _, here, joined, minus, translated
from cardledger_web.views.wording import in_glyphs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine.match import Match


class HandWorth(NamedTuple):
    """A hand that has ended: its number, the points by side, with a sign, and in words where they come from.

    `why` are the facts of the hand and the rules that gave the points.
    """

    number: int
    points: list[tuple[str, str]]
    why: list[str]


def hand_worth(table: Match[Any], names: Sequence[str]) -> HandWorth | None:
    """Return what the last hand was worth; None while a hand is under way, and before the first has ended."""
    hand = table.hands[-1] if table.hands else None
    if hand is None or not hand.over or hand.scores is None:
        return None
    points = [
        (joined([names[seat] for seat in side]), _signed(hand.scores[side[0]])) for side in map(tuple, sides_of(table))
    ]
    why = []
    for fact in table.game.shown.facts:
        shown = fact.per == "hand" and fact.kind != "calls" and fact.shown(table, "result")
        if shown and (value := fact.of(table, hand)) not in (None, []):
            said = in_glyphs(in_words(fact, value, names, here()), table, names)
            why.append(_("%(title)s: %(said)s", title=translated(fact.title), said=said))
    if hand.agreed:
        why.append(_("The points come from the score sheet."))
    else:
        why += [translated(table.game.book[rule].text) for rule in table.game.scoring.rules_for(table, hand)]
    return HandWorth(hand.number, points, why)


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else minus(points)
