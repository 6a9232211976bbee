"""Between tricks: the steps of a game after each trick, besides leading to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mypy_extensions import mypyc_attr

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.hidden import World
from cardledger.rules.engine.phases.phase import Take

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, eq=False)
class Between:
    """A step of a play, after each of its tricks; a value like a phase. `match.phase` is the play it belongs to."""

    @property
    def parts_tricks(self) -> bool:
        """Its events part all tricks, so that no trick follows another at once."""
        return False

    @property
    def unseen(self) -> frozenset[type[ev.Event]]:
        """The kinds of its events whose cards may lie face down, like those of a phase."""
        return frozenset()

    @property
    def world(self) -> type[World]:
        """What is known of a hidden hand."""
        return World

    def takes(self) -> dict[type[ev.Event], Take]:
        """Return the method for each kind of event that it takes, besides those of the play."""
        return {}

    def cites(self) -> tuple[str, ...]:
        """Return the rules it cites."""
        return ()

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """Return its functions that are written in the rule subset."""
        return ()

    def go_on(self, match: Match[Any], hand: Any, taker: int) -> bool:
        """Go on after a trick was taken.

        Tell whether the play goes on at once, with the next trick or the end of the hand.
        """
        return True

    def tie(self, match: Match[Any], hand: Any) -> None:
        """Go on after a tied trick."""
        raise NotImplementedError

    def choices(self, match: Match[Any], hand: Any, plays: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """Return the choices, given the `plays` of the play."""
        return plays

    def kinds(self, match: Match[Any], hand: Any) -> tuple[str, ...]:
        """Like that of a phase."""
        return ()

    def denied(self, match: Match[Any], hand: Any, event: ev.Event) -> int:
        """Like that of a phase, for its own events."""
        return 0
