"""The commands that show the games and their rulebooks: `games` and `rules`."""

from __future__ import annotations

from typing import Any

import click

from cardledger.cli.output import json_option, print_json, print_table, print_text, width
from cardledger.rules.engine.game import Game
from cardledger.rules.games import game, games
from cardledger.rules.kernel.fit import at_the_table, unfit


def _no_kernel(game: Game[Any]) -> str:
    """Say why the rules of a game cannot be compiled (`cardledger warm`), or what of it is left to the live table."""
    if why := unfit(game):
        return f" It has no kernel: {why[0]}."
    return "".join(f" {each[0].upper()}{each[1:]}." for each in at_the_table(game))


def _described(game: Game[Any]) -> dict[str, Any]:
    """Return what a game is, ready for JSON."""
    return {
        "id": game.id, "title": game.title, "summary": game.summary, "edition": game.book.edition,
        "source": game.book.source, "players": [*game.sizes], "better": "fewest" if game.scoring.fewest else "most",
    }  # fmt: skip


@click.command("games")
@json_option("A list, with the words of the API.")
def games_command(as_json: bool) -> None:
    """List the games that can be recorded.

    \b
    Examples:
      cardledger games
    """
    if as_json:
        print_json([_described(each) for each in games().values()])
        return
    formatter = click.HelpFormatter(width=min(width() or 80, 100))
    formatter.write_dl(
        [
            (each.id, f"{each.title}, {each.players_text} players. {each.summary}{_no_kernel(each)}")
            for each in games().values()
        ]
    )
    click.echo(formatter.getvalue(), nl=False)


@click.command()
@click.argument("game_id", metavar="GAME")
@json_option("The game with its options and rules, with the words of the API.")
def rules(game_id: str, as_json: bool) -> None:
    """Print the rulebook of GAME, with the ids that rulings cite.

    \b
    Examples:
      cardledger rules diversity
      cardledger rules ruff-2
    """
    chosen = game(game_id)
    if as_json:
        options = [{"name": one.name, "text": one.text, "choices": [*one.choices]} for one in chosen.options]
        book = [
            {"id": one.id, "name": one.title, "text": one.text, "breakable": one.breakable, "ours": one.ours}
            for one in chosen.book
        ]
        print_json(_described(chosen) | {"options": options, "rules": book})
        return
    print_text(f"{chosen.title} ({chosen.book.edition})", chosen.summary, "")
    print_text(f"Players: {chosen.players_text}. {'Fewest' if chosen.scoring.fewest else 'Most'} points win.")
    for option in chosen.options:
        choices = f", one of {', '.join(option.choices)}" if option.choices else ""
        print_text(f"Option {option.name}: {option.text} (default {option.default_text}{choices}).")
    print_text("")
    marks = ("†" * rule.breakable + "R" * rule.ours for rule in chosen.book)
    print_table(
        ("rule", "", "text"), [(rule.id, mark, rule.text) for rule, mark in zip(chosen.book, marks, strict=True)]
    )
    print_text(
        "",
        "† can be broken at the table; under the policy record that is stored as a violation.",
        "R our own ruling, where the source is silent.",
        f"Source: {chosen.book.source}",
    )
