"""Situations: what was the case when a decision was made, each a function of the table as the seat found it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.errors import RuleError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.situations import HAND_SITUATIONS, high_faces, trumps_of
from cardledger.study.stats.review.review import rotated

if TYPE_CHECKING:
    from cardledger.study.stats.luck.deals import Dealt

Values = dict[str, str]
"""The value of each situation that applies to a decision, by its id."""
_ACTS = {"give": "pass cards", "collect": "collect cards", "layoff": "lay off", "close": "go out"}
"""Types of events that have other words among players."""
_LONG = 4
"""A suit is long from so many cards on."""


@dataclass(frozen=True, slots=True)
class DecisionSituation:
    """A situation.

    Its id, its title, and a function of table and act that returns its value, None where it does not apply.

    The table is as before the act, with seats counted from the dealer on.
    """

    id: str
    title: str
    value: Callable[[Any, Any], str | None]


def choice(table: Any, act: Any) -> str:
    """Return what was decided: a lead, a card that follows suit, a card of a void hand, or another act by its type."""
    if not isinstance(act, ev.Play):
        kind = ev.type_of(act)
        return _ACTS.get(kind, kind)
    hand = table.hand
    if not hand.trick:
        return "lead" if hand.tricks else "opening lead"
    return "follow suit" if table.pack.mask.get(act.card, 0) & hand.led else "void"


def kind(table: Any, act: Any) -> str:
    """Return the kind of decision: what was done with the choice, so that trumping and discarding are two kinds.

    A call is a pass or a bid, as the event says of itself; trumps are those of the order that holds in the hand.
    """
    called = act.called()
    if called is not None:
        return "pass" if called == "pass" else "bid"
    what = choice(table, act)
    if not isinstance(act, ev.Play):
        return "lay away" if isinstance(act, ev.Discard) else what
    of_trumps = table.pack.mask.get(act.card, 0) & trumps_of(table.game.orders, table.hand.order)
    if what == "void":
        return "trump" if of_trumps else "discard"
    return f"{what} of a trump" if of_trumps and not table.hand.trick else what


def card_led(table: Any, act: Any) -> str | None:
    """Return what kind of card was led.

    High (of the three highest ranks) or low, a trump, or from how many of its suit.

    The suit is the one that the card counts as in the hand; a card of two suits has the company of both.
    """
    hand, pack = table.hand, table.pack
    if not isinstance(act, ev.Play) or hand.trick:
        return None
    high = "high" if act.card in high_faces(tuple(pack.faces), tuple(pack.ranks)) else "low"
    mask = pack.mask.get(act.card, 0)
    if mask & trumps_of(table.game.orders, hand.order):
        return f"{high} trump"
    (card, *_), kin = pack.of[act.card], table.game.orders.kin
    if pack.suits[card].bit_count() > 1 or hand.order >= len(kin):
        own = sum(1 << other for other, suits in enumerate(pack.suits) if suits & pack.suits[card])
    else:
        own = kin[hand.order][card]
    many = (hand.held[act.seat] & own).bit_count()
    return "singleton" if many <= 1 else f"{high} from a {'short' if many < _LONG else 'long'} suit"


def trick_number(table: Any, act: Any) -> str | None:
    """Return the number of the trick to which a card was played, from 1."""
    return str(table.hand.tricks_done + 1) if isinstance(act, ev.Play) else None


def trick(table: Any, act: Any) -> str | None:
    """Return the third of the hand in which a card was played: early, middle or late tricks."""
    if not isinstance(act, ev.Play):
        return None
    hand = table.hand
    done = 3 * hand.tricks_done // max(hand.tricks_done + hand.tricks_left, 1)
    return ("early", "middle", "late")[min(done, 2)]


def place(table: Any, act: Any) -> str | None:
    """Return the place in the trick: 1 for the lead."""
    return str(len(table.hand.trick) + 1) if isinstance(act, ev.Play) else None


def position(table: Any, act: Any) -> str:
    """Return the position at the table: 1 to the left of the dealer, the number of seats for the dealer."""
    return str(act.seat or table.n)


SITUATIONS = (
    DecisionSituation("choice", "Decision", choice),
    DecisionSituation("kind", "Kind of decision", kind),
    DecisionSituation("led", "Card led", card_led),
    DecisionSituation("trick", "Tricks", trick),
    DecisionSituation("place", "Place in the trick", place),
    DecisionSituation("position", "Seat from the dealer", position),
)
"""The situations of decisions, in the order in which pages show them."""
NUMBER = DecisionSituation("trick_number", "Number of the trick", trick_number)
"""A fact of a decision that tables give, and by which nothing is split."""
TITLES = {one.id: one.title for one in (*SITUATIONS, *HAND_SITUATIONS)}
"""The situations of a decision and those of its hand, by id, each with its title."""


def situations_of(
    dealt: Dealt,
    dealer: int,
    events: Sequence[tuple[int, ev.Event]],
    asked: Sequence[DecisionSituation] = SITUATIONS,
) -> Iterator[tuple[int, Values]]:
    """Yield for each act of a seat its event number and its situations.

    `events` are the ones that count, deal first; `asked` are the situations to look at.
    """
    table = dealt.table(strict=False)
    for seq, event in events[1:]:
        act = rotated(event, dealer, dealt.situation.n)
        if act is None:
            continue
        if table.hand.over:
            return
        valued = ((one.id, one.value(table, act)) for one in asked)
        yield seq, {id: value for id, value in valued if value is not None}
        try:
            table.apply(act, seq)
        except RuleError:
            return
