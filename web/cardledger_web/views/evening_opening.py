"""The form that opens an evening: its suggestions, and its content, as events or with an error beside each field."""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from cardledger.errors import LedgerError, RuleError
from cardledger.pseudonyms import is_pseudonym, kept
from cardledger.record.people.spelling import A_NAME, expect_name, tidy_name, typed_names
from cardledger.record.readmodels.questions.evening_list import clubs, comers, last_evening, open_leagues
from cardledger.record.recording.known_players import guests_among
from cardledger.record.recording.last_field import came_to, field_of
from cardledger.record.recording.masterpoints import tables_of
from cardledger.record.recording.rounds import matches_have_boards, pairs_can_meet
from cardledger.rules.engine import events as match_events
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.club import ClubState
from cardledger.rules.evenings.drive_rules import AT_TABLE, drives
from cardledger.rules.evenings.scoring import ON_BOARDS, Scoring
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.table_sizes import FOUR, usual_sizes
from cardledger.rules.games import games, start
from cardledger_web.languages import N_, _, joined, translated
from cardledger_web.views.form import Form, option_name, sentence
from cardledger_web.views.other_game_form import OTHER, fewest_wins, fill_in, is_other, keys_of_other_game
from cardledger_web.views.pasted_names import UNITS, PastedNames

if TYPE_CHECKING:
    from collections.abc import Iterable

    from werkzeug.datastructures import MultiDict

    from cardledger.record.recording.known_players import KnownPlayers
    from cardledger.record.recording.ledger import Ledger

LONGEST = {"club_name": 120, "name": 120, "place": 120}
"""The greatest length of free texts."""
NEW = "new"
"""In the address of the form: a club that does not exist yet."""
SCORINGS = {"places": N_("points for places"), "total": N_("sum of points")}
"""How evenings of single players can be scored, who are seated for each round."""
COMPETES = {
    "players": N_("players"),
    "pairs": N_("pairs"),
    "teams": N_("teams"),
    "individual": N_("each alone, in changing pairs"),
}
"""Who can compete."""
BOARD_SCORINGS = {
    "matchpoints": N_("matchpoints"), "butler": N_("IMPs against the mean (Butler)"), "cross_imps": N_("IMPs against every table"),
}  # fmt: skip
"""How boards can be compared, but those of teams."""
MOST_BOARDS = 64
"""The most boards of a round."""
_WEEKDAYS = (N_("Monday"), N_("Tuesday"), N_("Wednesday"), N_("Thursday"), N_("Friday"), N_("Saturday"), N_("Sunday"))
_NUMBER = re.compile(r"-?\d{1,6}(\.\d{1,3})?")


class OpeningEvents(NamedTuple):
    """What the form records: a club if it is new, and the session with its arrivals; both with their ids."""

    club: ev.Club | None
    session: list[ev.Session | ev.Arrive | ev.Entry]


@dataclass
class EveningOpening(Form):
    """The form of an evening: its id (a UUID), its club ("" for a new one), its game ("" for any), who is here.

    `here` are the players tapped, `more` the names typed, `pasted` is the list of names that was pasted.
    """

    id: str
    club: str
    game: str
    here: list[str]
    more: list[str]
    pasted: PastedNames = field(default_factory=PastedNames)

    @property
    def session(self) -> str:
        """The id of the session to open."""
        return f"session-{self.id}"

    @property
    def day(self) -> str:
        """The day of the evening; today (on the server's calendar) if the field is empty."""
        return self.texts.get("date") or datetime.now().astimezone().date().isoformat()

    @property
    def competes(self) -> str:
        """Who competes, a word of `COMPETES`."""
        return self.texts.get("competes", "players")

    @property
    def boards(self) -> int | None:
        """The boards of a round, None after a mistake."""
        return boards_of(self.texts.get("boards") or "2")

    @property
    def weekday(self) -> str:
        """The name of an evening that has no other."""
        return weekday(self.day)

    @property
    def came(self) -> list[str]:
        """Who is here, in the order of the form; players of pairs and teams come with their entries."""
        alone = UNITS.get(self.competes, "player") == "player"
        return [*(self.here + self.more if alone else ()), *self.pasted.names]

    def ask(self, known: KnownPlayers) -> None:
        """Put in the players that the scorer chose, and ask about typed names that only look like those of players."""
        self.pasted.read(self)
        typed = [*self.here, *self.more]
        settled = self.settled([*typed, *self.pasted.names], known)
        self.more = settled[len(self.here) : len(typed)]
        self.pasted.settle(self, settled[len(typed) :], known)
        try:
            for name in self.more:
                expect_name(name, A_NAME)
            known.persons(self.came)
        except RuleError as error:
            self.wrong["players"] = sentence(error)

    def events(self, ledger: Ledger) -> OpeningEvents | None:
        """Return the events of the form, or None after an error, which `wrong` then names."""
        self.expect_short(LONGEST)
        self.expect_day()
        other = keys_of_other_game(self, ledger)
        if self.game and self.game not in games() and not is_other(self.game):
            self.wrong["game"] = _("Choose one of the games, or any.")
        if self.competes not in COMPETES:
            self.wrong["competes"] = _("Choose one of the four.")
        elif self.competes != "players":
            self._expect_boards()
        if self.drives and AT_TABLE not in (other.get("sizes") or FOUR) and "sizes" not in self.wrong:
            self.wrong["sizes" if self.game == OTHER else "game"] = _("A drive is for four at each table.")
        if self.competes == "pairs" and other:
            other |= {"sizes": (), "partners": False}  # a pair competes together anyway
        scoring = self._scoring(fewest=fewest_wins(self, ledger))
        entered = self.pasted.entries(self)
        club = self._club(ledger)
        if "date" in self.wrong:
            return None
        league, masterpoints = self._league(ledger), self._masterpoints(ledger)
        options = self._options()
        if self.wrong or scoring is None:
            return None
        opening = ev.Session(
            id=self.session, club=club.id if club else self.club, name=self.texts.get("name") or self.weekday,
            date=self.day, game=self.game if self.game in games() else None, unit=UNITS[self.competes], scoring=scoring,
            place=self.texts.get("place") or None, options=options, league=league, masterpoints=masterpoints, **other,
        )  # fmt: skip
        people = ledger.people()
        here = [*map(people.person, self.came)]
        guests = guests_among(ledger, opening.club, opening.date, here)
        # Ids, so that the same form sent again records nothing new; nothing in them tells a name.
        arrivals = [
            ev.Arrive(
                id=str(uuid.uuid5(uuid.UUID(self.id), f"{place} of {len(here)}")), player=player, guest=player in guests
            )
            for place, player in enumerate(here)
        ]
        entries = [
            replace(
                each, id=str(uuid.uuid5(uuid.UUID(self.id), f"number {each.number}")),
                players=tuple(map(people.person, each.players)),
            )
            for each in entered
        ]  # fmt: skip
        return OpeningEvents(club, [opening, *arrivals, *entries])

    def _club(self, ledger: Ledger) -> ev.Club | None:
        """Return the opening of a new club, None for a known one."""
        if self.club:
            if self.club not in clubs(ledger):
                self.wrong["club_name"] = _("There is no such club. Choose another.")
            return None
        name = tidy_name(self.texts.get("club_name", ""))
        if not name:
            self.wrong["club_name"] = _("Write the name of the club.")
        id = f"club-{uuid.uuid5(uuid.UUID(self.id), 'club')}"
        return ev.Club(id=id, name=name, place=self.texts.get("place") or None)

    @property
    def drives(self) -> bool:
        """Whether each plays alone in changing pairs at a game without boards, so that people move by their results."""
        game = games().get(self.game)
        fits = is_other(self.game) or (drives(game) and not matches_have_boards(game))
        return self.competes == "individual" and fits

    @property
    def on_boards(self) -> bool:
        """Whether boards are compared: not by single players, nor in a drive, nor by pairs at a game without boards."""
        meets = self.competes == "pairs" and (is_other(self.game) or pairs_can_meet(games().get(self.game)))
        return self.competes != "players" and not self.drives and not meets

    def _expect_boards(self) -> None:
        """Note a number of boards that cannot be, and a game without boards; any game is the first that has them."""
        if not self.on_boards:
            return
        if self.boards is None:
            self.wrong["boards"] = wrong_boards()
        with_boards = {id: game for id, game in games().items() if matches_have_boards(game)}
        self.game = self.game or next(iter(with_boards))
        if self.game and self.game not in with_boards and "game" not in self.wrong:
            self.wrong["game"] = _(
                "Boards are compared here, and this game has none. Choose %(games)s.",
                games=joined([translated(game.title) for game in with_boards.values()]),
            )

    def _scoring(self, *, fewest: bool) -> Scoring | None:
        if self.drives:
            return Scoring(kind="total", decimals=0, fewest=fewest and is_other(self.game))
        if self.competes == "teams":
            return Scoring(kind="teams")
        if self.on_boards:
            kind = self.texts.get("board_scoring", "matchpoints")
            if kind not in BOARD_SCORINGS:
                self.wrong["board_scoring"] = _("Choose one of the three.")
                return None
            return Scoring(kind=kind)  # type: ignore[arg-type]  # a key of BOARD_SCORINGS
        match self.texts.get("scoring", "places"):
            case "places":
                return Scoring(
                    kind="places",
                    scaled="scaled" in self.texts,
                    fewest=fewest,
                    points=self._points() or Scoring(kind="places").points,
                )
            case "total":
                return Scoring(kind="total", fewest=fewest, decimals=0 if is_other(self.game) else 2)
        self.wrong["scoring"] = _("Choose one of the two.")
        return None

    def _points(self) -> tuple[int | float, ...]:
        """Return the points by place, nothing for the usual ones."""
        words = self.texts.get("points", "").replace(",", " ").split()
        if not all(map(_NUMBER.fullmatch, words)) or len(words) > 20:
            self.wrong["points"] = _("Write the points for the first, second and every other place, such as 4 3 2 1.")
            return ()
        return tuple(float(word) if "." in word else int(word) for word in words)

    def _league(self, ledger: Ledger) -> str | None:
        league = self.texts.get("league") or None
        if league and league not in open_leagues(ledger, self.club, self.day):
            self.wrong["league"] = _("This league of the club does not run on that day.")
        return league

    def _masterpoints(self, ledger: Ledger) -> str | None:
        name = self.texts.get("masterpoints") or None
        if name and not (self.club in clubs(ledger) and name in tables_of(ledger, self.club)):
            self.wrong["masterpoints"] = _("The club gives no such masterpoints.")
        return name

    def _options(self) -> dict[str, object]:
        """Return the options of the evening's game that differ from its defaults."""
        game = games().get(self.game)
        if game is None:
            return {}
        options = self.options(game)
        try:
            start(match_events.Open(game=game.id, players=tuple("abcdefgh"[: usual_sizes(game)[0]]), options=options))
        except LedgerError as error:
            self.wrong.setdefault("", sentence(error))
        return options


def boards_of(text: str) -> int | None:
    """Return the boards of a round that a text says, None if it says none.

    >>> boards_of("3"), boards_of("none"), boards_of("65")
    (3, None, None)
    """
    boards = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else 0
    return boards if 1 <= boards <= MOST_BOARDS else None


def wrong_boards() -> str:
    """Return what is said of a number of boards that cannot be."""
    return _("A round has 1 to %(most)s boards.", most=MOST_BOARDS)


def weekday(day: str) -> str:
    """Return the name of the weekday of an ISO day, "" for a text that is no day.

    >>> weekday("2026-01-06")
    'Tuesday'
    """
    try:
        return _(_WEEKDAYS[date.fromisoformat(day).weekday()])
    except ValueError:
        return ""


def evening_of(form: MultiDict[str, str]) -> EveningOpening:
    """Return the content of a form, without blanks around texts."""
    texts = {name: text.strip() for name, text in form.items()}
    try:
        id = str(uuid.UUID(texts.get("id", "")))
    except ValueError:
        id = str(uuid.uuid4())
    here = [*dict.fromkeys(filter(None, map(tidy_name, form.getlist("here"))))]
    more = typed_names(form.get("more", ""))
    return EveningOpening(id, texts.get("club", ""), texts.get("game", ""), here, more, texts=texts)


def blank_evening(ledger: Ledger, asked: str | None, *, as_last: bool = False) -> EveningOpening:
    """Return the form of the next evening of a club: everything is as on its last evening, and nobody is here yet.

    With `as_last` the same people are, in the same pairs and teams under the same numbers. It carries the id of its session, so sending it twice opens one evening.
    """
    known = clubs(ledger)
    club = "" if asked == NEW else asked if asked in known else next(iter(known), "")
    opening = EveningOpening(str(uuid.uuid4()), club, "", [], [])
    opening.texts["date"] = day = opening.day
    if not club:
        return opening
    state = ledger.evenings.stream(club).state
    assert isinstance(state, ClubState)
    opening.texts |= {
        "place": kept(state.opening.place) or "",
        "league": next(iter(open_leagues(ledger, club, day)), ""),
    }
    last = last_evening(ledger, club)
    if last is not None:
        earlier = ledger.evenings.stream(last).state
        assert isinstance(earlier, SessionState)
        _repeat(opening, earlier.opening)
        if any(each.kind == "drive" for each in earlier.movements):
            opening.texts["competes"] = "individual"
        if earlier.opening.unit == "pair":
            opening.texts["competes"] = "pairs"
        if earlier.opening.scoring.kind in ON_BOARDS:
            unit = earlier.opening.unit
            opening.texts["competes"] = "individual" if unit == "player" else f"{unit}s"
            if earlier.movements:
                opening.texts["boards"] = str(earlier.movements[-1].boards)
        if as_last:
            opening.texts["field"] = field_of(earlier, ledger.people())
            opening.here = [] if opening.texts["field"] else came_to(earlier, ledger.people())
    return opening


def _repeat(opening: EveningOpening, last: ev.Session) -> None:
    """Fill the form in as on the last evening."""
    scoring = last.scoring
    game = games().get(last.game or "")
    opening.game = game.id if game else ""
    fill_in(opening, last)
    opening.texts |= {"place": kept(last.place) or opening.texts["place"], "masterpoints": last.masterpoints or ""}
    if scoring.kind in BOARD_SCORINGS:
        opening.texts["board_scoring"] = scoring.kind
    if scoring.kind in SCORINGS:
        opening.texts["scoring"] = scoring.kind
        opening.texts |= {name: "yes" for name in ("scaled", "fewest") if getattr(scoring, name)}
        if scoring.points != Scoring(kind="places").points:
            opening.texts["points"] = " ".join(map(str, scoring.points))
    if game is None:
        return
    for option in game.options:
        if option.name in last.options:
            value = last.options[option.name]
            opening.texts[option_name(game, option)] = (
                ("yes" if value else "") if isinstance(value, bool) else str(value)
            )


def regulars(ledger: Ledger, club: str | None, day: str, also: Iterable[str] = ()) -> list[str]:
    """Return the members of a club and the players of its last evenings, and `also` others, by name.

    Each person once.
    """
    players = [*also]
    if club:
        state = ledger.evenings.stream(club).state
        assert isinstance(state, ClubState)
        players += [*state.members(day), *state.guests(), *comers(ledger, club)]
    people = ledger.people()
    persons: dict[str, str] = {}
    for player in players:
        if not is_pseudonym(people.person(player)):
            persons.setdefault(people.person(player), player)
    return sorted(persons.values(), key=lambda player: (people.name(player).casefold(), player))
