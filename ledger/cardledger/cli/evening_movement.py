"""The command `cardledger evening movement`: the movements that suit an evening, and the choice of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from cardledger.cli.notices import caught_up, evening_meant
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json
from cardledger.count_of import count_of
from cardledger.errors import RuleError
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.movements import chosen, movement_events, proposed_movements
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.suitable import Wish, boards_in, compared, suitable
from cardledger.sentence import advising

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cardledger.record.store.address import Where
    from cardledger.rules.evenings.evening_events import Movement

_WHO = click.Choice(["all", "section"])


@click.command("movement")
@click.argument("session", metavar="EVENING")
@click.option("--boards", type=click.IntRange(1, 64), metavar="N", help="Boards of a round; what fits unless given.")
@click.option("--rounds", type=click.IntRange(1, 99), metavar="N", help="At most so many rounds.")
@click.option("--minutes", type=click.IntRange(10, 1440), metavar="N", help="The time to play, nine boards an hour.")
@click.option(
    "--compare", type=_WHO, default="all", show_default=True, help="With whom the results of sections are compared."
)
@click.option(
    "--rank", type=_WHO, default="all", show_default=True, help="Who ranks together: all sections, or each by itself."
)
@click.option("--choose", "name", metavar="NAME", help="Play this one; without it nothing is recorded.")
@click.option(
    "--yes", is_flag=True, help="With --choose: cut it short although some boards are then played at one table only."
)
@json_option("The answer of GET /sessions/SESSION/movements.")
@by_option
@db_option
def movement_command(
    session: str, boards: int | None, rounds: int | None, minutes: int | None, compare: Literal["all", "section"],
    rank: Literal["all", "section"], name: str | None, yes: bool, as_json: bool, by: str, path: Where,
) -> None:  # fmt: skip
    """Propose who plays whom, in one field or in sections, in the time there is; with --choose, record one.

    Pairs that stay, or asked for a line, get such a number.

    \b
    Examples:
      cardledger evening movement Pairs --minutes 180 --db club.db
      cardledger evening movement Pairs --boards 3 --choose swiss --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        id = evening_meant(ledger, session, "session")
        wish = Wish(boards, rounds, None if minutes is None else boards_in(minutes), compare, rank)
        described = proposed_movements(ledger, id, wish)
        if name is not None:
            stream = ledger.evenings.stream(id)
            state = stream.state
            assert isinstance(state, SessionState)
            suited = chosen(suitable(state, wish), name)
            alone = state.opening.unit == "player"
            entries = None if alone else state.entries
            expect_compared(suited.movement, entries, state.opening.unit == "team", yes=yes)
            events = movement_events(ledger, id, state, suited)
            if events:
                ledger.evenings.record(id, events, stream.seq, Recorder(by), as_written=False)
        if as_json:
            print_json({"session": id, **described, **({"chosen": name} if name else {})})
            return
        for line in [f"chosen: {name}"] if name else _lines(described):
            click.echo(line)


def _lines(described: dict[str, Any]) -> Iterator[str]:
    for one in described["movements"]:
        sections = f", sections of {' and '.join(map(str, one['tables']))} tables" if one["tables"] else ""
        numbers = ", ".join(f"{each['before']} becomes {each['after']}" for each in one["numbers"])
        yield (f"{one['name']}: {_size(one)}{sections}{f'; numbers change: {numbers}' if numbers else ''}")
    for one in described["too_long"]:
        yield f"not {one['name']}: {count_of(one['played'], 'board')} take longer"
    if not described["movements"]:
        yield "no movement suits these numbers and boards"


def _size(one: dict[str, Any]) -> str:
    each = count_of(one["boards_of_round"], "board")
    if one["rounds"] is None:
        return f"as many rounds as you like, of {each}"
    alone = count_of(one["played_once"], "board")
    once = f"; {alone} would be played at one table only: they compare nobody" if one["played_once"] else ""
    return f"{count_of(one['rounds'], 'round')} of {each}, {one['played']} of {one['boards']} boards for each{once}"


def expect_compared(movement: Movement, entries: Collection[int] | None, teams: bool, *, yes: bool) -> None:
    """Say which boards would be played at one table only; refuse a movement cut short so, unless it is wanted.

    Raises RuleError `session.movement`.
    """
    many = compared(movement, entries, teams)
    if not many.once:
        return
    said = f"{many.once} of {count_of(many.boards, 'board')} would be played at one table only: they compare nobody"
    if movement.rounds and not yes:
        raise RuleError("session.movement", advising(f"{said}: let more rounds be played, or say --yes"))
    click.echo(f"note: {said}", err=True)
