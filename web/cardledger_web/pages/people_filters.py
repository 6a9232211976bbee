"""The filters of templates for people.

`called` of an id, `persons` and `teams` of a row of a list of matches, `brief`ly.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from cardledger.pseudonyms import is_pseudonym
from cardledger_api.current import current_ledger, people_of
from cardledger_web.pages.blueprint import pages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flask import Response

_SHOWN: Final = re.compile(rb"[>\"][^<>\"]*<(?!/(?:script|textarea))")
"""A text between tags, of a page or of a part of one, that no script or form reads."""
_PSEUDONYM: Final = re.compile(rb"(~[A-Z2-7]{4})[A-Z2-7]{22}(?![A-Z2-7])")
_BRIEF: Final = rb"\1" + "…".encode()
_OF_TAGS: Final = ("text/html", "application/json", "application/atom+xml")


@pages.app_template_filter("called")
def _called(player: str) -> str:
    return people_of(current_ledger()).name(player)


@pages.after_request
def _shortened(answer: Response) -> Response:
    """Show what was called by an erased name as briefly as `brief` does, wherever it stands in a page."""
    if answer.mimetype in _OF_TAGS and not answer.is_streamed:
        page = answer.get_data()
        if b"~" in page:
            answer.set_data(_SHOWN.sub(lambda text: _PSEUDONYM.sub(_BRIEF, text[0]), page))
    return answer


@pages.app_template_filter("brief")
def _brief(text: str) -> str:
    """Return a text; of an erased person's pseudonym only the beginning."""
    return f"{text[:5]}…" if is_pseudonym(text) else text


@pages.app_template_filter("teams")
def _teams(row: Mapping[str, Any]) -> list[list[int]]:
    """Return the seats of each side; without partners, each seat is a side."""
    teams: list[list[int]] = row["sides"] or [[seat] for seat in range(len(row["players"]))]
    return teams


@pages.app_template_filter("persons")
def _persons(row: Mapping[str, Any]) -> Sequence[str]:
    return people_of(current_ledger()).seated(row["match"], row["players"])
