"""Which points are possible on a score sheet of hearts."""

from collections.abc import Iterator, Sequence
from typing import Any

from cardledger.rules import ScoreSheet, Sentence, SheetRules

MOON_OTHERS = Sentence(
    "26 points of hearts and the queen are one player's: that is a moon, and the player gets 0 and the others 26 each"
)
MOON_SELF = Sentence(
    "26 points of hearts and the queen are one player's: that is a moon, and the player gets -26 and the others 0"
)


def score_check(sheet: ScoreSheet) -> Sentence | None:
    """Hearts and the queen make 26 points, or a moon; the jack and a hand without a trick may take some off."""
    if any(possible(scores, without, sheet) for scores, without in before_agreed(sheet)):
        return None
    if not sheet.options["jack"] and not sheet.options["no_trick_bonus"] and sum(sheet.scores) not in (26, 78, -26):
        return Sentence("hearts and the queen make 26 points together, not {sum}", sum=sum(sheet.scores))
    ordered = sorted(sheet.scores)
    if ordered == [0, 0, 0, 26]:
        return MOON_OTHERS if sheet.options["moon"] == "others" else MOON_SELF
    if sum(ordered) == 26 and ordered[0] >= 0 and ordered[3] < 13:
        return Sentence(
            "the player who takes the queen of spades has at least 13 points, and nobody has more than {most}",
            most=ordered[3],
        )
    return Sentence("hearts and the queen of spades cannot give these points")


def before_agreed(sheet: ScoreSheet) -> Iterator[tuple[list[int], int]]:
    """Yield the possible points before the jack and the bonus for no trick.

    With the number of hands that got the bonus.
    """
    for seat in range(4) if sheet.options["jack"] else (None,):
        scores = [points + 10 * (place == seat) for place, points in enumerate(sheet.scores)]
        yield scores, 0
        if sheet.options["no_trick_bonus"]:
            without = [place for place, points in enumerate(scores) if points == -5 and place != seat]
            if without:
                yield [0 if place in without else points for place, points in enumerate(scores)], len(without)


def possible(scores: Sequence[int], without: int, sheet: ScoreSheet) -> bool:
    """Tell whether hearts and the queen can give these points; with a moon nobody gets the bonus for no trick."""
    ordered = sorted(scores)
    if without == 0 and ordered == ([-26, 0, 0, 0] if sheet.options["moon"] == "self" else [0, 26, 26, 26]):
        return True
    return ordered[0] >= 0 and sum(scores) == 26 and 13 <= ordered[3] < 26


def moon(options: dict[str, Any]) -> tuple[int, int] | None:
    """Return the points of a moon; with the jack they also depend on who has it."""
    if options["jack"]:
        return None
    return (-26, 0) if options["moon"] == "self" else (0, 26)


def sums(options: dict[str, Any], n: int) -> set[int]:
    """Return what the points of a hand add up to: with the jack ten less, and five less for each without a trick."""
    jack = 10 if options["jack"] else 0
    without = {5 * many for many in range(n if options["no_trick_bonus"] else 1)}
    return {26 - jack - less for less in without} | {(-26 if options["moon"] == "self" else 78) - jack}


SHEET = SheetRules(check=score_check, sums=sums, all_to_one=moon)
