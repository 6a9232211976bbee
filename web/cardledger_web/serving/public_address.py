"""The address that others reach the server at: links, QR codes and previews name it, whatever name this request used."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from flask import current_app, has_request_context, request

from cardledger_web.serving.hosts import is_loopback

if TYPE_CHECKING:
    from flask import Flask

SAID, NETWORK = "CARDLEDGER_PUBLIC", "CARDLEDGER_NETWORK"
"""Keys of the configuration: the address that the operator named, and that of a server which listens to its network."""
_ELSEWHERE = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737): asking for the way there sends nothing."""


def set_public_address(app: Flask, said: str | None, network: str | None) -> None:
    """Name the addresses of a server, as `https://club.example`; None where there is none."""
    app.config[SAID], app.config[NETWORK] = said, network


def as_others_reach_it(address: str) -> str:
    """Return an absolute address of this server as others can open it.

    The operator's word counts always. Else a request that came to this computer's own name (`localhost`) says nothing
    of what others use: then the address in the network stands there, if the server listens to it.
    """
    public = current_app.config.get(SAID)
    if public is None and has_request_context() and is_loopback(urlsplit(address).hostname or ""):
        public = current_app.config.get(NETWORK)
    if public is None:
        return address
    scheme, host, *_ = urlsplit(public)
    return str(urlunsplit((scheme, host, *urlsplit(address)[2:])))


def reaches_others() -> bool:
    """Tell whether absolute addresses on the page that is being made lead others here."""
    return not is_loopback(urlsplit(as_others_reach_it(request.host_url)).hostname or "")


def network_address(port: int, *, six: bool = False) -> str | None:
    """Return the address at which the network of this computer reaches a port; None without a network."""
    try:
        with socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.connect(("2001:db8::1", 9) if six else _ELSEWHERE)
            host = str(asked.getsockname()[0])
    except OSError:
        return None
    if is_loopback(host):
        return None
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
