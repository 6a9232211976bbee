"""The command line: `cardledger` and its commands."""

from __future__ import annotations

import errno
import gc
import os
import re
import sys
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click

from cardledger import settings
from cardledger.cli.notices import what_next
from cardledger.cli.sections import SECTIONS
from cardledger.cli.signs import show_signs
from cardledger.errors import LedgerError, NoLedgerError
from cardledger.formats.recognition import recognised_file
from cardledger.installation import whole_installation
from cardledger.listed import meant
from cardledger.plugins import loaded
from cardledger.record.matches.matchfile import printable
from cardledger.record.store.sqlite_errors import UNREADABLE, unreadable
from cardledger.rules.games import COMPILED


def _output_fails() -> bool:
    """Tell whether nothing can be printed: an error of the system does not say which file it was about."""
    try:
        os.write(sys.stdout.fileno(), b"\n")
    except (OSError, ValueError):  # a ValueError for an output that is closed
        return True
    return False


class Commands(click.Group):
    """The commands under the entry-point group `cardledger.commands`, of this package and of others.

    Each is loaded when it is called. A LedgerError that is not caught becomes one line on standard error and exit
    status 2.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands in alphabetical order."""
        return sorted({*self.commands, *entry_points(group="cardledger.commands").names})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by its name, loaded; raises StoreError `store.extra` if this installation is too small."""
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
            with whole_installation():
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
