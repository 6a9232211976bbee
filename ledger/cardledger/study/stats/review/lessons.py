"""Lessons: a class, or friends, look at recorded hands together, and see what their leader shows and nothing later.

A lesson is a stream of its own: where the teacher stopped, what is shown, and the votes are its events.
"""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import asdict, dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from cardledger.errors import FormatError, RuleError, StoreError
from cardledger.record.people import recorders
from cardledger.record.people.spelling import LONGEST, expect_name, expect_title, tidy_name
from cardledger.record.recording.beside_matches import record_beside
from cardledger.record.store.streams import is_beside_id
from cardledger.rules.lessons.lesson import LessonState
from cardledger.rules.lessons.lesson_events import Lesson, LessonClose, LessonMoment, LessonStop, Show, Vote
from cardledger.sentence import Sentence, advising
from cardledger.study.stats.review.puzzles import puzzle_events
from cardledger.study.stats.review.quiz import Quiz

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.event import Event
    from cardledger.rules.questions import ChoiceCost, Question
    from cardledger.rules.stream import Stream
    from cardledger.study.stats.review.puzzles import PosedPuzzle

_KIND: Final = Lesson(name="", moments=())
_TRIES: Final = 100
"""How often something is recorded again because others of the class were faster."""
STEPS: Final = ("back", "on")
SHOWN: Final = ("votes", "costs")
END: Final = "end"
_MEANT: Final = (
    "SELECT lesson, name FROM lessons WHERE kind = 'lesson' AND (name = ? OR substr(lesson, 1, ?) = ?) "
    "ORDER BY name = ? DESC, position DESC LIMIT 3"
)
_LISTED: Final = "SELECT lesson, name, status, seq FROM lessons WHERE kind = 'lesson' ORDER BY position DESC LIMIT ?"


@dataclass(frozen=True, slots=True)
class LessonNow:
    """A lesson as its followers may see it at event `seq` of its stream.

    `asked` is what is asked at its moment, None if nothing is. `voted` people have voted there; `tally` has the number of
    votes by choice once they are shown, None before.
    """

    id: str
    seq: int
    name: str
    status: str
    moments: tuple[LessonMoment, ...]
    moment: LessonMoment | None
    asked: Question | None
    voted: int
    tally: dict[str, int] | None
    costs: bool


def open_lesson(ledger: Ledger, name: str, moments: Sequence[LessonMoment], by: Recorder | str) -> str:
    """Open a lesson that stops at some moments; return its id.

    Arguments:
        ledger: the ledger.
        name: what the lesson is called.
        moments: where the teacher wants to stop; at least one. Where its seat had to decide, the class is asked.
        by: the teacher.

    Raises FormatError `format.size`, RuleError `people.name`, StoreError `quiz.*`, `store.unknown`.
    """
    if not moments:
        raise FormatError(
            "format.size", Sentence("a lesson has at least one moment: name a hand or a game with puzzles")
        )
    expect_title(name, Sentence("the name of a lesson"))
    for moment in moments:
        expect_moment(ledger, moment)
    id = f"lesson-{uuid.uuid4()}"
    ledger.take(id, [Lesson(name=name, moments=tuple(moments))], 0, recorders.by(by))
    return id


def expect_moment(ledger: Ledger, moment: LessonMoment) -> Quiz:
    """Return the quiz of the hand of a moment; raises StoreError `quiz.*`, `store.unknown` for one that cannot be shown."""
    stream = ledger.stream(moment.match)
    if moment.seat is not None:
        stream.table.expect_seat(moment.seat)
    quiz = Quiz(stream, moment.hand)
    if not quiz.first < moment.event <= quiz.last + 1:
        raise StoreError(
            "quiz.question",
            Sentence("event {seq} is not in hand {hand}", seq=moment.event, hand=moment.hand),
        )
    return quiz


def moment_now(ledger: Ledger, state: LessonState) -> LessonMoment | None:
    """Return where the teacher stopped; None before that, and where a correction has taken the hand out of the record."""
    try:
        if state.moment is not None:
            expect_moment(ledger, state.moment)
    except StoreError:
        return None
    return state.moment


def asked_at(ledger: Ledger, moment: LessonMoment | None) -> Question | None:
    """Return what is asked at a moment: the decision of its seat, None if the seat had none there."""
    if moment is None or moment.seat is None:
        return None
    try:
        question = expect_moment(ledger, moment).question(moment.event)
    except StoreError as error:
        if error.code != "quiz.question":
            raise
        return None
    return question if question.seat == moment.seat else None


def moments_of_hand(ledger: Ledger, match: str, hand: int, seat: int | None) -> list[LessonMoment]:
    """Return the moments of a hand: each decision of a seat, or for no seat the table after the deal.

    Raises StoreError `quiz.hand`, `store.unknown`, RuleError `table.range`.
    """
    quiz = Quiz(ledger.stream(match), hand)
    if seat is None:
        return [LessonMoment(match, hand, quiz.first + 1)]
    return [LessonMoment(match, hand, one.seq, seat) for one in quiz.questions(seat)]


def moments_of_puzzles(puzzles: Iterable[PosedPuzzle]) -> list[LessonMoment]:
    """Return the moments of puzzles."""
    return [LessonMoment(one.match, one.hand, one.seq, one.seat) for one in puzzles]


def stepped(ledger: Ledger, moment: LessonMoment, by: int) -> LessonMoment | None:
    """Return the moment some counting events later, or earlier, in the same hand and view; None beyond its ends."""
    quiz = Quiz(ledger.stream(moment.match), moment.hand)
    places = [*quiz.places, quiz.last + 1]
    at = min((place for place, seq in enumerate(places) if seq >= moment.event), default=len(places) - 1) + by
    if not 0 < at < len(places):
        return None
    return LessonMoment(moment.match, moment.hand, places[at], moment.seat)


def lesson_state(ledger: Ledger, lesson: str) -> tuple[LessonState, int]:
    """Return a lesson as it is now, and the number of its last event; raises StoreError `store.unknown`."""
    stream = _stream(ledger, lesson)
    state = stream.table if stream is not None else None
    if stream is None or not isinstance(state, LessonState):
        raise _unknown(lesson)
    return state, stream.seq


def lesson_now(ledger: Ledger, lesson: str) -> LessonNow:
    """Return a lesson as its followers may see it; raises StoreError `store.unknown`."""
    state, seq = lesson_state(ledger, lesson)
    moment = moment_now(ledger, state)
    asked = asked_at(ledger, moment)
    tally = dict(Counter(state.votes.values())) if "votes" in state.shown else None
    return LessonNow(
        lesson, seq, state.opening.name, state.status, state.opening.moments, moment, asked, len(state.votes), tally,
        "costs" in state.shown,
    )  # fmt: skip


def lessons(ledger: Ledger, most: int) -> list[dict[str, Any]]:
    """Return the latest lessons: id, name, status and number of events of each."""
    rows = ledger.views.reader.execute(_LISTED, (most,))
    return [{"lesson": id, "name": name, "status": status, "seq": seq} for id, name, status, seq in rows]


def stop(ledger: Ledger, lesson: str, moment: LessonMoment, by: Recorder | str) -> None:
    """Stop at a moment, which need not be one that the lesson began with; raises as `open_lesson` does, and `lesson.phase`."""
    expect_moment(ledger, moment)
    event = LessonStop(match=moment.match, hand=moment.hand, event=moment.event, seat=moment.seat)
    _record(ledger, lesson, lambda _: event, by)


def moment_at(ledger: Ledger, lesson: str, to: str) -> LessonMoment:
    """Return the moment one event `back` or `on`, or a moment that the lesson began with, by its number from 1.

    Raises FormatError `format.value` for another word and beyond the ends, StoreError `store.unknown`.
    """
    state, _ = lesson_state(ledger, lesson)
    planned, moment = state.opening.moments, moment_now(ledger, state)
    if to in STEPS and moment is not None:
        found = stepped(ledger, moment, 1 if to == "on" else -1)
    elif to == "on":
        found = planned[0]
    elif to.isascii() and to.isdecimal() and 0 < int(to[:9]) <= len(planned):
        found = planned[int(to[:9]) - 1]
    else:
        found = None
    if found is None:
        raise FormatError(
            "format.value",
            Sentence(
                "{to} is no moment of this lesson: write back, on, or a number from 1 to {most}",
                to=to,
                most=len(planned),
            ),
        )
    return found


def lead(ledger: Ledger, lesson: str, to: str, by: Recorder | str) -> None:
    """Lead a lesson: stop at a moment (`moment_at`), show the `votes` or the `costs`, or `end` it; raises as they do."""
    if to in SHOWN:
        show(ledger, lesson, to, by)
    elif to == END:
        close(ledger, lesson, by)
    else:
        stop(ledger, lesson, moment_at(ledger, lesson, to), by)


def meant(ledger: Ledger, said: str) -> str:
    """Return the lesson that a name, an id or the beginning of an id means: of several with a name the latest.

    Raises StoreError `store.unknown`, `store.ambiguous`.
    """
    ledger.views.catch_up()
    begins = said.lower() if is_beside_id(said.lower(), _KIND) else f"lesson-{said.lower()}"
    found = ledger.views.reader.execute(_MEANT, (said, len(begins), begins, said)).fetchall()
    if not found:
        raise _unknown(said)
    ids = [id for id, _ in found]
    if len(ids) > 1 and found[0][1] != said:
        raise StoreError(
            "store.ambiguous",
            Sentence("several ids begin with {prefix}: {ids}, …", prefix=said, ids=", ".join(ids)),
        )
    return str(ids[0])


def in_json(now: LessonNow, costs: Sequence[ChoiceCost] | None) -> dict[str, Any]:
    """Return a lesson as the API answers it, but for the table."""
    moment, tally = now.moment, now.tally
    return {
        "lesson": now.id, "name": now.name, "status": now.status, "seq": now.seq,
        "moment": moment and {"match": moment.match, "hand": moment.hand, "event": moment.event, "seat": moment.seat},
        "choices": now.asked and [*now.asked.choices], "voted": now.voted,
        "votes": None if tally is None else [{"choice": choice, "votes": votes} for choice, votes in sorted(tally.items())],
        "costs": costs and [asdict(one) | {"clear": one.clear} for one in costs],
    }  # fmt: skip


def costs_shown(ledger: Ledger, now: LessonNow) -> tuple[ChoiceCost, ...] | None:
    """Return what each choice costs, where the teacher shows it; None elsewhere."""
    if now.moment is None or now.asked is None or not now.costs:
        return None
    match, hand = now.moment.match, now.moment.hand
    return Quiz(ledger.stream(match), hand, puzzle_events(ledger, match, hand)).answer(now.moment.event).costs


def show(ledger: Ledger, lesson: str, what: str, by: Recorder | str) -> None:
    """Show the `votes` or the `costs` of the present moment; raises RuleError `lesson.phase`, StoreError `store.unknown`."""
    _record(ledger, lesson, lambda _: Show("votes" if what == "votes" else "costs"), by)


def close(ledger: Ledger, lesson: str, by: Recorder | str) -> None:
    """End a lesson; raises RuleError `lesson.phase`, StoreError `store.unknown`."""
    _record(ledger, lesson, lambda _: LessonClose(), by)


def vote(ledger: Ledger, lesson: str, voter: str, choice: str, event: int | None, by: Recorder | str) -> str:
    """Record a vote of somebody at the moment of an event, None for the present one; return the choice as the game offers it.

    Raises RuleError `lesson.phase` if the teacher has gone on meanwhile, `lesson.twice`, the rule that forbids a card;
    StoreError `quiz.choice`, `store.unknown`.
    """
    return _voted(ledger, lesson, lambda _: voter, choice, event, by).choice


def vote_of_phone(
    ledger: Ledger, lesson: str, name: str, before: str | None, choice: str, event: int, by: Recorder | str
) -> Vote:
    """Record the vote of a phone: one at a moment, and two phones whose users have one name are two voters.

    Arguments:
        ledger: the ledger.
        lesson: its id.
        name: the name that is typed on the phone.
        before: the name under which the phone voted in this lesson before, None if it did not.
        choice: what is voted for.
        event: the moment.
        by: who records it.

    Returns the vote. Its voter is `before` where the phone has voted at this moment, and has a number behind the name
    where another phone votes under that. Raises what `vote` raises.
    """
    name = tidy_name(name)

    def voter(state: LessonState) -> str:
        people = ledger.people()
        if before is not None and (name == before or before in map(people.name, state.votes)):
            return before
        taken = {*map(people.name, state.voters)}
        numbered = (f"{name[: LONGEST - 4]} {number}" for number in count(2))
        return name if name not in taken else next(one for one in numbered if one not in taken)

    return _voted(ledger, lesson, voter, choice, event, by)


def _voted(
    ledger: Ledger,
    lesson: str,
    voter: Callable[[LessonState], str],
    choice: str,
    event: int | None,
    by: Recorder | str,
) -> Vote:
    said = Vote(voter="", choice="")

    def judged(state: LessonState) -> Event:
        nonlocal said
        moment, name = moment_now(ledger, state), voter(state)
        expect_name(name)
        if moment is None or event not in (None, moment.event) or asked_at(ledger, moment) is None:
            raise RuleError("lesson.phase", advising(Sentence("the teacher has gone on: look at the present question")))
        said = Vote(voter=name, choice=expect_moment(ledger, moment).chosen(moment.event, choice))
        return said

    _record(ledger, lesson, judged, by)
    return said


def _record(ledger: Ledger, lesson: str, make: Callable[[LessonState], Event], by: Recorder | str) -> None:
    """Record the event that is made of a lesson as it is; make it again if others were faster."""

    def made() -> tuple[int, list[Event]]:
        state, seq = lesson_state(ledger, lesson)
        return seq, [make(state)]

    record_beside(ledger, lesson, made, by, _TRIES)


def _stream(ledger: Ledger, lesson: str) -> Stream | None:
    if not is_beside_id(lesson, _KIND):
        return None
    return next((folded.stream for folded in ledger.folded_each([lesson])), None)


def _unknown(lesson: str) -> StoreError:
    return StoreError("store.unknown", Sentence("there is no lesson {lesson}", lesson=lesson))
