"""The movements that suit an evening, in words, to choose from."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from cardledger.rules.evenings.individual import STARTS
from cardledger.rules.evenings.plan import plan
from cardledger.rules.evenings.sections import LETTERS
from cardledger.rules.evenings.suitable import Suited, Wish, boards_in, compared, suitable
from cardledger_web.languages import N_, _, joined, ngettext
from cardledger_web.views.evening_opening import boards_of, wrong_boards
from cardledger_web.views.form import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from werkzeug.datastructures import MultiDict

    from cardledger.rules.evenings import evening_events as ev
    from cardledger.rules.evenings.session import SessionState

COMPARE = {"all": N_("all tables, as all play the same cards"), "section": N_("the tables of the section")}
"""With what the results of sections are compared."""
RANK = {"all": N_("one for all sections"), "section": N_("one for each section")}
"""Which rankings there are."""
LONGEST_TIME = 1440
"""The minutes of a day."""


class MovementChoice(NamedTuple):
    """A movement to choose: its short name, the movement, its title, and what it is in sentences."""

    name: str
    suited: Suited
    title: str
    sentences: list[str]


@dataclass
class MovementForm(Form):
    """The boards of a round and the most rounds, or the time, as filled in, and the movements that suit them.

    `too_long` are sentences about those for which the time is not enough.
    """

    choices: list[MovementChoice] = field(default_factory=list)
    too_long: list[str] = field(default_factory=list)

    @property
    def sections(self) -> bool:
        """Whether there are sections to choose."""
        return any(choice.suited.movement.sections for choice in self.choices)


def movement_form(state: SessionState, given: MultiDict[str, str]) -> MovementForm:
    """Return the movements that suit who competes, or the mistakes in the numbers given."""
    form = MovementForm(texts={name: text.strip() for name, text in given.items()})
    wish = _wish(state, form)
    if wish is None:
        return form
    suits = suitable(state, wish)
    form.choices = [MovementChoice(name, suited, *_in_words(state, suited)) for name, suited in suits.found.items()]
    form.too_long = [
        _(
            "The time is not enough for this one: %(movement)s, with %(boards)s for everybody.",
            movement=_title(movement),
            boards=ngettext("%(num)s board", "%(num)s boards", played),
        )
        for movement, played in suits.too_long.values()
    ]
    if not form.choices:
        form.wrong[""] = _none_suits(state)
    return form


def _wish(state: SessionState, form: MovementForm) -> Wish | None:
    """Return what the form asks for, None after a mistake; of boards and time, one can be left out."""
    minutes = _number(form, "minutes", LONGEST_TIME, _("Write the time to play in minutes, or nothing."))
    rounds = _number(form, "rounds", 999, _("Write a number of rounds, or nothing for all."))
    if not form.texts.get("minutes"):
        last = state.movements[-1].boards if state.movements else 2
        form.texts["boards"] = form.texts.get("boards") or str(last)
    boards = boards_of(form.texts["boards"]) if form.texts.get("boards") else None
    if boards is None and form.texts.get("boards"):
        form.wrong["boards"] = wrong_boards()
    compare, rank = form.texts.get("compare", "all"), form.texts.get("rank", "all")
    if compare not in COMPARE or rank not in RANK:
        form.wrong["sections"] = _("Choose one of these for the sections.")
    if form.wrong:
        return None
    return Wish(boards, rounds, None if minutes is None else boards_in(minutes), compare, rank)  # type: ignore[arg-type]  # keys of these


def _number(form: MovementForm, name: str, most: int, wrong: str) -> int | None:
    said = form.texts.get(name, "")
    number = int(said) if said.isascii() and said.isdecimal() and len(said) < 5 else 0
    if said and not 1 <= number <= most:
        form.wrong[name] = wrong
    return number or None


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


def _in_words(state: SessionState, suited: Suited) -> tuple[str, list[str]]:
    """Return the title of a movement, and what it is: rounds and boards first."""
    movement = suited.movement
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
    return _title(movement), [first, *remarks, *_comparison(state, movement), *_changed(suited.numbers)]


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


def _changed(numbers: dict[int, int]) -> Iterator[str]:
    """Yield which numbers change, so that everybody sits as they asked to."""
    if numbers:
        new = [_("%(old)s becomes %(new)s", old=old, new=new) for old, new in sorted(numbers.items())]
        yield _("Numbers change so that all sit as they asked to: %(numbers)s.", numbers=joined(new))


def _title(movement: ev.Movement) -> str:
    if not movement.sections:
        return _kind(movement)
    return _("%(movement)s in %(number)s sections", movement=_kind(movement), number=len(movement.sections))


def _kind(movement: ev.Movement) -> str:
    if movement.kind != "mitchell":
        return {"howell": _("Howell"), "individual": _("Individual")}[movement.kind]
    kind = _("Mitchell")
    if not movement.sections and (movement.tables or 1) % 2 == 0:
        kind = _("Mitchell with a skip") if movement.even == "skip" else _("Mitchell with share and relay")
    if movement.arrow_switch:
        return _("%(kind)s, one winner", kind=kind)
    return _("%(kind)s, two winners", kind=kind)


def _remarks(state: SessionState, movement: ev.Movement, entries: int, shared: bool) -> list[str]:
    """Return what is special about a movement, a sentence each."""
    said: list[str] = []
    if movement.sections:
        said += _of_sections(movement)
    if movement.kind == "mitchell":
        tables = movement.tables or 0
        if not movement.sections:
            said.append(
            _("Numbers 1 to %(tables)s sit north-south, "
                "%(next)s to %(all)s east-west.", tables=tables, next=tables + 1, all=2 * tables)
        )  # fmt: skip
        if shared and movement.sections:
            said.append(_("In a section with an even number of tables, the first and the last share their boards."))
        elif shared:
            said.append(_("Tables 1 and %(tables)s share their boards, and a relay stands halfway.", tables=tables))
        elif any(size % 2 == 0 for size in movement.sections or (tables,)):
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
            _("Nobody meets twice; it stops early.")
            if movement.rounds or len({*movement.sections}) > 1
            else _("Everybody in a section meets everybody once.")
            if movement.sections
            else _("Everybody meets everybody once.")
        )
        if shared:
            said.append(_("Tables share boards."))
    else:
        said.append(_("Everybody is everybody's partner once; all tables play the same boards."))
    competing = len(state.entries) if state.opening.unit != "player" else len(state.here)
    if competing < entries or (movement.kind == "individual" and competing % 4):
        said.append(_("One sits out each round."))
    return said


def _of_sections(movement: ev.Movement) -> Iterator[str]:
    """Yield the tables and the numbers of each section."""
    for letter, size, end in zip(LETTERS, movement.sections, accumulate(movement.sections), strict=False):
        first, last = 2 * (end - size) + 1, 2 * end
        if movement.kind == "mitchell":
            yield _(
                "Section %(letter)s has %(tables)s tables: "
                "numbers %(first)s to %(middle)s sit north-south, %(next)s to %(last)s east-west.",
                letter=letter, tables=size, first=first, middle=first + size - 1, next=first + size, last=last,
            )  # fmt: skip
        else:
            yield _(
                "Section %(letter)s has %(tables)s tables: numbers %(first)s to %(last)s.",
                letter=letter, tables=size, first=first, last=last,
            )  # fmt: skip
    yield _("All sections play the same boards at the same time: each needs its own set of them.")
