"""The evening that sheets belong to: one that is recorded already, or a new one; and the games of its tables."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from cardledger.errors import LedgerError
from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, Worksheet, at, place_in
from cardledger.formats.spreadsheets.days import has_no_year
from cardledger.formats.spreadsheets.titles import said_in
from cardledger.formats.spreadsheets.wishes import SCORINGS, Wishes
from cardledger.formats.spreadsheets.years import yearless
from cardledger.record.people.spelling import fold
from cardledger.rules.engine.events import encode
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.other_game import ANY_SIZE, LONGEST_GAME, MOST_AT_TABLE, WINS, OtherGame, has_rules
from cardledger.rules.evenings.places import places
from cardledger.rules.evenings.scoring import ON_BOARDS, Scoring
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.unnamed import unnamed
from cardledger.rules.games import games
from cardledger.rules.games.names import game_called
from cardledger.sentence import Sentence, as_sentence

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.known import KnownBeside
    from cardledger.formats.spreadsheets.tables_on_paper import TableOnPaper
    from cardledger.rules.evenings.other_game import Played


MOST_EVENINGS: Final = 200
"""The number of evenings in one import: a season of some years."""


_ANOTHER_DAY = Sentence("this is {written}, and the evening is {day}: import each evening by itself")


class EveningOnPaper(NamedTuple):
    """The evening of some sheets.

    Its id, its opening, and if it is recorded its state and the number of its last event.
    """

    session: str | None = None
    opening: ev.Session | None = None
    state: SessionState | None = None
    seq: int = 0


class EveningFinder:
    """Finds the evening of some sheets, and notes problems; one of the whole import stands at the first file."""

    def __init__(self, known: KnownBeside, wishes: Wishes, first_file: str, problems: list[SheetProblem]) -> None:
        self._known = known
        self._wishes = wishes
        self._first_file = first_file
        self._problems = problems
        self.days: Sequence[Cell] = ()
        self.overruled: Cell | None = None
        """A date on a sheet that the user overruled."""

    def by_day(self, papers: Sequence[TableOnPaper]) -> list[list[TableOnPaper]]:
        """Return the tables of each evening, the first day first; a day that the user gives is that of all."""
        days = sorted({table.day for table in papers if table.day is not None})
        if len(days) < 2 or self._wishes.day is not None or self._wishes.session is not None:
            return [[*papers]]
        if len(days) > MOST_EVENINGS:
            self._say(
                "sheet.size",
                Sentence(
                    "at most {most_evenings} evenings are read at a time: import a part of them",
                    most_evenings=MOST_EVENINGS,
                ),
            )
            return []
        for table in papers:
            if table.day is None:
                cell = table.facts.get("date") or table.anchor
                why = Sentence(
                    "the sheets hold {number} days, and this says none of them: write the day as 2026-01-31",
                    number=len(days),
                )
                self._problems.append(at(cell, "sheet.date", why))
        return [[table for table in papers if table.day == day] for day in days]

    def find(self, papers: Sequence[TableOnPaper], played: Sequence[Played]) -> EveningOnPaper:
        """Return the evening of the results; nothing after a problem. `played` are the games of the tables."""
        wishes, before = self._wishes, len(self._problems)
        if wishes.scoring is not None and wishes.scoring not in SCORINGS:
            self._say(
                "sheet.session",
                Sentence(
                    "an evening from a sheet is scored by 'total' or 'places', not by {wished!r}", wished=wishes.scoring
                ),
            )
        other = next((game.title for game in played if isinstance(game, OtherGame)), None)
        if wishes.partners and papers and other is None:
            self._say(
                "sheet.game",
                Sentence("'partners' is for a game without rules here: leave it out, as games say who partners whom"),
            )
        if wishes.wins is not None and papers and (other is None or wishes.wins not in WINS):
            self._say(
                "sheet.game",
                Sentence("'wins' is most or least, for a game without rules here: leave it out, as games say who wins"),
            )
        club = self.club()
        if wishes.session is not None:
            try:
                id, state, seq = self._known.evening(wishes.session)
            except LedgerError as error:
                self._say("sheet.session", as_sentence(error.message))
                return EveningOnPaper()
            if not isinstance(state, SessionState):
                self._say("sheet.session", Sentence("{id} is no evening: give the id of a session", id=id))
                return EveningOnPaper()
            self._day(papers, self._wishes.date or state.opening.date)
            self._expect_its_game(papers, played, state.opening)
            return self._existing(id, state, seq)
        day = self._day(papers, wishes.day)
        if len(self._problems) > before or day is None:
            return EveningOnPaper()
        on_paper = next((table.facts["name"].text for table in papers if "name" in table.facts), None)
        name = wishes.name or on_paper
        ruled = any(map(has_rules, played))
        known = {
            id: (state, seq)
            for id, (state, seq) in self._sessions(club, day, name).items()
            if (other is None or fold(other) == fold(state.opening.other_game or ""))
            and not (ruled and state.opening.other_game)
        }
        if len(known) > 1:
            ids = ", ".join(known)
            self._say(
                "sheet.session",
                Sentence(
                    "there are several evenings on {day}: say which with session ({ids}), or give another name",
                    day=day,
                    ids=ids,
                ),
            )
            return EveningOnPaper()
        if known:
            (id,) = known
            return self._existing(id, *known[id])
        if other is not None and not self._expect_one_game(papers, played, other):
            return EveningOnPaper()
        opening = self._opening(club, name or str(unnamed(day)), day, papers, played)
        id = f"session-{uuid.uuid5(uuid.NAMESPACE_OID, encode(opening).decode())}"
        return EveningOnPaper(id, msgspec.structs.replace(opening, id=id))

    def _existing(self, id: str, state: SessionState, seq: int) -> EveningOnPaper:
        opening = state.opening
        if opening.unit != "player" or opening.scoring.kind in ON_BOARDS:
            self._say(
                "sheet.session",
                Sentence(
                    "{name} is an evening of pairs, teams or boards: a sheet holds results of single players without boards",
                    name=opening.name,
                ),
            )
            return EveningOnPaper()
        if self._wishes.wins not in (None, WINS[opening.scoring.fewest]):
            self._say(
                "sheet.session",
                Sentence("at {name} other points win: leave 'wins' out, it is recorded already", name=opening.name),
            )
        if self._wishes.scoring not in (None, opening.scoring.kind):
            self._say(
                "sheet.session",
                Sentence(
                    "{name} is scored by {kind!r} already: leave the scoring out",
                    name=opening.name,
                    kind=opening.scoring.kind,
                ),
            )
        return EveningOnPaper(id, opening, state, seq)

    def _opening(
        self, club: str | None, name: str, day: str, papers: Sequence[TableOnPaper], played: Sequence[Played]
    ) -> ev.Session:
        """Return the opening of a new evening: one game, or any.

        Points added up, or points for places where that is no sum.
        """
        ids = {game.id for game in played if has_rules(game)}
        other = next((game for game in played if isinstance(game, OtherGame)), None)
        only_places = not any(table.hands or any(player.total for player in table.players) for table in papers)
        kind = self._wishes.scoring or ("places" if only_places or len(ids) > 1 else "total")
        sizes = {len(table.players) for table in papers}
        scoring = Scoring(kind=kind, scaled=len(sizes) > 1) if kind == "places" else Scoring(kind=kind)  # type: ignore[arg-type]
        if other is not None:
            largest = max(sizes) > max(ANY_SIZE)
            scoring = msgspec.structs.replace(
                scoring, fewest=self._wishes.wins == "least", decimals=0 if kind == "total" else 2
            )
            return ev.Session(
                club=club, name=name, date=day, game=None, unit="player", scoring=scoring, other_game=other.title,
                sizes=(*sorted(sizes),) if largest or self._wishes.partners else (), partners=self._wishes.partners,
            )  # fmt: skip
        game = ids.pop() if len(ids) == 1 else None
        if game is None or (any(table.roll for table in papers) and games()[game].has_sides):
            # Who partnered whom is not known, so it is no evening of this game; but the places follow its rule.
            fewest = any(map(_fewest, papers)) if game is None else games()[game].scoring.fewest
            game, scoring = None, msgspec.structs.replace(scoring, fewest=fewest)
        options = dict(self._wishes.options) if game else {}
        return ev.Session(club=club, name=name, date=day, game=game, unit="player", scoring=scoring, options=options)

    def _sessions(self, club: str | None, day: str, name: str | None) -> dict[str, tuple[SessionState, int]]:
        """Return the evenings of a day that the results may belong to, each with the number of its last event."""
        return {
            each.id: (each.state, each.seq)
            for each in self._known.evenings_on(day)
            if isinstance(each.state, SessionState)
            and each.state.opening.club == club
            and name in (None, each.state.opening.name)
        }

    def club(self) -> str | None:
        """Return the club: as wished, by id or name, or the only one there is."""
        rows = self._known.clubs()
        wish = self._wishes.club
        if wish is None:
            return rows[0][0] if len(rows) == 1 else None
        ids = [id for id, name in rows if wish in (id, name) or id.startswith((wish, f"club-{wish}"))]
        if len(ids) != 1:
            why = (
                "there is more than one club {wish}: clubs are {clubs}"
                if ids
                else "there is no club {wish}: clubs are {clubs}"
            )
            self._say("sheet.club", Sentence(why, wish=wish, clubs=", ".join(name for _, name in rows) or "–"))
            return None
        return str(ids[0])

    def _day(self, papers: Sequence[TableOnPaper], wanted: str | None) -> str | None:
        """Return the day of the evening; every date on the sheets must be that day, unless the user gives one."""
        before = len(self._problems)
        day: date | None = None
        if wanted is not None:
            try:
                day = date.fromisoformat(wanted)
            except ValueError:
                self._say("sheet.date", Sentence("{wanted!r} is no day: write it as 2026-01-31", wanted=wanted))
        given = self._wishes.day is not None
        for table in papers:
            cell = table.facts.get("date")
            if cell is None or cell.empty:
                continue
            written = cell.day()
            if written is None and not given and has_no_year(cell.text):
                self._problems.append(yearless(cell))
            elif written is None and not given:
                why = Sentence(
                    "{cell!r} is no day, or may be one of two: write it as 2026-01-31, or give the day beside the file",
                    cell=cell.text[:40],
                )
                self._problems.append(at(cell, "sheet.date", why))
            elif day is None:
                day = written
            elif written != day:
                if given and self._one_day(papers):
                    self.overruled = cell
                    continue
                self._problems.append(at(cell, "sheet.date", Sentence(_ANOTHER_DAY, written=written, day=day)))
        for cell in self.days:
            if day is None:
                why = Sentence(
                    "{text!r} may be the day of these results: if it is, give it beside the file (--date {day})",
                    text=cell.text[:40],
                    day=cell.day(),
                )
                self._problems.append(at(cell, "sheet.date", why))
            elif cell.day() != day and given:
                self.overruled = cell
            elif cell.day() != day:
                self._problems.append(at(cell, "sheet.date", Sentence(_ANOTHER_DAY, written=cell.day(), day=day)))
        if day is None and len(self._problems) == before and papers:
            said = _day_in_name(self._first_file)
            why = Sentence("no column or line says the day: add one (date), or give it beside the file")
            if said:
                why = Sentence(
                    "no column or line says the day: add one (date), or give it beside the file (--date {day}); the name of the file says {day}",
                    day=said,
                )
            self._say("sheet.date", why)
        return None if day is None else day.isoformat()

    @staticmethod
    def _one_day(papers: Sequence[TableOnPaper]) -> bool:
        """Tell whether the sheets name no two days: else they hold several evenings, whatever the user says."""
        days = {table.facts["date"].day() for table in papers if "date" in table.facts}
        return len(days - {None}) < 2

    def game(self, table: TableOnPaper) -> Played:
        """Return the game of a table as its sheet says, or as wished, perhaps one without rules; None if nothing does."""
        text = self._game_said(table)[0]
        if text is None:
            return None
        return game_called(text) or OtherGame(text, (*range(2, MOST_AT_TABLE + 1),), self._wishes.partners)

    def _game_said(self, table: TableOnPaper) -> tuple[str | None, Cell | None]:
        """Return what says the game of a table, and its cell if that is on the sheet."""
        cell = table.facts.get("game")
        if cell is not None and not cell.empty:
            return " ".join(cell.text.split()), cell
        return " ".join((self._wishes.game or "").split()) or None, None

    def _expect_one_game(self, papers: Sequence[TableOnPaper], played: Sequence[Played], other: str) -> bool:
        """Note what is missing for an evening of a game without rules; tell whether that is nothing."""
        before = len(self._problems)
        for table, game in zip(papers, played, strict=True):
            text, cell = self._game_said(table)
            if not isinstance(game, OtherGame) or fold(game.title) != fold(other):
                self._note(
                    cell,
                    Sentence(
                        "{game} is not {other}, which has no rules here: import each by itself",
                        game=text or Sentence("any game"),
                        other=other,
                    ),
                )
            elif len(game.title) > LONGEST_GAME:
                self._note(
                    cell,
                    Sentence(
                        "a game has a name of at most {longest_game} characters: write a shorter one",
                        longest_game=LONGEST_GAME,
                    ),
                )
            elif self._wishes.partners and (len(table.players) < 4 or len(table.players) % 2):
                self._note(
                    cell,
                    Sentence(
                        "partners need a table of 4, 6 or another even number, not of {number}",
                        number=len(table.players),
                    ),
                )
            elif self._wishes.wins not in WINS:
                self._note(
                    cell,
                    Sentence(
                        "there is no game {game!r} with rules here: write one of {games}; or say whether most or least points "
                        "win (wins), and only its results are recorded",
                        game=game.title[:40],
                        games=", ".join(games()),
                    ),
                )
        return len(self._problems) == before

    def _expect_its_game(self, papers: Sequence[TableOnPaper], played: Sequence[Played], opening: ev.Session) -> None:
        """Note a game without rules that is not the one of the evening."""
        for table, game in zip(papers, played, strict=True):
            if isinstance(game, OtherGame) and fold(game.title) != fold(opening.other_game or ""):
                its = opening.other_game or opening.game or Sentence("any game with rules")
                self._note(
                    self._game_said(table)[1],
                    Sentence(
                        "{name} is an evening of {its}, not of {game}", name=opening.name, its=its, game=game.title[:40]
                    ),
                )

    def _note(self, cell: Cell | None, message: Sentence) -> None:
        """Note a problem of a game, where it is written, or of the whole import."""
        if cell is not None:
            self._problems.append(at(cell, "sheet.game", message))
        else:
            self._say("sheet.game", message)

    def _say(self, code: str, message: Sentence) -> None:
        """Note a problem of the whole import, at its first file."""
        self._problems.append(SheetProblem(code, message, self._first_file))


def _day_in_name(file: str) -> date | None:
    """Return the day that the name of a file says: it may be that of saving, so it is only proposed."""
    words = file.rpartition(".")[0].replace("_", " ")
    said = said_in([Cell(Worksheet(file, None, []), 0, 0, words)]).get("date")
    return None if said is None else said.day()


def _fewest(table: TableOnPaper) -> bool:
    """Tell whether the places on a sheet, beside its points, follow only if the fewest points win."""
    numbers = [
        (player.total and player.total.whole(), player.place and place_in(player.place)) for player in table.players
    ]
    points, written = ([each for each in column if each is not None] for column in zip(*numbers, strict=True))
    if len(points) != len(numbers) or len(written) != len(numbers):
        return table.fewest
    most, fewest = (tuple(written) == places(points, low=low) for low in (False, True))
    return fewest and not most
