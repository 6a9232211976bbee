"""The commands `cardledger lesson …`: a class, or friends, look at recorded hands with somebody who leads."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_match, print_table
from cardledger.cli.puzzles import puzzles_of
from cardledger.count_of import count_of
from cardledger.record.matches.describe import position
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.games import game
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review import lessons

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.rules.lessons.lesson_events import LessonMoment
    from cardledger.rules.questions import ChoiceCost
    from cardledger.study.stats.review.lessons import LessonNow

_BY = "command line"
_LISTED = 20
_PUZZLES = 10
_json = json_option("The answer of GET /lessons/LESSON, without the table.")


@click.group()
def lesson() -> None:
    """Look at recorded hands with a class: it sees what its teacher shows, votes, and then sees what each choice costs.

    The pages of a server follow what these commands do. LESSON is a name, or the beginning of an id.

    \b
    Examples:
      cardledger lesson list --db club.db
      cardledger lesson open --help
    """


@lesson.command("open")
@click.argument("match", required=False)
@click.argument("hand", type=click.IntRange(1), required=False)
@click.option(
    "--seat",
    type=click.IntRange(0),
    metavar="SEAT",
    help="The class sees the hand from this seat, from 0, and is asked; without it all hands are open.",
)
@click.option("--puzzles", "of", metavar="GAME", help="Stop at the puzzles of this game, in place of a hand.")
@click.option("--name", metavar="NAME", help="What the lesson is called.  [default: Lesson, and the day]")
@db_option
@_json
def open_command(
    match: str | None, hand: int | None, seat: int | None, of: str | None, name: str | None, path: Where, as_json: bool
) -> None:
    """Open a lesson on HAND of MATCH, or on puzzles, and stop at its first moment.

    \b
    Examples:
      cardledger lesson open 5 1 --seat 0 --name Monday --db club.db
      cardledger lesson open --puzzles ruff --db club.db
    """  # fmt: skip
    if (of is None) == (match is None or hand is None):
        raise click.UsageError("Name a match and a hand, or a game with --puzzles.")
    day = datetime.now().astimezone().date()
    with Ledger(path, create=False) as ledger:
        if match is not None and hand is not None:
            moments = lessons.moments_of_hand(ledger, ledger.resolve(match), hand, seat)
        else:
            with LuckStore(ledger) as store:
                store.catch_up()
                found = puzzles_of(game(of or "").id, ledger, store, _PUZZLES, day)
            moments = lessons.moments_of_puzzles(found["puzzles"] if found else [])
        id = lessons.open_lesson(ledger, name or f"Lesson {day}", moments, _BY)
        lessons.lead(ledger, id, "on", _BY)
        _tell(ledger, id, as_json)


@lesson.command("list")
@db_option
@json_option("The answer of GET /lessons.")
def list_command(path: Where, as_json: bool) -> None:
    """List the latest lessons.

    \b
    Examples:
      cardledger lesson list --db club.db
    """
    with Ledger(path, create=False) as ledger:
        ledger.views.catch_up()
        found = lessons.lessons(ledger, _LISTED)
    if as_json:
        print_json({"lessons": found})
    else:
        print_table(("lesson", "name", "status"), [(one["lesson"], one["name"], one["status"]) for one in found])


@lesson.command("show")
@click.argument("said", metavar="LESSON")
@db_option
@_json
def show_command(said: str, path: Where, as_json: bool) -> None:
    """Show a lesson as its class sees it now: nothing of the hand beyond the moment where the teacher stopped.

    \b
    Examples:
      cardledger lesson show Monday --db club.db
    """
    with Ledger(path, create=False) as ledger:
        _tell(ledger, lessons.meant(ledger, said), as_json)


@lesson.command("lead")
@click.argument("said", metavar="LESSON")
@click.argument("to")
@db_option
@_json
def lead_command(said: str, to: str, path: Where, as_json: bool) -> None:
    """Lead a lesson. TO is `on` or `back`, an event at a time, or the number of a moment that it began with; `votes` or `costs` to show them; or `end`.

    \b
    Examples:
      cardledger lesson lead Monday on --db club.db
      cardledger lesson lead Monday costs --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id = lessons.meant(ledger, said)
        lessons.lead(ledger, id, to, _BY)
        _tell(ledger, id, as_json)


@lesson.command("vote")
@click.argument("said", metavar="LESSON")
@click.argument("voter")
@click.argument("choice", nargs=-1, required=True)
@db_option
@_json
def vote_command(said: str, voter: str, choice: tuple[str, ...], path: Where, as_json: bool) -> None:
    """Vote for CHOICE at the present moment of a lesson, as VOTER: the last vote of a name counts.

    \b
    Examples:
      cardledger lesson vote Monday ana 9S --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id = lessons.meant(ledger, said)
        lessons.vote(ledger, id, voter, " ".join(choice), None, _BY)
        _tell(ledger, id, as_json)


def _tell(ledger: Ledger, id: str, as_json: bool) -> None:
    """Print a lesson as its class sees it."""
    now = lessons.lesson_now(ledger, id)
    costs = lessons.costs_shown(ledger, now)
    if as_json:
        print_json(lessons.in_json(now, costs))
        return
    players = ledger.stream(now.moment.match).table.players if now.moment else ()
    print_match(_lines(ledger, now, now.moment, costs or ()), players)


def _lines(ledger: Ledger, now: LessonNow, moment: LessonMoment | None, costs: tuple[ChoiceCost, ...]) -> Iterator[str]:
    yield f"{now.name} ({now.id}), {now.status}"
    if moment is None:
        return
    yield f"Before event {moment.event} of hand {moment.hand}, match {moment.match}"
    table = lessons.expect_moment(ledger, moment).position(moment.event).table
    yield from position(table, moment.seat)
    if now.asked is not None:
        yield f"What would you do as {table.players[now.asked.seat]}? {', '.join(now.asked.choices)}"
        yield f"{count_of(now.voted, 'vote')}{'' if now.tally is None else ':'}"
        for choice, votes in sorted((now.tally or {}).items(), key=lambda one: (-one[1], one[0])):
            yield f"  {choice:<12} {votes}"
    for one in costs:
        yield f"  {one.choice:<12} costs {one.cost:.2f} ± {one.error:.2f}"
