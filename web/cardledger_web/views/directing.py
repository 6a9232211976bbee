"""The page of a director.

The boards to decide on, the decision as filled in with what it would change, and those made before.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.errors import LedgerError, StoreError
from cardledger.pseudonyms import kept
from cardledger.record.recording.directing import (
    Meant,
    Ruled,
    boards_at_tables,
    decisions,
    meant_boards,
    not_played,
    penalty,
    penalty_points,
    percentages_that_count,
    ruling,
    taking_back,
)
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.award_words import AVERAGES, NOT_PLAYED, award_of, decision_of, written
from cardledger_web.languages import N_, _, decimal, initial, joined, language, translated
from cardledger_web.views.changed_results import changed_places
from cardledger_web.views.evening_boards import award_said
from cardledger_web.views.form import sentence
from cardledger_web.views.persons import called
from cardledger_web.views.wording import as_written, event_as_shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from werkzeug.datastructures import MultiDict

    from cardledger.record.recording.directing import BoardAtTable, Directed
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Adjust, Award
    from cardledger.rules.evenings.session import SessionState
    from cardledger.rules.evenings.stream import EveningStream

    Travellers = Callable[[], list[dict[str, Any]]]
KINDS = {
    "ruling": N_("A ruling"),
    "not-played": N_("Not played: it does not count"),
    "average": N_("Not played: both sides get the average"),
}
"""What a director can decide."""
GIVEN = {
    "": N_("as it is"), "A+": N_("average plus (60 %)"), "A": N_("average (50 %)"), "A-": N_("average minus (40 %)"), "other": N_("something else:"),
}  # fmt: skip
"""What a side can get."""
ABSENT = {"bye": N_("sat out"), "not-played": N_("not played"), "average": N_("average for both sides")}
LONGEST = {"ns_other": 80, "ew_other": 80, "law": 40, "reason": 200, "penalty": 8}
"""The greatest length of free texts."""


class RoundBoards(NamedTuple):
    """The boards of a round by table."""

    round: int
    tables: list[tuple[int, list[BoardAtTable]]]


class DirectorsDecision(NamedTuple):
    """A ruling, penalty or absence made before: its number, what it is about and what it says.

    `amend` is the way to amend it. One with a `match` was made there: its number is that of the event in the match.
    """

    seq: int
    where: str
    said: str
    why: str
    amend: dict[str, str | int]
    bye: bool = False
    match: str = ""

    @property
    def words(self) -> str:
        """All of it in one line."""
        why = f" ({self.why})" if self.why else ""
        return f"{initial(self.where)}: {self.said}{why}"


@dataclass
class DirectorForm:
    """The page as asked for: no boards until some are chosen, and `back` is the number of a decision to take back.

    `entry` is the number that gets a penalty. `changes` is what the decision would change in the ranking, in words; `directed` records it.
    """

    texts: dict[str, str] = field(default_factory=dict)
    meant: Meant = field(default_factory=Meant)
    chosen: list[BoardAtTable] = field(default_factory=list)
    back: int = 0
    entry: int = 0
    what: str = ""
    wrong: str = ""
    directed: Directed | None = None
    changes: list[str] = field(default_factory=list)


def director_form(ledger: Ledger, evening: str, given: MultiDict[str, str]) -> DirectorForm:
    """Return the form as filled in, judged if a decision is given; raises StoreError for an unknown evening."""
    texts = {name: given.get(name, "").strip()[:most] for name, most in LONGEST.items()}
    texts |= {name: given.get(name, "") for name in ("ns", "ew")}
    form = DirectorForm(texts, what=given.get("what", ""))
    said = given.get("said", "").strip()[: LONGEST["ns_other"]]
    form.meant = Meant(*(_number(given.get(name, "")) for name in ("round", "table", "board")))
    form.back = _number(given.get("back", "")) or 0
    form.entry = _number(given.get("entry", "")) or 0
    try:
        if said:
            _as_said(form, said)
        if form.meant != Meant():
            form.chosen = meant_boards(boards_at_tables(ledger, evening), form.meant)
        if form.back:
            form.directed = taking_back(ledger, evening, form.back, texts["reason"])
        elif form.entry and texts["penalty"]:
            form.directed = _penalized(ledger, evening, form)
        elif form.chosen and form.what:
            form.directed = _decided(ledger, evening, form)
    except LedgerError as error:
        if isinstance(error, StoreError) and error.code != "store.empty":
            raise
        form.wrong = sentence(error)
    if form.directed:
        form.changes = [*changed_places(ledger, form.directed.changes)]
    return form


def decision_in(text: str) -> tuple[str, str] | str | None:
    """Return what a director writes where a result belongs, as `decision_of` does; also in the language of the page."""
    return NOT_PLAYED if text.strip().lower() == _("not played").lower() else decision_of(text)


def _as_said(form: DirectorForm, said: str) -> None:
    """Fill the form in as a director wrote it where a result belongs: `A+`, `60/40`, `not played`."""
    decision = decision_in(said)
    if decision is None:
        form.wrong = _("“%(said)s” is no decision. Write A+, A-, 60/40 or not played, or choose one here.", said=said)
    elif isinstance(decision, str):
        form.what = decision
    else:
        form.what = "ruling"
        for line, award in zip(("ns", "ew"), decision, strict=True):
            form.texts |= {name: str(text) for name, text in _as_filled_in(line, award_of(award, 1)).items()}


def _penalized(ledger: Ledger, evening: str, form: DirectorForm) -> Directed | None:
    amount = penalty_points(form.texts["penalty"])
    return penalty(ledger, evening, form.entry, amount, form.texts["law"], form.texts["reason"])


def _decided(ledger: Ledger, evening: str, form: DirectorForm) -> Directed | None:
    if form.what == "ruling":
        ns, ew = (
            form.texts[f"{line}_other"] if form.texts[line] == "other" else form.texts[line] for line in ("ns", "ew")
        )
        if not (ns or ew):
            form.wrong = _("Choose what a side gets.")
            return None
        return ruling(ledger, evening, form.meant, Ruled(ns, ew, form.texts["law"], form.texts["reason"]), language())
    if form.what in ("not-played", "average"):
        return not_played(ledger, evening, form.meant, form.what)  # type: ignore[arg-type]  # one of the words
    form.wrong = _("Choose one of the decisions.")
    return None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 and int(text) else None


def rounds_of(boards: Sequence[BoardAtTable]) -> list[RoundBoards]:
    """Return the boards by round, the latest first, and by table."""
    rounds = [
        RoundBoards(round, [(table, [*own]) for table, own in groupby(some, lambda one: one.table)])
        for round, some in groupby(boards, lambda one: one.round)
    ]
    return rounds[::-1]


def decisions_of(
    ledger: Ledger, stream: EveningStream, state: SessionState, travellers: Travellers, hidden: Collection[int] = ()
) -> list[DirectorsDecision]:
    """Return the decisions that count, in the order of recording; those on boards that are `hidden` are left out.

    `travellers` say which percentage counts where a side gets that of its other boards; they are asked for if they are needed.
    """
    return [*_decisions(ledger, stream, state, travellers, hidden), *_in_matches(ledger, state, hidden)]


def _percentages(travellers: Travellers) -> dict[tuple[int, int, int], tuple[str, str]]:
    """Return the percentages that count; none for an evening that cannot be ranked yet."""
    with suppress(LedgerError):
        return percentages_that_count(travellers())
    return {}


def _decisions(
    ledger: Ledger, stream: EveningStream, state: SessionState, travellers: Travellers, hidden: Collection[int]
) -> Iterator[DirectorsDecision]:
    people = ledger.people()
    made = decisions(stream)
    averages = (AVERAGES["A+"], AVERAGES["A-"])
    lifted = any(isinstance(event, ev.EveningAdjust) and {event.ns, event.ew} & {*averages} for _, event in made)
    counts = _percentages(travellers) if lifted else {}
    for seq, event in made:
        if event.board in hidden:
            continue
        where: dict[str, str | int] = {
            name: number for name in ("round", "table", "board") if (number := getattr(event, name))
        }
        if isinstance(event, ev.Absent):
            at = place_in_words(state, event.round, event.table, event.board)
            yield DirectorsDecision(seq, at, translated(ABSENT[event.why]), "", {}, event.why == "bye")
        elif event.entry is not None:
            who = joined(called(ledger, tuple(map(people.person, state.everybody(event.entry)))))
            said = _("penalty of %(points)s", points=decimal(f"{event.penalty:g}"))
            yield DirectorsDecision(seq, who, said, _why(event), {})
        else:
            got = counts.get((event.round or 0, event.table or 0, event.board or 0), (None, None))
            given = [
                f"{translated(line)} {_award(award, count)}"
                for line, award, count in ((N_("NS"), event.ns, got[0]), (N_("EW"), event.ew, got[1]))
                if award is not None
            ]
            said = joined(given) or _("other cards under this number (group %(group)s)", group=event.group)
            amend = where | {"law": event.law or "", "reason": kept(event.reason) or ""}
            for line, award in (("ns", event.ns), ("ew", event.ew)):
                amend |= _as_filled_in(line, award)
            yield DirectorsDecision(
                seq, place_in_words(state, event.round or 0, event.table or 0, event.board), said, _why(event),
                amend if given else {},
            )  # fmt: skip


def _in_matches(ledger: Ledger, state: SessionState, hidden: Collection[int]) -> Iterator[DirectorsDecision]:
    """Yield the rulings that were made within the matches of an evening, on hands that are over, by round and table."""
    people = ledger.people()
    matches: dict[str, tuple[int, int]] = {}
    for (round, table, _board), (_seq, result) in sorted(state.results.items(), key=lambda item: item[0][:2]):
        if result.match:
            matches.setdefault(result.match, (round, table))
    for match, (round, table) in matches.items():
        played = ledger.stream(match).table
        names = [people.name(player) for player in people.seated(match, played.players)]
        for hand in played.hands:
            board = getattr(hand, "board", 0) or None
            made = getattr(hand, "rulings", ()) if hand.scores is not None and board not in hidden else ()
            for each in made:
                yield DirectorsDecision(
                    hand.last or hand.first, place_in_words(state, round, table, board),
                    event_as_shown(msgspec.structs.replace(each, reason=None), played, names),
                    _why(each), {}, match=match,
                )  # fmt: skip


def _as_filled_in(line: str, award: Award | None) -> dict[str, str | int]:
    """Return the fields of the form that give a side an award."""
    if award is None:
        return {}
    for word, percent in AVERAGES.items():
        if award == percent:
            return {line: word}
    return {line: "other", f"{line}_other": written(award)}


def _why(event: ev.EveningAdjust | Adjust) -> str:
    return ", ".join(filter(None, map(as_written, (event.law, event.reason))))


def _award(award: Award, counts: str | None) -> str:
    return written(award) if isinstance(award, tuple) else award_said({"percent": f"{award:g}"}, counts)


def place_in_words(state: SessionState, round: int, table: int, board: int | None) -> str:
    """Return where a decision counts, in words."""
    name = state.table_name(round, table)
    if board is None:
        return _("round %(round)s, table %(table)s, all boards", round=round, table=name)
    return _("board %(board)s, round %(round)s, table %(table)s", board=board, round=round, table=name)


def meant_in_words(form: DirectorForm, state: SessionState) -> str:
    """Return which boards were chosen, in words."""
    _round, table, board = form.meant
    if table is None:
        return _("Board %(board)s at all tables", board=board)
    round = form.chosen[0].round
    name = state.table_name(round, table)
    if board is None:
        return _("All boards of table %(table)s in round %(round)s", table=name, round=round)
    return _("Board %(board)s at table %(table)s, round %(round)s", board=board, table=name, round=round)


def entries_of(ledger: Ledger, state: SessionState) -> dict[int, str]:
    """Return the names of those who compete by their numbers."""
    people = ledger.people()
    return {
        entry: joined(called(ledger, tuple(map(people.person, state.everybody(entry)))))
        for entry in sorted(state.entries)
    }


def lines_of(ledger: Ledger, state: SessionState, one: BoardAtTable) -> tuple[str, str]:
    """Return the names of both lines of a board."""
    people = ledger.people()
    name: Callable[[int], str] = lambda entry: joined(  # noqa: E731
        called(ledger, tuple(map(people.person, state.players(entry, one.round))))
    )
    return joined([*map(name, one.seats[::2])]), joined([*map(name, one.seats[1::2])])
