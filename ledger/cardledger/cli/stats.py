"""The commands `cardledger stats …`: players of a game, one player, measures, ratings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from cardledger.cli.notices import caught_up
from cardledger.cli.output import print_json, width, write_exactly
from cardledger.cli.progress import progress_command
from cardledger.cli.stats_options import FILTERS, FORMS, SCALE, with_options
from cardledger.count_of import count_of
from cardledger.record.people.people import People
from cardledger.record.readmodels.questions.card_in_hand import WAYS
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.games import game
from cardledger.study.stats import definitions
from cardledger.study.stats.arrow_export import write_parquet
from cardledger.study.stats.dealer import dealers_favour
from cardledger.study.stats.export import as_csv, as_json, as_lines
from cardledger.study.stats.forecasts import forecasts
from cardledger.study.stats.head_to_head import head_to_head
from cardledger.study.stats.luck import accountant
from cardledger.study.stats.partner_calls import GROUPINGS, partner_calls
from cardledger.study.stats.query import Query
from cardledger.study.stats.review.bad_hands import BAD
from cardledger.study.stats.review.decision_costs import SPLITS
from cardledger.study.stats.stats_table import StatsTable
from cardledger.study.stats.tables import Statistics


@click.group()
def stats() -> None:
    """Statistics of players: measures with intervals, fair comparison, ratings.

    A note below each table says which events it was computed from and what was left out. The same filters work in the
    API and on the pages.

    \b
    Examples:
      cardledger stats players diversity --db club.db
      cardledger stats player ana --by month --db club.db
      cardledger stats measures oh-hell
    """


stats.add_command(progress_command)


@stats.command()
@click.argument("game", required=False)
@with_options(*FORMS)
def measures(game: str | None, path: Where, form: str | None, file: Path | None) -> None:
    """List the measures, with the formula of each; with GAME, only those of that game.

    \b
    Examples:
      cardledger stats measures
      cardledger stats measures ruff --json
    """
    _print(definitions.measures(game), form, file)


@stats.command("definitions")
@click.argument("game", required=False)
@with_options(*FORMS)
def definitions_command(game: str | None, path: Where, form: str | None, file: Path | None) -> None:
    """List every edition of measures and estimators, and what changed; with GAME, only of its own measures.

    The note below each table of figures names the editions that made them.

    \b
    Examples:
      cardledger stats definitions
      cardledger stats definitions ruff --csv
    """
    _print(definitions.definitions(game), form, file)


@stats.command()
@click.argument("game")
@click.option("--measure", metavar="ID", help="Compare by this measure instead of points. [see: stats measures]")
@with_options(*FILTERS, SCALE, *FORMS)
def players(game: str, measure: str | None, path: Where, form: str | None, file: Path | None, **query: str) -> None:
    """Compare the players of GAME.

    The table shows points a hand as scored; adjusted for opponents; an estimate that is pulled towards the average
    when there are few hands; and the chance of being the best. Players stand in the order of the estimate, and a
    place is an interval. Players who seldom met are in different pools and are not compared. "better" and "worse"
    mark players whose difference from the average of their pool is more than chance, with all players considered.

    \b
    Examples:
      cardledger stats players diversity --since 2026-01-01 --db club.db
      cardledger stats players oh-hell --measure exact --by bid --csv --db club.db
    """
    _answer(path, form, file, lambda statistics: statistics.players(game, Query.parse(query), measure))


@stats.command()
@click.argument("player")
@click.option("--game", metavar="GAME", help="Only this game.")
@with_options(*FILTERS, *FORMS)
def player(player: str, game: str | None, path: Where, form: str | None, file: Path | None, **query: str) -> None:
    """Show every measure of PLAYER, beside those of the others.

    \b
    Examples:
      cardledger stats player ana --db club.db
      cardledger stats player ana --game oh-hell --by bid --db club.db
      cardledger stats player ana --against ben --db club.db
    """
    _answer(path, form, file, lambda statistics: statistics.player(player, Query.parse(query), game))


@stats.command()
@click.argument("game")
@click.option("--player", metavar="PLAYER", help="Show how the rating of this player changed, match by match.")
@with_options(*FORMS)
def ratings(game: str, player: str | None, path: Where, form: str | None, file: Path | None) -> None:
    """List the ratings of GAME (Weng and Lin's Plackett-Luce).

    \b
    Examples:
      cardledger stats ratings ruff --db club.db
      cardledger stats ratings ruff --player ana --db club.db
    """
    _answer(path, form, file, lambda statistics: statistics.ratings(game, player))


@stats.command()
@click.argument("player")
@click.option("--game", metavar="GAME", help="Only this game.")
@with_options(*FILTERS[:-1], SCALE, *FORMS)
def change(player: str, game: str | None, path: Where, form: str | None, file: Path | None, **query: str) -> None:
    """Show how the strength of PLAYER changed over time: points a hand against average opponents over all matches, the value now, the change in a year, and whether the change is more than chance.

    \b
    Examples:
      cardledger stats change ana --db club.db
      cardledger stats change ana --game ruff --since 2026-01-01 --json --db club.db
    """
    _answer(path, form, file, lambda statistics: statistics.change(player, Query.parse(query), game))


@stats.command()
@click.argument("player")
@click.option("--game", metavar="GAME", help="Only this game.")
@with_options(*FILTERS[:-1], SCALE, *FORMS)
def company(player: str, game: str | None, path: Where, form: str | None, file: Path | None, **query: str) -> None:
    """Show how much better or worse PLAYER does with each partner and against each opponent than all strengths at the table say.

    \b
    Examples:
      cardledger stats company ana --game ruff --db club.db
    """
    _answer(path, form, file, lambda statistics: statistics.company(player, Query.parse(query), game))


@stats.command()
@click.argument("game")
@with_options(*FILTERS[:-1], SCALE, *FORMS)
def pairs(game: str, path: Where, form: str | None, file: Path | None, **query: str) -> None:
    """List the pairs of GAME who both do better when they meet than strengths and chance explain.

    Beside each pair stands how often chance makes some pair of honest players stand out as much, in leagues drawn with
    the same matches. A pair that knows each other's play looks the same: this is no evidence of anybody's conduct. On
    the pages and in the API only admins see it.

    \b
    Examples:
      cardledger stats pairs ruff --db club.db
    """
    _answer(path, form, file, lambda statistics: statistics.pairs(game, Query.parse(query)))


@stats.command()
@click.argument("game")
@with_options(*FILTERS[:-1], SCALE, *FORMS)
def partnerships(game: str, path: Where, form: str | None, file: Path | None, **query: str) -> None:
    """Rank the partnerships of GAME, as they played.

    Points are against the average pair, corrected for opponents. Who changes partners is in several pairs. Partners
    who never parted share a place among the players, too.

    \b
    Examples:
      cardledger stats partnerships bridge --since 2026-01-01 --db club.db
    """
    _answer(path, form, file, lambda statistics: statistics.partnerships(game, Query.parse(query)))


@stats.command()
@click.argument("game")
@click.option(
    "--how", type=click.Choice([*WAYS]), default="dealt", show_default=True, help="How the card came to the player."
)
@click.option("--player", metavar="PLAYER", help="What this player makes of each card, beside all others.")
@with_options(*FILTERS[:-1], *FORMS)
def cards(
    game: str, how: str, player: str | None, path: Where, form: str | None, file: Path | None, **query: str
) -> None:
    """Show what each card of GAME is worth to the player to whom it came, in points a hand.

    Worth is the mean of the hands with the card, less the expectation of the same place. Cards dealt or held are
    compared over all deals; cards led, played or won with what others led, played or won in the same trick, without the
    luck of the deal where it is known. Players choose when to play a card, so that is no advice. The pooled figure leans
    on the cards of the same rank and suit. Only hands whose deal everybody may see count.

    \b
    Examples:
      cardledger stats cards hearts --db club.db
      cardledger stats cards hearts --how won --player ana --db club.db
      cardledger stats cards whist --how led --size 4 --csv --db club.db
    """
    _answer(path, form, file, lambda statistics: statistics.cards(game, Query.parse(query), how, player))


@stats.command()
@click.argument("game_id", metavar="GAME")
@click.option(
    "--of", type=click.Choice([*SPLITS]), default="all", help="All by kind, or opening leads by the card led."
)
@with_options(*FILTERS[:-1], *FORMS)
def decisions(game_id: str, of: str, path: Where, form: str | None, file: Path | None, **query: str) -> None:
    """Show what each kind of decision in GAME costs, over all players, such as leading a trump.

    Cost is the mean of the points of the hand that decisions of the kind gave up, beside the careful bot's cost of any
    decision. Only hands count that were reviewed (`cardledger luck GAME --reviews`). An evening is one observation.

    \b
    Examples:
      cardledger stats decisions ruff --db club.db
      cardledger stats decisions whist --of opening-leads --db club.db
      cardledger stats decisions whist --where standing:behind --csv --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        Statistics.of(ledger.views).sheets.patience = None
        table = accountant.decisions(ledger, game(game_id).id, Query.parse(query), of, patience=None)
    _print(table, form, file)


@stats.command("after-bad-hand")
@click.argument("game_id", metavar="GAME")
@click.option(
    "--bad",
    type=click.Choice([*BAD]),
    default="play",
    help="A hand is bad by points without the luck of the deal, by the result as scored, or by the deal.",
)
@with_options(*FILTERS[:-1], *FORMS)
def after_bad_hand(game_id: str, bad: str, path: Where, form: str | None, file: Path | None, **query: str) -> None:
    """Show whether players of GAME play worse after a bad hand, in points a hand; below 0 is better.

    The next hand is compared with the player's other hands of the match, without the bad one: a return to the mean is
    no effect. `cost` is what decisions gave up, in hands that were reviewed; `points` are those lost. An evening is one
    observation, and chance is corrected over all rows.

    \b
    Examples:
      cardledger stats after-bad-hand ruff --db club.db
      cardledger stats after-bad-hand hearts --bad deal --csv --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        Statistics.of(ledger.views).sheets.patience = None
        table = accountant.after_bad_hand(ledger, game(game_id).id, Query.parse(query), bad, patience=None)
    _print(table, form, file)


@stats.command("partner-calls")
@click.argument("game_id", metavar="GAME")
@click.option(
    "--of", type=click.Choice(GROUPINGS), default="kinds", help="Bids of one height in a suit as one, or each call."
)
@with_options(*FILTERS[:-1], *FORMS)
def partner_calls_command(
    game_id: str, of: str, path: Where, form: str | None, file: Path | None, **query: str
) -> None:
    """Show what each call of a partner was worth in GAME: points of these hands, less what such hands expect.

    The call is the partner's first that was no pass. The expectation is by the high cards in the player's own hand and by
    how the player usually scores. An evening is one observation.

    \b
    Examples:
      cardledger stats partner-calls spades --db club.db
      cardledger stats partner-calls bridge --of calls --csv --db club.db
    """
    chosen = Query.parse(query)
    _answer(
        path, form, file,
        lambda statistics: partner_calls(statistics.views, statistics.sheets.sheet(game(game_id).id), chosen, of),
    )  # fmt: skip


@stats.command("dealer")
@click.argument("game_id", metavar="GAME", required=False)
@with_options(*FORMS)
def dealer_command(game_id: str | None, path: Where, form: str | None, file: Path | None) -> None:
    """Show whether the dealer is favoured, in GAME or in every game and over the club.

    \b
    Examples:
      cardledger stats dealer --db club.db
    """
    _answer(path, form, file, lambda statistics: dealers_favour(statistics, game_id))


@stats.command("forecasts")
@click.argument("game_id", metavar="GAME", required=False)
@with_options(*FORMS)
def forecasts_command(game_id: str | None, path: Where, form: str | None, file: Path | None) -> None:
    """Show how good the forecasts by ratings were, of GAME or of all games.

    Each match was foretold by what was known before its day: who wins, and which of two sides at a table is ahead. The
    Brier score stands beside that of equal chances (less is better), and by tenths how often it came true.

    \b
    Examples:
      cardledger stats forecasts --db club.db
      cardledger stats forecasts ruff --csv --db club.db
    """
    _answer(path, form, file, lambda statistics: forecasts(statistics, game_id))


@stats.command("head-to-head")
@click.argument("player")
@click.argument("other")
@with_options(*FORMS)
def head_to_head_command(player: str, other: str, path: Where, form: str | None, file: Path | None) -> None:
    """Show the results of PLAYER and OTHER against each other, and as partners.

    Against: who had the better total in complete matches, and by how many points a hand PLAYER leads. As partners:
    the matches their side won, and its points a hand.

    \b
    Examples:
      cardledger stats head-to-head ana ben --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        table = head_to_head(ledger, player, other)
    _print(table, form, file)


def _answer(path: Where, form: str | None, file: Path | None, ask: Callable[[Statistics], StatsTable]) -> None:
    """Query a ledger and print the answer."""
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        statistics = Statistics.of(ledger.views)
        statistics.sheets.patience = None
        table = ask(statistics)
        if form is None and file is None:
            table = _by_name(table, ledger.people())
    _print(table, form, file)


def _by_name(table: StatsTable, people: People) -> StatsTable:
    """Return a table for people to read: names in place of ids, each with its id in brackets."""
    names = people.named()
    rows = [
        row | {"player": f"{names[row['player']]} ({row['player']})"} if row.get("player") in names else row
        for row in table.rows
    ]
    return replace(table, rows=rows)


def _print(table: StatsTable, form: str | None, file: Path | None) -> None:
    """Print a table as lines, JSON or CSV, or write it to a Parquet file."""
    if file is not None:
        write_parquet(table, file)
        click.echo(f"{count_of(len(table.rows), 'row')} written to {file}", err=True)
    elif form == "json":
        print_json(as_json(table))
    elif form == "csv":
        write_exactly(as_csv(table))
    else:
        for line in as_lines(table, width()):
            click.echo(line)
