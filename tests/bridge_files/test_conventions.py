"""Points of other conventions are no errors: the one that explains a file is named once, and a wrong number is found all the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings.awards import Artificial, BoardRow, plain
from cardledger.rules.evenings.conventions import PrintedPoints, explained
from cardledger.rules.evenings.imps import imps
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.scoring import Kind, Scoring
from cardledger.rules.evenings.travellers import TravellerLine
from tests.bridge_files.test_usebio import line, pair, usebio
from tests.bridge_files.test_usebio_evenings import imported

Results = dict[int, list[int | None]]
"""The points of north-south of each board, by table; None for an average of 60% and 40%."""
Scored = dict[tuple[int, int], tuple[float, float]]
"""What a program prints, by board and table."""
TABLES = 6
SCORES = (620, -100, 170, 140, 650, -50, 600, 110, -200, 90)


def results(seed: int, averages: bool = True) -> Results:
    """Return twelve boards of up to six tables; some were played fewer times."""
    random = Random(seed)
    made: Results = {}
    for board in range(1, 13):
        scores: list[int | None] = [random.choice(SCORES) for _ in range(TABLES - (board % 3 == 0))]
        made[board] = scores
    if averages:
        for board, table in ((2, 0), (5, 0), (6, 3), (7, 4), (8, 1), (10, 2), (11, 5), (1, 3), (4, 0), (10, 4)):
            made[board][table] = None
    return made


# What other programs do, written down here as they say it.


def plain_matchpoints(scores: list[int | None], win: float, tie: float) -> list[float | None]:
    real = [score for score in scores if score is not None]
    return [
        None if mine is None else sum(win * (mine > other) + tie * (mine == other) for other in real) - tie
        for mine in scores
    ]


def matchpoints(
    found: Results, *, win: float = 2, small: str = "neuberg", own: bool = True, percent: bool = False
) -> Scored:
    most = max(map(len, found.values()))
    told: dict[tuple[int, int], list[float | None]] = {}
    tops: dict[int, float] = {}
    for board, scores in found.items():
        number = sum(score is not None for score in scores)
        tops[board] = win * ((number if small == "tops" else most) - 1)
        ns = plain_matchpoints(scores, win, win / 2)
        ew = plain_matchpoints([None if score is None else -score for score in scores], win, win / 2)
        for table, both in enumerate(zip(ns, ew, strict=True)):
            told[board, table] = [
                None if one is None
                else (one + win / 2) * most / number - win / 2 if small == "neuberg"
                else one * (most - 1) / (number - 1) if small == "factored"
                else one
                for one in both
            ]  # fmt: skip
    averages: dict[tuple[int, int], float] = {}
    for table in range(TABLES):
        for side in (0, 1):
            real = [(told[board, table][side], tops[board]) for board in found if (board, table) in told]
            kept = [(value, top) for value, top in real if value is not None]
            averages[table, side] = sum(value for value, _ in kept) / sum(top for _, top in kept)
    done: Scored = {}
    for (board, table), both in told.items():
        shares = [0.6, 0.4]
        if own:
            shares = [max(0.6, averages[table, 0]), min(0.4, averages[table, 1])]
        values = [shares[side] * tops[board] if one is None else one for side, one in enumerate(both)]
        done[board, table] = tuple(100 * value / tops[board] if percent else value for value in values)  # type: ignore[assignment]
    return done


def cross(found: Results, *, divide: Callable[[int], int]) -> Scored:
    done: Scored = {}
    for board, scores in found.items():
        for table, mine in enumerate(scores):
            assert mine is not None
            total = sum(imps(mine - other) for other in scores if other is not None)  # against itself: 0
            done[board, table] = total / divide(len(scores)), -total / divide(len(scores))
    return done


def against_datum(found: Results, *, drop: int, unit: int = 10) -> Scored:
    done: Scored = {}
    for board, scores in found.items():
        real = sorted(score for score in scores if score is not None)
        kept = real[drop : len(real) - drop]
        for sign, side in ((1, 0), (-1, 1)):
            mean = Fraction(sum(sign * score for score in kept), len(kept))
            size = int(abs(mean) / unit + Fraction(1, 2)) * unit
            datum = size if mean > 0 else -size
            for table, mine in enumerate(scores):
                assert mine is not None
                before = done.get((board, table), (0, 0))
                value = imps(sign * mine - datum)
                done[board, table] = (before[0], value) if side else (value, before[1])
    return done


CASES: dict[str, tuple[Kind, Callable[[Results], Scored], int, str]] = {
    "as here": ("matchpoints", matchpoints, 2, ""),
    "as here, to tenths": ("matchpoints", matchpoints, 1, ""),
    "a top for each board": ("matchpoints", partial(matchpoints, small="tops"), 2, "a top for each board"),
    "factored": ("matchpoints", partial(matchpoints, small="factored"), 2, "factored up"),
    "half points": ("matchpoints", partial(matchpoints, win=1), 2, "1 for a better result and ½ for an equal one"),
    "half points to tenths, a top for each board": (
        "matchpoints", partial(matchpoints, win=1, small="tops"), 1, "½ for an equal one, not 2 and 1 and a top for each",
    ),
    "percentages": ("matchpoints", partial(matchpoints, percent=True), 2, "the percentage of the top"),
    "averages of the top": ("matchpoints", partial(matchpoints, own=False), 2, "averages of the top even for a pair"),
    "IMPs, the mean": ("cross_imps", partial(cross, divide=lambda n: n - 1), 2, ""),
    "IMPs, the sum": ("cross_imps", partial(cross, divide=lambda n: 1), 0, "the sum of the IMPs"),
    "IMPs, divided by all": ("cross_imps", partial(cross, divide=lambda n: n), 2, "by the number of all results"),
    "Butler": ("butler", partial(against_datum, drop=1), 0, ""),
    "Butler with extremes": ("butler", partial(against_datum, drop=0), 0, "the mean of all results"),
    "Butler without two extremes": ("butler", partial(against_datum, drop=2), 0, "without the 2 best and worst"),
    "Butler in the place of IMPs": ("cross_imps", partial(against_datum, drop=1), 0, "Butler IMPs"),
}  # fmt: skip
NAMES = {"matchpoints": "MATCH_POINTS", "cross_imps": "CROSS_IMP_POINTS", "butler": "BUTLER_POINTS"}
KINDS = {"matchpoints": "MP_PAIRS", "cross_imps": "CROSS_IMP", "butler": "BUTLER_PAIRS"}


def written(found: Results, scored: Scored, kind: Kind, decimals: int) -> str:
    """Return a file of USEBIO in which each table has a pair north-south and one east-west."""
    boards = []
    for board, scores in found.items():
        lines = [
            line(
                NS_PAIR_NUMBER=table + 1, EW_PAIR_NUMBER=table + 11, SCORE="A6040" if score is None else score,
                **{
                    f"{side}_{NAMES[kind]}": printed(Fraction(value).limit_denominator(10_000), decimals)
                    for side, value in zip(("NS", "EW"), scored[board, table], strict=True)
                },
            )
            for table, score in enumerate(scores)
        ]  # fmt: skip
        boards.append(f"<BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>{''.join(lines)}</BOARD>")
    entries = "".join(
        pair(str(number), f"a{number}", f"b{number}") for first in (1, 11) for number in range(first, first + TABLES)
    )
    return usebio(pairs=entries, kind=KINDS[kind], more="".join(boards), board="99")


@pytest.mark.parametrize("case", CASES)
def test_the_convention_of_a_file_is_named_once_and_a_wrong_number_is_found(
    ledger: Ledger, tmp_path: Path, case: str
) -> None:
    kind, score, decimals, words = CASES[case]
    found = results(19, averages=kind == "matchpoints")
    scored = score(found)
    _, told = imported(ledger, tmp_path, written(found, scored, kind, decimals))
    assert "usebio.points" not in told.output, told.output
    said = re.findall("usebio.convention: (.*)", told.output)
    assert [words in one and one.endswith(": they agree") for one in said] == ([True] if words else [])
    ns, ew = scored[4, 2]
    wrong = scored | {(4, 2): (ns + 2, ew)}
    with Ledger(tmp_path / "other.db") as other:
        _, told = imported(other, tmp_path, written(found, wrong, kind, decimals))
    noticed = re.findall("usebio.points: (board .*?):", told.output)
    assert noticed == ["board 4, 3 against 13"], told.output
    if words:
        [one] = re.findall("usebio.convention: (.*)", told.output)
        assert words in one
        assert one.endswith("all but 1 line agree")


@given(st.integers(0, 2**32), st.sampled_from(sorted(CASES)), st.data())
@settings(max_examples=15, deadline=None)
def test_no_convention_hides_a_wrong_line(seed: int, case: str, data: st.DataObject) -> None:
    """Whatever the results are, the line that was changed differs, and hardly another is taken for wrong."""
    kind, score, decimals, _ = CASES[case]
    found = results(seed, averages=kind == "matchpoints")
    scored = score(found)
    at = data.draw(st.sampled_from([place for place in sorted(scored) if found[place[0]][place[1]] is not None]))
    more = data.draw(st.sampled_from([-3, -2, 2, 3]))
    lines = [
        PrintedPoints(
            board, seated(table + 1, table + 11, row_of(found[board][table])),
            tuple(
                Fraction(printed(Fraction(value).limit_denominator(10_000), decimals)) + (more if (board, table) == at and not side else 0)
                for side, value in enumerate(both)
            ),  # type: ignore[arg-type] # two of them
        )
        for (board, table), both in sorted(scored.items())
    ]  # fmt: skip
    told = explained(lines, Scoring(kind=kind), decimals)
    differing = [(line.board, line.line.ns[0] - 1) for line, _ in told.differing]
    assert at in differing
    assert len(differing) <= 2, "where a convention shows in one line alone, that line is told too"


def seated(ns: int, ew: int, row: BoardRow) -> TravellerLine:
    return TravellerLine(1, ns, (ns,), (ew,), row, ())


def row_of(score: int | None) -> BoardRow:
    return BoardRow(Artificial(Fraction(60)), Artificial(Fraction(40))) if score is None else plain(score)


def test_one_line_is_no_convention() -> None:
    """With little to go by, what is usual here is the measure."""
    lines = [
        PrintedPoints(1, seated(1, 2, plain(420)), (Fraction(2), Fraction(0))),
        PrintedPoints(1, seated(3, 4, plain(-50)), (Fraction(0), Fraction(2))),
        PrintedPoints(2, seated(1, 2, plain(420)), (Fraction(0), Fraction(0))),
    ]
    told = explained(lines, Scoring(kind="matchpoints"), 0)
    assert (told.words, [line.board for line, _ in told.differing]) == ("", [2])


def test_points_of_no_known_convention_are_all_told() -> None:
    random = Random(8)
    lines = [
        PrintedPoints(
            board, seated(table, table + 10, plain(random.choice(SCORES))), (Fraction(random.randint(20, 60)), None)
        )
        for board in range(1, 5)
        for table in range(1, 5)
    ]
    told = explained(lines, Scoring(kind="matchpoints"), 0)
    assert told.words == ""
    assert len(told.differing) == len(lines)
