"""Everything that can be wrong, as one small tree of errors with stable codes."""

from __future__ import annotations


class LedgerError(Exception):
    """Something a user can mend.

    `code` is stable and meant for programs: a rule id (`follow.suit`), or a word of
    the families `format.` and `store.`. `message` is a sentence for people and may improve. `index` is the place of the
    offending event in the list it came in, from 0, where there was a list.
    """

    def __init__(self, code: str, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class FormatError(LedgerError):
    """The text or the shape of an event is wrong (`format.*`); no rule was asked yet."""


class RuleError(LedgerError):
    """An event contradicts what is known, or breaks a rule of a match played under `strict`.

    `code` is the rule's id, `seat` the seat concerned, if any, and `legal` the faces that would have broken no rule.
    """

    def __init__(self, rule: str, message: str, seat: int | None = None, legal: tuple[str, ...] = ()) -> None:
        super().__init__(rule, message)
        self.seat = seat
        self.legal = legal


class StoreError(LedgerError):
    """The event store refuses or cannot do what was asked (`store.*`)."""


class UnusableError(StoreError):
    """A file cannot be opened, or not be written to (`store.open`, `store.write`): the disk is full, say; later it may be."""


class LostError(StoreError):
    """The database cannot be reached, for longer than patience lasts (`store.lost`)."""

    def __init__(self, message: str) -> None:
        super().__init__("store.lost", message)


class ConflictError(StoreError):
    """Somebody else appended first: `current` is the seq the match has by now."""

    def __init__(self, match: str, expected: int, current: int) -> None:
        super().__init__(
            "store.conflict",
            f"match {match} is at event {current}, not at {expected}: read what came since, then append again",
        )
        self.match = match
        self.expected = expected
        self.current = current
