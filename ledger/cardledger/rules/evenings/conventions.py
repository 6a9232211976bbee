"""Conventions by which programs print the points of boards: which one explains the points of a whole file.

Laws and unions leave open how much a better result is worth, how a board with fewer results counts, whether an average
is of the top or the pair's own, and how IMPs are compared. Points that differ by such a convention are no error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Literal, NamedTuple

import msgspec

from cardledger.listed import listed
from cardledger.rules.evenings.awards import Artificial
from cardledger.rules.evenings.score_cards import less_penalties
from cardledger.rules.evenings.scoring import COMPARED, BoardPoints, Scoring, board_points, with_session_average
from cardledger.rules.evenings.travellers import TravellerLine

Small = Literal["neuberg", "tops", "factored"]
Scale = Literal["two", "one", "percent"]
_SMALL: dict[Small, str] = {
    "neuberg": "",
    "tops": "a top for each board by its own number of results, not Neuberg's formula",
    "factored": "matchpoints factored up to the largest field, not Neuberg's formula",
}
_SCALE: dict[Scale, str] = {
    "two": "",
    "one": "1 for a better result and ½ for an equal one, not 2 and 1",
    "percent": "the percentage of the top",
}
_OWN = "averages of the top even for a pair with more than 60% or fewer than 40%"
_DIVISORS: dict[str, str] = {
    "results-1": "the mean of the IMPs against all others",
    "results": "the IMPs against all others, divided by the number of all results",
    "none": "the sum of the IMPs against all others",
}
_STEPS = ("whole points", "tenths", "hundredths", "thousandths")
_EVIDENCE = 2
"""So many lines, at least, must agree by a convention and by no other: one line alone is more likely wrong."""


class PrintedPoints(NamedTuple):
    """A line of a traveller, as it is compared here, and the points that a file has for each side.

    Points are None where the file has none, or no number.
    """

    board: int
    line: TravellerLine
    points: tuple[Fraction | None, Fraction | None]


class Convention(NamedTuple):
    """A way to score boards: its kind with options, the scale of matchpoints, and how boards with few results count."""

    scoring: Scoring
    scale: Scale = "two"
    small: Small = "neuberg"

    def words(self, usual: Scoring) -> list[str]:
        """Say what differs from what is usual here."""
        mine = self.scoring
        if mine.kind in COMPARED:
            average = _OWN if mine.session_average != usual.session_average else ""
            return [text for text in (_SCALE[self.scale], _SMALL[self.small], average) if text]
        if mine.kind == "cross_imps":
            return [_DIVISORS[mine.divisor]] if mine != usual else []
        parts = []
        if mine.kind != usual.kind or mine.drop != usual.drop:
            without = "all results" if not mine.drop else f"the results without the {mine.drop} best and worst"
            parts.append(f"Butler IMPs against the mean of {without}")
        if mine.unit != usual.unit:
            parts.append("a mean that is not rounded" if mine.unit == 1 else f"a mean in steps of {mine.unit}")
        if mine.halves != usual.halves:
            parts.append("a mean whose halves are rounded toward zero")
        return parts


Both = dict[tuple[int, int], BoardPoints]
"""The points of lines, by their place and the side: 0 for north-south, 1 for east-west."""


class Explained(NamedTuple):
    """What a convention makes of a file: the lines that do not follow, each with the points that would.

    `words` say what of it is not usual here; empty where nothing is.
    """

    words: str
    differing: list[tuple[PrintedPoints, tuple[Fraction, Fraction]]]


def explained(lines: Sequence[PrintedPoints], usual: Scoring, decimals: int, scale: Scale | None = None) -> Explained:
    """Return the convention that explains the printed points of a file best.

    The usual one goes before all others, and they go by how much of it they change. Points are compared as they are
    printed, to so many `decimals`. A convention must explain two lines more than the usual one. `scale` is that of the points, if it is known.
    """
    on_boards: dict[tuple[Scoring, Small], Both] = {}
    found = []
    known = [one for one in _conventions(usual) if scale in (None, one.scale)]
    for place, convention in enumerate(sorted(known, key=lambda one: len(one.words(usual)))):
        # Averages and the scale are a matter of each pair and of each number: boards are compared once.
        scoring, small = msgspec.structs.replace(convention.scoring, session_average=True), convention.small
        if (scoring, small) not in on_boards:
            on_boards[scoring, small] = _on_boards(scoring, small, lines)
        follow = _points(convention, lines, on_boards[scoring, small])
        differing = [(line, both) for line, both in zip(lines, follow, strict=True) if _differs(line, both, decimals)]
        found.append((len(differing), place, convention, differing))
        if not differing:
            break  # those before explain less
    own, best = found[0], min(found, key=lambda one: one[:2])
    printed = sum(line.points != (None, None) for line in lines)
    if own[0] - best[0] < _EVIDENCE or 2 * best[0] > printed:
        best = own
    words = best[2].words(usual)
    said = f"{listed(words)}, rounded to {_STEPS[decimals]}" if words and decimals < len(_STEPS) else listed(words)
    return Explained(said, best[3])


def _conventions(usual: Scoring) -> Iterator[Convention]:
    """Yield the known conventions for a kind of scoring, the usual one first."""
    yield Convention(usual)
    if usual.kind in COMPARED:
        for scale, small, average in product(_SCALE, _SMALL, (True, False)):
            one = Convention(msgspec.structs.replace(usual, session_average=average), scale, small)
            if one != Convention(usual):
                yield one
        return
    for divisor in _DIVISORS:
        scoring = Scoring(kind="cross_imps", divisor=divisor)  # type: ignore[arg-type] # one of the three
        if scoring != usual:
            yield Convention(scoring)
    for drop, unit, halves in product((1, 0, 2), (10, 1), ("away", "zero")):
        scoring = Scoring(kind="butler", drop=drop, unit=unit, halves=halves)  # type: ignore[arg-type] # one of two
        if scoring != usual and not (unit == 1 and halves == "zero"):
            yield Convention(scoring)


def _on_boards(scoring: Scoring, small: Small, lines: Sequence[PrintedPoints]) -> Both:
    """Return the points of both sides of each line, before averages become a pair's own."""
    boards: dict[int, list[int]] = {}
    for at, line in enumerate(lines):
        boards.setdefault(line.board, []).append(at)
    field = max(map(len, boards.values()), default=1)
    told: Both = {}
    for some in boards.values():
        rows = [lines[at].line.row for at in some]
        own = max(1, sum(not isinstance(row.ns, Artificial) for row in rows))
        points = board_points(rows, field if small == "neuberg" else own, scoring)
        times = Fraction(field - 1, own - 1) if small == "factored" and own > 1 else Fraction(1)
        for at, both in zip(some, points, strict=True):
            for side, one in enumerate(both):
                scaled = one._replace(value=one.value * times, top=one.top * times)
                told[at, side] = less_penalties(scaled, lines[at].line, side, scoring)
    return told


def _points(convention: Convention, lines: Sequence[PrintedPoints], told: Both) -> list[tuple[Fraction, Fraction]]:
    """Return the points of both sides of each line, as a convention has them."""
    follow = dict(told)
    if convention.scoring.session_average and convention.scoring.kind in COMPARED:
        of_entry: dict[int, list[tuple[int, int]]] = {}
        for at, side in told:
            seated = lines[at].line
            of_entry.setdefault((seated.ew if side else seated.ns)[0], []).append((at, side))
        for places in of_entry.values():
            follow |= zip(places, with_session_average([told[place] for place in places]), strict=True)
    scale = convention.scale
    return [(_scaled(follow[at, 0], scale), _scaled(follow[at, 1], scale)) for at in range(len(lines))]


def _scaled(points: BoardPoints, scale: Scale) -> Fraction:
    if scale == "percent":
        return 100 * points.value / points.top if points.top else Fraction(50)
    return points.value / 2 if scale == "one" else points.value


def _differs(line: PrintedPoints, follow: tuple[Fraction, Fraction], decimals: int) -> bool:
    """Tell whether points are not those that follow, as far as they are printed; a half may be rounded either way."""
    half = Fraction(1, 2 * 10**decimals)
    return any(said is not None and abs(said - ours) > half for said, ours in zip(line.points, follow, strict=True))
