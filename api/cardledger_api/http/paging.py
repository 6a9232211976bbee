"""Pages of lists: links to the next and the first one, as a header (RFC 8288)."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from flask import request

from cardledger_api.http.addresses import here

CURSOR = "after"
"""The argument that holds the cursor of a page."""


def page_links(next: object) -> str:
    """Return the links of a page to the one after a cursor, with the other arguments of the request, and to the first.

    They are relative to this server, whatever name a proxy gives it.
    """
    asked = {name: value for name, value in request.args.items() if name != CURSOR}
    path = quote(here())
    links = {"next": asked | {CURSOR: str(next)}, "first": asked}
    return ", ".join(
        f'<{path}{"?" if given else ""}{urlencode(given)}>; rel="{relation}"' for relation, given in links.items()
    )
