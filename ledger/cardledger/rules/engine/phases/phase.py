"""A phase: a part of every hand, with its events and choices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mypy_extensions import mypyc_attr

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.at_any_time import AT_ANY_TIME
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.hidden import World
from cardledger.rules.engine.phases.moves import Move

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

Take = Callable[[Any, Any, Any], None]
"""Applies an event; called with the match, the hand and the event."""


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, eq=False)
class Phase:
    """A part of every hand: a value, made once. `dataclasses.replace` makes one that differs in some of its fields.

    What a phase does is in its methods, what differs from game to game in its fields. A game with a phase of its own
    writes a subclass: `name`, `takes`, `begin`, `choices` and `cites` at least.
    """

    _handlers: dict[type[ev.Event], Take] = field(default_factory=dict, init=False, repr=False)

    @property
    def name(self) -> str:
        """What the phase is called where people read it."""
        return "over"

    @property
    def unseen(self) -> frozenset[type[ev.Event]]:
        """The kinds of events whose cards lie face down (draws: those from the stock).

        Only the seats they name see the cards, and while hands are hidden they may be null.
        """
        return frozenset()

    @property
    def blind(self) -> bool:
        """For kernels: what it does with a known hand depends on the cards held only as `moves` and `pays` say.

        Then many hands can begin as one did. A phase that does not say so is left to the live table.
        """
        return False

    @property
    def pays(self) -> tuple[str, Callable[[int, int], int]] | None:
        """For kernels: the breakable duty of a seat that PAYS: its rule, and the cards allowed, `cards(held, suit)`."""
        return None

    @property
    def world(self) -> type[World]:
        """What is known of a hidden hand."""
        return World

    def takes(self) -> dict[type[ev.Event], Take]:
        """Return the method for each kind of event that it takes.

        Such a method first checks an event and then changes the match, so that an error changes nothing.
        """
        return {}

    def begin(self, match: Match[Any], hand: Any) -> bool:
        """Set moment and turn; return False if there is nothing to do in this hand."""
        raise NotImplementedError

    def choices(self, match: Match[Any], hand: Any) -> tuple[Choice, ...]:
        """Return the legal choices."""
        return ()

    def kinds(self, match: Match[Any], hand: Any) -> tuple[str, ...]:
        """Return the kinds of events that depend on the cards of the seat to act; other seats are shown all of them."""
        return ()

    def denied(self, match: Match[Any], hand: Any, event: ev.Event) -> int:
        """Return the cards that a coming event shows its seat not to hold, as a set."""
        return 0

    def moves(self, match: Match[Any], hand: Any, event: ev.Event) -> tuple[Move, ...]:
        """For kernels: return how a coming event of a known hand moves cards, in a phase that is `blind`."""
        return ()

    def arrivals(self, match: Match[Any], hand: Any, event: ev.Event) -> tuple[ev.Arrival, ...]:
        """Return how cards come into hands by an event of a hand that is over.

        As the event says, unless the phase knows more.
        """
        return event.arrivals()

    def check(self, match: Match[Any], event: ev.Event) -> None:
        """Refuse an event with wrong keys or lists of the wrong size."""

    def cites(self) -> tuple[str, ...]:
        """Return the rules it cites."""
        return ()

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """Return its rules.

        The functions that are written in the rule subset (`ledger/cardledger/rules/engine/README.md`).
        """
        return ()

    def handlers(self) -> dict[type[ev.Event], Take]:
        """Return the method for each kind of event, including those that may come at any time."""
        if not self._handlers:
            self._handlers.update(AT_ANY_TIME)
            self._handlers.update(self.takes())
        return self._handlers
