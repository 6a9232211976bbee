"""The sheet for the result of a table that has no match: points or places by seat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import abort

from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.entering import FORMS
from cardledger.rules.evenings.score_cards import fewest
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger_web.languages import _
from cardledger_web.views.form import Form

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

    from cardledger.rules.evenings.session import SessionState

_WHOLE = re.compile(r"-?\d{1,9}")


@dataclass
class ResultSheet(Form):
    """The form as filled in: the table, who sits there, the form of the result, and a number for each seat, as text.

    `forms` are those that the scoring of the evening can use; `corrects` tells whether there is a result already.
    """

    round: int
    table: int
    seats: list[tuple[str, ...]]
    forms: tuple[str, ...]
    form: str
    values: list[str]
    fewest: bool
    corrects: bool

    def result(self) -> ev.Result | None:
        """Return the result, or None after an error, which `wrong` then names."""
        if self.form not in self.forms:
            self.wrong["form"] = _("Choose one of the two.")
        numbers = [text.replace("\u2212", "-").replace(" ", "") for text in self.values]
        for seat, text in enumerate(numbers):
            if not _WHOLE.fullmatch(text):
                self.wrong[f"value-{seat}"] = _("Write a whole number.") if text else _("A number is missing here.")
        if self.wrong:
            return None
        given = tuple(map(int, numbers))
        return (
            ev.Result(round=self.round, table=self.table, points=given)
            if self.form == "points"
            else ev.Result(round=self.round, table=self.table, places=given)
        )


def sheet_of(session: SessionState, given: MultiDict[str, str]) -> ResultSheet:
    """Return the sheet of a table: as filled in, else with its result.

    There is none for a table with a match, or with boards.
    """
    round, table = (int(text) if (text := given.get(name, "")).isdecimal() else 0 for name in ("round", "table"))
    seated = session.tables(round).get(table)
    kind = session.opening.scoring.kind
    _, result = session.results.get((round, table, None), (0, None))
    if seated is None or not seated.plays or kind in ON_BOARDS or (result and result.match):
        abort(404)
    form, values = "points", [""] * len(seated.seats)
    if result is not None:
        form = "points" if result.points is not None else "places"
        values = [str(number) for number in result.points or result.places or ()][: len(values)]
    if "value-0" in given:
        form, values = (
            given.get("form", "points"),
            [given.get(f"value-{seat}", "").strip() for seat in range(len(values))],
        )
    return ResultSheet(
        round, table, [session.players(entry, round) for entry in seated.seats],
        tuple(form for form in FORMS[kind] if form != "match"), form, values,
        fewest(session, seated.game), result is not None,
    )  # fmt: skip
