"""Checks of a table on paper: every number, sum, seat and place; each problem with its cell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, at, place_in
from cardledger.formats.spreadsheets.pairs import is_of_pairs
from cardledger.formats.spreadsheets.thousands import may_have_thousands
from cardledger.rules.engine.at_any_time import MOST_POINTS
from cardledger.rules.evenings.other_game import fewest_win
from cardledger.rules.evenings.places import places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardledger.formats.spreadsheets.tables_on_paper import HandOnPaper, PlayerOnPaper, TableOnPaper
    from cardledger.rules.evenings.other_game import Played


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
        do = "divide the tables by blank rows, or give them numbers"
        if is_of_pairs(paper, game):
            do = "write the names of both partners, such as Ann Smith & Bob Jones, or a row for each player"
        why = f"{game.title} is for {game.players_text} players, and {paper.label} has {len(players)}: {do}"
        problems.append(at(paper.anchor, "sheet.players", why))
    if len(players) < 2 and not paper.roll:
        problems.append(at(paper.anchor, "sheet.players", f"{paper.label} has one player: write all who played there"))
    hands = [_hand(paper, hand, seats, problems) for hand in _played(paper, problems)]
    whole = [hand for hand in hands if hand is not None]
    totals: tuple[int, ...] | None = None
    if paper.hands:
        _expect_sums(paper, problems)
        if len(whole) == len(hands):
            totals = tuple(sum(hand.points[seat] for hand in whole) for seat in range(len(players)))
    elif any(player.total is not None and not player.total.empty for player in players):
        totals = _column(players, "total", problems)
    if totals is not None and paper.sum is not None:
        _expect_sum(paper.sum, sum(totals), problems)
    ranked = _places(players, problems)
    if not paper.hands and totals is None and ranked is None and len(problems) == before:
        problems.append(at(paper.anchor, "sheet.empty", f"{paper.label} has neither points nor places: write them"))
    if ranked is not None and totals is not None:
        ways = [places(totals, low=low) for low in ((False, True) if game is None else (fewest_win(game),))]
        if ranked not in ways:
            _expect_places(players, ways[0], ranked, problems)
    return CheckedTable(seats, (*whole,), totals, ranked, len(problems) == before)


def whole_number(cell: Cell, what: str, problems: list[SheetProblem]) -> int | None:
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
                f"{what} {'are' if what.endswith('s') else 'is'} missing: write a number, 0 if there were none",
            )
        )
    elif isinstance(value, int | float) and math.isfinite(value) and abs(value) > MOST_POINTS:
        problems.append(
            at(cell, "sheet.number", f"{what}: {value:.3g} is more than {MOST_POINTS:,}: correct the number")
        )
    elif may_have_thousands(cell.text):
        one = cell.text.translate({ord(mark): None for mark in ".,"})
        why = (
            f"{what}: {cell.text[:40]!r} may be {one}, or have digits behind a point: write whole numbers without marks"
        )
        problems.append(at(cell, "sheet.number", why))
    else:
        problems.append(
            at(cell, "sheet.number", f"{what}: {cell.text[:40]!r} is no whole number: write one like 12 or -3")
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
                    f"the seat of {player.name.text} is a number from 1 to {len(cells)}: write it, or no seats at all",
                )
            )
        elif number in numbers:
            other = paper.players[numbers[number]].name
            problems.append(
                at(
                    cell or player.name,
                    "sheet.seat",
                    f"{other.text} sits on seat {number} too: give {player.name.text} another",
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
            problems.append(at(sums, "sheet.sum", "this is the sum of a hand without points: write them, or delete it"))
    if paper.hands and not hands:
        problems.append(
            at(paper.anchor, "sheet.empty", f"{paper.label} has no points: write them, or delete the table")
        )
    for due, hand in enumerate(hands, 1):
        if hand.number != due:
            problems.append(
                at(hand.anchor, "sheet.hand", f"this is hand {hand.number}, and hand "
                    f"{due} is missing at {paper.label}: "
                    "number the hands 1, 2, 3 …")
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
                at(hand.anchor, "sheet.empty", f"hand {hand.number} at {paper.label} has no row for {name}: add it")
            )
            numbers.append(None)
            continue
        numbers.append(whole_number(cell, f"the points of {name} in hand {hand.number}", problems))
    bids, tricks = (
        _others(paper, cells, seats, what, problems) for cells, what in ((hand.bids, "bid"), (hand.tricks, "tricks"))
    )
    points = tuple(number for number in numbers if number is not None)
    if len(points) < len(seats):
        return None
    if hand.sum is not None and (written := whole_number(hand.sum, f"the sum of hand {hand.number}", problems)) is not None and written != sum(points):  # fmt: skip
        problems.append(
            at(hand.sum, "sheet.sum", f"the points of hand {hand.number} make {sum(points)}, "
                f"not {written}: correct the sum or the points")
        )  # fmt: skip
    return CheckedHand(hand.number, hand.anchor, tuple(hand.points[place] for place in seats), points, bids, tricks)


def _others(
    paper: TableOnPaper, cells: Mapping[int, Cell], seats: tuple[int, ...], what: str, problems: list[SheetProblem]
) -> tuple[int | None, ...]:
    """Return bids or tricks by seat, None where there are none."""
    numbers: list[int | None] = []
    for place in seats:
        cell = cells.get(place)
        numbers.append(
            None if cell is None else whole_number(cell, f"the {what} of {paper.players[place].name.text}", problems)
        )
        if numbers[-1] is not None and numbers[-1] < 0 and cell is not None:
            problems.append(at(cell, "sheet.number", f"the {what} cannot be {numbers[-1]}: write 0 or more"))
    return tuple(numbers)


# --- sums and places


def _expect_sums(paper: TableOnPaper, problems: list[SheetProblem]) -> None:
    """Note totals that are not the sums of their hands, also at a table where points of others cannot be read."""
    for place, player in enumerate(paper.players):
        if player.total is None or player.total.empty:
            continue
        written = whole_number(player.total, f"the total of {player.name.text}", problems)
        played = [hand.points for hand in paper.hands.values() if not all(cell.empty for cell in hand.points.values())]
        points = [cells[place].whole() for cells in played if place in cells]
        if written is not None and None not in points and written != (total := sum(each or 0 for each in points)):
            problems.append(
                at(
                    player.total,
                    "sheet.sum",
                    f"the hands of {player.name.text} make {total}, not {written}: correct the total or a hand",
                )
            )


def _expect_sum(cell: Cell, total: int, problems: list[SheetProblem]) -> None:
    """Note a sum of all totals that is another."""
    written = whole_number(cell, "the sum of all totals", problems)
    if written is not None and written != total:
        problems.append(at(cell, "sheet.sum", f"the totals make {total}, not {written}: correct the sum or a total"))


def _column(players: list[PlayerOnPaper], what: str, problems: list[SheetProblem]) -> tuple[int, ...] | None:
    """Return the totals or places of all players at a table, or None after noting what is wrong."""
    numbers = []
    for player in players:
        cell = player.total if what == "total" else player.place
        if cell is None:
            problems.append(at(player.name, "sheet.empty", f"the {what} of {player.name.text} is missing: write it"))
            continue
        if what == "place":
            cell = cell._replace(value=place_in(cell) or cell.text)
        number = whole_number(cell, f"the {what} of {player.name.text}", problems)
        if number is not None:
            numbers.append(number)
    return tuple(numbers) if len(numbers) == len(players) else None


def _places(players: list[PlayerOnPaper], problems: list[SheetProblem]) -> tuple[int, ...] | None:
    """Return the places by seat, None if the sheet has none, or after noting what is wrong."""
    if all(player.place is None or player.place.empty for player in players):
        return None
    ranked = _column(players, "place", problems)
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
                at(player.place, "sheet.place", f"{player.name.text} has place {place}, not {written}: "
                    "places count all before them (1 2 2 4), and follow from the points if there are any")
            )  # fmt: skip
    return due == ranked
