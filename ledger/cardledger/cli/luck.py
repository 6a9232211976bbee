"""The commands `cardledger luck` and `cardledger review`: points without card luck, and the cost of each choice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_text
from cardledger.count_of import count_of
from cardledger.progress import progress
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.games import game, games
from cardledger.study.stats.luck import accountant, accounts
from cardledger.study.stats.luck.deals import WHY
from cardledger.study.stats.luck.luck_store import LuckStore, StoredHand
from cardledger.study.stats.query import Query
from cardledger.study.stats.review import reviews
from cardledger.study.stats.review.habits import in_words
from cardledger.study.stats.review.review import THOROUGH, USUAL, Method
from cardledger.study.stats.review.situations import TITLES

thorough_option = click.option(
    "--thorough", "method", flag_value=THOROUGH, default=USUAL, type=click.UNPROCESSED,
    help="Review in 200 possible worlds instead of 36 (review-4-thorough, "
        "kept beside review-4, which pages show): five to six times as long.",
)  # fmt: skip


@click.command("luck")
@click.argument("game_ids", nargs=-1, metavar="[GAME]...")
@db_option
@click.option(
    "--reviews", "with_reviews", is_flag=True, help="Also review every decision; this takes seconds for each hand."
)
@thorough_option
@json_option("An object for each game.")
def luck_command(game_ids: tuple[str, ...], path: Where, with_reviews: bool, method: Method, as_json: bool) -> None:
    """Estimate the worth of every deal, and print each player's points a hand, adjusted for it.

    A deal is worth the points that bots make when they replay it many times. Results are saved beside the ledger, so
    that next time only new hands take time. An interrupted run continues where it stopped.

    \b
    Examples:
      cardledger luck --db club.db
      cardledger luck ruff diversity --reviews --db club.db
    """
    chosen = [game(id).id for id in game_ids] or [*games()]
    with Ledger(path, create=False) as ledger, LuckStore(ledger) as store:
        store.catch_up()
        for id in chosen:
            hands = store.hands("game = ?", (id,))
            if hands:
                compute_missing(id, hands, store, method if with_reviews else None)
                account = accounts.of_game(store, id, method)
                if as_json:
                    print_json(account)
                else:
                    print_text(*_game(account))


def compute_missing(label: str, hands: list[StoredHand], store: LuckStore, method: Method | None) -> None:
    """Compute the missing results while a bar shows the progress."""
    if method is not None:
        for id in sorted({hand.game for hand in hands} if method is THOROUGH else ()):
            if (measured := game(id).study.measured) and measured.search_helps:
                continue
            click.echo(f"{id}: the Monte Carlo bot is not known to be stronger than the cautious one here", err=True)
        reviews.compile_kernels(hands, store)
    with progress(label, len(hands), hands) as bar:
        for hand, error in reviews.compute(bar, store, method):
            if error is not None:
                where = f"match {hand.match}, hand {hand.hand}"
                click.echo(f"{where}: left out, bots cannot play it again: {error.code}: {error.message}", err=True)


def _game(account: dict[str, Any]) -> Iterator[str]:
    """Yield the account of a game as lines."""
    yield f"{account['game']}: {count_of(account['hands'], 'hand')} whose deal is known, each replayed by bots"
    for why, number in account["left_out"].items():
        yield f"  left out: {number} {WHY[why]}"
    for one in account["reduction"]:
        yield (
            f"  {count_of(one['seats'], 'player')}: deals explain {one['explained']:.0%} of the points, "
            f"intervals are {one['factor']:.2f} times as narrow"
        )
    yield from (f"  {note}" for note in account["notes"])
    for one in account["players"]:
        adjusted = _interval(one["adjusted"], one["adjusted_low"], one["adjusted_high"])
        points = _interval(one["points"], one["low"], one["high"])
        yield (
            f"  {one['player']:<16} {points} points a hand, "
            f"{adjusted} adjusted  ({count_of(one['hands'], 'hand')}, luck {one['luck']:+.2f})"
        )
    for one in account["reviews"]:
        cost = _interval(one["cost"], one["cost_low"], one["cost_high"])
        yield (
            f"  {one['player']:<16} {one['points']:.2f} points a hand, gave up {cost} a hand, "
            f"{one['bad']} of {count_of(one['decisions'], 'choice')} "
            f"bad ({one['bad_low']:.1%} to {one['bad_high']:.1%})"
        )
    yield ""


def _interval(value: float, low: float | None, high: float | None) -> str:
    return f"{value:.2f}" if low is None or high is None else f"{value:.2f} ({low:.2f} to {high:.2f})"


@click.command("review")
@click.argument("match")
@db_option
@click.option("--hand", "number", type=click.IntRange(1), metavar="N", help="Only this hand.")
@thorough_option
@json_option("The answer of GET /matches/MATCH/review.")
def review_command(match: str, path: Where, number: int | None, method: Method, as_json: bool) -> None:
    """Review MATCH: the cost of each free choice against the best alternative.

    A cost is in points of the hand, with its standard error. It is estimated by rollouts over the cards that the
    player could not see, with cautious bots at the table; read it beside the result of the hand.

    \b
    Examples:
      cardledger review 5 --hand 1 --db club.db
      cardledger review 5 --thorough --db club.db
    """
    with Ledger(path, create=False) as ledger, LuckStore(ledger) as store:
        store.catch_up()
        id = ledger.resolve(match)
        hands = store.hands("match = ? AND (? IS NULL OR hand = ?)", (id, number, number))
        compute_missing(id[:8], hands, store, method)
        account = accounts.of_match(store, id, method)
        if number is not None:
            account["hands"] = [hand for hand in account["hands"] if hand["hand"] == number]
        if as_json:
            print_json(account)
        else:
            print_text(*_match(account))


@click.command("habits")
@click.argument("player")
@click.argument("game_id", metavar="GAME")
@db_option
@click.option(
    "--where", metavar="NAME:VALUE,…", help="Split only decisions in these situations, as choice:lead,void_suits:1."
)
@click.option("--by", metavar="SITUATION[,SITUATION]", help=f"Split by one or two of {', '.join(TITLES)}.")
@json_option("The answer of GET /players/PLAYER/habits.")
def habits_command(player: str, game_id: str, path: Where, where: str | None, by: str | None, as_json: bool) -> None:
    """Show what the decisions of PLAYER in GAME cost by situation.

    Only hands count that were reviewed (`cardledger luck GAME --reviews`). A habit is a kind of decision at a place in
    the trick; those named cost more than nothing beyond chance, the costliest first, with examples to replay. Accuracy
    is 100 for the careful bot of the reviews and 0 for a player who takes any legal choice; 90 means as dear as the
    careful bot if it takes any legal choice in 10 of 100 decisions.

    \b
    Examples:
      cardledger habits ana ruff --db club.db
      cardledger habits ana ruff --by choice,void_suits --where trick:late --db club.db
    """
    asked = Query.parse({"by": by, "where": where})
    with Ledger(path, create=False) as ledger:
        person = ledger.people().person(player)
        account = accountant.habits_of_player(ledger, person, game(game_id).id, asked.splits, asked.where)
    if as_json:
        print_json(account)
    else:
        print_text(*_habits(account), *_costliest(account))


def _habits(account: dict[str, Any]) -> Iterator[str]:
    """Yield what decisions cost as lines."""
    yield (
        f"{account['player']}: {account['hands']} reviewed hands of {account['game']}, "
        f"{account['pending']} of the game to be reviewed"
    )
    if account["accuracy"]:
        yield (
            f"  accuracy {account['accuracy']['value']:.0f} "
            f"({account['accuracy']['low']:.0f} to {account['accuracy']['high']:.0f})"
        )
    if account["careful_mistakes"] is not None:
        yield f"  of the careful bot's decisions a review calls {account['careful_mistakes']:.0%} clear mistakes, too"
    for row in account["split"]:
        cost = _interval(row["cost"], row["low"], row["high"])
        yield (
            f"    {', '.join(row['values']) or 'all':<24} {cost} points a decision  "
            f"({count_of(row['decisions'], 'decision')}, {count_of(row['bad'], 'clear mistake')})"
        )
    for situation in [] if account["split"] else account["situations"]:
        yield f"  {situation['title']}"
        for row in situation["rows"]:
            cost = _interval(row["cost"], row["low"], row["high"])
            yield (
                f"    {row['value']:<14} {cost} points a decision, {row['a_hand']:.2f} a hand  "
                f"({count_of(row['decisions'], 'decision')}, {count_of(row['bad'], 'clear mistake')})"
            )
    for number, habit in enumerate(account["habits"], 1):
        yield (
            f"  habit {number}: {in_words(habit)} gives away {habit['cost']:.2f} points a decision,"
            f" {habit['others']:.2f} for the others"
        )
        for one in habit["examples"]:
            yield (
                f"    match {one['match'][:8]}, event {one['seq']}: "
                f"{one['made']}, {one['best']} was better by {one['cost']:.2f}"
            )


def _costliest(account: dict[str, Any]) -> Iterator[str]:
    """Yield the costliest decisions of a player as lines."""
    for one in account["costliest"]:
        yield f"  match {one['match'][:8]}, event {one['seq']}: {one['sentence']}"


def _match(account: dict[str, Any]) -> Iterator[str]:
    """Yield the review of a match as lines."""
    players = account["players"]
    for hand in account["hands"]:
        yield f"hand {hand['hand']}" + (f": not reviewed ({WHY[hand['left_out']]})" if hand["left_out"] else "")
        if hand["decisions"] is None:
            continue
        for seat, player in enumerate(players):
            yield (
                f"  {player}: {count_of(hand['scores'][seat], 'point')}, deal worth {hand['luck'][seat]:+.2f}, "
                f"gave up {hand['cost'][seat]:.2f}"
            )
        for one in hand["decisions"]:
            if one["cost"] > 0:
                mark = "  !" if one["bad"] else ""
                yield f"  {one['seq']:>5} {one['sentence']}{mark}"
