"""Commands of the web part: `cardledger serve` and `cardledger demo`."""

from __future__ import annotations

from contextlib import ExitStack
from importlib.metadata import version
from logging import INFO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ledger.cli import db_option
from ledger.errors import LedgerError
from ledger.matchfile import Problem
from ledger.proofs.sealer import Sealer
from ledger.settings import Configured
from ledger.store.file import linked_sqlite_has_wal_bug
from ledger.store.where import Where, where
from web.app import access_of, create_app, ledger_of
from web.demo import import_samples, sample_files
from web.operating.logs import begin, told
from web.options import Serving, serving_options
from web.serving import listen, reachable, run, stopping_on_sigterm

if TYPE_CHECKING:
    from flask import Flask

OWNER = "owner"
"""The name by which is recorded what the one who serves records."""


@click.command(cls=Configured)
@db_option
@click.option(
    "--views",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Keep the read models in this file.  [default: beside the ledger, or in your cache folder]",
)
@serving_options
def serve(path: Where, views: Path | None, **given: Any) -> None:
    """Serve the pages and the API of a ledger, on this computer or to a network.

    The ledger is created if it does not exist. Ctrl+C or SIGTERM stops the server after the requests in flight.
    Recording takes a token: the link printed at the start has one that is good until the server stops, and
    "cardledger token" makes others. Where others reach the server, reading takes one as well.
    Any number of servers may serve one ledger in a PostgreSQL database; each keeps read models of its own.

    \b
    Examples:
      cardledger serve
      cardledger serve --db club.db --port 8080
      cardledger serve --db club.db --host 0.0.0.0
      cardledger serve --log json --metrics admin
      cardledger serve --db postgresql://club@db.example.org/ledger --views /var/lib/cardledger/views.db
    """
    serving = Serving(**given)
    with ExitStack() as stack:
        stack.enter_context(stopping_on_sigterm())
        stack.callback(begin(serving.log))
        _serve(_opened(path, serving, stack, views), path, serving)


@click.command()
@click.option(
    "--db", "path", type=where, metavar="LEDGER",
    help="Keep the ledger in this file; otherwise it is temporary and gone afterwards.",
)  # fmt: skip
@serving_options
def demo(path: Where | None, **given: Any) -> None:
    """Import the samples that come with the program, then serve them.

    \b
    Examples:
      cardledger demo
      cardledger demo --db demo.db --port 0
    """
    serving = Serving(**given)
    files = sample_files()
    if not files:
        _fail("there are no sample files: neither in the installed package nor in a folder samples/")
    with ExitStack() as stack:
        stack.enter_context(stopping_on_sigterm())
        stack.callback(begin(serving.log))
        if path is None:
            folder = stack.enter_context(TemporaryDirectory(prefix="cardledger-"))
            path = Path(folder) / "demo.db"
        app = _opened(path, serving, stack)
        total = new = 0
        for file, found in import_samples(ledger_of(app), files):
            problems = [item for item in found if isinstance(item, Problem)]
            fresh = sum(not isinstance(item, Problem) and item.new > 0 for item in found)
            matches = len(found) - len(problems)
            total, new = total + matches, new + fresh
            click.echo(f"{file.name}: {_count(matches)}")
            for problem in problems:
                click.echo(f"  {problem}", err=True)
        click.echo(
            f"Imported {_count(new)} from {len(files)} files"
            + (f", {total - new} already known" if total > new else "")
        )
        _serve(app, path, serving)


def _opened(path: Where, serving: Serving, stack: ExitStack, views: Path | None = None) -> Flask:
    """Return the application of a ledger, which the stack closes."""
    try:
        app = create_app(path, views=views, **serving.settings())
    except LedgerError as error:
        _fail(str(error))
    stack.callback(ledger_of(app).close)
    stack.callback(access_of(app).close)
    return app


def _serve(app: Flask, path: Where, serving: Serving) -> None:
    if linked_sqlite_has_wal_bug():
        click.echo(
            "Warning: the SQLite in use has a bug that can lose data when two connections write at once. "
            "This ledger is safe: it lets only one write at a time. Other programs should not write to its file.",
            err=True,
        )
    try:
        server = listen(app, serving.port, serving.host)
    except OSError as error:
        _fail(
            f"port {serving.port} cannot be used at {serving.host}: {error.strerror}. "
            "Choose another with --port, or --port 0 for any free one."
        )
    # Browsers send a cookie to every port of a host: another server's is not to overwrite ours.
    app.config["SESSION_COOKIE_NAME"] = f"cardledger-{server.effective_port}"
    address = f"http://{reachable(server.effective_host)}:{server.effective_port}/"
    click.echo(f"Serving {path} at {address} \u2014 press Ctrl+C to stop")
    click.echo(f"To record, open this once; it signs you in: {address}?token={access_of(app).lend(OWNER, 'admin')}")
    sealer = app.extensions["cardledger.sealer"] = Sealer(ledger_of(app))
    sealer.start()
    about = {"ledger": str(path), "address": address}
    told(INFO, "start", **about, version=version("cardledger"))
    run(server)
    told(INFO, "stop", **about)


def _count(matches: int) -> str:
    return "1 match" if matches == 1 else f"{matches} matches"


def _fail(message: str) -> NoReturn:
    """End with one line and status 2."""
    click.echo(f"cardledger: {message}", err=True)
    raise SystemExit(2)
