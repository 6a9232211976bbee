"""Options: the choices made when a match is opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from cardledger.errors import FormatError, RuleError
from cardledger.sentence import Sentence


@dataclass(frozen=True, slots=True)
class ByPlayers:
    """A default that depends on the number of players; `text` says how."""

    of: Callable[[int], int]
    text: str


PLAYERS = ByPlayers(lambda n: n, "number of players")
"""Default of an option that is the number of players unless the match says otherwise."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made at the opening of a match.

    Its kind follows from its default: true/false, one of `choices`, or a whole number ≥ 1 (None: may be absent).
    """

    name: str
    """The key in an opening; a field of the hand declared with `from_option` has the same name."""
    default: object
    """The value in a match that does not give one; `ByPlayers` where that depends on their number."""
    text: str
    """What it decides, in a few words."""
    choices: tuple[str, ...] = ()
    """The values to choose from, if they are words."""
    of_hand: bool = False
    """It changes how a hand is played or scored, so hands that differ in it cannot be compared."""

    @property
    def kind(self) -> Literal["choice", "boolean", "integer"]:
        """The type of its values."""
        if self.choices:
            return "choice"
        return "boolean" if isinstance(self.default, bool) else "integer"

    def value(self, given: object) -> object:
        """Return the value in force; raises FormatError `format.option`, RuleError `table.range`."""
        if self.choices:
            if given not in self.choices:
                raise FormatError("format.option", f"{self.name} is one of {', '.join(self.choices)}")
        elif isinstance(self.default, bool):
            if not isinstance(given, bool):
                raise FormatError("format.option", f"{self.name} is true or false")
        elif given is None and self.default is None:
            pass
        elif isinstance(given, bool) or not isinstance(given, int):
            raise FormatError("format.option", f"{self.name} is a whole number")
        elif given < 1:
            raise RuleError("table.range", Sentence("{name} is at least 1", name=self.name))
        return given

    def default_for(self, n: int) -> object:
        """Return the default for a match of `n` players."""
        return self.default.of(n) if isinstance(self.default, ByPlayers) else self.default

    @property
    def default_text(self) -> str:
        """The default in words."""
        if isinstance(self.default, ByPlayers):
            return self.default.text
        if isinstance(self.default, bool):
            return "yes" if self.default else "no"
        return "none" if self.default is None else str(self.default)
