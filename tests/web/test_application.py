"""The application finds an address as Flask does, only sooner."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.test import create_environ

from cardledger_web.serving.application import Application

if TYPE_CHECKING:
    from collections.abc import Mapping

HOSTS = [
    "localhost", "LocalHost:8000", "localhost:80", "localhost:443", "[::1]:5000", "192.0.2.7", "xn--bcher-kva.example",
    "b\xc3\xbccher.example", "two words", "under_score", f"{'x' * 70}.example", "",
]  # fmt: skip
PLACES = [
    {},
    {"PATH_INFO": "//twice"},
    {"PATH_INFO": "/b\xc3\xbccher/\xff", "QUERY_STRING": "n=\xc3\xbc", "SCRIPT_NAME": "/under/\xc3\xbc"},
    {"HTTP_CONNECTION": "keep-alive, Upgrade", "HTTP_UPGRADE": "websocket"},
]


def found(app: Flask, environ: dict[str, Any]) -> tuple[str, Mapping[str, Any]] | type[HTTPException]:
    """Return the host of a request and all that its address is read with, or the error."""
    asked = app.request_class(dict(environ))
    try:
        adapter = app.create_url_adapter(asked)
    except HTTPException as error:
        return type(error)
    if asked.routing_exception is not None:
        return type(asked.routing_exception)
    return asked.host, {name: value for name, value in vars(adapter).items() if name != "map"}


@pytest.mark.parametrize("host", HOSTS)
def test_an_address_is_read_as_flask_reads_it(host: str) -> None:
    ours, flasks = Application(__name__), Flask(__name__)
    for scheme, method, place in product(("http", "https"), ("GET", "POST"), PLACES):
        environ = create_environ(method=method) | {"HTTP_HOST": host, "wsgi.url_scheme": scheme} | place
        assert found(ours, environ) == found(flasks, environ)


def test_an_address_without_a_host_is_that_of_the_server() -> None:
    environ = create_environ(base_url="http://club.example:8000/")
    del environ["HTTP_HOST"]
    assert found(Application(__name__), environ) == found(Flask(__name__), environ)
