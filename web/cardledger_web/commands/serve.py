"""Commands of the web part: `cardledger serve` and `cardledger demo`."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from functools import partial
from importlib.metadata import version
from logging import INFO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardledger.apart import prepare
from cardledger.cli.notices import begin_anew, tell_if_new
from cardledger.cli.options import db_option, new_option
from cardledger.count_of import count_of
from cardledger.errors import LedgerError
from cardledger.record.matches.matchfile import Problem
from cardledger.record.recording.results import Imported
from cardledger.record.store.address import Where, where
from cardledger.record.store.streams import is_match
from cardledger.record.store.temporary import TemporaryFolder
from cardledger.settings import Configured
from cardledger.study.stats import Statistics
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.commands.beside import work_beside
from cardledger_web.commands.clubs import serve_clubs
from cardledger_web.commands.demo import import_samples, import_season
from cardledger_web.commands.listening import address_of, fail, inheritance, listening, network_of, run_until_stopped
from cardledger_web.commands.options import Serving, serving_options
from cardledger_web.samples_folder import sample_files
from cardledger_web.serving.logs import begin, log_event
from cardledger_web.serving.public_address import set_public_address
from cardledger_web.serving.server import stopping_on_signals
from cardledger_web.serving.succession import Inheritance, succeeded_on_signal

if TYPE_CHECKING:
    from flask import Flask

    from cardledger.record.recording.ledger import Ledger

OWNER = "owner"
"""The scorer's name for events recorded by the person who runs the server."""


@click.command(cls=Configured)
@db_option
@click.option(
    "--views",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="File for the read models.  [default: beside the ledger, or in your cache folder]",
)
@click.option(
    "--clubs",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Serve many clubs: each ledger NAME.db of a folder, or each of a list in a TOML file, at /c/NAME/.",
)
@new_option
@serving_options
def serve(path: Where, views: Path | None, clubs: Path | None, new: bool, **given: Any) -> None:
    """Serve the pages and the API of a ledger, or of each club in a folder, on this computer or to a network.

    The ledger is created if it does not exist and nothing of an earlier one is left there. Ctrl+C or SIGTERM stops the
    server after the requests in flight. Recording needs a token: the link printed at the start holds one that is valid
    until the server stops, and "cardledger token" makes others. If other computers can reach the server, reading needs
    a token too. Any number of servers may serve one ledger in a PostgreSQL database; each has its own read models.

    \b
    Examples:
      cardledger serve
      cardledger serve --db club.db --port 8080
      cardledger serve --db club.db --host 0.0.0.0
      cardledger serve --log json --metrics admin
      cardledger serve --clubs /var/lib/cardledger/clubs --host 0.0.0.0
      cardledger serve --db postgresql://club@db.example.org/ledger --views /var/lib/cardledger/views.db
    """
    serving = Serving(**given)
    with ExitStack() as stack:
        stack.enter_context(stopping_on_signals())
        stack.callback(begin(serving.log))
        if clubs is not None:
            serve_clubs(clubs, serving, stack, alone=not new and views is None)
            return
        inherited = inheritance()
        if inherited.before is not None:
            _expect_same_editions(inherited, path, views)
        elif new:
            _anew(path)
        app = _opened(path, serving, stack, views)
        tell_if_new(ledger_of(app))
        _serve(app, path, serving, inherited)


@click.command()
@click.option(
    "--db", "path", type=where, metavar="LEDGER",
    help="File for the ledger; without it the ledger is temporary.",
)  # fmt: skip
@click.option("--samples-only", is_flag=True, help="Leave out the club with its season of evenings.")
@serving_options
def demo(path: Where | None, samples_only: bool, **given: Any) -> None:
    """Import the samples that come with the program and a club's season of evenings, then serve them.

    The club is made up, and its season is the same every time.

    \b
    Examples:
      cardledger demo
      cardledger demo --db demo.db --port 0
      cardledger demo --samples-only
    """
    serving = Serving(**given)
    files = sample_files()
    if not files:
        fail(
            "there are no sample files, neither in the installed package nor in a folder samples/: "
            "install cardledger again"
        )
    with ExitStack() as stack:
        stack.enter_context(stopping_on_signals())
        stack.callback(begin(serving.log))
        if path is None:
            path = stack.enter_context(TemporaryFolder()).path / "demo.db"
        app = _opened(path, serving, stack)
        total = new = 0
        for file, items in import_samples(ledger_of(app), files):
            problems = [item for item in items if isinstance(item, Problem)]
            fresh = sum(not isinstance(item, Problem) and item.new > 0 for item in items)
            matches = len(items) - len(problems)
            total, new = total + matches, new + fresh
            click.echo(f"{file.name}: {count_of(matches, 'match')}")
            for problem in problems:
                click.echo(f"  {problem}", err=True)
        click.echo(
            f"Imported {count_of(new, 'match')} from {count_of(len(files), 'file')}"
            + (f", {total - new} already known" if total > new else "")
        )
        if not samples_only:
            _make_club(ledger_of(app))
        _serve(app, path, serving)


def _make_club(ledger: Ledger) -> None:
    """Store the club with its season, and say how much that is."""
    new_events: dict[str, int] = {}
    for result in import_season(ledger):
        if isinstance(result, Problem):
            click.echo(f"  {result}", err=True)
        else:
            id = result.match if isinstance(result, Imported) else result.evening
            new_events[id] = new_events.get(id, 0) + result.new
    evenings = sum(id.startswith("session-") for id in new_events)
    known = "" if any(new_events.values()) else ", already known"
    click.echo(
        f"A club's season: {count_of(evenings, 'evening')}, {count_of(sum(map(is_match, new_events)), 'match')}{known}"
    )


def _opened(path: Where, serving: Serving, stack: ExitStack, views: Path | None = None) -> Flask:
    """Return the application of a ledger; the stack closes it."""
    try:
        app = create_app(path, views=views, **serving.settings())
    except LedgerError as error:
        fail(str(error))
    stack.callback(ledger_of(app).close)
    stack.callback(access_of(app).close)
    return app


def _expect_same_editions(given: Inheritance, path: Where, views: Path | None) -> None:
    try:
        given.expect_same_editions(path, views)
    except (LedgerError, sqlite3.Error) as error:
        fail(str(error))


def _anew(path: Where) -> None:
    try:
        begin_anew(path)
    except LedgerError as error:
        fail(str(error))


def _serve(app: Flask, path: Where, serving: Serving, given: Inheritance | None = None) -> None:
    """Serve until a signal comes; without an inheritance, as for a ledger that is temporary, nobody succeeds."""
    server = listening(app, serving, given and given.listening)
    known = None if given is None else partial(access_of(app).known_here, app)
    with succeeded_on_signal(server, known) as serves:
        # Browsers send a cookie to every port of a host, so the port is in its name: another server's cookie must not
        # overwrite ours.
        app.config["SESSION_COOKIE_NAME"] = f"cardledger-{server.effective_port}"
        address = address_of(server)
        click.echo(f"Serving {path} at {address} \u2014 press Ctrl+C to stop")
        network = network_of(server)
        set_public_address(app, serving.public, network)
        if public := serving.public or network:
            click.echo(f"Others open {public}/")
        link = f"{address}?token={access_of(app).lend(OWNER, 'admin')}"
        if ledger_of(app).store.writable:
            click.echo(f"To record, open this once; it signs you in: {link}")
        else:
            click.echo(f"{path} is read-only. To see everything, open this once; it signs you in: {link}")
        if given is not None:
            access_of(app).take_over(given.ready(), app)
        work_beside(app, path, reviews=serving.reviews, private_webhooks=serving.private_webhooks)
        prepare()
        views = ledger_of(app).views
        views.background.lasting(Statistics.of(views).warm)
        about = {"ledger": str(path), "address": address}
        log_event(INFO, "start", **about, version=version("cardledger"))
        serves.set()
        run_until_stopped(server)
        log_event(INFO, "stop", **about)
