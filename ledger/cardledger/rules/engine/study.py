"""Bot and measures, a part of a game: what plays it, and what is counted, measured and computed about its players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from cardledger.rules.engine.state import H

if TYPE_CHECKING:
    from cardledger.rules.engine.carried import Carried
    from cardledger.rules.engine.choices import Choice
    from cardledger.rules.engine.collecting import Collecting
    from cardledger.rules.engine.events import Event
    from cardledger.rules.engine.match import Match
    from cardledger.rules.engine.measured import Measured
    from cardledger.rules.engine.measures import Counts, Measure, Played
    from cardledger.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Bot(Generic[H]):
    """A careful way to play the game, without chance.

    `card`, `bid`, `give` and `call` are in the rule subset, so that a kernel can play them.
    """

    card: Callable[[H, int, int, int], int] | None = None
    """`card(hand, seat, legal, unseen)` chooses the card for a trick, from the legal cards of the seat and those it
    has not seen."""
    other: Callable[[Match[H], H, Choice], Event] | None = None
    """`other(match, hand, choice)` is the event for all other choices; a draw from the stock is left empty."""
    replays: int = 24
    """The number of replays of a deal that its luck is the mean of: 19 (1 - r) / r explain 95% of what infinitely many
    would, where one explains a share r of the points; take more where they are cheap."""
    drawn_value: Callable[[Match[H], H, int], float] | None = None
    """`drawn_value(match, hand, card)` is the worth of a card from the stock, in points of the seat to draw."""
    bid: Callable[[H, int, int], int] | None = None
    """`bid(hand, seat, allowed)` chooses a bid out of a set of numbers."""
    give: Callable[[H, int, int], int] | None = None
    """`give(hand, seat, count)` chooses the cards to pass in an exchange, as a set, looking at the seat's own."""
    call: Callable[[H, int], int] | None = None
    """`call(hand, seat)` chooses a call, as its number: its place among the words of the game."""
    collecting: Collecting | None = None
    """The rules and the careful play of a game of turns, in the rule subset; None in a game of tricks."""

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """Return the functions for single choices that are written in the rule subset."""
        return tuple(rule for rule in (self.card, self.bid, self.give, self.call) if rule is not None)


@dataclass(frozen=True, kw_only=True, eq=False)
class Study(Generic[H]):
    """What statistics, luck and reviews need of a game; it is played, stored and shown without any of it."""

    bot: Bot[H] | None = None
    """Plays the game. Without it only the random bot does, and there are no luck and no reviews."""
    count: Callable[[Played], Counts] | None = None
    """`count(played)` counts what happened in a hand, seat by seat."""
    measures: tuple[Measure, ...] = ()
    """The figures of the comparison of players, each made of two counts."""
    measured: Measured | None = None
    """What was measured of the game with its bot: the worth of its deals, and the scale of accuracy."""
    carried: Carried | None = None
    """What a hand begins with besides its cards, so that luck and reviews can judge it alone; None if nothing."""
    remark: Callable[[Match[H], Event, Event], Sentence | None] | None = None
    """`remark(match, made, best)` is what the game can say of a choice where another was better, before either: a
    template with `{who}`, `{made}`, `{best}` and `{cost}`; None where it has nothing of its own to say."""
