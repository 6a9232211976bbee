"""oEmbed: what another page shows in place of a link to a hand, a match or a moment of one (https://oembed.com).

Other sites ask here, without a token; they get the frame of the replayer, which shows what all readers may see.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Response, abort, current_app, jsonify, request, url_for
from werkzeug.exceptions import HTTPException

from cardledger.errors import FormatError
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import game
from cardledger_api.auth.visible import see_as_reader
from cardledger_api.current import current_ledger
from cardledger_web.dates import in_words
from cardledger_web.languages import _, translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.serving.headers import allow_frames

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH, HEIGHT = 800, 600
"""The size of the frame in pixels, unless less is asked for."""
_LONGEST = 4
"""Digits of a size that is asked for."""
_FRAMED = frozenset({"pages.replay", "pages.hand", "pages.match"})


@pages.get("/oembed")
def oembed() -> Response:
    see_as_reader()
    allow_frames(request.environ)
    if request.args.get("format", "json") != "json":
        abort(501)
    endpoint, values = _linked(request.args.get("url", ""))
    ledger = current_ledger()
    row, table = match_row(ledger, values["match"]), ledger.stream(values["match"]).table
    title = ", ".join((translated(game(row["game"]).title), in_words(row["date"], row["period"])))
    if endpoint == "pages.replay":
        seq = int(values["seq"])
    else:
        number = int(values.get("number", 1))
        seq = table.hands[number - 1].first if 1 <= number <= len(table.hands) else 0
        if endpoint == "pages.hand":
            title = _("Hand %(number)s, %(title)s", number=number, title=title)
    if not 1 <= seq <= row["seq"]:
        abort(404)
    width, height = _size("maxwidth", WIDTH), _size("maxheight", HEIGHT)
    frame = url_for("pages.replay", match=values["match"], seq=seq, embed=1, _external=True)
    return jsonify(
        version="1.0",
        type="rich",
        title=title,
        provider_name="cardledger",
        provider_url=url_for("pages.home", _external=True),
        width=width,
        height=height,
        html=f'<iframe src="{escape(frame)}" width="{width}" height="{height}" title="{escape(title)}" loading="lazy" style="border:0"></iframe>',
        thumbnail_url=url_for("pages.replay_picture", match=values["match"], seq=seq, _external=True),
        thumbnail_width=1200,
        thumbnail_height=630,
    )


def _linked(url: str) -> tuple[str, Mapping[str, str]]:
    """Return the page of this server that a link leads to, and the values of its address; 404 for any other."""
    asked = urlsplit(url)
    here = {urlsplit(request.url).netloc, urlsplit(url_for("pages.home", _external=True)).netloc}
    if asked.scheme not in ("http", "https") or asked.netloc not in here:
        abort(404)
    try:
        found = current_app.url_map.bind(asked.netloc).match(asked.path, method="GET")
    except HTTPException:
        abort(404)
    if found[0] not in _FRAMED:
        abort(404)
    return found[0], found[1]


def _size(name: str, most: int) -> int:
    """Return a size of the frame; raises FormatError `format.value` for one that is no number of pixels."""
    text = request.args.get(name, str(most))
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST and int(text)):
        raise FormatError("format.value", f"{name} must be a number of pixels")
    return min(most, int(text))
