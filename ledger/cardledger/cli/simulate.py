"""The command `cardledger simulate`: bots play, and the points of each are reported."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path
from statistics import mean, stdev

import click

from cardledger.cli.notices import to_record_in
from cardledger.cli.output import json_option, print_json
from cardledger.count_of import count_of
from cardledger.progress import progress
from cardledger.record.matches.matchfile import MatchInFile, Problem, write
from cardledger.record.store.address import Where, where
from cardledger.rules.bots.simulation import league
from cardledger.rules.games import game
from cardledger.rules.stream import Stream


@click.command()
@click.argument("game_id", metavar="GAME")
@click.option("--players", "n", type=int, metavar="N", help="Players at the table. [default: the fewest allowed]")
@click.option("--matches", type=click.IntRange(1), metavar="N", default=1, show_default=True, help="Number of matches.")
@click.option(
    "--seed", type=int, metavar="N", default=1, show_default=True, help="The same seed gives the same matches."
)
@click.option(
    "--bots",
    metavar="NAMES",
    default="cautious,random",
    show_default=True,
    help="Names of the bots, repeated around the table.",
)
@click.option("--option", "given", multiple=True, metavar="NAME=VALUE", help="An option of the game; may be repeated.")
@click.option("--hidden", is_flag=True, help="Record as a scorer who cannot see the hands.")
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for the match files, one for each match.",
)
@click.option("--db", "path", type=where, metavar="LEDGER", help="A ledger to store the matches in.")
@json_option("The points of each bot; with --out or --db, as the matches themselves go to standard output.")
def simulate(
    game_id: str, n: int | None, matches: int, seed: int, bots: str, given: tuple[str, ...], hidden: bool,
    out: Path | None, path: Where | None, as_json: bool,
) -> None:  # fmt: skip
    """Let bots play matches of GAME: into a folder, into a ledger, or to standard output as a match file.

    The bots are random (any legal card), cautious (plays sensibly) and monte-carlo (tries every choice in 100 possible
    worlds that cautious bots play out; cautious in games without tricks; slow before `cardledger warm GAME`). They move
    one seat on from match to match. The points of each bot are printed on standard error.

    \b
    Examples:
      cardledger simulate diversity --matches 3 --seed 7 --db club.db
      cardledger simulate ruff-2 --players 5 --bots cautious --out simulated
      cardledger simulate oh-hell --players 5 --option order=up --option hook=false
    """
    if out is not None and path is not None:
        raise click.UsageError("give --out or --db, not both")
    if as_json and out is None and path is None:
        raise click.UsageError(
            "--json needs --out or --db: without them the matches are printed, which are JSON already"
        )
    chosen = game(game_id)
    if n is not None and n not in chosen.sizes:
        raise click.BadParameter(f"{game_id} is for {chosen.players_text} players, not {n}", param_hint="--players")
    played = league(
        game_id, chosen.sizes[0] if n is None else n, seed, matches,
        tuple(bots.split(",")), options=dict(map(option_of, given)), hidden=hidden,
    )  # fmt: skip
    points: dict[str, list[float]] = {}
    today = datetime.now().astimezone().date().isoformat()  # they are played now
    with (
        to_record_in(path) if path is not None else nullcontext() as ledger,
        progress("simulating", matches, played) as bar,
    ):
        for number, events in enumerate(bar, 1):
            stream = Stream.of(events)
            tally(stream, points)
            if ledger is not None:
                match = MatchInFile("simulation", 1, stream, events)
                for item in ledger.import_matches([match], by="simulation", day=today):
                    if isinstance(item, Problem):
                        raise item.error
            elif out is not None:
                out.mkdir(parents=True, exist_ok=True)
                (out / f"{game_id}-{number:05}.jsonl").write_bytes(write(events))
            else:
                sys.stdout.buffer.write(write(events))
    report(game_id, points, as_json)


def option_of(text: str) -> tuple[str, object]:
    """Split an option written as NAME=VALUE; the value is JSON or a bare word."""
    name, sign, value = text.partition("=")
    if not sign:
        raise click.UsageError(f"--option takes NAME=VALUE, not {text!r}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def tally(stream: Stream, points: dict[str, list[float]]) -> None:
    """Add a match's mean points a hand, bot by bot; players are named after their bot."""
    table = stream.table
    hands = sum(hand.scores is not None for hand in table.hands)
    for name in {player.rpartition("-")[0] for player in table.players} if hands else ():
        own = [seat for seat, player in enumerate(table.players) if player.rpartition("-")[0] == name]
        scores = [hand.scores[seat] for hand in table.hands if hand.scores is not None for seat in own]
        points.setdefault(name, []).append(mean(scores))


def report(game_id: str, points: dict[str, list[float]], as_json: bool) -> None:
    """Print the mean points a hand of each bot, with a 95% interval from its matches."""
    chosen = game(game_id)
    rows = [
        (name, mean(means), 1.96 * stdev(means) / len(means) ** 0.5 if len(means) > 1 else None, len(means))
        for name, means in sorted(points.items())
    ]
    if as_json:
        bots = [
            {"bot": name, "points": points_a_hand, "margin": margin, "matches": n}
            for name, points_a_hand, margin, n in rows
        ]
        print_json({"game": chosen.id, "fewest": chosen.scoring.fewest, "bots": bots})
        return
    click.echo(f"points a hand, {'fewest' if chosen.scoring.fewest else 'most'} are best:", err=True)
    for name, points_a_hand, margin, n in rows:
        spread = "" if margin is None else f" ± {margin:.2f}"
        click.echo(f"  {name:<12} {points_a_hand:7.2f}{spread}  ({count_of(n, 'match')})", err=True)
