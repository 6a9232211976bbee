"""The tables of questions and lessons, and of the answers that people gave."""

from __future__ import annotations

from collections.abc import Iterator

from cardledger.record.readmodels.columns import HAND, HASH, KIND, MATCH, POSITION, RECORDED_AS, SEAT, SEQ, here
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.rules.engine.events import type_of
from cardledger.rules.lessons.question import QuestionState


def answers(asked: Folded, since: int) -> Iterator[Row]:
    """Yield the answers of a question."""
    state = asked.stream.table
    if isinstance(state, QuestionState):
        of = state.opening
        for seq, answer in state.answers.values():
            yield asked.id, seq, of.match, of.hand, of.seat, of.event, answer.player, answer.choice, answer.date


def lessons(asked: Folded, since: int) -> Iterator[Row]:
    """Yield the row of a question or a lesson."""
    stream, opening = asked.stream, asked.stream.table.opening
    name = getattr(opening, "name", None)
    yield asked.id, asked.position, type_of(opening), name, stream.table.status, stream.seq, asked.hash.hex()


ANSWERS = ReadModel(
    "answers",
    "Every recorded answer to a question about a hand: the first of each player.",
    {
        "question": ("TEXT NOT NULL", "id of the question"),
        "seq": SEQ,
        "match": MATCH,
        "hand": HAND,
        "seat": here(SEAT, "the one that had to decide"),
        "asked": ("INTEGER NOT NULL", "number of the event in the match that is asked about"),
        "recorded_as": RECORDED_AS,
        "choice": ("TEXT NOT NULL", "what the player would have chosen, as the game offers it"),
        "day": ("DATE NOT NULL", "day of the answer"),
    },
    ("question", "seq"),
    answers,
    lists_void=True,
)
LESSONS = ReadModel(
    "lessons",
    "Every question and every lesson about recorded hands.",
    {
        "lesson": ("TEXT NOT NULL", "id of the question or the lesson"),
        "position": POSITION,
        "kind": here(KIND, "question, lesson or discussion"),
        "name": ("TEXT", "name of a lesson, as written; null for a question"),
        "status": ("TEXT NOT NULL", "open, or closed: the lesson is over"),
        "seq": here(SEQ, "the latest"),
        "hash": HASH,
    },
    ("lesson",),
    lessons,
    lists_void=True,
)
