"""Notes in every request what an admin does with rights that others do not have."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

from cardledger.errors import LedgerError
from cardledger.record.readmodels.questions.shared_deals import held_back
from cardledger.record.readmodels.tables import boards
from cardledger_api.http.operations import EVENT_STREAM, NDJSON, SAFE
from cardledger_api.http.passage import passage_of, the_notes

if TYPE_CHECKING:
    from flask import Flask, Request, Response

    from cardledger.record.recording.ledger import Ledger
    from cardledger_api.auth.access import Access

_LOG = logging.getLogger("cardledger.acts")
_REFUSED = 400
_CONVERTER = re.compile(r"<\w+:")
"""The kind of a part of an address, as in `<evening:session>`."""
_KNOWN = 10_000
"""Acts of reading that are remembered, so that each is stored once a day."""


def note_about(*words: str) -> None:
    """Say what the request of an admin is about, where its address does not; never a secret."""
    the_notes().about = " ".join(words)


def add_acts(app: Flask, access: Access, ledger: Ledger) -> None:
    """Note what needed the role of an admin and changed something, and readings of what is hidden from readers."""
    read: set[tuple[str, ...]] = set()

    def finish(asked: Request, answer: Response) -> Response:
        notes = the_notes()
        if notes.get("role") != "admin" or answer.status_code >= _REFUSED or asked.url_rule is None:
            return answer
        who, what = notes.recorder, f"{asked.method} {_CONVERTER.sub('<', asked.url_rule.rule)}"
        about = notes.get("about") or " ".join(map(str, (asked.view_args or {}).values()))
        try:
            if asked.method not in SAFE:
                if notes.get("required") == "admin":
                    access.acts.note(who, what, about)
            elif (key := (access.acts.day(), who, what, about)) not in read and _shows_hidden(ledger, asked, answer):
                access.acts.note(who, what, about)
                if len(read) >= _KNOWN:
                    read.clear()
                read.add(key)
        except LedgerError as error:  # what was asked for is done; it must not seem to have failed
            fields = {"who": who, "what": what, "about": about, "code": error.code}
            _LOG.error("act not noted", extra={"fields": fields})
        return answer

    passage_of(app).finishes.append(finish)


def _shows_hidden(ledger: Ledger, asked: Request, answer: Response) -> bool:
    """Tell whether an answer may hold boards that a table has yet to play, which readers do not see."""
    named = {*map(str, (asked.view_args or {}).values())}
    secret = {*boards.secret_matches(ledger.views.current), *held_back(ledger.views)}
    if named & (secret | {*boards.in_play(ledger.views.current)}):
        return True
    return bool(secret) and answer.mimetype in (NDJSON, EVENT_STREAM)
