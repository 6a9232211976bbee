"""Options of the commands that serve: the address, who may read, and the request rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import click

from cardledger.record.backup.drills import DAYS
from cardledger_api.auth.limits import READS, Limits
from cardledger_api.http.cors import ANY
from cardledger_web.serving.hosts import LOOPBACK, is_loopback
from cardledger_web.serving.logs import KINDS
from cardledger_web.serving.metrics import READERS

PORT = 8000


def _origin(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    for text in given:
        if text != ANY and not _is_origin(text):
            raise click.BadParameter(f"{text!r} is not an origin: write it as https://example.org, without a path")
    return given


def _public(_context: click.Context, _option: click.Parameter, given: str | None) -> str | None:
    if given is not None and not (_is_origin(given) and given.startswith(("http://", "https://"))):
        raise click.BadParameter(
            f"{given!r} is not the address of a server: write it as https://club.example, without a path"
        )
    return given


def _is_origin(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return bool(parts.netloc) and text == f"{parts.scheme}://{parts.netloc}"


_OPTIONS = [
    click.option(
        "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
        help="Address to listen at; 0.0.0.0 opens it to the network.",
    ),
    click.option(
        "--port", metavar="N", type=click.IntRange(0, 65535), default=PORT, show_default=True,
        help="Port to listen on; 0 takes a free one.",
    ),
    click.option(
        "--public", metavar="ADDRESS", callback=_public,
        help="The address that others open, as https://club.example: links, QR codes and previews name it."
            "  [default: the name that was asked for, or the address in the network]",
    ),
    click.option(
        "--open-reading/--no-open-reading", default=None,
        help="Whether reading needs no token.  [default: open on this computer, not open at other addresses]",
    ),
    click.option(
        "--cors", multiple=True, metavar="ORIGIN", callback=_origin,
        help="Let pages of this origin, or * for any, use the API; may be repeated.",
    ),
    click.option(
        "--rate", type=click.FloatRange(0), default=READS.a_second, show_default=True, metavar="N",
        help="Requests a second each client may make, a quarter of them writing; 0 for any number.",
    ),
    click.option(
        "--proxy", type=click.IntRange(0, 10), default=0, show_default=True, metavar="N",
        help="Number of your proxies in front; their headers about the client are trusted.",
    ),
    click.option(
        "--log", type=click.Choice(KINDS), default=KINDS[0], show_default=True,
        help="What to log on standard error: only errors, or every request too, as text or JSON lines.",
    ),
    click.option(
        "--reviews/--no-reviews", default=True, show_default=True,
        help="Whether luck and reviews are computed while nothing is recorded, by a process of the lowest priority.",
    ),
    click.option(
        "--private-webhooks/--no-private-webhooks", default=False, show_default=True,
        help="Whether webhooks may send events to addresses of this computer and its network.",
    ),
    click.option(
        "--metrics", type=click.Choice(READERS), default=READERS[0], show_default=True,
        help="Who may read /metrics: this computer and admins (local), admins only, all, or nobody (off).",
    ),
    click.option(
        "--drill-days", type=click.FloatRange(0), default=DAYS, show_default=True, metavar="N",
        help="Days after which readiness and metrics say that a restore has to be proven again.",
    ),
]  # fmt: skip


def serving_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of serving to a command, which gets them as keywords."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Serving:
    """The values of the options."""

    host: str
    port: int
    open_reading: bool | None
    cors: tuple[str, ...]
    rate: float
    proxy: int = 0
    log: str = KINDS[0]
    metrics: str = READERS[0]
    reviews: bool = True
    private_webhooks: bool = False
    drill_days: float = DAYS
    public: str | None = None

    def settings(self) -> dict[str, Any]:
        """Return the keywords for an application."""
        # Through a proxy on this computer, other people can reach the server.
        local = is_loopback(self.host) and not self.proxy
        return {
            "open_reading": local if self.open_reading is None else self.open_reading,
            "limits": Limits.of(self.rate),
            "origins": self.cors,
            "hosts": LOOPBACK | {self.host.lower()} if local else None,
            "proxies": self.proxy,
            "metrics": self.metrics,
            "private_webhooks": self.private_webhooks,
            "drill_days": self.drill_days,
        }
