"""The files of the pages: each at an address with the hash of what it holds, so that browsers keep it for good.

A script comes with all that it imports; a page that asks for much has one file of each kind (`BUNDLES`).
"""

from __future__ import annotations

import mimetypes
import re
from functools import cache, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from flask import Response, json, request

from cardledger_web.figures import plotlyjs
from cardledger_web.languages import others, script_texts
from cardledger_web.serving.compression import encoded, free_of_secrets, wanted_encoding
from cardledger_web.serving.modules import together

if TYPE_CHECKING:
    from pathlib import Path

    from flask import Flask

FOR_GOOD = "public, max-age=31536000, immutable"
_HASHED = re.compile(r"(?P<stem>[\w.-]{1,80})\.(?P<hash>[0-9a-f]{16})\.(?P<kind>css|js|svg|png)", re.ASCII)
_KINDS = (".css", ".js", ".svg", ".png")
"""Files with a hash in their address; the others keep their names where they are saved, or name others beside them."""
_AS_IT_IS = re.compile(r"texts\.\w+\.js|.*\.min\.js|worker\.js")
"""Scripts that are no modules."""


def texts_of(language: str) -> str:
    """Return the name of the script with the sentences of all scripts in a language other than English."""
    return f"texts.{language}.js"


BUNDLES = {
    "replayer.css": ("table.css", "replay.css", "plotly.css", "discussion.css"),
    "replayer.js": ("times.js", "roving.js", "replay.js", "figure.js"),
    "replayer-framed.css": ("table.css", "replay.css"),
    "replayer-framed.js": ("roving.js", "replay.js"),
}
"""Files that are made of several; a script of them has the sentences of a language in front, as `replayer.de.js`."""


class Asset(NamedTuple):
    """A file as it is sent: its bytes, their hash, and its media type."""

    body: bytes
    hash: str
    media: str

    @lru_cache(256)  # noqa: B019 - assets are few, and live as long as the program
    def packed(self, encoding: str) -> bytes:
        """Return the bytes in an encoding, packed once as small as can be."""
        return encoded(self.body, encoding, best=True)


class Assets:
    """The files of the pages in a folder; each is read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names = frozenset(path.name for path in folder.iterdir() if path.is_file())
        self._made: dict[str, Asset] = {}

    def asset(self, name: str) -> Asset:
        """Return a file; raises FileNotFoundError for a name that is not there."""
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def address(self, name: str) -> str:
        """Return the name of a file with its hash, or as it is if it has none."""
        if not name.endswith(_KINDS):
            return name
        stem, _, kind = name.rpartition(".")
        return f"{stem}.{self.asset(name).hash}.{kind}"

    def find(self, address: str) -> tuple[Asset, bool] | None:
        """Return the file of a name with a hash, and whether the hash is its own; None for any other name.

        A page of an earlier version may ask for another hash: it gets the file as it is now.
        """
        found = _HASHED.fullmatch(address)
        if found is None:
            return None
        try:
            asset = self.asset(f"{found['stem']}.{found['kind']}")
        except FileNotFoundError:
            return None
        return asset, asset.hash == found["hash"]

    def _make(self, name: str) -> Asset:
        stem, _, kind = name.rpartition(".")
        bundle, _, language = stem.partition(".")
        if language in others() and kind == "js" and f"{bundle}.js" in BUNDLES:
            parts = (texts_of(language), *BUNDLES[f"{bundle}.js"])
        else:
            parts = BUNDLES.get(name, (name,))
        if kind == "js":
            before = [self._text(part) for part in parts if _AS_IT_IS.fullmatch(part)]
            modules = [part for part in parts if not _AS_IT_IS.fullmatch(part)]
            body = "".join([*before, together(modules, self._text) if modules else ""]).encode()
        else:
            body = b"".join(self._bytes(part) for part in parts)
        media = mimetypes.guess_type(f"x.{kind}")[0] or "application/octet-stream"
        charset = "" if kind == "png" else "; charset=utf-8"
        return Asset(body, sha256(body).hexdigest()[:16], media + charset)

    def _text(self, name: str) -> str:
        return self._bytes(name).decode()

    def _bytes(self, name: str) -> bytes:
        if name in map(texts_of, others()):
            said = script_texts(name.split(".")[1])
            return f"globalThis.TEXTS = {json.dumps(said, ensure_ascii=False)};\n".encode()
        if name not in self._names:
            raise FileNotFoundError(name)
        return (self.folder / name).read_bytes()


@cache
def _assets_of(folder: Path) -> Assets:
    """Return the files of a folder, the same for all ledgers that a process serves."""
    return Assets(folder)


def add_assets(app: Flask, folder: Path) -> None:
    """Serve the files of the pages, and let `url_for` write their addresses."""
    assets = app.extensions["cardledger.assets"] = _assets_of(folder)

    def hashed(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "filename" in values:
            values["filename"] = assets.address(values["filename"])

    app.url_defaults(hashed)
    app.jinja_env.globals |= {"texts_of": texts_of, "plotly": plotlyjs.NAME}
    plain = app.view_functions["static"]

    def static(filename: str) -> Response:
        found = assets.find(filename)
        if found is None:
            return app.make_response(plain(filename=filename))  # type: ignore[arg-type] # views of Flask are not async here
        asset, current = found
        free_of_secrets(request.environ)
        headers = {"Cache-Control": FOR_GOOD if current else "no-cache", "Vary": "Accept-Encoding"}
        encoding = wanted_encoding(request.environ.get("HTTP_ACCEPT_ENCODING"))
        body = asset.body
        if encoding is not None and not asset.media.startswith("image/png"):
            headers["Content-Encoding"] = encoding
            body = asset.packed(encoding)
        return Response(body, headers=headers, content_type=asset.media)

    app.view_functions["static"] = static


def assets_of(app: Flask) -> Assets:
    """Return the files of an application's pages."""
    assets: Assets = app.extensions["cardledger.assets"]
    return assets
