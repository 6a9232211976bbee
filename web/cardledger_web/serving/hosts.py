"""Hosts: the names of this server, so that a foreign name that points here (DNS rebinding) gets no answer."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from werkzeug.exceptions import BadRequest
from werkzeug.sansio.utils import get_host

from cardledger_api.http.passage import passage_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from _typeshed.wsgi import WSGIEnvironment
    from flask import Flask, Request

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
"""The local names of this computer."""


def is_loopback(host: str) -> bool:
    """Tell whether an address or name reaches this computer only."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


class WrongHost(BadRequest):
    """The request was meant for another server's name."""

    problem = "access.host"


def add_host_check(app: Flask, hosts: Collection[str] | None) -> None:
    """Answer requests for these names only; None for any: a server on a network does not know all its names."""
    if hosts is None:
        return

    def check(asked: Request) -> None:
        if _name(asked.environ.get("HTTP_HOST") or asked.host) not in hosts:
            raise WrongHost("This server does not have that name. Use one of its own addresses.")

    passage_of(app).checks.append(check)


def host_in(environ: WSGIEnvironment) -> str | None:
    """Return the name or address that a request's Host header gives, None if there is no valid one."""
    host = environ.get("HTTP_HOST")
    return _name(host) if host else None


@lru_cache(256)
def _name(host: str) -> str | None:
    """Return the name or address in a Host header, None if there is no valid one."""
    try:
        return urlsplit(f"//{get_host('http', host)}").hostname
    except ValueError:  # brackets without an address in them
        return None
