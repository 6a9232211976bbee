"""A match as one file for the command line and Python, which have no server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from werkzeug.exceptions import HTTPException

from cardledger.errors import StoreError
from cardledger_api.auth.visible import BOARD_ELSEWHERE
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.standalone.match_file import match_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardledger.record.recording.ledger import Ledger
    from cardledger.sentence import Sentence


def written(
    ledger: Ledger,
    match: str,
    language: str,
    *,
    small: bool = False,
    quiz_cards: int | None = None,
    told: Callable[[Sentence], object] | None = None,
) -> str:
    """Return a match of a ledger as one file (`cardledger.page_file`, which says the errors)."""
    app = create_app(ledger.at)
    try:
        return match_file(app, match, language, small=small, quiz_cards=quiz_cards, told=told)
    except HTTPException as error:
        raise StoreError("store.withheld", BOARD_ELSEWHERE) from error
    finally:
        access_of(app).close()
        ledger_of(app).close()
