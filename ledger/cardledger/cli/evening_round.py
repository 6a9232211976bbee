"""The commands `cardledger evening new` and `evening round`.

An evening is opened, and so are the tables of its next round.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TextIO

import click

from cardledger.cli.evening_movement import expect_compared
from cardledger.cli.notices import caught_up, evening_meant, known_names, tell_if_similar, tell_unfinished, to_record_in
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json, tell
from cardledger.errors import FormatError
from cardledger.record.matches.matchfile import printable
from cardledger.record.people.pasted_field import LONGEST_FIELD, pasted_field
from cardledger.record.people.recorders import Recorder
from cardledger.record.people.spelling import tidy_name, typed_names
from cardledger.record.recording.known_players import KnownPlayers, guests_among
from cardledger.record.recording.last_field import last_field
from cardledger.record.recording.latecomers import seat_latecomers
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.masterpoints import table_called
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.other_game import MOST_AT_TABLE, WINS
from cardledger.rules.evenings.shape import event_of
from cardledger.rules.games import game, games
from cardledger.rules.games.names import game_called
from cardledger.sentence import Sentence, choosing, in_one

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.matches.describe import TableNames
    from cardledger.record.people.people import People
    from cardledger.record.recording.last_field import LastField
    from cardledger.record.recording.proposed_round import OpenTable, Proposal
    from cardledger.record.store.address import Where

_GAME = click.Choice([*games()])


@click.command()
@click.option("--club", metavar="NAME|ID", help="The club; without this, none.")
@click.option("--name", metavar="NAME", required=True, help="Name of the evening.")
@click.option("--date", "day", metavar="DAY", help="Its day, such as 2026-01-13; today unless given.")
@click.option("--game", "played", metavar="GAME", help="The game; any unless given. Any name, with --wins.")
@click.option(
    "--wins", type=click.Choice(WINS), help="A game without rules here: which points win. Only results are recorded."
)
@click.option("--partners", is_flag=True, help="A game without rules here: partners sit opposite, and score together.")
@click.option(
    "--players", "sizes", metavar="N[-N]", help="A game without rules here: how many sit at a table, such as 4 or 2-6."
)
@click.option("--place", help="Where it is.")
@click.option("--masterpoints", metavar="NAME", help="The table by which the club gives points for places.")
@click.option(
    "--scoring", type=click.Choice(["places", "total", "matchpoints", "cross_imps", "butler", "teams"]), default="places",
    show_default=True, help="Points for places at the tables, the sum of points, or how boards are compared.",
)  # fmt: skip
@click.option(
    "--here", default="", metavar="NAMES", help="The players who are here, separated by commas, in order of arrival."
)
@click.option(
    "--entry", "entries", multiple=True, metavar="NAMES",
    help="A pair or a team: its players, separated by commas. May be repeated; the first has the number 1.",
)  # fmt: skip
@click.option(
    "--movement", type=click.Choice(["mitchell", "howell", "individual", "swiss"]), help="Who plays whom, with boards."
)
@click.option(
    "--field", type=click.File(encoding="utf-8-sig"), metavar="FILE",
    help="A list of names, one line each, partners with a slash between, "
        "with numbers or not; - reads it from the input.",
)  # fmt: skip
@click.option(
    "--as-last-time", is_flag=True,
    help="Who came to the club's last evening, of this game if one is given, in the same pairs or teams.",
)  # fmt: skip
@click.option(
    "--boards", type=click.IntRange(1, 64), metavar="N", default=2, show_default=True, help="Boards of a round."
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 99),
    metavar="N",
    help="Stop after so many rounds; all of the movement unless given.",
)
@click.option(
    "--yes", is_flag=True, help="Cut the movement short although some boards are then played at one table only."
)
@by_option
@json_option("The evening, its name and day, and who is here.")
@db_option
def new(
    club: str | None, name: str, day: str | None, played: str | None, place: str | None, scoring: str, here: str,
    entries: tuple[str, ...], movement: str | None, boards: int, rounds: int | None, field: TextIO | None,
    as_last_time: bool, yes: bool, wins: str | None, partners: bool, sizes: str | None, masterpoints: str | None, by: str,
    as_json: bool, path: Where,
) -> None:  # fmt: skip
    """Open an evening of single players, with those who are here, or of pairs or teams.

    A new name that looks like a known one is reported.

    \b
    Examples:
      cardledger evening new --club "Tuesday Cards" --name Friday --game hearts --here "ana, ben, cem, eva" --db club.db
      cardledger evening new --name Drive --game whist --scoring total --field samples/evenings/whist-drive.txt --db club.db
      cardledger evening new --club "Tuesday Cards" --name Saturday --game hearts --as-last-time --db club.db
      cardledger evening new --name Canasta --game Canasta --wins most --partners --here "ana, ben, cem, eva" --db club.db
      cardledger evening new --name Pairs --game bridge --scoring matchpoints --entry "ana, ben" --entry "cem, eva" --movement swiss --db club.db
    """
    with to_record_in(path) as ledger:
        caught_up(ledger)
        known, players = known_names(ledger), KnownPlayers(ledger)
        day = day or datetime.now().astimezone().date().isoformat()
        club = evening_meant(ledger, club, "club") if club else None
        last = _last_time(ledger, club, played, named=bool(field or entries)) if as_last_time else None
        text = last.lines if last else field.read(LONGEST_FIELD + 1) if field else ""
        pasted = pasted_field(text)
        alone = [name for line in pasted if len(line.names) == 1 for name in line.names]
        if alone and len(alone) < len(pasted):
            raise FormatError("format.value", "some lines have one name and others have more: write all lines alike")
        numbered = sorted(pasted, key=lambda line: line.number or 0)
        teams = [*map(typed_names, entries), *([*line.names] for line in numbered if not alone)]
        unit = "player" if not teams else "pair" if all(len(team) == 2 for team in teams) else "team"
        opening = event_of(
            {"type": "session", "club": club, "name": name, "date": day,
             "unit": unit, **_game_keys(played, scoring, wins, sizes, partners=partners), **({"place": place} if place else {}),
             **({"masterpoints": table_called(ledger, club, masterpoints)} if masterpoints else {})}
        )  # fmt: skip
        assert isinstance(opening, ev.Session)

        came_again = last.here if last and not pasted else []
        alone_here = players.persons([*typed_names(here), *came_again, *alone])
        competing = [(*players.persons(team),) for team in teams]
        came = dict.fromkeys([*alone_here, *(player for team in competing for player in team)])
        guests = guests_among(ledger, opening.club, day, came)
        arrivals = [ev.Arrive(player=player, guest=player in guests) for player in came]
        if movement == "individual" and not teams:
            competing = [(player,) for player in came]
        entered = [ev.Entry(number=number, players=players) for number, players in enumerate(competing, 1)]
        moves = [_movement(movement, len(competing), boards, rounds)] if movement else []
        for move in moves:
            expect_compared(move, range(1, len(competing) + 1), opening.unit == "team", yes=yes)
        session = ledger.evenings.record(None, [opening, *arrivals, *entered, *moves], 0, by, as_written=False).match
        tell_if_similar("cardledger", came, known)
        tell(
            as_json,
            f"{session}: {name}, {day}, {len(came)} are here",
            evening=session,
            name=name,
            date=day,
            players=[*came],
        )


def _last_time(ledger: Ledger, club: str | None, played: str | None, *, named: bool) -> LastField:
    """Return who came last time; raises FormatError `format.value` where that cannot be meant, StoreError."""
    if club is None or named:
        raise FormatError(
            "format.value",
            "--as-last-time takes those of a club's last evening: give --club, and no --field or --entry",
        )
    known = game_called(played) if played else None
    return last_field(ledger, club, known.id if known else tidy_name(played) if played else None)


def _movement(kind: str, entries: int, boards: int, rounds: int | None) -> ev.Movement:
    """Return a movement for a number of entries.

    An odd pair sits out in turn. A Swiss has as many rounds as are opened.
    """
    even = entries + entries % 2
    needed = {"mitchell": {"tables": even // 2}, "howell": {"entries": even}, "individual": {"entries": entries}}
    short = {} if rounds is None or kind == "swiss" else {"rounds": rounds}
    event = event_of({"type": "movement", "kind": kind, "boards": boards, **needed.get(kind, {}), **short})
    assert isinstance(event, ev.Movement)
    return event


@click.command("late")
@click.argument("session", metavar="EVENING")
@click.argument("number", type=click.IntRange(1), metavar="NUMBER")
@click.argument("names", metavar="NAMES")
@click.option(
    "--sits", type=click.Choice(["now", "next"]), required=True,
    help="Now, in the round under way, or with the next one: the boards of this round are not played there then.",
)  # fmt: skip
@by_option
@json_option("The evening, the number, and the round and table at which they begin.")
@db_option
def late_command(
    session: str, number: int, names: str, sits: Literal["now", "next"], by: str, as_json: bool, path: Where
) -> None:
    """Let a pair or a team that comes late take a number that nobody has: NAMES are its players, separated by commas.

    \b
    Examples:
      cardledger evening late Howell 6 "hanna, ivo" --sits now --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id, known = evening_meant(ledger, session, "session"), known_names(ledger)
        came = KnownPlayers(ledger).persons(typed_names(names))
        place = seat_latecomers(ledger, id, number, came, sits, Recorder(by))
        tell_if_similar("cardledger", came, known)
        begins = place.round if sits == "now" else place.round + 1
        table = place.table if sits == "now" else None
        tell(
            as_json,
            f"number {number}: {', '.join(came)}, from round {begins} on",
            evening=id,
            number=number,
            players=came,
            round=begins,
            table=table,
        )


def _game_keys(
    played: str | None, scoring: str, wins: str | None, sizes: str | None, *, partners: bool
) -> dict[str, Any]:
    """Return the keys of the opening that say its game, with rules or without, and its scoring.

    Raises FormatError `format.game`, `format.value`.
    """
    scored = {"kind": scoring, **({"decimals": 0} if scoring == "total" else {})}
    known = game_called(played) if played else None
    if played is None or known is not None:
        if wins or partners or sizes:
            raise FormatError(
                "format.value", "--wins, --partners and --players are for a game without rules: leave them out"
            )
        return {"game": known.id if known else None, "scoring": scored}
    if wins is None:
        raise FormatError(
            "format.game", in_one(
                choosing(Sentence("there is no game {id!r}", id=played), played, games()),
                Sentence("or say with --wins which points win, and only its results are recorded"),
            ),
        )  # fmt: skip
    least, _, most = (sizes or "").partition("-")
    if sizes and not (
        least.isascii() and least.isdecimal() and (most or least).isascii() and (most or least).isdecimal()
    ):
        raise FormatError("format.value", f"--players {sizes}: write 4, or 2-6")
    numbers = [*range(int(least), int(most or least) + 1)][: MOST_AT_TABLE + 1] if sizes else []
    return {
        "game": None, "other_game": tidy_name(played), "scoring": scored | ({"fewest": True} if wins == "least" else {}),
        **({"partners": True} if partners else {}), **({"sizes": numbers} if numbers else {}),
    }  # fmt: skip


@click.command("round")
@click.argument("session", metavar="EVENING")
@click.option(
    "--game", "played", type=_GAME, metavar="GAME", help="The game of this round; that of the evening unless given."
)
@click.option("--smallest", type=click.IntRange(2), metavar="N", help="Fewest players at a table.")
@click.option("--largest", type=click.IntRange(2), metavar="N", help="Most players at a table.")
@click.option("--open", "opens", is_flag=True, help="Open the tables: a match at each, with everything filled in.")
@json_option("The answer of GET /sessions/SESSION/round; with --open also `opened`: each table and its match.")
@by_option
@db_option
def round_command(
    session: str, played: str | None, smallest: int | None, largest: int | None, opens: bool, as_json: bool, by: str,
    path: Where,
) -> None:  # fmt: skip
    """Propose the next round of an evening, with reasons; with --open, open its tables.

    The tables are as the movement has them. Without one, players are seated so that who met whom, seats and who sat out
    are balanced over the season. The hands of an open table are recorded with cardledger evening result.

    \b
    Examples:
      cardledger evening round Friday --db club.db
      cardledger evening round Friday --open --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id, rounds = evening_meant(ledger, session, "session"), ledger.evenings.rounds
        tell_unfinished(ledger, id)
        proposal = rounds.propose(id, played, smallest, largest)
        opened = (
            rounds.open(id, Recorder(by), round=proposal.round, game=played, smallest=smallest, largest=largest)
            if opens
            else []
        )
        if as_json:
            tables = [{"table": each.number, "match": each.match} for each in opened]
            shown = {"evening": id, **proposal.as_json(), **({"opened": tables} if opens else {})}
            print_json(shown)
            return
        for line in _in_words(proposal, opened, ledger.people(), ledger.evenings.table_names(id)):
            click.echo(printable(line))


def _in_words(proposal: Proposal, opened: list[OpenTable], people: People, at: TableNames) -> Iterator[str]:
    """Yield the lines of a round: its tables with their matches, who sits out, and the reasons."""
    title = f": {game(proposal.game).title}" if proposal.game else ""
    yield f"round {proposal.round}{title}"
    matches = {each.number: each.match for each in opened}
    for table in proposal.tables:
        boards = f"  boards {', '.join(map(str, table.boards))}" if table.boards else ""
        match = f"  match {matches[table.number]}" if matches.get(table.number) else ""
        name = at(proposal.round, table.number)
        yield f"table {name}: {', '.join(map(people.name, table.players))}{boards}{match}"
    if proposal.sitting_out:
        yield f"sitting out: {', '.join(map(people.name, proposal.sitting_out))}"
    for reason in proposal.reasons:
        yield f"  {reason}"
