"""The command line: `cardledger` and its commands."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import click

from ledger import settings
from ledger.bots.command import simulate
from ledger.corrections import Stream
from ledger.errors import LedgerError, RuleError
from ledger.events import Event
from ledger.games import COMPILED, game, games
from ledger.ledger import Ledger
from ledger.matchfile import Match, Problem, printable, read_matches
from ledger.outcomes import Imported
from ledger.progress import progress
from ledger.replay import audit, result
from ledger.store.file import UNREADABLE, unreadable
from ledger.store.sqlite import expect_sound
from ledger.store.where import Where, where
from ledger.words import account, position, trail

db_option = click.option(
    "--db", "path", type=where, metavar="LEDGER", envvar="CARDLEDGER_DB", default=settings.db,
    show_default=settings.LEDGER, show_envvar=True, allow_from_autoenv=False, help="The ledger: a file, or postgresql://USER@HOST/DATABASE.",
)  # fmt: skip
view_options = [
    click.option("--json", "as_json", is_flag=True, help="The replay result, one JSON object a match."),
    click.option("--at", type=int, metavar="SEQ", help="The table after this event, with what may come next."),
    click.option("--audit", "as_audit", is_flag=True, help="For every event, the rules that allowed or resolved it."),
]  # fmt: skip


def viewing(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say how a match is shown."""
    for option in reversed(view_options):
        command = option(command)
    return command


class Commands(click.Group):
    """The commands of this module and those other packages add by the entry-point group `cardledger.commands`.

    A LedgerError that reaches the top is one line on standard error and exit status 2.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands in alphabetical order."""
        return sorted({*self.commands, *entry_points(group="cardledger.commands").names})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, loading it if another package brings it."""
        if cmd_name not in self.commands:
            for point in entry_points(group="cardledger.commands", name=cmd_name):
                self.add_command(point.load(), cmd_name)
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except LedgerError as error:
            click.echo(f"cardledger: {error.code}: {printable(error.message)}", err=True)
            ctx.exit(2)
        except UNREADABLE as error:
            click.echo(f"cardledger: {printable(str(unreadable(error)))}", err=True)
            ctx.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(
    package_name="cardledger", prog_name="cardledger",
    message=f"%(prog)s, version %(version)s, rules {'compiled' if COMPILED else 'in pure Python'}",
)  # fmt: skip
@click.option(
    "--config", "file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", envvar="CARDLEDGER_CONFIG",
    show_envvar=True, help=f"Read settings from this file.  [default: {settings.FILE}, if it is there]",
)  # fmt: skip
@click.pass_context
def main(ctx: click.Context, file: Path | None) -> None:
    """Record card games, replay them, and see which rule decided what.

    A match is a file of events, one JSON object a line; a ledger is a database of such matches.

    \b
    Examples:
      cardledger games
      cardledger replay samples/diversity-club-night.jsonl
      cardledger import samples/diversity-club-night.jsonl --db club.db
    """
    settings.take(ctx, file)
    # Folding makes many small objects that live long: looking through them for cycles less often saves a fifth.
    gc.set_threshold(50_000, 20, 20)


@main.command("games")
def games_command() -> None:
    """List the games that can be recorded.

    \b
    Examples:
      cardledger games
    """
    for each in games().values():
        click.echo(f"{each.id:<16} {each.title:<24} {each.players_text:>6} players   {each.summary}")


@main.command()
@click.argument("game_id", metavar="GAME")
def rules(game_id: str) -> None:
    """Print the rulebook of GAME, with the ids that rulings cite.

    \b
    Examples:
      cardledger rules diversity
      cardledger rules ruff-2
    """
    chosen = game(game_id)
    click.echo(f"{chosen.title} ({chosen.book.edition})\n{chosen.summary}\n")
    click.echo(f"Players: {chosen.players_text}. {'Fewest' if chosen.fewest else 'Most'} points win.")
    for option in chosen.options:
        choices = f", one of {', '.join(option.choices)}" if option.choices else ""
        click.echo(f"Option {option.name}: {option.text} (default {option.default_text}{choices}).")
    click.echo("")
    width = max(len(rule.id) for rule in chosen.book)
    for rule in chosen.book:
        marks = "†" * rule.breakable + "R" * rule.ours
        click.echo(f"{rule.id:<{width}} {marks:<2} {rule.text}")
    click.echo("\n† can be broken at the table; recorded as a violation under the policy record.")
    click.echo("R a ruling of ours where the source is silent.")
    click.echo(f"Source: {chosen.book.source}")


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.File("rb"))
@viewing
def replay(files: tuple[BinaryIO, ...], as_json: bool, at: int | None, as_audit: bool) -> None:
    """Replay the matches in match files (- for standard input).

    Problems are lines on standard error, FILE:LINE: CODE: message, and exit status 2; the matches before them are shown.

    \b
    Examples:
      cardledger replay samples/diversity-club-night.jsonl
      cardledger replay --json samples/diversity-club-night.jsonl
      cardledger replay --at 5 samples/diversity-club-night.jsonl
      cardledger replay --audit samples/diversity-club-night.jsonl
    """
    failed = False
    first = True
    for file in files:
        for item in read_matches(file, name_of(file)):
            if isinstance(item, Problem):
                click.echo(str(item), err=True)
                failed = True
                continue
            if not first and not as_json:
                click.echo("")
            first = False
            try:
                show_match(item.stream, item.events, as_json, at, as_audit)
            except LedgerError as error:
                click.echo(str(Problem(item.file, item.line, error)), err=True)
                failed = True
    if failed:
        sys.exit(2)


def show_match(stream: Stream, events: Sequence[Event], as_json: bool, at: int | None, as_audit: bool) -> None:
    """Print a match as the options say."""
    if at is not None:
        if not 1 <= at <= len(events):
            raise RuleError("table.range", f"--at is {at}, but the match has events 1 to {len(events)}")
        events = events[:at]
        stream = Stream.of(events)
    lines: Iterator[str]
    if as_json:
        click.echo(json.dumps(result(stream.table), ensure_ascii=False))
        return
    if as_audit:
        lines = trail(audit(events), stream.table.players)
    elif at is not None:
        lines = position(stream.table)
    else:
        lines = account(stream.table)
    for line in lines:
        click.echo(printable(line))


@main.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.File("rb"))
@db_option
@click.option("--keep-going", is_flag=True, help="After a problem go on at the next open.")
@click.option("--by", default="import", show_default=True, help="Who recorded events that do not say so.")
def import_command(files: tuple[BinaryIO, ...], path: Where, keep_going: bool, by: str) -> None:
    """Store the matches in match files, each whole or not at all.

    What is stored already is not stored again, so a file may be imported as often as you like. A match that will be
    continued in a later file should carry an "id" (a UUID) at its open.

    \b
    Examples:
      cardledger import samples/diversity-club-night.jsonl --db club.db
      cardledger import --keep-going samples/diversity-club-night.jsonl --db club.db
    """
    with Ledger(path) as ledger:
        problems = 0
        for file in files:
            matches = known = events = 0
            for item in ledger.import_matches(with_progress(file, keep_going), by):
                if isinstance(item, Imported):
                    matches += item.new > 0
                    known += item.new == 0
                    events += item.new
                else:
                    click.echo(str(item), err=True)
                    problems += 1
            already = f", {known} stored already" if known else ""
            click.echo(f"{printable(name_of(file))}: {matches} matches, {events} events stored{already}")
        if problems:
            sys.exit(2)


def name_of(file: BinaryIO) -> str:
    """Return what a file is called in messages."""
    return getattr(file, "name", "<stdin>")


def with_progress(file: BinaryIO, keep_going: bool) -> Iterator[Match | Problem]:
    """Yield what is in a match file while a bar on standard error shows how far the reading is."""
    name = name_of(file)
    found = read_matches(file, name, keep_going)
    if not Path(name).is_file():
        yield from found
        return
    with progress(printable(name), Path(name).stat().st_size) as bar:
        done = 0
        for item in found:
            bar.update(file.tell() - done)
            done = file.tell()
            yield item


@main.command()
@click.argument("matches", nargs=-1, metavar="[MATCH]...")
@click.option("--as-stored", is_flag=True, help="With pseudonyms in place of names and texts: what hashes are made of.")
@db_option
def export(matches: tuple[str, ...], as_stored: bool, path: Where) -> None:
    """Write matches as a match file to standard output: all of them, or those named by id.

    An id may be cut short as long as it is clear.

    \b
    Examples:
      cardledger export --db club.db
    """
    with Ledger(path, create=False) as ledger:
        if not matches:
            expect_sound(ledger.store)
        ids = [ledger.resolve(match) for match in matches] or ledger.matches()
        out = sys.stdout.buffer
        for text in ledger.export(ids, as_stored=as_stored):
            out.write(text.encode())


@main.command("matches")
@db_option
def matches_command(path: Where) -> None:
    """List the matches of a ledger in the order of recording.

    \b
    Examples:
      cardledger matches --db club.db
    """
    with Ledger(path, create=False) as ledger:
        ledger.views.catch_up()
        lacking = set(ledger.matches())
        for row in ledger.views.database.query("SELECT * FROM matches ORDER BY position"):
            lacking.discard(row["match"])
            players = [
                f"{player} {total}{'*' if seat in json.loads(row['winners']) else ''}"
                for seat, (player, total) in enumerate(
                    zip(json.loads(row["players"]), json.loads(row["totals"]), strict=True)
                )
            ]
            irregular = f"  {row['violations']} irregular" if row["violations"] else ""
            line = f"{row['match']}  {row['date']}  {row['game']:<16} {row['status']:<8} {row['hands_complete']:>3} hands  {', '.join(players)}{irregular}"
            click.echo(printable(line))
        _expect_folded(ledger, lacking)


def _expect_folded(ledger: Ledger, lacking: Iterable[str]) -> None:
    """Name matches that are in no read model, and why they cannot be; exit status 2 if there is one."""
    wrong = [(match, error) for match in sorted(lacking) if (error := ledger.check(match))]
    for match, error in wrong:
        click.echo(f"{match}:{(error.index or 0) + 1}: {error.code}: {printable(error.message)}", err=True)
    if wrong:
        sys.exit(2)


@main.command()
@click.argument("match")
@db_option
@viewing
def show(match: str, path: Where, as_json: bool, at: int | None, as_audit: bool) -> None:
    """Show a match of a ledger; MATCH is its id, which may be cut short as long as it is clear.

    \b
    Examples:
      cardledger show 5 --db club.db
      cardledger show 5 --at 5 --db club.db
      cardledger show 5 --audit --db club.db
    """
    with Ledger(path, create=False) as ledger:
        events = ledger.events(ledger.resolve(match))
        show_match(Stream.of(events), events, as_json, at, as_audit)


@main.command()
@db_option
@click.option(
    "--checkpoint", "kept", multiple=True, metavar="FILE", type=click.File("r", encoding="utf-8"),
    help="Also against a checkpoint or receipt that somebody kept; may be repeated.",
)  # fmt: skip
def verify(path: Where, kept: tuple[TextIO, ...]) -> None:
    """Recompute every hash and every result; exit status 1 and the first event that does not fit, if one does not.

    Where checkpoints were made, the ledger must also be the one that was sealed.

    \b
    Examples:
      cardledger verify --db club.db
    """
    with Ledger(path, create=False) as ledger:
        expect_sound(ledger.store)
        sealed = _expect_sealed(ledger, kept)
        matches = 0
        with progress("verifying", len(ledger.matches())) as bar:
            for match, error in ledger.verify():
                matches += 1
                bar.update(1)
                if error is not None:
                    click.echo(f"{match}:{(error.index or 0) + 1}: {error.code}: {printable(error.message)}", err=True)
                    sys.exit(1)
        click.echo(f"{matches} matches, {ledger.count()} events: every hash and every result fits{sealed}")


def _expect_sealed(ledger: Ledger, kept: Sequence[TextIO]) -> str:
    """Survey a ledger that has checkpoints, or was given some; return what to say of it."""
    # Only here, as it takes a while to load: most commands sign and verify nothing.
    from ledger.proofs import ProofError, handed, log, survey

    given = [checkpoint for file in kept for checkpoint in handed.checkpoints_in(file.read())]
    if not given and not log.Log.begun(ledger):
        return ""
    with log.Log(ledger, create=False) as opened:
        for checkpoint in given:
            opened.signed_at(checkpoint)
        try:
            with progress("surveying", ledger.count()) as bar:
                fitted = survey.survey(opened, given, lambda events: bar.update(events - bar.pos))
        except ProofError as error:
            click.echo(printable(error.told), err=True)
            sys.exit(1)
    return f", and {fitted.checkpoints} {'checkpoint' if fitted.checkpoints == 1 else 'checkpoints'} too"


@main.command()
@db_option
def rebuild(path: Where) -> None:
    """Drop the read models and fold them again from the events.

    \b
    Examples:
      cardledger rebuild --db club.db
    """
    with Ledger(path, create=False) as ledger:
        expect_sound(ledger.store)
        total, done = ledger.store.last_position(), 0
        with progress("rebuilding", total) as bar:
            for events in ledger.rebuild():
                bar.update(events - done)
                done = events
        click.echo(f"{done} events folded")
        folded = {match for (match,) in ledger.views.reader.execute("SELECT match FROM matches")}
        _expect_folded(ledger, {*ledger.matches()} - folded)


main.add_command(simulate)
