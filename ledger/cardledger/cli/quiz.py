"""The command `cardledger quiz`: the decisions of a hand, asked one after the other."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_match, print_text
from cardledger.errors import RuleError, StoreError
from cardledger.record.matches.describe import position
from cardledger.record.matches.matchfile import printable
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.questions import MANY
from cardledger.study.stats.review.answers import record_answer
from cardledger.study.stats.review.gaps import gaps
from cardledger.study.stats.review.puzzles import puzzle_events
from cardledger.study.stats.review.quiz import Quiz

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.rules.questions import ChoiceCost, Question, QuizAnswer


@click.command("quiz")
@click.argument("match")
@click.argument("hand", type=click.IntRange(1))
@click.option(
    "--seat", type=click.IntRange(0), required=True, metavar="SEAT", help="Number of the seat to play, from 0."
)
@click.option(
    "--at",
    "events",
    type=click.IntRange(1),
    multiple=True,
    metavar="SEQ",
    help="Ask only at this event; may be given several times.",
)
@click.option(
    "--gaps", "at_gaps", is_flag=True, help="Ask only where the review finds that the player gave points away."
)
@click.option(
    "--as",
    "player",
    metavar="PLAYER",
    help="Record the answers of PLAYER: the first to each question counts. Without it nothing is recorded.",
)
@db_option
@json_option("Every question with its answer, an object a line; nothing is asked.")
def quiz_command(
    match: str,
    hand: int,
    seat: int,
    events: tuple[int, ...],
    at_gaps: bool,
    player: str | None,
    path: Where,
    as_json: bool,
) -> None:
    """Play HAND of MATCH from a seat, and see what each choice costs.

    You see what the player saw, and nothing of what came later. After each answer you see what the player chose, and
    the points that every choice costs, with standard errors; the costs are those of `cardledger review`.

    \b
    Examples:
      cardledger quiz 5 1 --seat 0 --db club.db
      cardledger quiz 5 1 --seat 2 --gaps --db club.db
      cardledger quiz 5 1 --seat 2 --at 12 --as ana --db club.db
      cardledger quiz 5 1 --seat 2 --json --db club.db
    """
    with Ledger(path, create=False) as ledger:
        id = ledger.resolve(match)
        stream = ledger.stream(id)
        quiz = Quiz(stream, hand, puzzle_events(ledger, id, hand))
        stops = {*events} | (gaps(ledger, id, hand) if at_gaps else set())
    for asked in quiz.questions(seat, stops if events or at_gaps else None):
        if as_json:
            answer = quiz.answer(asked.seq)
            print_json(_in_json(answer) | {"sentence": quiz.told(answer, stream.table.players)})
            continue
        table = quiz.position(asked.seq).table
        print_match(position(table, seat), table.players)
        chosen = _ask(quiz, asked, table.players)
        if player is not None:
            _record(path, id, hand, asked.seq, chosen, player)


def _record(path: Where, match: str, hand: int, seq: int, chosen: str, player: str) -> None:
    """Record an answer; one to a question that was answered before is practice."""
    with Ledger(path, create=False) as ledger:
        try:
            record_answer(ledger, match, hand, seq, chosen, player, "cardledger", datetime.now().astimezone().date())
        except RuleError as error:
            click.echo(printable(f"Not recorded: {error.message}."))


def _ask(quiz: Quiz, asked: Question, players: Sequence[str]) -> str:
    """Ask until there is a choice that can be made; tell what it costs, and return it."""
    if len(asked.choices) <= MANY:
        click.echo(f"Choose one of: {', '.join(asked.choices)}")
    while True:
        said = str(click.prompt("Your choice")).strip()
        try:
            answer = quiz.answer(asked.seq, asked.choice(said))
        except StoreError as error:
            click.echo(error.message)
            continue
        print_text(*_told(answer, asked.choice(said), players[asked.seat], quiz.told(answer, players)))
        return asked.choice(said)


def _told(answer: QuizAnswer, chosen: str, player: str, sentence: str) -> Iterator[str]:
    yield f"{sentence}."
    for one in answer.listed(chosen):
        who = [name for name, choice in (("you", chosen), (player, answer.made)) if choice == one.choice]
        yield f"  {one.choice:<12} {_cost(one)}{'   ' + ', '.join(who) if who else ''}"
    yield ""


def _cost(one: ChoiceCost) -> str:
    return f"costs {one.cost:.2f} ± {one.error:.2f}{'  !' if one.clear else ''}"


def _in_json(answer: QuizAnswer) -> dict[str, Any]:
    """Return an answer as the API gives it, with what could be chosen."""
    costs = [asdict(one) | {"clear": one.clear} for one in answer.costs]
    told = {"made": answer.made, "best": answer.best, "worlds": answer.worlds, "costs": costs}
    return asdict(answer.question) | told
