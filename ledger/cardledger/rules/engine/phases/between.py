"""Between tricks: the steps of a game after each trick, besides leading to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic

from mypy_extensions import mypyc_attr

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.phases.phase import H, Take

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.phases.play import TrickPlay


@mypyc_attr(allow_interpreted_subclasses=True)
class Between(Generic[H]):
    """A step of a play, after each of its tricks; `play` is the play it belongs to.

    `takes` lists its additional events and `unseen` those whose cards may lie face down, like those of a phase. `parts_tricks` says that such events part all tricks.
    """

    play: TrickPlay[H]

    def __init__(self) -> None:
        self.takes: dict[type[ev.Event], Take] = {}
        self.parts_tricks = False
        self.unseen: frozenset[type[ev.Event]] = frozenset()

    def cites(self) -> tuple[str, ...]:
        """Return the rules it cites."""
        return ()

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """Return its functions that are written in the rule subset."""
        return ()

    def go_on(self, match: Match[H], hand: H, taker: int) -> bool:
        """Go on after a trick was taken; tell whether the play goes on at once, with the next trick or the end of the hand."""
        return True

    def tie(self, match: Match[H], hand: H) -> None:
        """Go on after a tied trick."""
        raise NotImplementedError

    def choices(self, match: Match[H], hand: H, plays: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """Return the choices, given the `plays` of the play."""
        return plays

    def kinds(self, match: Match[H], hand: H) -> tuple[str, ...]:
        """Like that of a phase."""
        return ()

    def denied(self, match: Match[H], hand: H, event: ev.Event) -> int:
        """Like that of a phase, for its own events."""
        return 0
