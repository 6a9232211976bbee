"""Files that the pages take: whichever page they are sent to, the one that reads them shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import request

from cardledger.formats.recognition import LOOKED_AT, recognised
from cardledger.formats.spreadsheets.reading import MOST_FILES
from cardledger_api.auth.visible import sees_all
from cardledger_api.current import current_ledger
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.pages.boards_import import MOST_BYTES, shown_boards, take_matches
from cardledger_web.pages.evening_import import take_evening
from cardledger_web.pages.scoring import for_scorers
from cardledger_web.views.spreadsheet import unkept

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as AnyResponse

    from cardledger.formats.recognition import Reader

Page = tuple[str, int]


@pages.post("/boards/import")
def import_boards() -> Page | AnyResponse:
    return taken("matches")


@pages.post("/evenings/import")
def import_evening() -> Page | AnyResponse:
    return taken("sheets")


def taken(page: Reader) -> Page | AnyResponse:
    """Hand files to what reads them; what nothing reads stays on the page that it was sent to."""
    # Access control (api/cardledger_api/auth/users.py) has checked that the form is ours.
    ledger = current_ledger()
    if not sees_all():
        return for_scorers()
    request.max_form_memory_size = 2_000_000  # the files are carried on in a field
    sent = [file for file in request.files.getlist("file") if file.filename][:MOST_FILES]
    files = [(str(file.filename), file.stream.read(MOST_BYTES + 1)) for file in sent]
    files = files or unkept(request.form.get("kept", ""))
    readers = {recognised(content[:LOOKED_AT], name).reader for name, content in files} - {None} or {page}
    if "matches" not in readers:
        return take_evening(ledger, files)
    return take_matches(ledger, files) if files else shown_boards(ledger, [], _("Choose a file first."))
