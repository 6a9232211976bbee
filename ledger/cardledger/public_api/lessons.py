"""The public Python API of lessons: `OpenLedger.lessons`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.rules.lessons.lesson_events import LessonMoment
from cardledger.study.stats.review import lessons

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardledger.record.recording.ledger import Ledger


class ClubLessons:
    """The lessons of a ledger: a class, or friends, look at recorded hands with somebody who leads.

    A lesson is named by its name, its id or the beginning of that; all but `open` and `latest` raise StoreError
    `store.unknown` or `store.ambiguous` for another.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def latest(self, limit: int = 20) -> list[dict[str, Any]]:
        """Return the latest lessons: `lesson`, `name`, `status` and `seq` of each."""
        self._ledger.views.catch_up()
        return lessons.lessons(self._ledger, limit)

    def open(self, name: str, moments: Iterable[tuple[str, int, int, int | None]], by: str = "python") -> str:
        """Open a lesson, stop at its first moment, and return its id.

        Arguments:
            name: what the lesson is called.
            moments: where to stop: match, hand, the event before which the class sees the table, and the seat from
                which; None for all hands open. Where the seat had to decide, the class is asked.
            by: the teacher.

        Raises FormatError `format.size` without a moment, StoreError `quiz.*` for one that cannot be shown.
        """
        resolve = self._ledger.resolve
        found = [LessonMoment(resolve(match), hand, event, seat) for match, hand, event, seat in moments]
        id = lessons.open_lesson(self._ledger, name, found, by)
        lessons.lead(self._ledger, id, "on", by)
        return id

    def show(self, lesson: str) -> dict[str, Any]:
        """Return a lesson as its class sees it now: as `cardledger lesson show --json` prints it."""
        now = lessons.lesson_now(self._ledger, lessons.meant(self._ledger, lesson))
        return lessons.in_json(now, lessons.costs_shown(self._ledger, now))

    def lead(self, lesson: str, to: str, by: str = "python") -> None:
        """Go `on` or `back` an event, or to a moment by its number; show the `votes` or the `costs`; or `end` the lesson.

        Raises FormatError `format.value` for another word, RuleError `lesson.phase` for what cannot be done now.
        """
        lessons.lead(self._ledger, lessons.meant(self._ledger, lesson), to, by)

    def vote(self, lesson: str, voter: str, choice: str, by: str = "python") -> str:
        """Record the vote of somebody at the present moment, and return it as the game offers it.

        The last vote of a name counts, until the votes are shown. Raises RuleError `lesson.phase`, `lesson.twice`, and
        the rule that forbids a card.
        """
        return lessons.vote(self._ledger, lessons.meant(self._ledger, lesson), voter, choice, None, by)
