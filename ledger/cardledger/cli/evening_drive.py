"""The commands of a progressive drive: `cardledger evening drive`, `evening tricks` and `evening prizes`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardledger.cli.notices import caught_up, evening_meant
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json
from cardledger.count_of import count_of
from cardledger.errors import FormatError
from cardledger.listed import listed
from cardledger.record.matches.matchfile import printable
from cardledger.record.people.recorders import Recorder
from cardledger.record.people.spelling import typed_names
from cardledger.record.recording.drives import MOST_HANDS, each_once
from cardledger.record.recording.known_players import KnownPlayers
from cardledger.record.recording.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.people.people import People
    from cardledger.record.store.address import Where

TRUMPS: dict[str, tuple[str, ...]] = {"game": (), "cycle": ("H", "C", "D", "S"), "cycle-nt": ("H", "C", "D", "S", "NT")}
"""The words for a cycle of trumps."""
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "NT": "no trump"}
_PRIZES = {
    "best": "best of all", "best_lady": "best lady", "best_gentleman": "best gentleman", "first_half": "best first half",
    "second_half": "best second half", "hidden_table": "hidden table", "lowest": "booby prize",
}  # fmt: skip


@click.command("drive")
@click.argument("session", metavar="EVENING")
@click.option("--hands", type=click.IntRange(1, MOST_HANDS), metavar="N", help="Begin a drive of so many hands.")
@click.option(
    "--moves", type=click.Choice(["winners", "ladies"]), default="winners", show_default=True,
    help="Winners go up a table, or of the winners the lady up and the gentleman down.",
)  # fmt: skip
@click.option(
    "--trumps", type=click.Choice([*TRUMPS]), default="cycle", show_default=True,
    help="Hearts, clubs, diamonds, spades in turn, with no trump after them, "
        "or as the game has it; where players decide trump, always so.",
)  # fmt: skip
@click.option(
    "--ladies",
    default="",
    metavar="NAMES",
    help="Who plays as a lady, separated by commas; all others play as gentlemen.",
)
@click.option("--next", "seats", is_flag=True, help="Seat everybody for the next hand.")
@click.option(
    "--hand", "number", type=click.IntRange(1), metavar="ROUND", help="Show this round; the last one unless given."
)
@json_option("The answer of GET /sessions/SESSION/drive.")
@by_option
@db_option
def drive_command(
    session: str, hands: int | None, moves: str, trumps: str, ladies: str, seats: bool, number: int | None, as_json: bool,
    by: str, path: Where,
) -> None:  # fmt: skip
    """Show the hand of a progressive drive: who sits where, and the tricks; with --hands, begin one; with --next, seat the next hand.

    --ladies later says it again for those who are here then. After each hand losers stay, winners move, and everybody gets another partner. A player who sits out gets half of the tricks,
    rounded up.

    \b
    Examples:
      cardledger evening drive Drive --hands 24 --next --db club.db
      cardledger evening drive Drive --hand 1 --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id, drives, who = evening_meant(ledger, session, "session"), ledger.evenings.drives, Recorder(by)
        if hands is not None or ladies:
            as_lady = {*KnownPlayers(ledger).persons(typed_names(ladies))}
            here = drives.here(id)
            if unknown := sorted(as_lady - {*here}):
                raise FormatError(
                    "format.value", f"{unknown[0]} is not here: check the name, or record the arrival first"
                )
            kinds = {player: "lady" if player in as_lady else "gentleman" for player in here} if as_lady else {}
        if hands is None and ladies:
            drives.say_kinds(id, who, kinds)  # type: ignore[arg-type]  # lady or gentleman
        if hands is not None:
            drives.begin(
                id, who, hands=hands, moves="ladies_up" if moves == "ladies" else "winners_up",
                trumps=TRUMPS[trumps] if drives.has_cycle(id) else (), plays_as=kinds,  # type: ignore[arg-type]  # words of these
            )  # fmt: skip
        if seats:
            ledger.evenings.rounds.set(id, who)
        hand = drives.hand(id, number)
        if as_json:
            print_json({"session": id, **hand})
            return
        for line in _hand(hand, ledger.people()):
            click.echo(printable(line))


@click.command("tricks")
@click.argument("session", metavar="EVENING")
@click.argument("tricks", nargs=-1, required=True)
@click.option("--hand", "number", type=click.IntRange(1), metavar="ROUND", help="The round; the last one unless given.")
@json_option("The answer of GET /sessions/SESSION/drive.")
@by_option
@db_option
def tricks_command(
    session: str, tricks: tuple[str, ...], number: int | None, as_json: bool, by: str, path: Where
) -> None:
    """Enter the tricks of a hand: one number for each table, those of north and south; the other pair has the rest.

    `3:8` is for table 3 alone. A table that has tricks is corrected; the hands after it stay seated as they were played.
    Where everybody plays alone, a table has four numbers: `3:0,20,5,1`.

    \b
    Examples:
      cardledger evening tricks Drive 8 7 10 --db club.db
      cardledger evening tricks Drive 3:9 --hand 1 --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id, drives = evening_meant(ledger, session, "session"), ledger.evenings.drives
        hand = drives.hand(id, number)
        tables = [table["table"] for table in hand["tables"]]
        drives.enter(id, Recorder(by), hand["round"], each_once(_given(tricks, tables)))
        hand = drives.hand(id, hand["round"])
        if as_json:
            print_json({"session": id, **hand})
            return
        for line in _hand(hand, ledger.people()):
            click.echo(printable(line))


@click.command("prizes")
@click.argument("session", metavar="EVENING")
@click.option("--hidden-table", type=click.IntRange(1), metavar="N", help="Say first which table is the hidden one.")
@json_option("The answer of GET /sessions/SESSION/prizes.")
@by_option
@db_option
def prizes_command(session: str, hidden_table: int | None, as_json: bool, by: str, path: Where) -> None:
    """Show the prizes of a progressive drive as it stands; ties are named as ties.

    \b
    Examples:
      cardledger evening prizes Drive --hidden-table 2 --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id, drives = evening_meant(ledger, session, "session"), ledger.evenings.drives
        if hidden_table is not None:
            drives.draw(id, Recorder(by), hidden_table)
        found = drives.prizes(id)
        if as_json:
            print_json({"session": id, "prizes": found})
            return
        for prize in found:
            names = listed([*map(ledger.people().name, prize["players"])])
            why = f"table {prize['table']}" if prize["points"] is None else prize["points"]
            tied = ", tied" if prize["points"] is not None and len(prize["entries"]) > 1 else ""
            click.echo(printable(f"{_PRIZES[prize['prize']]}: {names} ({why}{tied})"))


def _given(words: tuple[str, ...], tables: list[int]) -> Iterator[tuple[int, list[int]]]:
    """Yield the tables with the tricks that words give them; raises FormatError."""
    plain = [word for word in words if ":" not in word]
    if plain and len(plain) != len(tables):
        raise FormatError(
            "format.value",
            f"there are {count_of(len(tables), 'table')}, and {count_of(len(plain), 'number')}: "
            "give one for each, or name the table, such as 3:8",
        )
    for place, word in enumerate(words):
        table, _, numbers = word.rpartition(":")
        try:
            yield int(table) if table else tables[place], [*map(int, numbers.split(","))]
        except (ValueError, IndexError):
            raise FormatError("format.value", f"{word!r} gives no tricks: write a number such as 8, or 3:8") from None


def _hand(hand: dict[str, Any], people: People) -> Iterator[str]:
    """Yield the lines of a hand: its tables, who sits out, what is missing."""
    trump = f", {_SUITS[hand['trump']]}" if hand["trump"] else ""
    yield f"hand {hand['hand']} of {hand['hands']}{trump}"
    for table in hand["tables"]:
        names, points = [*map(people.name, table["players"])], table["points"]
        pairs = ((0, 2), (1, 3)) if hand["tricks"] is not None else tuple((seat,) for seat in range(len(names)))
        sides = (
            f"{listed([names[seat] for seat in pair])}{'' if points is None else f' {points[pair[0]]}'}"
            for pair in pairs
        )
        yield f"table {table['table']}: {', '.join(sides)}"
    if hand["sitting_out"]:
        yield f"sitting out: {listed([*map(people.name, hand['sitting_out'])])}"
    if hand["missing"]:
        yield f"no tricks yet: table {', '.join(map(str, hand['missing']))}"
