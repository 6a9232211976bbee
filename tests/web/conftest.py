"""Fixtures of the pages: an application on an empty ledger, and one on the club's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.club import fill
from web.app import create_app, ledger_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask
    from flask.testing import FlaskClient


@pytest.fixture
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application on an empty ledger."""
    app = create_app(tmp_path_factory.mktemp("empty") / "empty.db")
    yield app
    ledger_of(app).close()


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application on the club's ledger, for reading."""
    app = create_app(tmp_path_factory.mktemp("club") / "club.db")
    fill(ledger_of(app))
    yield app
    ledger_of(app).close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of the club's application."""
    return app.test_client()
