"""`cardledger serve --clubs`: many clubs in one server."""

from __future__ import annotations

from functools import partial
from importlib.metadata import version
from logging import INFO
from typing import TYPE_CHECKING

import click

from cardledger.apart import prepare
from cardledger.count_of import count_of
from cardledger.errors import LedgerError
from cardledger_api.auth.tokens import Tokens
from cardledger_api.auth.users import Users
from cardledger_api.beside.house import house_at
from cardledger_web.clubs.federation import COOKIE, add_federation
from cardledger_web.clubs.front import front
from cardledger_web.clubs.house import House
from cardledger_web.clubs.managing import ManagedHouse
from cardledger_web.clubs.opening import open_club
from cardledger_web.clubs.places import found_at, places_at
from cardledger_web.clubs.settings import HouseSettings
from cardledger_web.commands.beside import work_beside
from cardledger_web.commands.listening import address_of, fail, inheritance, listening, network_of, run_until_stopped
from cardledger_web.serving.logs import log_event
from cardledger_web.serving.public_address import set_public_address
from cardledger_web.serving.succession import succeeded_on_signal

if TYPE_CHECKING:
    from contextlib import ExitStack
    from pathlib import Path

    from flask import Flask

    from cardledger_web.clubs.club import HouseClub
    from cardledger_web.commands.options import Serving
    from cardledger_web.serving.server_parts import ServerParts


def serve_clubs(folder: Path, serving: Serving, stack: ExitStack, *, alone: bool) -> None:
    """Serve the clubs of a folder until a signal comes; `alone` is false if options of one ledger were given too."""
    if not alone:
        fail("--clubs serves the ledgers of a folder; leave out --new and --views, which are for one ledger")
    try:
        places = places_at(folder)
    except LedgerError as error:
        fail(str(error))
    settings = serving.settings()
    proxies = settings.pop("proxies")  # the house looks at their headers, once for all clubs
    if settings["hosts"] is not None:
        settings["hosts"] |= {place.host for place in places.values() if place.host is not None}
    network: str | None = None

    def made(club: HouseClub, shared: ServerParts) -> Flask:
        app = open_club(club, shared, rules, **settings)
        app.config["SESSION_COOKIE_NAME"] = f"cardledger-{server.effective_port}"
        set_public_address(app, serving.public, network)
        work_beside(app, club.place.at, reviews=serving.reviews, private_webhooks=serving.private_webhooks)
        return app

    app = front(lambda: [*house.clubs], listed=settings["open_reading"], hosts=settings["hosts"])
    tokens, rules = Tokens(house_at(folder)), HouseSettings(house_at(folder))
    stack.callback(tokens.close)
    stack.callback(rules.close)
    house = House(places, made, app, find=partial(found_at, folder), proxies=proxies)
    stack.callback(house.close)
    users = Users(tokens, open_reading=False, whose=" of this server's house")
    add_federation(app, users, ManagedHouse(folder, house, rules), settings["limits"])
    server = listening(house, serving, inheritance().listening)
    app.config["SESSION_COOKIE_NAME"] = f"{COOKIE}-{server.effective_port}"
    network = network_of(server)
    set_public_address(app, serving.public, network)
    address = address_of(server)
    click.echo(f"Serving {count_of(len(places), 'club')} of {folder} at {address} \u2014 press Ctrl+C to stop")
    if public := serving.public or network:
        click.echo(f"Others open {public}/")
    for name, place in places.items():
        click.echo(f"  {address}c/{name}/" + (f" and at {place.host}" if place.host else ""))
    prepare()
    house.start()
    about = {"clubs": len(places), "address": address}
    log_event(INFO, "start", **about, version=version("cardledger"))
    with succeeded_on_signal(server, None):
        run_until_stopped(server)
    log_event(INFO, "stop", **about)
