"""The service worker, which lets scoring pages open without a connection.

It is served at the top, so it may answer for every page.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from flask import Response, current_app, url_for

from cardledger_web.languages import LANGUAGES, SOURCE, script_texts
from cardledger_web.pages.blueprint import pages

_NEEDED = ("*.js", "*.css", "icon.svg")
"""The static files that scoring pages are made of."""


@pages.get("/worker.js")
def worker() -> Response:
    """Answer with the worker, the static files that it keeps, and a version that changes with any of them."""
    folder = Path(current_app.static_folder or "")
    files = sorted(path for pattern in _NEEDED for path in folder.glob(pattern) if path.name != "worker.js")
    code = (folder / "worker.js").read_text("utf-8")
    version = sha256(code.encode() + b"".join(path.read_bytes() for path in files) + _sentences()).hexdigest()[:16]
    addresses = [url_for("static", filename=path.name) for path in files]
    addresses += [url_for("pages.texts", language=each) for each in LANGUAGES if each != SOURCE]
    own = {each: script_texts(each, ("web/cardledger_web/static/worker.js",)) for each in LANGUAGES if each != SOURCE}
    given = {"VERSION": version, "FILES": addresses, "TEXTS": own}
    head = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in given.items())
    text = head + code
    return Response(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


def _sentences() -> bytes:
    return json.dumps([script_texts(each) for each in LANGUAGES if each != SOURCE]).encode()
