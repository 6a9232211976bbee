"""The ledger and the access control of the application that answers the request under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import current_app, g

if TYPE_CHECKING:
    from flask import Flask

    from cardledger.record.people.people import People
    from cardledger.record.recording.ledger import Ledger
    from cardledger_api.auth.access import Access


def ledger_of(app: Flask) -> Ledger:
    """Return the ledger an application was created with."""
    ledger: Ledger = app.extensions["cardledger"]
    return ledger


def access_of(app: Flask) -> Access:
    """Return the access control of an application."""
    access: Access = app.extensions["cardledger.access"]
    return access


def current_ledger() -> Ledger:
    """Return the ledger that the request is about."""
    return ledger_of(current_app)


def people_of(ledger: Ledger) -> People:
    """Return the people as known at the start of the request."""
    if "people" not in g:
        g.people = ledger.people()
    people: People = g.people
    return people


def current_access() -> Access:
    """Return what checks who may do what in this request."""
    return access_of(current_app)
