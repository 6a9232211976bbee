"""oEmbed: what another page shows in place of a link to a hand, a match or a moment of one (https://oembed.com).

Other sites ask here, without a token; they get the frame of the replayer, which shows what all readers may see, also
with a line that somebody keeps; a drawing as a picture; and of a quiz its question.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from flask import Response, abort, current_app, jsonify, request, url_for
from werkzeug.exceptions import HTTPException

from cardledger.errors import FormatError
from cardledger.record.matches.drawing import SIZE
from cardledger.record.readmodels.questions.match_list import match_row
from cardledger.rules.games import game
from cardledger_api.auth.visible import see_as_reader
from cardledger_api.current import current_ledger
from cardledger_web.dates import in_words
from cardledger_web.languages import _, translated
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.discussions import one_said
from cardledger_web.pages.quiz_preview import quiz_preview
from cardledger_web.pages.sharing import passed_on
from cardledger_web.serving.headers import allow_frames
from cardledger_web.views.replay import FRAME_HEIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH, HEIGHT = 800, FRAME_HEIGHT
"""The size of the frame in pixels, unless less is asked for."""
_LONGEST = 4
"""Digits of a size that is asked for."""
_FRAMED = frozenset({"pages.replay", "pages.hand", "pages.match", "pages.discussion"})
_DRAWN = frozenset({"pages.replay_drawing", "pages.trick_drawing"})


@pages.get("/oembed")
def oembed() -> Response:
    see_as_reader()
    allow_frames(request.environ)
    if request.args.get("format", "json") != "json":
        abort(501)
    endpoint, values = _linked(request.args.get("url", ""))
    match = values["match"]
    row = match_row(current_ledger(), match)
    told: dict[str, Any] = {
        "version": "1.0",
        "title": ", ".join((translated(game(row["game"]).title), in_words(row["date"], row["period"]))),
        "provider_name": "cardledger",
        "provider_url": url_for("pages.home", _external=True),
    }
    if endpoint in _DRAWN:
        return jsonify(told | _photo(endpoint, match, int(values["seq"])))
    if endpoint == "pages.quiz":
        return jsonify(told | _question(match, values))
    if endpoint == "pages.discussion":
        said = one_said(match, values.get("said", "")) or abort(404)
        told["title"] = f"{said.title}, {told['title']}"
        seq, line = said.event, f"what-if={said.line}" if said.line else None
    elif endpoint == "pages.replay":
        seq, line = int(values["seq"]), None
    else:
        table, line = current_ledger().stream(match).table, None
        number = int(values.get("number", 1))
        seq = table.hands[number - 1].first if 1 <= number <= len(table.hands) else 0
        if endpoint == "pages.hand":
            told["title"] = _("Hand %(number)s, %(title)s", number=number, title=told["title"])
    if not 1 <= seq <= row["seq"]:
        abort(404)
    return jsonify(told | _frame(match, seq, line, told["title"]))


def _frame(match: str, seq: int, line: str | None, title: str) -> dict[str, Any]:
    """Return the replayer at an event, in a frame; a `line` goes on from there."""
    width, height = _size("maxwidth", WIDTH), _size("maxheight", HEIGHT)
    frame = escape(url_for("pages.replay", match=match, seq=seq, embed=1, _external=True, _anchor=line))
    html = f'<iframe src="{frame}" width="{width}" height="{height}" title="{escape(title)}" loading="lazy" style="border:0"></iframe>'
    picture = url_for("pages.replay_picture", match=match, seq=seq, _external=True)
    return {"type": "rich", "width": width, "height": height, "html": html} | _thumbnail(picture)


def _photo(endpoint: str, match: str, seq: int) -> dict[str, Any]:
    """Return a drawing, as large as it may be; 404 for one that there is not."""
    view = passed_on(match, seq)
    if endpoint == "pages.trick_drawing" and view.trick() is None:
        abort(404)
    (wide, high) = SIZE
    width = min(_size("maxwidth", wide), _size("maxheight", high) * wide // high)
    return {
        "type": "photo",
        "url": url_for(endpoint, match=match, seq=seq, _external=True),
        "width": width,
        "height": width * high // wide,
    }


def _question(match: str, values: Mapping[str, str]) -> dict[str, Any]:
    """Return what another site shows of a quiz: its question and what its player saw, nothing of the answer. It is a link, no frame."""
    asked = quiz_preview(match, int(values["hand"]), values)
    return {"type": "link", "title": f"{asked.title}, {asked.words}"} | _thumbnail(asked.picture)


def _thumbnail(address: str) -> dict[str, Any]:
    return {"thumbnail_url": address, "thumbnail_width": 1200, "thumbnail_height": 630}


def _linked(url: str) -> tuple[str, Mapping[str, str]]:
    """Return the page of this server that a link leads to, and the values of its address and query; 404 for any other."""
    asked = urlsplit(url)
    here = {urlsplit(request.url).netloc, urlsplit(url_for("pages.home", _external=True)).netloc}
    root = f"{request.script_root}/"
    if asked.scheme not in ("http", "https") or asked.netloc not in here or not asked.path.startswith(root):
        abort(404)
    try:
        path = asked.path.removeprefix(request.script_root)
        found = current_app.url_map.bind(asked.netloc).match(path, method="GET")
    except HTTPException:
        abort(404)
    if found[0] not in _FRAMED | _DRAWN | {"pages.quiz"}:
        abort(404)
    return found[0], dict(parse_qsl(asked.query)) | {name: str(value) for name, value in found[1].items()}


def _size(name: str, most: int) -> int:
    """Return a size of the frame; raises FormatError `format.value` for one that is no number of pixels."""
    text = request.args.get(name, str(most))
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST and int(text)):
        raise FormatError("format.value", f"{name} must be a number of pixels")
    return min(most, int(text))
