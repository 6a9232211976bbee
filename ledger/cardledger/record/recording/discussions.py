"""What people say about a match: comments on its events, and lines that they tried and keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.errors import FormatError, RuleError
from cardledger.record.matches.hand_replay import hand_at
from cardledger.record.matches.tried_lines import TriedLines
from cardledger.record.people.spelling import expect_name, expect_title
from cardledger.record.recording.beside_matches import record_beside
from cardledger.rules.engine.event import type_of, what_is_wrong
from cardledger.rules.lessons.discussion import DiscussionState, Entry
from cardledger.rules.lessons.discussion_events import Comment, Discussion, Line, Withdraw
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.people.recorders import Recorder
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.event import Event


class Contribution(NamedTuple):
    """A comment or a line that is shown: its number in the discussion, when it was recorded, and the hand it is about."""

    number: int
    at: str | None
    hand: int
    entry: Entry


def discussion_id(match: str) -> str:
    """Return the id of the discussion of a match: each has one."""
    return f"discussion-{match}"


def comment(ledger: Ledger, match: str, event: int, author: str, text: str, by: Recorder | str) -> int:
    """Record what somebody says about an event of a match; return its number in the discussion.

    Raises RuleError `table.range`, `people.name`, FormatError `format.size`, StoreError `store.unknown`.
    """
    expect_name(author)
    TriedLines(ledger.stream(match), ledger.events(match)).place(event)
    return _record(ledger, match, Comment(event=event, author=author, text=text.strip()), by)


def keep_line(
    ledger: Ledger,
    match: str,
    event: int,
    author: str,
    moves: Sequence[str],
    by: Recorder | str,
    name: str | None = None,
    text: str | None = None,
) -> int:
    """Record moves that could have followed an event of a match; return the number of the line in the discussion.

    Arguments:
        ledger: the ledger.
        match: the match.
        event: the event after which the line begins.
        author: who keeps it.
        moves: the moves, each as in an address (`play.1.9S`).
        by: who records it.
        name: what the line is called.
        text: a word on it.

    Raises the error of the first move that the rules refuse, with its `index`; RuleError `table.range`,
    `people.name`, FormatError `format.value` and `format.size`, StoreError `store.unknown`.
    """
    expect_name(author)
    TriedLines(ledger.stream(match), ledger.events(match)).played(event, moves)
    if name:
        expect_title(name, Sentence("the name of a line"))
    line = Line(event=event, author=author, moves=tuple(moves), name=name or None, text=(text or "").strip() or None)
    return _record(ledger, match, line, by)


def withdraw(ledger: Ledger, match: str, number: int, by: Recorder | str) -> None:
    """Take a comment or a line back; raises RuleError `lesson.phase` for what is none, StoreError `store.unknown`."""
    ledger.stream(match)
    if not ledger.store.lengths([discussion_id(match)]).get(discussion_id(match)):
        raise RuleError("lesson.phase", advising(Sentence("nobody has said anything about this match yet")))
    _record(ledger, match, Withdraw(of=number), by)


def _record(ledger: Ledger, match: str, event: Event, by: Recorder | str) -> int:
    try:
        msgspec.convert(msgspec.to_builtins(event), type(event))
    except msgspec.ValidationError as error:
        raise FormatError("format.value", f"{type_of(event)}: {what_is_wrong(error)}") from None
    id = discussion_id(match)

    def made() -> tuple[int, list[Event]]:
        seq = ledger.store.lengths([id]).get(id, 0)
        return seq, [event] if seq else [Discussion(match=match), event]

    return record_beside(ledger, id, made, by)


def told(ledger: Ledger, match: str) -> list[Contribution]:
    """Return the comments and lines of a match in the order of recording; raises StoreError `store.unknown`."""
    table = ledger.stream(match).table
    folded = next(ledger.folded_each([discussion_id(match)]), None)
    state = None if folded is None else folded.stream.table
    if folded is None or not isinstance(state, DiscussionState):
        return []
    events = folded.stream.events
    return [
        Contribution(number, events[number - 1].at, hand_at(table, entry.event), entry)
        for number, entry in state.entries.items()
    ]


def in_json(tried: TriedLines, one: Contribution) -> dict[str, Any]:
    """Return a comment or a line as the API answers it."""
    entry = one.entry
    said: dict[str, Any] = {
        "number": one.number, "at": one.at, "hand": one.hand, "event": entry.event, "author": entry.author,
        "text": entry.text, "name": None, "moves": None, "fits": None,
    }  # fmt: skip
    if isinstance(entry, Line):
        said |= {"name": entry.name, "moves": [*entry.moves], "fits": tried.fits(entry.event, entry.moves)}
    return said
