"""One sentence for each reviewed decision: what was chosen, what was better, and what the difference cost.

In a trick the rules tell more than the cost does: who would have taken it, the partner too, and whether the tricks that
were bid were still to be made. A game may say more yet (`Study.remark`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from cardledger.errors import LedgerError
from cardledger.rules.bots.trials import as_offered
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.phases import BidHand
from cardledger.sentence import Sentence
from cardledger.study.stats.review.review import Decision, unforced, words

if TYPE_CHECKING:
    from cardledger.study.stats.luck.deals import PlayedHand

_NOTHING_BETTER: Final = Sentence("{who}: {made}, and nothing better was found")
_COST: Final = Sentence("{cost} ± {error} points")
_DOUBTFUL: Final = Sentence("{cost} ± {error} points, which may be chance")
_LED: Final = Sentence("{who} led {made}; to lead {best} was better: it cost {cost}")
_COULD_HOLD: Final = Sentence("{who} played {made} and could have held the trick with {best}: it cost {cost}")
_COULD_LET_GO: Final = Sentence("{who} took the trick with {made} and could have let it go with {best}: it cost {cost}")
_TOOK_WITH: Final = Sentence("{who} took the trick with {made}; to take it with {best} was better: it cost {cost}")
_ROBBED: Final = Sentence("{who} took the trick with {made}; {best} would have left it to a partner: it cost {cost}")
_LEFT: Final = Sentence(
    "{who} left the trick to a partner with {made}; to take it with {best} was better: it cost {cost}"
)
_ONE_TOO_MANY: Final = Sentence(
    "{who} had the tricks that were bid and took one more with {made}; {best} was better: it cost {cost}"
)
_BROKE_NIL: Final = Sentence("{who} had bid no trick and took one with {made}; {best} was better: it cost {cost}")
_STILL_NEEDED: Final = Sentence(
    "{who} lacked tricks that were bid and played {made}; {best} would have taken this one: it cost {cost}"
)
_FOLLOWED: Final = Sentence("{who} followed suit with {made}; to follow with {best} was better: it cost {cost}")
_THREW: Final = Sentence("{who} played {made} when out of the suit led; {best} was better: it cost {cost}")
_PLAYED: Final = Sentence("{who} played {made}; {best} was better: it cost {cost}")
_BID: Final = Sentence("{who} bid {made}; {best} was better: it cost {cost}")
_CALLED: Final = Sentence("{who} said {made}; {best} was better: it cost {cost}")
_GAVE: Final = Sentence("{who} passed on {made}; to pass on {best} was better: it cost {cost}")
_LAID: Final = Sentence("{who} laid away {made}; to lay away {best} was better: it cost {cost}")
_CHOSE: Final = Sentence("{who}: {made}; {best} was better: it cost {cost}")
_BY_TYPE: Final[Mapping[str, Sentence]] = {
    "play": _PLAYED, "bid": _BID, "call": _CALLED, "give": _GAVE, "discard": _LAID,
}  # fmt: skip


def said(decision: Decision, who: str, template: Sentence | None = None) -> Sentence:
    """Return a decision as a sentence.

    - decision: what was reviewed.
    - who: the name of the player.
    - template: what is to be said where something was better; by default what the type of the event tells.
    """
    if decision.made == decision.best or decision.cost <= 0:
        return Sentence(_NOTHING_BETTER.template, who=who, made=decision.made)
    cost = Sentence(
        (_COST if decision.bad else _DOUBTFUL).template, cost=f"{decision.cost:.1f}", error=f"{decision.error:.1f}"
    )
    chosen = template or _BY_TYPE.get(decision.type, _CHOSE)
    return Sentence(chosen.template, who=who, made=decision.made, best=decision.best, cost=cost)


def sentences(played: PlayedHand, decisions: Iterable[Decision], names: Sequence[str]) -> dict[int, Sentence]:
    """Return a sentence for each decision of a hand, by the number of its event.

    - played: the hand.
    - decisions: its reviewed decisions.
    - names: the players by seat.
    """
    by_seq = {one.seq: one for one in decisions}
    told = _templates(played, by_seq)
    return {seq: said(one, names[one.seat], told.get(seq)) for seq, one in by_seq.items()}


def _templates(played: PlayedHand, decisions: Mapping[int, Decision]) -> dict[int, Sentence]:
    """Return what the rules tell of the decisions at which something was better."""
    wanted = {seq for seq, one in decisions.items() if one.cost > 0 and one.made != one.best}
    if not wanted or played.dealt is None:
        return {}
    told = {}
    for _, seq, act, options, table, _ in unforced(played.dealt, played.hand.dealer, played.events):
        if seq in wanted:
            better = next((one for one in options if words(one) == decisions[seq].best), None)
            template = None if better is None else _template(table, act, better)
            if template is not None:
                told[seq] = template
    return told


def _template(table: Any, made: Any, best: Any) -> Sentence | None:
    """Return what game and rules tell of a choice and a better one, before either; None if they tell nothing."""
    remark = table.game.study.remark
    own: Sentence | None = None if remark is None else remark(table, made, best)
    if own is not None or not (isinstance(made, ev.Play) and isinstance(best, ev.Play)):
        return own
    hand = table.hand
    if not hand.trick:
        return _LED
    taker, would = _taker(table, made), _taker(table, best)
    if taker is not None and would is not None:
        told = of_bids(table, made.seat, taker, would) or of_takers(table, made.seat, taker, would)
        if told is not None:
            return told
    masks = [table.pack.mask.get(one.card, 0) & hand.led for one in (made, best)]
    return _FOLLOWED if all(masks) else _THREW if not any(masks) else None


def of_takers(table: Any, seat: int, taker: int, would: int) -> Sentence | None:
    """Return what is to be said of who took a trick and who would have; None if neither is the seat."""
    sides = table.hand.side
    if taker == seat:
        if would == seat:
            return _TOOK_WITH
        return _ROBBED if sides[would] == sides[seat] else _COULD_LET_GO
    if would != seat:
        return None
    return _LEFT if sides[taker] == sides[seat] else _COULD_HOLD


def of_bids(table: Any, seat: int, taker: int, would: int) -> Sentence | None:
    """Return what a trick meant for the tricks that a seat bid, with its partner; None if there are no such bids."""
    hand, sides = table.hand, table.hand.side
    if not isinstance(hand, BidHand) or (taker == seat) == (would == seat) or min(hand.bids) < 0:
        return None
    if hand.bids[seat] == 0 and not hand.taken[seat]:
        return _BROKE_NIL if taker == seat else None
    ours = [one for one in range(table.n) if sides[one] == sides[seat]]
    lacking = sum(hand.bids[one] - hand.taken[one] for one in ours)
    if taker == seat:
        return _ONE_TOO_MANY if lacking <= 0 and would not in ours else None
    return _STILL_NEEDED if lacking > 0 and taker not in ours else None


def _taker(table: Any, act: Any) -> int | None:
    """Return the seat that takes the trick with a card; None unless it is the last card of it, or it is a tie."""
    then = table.copy()
    done = len(then.hand.tricks)
    try:
        then.apply(as_offered(table, act), 0)
    except LedgerError:
        return None
    tricks = then.hand.tricks
    if len(tricks) == done:
        return None
    _seats, _, taker, _ = tricks[-1]
    return None if taker is None else int(taker)
