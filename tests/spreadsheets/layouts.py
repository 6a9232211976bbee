"""Ways in which clubs write evenings: each gives the rows of a sheet for a made evening."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, chain, zip_longest

from tests.spreadsheets.paper import DAY, Played, Rows, by_column, by_hand, totals

Layout = Callable[[str, Sequence[Played]], Rows]
_TOP = 2


def head(game: str) -> Rows:
    return [["Date", DAY], ["Game", game]]


def down(table: Played, *, running: bool = False, total: bool = True, sums: bool = False, name: str = "Player") -> Rows:
    """Players down, a column for each hand."""
    hands = [*accumulate(table.hands, lambda a, b: tuple(map(sum, zip(a, b, strict=True))))] if running else table.hands
    all_of = [sum(hand[seat] for hand in table.hands) for seat in range(len(table.players))]
    rows: Rows = [[name, *range(1, len(hands) + 1), *(["Total"] if total else [])]]
    rows += [
        [player, *(hand[seat] for hand in hands), *([all_of[seat]] if total else [])]
        for seat, player in enumerate(table.players)
    ]
    if sums:
        rows.append(["Total", *map(sum, hands), *([sum(all_of)] if total else [])])
    return rows


def across(table: Played, **how: bool) -> Rows:
    """Players across, hands down."""
    return [[*row] for row in zip(*down(table, name="Hand", **how), strict=True)]


def below(rows: Callable[[Played], Rows], numbers: bool = False) -> Layout:
    def made(game: str, tables: Sequence[Played]) -> Rows:
        blocks = ([[], *([["Table", table.number]] if numbers else []), *rows(table)] for table in tables)
        return [*head(game), *chain.from_iterable(blocks)]

    return made


def beside(rows: Callable[[Played], Rows], gap: int = 1, numbers: bool = False) -> Layout:
    def made(game: str, tables: Sequence[Played]) -> Rows:
        blocks = [[*([["Table", table.number]] if numbers else []), *rows(table)] for table in tables]
        wide = [max(map(len, block)) + gap for block in blocks]
        lines = zip_longest(*blocks, fillvalue=[])
        return [
            *head(game),
            [],
            *([*chain.from_iterable([*part, *[""] * (size - len(part))] for part, size in zip(line, wide, strict=True))] for line in lines),
        ]  # fmt: skip

    return made


def blank(rows: Rows) -> Rows:
    """Nothing for 0."""
    return [[*row[:1], *("" if value == 0 else value for value in row[1:])] for row in rows]


def starred(rows: Rows) -> Rows:
    """The highest number of a column has a mark, as winners of hands have."""
    most = max((value for row in rows[1:] for value in row[1:-1] if isinstance(value, int)), default=None)
    return [rows[0], *([*row[:1], *(f"{value}*" if value == most else value for value in row[1:-1]), row[-1]] for row in rows[1:])]  # fmt: skip


def matches(game: str, tables: Sequence[Played]) -> Rows:
    """One match a row, as forms export them."""
    most = max(len(table.players) for table in tables)
    rows: Rows = [
        ["Date", "Game", "Table", *(f"{what} {n}" for n in range(1, most + 1) for what in ("Player", "Score"))]
    ]
    for table in tables:
        all_of = [sum(hand[seat] for hand in table.hands) for seat in range(len(table.players))]
        rows.append([DAY, game, table.number, *chain.from_iterable(zip(table.players, all_of, strict=True))])
    return rows


PLAIN = {
    "down": down,
    "down without totals": lambda table: down(table, total=False),
    "down with sums": lambda table: down(table, sums=True),
    "running": lambda table: down(table, running=True),
    "running without totals": lambda table: down(table, running=True, total=False),
    "blank for 0": lambda table: blank(down(table)),
    "blank for 0 without totals": lambda table: blank(down(table, total=False)),
    "marks": lambda table: starred(down(table)),
    "dashes": lambda table: [["-" if value == "" else value for value in row] for row in blank(down(table))],
    "across": across,
    "across without totals": lambda table: across(table, total=False),
    "across with sums": lambda table: across(table, sums=True),
    "across running": lambda table: across(table, running=True),
    "across blank": lambda table: blank(across(table)),
}
WITHOUT_HEADINGS = {
    "headings of other words": lambda table: [
        ["Teilnehmer", *(f"R{n}" for n in range(1, len(table.hands) + 1)), "Ergebnis"],
        *down(table)[1:],
    ],
    "no headings": lambda table: down(table)[1:],
    "a pad without numbers": lambda table: [row[1:] for row in across(table, total=False)],
    "a pad of running totals": lambda table: [row[1:] for row in across(table, running=True, total=False)],
    "a check row": lambda table: [*down(table, sums=True)[:-1], ["Check", *down(table, sums=True)[-1][1:]]],
}
"""Ways without headings that are known."""
"""The ways to write a table."""
LAYOUTS: dict[str, Layout] = {
    "rows": by_hand,
    "columns": by_column,
    "totals": totals,
    "matches": matches,
    **{
        f"{name}, {where}{', numbered' * numbers}": laid(rows, numbers=numbers)  # type: ignore[call-arg]
        for name, rows in PLAIN.items()
        for where, laid in (("below", below), ("beside", beside))
        for numbers in (False, True)
    },
    **{name: below(rows) for name, rows in WITHOUT_HEADINGS.items()},
    **{f"{name}, close": beside(rows, gap=0) for name, rows in PLAIN.items()},
}
"""Evenings of several tables; of the totals and the matches only sums are known."""
