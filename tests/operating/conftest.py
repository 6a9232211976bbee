"""Fixtures of operating a server: an application that breaks on demand, and its log as JSON."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.errors import StoreError
from cardledger_api.auth.limits import Limits
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving.logs import begin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flask import Flask


@pytest.fixture
def app(tmp_path) -> Iterator[Flask]:
    """An application on an empty ledger with three addresses that break."""
    app = create_app(tmp_path / "club.db", limits=Limits.of(0))
    app.testing = False

    def breaks() -> str:
        raise RuntimeError("the roof is on fire")

    def fails() -> str:
        raise StoreError("store.write", "no space left on device")

    app.add_url_rule("/breaks/<name>", "breaks", lambda name: breaks())
    app.add_url_rule("/api/v1/breaks", "api.breaks", breaks)
    app.add_url_rule("/api/v1/fails", "api.fails", fails)
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture
def log() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """The log of this test so far, each line as an object."""
    stream = io.StringIO()
    end = begin("json", stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    end()
