"""An evening as plain text, to paste into a mail."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from cardledger.pseudonyms import left
from cardledger.record.matches.matchfile import printable
from cardledger_web.dates import in_words
from cardledger_web.languages import _, decimal, evening_called, joined, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardledger_web.views.evening import EveningView

_WIDTH = 34
"""Columns for names; longer ones push their numbers to the right."""


def evening_text(view: EveningView, named: Callable[[str], str], address: str) -> str:
    """Return an evening as text: ranking, tables, rulings, and its address."""
    return "".join(f"{printable(line).rstrip()}\n" for line in _lines(view, named, address))


def _lines(view: EveningView, named: Callable[[str], str], address: str) -> Iterator[str]:
    def names(players: Sequence[str]) -> str:
        return joined([*map(named, players)])

    opening = view.opening
    yield evening_called(opening.name)
    place = opening.place and translated(left(opening.place))
    yield ", ".join(filter(None, (in_words(opening.date), place, view.game)))
    yield " ".join(filter(None, (view.scored, None if view.over else _("Under way."))))
    if view.position is not None:
        yield _("As of position %(position)s.", position=view.position)
    yield ""
    if view.refusal:
        yield _("There is no ranking now: %(why)s.", why=view.refusal)
    for heading, rows in view.lines():
        if heading:
            yield heading
        for row in rows:
            value = f"{row.percent:>7} %" if row.percent is not None else f"{row.total:>9}"
            yield f"{row.place:>4}  {_padded(names(row.players))} {value}"
        yield ""
    if view.unplaced:
        unplaced = "; ".join(
            f"{', '.join(names(row.players) for row in rows)} ({why})" for why, rows in view.unplaced.items()
        )
        yield _("Without a place: %(names)s.", names=unplaced)
        yield ""
    yield from _prizes(view, names)
    for round, tables, sitting in [] if view.drive is not None else view.rounds():
        yield _("Round %(number)s", number=round)
        for table in tables:
            seats = ", ".join(f"{names(seat.players)} {seat.scored or '–'}" for seat in table.seats)
            state = table.open or table.said
            number = _("Table %(number)s", number=table.name)
            yield f"  {number}: {seats}{f' ({state})' if state else ''}"
        if sitting:
            yield "  " + _("Sitting out: %(names)s", names=names(sitting))
    if rulings := view.rulings():
        yield ""
        yield _("Rulings")
        for ruling in rulings:
            yield "  {}: {}".format(_("Event %(seq)s", seq=ruling.seq), ruling.words)
    if view.changed:
        yield ""
        yield _("Changed since it was published")
        for changed in view.changed:
            then = _placed(changed.place_then, changed.total_then)
            now = _placed(changed.place_now, changed.total_now)
            yield "  {}: {}".format(names(changed.players), _("%(then)s; now %(now)s", then=then, now=now))
    yield ""
    yield address


def _prizes(view: EveningView, names: Callable[[Sequence[str]], str]) -> Iterator[str]:
    """Yield the prizes of a drive, below a heading."""
    won = view.prizes()
    if won:
        yield _("Prizes") if view.all_hands_played else _("Prizes so far")
    for prize in won:
        tied = _(" (tied)") if prize.tied else ""
        yield f"  {prize.title}: {names(prize.players)}, {prize.said}{tied}"


def _placed(place: str | None, total: str | None) -> str:
    where = _("place %(place)s", place=place) if place else _("place none")
    points = decimal(total) if total else _("no points")
    return f"{where}, {points}"


def _padded(text: str) -> str:
    """Return a text filled with blanks; characters of double width count twice."""
    width = sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in text)
    return text + " " * (_WIDTH - width)
