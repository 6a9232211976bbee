"""The judge of readings: the sums of the game and of the sheet tell what the numbers mean, or that it must be asked."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, at
from cardledger.formats.spreadsheets.checks import CheckedHand, CheckedTable, check
from cardledger.formats.spreadsheets.hands import expect_partners, expect_possible, only_these
from cardledger.formats.spreadsheets.matrices import is_nothing
from cardledger.formats.spreadsheets.readings import PLAIN, Reading, read, readings
from cardledger.formats.spreadsheets.tables_on_paper import all_with_sums
from cardledger.rules.evenings.other_game import OtherGame, has_rules
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.tables_on_paper import TableOnPaper
    from cardledger.rules.engine.game import Game
    from cardledger.rules.evenings.other_game import Played


_DOUBTED: Final = 1_000_000
"""More problems than there can be: a reading without any that is not certain comes last."""
_PROOF: Final = 4
"""So many totals of several numbers are right by chance hardly ever."""
_OTHERS: Final = (*range(-5, 31), 40, 50, 60, 100, -10, -13, -26, -50, -100)
"""Points that an empty cell might have had: if the game allows one of them, the cell is no certain 0."""


_DASHES: Final = frozenset("-–—")


class Judged(NamedTuple):
    """The tables under one reading, what was checked of each, and what is wrong."""

    reading: Reading
    papers: tuple[TableOnPaper, ...]
    checked: tuple[CheckedTable, ...]
    problems: tuple[SheetProblem, ...]


def judge(
    papers: Sequence[TableOnPaper], played: Sequence[Played],
    options: Callable[[Game[Any]], Mapping[str, Any]], as_written: bool, columns: str | None,
) -> Judged:  # fmt: skip
    """Return the one reading that fits, or numbers as they stand with what is wrong, or the nearest with its problems.

    A reading other than that counts only if a sum confirms it at every table: the game's, or the sheet's totals. Two
    that fit with different points are a problem with the first cell in which they differ. `columns` is what the user
    says of the columns: `hands` or `running`.
    """
    running = None if columns is None else columns == "running"
    tried = [_judged(each, papers, played, options, as_written) for each in readings(papers, running)]
    plain = tried[0]
    confirmed = not as_written and all(map(_has_sums, papers, played))
    fits = [
        each
        for each in tried
        if not each.problems and (each is plain or (confirmed and _certain(each, papers, played, options)))
    ]
    summed = all_with_sums(papers, [game.sizes if has_rules(game) else () for game in played])
    if not fits and any(map(operator.is_not, summed, papers)):
        judged = judge(summed, played, options, as_written, columns)
        if not judged.problems:
            return judged
    if not fits:
        return min(tried, key=lambda each: len(each.problems) or _DOUBTED) if confirmed else plain
    first = fits[0]
    if (unsure := _unconfirmed(first, played, options)) is not None:
        why = Sentence(
            "nothing tells that these numbers are the points of {label}: show a name and a score, write headings, or add totals",
            label=unsure.label,
        )
        return first._replace(problems=(at(unsure.anchor, "sheet.layout", why),))
    if all(paper.places for paper in papers):
        return first  # in a row for each player and hand the headings say whose points of which hand they are
    for other in fits[1:]:
        if (cells := _difference(first, other)) is not None:
            one, another = cells
            way, other_way = (each.reading.how or Sentence("each column is a hand") for each in (first, other))
            why = Sentence(
                "this may be {first} or {other}, as all sums hold both ways: say whether {way} or {other_way}",
                first=one.text or "–",
                other=another.text or "–",
                way=way,
                other_way=other_way,
            )
            return first._replace(problems=(at(one, "sheet.ambiguous", why),))
    return first


def _judged(
    reading: Reading, papers: Sequence[TableOnPaper], played: Sequence[Played],
    options: Callable[[Game[Any]], Mapping[str, Any]], as_written: bool,
) -> Judged:  # fmt: skip
    made = [paper if reading == PLAIN else read(reading, paper) for paper in papers]
    problems: list[SheetProblem] = []
    checked_tables = []
    for paper, game in zip(made, played, strict=True):
        checked = check(paper, game, problems)
        if paper.roll:
            pass  # who sat with whom is not known
        elif isinstance(game, OtherGame):
            before = len(problems)
            expect_partners(paper, checked, game, problems)
            checked = checked._replace(sound=checked.sound and len(problems) == before)
        elif game is not None:
            possible = expect_possible(paper, checked, game, options(game), as_written, problems)
            checked = checked._replace(sound=checked.sound and possible)
        checked_tables.append(checked)
    return Judged(reading, (*made,), (*checked_tables,), (*problems,))


def _has_sums(paper: TableOnPaper, game: Played) -> bool:
    """Tell whether a sum says what is right at a table: that of the game, or a total of every player beside hands."""
    totals = all(player.total is not None and not player.total.empty for player in paper.players)
    return bool(paper.hands) and (totals or (has_rules(game) and game.sheet.check is not None))


def _certain(
    judged: Judged, papers: Sequence[TableOnPaper], played: Sequence[Played],
    options: Callable[[Game[Any]], Mapping[str, Any]],
) -> bool:  # fmt: skip
    """Tell whether the game allows no other number where a reading fills a cell in, or takes brackets off a number."""
    if judged.reading.running or not (judged.reading.blanks or judged.reading.marks):
        return True
    for paper, checked, one in zip(papers, judged.checked, played, strict=True):
        game = one if has_rules(one) else None
        fewer = game is None or len(checked.seats) - 1 in game.sizes
        if fewer and any(_may_be_absent(paper, place) for place in checked.seats):
            return False
        for hand in checked.hands:
            written = [paper.hands[hand.number].points[place] for place in checked.seats]
            totals = [paper.players[place].total for place in checked.seats]
            unsure = {
                seat: cell.text
                for seat, (cell, total) in enumerate(zip(written, totals, strict=True))
                # Who plays in every hand and has a dash, which somebody wrote, has nothing.
                if (total is None or total.empty)
                and cell.whole() is None
                and not cell.text[:1].isdecimal()
                and cell.text not in _DASHES
            }
            if unsure and (game is None or not only_these(game, options(game), hand, _changes(unsure, hand, game))):
                return False
    return True


def _unconfirmed(
    judged: Judged, played: Sequence[Played], options: Callable[[Game[Any]], Mapping[str, Any]]
) -> TableOnPaper | None:
    """Return a guessed table that no sum confirms: no totals that can hardly be so by chance, and a game without sums."""
    guessed = [each for each in zip(judged.papers, judged.checked, played, strict=True) if each[0].guessed]
    summed = sum(_summed(paper, checked) for paper, checked, _ in guessed)
    for paper, checked, game in guessed:
        totals = all(player.total is not None and not player.total.empty for player in paper.players)
        if not (totals and summed >= _PROOF) and not _exact(checked, game, options):
            return paper
    return None


def _summed(paper: TableOnPaper, checked: CheckedTable) -> int:
    """Return how many players have a total of at least two numbers other than 0."""
    if any(player.total is None or player.total.empty for player in paper.players):
        return 0
    return sum(sum(hand.points[seat] != 0 for hand in checked.hands) > 1 for seat in range(len(checked.seats)))


def _exact(checked: CheckedTable, game: Played, options: Callable[[Game[Any]], Mapping[str, Any]]) -> bool:
    """Tell whether the game allows no hand to have one point more for a side."""
    if not has_rules(game) or not checked.hands:
        return False
    for hand in checked.hands:
        sides = game.sides(len(hand.points))
        more = [
            {seat: own + 1 for seat, own in enumerate(hand.points) if sides[seat] == side} for side in {*sides}
        ]  # fmt: skip
        if not only_these(game, options(game), hand, more):
            return False
    return True


def _may_be_absent(paper: TableOnPaper, place: int) -> bool:
    """Tell whether a player has a number in no hand: perhaps the name was prepared, and nobody came."""
    return all(is_nothing(hand.points[place]) for hand in paper.hands.values() if place in hand.points)


def _changes(unsure: Mapping[int, str], hand: CheckedHand, game: Game[Any]) -> Iterator[dict[int, int]]:
    """Yield what else unsure cells of a hand may mean, partners' together."""
    sides = game.sides(len(hand.points))
    for side in {sides[seat] for seat in unsure}:
        seats = [seat for seat in unsure if sides[seat] == side]
        own = hand.points[seats[0]]
        others = _OTHERS if own == 0 else (-own,)
        yield from (dict.fromkeys(seats, other) for other in others if other != own)


def _difference(one: Judged, other: Judged) -> tuple[Cell, Cell] | None:
    """Return the first cell that two readings take for different numbers."""
    for mine, theirs in zip(one.checked, other.checked, strict=True):
        for hand, same in zip(mine.hands, theirs.hands, strict=False):
            for cell, another in zip(hand.cells, same.cells, strict=True):
                if cell.whole() != another.whole():
                    return cell, another
    return None
