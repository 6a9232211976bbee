"""The tables to store of an evening on paper: compared with what is recorded, each with its match or its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.formats.spreadsheets.cells import Cell, SheetProblem, at
from cardledger.formats.spreadsheets.hands import MatchAt, RecordedMatch, expect_partners, to_record
from cardledger.record.people.spelling import tidy_name
from cardledger.rules.engine.events import Event
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.other_game import OtherGame, has_rules, id_of
from cardledger.rules.evenings.session import SessionState
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.checks import CheckedTable
    from cardledger.formats.spreadsheets.evening_on_paper import EveningOnPaper
    from cardledger.formats.spreadsheets.known import KnownBeside
    from cardledger.formats.spreadsheets.names import NamesOnPaper
    from cardledger.formats.spreadsheets.tables_on_paper import TableOnPaper
    from cardledger.formats.spreadsheets.wishes import Wishes
    from cardledger.rules.evenings.other_game import Played


class PreviewTable(NamedTuple):
    """A table to store: round and number, its game, its players by seat, points of each hand, totals or places.

    `match` gets `events` after its event number `seq`; without one, the totals or places are the result. `other_game` is
    the name of a game without rules.
    """

    round: int
    number: int
    game: str | None
    players: tuple[str, ...]
    hands: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...] | None
    places: tuple[int, ...] | None
    match: str | None
    seq: int
    events: tuple[Event, ...]
    remark: Sentence | None = None
    other_game: str | None = None
    roll: bool = False

    def report(self) -> dict[str, Any]:
        """Return the table as JSON data, without its events."""
        names = ("round", "game", "players", "hands", "totals", "places", "match", "remark", "other_game", "roll")
        return {"table": self.number} | {name: getattr(self, name) for name in names}


class TablePlanner:
    """Plans the tables of an evening one after another, and notes problems."""

    def __init__(
        self,
        known: KnownBeside,
        wishes: Wishes,
        names: NamesOnPaper,
        evening: EveningOnPaper,
        problems: list[SheetProblem],
    ) -> None:
        self._known = known
        self._wishes = wishes
        self._names = names
        self._evening = evening
        self._problems = problems
        self._seated: dict[tuple[int, str], Cell] = {}

    def expect_once(self, table: TableOnPaper) -> None:
        """Refuse a player who sits twice in a round."""
        person = self._known.person
        for player in table.players:
            meant = self._names.player(player.name)
            first = self._seated.setdefault((table.round, person(meant)), player.name)
            if first is not player.name:
                there = Sentence("{cell} ({name})", cell=first.address, name=first.text)
                other = there if tidy_name(first.text) != meant else first.address
                self._problems.append(
                    at(player.name, "sheet.twice", Sentence("{name} sits in {other} already, in the same round: correct a name, or write the rounds", name=player.name.text, other=other))
                )  # fmt: skip

    def plan(self, paper: TableOnPaper, checked: CheckedTable, game: Played) -> PreviewTable | None:
        """Return a table to store, None after a problem."""
        session, opening, state, _ = self._evening
        if session is None or opening is None:
            return None
        if paper.roll and game is not None and game.has_sides:
            if opening.game is not None:
                why = Sentence(
                    "partners are known at every table of {name}, and no list of all who came says them: write each table",
                    name=opening.name,
                )
                self._problems.append(at(paper.anchor, "sheet.session", why))
                return None
            game = None
        players = tuple(self._names.player(paper.players[place].name) for place in checked.seats)
        if len({*players}) < len(players):
            return None
        if checked.totals is None and opening.scoring.kind != "places":
            self._problems.append(
                at(
                    paper.anchor,
                    "sheet.place",
                    Sentence(
                        "this evening adds points up: write the points of all, or score by places",
                    ),
                )
            )
            return None
        if game is None and checked.hands:
            self._problems.append(
                at(
                    paper.anchor,
                    "sheet.game",
                    Sentence("nothing says the game: add a column or a line (game), or give it beside the file"),
                )
            )
            return None
        recorded = None
        if state is not None:
            before = len(self._problems)
            recorded = self._recorded(paper, checked, players, state, hands=has_rules(game))
            if len(self._problems) > before:
                return None
        if not checked.hands or not has_rules(game):
            before = len(self._problems)
            if game is not None and len(players) in game.sizes:
                expect_partners(paper, checked, game, self._problems)
            if len(self._problems) > before:
                return None
            if recorded is not None and recorded.match is not None:
                self._expect_totals(paper, checked, recorded.match)
            without = Sentence("only the points in all are recorded, as this game has no rules here")
            remark = without if checked.hands else None
            made = RecordedMatch(None if recorded is None else recorded.match, 0, (), remark)
        else:
            place = MatchAt(session, opening, game, players, None if recorded is None else recorded.match)
            to_store = to_record(self._known, paper, checked, place, self._wishes, self._problems)
            if to_store is None:
                return None
            made = to_store
        return PreviewTable(
            paper.round, paper.number, id_of(game), players,
            tuple(hand.points for hand in checked.hands), checked.totals, checked.places, *made,
            other_game=game.title if isinstance(game, OtherGame) else None, roll=paper.roll,
        )  # fmt: skip

    def _recorded(
        self, paper: TableOnPaper, checked: CheckedTable, players: tuple[str, ...], state: SessionState, *, hands: bool
    ) -> ev.Result | None:
        """Return what is recorded of a table; other players, or no match where there are `hands`, are a problem."""
        seated = state.tables(paper.round).get(paper.number)
        if seated is None:
            return None
        there = tuple(player for entry in seated.seats if entry for player in state.players(entry, paper.round))
        if there != players:
            name = self._known.name
            self._problems.append(
                at(paper.anchor, "sheet.differs", Sentence(
                    "{label} is recorded with {names}: write the same players in this order, or another table",
                    label=paper.label, names=", ".join(map(name, there))))
            )  # fmt: skip
            return None
        _, result = state.results.get((paper.round, paper.number, None), (0, None))
        if result is not None and result.match is None:
            recorded = result.points if result.points is not None else result.places
            if (paper.hands and hands) or recorded not in (checked.totals, checked.places):
                self._problems.append(
                    at(
                        paper.anchor,
                        "sheet.differs",
                        Sentence(
                            "{label} is recorded already, with other points: amend the result there", label=paper.label
                        ),
                    )
                )
        return result

    def _expect_totals(self, paper: TableOnPaper, checked: CheckedTable, match: str) -> None:
        """Compare totals with those of a recorded match."""
        totals = tuple(self._known.match(match).table.totals)
        if checked.totals is not None and totals != checked.totals:
            said = ", ".join(map(str, totals))
            self._problems.append(
                at(
                    paper.anchor,
                    "sheet.differs",
                    Sentence(
                        "the match of {label} gave {said}: correct it there, or the sheet", label=paper.label, said=said
                    ),
                )
            )

    def events(self, table: PreviewTable) -> list[Event]:
        """Return the events of the evening for a table that are not recorded yet."""
        _, opening, state, _ = self._evening
        assert opening is not None
        events: list[Event] = []
        if state is None or table.number not in state.tables(table.round):
            named = table.game if table.game != opening.game else None
            events.append(ev.Table(round=table.round, table=table.number, seats=table.players, game=named))
        if state is None or (table.round, table.number, None) not in state.results:
            points = None if table.match else table.totals
            places = None if table.match or points is not None else table.places
            events.append(
                ev.Result(round=table.round, table=table.number, match=table.match, points=points, places=places)
            )
        return events
