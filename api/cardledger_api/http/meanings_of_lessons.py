"""What the keys of answers, lessons and shown names mean, where the word alone says too little or something else."""

from __future__ import annotations

_SHARE = {
    "value": "the share, from 0 to 1",
    "number": "how many answers were best",
    "low": "lower end of the interval",
    "high": "upper end of the interval",
}
_ANSWERED = {
    "answers": "number of answers",
    "pending": "number of answers that are not weighed yet",
    "left_out": "number of answers whose question is gone, by a correction or a void match",
    "best": "how many answers were best; null while none is weighed",
    "cost": "mean cost of the choices; null while none is weighed",
    "month": "the month, such as 2026-11",
    "months": "the figures of each month, the latest first",
}
_SHOWN = "how much of the name is shown in what is published: full, first or none"
_COSTS = "what each choice costs; null until the teacher shows it"
MEANINGS_OF_LESSONS: dict[str, dict[str, str]] = {
    "Share": _SHARE,
    "MeanCost": {"value": "mean cost, in points of a hand"},
    "Answered": _ANSWERED,
    "AnsweredMonth": _ANSWERED,
    "AnsweredGame": _ANSWERED,
    "Answer": {"seq": "number of the event that is asked about", "choice": "the choice, as the question offers it"},
    "RecordedAnswer": {"seq": "number of the event that is asked about", "date": "day of the answer"},
    "GivenAnswer": {
        "seq": "number of the event that is asked about",
        "day": "day of the answer",
        "best": "whether nothing better was found; null while it is not weighed",
    },
    "Progress": {"latest": "the latest answers"},
    "Posed": {"posed": "whether hands that the player played may be posed as puzzles"},
    "PosedPlayer": {"posed": "whether hands that the player played may be posed as puzzles"},
    "HowShown": {"shown": _SHOWN},
    "ShownPerson": {"decided": "what is decided of the person alone; null for nothing", "shown": _SHOWN},
    "ShownNames": {
        "rule": "how much is shown of those of whom nothing is decided; null for no rule: whole names",
        "people": "the persons of whom something is decided",
    },
    "Moment": {
        "event": "number of the event before which the table stands",
        "seat": "seat whose view it is, from 0; null for all hands open",
    },
    "NewLesson": {"moments": "where the teacher wants to stop", "name": "name of the lesson"},
    "LessonRow": {
        "lesson": "id of the lesson",
        "status": "whether the lesson is open or closed",
        "seq": "number of its last event",
        "name": "name of the lesson",
    },
    "Lessons": {"lessons": "the lessons, the latest first"},
    "VotesOfChoice": {"votes": "number of votes"},
    "Lesson": {
        "lesson": "id of the lesson",
        "status": "whether the lesson is open or closed",
        "seq": "number of the last event of the lesson",
        "name": "name of the lesson",
        "moment": "where the teacher stopped; null before that",
        "choices": "what can be chosen; null if the class is asked nothing",
        "voted": "number of people who have voted",
        "votes": "the votes by choice; null until the teacher shows them",
        "costs": _COSTS,
        "table": "the table at the moment; null before the first",
    },
    "LessonVote": {"voter": "name of who votes", "event": "number of the event that is asked about"},
    "Shown": {"what": "what the teacher shows: the votes, or the costs"},
}
"""By schema and key."""
