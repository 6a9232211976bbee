"""The command line: `cardledger` and its commands."""

from __future__ import annotations

import errno
import gc
import os
import re
import sys
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click

from cardledger import settings
from cardledger.cli.hands import hands_command
from cardledger.cli.importing import import_command
from cardledger.cli.matches import matches_command
from cardledger.cli.notices import caught_up, evening_meant, what_next
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table, print_text, width
from cardledger.cli.publishing import publish_data
from cardledger.cli.sections import SECTIONS
from cardledger.cli.showing import replay, show
from cardledger.cli.signs import show_signs
from cardledger.cli.simulate import simulate
from cardledger.cli.tables import tables_command
from cardledger.cli.verification import rebuild, verify
from cardledger.codes import explained, known_codes
from cardledger.errors import LedgerError, NoLedgerError, StoreError
from cardledger.formats.bridge_files.boards import GAME as BRIDGE
from cardledger.formats.bridge_files.reading import FORMATS, Format
from cardledger.formats.bridge_files.usebio_sessions import written_evening
from cardledger.formats.bridge_files.write_usebio_evening import usebio_of_evenings
from cardledger.formats.bridge_files.writing import encoded, written
from cardledger.formats.recognition import recognised_file
from cardledger.listed import meant
from cardledger.page_file import page_file
from cardledger.plugins import loaded
from cardledger.record.matches.matchfile import printable
from cardledger.record.readmodels.questions.evening_list import evenings_named
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.record.store.sqlite import expect_sound
from cardledger.record.store.sqlite_errors import UNREADABLE, unreadable
from cardledger.rules.engine.game import Game
from cardledger.rules.games import COMPILED, game, games
from cardledger.rules.kernel.fit import at_the_table, unfit


def _output_fails() -> bool:
    """Tell whether nothing can be printed: an error of the system does not say which file it was about."""
    try:
        os.write(sys.stdout.fileno(), b"\n")
    except (OSError, ValueError):  # a ValueError for an output that is closed
        return True
    return False


class Commands(click.Group):
    """The commands of this module, and those that other packages add under the entry-point group `cardledger.commands`.

    A LedgerError that is not caught becomes one line on standard error and exit status 2.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands in alphabetical order."""
        return sorted({*self.commands, *entry_points(group="cardledger.commands").names})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, loaded if another package provides it."""
        if cmd_name not in self.commands:
            for point in entry_points(group="cardledger.commands", name=cmd_name):
                loaded(point, lambda command: self.add_command(command, cmd_name))
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands section by section; those without a section come last, with their own summaries."""
        left = dict.fromkeys(self.list_commands(ctx))
        for title, summaries in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, text) for name, text in summaries.items() if name in left])
            for name in summaries:
                left.pop(name, None)
        more = [(name, command.get_short_help_str()) for name in left if (command := self.get_command(ctx, name))]
        if more:
            with formatter.section("More"):
                formatter.write_dl(more)

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the program; characters that the encoding of the output does not have are written with others."""
        show_signs()
        try:
            try:
                return super().main(*args, **extra)
            finally:
                sys.stdout.flush()
        except OSError as error:
            if error.errno == errno.EPIPE or not _output_fails():
                raise
            click.echo(f"cardledger: store.write: the output cannot be written: {error.strerror}", err=True)
            with suppress(OSError, ValueError):  # what is left of it must not fail once more at the end
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(2)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except click.BadParameter as error:
            chosen = re.match(r"'(.*)' is not one of", error.message)
            if chosen is None or error.param is None or not isinstance(error.param.type, click.Choice):
                raise
            said = f"{error.message.removesuffix('.')}{meant(chosen[1], error.param.type.choices)}."
            raise click.BadParameter(said, error.ctx, error.param, error.param_hint) from None
        except LedgerError as error:
            message = _with_kind(error) if isinstance(error, NoLedgerError) else error.message
            click.echo(f"cardledger: {error.code}: {printable(message)}", err=True)
            if hint := what_next(error):
                click.echo(f"  {printable(hint)}", err=True)
            ctx.exit(2)
        except UNREADABLE as error:
            click.echo(f"cardledger: {printable(str(unreadable(error)))}", err=True)
            ctx.exit(2)


def _with_kind(error: NoLedgerError) -> str:
    """Return the message about a file that is no ledger, with what it is; a database that is damaged says nothing."""
    with suppress(OSError), error.path.open("rb") as file:
        found = recognised_file(file, error.path.name)
        if found.kind not in ("unknown", "ledger"):
            return f"{error.message}: {found.words}"
    return f"{error.message}, or its beginning is damaged: run cardledger doctor for advice"


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

    A match is a file of events, one JSON object on each line; a ledger is a database of matches.

    \b
    Examples:
      cardledger games
      cardledger replay samples/diversity-club-night.jsonl
      cardledger import samples/diversity-club-night.jsonl --db club.db
    """
    settings.take(ctx, file)
    # Folding makes many small objects that live long: searching them for cycles less often saves a fifth of the time.
    gc.set_threshold(50_000, 20, 20)


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


@main.command("games")
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


@main.command()
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


@main.command()
@click.argument("code")
@json_option("An object: `code`, `meaning` and `remedy`.")
def explain(code: str, as_json: bool) -> None:
    """Print what CODE means and what to do next: the word before the colon of a message.

    \b
    Examples:
      cardledger explain store.conflict
      cardledger explain follow.suit
    """
    found = explained(code)
    if found is None:
        near = get_close_matches(code, known_codes(), 3)
        close = f"; did you mean {' or '.join(near)}?" if near else ""
        raise StoreError(
            "store.unknown", f"there is no code {code!r}: it is the word before the colon of a message{close}"
        )
    if as_json:
        print_json({"code": code, **found._asdict()})
    else:
        print_text(found.meaning, found.remedy)


@main.command()
@click.argument("matches", nargs=-1, metavar="[MATCH]...")
@click.option(
    "--as-stored", is_flag=True, help="With pseudonyms in place of names and texts, as the hashes cover them."
)
@click.option("--format", type=click.Choice(FORMATS), help="Boards of bridge as PBN or LIN instead of a match file.")
@click.option(
    "--latin-1", "latin_1", is_flag=True, help="With --format: in Latin-1, for old programs, instead of UTF-8."
)
@click.option("--html", is_flag=True, help="One match as a file of HTML, which opens without a server.")
@click.option(
    "--language", type=click.Choice(["en", "de", "fr"]), default="en", help="With --html: the language of its pages."
)
@click.option("--small", is_flag=True, help="With --html: without other moves, what a seat can know, and the quiz.")
@db_option
def export(
    matches: tuple[str, ...],
    as_stored: bool,
    format: Format | None,
    latin_1: bool,
    html: bool,
    language: str,
    small: bool,
    path: Where,
) -> None:
    """Write matches as a match file to standard output: all of them, or those named by id.

    The beginning of an id is enough if it is unique. Clubs, sessions and leagues are not part of a match file: `backup`
    and `copy` carry them. With --format, matches of bridge are written as PBN or LIN, each as it stands with its
    corrections. An evening of pairs, by name or id, is written whole as USEBIO: its pairs with their places, and the
    travellers with points and rulings. With --html, a match is written as its pages show it to every reader, with the
    replay and the rulings, in one file; its readers try other moves, ask what a seat can know, and take the quiz of a
    hand, unless it is --small. What each choice of a quiz costs is found out now, for 20 seconds at most: hands for which
    that is too short have no quiz.

    \b
    Examples:
      cardledger export --db club.db
      cardledger export --format pbn --db club.db
      cardledger export --format usebio "Bridge pairs" --db club.db
      cardledger export --html 19d1 --db club.db
    """
    if html and (as_stored or format is not None or len(matches) != 1):
        raise click.UsageError("--html is for one match as it stands: name one, without --as-stored and --format")
    if small and not html:
        raise click.UsageError("--small is for --html: it says what the file leaves out")
    if format is not None and as_stored:
        raise click.UsageError("--as-stored is for match files: leave out --format")
    with Ledger(path, create=False) as ledger:
        if not matches:
            expect_sound(ledger.store)
        out = sys.stdout.buffer
        if html:
            caught_up(ledger)
            match = ledger.resolve(matches[0])
            out.write(page_file(ledger, match, language, small=small, told=partial(click.echo, err=True)).encode())
            return
        if format == "usebio" and (evenings := _evenings_meant(ledger, matches)):
            for text in usebio_of_evenings(written_evening(ledger, evening) for evening in evenings):
                out.write(encoded(text, latin_1))
            return
        ids = [ledger.resolve(match) for match in matches] or ledger.matches()
        if format is None:
            for text in ledger.export(ids, as_stored=as_stored):
                out.write(text.encode())
        else:
            folded = (ledger.folded(match).stream for match in ids)
            bridge = (stream for stream in folded if matches or stream.table.game.id == BRIDGE)
            for text in written(bridge, format):
                out.write(encoded(text, latin_1))


def _evenings_meant(ledger: Ledger, names: tuple[str, ...]) -> list[str]:
    """Return the sessions that all of some names mean; none if one of them means something else."""
    caught_up(ledger)
    found = [_meant_to_export(ledger, name) for name in names]
    return [ledger.evenings.resolve(id) for id in found] if all(id.startswith("session-") for id in found) else []


def _meant_to_export(ledger: Ledger, name: str) -> str:
    """Return the evening with a name; else what a match is called; else the evening whose name begins so."""
    if any(row["kind"] == "session" for row in evenings_named(ledger, name)):
        return evening_meant(ledger, name, "session")
    try:
        return ledger.resolve(name)
    except StoreError as error:
        if error.code != "store.unknown":
            raise
    return evening_meant(ledger, name, "session")


main.add_command(import_command)
main.add_command(matches_command)
main.add_command(hands_command)
main.add_command(replay)
main.add_command(show)
main.add_command(tables_command)
main.add_command(publish_data)
main.add_command(simulate)
main.add_command(verify)
main.add_command(rebuild)
