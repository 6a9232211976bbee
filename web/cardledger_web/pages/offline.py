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

from flask import Response, current_app, request, url_for

from cardledger.errors import LedgerError
from cardledger.record.readmodels.questions.evening_list import table_of
from cardledger_api.current import current_ledger
from cardledger_web.languages import others, script_texts
from cardledger_web.pages.blueprint import pages
from cardledger_web.serving.assets import texts_of
from cardledger_web.serving.compression import free_of_secrets
from cardledger_web.views.evening_running import session_of

KEPT_UNTIL: Final = "Kept-Until"
"""The header of a scoring page that says until when a browser may keep it: it holds names."""
EVENING: Final = timedelta(hours=12)
"""How long an evening lasts, at most, after a page was opened."""
_ERASURES: Final = "Erasures"
if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger

NEEDED = (
    *(f"{name}.css" for name in ("style", "table", "score", "receipt")),
    *(f"{name}.js" for name in ("times", "roving", "score", "new-match", "receipt-check")),
    "icon.svg",
    *map(texts_of, others()),
)
"""The files that scoring pages and the check of receipts are made of, the style of all pages first."""


def kept_until(ledger: Ledger, match: str) -> str | None:
    """Return until when browsers may keep the scoring page of a match; None once its evening is closed."""
    table = table_of(ledger, match)
    if table is not None and session_of(ledger, table.evening).status == "closed":
        return None
    return for_an_evening()


def for_an_evening() -> str:
    """Return until when browsers may keep what names people: as long as an evening may last."""
    return (datetime.now(UTC) + EVENING).isoformat(timespec="seconds")


@pages.after_request
def say_erasures(answer: Response) -> Response:
    """Say with every page how many players were erased: browsers then drop what they kept before."""
    if (answer.content_type or "").startswith("text/html"):
        with suppress(LedgerError):
            answer.headers[_ERASURES] = str(current_ledger().people().erasures)
    return answer


@pages.get("/worker.js")
def worker() -> Response:
    """Answer with the worker, the files that it keeps, and a version that changes with any of them."""
    free_of_secrets(request.environ)
    code = (Path(current_app.static_folder or "") / "worker.js").read_text("utf-8")
    own = {each: script_texts(each, ("web/cardledger_web/static/worker.js",)) for each in others()}
    given = {"FILES": [url_for("static", filename=name) for name in NEEDED], "TEXTS": own}
    text = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in given.items()) + code
    version = sha256(text.encode()).hexdigest()[:16]  # the addresses of the files change with what they hold
    text = f'const VERSION = "{version}";\n{text}'
    return Response(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})
