"""The service worker, which lets scoring pages open without a connection.

It is served at the top, so it may answer for every page.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from flask import Response, current_app, url_for

from cardledger.errors import LedgerError
from cardledger.record.readmodels.questions.evenings import table_of
from cardledger_api.current import current_ledger
from cardledger_web.languages import LANGUAGES, SOURCE, script_texts
from cardledger_web.pages.blueprint import pages
from cardledger_web.views.evening_running import session_of

KEPT_UNTIL: Final = "Kept-Until"
"""The header of a scoring page that says until when a browser may keep it: it holds names."""
EVENING: Final = timedelta(hours=12)
"""How long an evening lasts, at most, after a page was opened."""
_ERASURES: Final = "Erasures"
if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger

_NEEDED = ("*.js", "*.css", "icon.svg")
"""The static files that scoring pages are made of."""


def kept_until(ledger: Ledger, match: str) -> str | None:
    """Return until when browsers may keep the scoring page of a match; None once its evening is closed."""
    table = table_of(ledger, match)
    if table is not None and session_of(ledger, table.evening).status == "closed":
        return None
    return (datetime.now(UTC) + EVENING).isoformat(timespec="seconds")


@pages.after_app_request
def say_erasures(answer: Response) -> Response:
    """Say with every page how many players were erased: browsers then drop what they kept before."""
    if (answer.content_type or "").startswith("text/html"):
        with suppress(LedgerError):
            answer.headers[_ERASURES] = str(current_ledger().people().erasures)
    return answer


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
