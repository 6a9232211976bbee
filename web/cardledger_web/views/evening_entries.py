"""The form of the pairs or teams of an evening, and the movements they choose from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cardledger.errors import RuleError
from cardledger.record.people.spelling import expect_name, tidy_name
from cardledger.record.recording.known_players import guests_among
from cardledger.record.recording.latecomers import empty_places
from cardledger.record.recording.rounds import taken_back
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.individual import STARTS
from cardledger.rules.evenings.plan import plan
from cardledger.rules.evenings.suitable import compared, suitable
from cardledger.rules.stream import unroll
from cardledger_web.languages import N_, _, ngettext
from cardledger_web.views.evening_opening import boards_of, wrong_boards
from cardledger_web.views.form import Form, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from werkzeug.datastructures import MultiDict

    from cardledger.record.recording.known_players import KnownPlayers
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings.session import SessionState

SIZES = {"player": (1, 1), "pair": (2, 2), "team": (4, 6)}
"""The fewest and the most players under a number."""
LINES = {"": N_("either line"), "ns": N_("N/S"), "ew": N_("E/W")}
"""Where a pair sits in a Mitchell."""
MORE = 4
"""The empty lines that are added at once."""
_FIRST = {"pair": 8, "team": 4}
_MOST = 100
"""The most entries of an evening; no section has more."""


@dataclass
class EntryRow:
    """A line of the form, as filled in: number, line, and the names of the players."""

    number: str
    line: str
    names: list[str]

    @property
    def players(self) -> list[str]:
        """The names that are filled in."""
        return [name for name in self.names if name]


@dataclass
class EntriesForm(Form):
    """Who competes in an evening, one line each.

    `kept` are the numbers that stay, once the first round has begun: only their players can change then. `late` are the
    lines of numbers that nobody has, for who comes late.
    """

    unit: str
    kept: frozenset[int] = frozenset()
    rows: list[EntryRow] = field(default_factory=list)
    late: list[EntryRow] = field(default_factory=list)

    def ask(self, known: KnownPlayers) -> None:
        """Put in the players that the scorer chose, and ask about names that only look like those of players."""
        names = [name for row in (*self.rows, *self.late) for name in row.players]
        settled = iter(self.settled(names, known))
        for row in (*self.rows, *self.late):
            row.names = [next(settled) if name else "" for name in row.names]

    def entries(self, ledger: Ledger, known: KnownPlayers) -> list[ev.Entry] | None:
        """Return the entries by number, or None after an error, which `wrong` then names beside its line."""
        kept = {str(number) for number in self.kept}
        filled = [(place, row) for place, row in enumerate(self.rows, 1) if row.players or row.number in kept]
        most = max(self.kept, default=len(filled) + len(filled) % 2)
        numbers: dict[int, int] = {}
        plays: dict[str, str] = {}
        entries = []
        for place, row in filled:
            number = int(row.number) if row.number.isascii() and row.number.isdecimal() and len(row.number) < 4 else 0
            if not 1 <= number <= most:
                self.wrong[f"number-{place}"] = _(
                    "The numbers go from 1 to %(most)s here: write one of them.", most=most
                )
            elif number in numbers:
                self.wrong[f"number-{place}"] = _("Number %(number)s is in another line too.", number=number)
            numbers[number] = place
            if row.line not in LINES:
                self.wrong[f"line-{place}"] = _("Choose one of the lines.")
            players = self._players(ledger, known, f"names-{place}", row)
            for player in players:
                if (other := plays.setdefault(player, row.number)) != row.number or players.count(player) > 1:
                    self.wrong.setdefault(
                        f"names-{place}",
                        _(
                            "%(player)s is entered twice, under %(one)s and %(other)s.",
                            player=row.players[players.index(player)],
                            one=other,
                            other=row.number,
                        ),
                    )
            if not self.wrong:
                entries.append(ev.Entry(number=number, players=(*players,), line=row.line or None))  # type: ignore[arg-type]  # a key of LINES
        if len(filled) < 2 and not self.wrong:
            self.wrong[""] = _("Enter two or more, one in each line.")
        return None if self.wrong else sorted(entries, key=lambda entry: entry.number)

    def latecomers(self, ledger: Ledger, known: KnownPlayers) -> dict[int, list[str]]:
        """Return the players of the empty numbers that are filled in; errors are in `wrong`."""
        filled = {int(row.number): row for row in self.late if row.players}
        if filled and self.texts.get("sits") not in ("now", "next"):
            self.wrong["sits"] = _("Say when they sit down.")
        return {number: self._players(ledger, known, f"late-{number}", row) for number, row in filled.items()}

    def _players(self, ledger: Ledger, known: KnownPlayers, field: str, row: EntryRow) -> list[str]:
        """Return the players of a line; their number and their names must be right, or `field` is wrong."""
        least, most = SIZES[self.unit]
        if not least <= len(row.players) <= most:
            self.wrong[field] = (
                _("A name is missing.") if self.unit == "player"
                else _("A pair has two players.") if self.unit == "pair"
                else _("A team has four to six players.")
            )  # fmt: skip
        for name in row.players:
            try:
                expect_name(name, "a name")
            except RuleError as error:
                self.wrong[field] = sentence(error)
        called = [known.called(name) for name in row.players]
        people = ledger.people()
        return [people.person(ids[0] if len(ids) == 1 else name) for ids, name in zip(called, row.players, strict=True)]

    def lengthen(self) -> None:
        """Add empty lines."""
        most = SIZES[self.unit][1]
        for _more in range(MORE if len(self.rows) < _MOST else 0):
            self.rows.append(EntryRow(str(len(self.rows) + 1), "", [""] * most))


def entries_of(form: MultiDict[str, str], state: SessionState) -> EntriesForm:
    """Return the content of a form, without blanks around names."""
    texts = {name: text.strip() for name, text in form.items()}
    filled = _blank(state)
    filled.texts, most = texts, SIZES[filled.unit][1]
    for place in range(1, _MOST + MORE):
        if f"number-{place}" not in form:
            break
        names = [tidy_name(name) for name in form.getlist(f"name-{place}")][:most]
        names += [""] * (most - len(names))
        filled.rows.append(EntryRow(texts[f"number-{place}"], texts.get(f"line-{place}", ""), names))
    for row in filled.late:
        names = [tidy_name(name) for name in form.getlist(f"late-{row.number}")][:most]
        row.names = names + [""] * (len(row.names) - len(names))
    return filled


def entered_already(state: SessionState) -> EntriesForm:
    """Return the form with the entries of an evening, and empty lines after them."""
    form = _blank(state)
    most = SIZES[form.unit][1]
    for number, (*_earlier, lineup) in sorted(state.entries.items()):
        names = [*lineup.players][:most]
        form.rows.append(EntryRow(str(number), lineup.line or "", names + [""] * (most - len(names))))
    while not form.kept and (len(form.rows) < _FIRST[form.unit] or len(form.rows) == len(state.entries)):
        form.lengthen()
    return form


def _blank(state: SessionState) -> EntriesForm:
    """Return the form without lines, but those of numbers that the movement seats and nobody has."""
    unit = state.opening.unit
    late = [EntryRow(str(place.number), "", [""] * SIZES[unit][1]) for place in empty_places(state)]
    return EntriesForm(unit, frozenset(state.entries if state.round else ()), late=late)


def changes(ledger: Ledger, evening: str, state: SessionState, entries: Sequence[ev.Entry]) -> list[Event]:
    """Return the events that make these the entries of an evening, and its players those who are here.

    What was entered before is taken back, with its movement. Once a round has begun, other players under a number are
    its substitutes from the next round on; raises RuleError `session.phase` for other numbers or lines.
    """
    before = {number: (lineup.players, lineup.line) for number, (*_, lineup) in state.entries.items()}
    if before == {entry.number: (entry.players, entry.line) for entry in entries}:
        return []
    back, new = [], [*entries]
    if state.round:
        if {(number, line) for number, (_, line) in before.items()} != {(each.number, each.line) for each in entries}:
            raise RuleError("session.phase", "the first round has begun: numbers and lines stay as they are")
        new = [entry for entry in entries if entry.players != before[entry.number][0]]
        # Somebody who changes to another number has to leave theirs first.
        new.sort(
            key=lambda entry: any(
                number != entry.number and {*players} & {*entry.players} for number, (players, _) in before.items()
            )
        )
    else:
        counting = [*unroll(ledger.evenings.stream(evening).heads[-1])]
        own = {seq for seq, event in counting if isinstance(event, ev.Entry | ev.Movement | ev.Table)}
        back = taken_back(counting, own, "who competes is entered again") if own else []
    players = {player for entry in entries for player in entry.players}
    gone = [player for each in before.values() for player in each[0] if player in state.here and player not in players]
    came = dict.fromkeys(player for entry in new for player in entry.players if player not in state.here)
    guests = guests_among(ledger, state.opening.club, state.opening.date, came)
    after = state.round or None
    return [
        *back,
        *(ev.Leave(player=player, after=after) for player in gone),
        *(ev.Arrive(player=player, guest=player in guests, after=after) for player in came),
        *new,
    ]


# --- the movement


class MovementChoice(NamedTuple):
    """A movement to choose: its short name, its event, its title, and what it is in sentences."""

    name: str
    movement: ev.Movement
    title: str
    sentences: list[str]


@dataclass
class MovementForm(Form):
    """The boards of a round and the most rounds, as filled in, and the movements that suit them."""

    choices: list[MovementChoice] = field(default_factory=list)


def movement_form(state: SessionState, given: MultiDict[str, str]) -> MovementForm:
    """Return the movements that suit who competes, or the mistakes in the numbers given."""
    form = MovementForm(texts={name: text.strip() for name, text in given.items()})
    last = state.movements[-1].boards if state.movements else 2
    form.texts["boards"] = form.texts.get("boards") or str(last)
    boards, rounds, said = boards_of(form.texts["boards"]), None, form.texts.get("rounds", "")
    if boards is None:
        form.wrong["boards"] = wrong_boards()
    if said:
        rounds = int(said) if said.isascii() and said.isdecimal() and len(said) < 4 else 0
        if not rounds:
            form.wrong["rounds"] = _("Write a number of rounds, or nothing for all.")
    if boards is not None and not form.wrong:
        form.choices = [
            MovementChoice(name, movement, *_in_words(state, movement))
            for name, movement in suitable(state, boards, rounds).items()
        ]
        if not form.choices:
            form.wrong[""] = _none_suits(state)
    return form


def _none_suits(state: SessionState) -> str:
    """Return why there is no movement, and what to do."""
    if state.status == "closed":
        return _("The evening is closed.")
    if state.opening.unit == "player":
        return _(
            "An evening of changing pairs is for %(numbers)s players; %(here)s are here.",
            numbers=", ".join(map(str, STARTS)),
            here=len(state.here),
        )
    return _("No movement suits these numbers and boards. Give a round two boards or more.")


def individual_entries(state: SessionState) -> list[ev.Entry]:
    """Return the entries of single players: those who are here, numbered in order of arrival."""
    return [ev.Entry(number=number, players=(player,)) for number, player in enumerate(state.here, 1)]


def _in_words(state: SessionState, movement: ev.Movement) -> tuple[str, list[str]]:
    """Return the title of a movement, and what it is: rounds and boards first."""
    boards = ngettext("%(num)s board", "%(num)s boards", movement.boards)
    if movement.kind == "swiss":
        drawn = _("Each round is drawn from the ranking before it: neighbours there meet.")
        return _("Swiss"), [_("As many rounds as you like, of %(boards)s each.", boards=boards), drawn]
    schedule = plan(movement, state.opening.unit == "team")
    rounds = len(schedule.rounds)
    used = len({board for tables in schedule.rounds for table in tables for board in table.boards})
    counted = {
        "rounds": ngettext("%(num)s round", "%(num)s rounds", rounds), "boards": boards,
        "played": rounds * movement.boards, "all": used,
    }  # fmt: skip
    first = (
        _("%(rounds)s of %(boards)s, %(all)s in all.", **counted)
        if counted["played"] == used
        else _("%(rounds)s of %(boards)s: each plays %(played)s of the %(all)s.", **counted)
    )
    remarks = _remarks(state, movement, schedule.entries, schedule.shared)
    return _title(movement), [first, *remarks, *_comparison(state, movement)]


def _comparison(state: SessionState, movement: ev.Movement) -> Iterator[str]:
    """Yield what is poor about the comparison.

    Boards with unequal numbers of results, and those that one table alone plays.
    """
    alone = state.opening.unit == "player"
    many = compared(movement, None if alone else state.entries, state.opening.unit == "team")
    if movement.rounds and many.fewest != many.most:
        yield _(
            "It is cut short: some boards are played more often than others (%(fewest)s to %(most)s).",
            fewest=many.fewest,
            most=many.most,
        )
    if many.once:
        yield ngettext(
            "%(num)s of the %(all)s boards would be played at one table only: it compares nobody.",
            "%(num)s of the %(all)s boards would be played at one table only: they compare nobody.",
            many.once,
            all=many.boards,
        )


def _title(movement: ev.Movement) -> str:
    if movement.kind != "mitchell":
        return {"howell": _("Howell"), "individual": _("Individual")}[movement.kind]
    kind = _("Mitchell")
    if (movement.tables or 1) % 2 == 0:
        kind = _("Mitchell with a skip") if movement.even == "skip" else _("Mitchell with share and relay")
    if movement.arrow_switch:
        return _("%(kind)s, one winner", kind=kind)
    return _("%(kind)s, two winners", kind=kind)


def _remarks(state: SessionState, movement: ev.Movement, entries: int, shared: bool) -> list[str]:
    """Return what is special about a movement, a sentence each."""
    said = []
    if movement.kind == "mitchell":
        tables = movement.tables or 0
        said.append(
            _("Numbers 1 to %(tables)s sit north-south, "
                "%(next)s to %(all)s east-west.", tables=tables, next=tables + 1, all=2 * tables)
        )  # fmt: skip
        if shared:
            said.append(_("Tables 1 and %(tables)s share their boards, and a relay stands halfway.", tables=tables))
        elif tables % 2 == 0:
            said.append(_("Halfway the east-west pairs pass over one table."))
        if movement.arrow_switch:
            said.append(
                ngettext(
                    "In the last round the lines change seats.",
                    "In the last %(num)s rounds the lines change seats.",
                    movement.arrow_switch,
                )
            )
    elif movement.kind == "howell":
        said.append(
            _("Nobody meets twice; it stops early.") if movement.rounds else _("Everybody meets everybody once.")
        )
        if shared:
            said.append(_("Tables share boards."))
    else:
        said.append(_("Everybody is everybody's partner once; all tables play the same boards."))
    competing = len(state.entries) if state.opening.unit != "player" else len(state.here)
    if competing < entries or (movement.kind == "individual" and competing % 4):
        said.append(_("One sits out each round."))
    return said
