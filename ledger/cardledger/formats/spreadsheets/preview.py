"""The preview of an evening on paper: what would be stored, every problem, and the questions about names."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import msgspec

from cardledger.errors import LedgerError, UnusableError
from cardledger.formats.spreadsheets.arranging import papers_of
from cardledger.formats.spreadsheets.cells import SheetError, SheetProblem, Worksheet, at
from cardledger.formats.spreadsheets.evening_on_paper import EveningFinder
from cardledger.formats.spreadsheets.judge import judge
from cardledger.formats.spreadsheets.kept_layouts import as_wished, is_kept, layout_of, named, shape_of
from cardledger.formats.spreadsheets.names import NameQuestion, NamesOnPaper
from cardledger.formats.spreadsheets.pairs import apart
from cardledger.formats.spreadsheets.planned_tables import PreviewTable, TablePlanner
from cardledger.formats.spreadsheets.reading import sheets_of
from cardledger.formats.spreadsheets.recognitions import Recognition
from cardledger.formats.spreadsheets.wishes import HowItLies, Wishes
from cardledger.formats.spreadsheets.years import FROM_YEARS, problems_of_years
from cardledger.record.people.spelling import tidy_name
from cardledger.rules.engine.events import Event, encode
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.other_game import game_of, has_rules
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.shape import refuse_shape
from cardledger.sentence import Sentence, as_sentence

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.known import KnownBeside
    from cardledger.formats.spreadsheets.layouts import Paper
    from cardledger.formats.spreadsheets.tables_on_paper import TableOnPaper
    from cardledger.rules.engine.game import Game
    from cardledger.rules.evenings.evening_events import Layout


class PreviewEvening(NamedTuple):
    """An evening to store: its id and opening, recorded or to be recorded (`opens`), its tables, and events to add.

    The opening is None for an evening with problems. `seq` is the number of its last recorded event.
    """

    session: str | None
    opening: ev.Session | None
    opens: bool
    seq: int
    tables: tuple[PreviewTable, ...]
    events: tuple[Event, ...]

    @property
    def new(self) -> int:
        """The number of events to store; 0 if all is recorded already."""
        return self.opens + len(self.events) + sum(len(table.events) for table in self.tables)

    def report(self) -> dict[str, Any]:
        """Return the evening as JSON data, without its tables."""
        name, day = (None, None) if self.opening is None else (self.opening.name, self.opening.date)
        return {"evening": self.session, "name": name, "date": day, "opens": self.opens, "new": self.new}


class Preview(NamedTuple):
    """What would be stored of some files, and the problems and questions that prevent it.

    `layout` is the name of the one that the club keeps, and by which it is read; `keeps` is one to keep from now on.
    `evenings` are in the order of their days; `new_players` are not known so far. Nothing can be stored while there are
    problems or questions.
    """

    files: tuple[str, ...]
    recognised: tuple[Recognition, ...]
    problems: tuple[SheetProblem, ...]
    questions: tuple[NameQuestion, ...]
    evenings: tuple[PreviewEvening, ...]
    new_players: tuple[str, ...]
    sheets: tuple[Worksheet, ...]
    layout: str | None = None
    keeps: Layout | None = None

    @property
    def ready(self) -> bool:
        """Whether it can be stored."""
        found = bool(self.evenings) and all(evening.session is not None for evening in self.evenings)
        return found and not self.problems and not self.questions

    @property
    def new(self) -> int:
        """The number of events to store; 0 if all is recorded already."""
        return sum(evening.new for evening in self.evenings) + (self.keeps is not None)

    @property
    def tables(self) -> tuple[PreviewTable, ...]:
        """The tables of all evenings."""
        return tuple(table for evening in self.evenings for table in evening.tables)

    def report(self, *, stored: bool) -> dict[str, Any]:
        """Return what was recognised, what would be stored or was, and what prevents it, as JSON data.

        `evening`, `name` and `date` are those of the only evening, null if there are several.
        """
        only = self.evenings[0].report() if len(self.evenings) == 1 else {}
        return {
            "evening": only.get("evening"),
            "name": only.get("name"),
            "date": only.get("date"),
            "opens": any(evening.opens for evening in self.evenings),
            "ready": self.ready,
            "stored": stored,
            "new": self.new,
            "new_players": self.new_players,
            "layout": self.layout,
            "recognised": [one._asdict() for one in self.recognised],
            "problems": [
                {"file": one.file, "sheet": one.sheet, "cell": one.cell, "code": one.code, "detail": one.message}
                for one in self.problems
            ],
            "questions": [one._asdict() for one in self.questions],
            "evenings": [evening.report() for evening in self.evenings],
            "tables": [
                table.report() | {"date": evening.opening and evening.opening.date}
                for evening in self.evenings
                for table in evening.tables
            ],
        }


class OnPaper(NamedTuple):
    """What is on the sheets of some files: the sheets, their tables, those hidden, and what is wrong with the files.

    Of several `papers` the first that the sums allow counts, a guess last.
    """

    sheets: list[Worksheet]
    papers: list[Paper]
    hidden: list[Recognition]
    problems: list[SheetProblem]


Files = Sequence[tuple[str, bytes]]
"""Files, each its name and content."""


def on_paper(files: Files, said: HowItLies) -> OnPaper:
    """Read the sheets of some files; `said` is what the user says of how the results lie."""
    problems: list[SheetProblem] = []
    sheets, hidden = _read(files, problems)
    sheets = [sheet._replace(year=said.year) for sheet in sheets]
    try:
        papers = papers_of(sheets, said)
    except SheetError as error:
        problems += error.problems
        papers = papers_of(sheets, said._replace(example=None))[:1]
    return OnPaper(sheets, papers, hidden, problems)


def papers_in(file: BinaryIO, files: Sequence[tuple[str, int]], said: HowItLies) -> OnPaper:
    """Read the sheets of some files that stand one behind the other, each given by its name and size."""
    return on_paper([(name, file.read(size)) for name, size in files], said)


def preview(
    known: KnownBeside, files: Files, wishes: Wishes = Wishes(),  # noqa: B008 # it cannot change
    read: Callable[[Files, HowItLies], OnPaper] = on_paper,
) -> Preview:  # fmt: skip
    """Return what would be stored of files, and every problem at once; stores nothing.

    `known` is what a ledger knows, or nothing; `read` reads them, here or apart.
    """
    with suppress(UnusableError):  # then the players known before are asked for
        known.catch_up()
    if wishes.layout is not None:
        club = club_wished(known, wishes)
        kept = named(known.layouts(club), wishes.layout).layout
        return _kept(known, _laid(known, files, as_wished(wishes, kept), read), wishes)._replace(layout=kept.name)
    plain = _laid(known, files, wishes, read)
    if plain.problems and wishes.said._replace(year=None) == HowItLies() and plain.sheets:
        shape = shape_of(plain.sheets)
        for each in known.layouts(None):
            if each.layout.shape == shape:
                again = _laid(known, files, as_wished(wishes, each.layout), read)
                if not again.problems:
                    return _kept(known, again, wishes)._replace(layout=each.layout.name)
    return _kept(known, plain, wishes)


def club_wished(known: KnownBeside, wishes: Wishes) -> str | None:
    """Return the club that is wished, or the only one, None without; raises SheetError `sheet.club`."""
    problems: list[SheetProblem] = []
    club = EveningFinder(known, wishes, "", problems).club()
    if problems:
        raise SheetError(problems)
    return club


def _kept(known: KnownBeside, previewed: Preview, wishes: Wishes) -> Preview:
    """Return a preview with the layout that it keeps from now on, or with why it keeps none."""
    if wishes.keep_layout is None:
        return previewed
    club = next((each.opening.club for each in previewed.evenings if each.opening is not None), None)
    try:
        layout = layout_of(wishes, tidy_name(wishes.keep_layout), shape_of(previewed.sheets))
        if layout is not None:
            refuse_shape(layout)
    except LedgerError as error:
        layout, why = None, as_sentence(error.message)
    else:
        why = Sentence("there is nothing to keep: the sheet was read without an example, columns or cells to leave out")
    if layout is not None and club is None and previewed.evenings:
        layout, why = None, Sentence("a layout is kept by a club: open a club first, or name one")
    if layout is not None:
        return previewed._replace(keeps=None if club is not None and is_kept(known.layouts(club), layout) else layout)
    file = previewed.files[0] if previewed.files else ""
    return previewed._replace(problems=(*previewed.problems, SheetProblem("sheet.kept", why, file)))


def _laid(known: KnownBeside, files: Files, wishes: Wishes, read: Callable[[Files, HowItLies], OnPaper]) -> Preview:
    """Return what would be stored if the results lie as is wished."""
    found = read(files, wishes.said)
    laid = _best(known, files, wishes, found)
    if wishes.day is not None or not (laid.problems or wishes.year):
        return laid
    years = problems_of_years(found.sheets, laid.problems)
    # What follows from days that are not read is not said beside them.
    left = [each for each in laid.problems if not years or each.code not in FROM_YEARS]
    return laid._replace(problems=(*years, *(each for each in left if each not in years)))


def _best(known: KnownBeside, files: Files, wishes: Wishes, found: OnPaper) -> Preview:
    """Return what would be stored if the results lie in the best of several ways."""
    plain, *guesses = (_preview(known, files, wishes, found, paper) for paper in found.papers)
    if wishes.example is not None:
        return min(
            (plain, *guesses),
            key=lambda each: (sum(one.code != "sheet.unread" for one in each.problems), len(each.problems)),
        )
    sure = [guess for guess in guesses if not guess.problems]
    if not plain.problems or not guesses:
        return plain
    if not sure:  # where nothing else was found, the nearest guess tells which sums fail
        nothing = not any(each.layout for each in plain.recognised)
        return min(guesses, key=_distance) if nothing else plain
    if all(each.tables == sure[0].tables for each in sure):
        return sure[0]
    total = next(iter(found.papers[1].tables.values())).players[0]
    why = Sentence(
        "this may be a total or the points of a hand, as all sums hold both ways: write a heading, or show a score"
    )
    return sure[0]._replace(problems=(at(total.total or total.name, "sheet.ambiguous", why),))


def _distance(guess: Preview) -> tuple[int, int]:
    """Return how far a guess is from what can be: first by the players that no table has, then by all problems."""
    return sum(each.code in ("sheet.players", "sheet.name") for each in guess.problems), len(guess.problems)


def _preview(known: KnownBeside, files: Files, wishes: Wishes, found: OnPaper, paper: Paper) -> Preview:
    """Return what would be stored if the sheets are laid in one way."""
    problems = [*found.problems, *(paper.problems if found.sheets else ())]
    names = NamesOnPaper(known.players(), wishes.names, problems)
    finder = EveningFinder(known, wishes, files[0][0] if files else "", problems)
    finder.days = paper.days
    tables = [apart(table, finder.game(table)) for table in paper.tables.values()]
    names.read(tables)
    papers = sorted(tables, key=lambda table: (table.round, table.number))
    how: dict[Sentence, None] = {}
    evenings = [_planned(known, each, finder, names, wishes, problems, how) for each in finder.by_day(papers)]
    if (overruled := finder.overruled) is not None:
        said = Sentence("the day is the one given, not {text!r} ({cell})", text=overruled.text, cell=overruled.address)
        how[said] = None
    recognised = (*(each.read_as([*how]) for each in (*paper.recognised, *found.hidden)),)
    places = {(each.file, each.sheet): place for place, each in enumerate(recognised)}
    in_order = sorted({*problems}, key=lambda each: (places.get((each.file, each.sheet), -1), each.row_and_column))
    seated = {player for evening in evenings for table in evening.tables for player in table.players}
    new = names.new if problems else tuple(player for player in names.new if player in seated)
    return Preview(
        tuple(name for name, _ in files), recognised, (*in_order,), names.questions, (*evenings,), new,
        (*found.sheets,),
    )  # fmt: skip


def _planned(
    known: KnownBeside, papers: Sequence[TableOnPaper], finder: EveningFinder, names: NamesOnPaper, wishes: Wishes,
    problems: list[SheetProblem], how: dict[Sentence, None],
) -> PreviewEvening:  # fmt: skip
    """Return one evening to store; note its problems, and what is remarkable of how its numbers are read."""
    played = [finder.game(table) for table in papers]
    evening = finder.find(papers, played)
    session, opening, state, seq = evening
    if opening is not None:
        # A game without rules is the one of the evening, with what that says of it.
        played = [game if has_rules(game) else game_of(opening) or game for game in played]

    def options_of(game: Game[Any]) -> Mapping[str, Any]:
        return opening.options if opening is not None and game.id == opening.game else wishes.options

    judged = judge(papers, played, options_of, wishes.as_written, wishes.said.columns)
    problems += judged.problems
    how |= dict.fromkeys(filter(None, [judged.reading.how]))
    planner = TablePlanner(known, wishes, names, evening, problems)
    trial = None if opening is None else (state.copy() if state else SessionState(opening))
    tables: list[PreviewTable] = []
    events: list[Event] = []
    for table, game, checked in zip(judged.papers, played, judged.checked, strict=True):
        planner.expect_once(table)
        planned = planner.plan(table, checked, game) if checked.sound else None
        if planned is None or trial is None:
            continue
        tables.append(planned)
        added = planner.events(planned)
        try:
            for event in added:
                trial.apply(event, 0)
        except LedgerError as error:
            problems.append(at(table.anchor, "sheet.session", as_sentence(error.message)))
        else:
            events += added
    events = [*_arrivals(known, session if state else None, tables), *events]
    numbered = [
        msgspec.structs.replace(event, id=_event_id(session or "", index, event)) for index, event in enumerate(events)
    ]
    return PreviewEvening(session, opening, state is None and opening is not None, seq, (*tables,), (*numbered,))


def _read(files: Files, problems: list[SheetProblem]) -> tuple[list[Worksheet], list[Recognition]]:
    """Return the sheets of all files, and what is said of the hidden ones."""
    sheets: list[Worksheet] = []
    hidden = []
    for name, content in files:
        try:
            of_file, titles = sheets_of(name, content)
        except SheetError as error:
            problems += error.problems
            continue
        sheets += of_file
        hidden += [Recognition(name, title, None, Sentence("the sheet is hidden, and ignored"), ()) for title in titles]
    return sheets, hidden


def _arrivals(known: KnownBeside, session: str | None, tables: Sequence[PreviewTable]) -> list[ev.Arrive]:
    """Return the arrivals of the players at the tables, but for those that are recorded."""
    here = known.arrived(session) if session else ()
    players = dict.fromkeys(player for table in tables for player in table.players if player not in here)
    return [ev.Arrive(player=player) for player in players]


def _event_id(stream: str, number: int, event: Event) -> str:
    """Return the id of an event to store, which follows from its content: stored twice, it is the same event."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{stream} {number} {encode(event).decode()}"))
