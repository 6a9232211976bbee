"""A server that a command runs: the port it listens at, its addresses, and its life until a signal ends it."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, NoReturn

import click

from cardledger_web.serving.garbage import long_lives_set_aside
from cardledger_web.serving.public_address import network_address
from cardledger_web.serving.server import listen, reachable, run
from cardledger_web.serving.succession import Inheritance, inherited
from cardledger_web.serving.watchdog import watched

if TYPE_CHECKING:
    from socket import socket

    from flask import Flask

    from cardledger_web.commands.options import Serving
    from cardledger_web.serving.server import Served


def listening(app: Flask | Served, serving: Serving, given: socket | None = None) -> Any:
    """Return a server that listens where the options say, or at a socket that is given.

    Ends the command if the port cannot be used.
    """
    try:
        return listen(app, serving.port, serving.host, given)
    except OSError as error:
        fail(
            f"port {serving.port} cannot be used at {serving.host}: {error.strerror}. "
            "Choose another with --port, or --port 0 for any free one."
        )


def address_of(server: Any) -> str:
    """Return the address of a server's first page on this computer."""
    return f"http://{reachable(server.effective_host)}:{server.effective_port}/"


def network_of(server: Any) -> str | None:
    """Return the address of a server in the network, None if it does not listen to all of it."""
    bound = ip_address(str(server.effective_host))
    return network_address(server.effective_port, six=bound.version == 6) if bound.is_unspecified else None


def run_until_stopped(server: Any) -> None:
    """Serve until a signal comes."""
    host = str(reachable(server.effective_host)).strip("[]")
    with long_lives_set_aside(), watched(host, server.effective_port):
        run(server)


def inheritance() -> Inheritance:
    """Return what this server got from systemd or its predecessor; ends the command if that cannot be used."""
    try:
        return inherited()
    except (OSError, ValueError) as error:
        fail(f"the socket that this server was given cannot be used: {error}")


def fail(message: str) -> NoReturn:
    """End the command with one line and status 2."""
    click.echo(f"cardledger: {message}", err=True)
    raise SystemExit(2)
