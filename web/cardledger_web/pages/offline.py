"""The service worker, which lets scoring pages open without a connection.

It is served at the top, so it may answer for every page.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from flask import Response, current_app, request, url_for

from cardledger_web.languages import LANGUAGES, SOURCE, script_texts
from cardledger_web.pages.blueprint import pages
from cardledger_web.serving.assets import texts_of
from cardledger_web.serving.compression import free_of_secrets

_OTHERS = [each for each in LANGUAGES if each != SOURCE]
NEEDED = (
    *(f"{name}.css" for name in ("style", "table", "score")),
    *(f"{name}.js" for name in ("times", "score")),
    "icon.svg",
    *map(texts_of, _OTHERS),
)
"""The files that scoring pages are made of, the style of all pages first."""


@pages.get("/worker.js")
def worker() -> Response:
    """Answer with the worker, the files that it keeps, and a version that changes with any of them."""
    free_of_secrets(request.environ)
    code = (Path(current_app.static_folder or "") / "worker.js").read_text("utf-8")
    own = {each: script_texts(each, ("web/cardledger_web/static/worker.js",)) for each in _OTHERS}
    given = {"FILES": [url_for("static", filename=name) for name in NEEDED], "TEXTS": own}
    text = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in given.items()) + code
    version = sha256(text.encode()).hexdigest()[:16]  # the addresses of the files change with what they hold
    text = f'const VERSION = "{version}";\n{text}'
    return Response(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})
