"""A drive on its pages: the form that begins it, the sheet of a hand to fill in, its rules in sentences, its prizes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, cast

from cardledger.errors import RuleError
from cardledger.record.readmodels.questions.evening_list import list_evenings
from cardledger.rules.evenings.drive import GENTLEMAN, LADY
from cardledger.rules.evenings.drive_rules import (
    MOST_HANDS,
    USUAL_HANDS,
    USUAL_TRUMPS,
    drives,
    has_cycle,
    in_pairs,
    tricks_of,
)
from cardledger.rules.evenings.drive_sheet import (
    DrivenHand,
    Moves,
    Trump,
    drive_begun,
    driven_hand,
    last_hand,
    tricks_entered,
)
from cardledger.rules.evenings.other_game import game_of
from cardledger.rules.evenings.session import SessionState
from cardledger_web.languages import N_, _, joined, ngettext, translated
from cardledger_web.views.form import Form, sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from werkzeug.datastructures import MultiDict

    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.recording.moment import Moment
    from cardledger.rules.engine.events import Event
    from cardledger.rules.evenings import evening_events as ev
    from cardledger.rules.evenings.prizes import Prize

MOVES = {
    "winners_up": N_("winners go up a table"),
    "ladies_up": N_("of the winners the lady goes up, the gentleman down"),
}
"""Who moves after a hand."""
TRUMPS: dict[str, tuple[str, tuple[Trump, ...]]] = {
    "cycle": (N_("♥ ♣ ♦ ♠ in turn"), cast("tuple[Trump, ...]", USUAL_TRUMPS)),
    "cycle-nt": (N_("♥ ♣ ♦ ♠ and no trump in turn"), cast("tuple[Trump, ...]", (*USUAL_TRUMPS, "NT"))),
    "game": (N_("as the game has it"), ()),
}
"""The trumps to choose from: a word, what it is called, and the cycle."""
TRUMP = {
    "C": N_("♣ clubs are trump"), "D": N_("♦ diamonds are trump"), "H": N_("♥ hearts are trump"), "S": N_("♠ spades are trump"),
    "NT": N_("no trump"),
}  # fmt: skip
"""The trump of a hand, in words."""
PRIZES = {
    "best": N_("Best of all"), "best_lady": N_("Best lady"), "best_gentleman": N_("Best gentleman"),
    "first_half": N_("Best first half"), "second_half": N_("Best second half"), "hidden_table": N_("Hidden table"),
    "lowest": N_("Booby prize"),
}  # fmt: skip
"""The prizes, as clubs call them."""
_LOOK_BACK = 8
"""The evenings of a club among which its last drive is looked for."""
_NUMBER = re.compile(r"[0-9]{1,3}")
_POINTS = re.compile(r"-?[0-9]{1,6}")
_APART = re.compile(r"(?<=\d)-(?=\d)|[\s:/+]")


# --- how it begins


@dataclass
class DriveForm(Form):
    """The form that begins a drive: `ladies` are the players who play as ladies.

    If there are any, the others are gentlemen.
    """

    ladies: frozenset[str] = frozenset()

    @property
    def moves(self) -> str:
        """Who moves, a word of `MOVES`."""
        return self.texts.get("moves", "ladies_up" if self.ladies else "winners_up")

    @property
    def trumps(self) -> str:
        """The trumps, a word of `TRUMPS`."""
        return self.texts.get("trumps", "cycle")

    def begun(self, state: SessionState) -> list[Event] | None:
        """Return the events that begin the drive, or None after an error, which `wrong` then names."""
        said = self.texts.get("hands", "")
        hands = int(said) if _NUMBER.fullmatch(said) else 0
        if not 1 <= hands <= MOST_HANDS:
            self.wrong["hands"] = _("The number of hands is 1 to %(most)s.", most=MOST_HANDS)
        if self.moves not in MOVES:
            self.wrong["moves"] = _("Choose one of the two.")
        if self.trumps not in TRUMPS:
            self.wrong["trumps"] = _("Choose one of the three.")
        if self.moves == "ladies_up" and not self.ladies:
            self.wrong["ladies"] = _("Tap who plays as a lady.")
        if self.wrong:
            return None
        kinds: dict[str, Literal["lady", "gentleman"]] = {}
        if self.ladies:
            kinds = {player: "lady" if player in self.ladies else "gentleman" for player in state.here}
        trumps = TRUMPS[self.trumps][1] if has_trumps(state) else ()
        return drive_begun(state, hands, cast("Moves", self.moves), trumps, kinds)


def drive_form(
    state: SessionState, given: MultiDict[str, str] | None = None, last: ev.Movement | None = None
) -> DriveForm:
    """Return the form as filled in, else as in the `last` drive of the club.

    With the ladies that are entered already.
    """
    if given is not None:
        return DriveForm(
            texts={name: text.strip() for name, text in given.items()}, ladies=frozenset(given.getlist("ladies"))
        )
    ladies = {state.entries[entry][-1].players[0] for entry in state.entries if state.plays_as(entry) == LADY}
    texts = {"hands": str(USUAL_HANDS)}
    if last is not None:
        word = next((word for word, (_text, cycle) in TRUMPS.items() if cycle == last.trumps), "cycle")
        texts = {"hands": str(last.rounds), "trumps": word}
        if last.moves == "winners_up" or ladies:
            texts["moves"] = last.moves
    return DriveForm(texts=texts, ladies=frozenset(ladies))


def last_drive(ledger: Ledger, club: str | None, but: str) -> ev.Movement | None:
    """Return the movement of the last drive of a club, but not of one evening; None without one among the last few."""
    for row in list_evenings(ledger, _LOOK_BACK, club=club).evenings if club else ():
        state = ledger.evenings.stream(row["evening"]).state
        if row["evening"] != but and isinstance(state, SessionState) and last_hand(state):
            return state.movements[-1]
    return None


def can_be_driven(state: SessionState) -> bool:
    """Tell whether an evening can become a drive now: single players, a game for it, no movement and no result yet."""
    opening = state.opening
    fits = opening.unit == "player" and opening.scoring.kind == "total" and drives(game_of(opening))
    return fits and not state.movements and not state.round and state.status == "open"


def has_trumps(state: SessionState) -> bool:
    """Tell whether the trumps of the evening's game can go round by the hand."""
    return has_cycle(game_of(state.opening))


def has_pairs(state: SessionState) -> bool:
    """Tell whether two pairs play at a table in the evening's game."""
    return state.opening.partners or takes_tricks(state)


def takes_tricks(state: SessionState) -> bool:
    """Tell whether two pairs share the tricks of a hand in the evening's game."""
    return tricks_of(game_of(state.opening)) is not None


# --- its rules in sentences


def rules_of(state: SessionState, movement: ev.Movement) -> list[str]:
    """Return how a drive is played, a sentence each."""
    if movement.moves == "ladies_up":
        moves = _("After each hand the lady of the winning pair goes up a table and the gentleman down; losers stay.")
    elif in_pairs(movement, state.opening):
        moves = _("After each hand the winning pair goes up a table, from the last table to the first; losers stay.")
    else:
        moves = _("After each hand the best two go up a table, from the last table to the first; the others stay.")
    said = [moves]
    if in_pairs(movement, state.opening):
        said.append(_("Everybody gets another partner for the next hand."))
    said.append(out_rule(movement))
    return said


def out_rule(movement: ev.Movement) -> str:
    """Return what somebody gets who sits out a hand."""
    if movement.tricks is None:
        return _("Who sits out gets the mean of the field in that hand, rounded up.")
    half = -(-movement.tricks // 2)
    return _(
        "A player who sits out gets half of the tricks, rounded up: %(half)s. Those who did so least sit out first.",
        half=half,
    )


# --- the sheet of a hand


@dataclass
class SheetLine:
    """A table on the sheet of a hand: the players of each side (a pair, or one alone), and what is in its fields.

    `was` is what they showed before.
    """

    number: int
    players: list[tuple[str, ...]]
    values: list[str]
    was: str
    wrong: str = ""

    @property
    def rest(self) -> str:
        """The tricks of the other pair, if they are known."""
        return self.was.partition(" ")[2] if len(self.values) == 1 else ""


@dataclass
class DriveSheet(Form):
    """The sheet of a hand with a line for each table."""

    sheet: DrivenHand
    lines: list[SheetLine] = field(default_factory=list)

    def read(self, state: SessionState, given: MultiDict[str, str]) -> dict[int, tuple[int, ...]]:
        """Take in a form, and return the tricks of each table that is filled in; errors stand beside their lines."""
        tricks: dict[int, tuple[int, ...]] = {}
        for line in self.lines:
            words = given.getlist(f"tricks-{line.number}")
            if not words:
                continue
            asked = len(line.values)
            line.values = ([word.strip() for word in words] + [""] * asked)[:asked]
            line.wrong, entered = self._entered(state, line, given.get(f"was-{line.number}", ""))
            if len(words) > asked:  # the table is there twice
                line.wrong, entered = self._whole_numbers(), ()
            if entered:
                tricks[line.number] = entered
            if line.wrong:
                self.wrong[f"tricks-{line.number}"] = line.wrong
        return tricks

    def _entered(self, state: SessionState, line: SheetLine, was: str) -> tuple[str, tuple[int, ...]]:
        """Return what is wrong with a line, and what it enters: nothing for an empty one."""
        words = [word for value in line.values for word in _APART.split(value.replace("\N{MINUS SIGN}", "-")) if word]
        if not words:
            return (_("Its tricks are recorded: write the right number.") if line.was else ""), ()
        whole = self.sheet.tricks
        if not all(map((_POINTS if whole is None else _NUMBER).fullmatch, words)) or (
            whole is None and len(words) != len(line.values)
        ):
            return self._whole_numbers(), ()
        numbers = tuple(map(int, words))
        if whole is not None and (len(numbers) > 2 or max(numbers) > whole):
            return self._whole_numbers(), ()
        if whole is not None and len(numbers) == 2 and sum(numbers) != whole:
            return _(
                "%(one)s and %(other)s make %(sum)s; the tricks of a hand are %(whole)s.",
                one=numbers[0], other=numbers[1], sum=sum(numbers), whole=whole,
            ), ()  # fmt: skip
        try:
            events = tricks_entered(state, self.sheet.round, {line.number: numbers})
        except RuleError as error:
            return sentence(error), ()
        if events and line.was and line.was != was:
            return _("Somebody recorded %(other)s meanwhile. Send it again if yours is right.", other=line.was), ()
        return "", numbers

    def _whole_numbers(self) -> str:
        if self.sheet.tricks is not None:
            return _("Write the tricks of north and south, 0 to %(whole)s.", whole=self.sheet.tricks)
        return (
            _("Write a whole number for each pair.")
            if self.sheet.in_pairs
            else _("Write a whole number for each player.")
        )


def drive_sheet(state: SessionState, moment: Moment, round: int | None = None) -> DriveSheet:
    """Return the sheet of a hand; raises RuleError `session.movement`, `session.seats`."""
    sheet = driven_hand(state, round)
    person = moment.people.person
    lines = []
    for table in sheet.tables:
        points = table.points or ()
        sides = 2 if sheet.in_pairs else len(table.entries)
        fields = 1 if sheet.tricks is not None else sides
        shown = points[:fields]
        seats = [tuple(map(person, state.players(entry, sheet.round))) for entry in table.entries]
        players = [tuple(player for seat in seats[side::sides] for player in seat) for side in range(sides)]
        values = [*map(str, shown)] or [""] * fields
        was = " ".join(map(str, points[:sides]))
        lines.append(SheetLine(table.number, players, values, was))
    return DriveSheet(sheet, lines)


def trump_in_words(sheet: DrivenHand) -> str:
    """Return the trump of a hand in words, "" where the game decides it."""
    return translated(TRUMP[sheet.trump]) if sheet.trump else ""


# --- prizes


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A prize with those who have it, and what they have it for."""

    title: str
    players: tuple[str, ...]
    said: str
    tied: bool


def prize_rows(found: Sequence[Prize], players: Mapping[int, Sequence[str]], paired: bool) -> list[PrizeRow]:
    """Return the prizes to show: several people at one prize, but for the hidden table, are tied."""
    rows = []
    for prize in found:
        points = None if prize.points is None else int(prize.points)
        if points is None:
            said = _("table %(number)s in the last hand", number=prize.table)
        elif paired:
            said = ngettext("%(num)s trick", "%(num)s tricks", points)
        else:
            said = ngettext("%(num)s point", "%(num)s points", points)
        who = tuple(player for entry in prize.entries for player in players[entry])
        rows.append(PrizeRow(translated(PRIZES[prize.name]), who, said, points is not None and len(prize.entries) > 1))
    return rows


def kinds_in_words(state: SessionState) -> str:
    """Return how many play as what, "" where nobody said."""
    kinds = [state.plays_as(entry) for entry in state.entries]
    ladies, gentlemen = kinds.count(LADY), kinds.count(GENTLEMAN)
    if not ladies and not gentlemen:
        return ""
    return joined([
        ngettext("%(num)s lady", "%(num)s ladies", ladies), ngettext("%(num)s gentleman", "%(num)s gentlemen", gentlemen)
    ])  # fmt: skip
