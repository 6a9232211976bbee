"""Checks of a table on paper: every number, sum, seat and place; each problem with its cell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, at, place_in
from cardledger.formats.spreadsheets.pairs import is_of_pairs
from cardledger.formats.spreadsheets.thousands import may_have_thousands
from cardledger.rules.engine.at_any_time import MOST_POINTS
from cardledger.rules.evenings.other_game import fewest_win, title_of
from cardledger.rules.evenings.places import places
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.formats.spreadsheets.tables_on_paper import HandOnPaper, PlayerOnPaper, TableOnPaper
    from cardledger.rules.evenings.other_game import Played

BID, TRICKS = Sentence("the bid of {name}"), Sentence("the tricks of {name}")
TOTAL, PLACE = Sentence("the total of {name}"), Sentence("the place of {name}")
"""What a cell says of a player."""


class CheckedHand(NamedTuple):
    """A hand.

    Its number, where it begins, the cells of its points, points by seat, and bids and tricks by seat (None: not on the
    sheet).
    """

    number: int
    anchor: Cell
    cells: tuple[Cell, ...]
    points: tuple[int, ...]
    bids: tuple[int | None, ...]
    tricks: tuple[int | None, ...]


class CheckedTable(NamedTuple):
    """A table: the order of seats, as places in the list of players, the hands that can be read, totals and places.

    Without hands the totals are those of the sheet; `totals` or `places` is None if the sheet has none. `sound` tells
    whether no problem was found.
    """

    seats: tuple[int, ...]
    hands: tuple[CheckedHand, ...]
    totals: tuple[int, ...] | None
    places: tuple[int, ...] | None
    sound: bool


def check(paper: TableOnPaper, game: Played, problems: list[SheetProblem]) -> CheckedTable:
    """Return the numbers of a table by seat, and add its problems to the list."""
    before = len(problems)
    seats = _seats(paper, problems)
    players = [paper.players[place] for place in seats]
    if game is not None and not paper.roll and len(players) not in game.sizes:
        if is_of_pairs(paper, game):
            do = Sentence("write the names of both partners, such as Ann Smith & Bob Jones, or a row for each player")
        else:
            do = Sentence("divide the tables by blank rows, or give them numbers")
        why = Sentence(
            "{game} is for {may} players, and {label} has {number}: {do}",
            game=title_of(game),
            may=game.players_text,
            label=paper.label,
            number=len(players),
            do=do,
        )
        problems.append(at(paper.anchor, "sheet.players", why))
    if len(players) < 2:
        problems.append(
            at(
                paper.anchor,
                "sheet.players",
                Sentence("{label} has one player: write all who played there", label=paper.label),
            )
        )
    hands = [_hand(paper, hand, seats, problems) for hand in _played(paper, problems)]
    whole = [hand for hand in hands if hand is not None]
    totals: tuple[int, ...] | None = None
    if paper.hands:
        _expect_sums(paper, problems)
        if len(whole) == len(hands):
            totals = tuple(sum(hand.points[seat] for hand in whole) for seat in range(len(players)))
    elif any(player.total is not None and not player.total.empty for player in players):
        totals = _column(players, TOTAL, problems)
    if totals is not None and paper.sum is not None:
        _expect_sum(paper.sum, sum(totals), problems)
    ranked = _places(players, problems)
    if not paper.hands and totals is None and ranked is None and len(problems) == before:
        problems.append(
            at(
                paper.anchor,
                "sheet.empty",
                Sentence("{label} has neither points nor places: write them", label=paper.label),
            )
        )
    if ranked is not None and totals is not None:
        ways = [places(totals, low=low) for low in ((False, True) if game is None else (fewest_win(game),))]
        if ranked not in ways:
            _expect_places(players, ways[0], ranked, problems)
    return CheckedTable(seats, (*whole,), totals, ranked, len(problems) == before)


def whole_number(cell: Cell, what: Sentence, problems: list[SheetProblem]) -> int | None:
    """Return a cell's whole number, or None after adding the problem to the list."""
    number = cell.whole()
    if number is not None:
        return number
    value = cell.value
    if cell.empty:
        problems.append(
            at(
                cell,
                "sheet.empty",
                Sentence("{what}: nothing is written here; write a number, 0 if there were none", what=what),
            )
        )
    elif isinstance(value, int | float) and math.isfinite(value) and abs(value) > MOST_POINTS:
        problems.append(
            at(
                cell,
                "sheet.number",
                Sentence(
                    "{what}: {value} is more than {most_points}: correct the number",
                    what=what,
                    value=f"{value:.3g}",
                    most_points=f"{MOST_POINTS:,}",
                ),
            )
        )
    elif may_have_thousands(cell.text):
        one = cell.text.translate({ord(mark): None for mark in ".,"})
        why = Sentence(
            "{what}: {cell!r} may be {one}, or have digits behind a point: write whole numbers without marks",
            what=what,
            cell=cell.text[:40],
            one=one,
        )
        problems.append(at(cell, "sheet.number", why))
    else:
        problems.append(
            at(
                cell,
                "sheet.number",
                Sentence(
                    "{what}: {cell!r} is no whole number: write one like 12 or -3", what=what, cell=cell.text[:40]
                ),
            )
        )
    return None


# --- seats


def _seats(paper: TableOnPaper, problems: list[SheetProblem]) -> tuple[int, ...]:
    """Return the players by seat: as numbered, or in the order of the sheet."""
    cells = [player.seat for player in paper.players]
    given = [cell for cell in cells if cell is not None and not cell.empty]
    order = range(len(cells))
    if not given:
        return (*order,)
    numbers: dict[int, int] = {}
    before = len(problems)
    for place, (player, cell) in enumerate(zip(paper.players, cells, strict=True)):
        number = None if cell is None else cell.whole()
        if number is None or not 1 <= number <= len(cells):
            problems.append(
                at(
                    cell or player.name,
                    "sheet.seat",
                    Sentence(
                        "the seat of {name} is a number from 1 to {last}: write it, or no seats at all",
                        name=player.name.text,
                        last=len(cells),
                    ),
                )
            )
        elif number in numbers:
            other = paper.players[numbers[number]].name
            problems.append(
                at(
                    cell or player.name,
                    "sheet.seat",
                    Sentence(
                        "{other} sits on seat {number} too: give {name} another",
                        other=other.text,
                        number=number,
                        name=player.name.text,
                    ),
                )
            )
        else:
            numbers[number] = place
    return (*order,) if len(problems) > before else tuple(numbers[number] for number in sorted(numbers))


# --- hands


def _played(paper: TableOnPaper, problems: list[SheetProblem]) -> list[HandOnPaper]:
    """Return the hands in order, without empty columns at the end, and note missing numbers."""
    hands = [paper.hands[number] for number in sorted(paper.hands)]
    while hands and all(cell.empty for cell in hands[-1].points.values()):
        sums = hands.pop().sum
        if sums is not None and not sums.empty and sums.whole() != 0:
            problems.append(
                at(sums, "sheet.sum", Sentence("this is the sum of a hand without points: write them, or delete it"))
            )
    if paper.hands and not hands:
        problems.append(
            at(
                paper.anchor,
                "sheet.empty",
                Sentence("{label} has no points: write them, or delete the table", label=paper.label),
            )
        )
    for due, hand in enumerate(hands, 1):
        if hand.number != due:
            problems.append(
                at(hand.anchor, "sheet.hand", Sentence("this is hand {number}, and hand {due} is missing at {label}: number the hands 1, 2, 3 …", number=hand.number, due=due, label=paper.label))
            )  # fmt: skip
            break
    return hands


def _hand(
    paper: TableOnPaper, hand: HandOnPaper, seats: tuple[int, ...], problems: list[SheetProblem]
) -> CheckedHand | None:
    """Return a hand by seat, or None after noting what is wrong."""
    numbers: list[int | None] = []
    for place in seats:
        name = paper.players[place].name.text
        cell = hand.points.get(place)
        if cell is None:
            problems.append(
                at(
                    hand.anchor,
                    "sheet.empty",
                    Sentence(
                        "hand {number} at {label} has no row for {name}: add it",
                        number=hand.number,
                        label=paper.label,
                        name=name,
                    ),
                )
            )
            numbers.append(None)
            continue
        numbers.append(
            whole_number(
                cell, Sentence("the points of {name} in hand {number}", name=name, number=hand.number), problems
            )
        )
    bids, tricks = (
        _others(paper, cells, seats, what, problems) for cells, what in ((hand.bids, BID), (hand.tricks, TRICKS))
    )
    points = tuple(number for number in numbers if number is not None)
    if len(points) < len(seats):
        return None
    if hand.sum is not None and (written := whole_number(hand.sum, Sentence("the sum of hand {number}", number=hand.number), problems)) is not None and written != sum(points):  # fmt: skip
        problems.append(
            at(hand.sum, "sheet.sum", Sentence(
                "the points of hand {number} make {made}, not {written}: correct the sum or the points",
                number=hand.number, made=sum(points), written=written))
        )  # fmt: skip
    return CheckedHand(hand.number, hand.anchor, tuple(hand.points[place] for place in seats), points, bids, tricks)


def _others(
    paper: TableOnPaper, cells: Mapping[int, Cell], seats: tuple[int, ...], what: Sentence, problems: list[SheetProblem]
) -> tuple[int | None, ...]:
    """Return bids or tricks by seat, None where there are none."""
    numbers: list[int | None] = []
    for place in seats:
        cell = cells.get(place)
        numbers.append(
            None if cell is None else whole_number(cell, Sentence(what, name=paper.players[place].name.text), problems)
        )
        if numbers[-1] is not None and numbers[-1] < 0 and cell is not None:
            problems.append(
                at(
                    cell,
                    "sheet.number",
                    Sentence("{number} is below 0: write 0 or more", number=numbers[-1]),
                )
            )
    return tuple(numbers)


# --- sums and places


def _expect_sums(paper: TableOnPaper, problems: list[SheetProblem]) -> None:
    """Note totals that are not the sums of their hands, also at a table where points of others cannot be read."""
    for place, player in enumerate(paper.players):
        if player.total is None or player.total.empty:
            continue
        written = whole_number(player.total, Sentence(TOTAL, name=player.name.text), problems)
        played = [hand.points for hand in paper.hands.values() if not all(cell.empty for cell in hand.points.values())]
        points = [cells[place].whole() for cells in played if place in cells]
        if written is not None and None not in points and written != (total := sum(each or 0 for each in points)):
            problems.append(
                at(
                    player.total,
                    "sheet.sum",
                    Sentence(
                        "the hands of {name} make {total}, not {written}: correct the total or a hand",
                        name=player.name.text,
                        total=total,
                        written=written,
                    ),
                )
            )


def _expect_sum(cell: Cell, total: int, problems: list[SheetProblem]) -> None:
    """Note a sum of all totals that is another."""
    written = whole_number(cell, Sentence("the sum of all totals"), problems)
    if written is not None and written != total:
        problems.append(
            at(
                cell,
                "sheet.sum",
                Sentence(
                    "the totals make {total}, not {written}: correct the sum or a total", total=total, written=written
                ),
            )
        )


def _column(players: list[PlayerOnPaper], what: Sentence, problems: list[SheetProblem]) -> tuple[int, ...] | None:
    """Return the totals or places of all players at a table, or None after noting what is wrong."""
    numbers = []
    for player in players:
        cell = player.total if what is TOTAL else player.place
        if cell is None:
            problems.append(
                at(
                    player.name,
                    "sheet.empty",
                    Sentence("{what} is missing: write it", what=Sentence(what, name=player.name.text)),
                )
            )
            continue
        if what is PLACE:
            cell = cell._replace(value=place_in(cell) or cell.text)
        number = whole_number(cell, Sentence(what, name=player.name.text), problems)
        if number is not None:
            numbers.append(number)
    return tuple(numbers) if len(numbers) == len(players) else None


def _places(players: list[PlayerOnPaper], problems: list[SheetProblem]) -> tuple[int, ...] | None:
    """Return the places by seat, None if the sheet has none, or after noting what is wrong."""
    if all(player.place is None or player.place.empty for player in players):
        return None
    ranked = _column(players, PLACE, problems)
    if ranked is None:
        return None
    due = places(ranked, low=True)
    return ranked if _expect_places(players, due, ranked, problems) else None


def _expect_places(
    players: list[PlayerOnPaper], due: tuple[int, ...], ranked: tuple[int, ...], problems: list[SheetProblem]
) -> bool:
    """Note every place that is not the one due; places count all before them, such as 1 2 2 4."""
    for player, place, written in zip(players, due, ranked, strict=True):
        if place != written:
            assert player.place is not None
            problems.append(
                at(player.place, "sheet.place", Sentence("{name} has place {place}, not {written}: places count all before them (1 2 2 4), and follow from the points if there are any", name=player.name.text, place=place, written=written))
            )  # fmt: skip
    return due == ranked
