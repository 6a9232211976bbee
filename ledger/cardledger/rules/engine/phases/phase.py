"""A phase: a part of every hand, with its events and choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mypy_extensions import mypyc_attr

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.at_any_time import AT_ANY_TIME
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.phases.moves import Move
from cardledger.rules.engine.state import Hand

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

H = TypeVar("H", bound=Hand)
Take = Callable[[Any, Any, Any], None]
"""Applies an event; called with the match, the hand and the event."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Phase(Generic[H]):
    """A part of every hand.

    `takes` maps its events to methods; `takes_hidden` has those with another method while hands are hidden. Such a method
    first checks an event and then changes the match, so that an error changes nothing. `unseen` are the kinds of
    events whose cards lie face down (draws: those from the stock): only the seats they name see them, and while hands are
    hidden they may be null.
    `blind` says that what it does with a known hand does not depend on the cards held, but for what `moves` and `pays` say:
    then many hands can begin as one did. `pays` is the breakable duty of a seat that PAYS: its rule, and the cards it allows out of
    those held, for the suit asked for.
    """

    name: str
    blind: bool
    pays: tuple[str, Callable[[int, int], int]] | None
    unseen: frozenset[type[ev.Event]]

    def __init__(self, name: str = "over") -> None:
        self.name = name
        self.blind = False
        self.pays = None
        self.takes: dict[type[ev.Event], Take] = {}
        self.takes_hidden: dict[type[ev.Event], Take] = {}
        self.unseen = frozenset()
        self._all: dict[type[ev.Event], Take] = {}
        self._all_hidden: dict[type[ev.Event], Take] = {}

    def begin(self, match: Match[H], hand: H) -> bool:
        """Set moment and turn; return False if there is nothing to do in this hand."""
        raise NotImplementedError

    def choices(self, match: Match[H], hand: H) -> tuple[Choice, ...]:
        """Return the legal choices."""
        return ()

    def kinds(self, match: Match[H], hand: H) -> tuple[str, ...]:
        """Return the kinds of events that depend on the cards of the seat to act; other seats are shown all of them."""
        return ()

    def denied(self, match: Match[H], hand: H, event: ev.Event) -> int:
        """Return the cards that a coming event shows its seat not to hold, as a set."""
        return 0

    def moves(self, match: Match[H], hand: H, event: ev.Event) -> tuple[Move, ...]:
        """Return how a coming event of a known hand moves cards, in a phase that is `blind`."""
        return ()

    def check(self, match: Match[H], event: ev.Event) -> None:
        """Refuse an event with wrong keys or lists of the wrong size."""

    def cites(self) -> tuple[str, ...]:
        """Return the rules it cites."""
        return ()

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """Return its rules: the functions that are written in the rule subset (`ledger/cardledger/rules/engine/README.md`)."""
        return ()

    def handlers(self, hidden: bool) -> dict[type[ev.Event], Take]:
        """Return the method for each kind of event, including those that may come at any time."""
        if not self._all:
            self._all = {**AT_ANY_TIME, **self.takes}
            self._all_hidden = {**self._all, **self.takes_hidden}
        return self._all_hidden if hidden else self._all
