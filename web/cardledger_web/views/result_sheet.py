"""The sheet for the result of a table that has no match: points or places by seat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import abort

from cardledger.record.recording.entered_results import doubt_about
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.entering import FORMS
from cardledger.rules.evenings.other_game import game_played
from cardledger.rules.evenings.places import places
from cardledger.rules.evenings.score_cards import fewest
from cardledger.rules.evenings.scoring import ON_BOARDS
from cardledger_web.languages import _, translated
from cardledger_web.views.form import Form

if TYPE_CHECKING:
    from werkzeug.datastructures import MultiDict

    from cardledger.rules.evenings.lineup import Seated
    from cardledger.rules.evenings.session import SessionState

_WHOLE = re.compile(r"-?\d{1,9}")


@dataclass
class ResultSheet(Form):
    """The form as filled in: the table, who sits there, the form of the result, and a number for each field, as text.

    Partners have one field: `seats` are the players of each, and `fields` is the field of each seat. `forms` are those that the scoring of the evening can use; `corrects` tells whether there is a result already.
    `doubt` says why the game cannot give these points; they are recorded if the scorer says that they count `as_written`.
    """

    round: int
    table: int
    seats: list[tuple[str, ...]]
    fields: tuple[int, ...]
    forms: tuple[str, ...]
    form: str
    values: list[str]
    fewest: bool
    corrects: bool
    session: SessionState | None = None
    doubt: str = ""
    as_written: bool = False

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
        given = tuple(int(numbers[field]) for field in self.fields)
        if self.form == "points":
            result = ev.Result(round=self.round, table=self.table, points=given)
            why = None if self.as_written or self.session is None else doubt_about(self.session, result)
            if why:
                self.doubt = self.wrong[""] = _("These points are doubtful: %(why)s.", why=translated(why))
                return None
            return result
        if len(numbers) < len(given):  # partners share a place, so the next one counts both: 1 1 3 3
            given = places(given, low=True)
        return ev.Result(round=self.round, table=self.table, places=given)


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
    fields = fields_of(session, seated)
    form, values = "points", [""] * len({*fields})
    if result is not None:
        form = "points" if result.points is not None else "places"
        entered = [*(result.points or result.places or ())][: len(fields)]
        numbers = [entered[fields.index(field)] for field in range(len(values))]
        values = [*map(str, places(numbers, low=True) if form == "places" else numbers)]
    if "value-0" in given:
        form, values = (
            given.get("form", "points"),
            [given.get(f"value-{seat}", "").strip() for seat in range(len(values))],
        )
    return ResultSheet(
        round, table, _players(session, round, seated, fields), fields,
        tuple(form for form in FORMS[kind] if form != "match"), form, values,
        fewest(session, seated.game), result is not None,
        session=session,
        as_written="as_written" in given,
    )  # fmt: skip


def fields_of(session: SessionState, seated: Seated) -> tuple[int, ...]:
    """Return the field of each seat of a table: partners, who have their points together, have one."""
    n = len(seated.seats)
    game = game_played(session, seated.game)
    return (*game.sides(n),) if game is not None and n in game.sizes else (*range(n),)


def _players(session: SessionState, round: int, seated: Seated, fields: tuple[int, ...]) -> list[tuple[str, ...]]:
    """Return the players of each field."""
    return [
        tuple(
            player
            for entry, own in zip(seated.seats, fields, strict=True)
            if own == field
            for player in session.players(entry, round)
        )
        for field in range(len({*fields}))
    ]
