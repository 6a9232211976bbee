"""The commands `cardledger luck` and `cardledger review`: points without card luck, and what each choice gave up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from ledger.cli import db_option
from ledger.games import game, games
from ledger.ledger import Ledger
from ledger.matchfile import printable
from ledger.progress import progress
from ledger.stats import accounts, luck, reviews
from ledger.stats.deals import WHY
from ledger.stats.kept import Kept, KeptHand
from ledger.store.where import Where


@click.command("luck")
@click.argument("game_ids", nargs=-1, metavar="[GAME]...")
@db_option
@click.option("--reviews", "with_reviews", is_flag=True, help="Review every decision too: that takes seconds a hand.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
def luck_command(game_ids: tuple[str, ...], path: Where, with_reviews: bool, as_json: bool) -> None:
    """Compute what deals were worth, and print points a hand adjusted for that, player by player.

    A deal is worth what bots make of it, replaying it many times. What is computed is kept beside the ledger: the next
    time only new hands cost time. Interrupted, it goes on where it was.

    \b
    Examples:
      cardledger luck --db club.db
      cardledger luck ruff diversity --reviews --db club.db
    """
    chosen = [game(id).id for id in game_ids] or [*games()]
    with Ledger(path, create=False) as ledger, Kept(ledger) as kept:
        kept.catch_up()
        for id in chosen:
            hands = kept.hands("game = ?", (id,))
            if hands:
                _compute(id, hands, kept, with_reviews)
                account = accounts.of_game(kept, id)
                for line in [json.dumps(account, ensure_ascii=False)] if as_json else _game(account):
                    click.echo(printable(line))


def _compute(label: str, hands: list[KeptHand], kept: Kept, with_reviews: bool) -> None:
    """Compute what is lacking while a bar shows how far it is."""
    with progress(label, len(hands), hands) as bar:
        for hand in bar:
            if with_reviews:
                for _ in reviews.compute([hand], kept):
                    pass
            elif hand.why is None:
                luck.luck_of(hand, kept)


def _game(account: dict[str, Any]) -> Iterator[str]:
    """Yield the account of a game as lines."""
    yield f"{account['game']}: {account['hands']} hands played out, every deal replayed by bots"
    for why, number in account["left_out"].items():
        yield f"  left out: {number} {WHY[why]}"
    for one in account["reduction"]:
        yield f"  {one['seats']} players: deals explain {one['explained']:.0%} of the points, intervals are {one['factor']:.2f} times as narrow"
    yield from (f"  {note}" for note in account["notes"])
    for one in account["players"]:
        adjusted = _interval(one["adjusted"], one["adjusted_low"], one["adjusted_high"])
        points = _interval(one["points"], one["low"], one["high"])
        yield f"  {one['player']:<16} {points} points a hand, {adjusted} adjusted  ({one['hands']} hands, luck {one['luck']:+.2f})"
    for one in account["reviews"]:
        cost = _interval(one["cost"], one["cost_low"], one["cost_high"])
        yield (
            f"  {one['player']:<16} {one['points']:.2f} points a hand, gave up {cost} a hand, "
            f"{one['bad']} of {one['decisions']} choices bad ({one['bad_low']:.1%} to {one['bad_high']:.1%})"
        )
    yield ""


def _interval(value: float, low: float | None, high: float | None) -> str:
    return f"{value:.2f}" if low is None or high is None else f"{value:.2f} ({low:.2f} to {high:.2f})"


@click.command("review")
@click.argument("match")
@db_option
@click.option("--hand", "number", type=click.IntRange(1), help="This hand only.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def review_command(match: str, path: Where, number: int | None, as_json: bool) -> None:
    """Review MATCH: what each choice that was not forced gave up against the best alternative.

    Costs are points of the hand, estimated by rollouts over the cards as the player could know them, with their standard
    error. They judge a choice as among cautious bots; see them beside what came of the hand.

    \b
    Examples:
      cardledger review 5 --hand 1 --db club.db
    """
    with Ledger(path, create=False) as ledger, Kept(ledger) as kept:
        kept.catch_up()
        id = ledger.resolve(match)
        hands = kept.hands("match = ? AND (? IS NULL OR hand = ?)", (id, number, number))
        _compute(id[:8], hands, kept, True)
        account = accounts.of_match(kept, id)
        if number is not None:
            account["hands"] = [hand for hand in account["hands"] if hand["hand"] == number]
        for line in [json.dumps(account, ensure_ascii=False)] if as_json else _match(account):
            click.echo(printable(line))


def _match(account: dict[str, Any]) -> Iterator[str]:
    """Yield the review of a match as lines."""
    players = account["players"]
    for hand in account["hands"]:
        yield f"hand {hand['hand']}" + (f": not reviewed ({WHY[hand['left_out']]})" if hand["left_out"] else "")
        if hand["decisions"] is None:
            continue
        for seat, player in enumerate(players):
            yield (
                f"  {player}: {hand['scores'][seat]} points, deal worth {hand['luck'][seat]:+.2f}, "
                f"gave up {hand['cost'][seat]:.2f}"
            )
        for one in hand["decisions"]:
            if one["cost"] > 0:
                mark = "  !" if one["bad"] else ""
                yield (
                    f"  {one['seq']:>5} {players[one['seat']]} {one['type']} {one['made']}: {one['best']} was better by "
                    f"{one['cost']:.2f} ± {one['error']:.2f}{mark}"
                )
