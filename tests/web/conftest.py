"""Fixtures of the pages: an application on an empty ledger, and one on the club's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardledger.study.stats import Statistics
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from tests.waiting import LIMIT
from tests.web.club import fill, sign_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient


def opened(path: Path) -> Iterator[Flask]:
    """An application whose test clients are an admin's, without a rate limit."""
    app = create_app(path, limits=Limits.of(0))
    sign_in(app)
    Statistics.of(ledger_of(app).views).sheets.patience = LIMIT
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application on an empty ledger."""
    yield from opened(tmp_path_factory.mktemp("empty") / "empty.db")


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """An application on the club's ledger, for reading."""
    for app in opened(tmp_path_factory.mktemp("club") / "club.db"):
        fill(ledger_of(app))
        yield app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of the club's application."""
    return app.test_client()
