"""What hearts can say of a card where another was better."""

from typing import Any, Final

from cardledger.rules import Sentence, events
from cardledger.rules.games.hearts.scoring import HEARTS, PACK, QUEEN

_RID_OF_QUEEN: Final = Sentence("{who} could have been rid of the queen of spades and played {made}: it cost {cost}")
_GAVE_QUEEN: Final = Sentence(
    "{who} played the queen of spades; to keep her and play {best} was better: it cost {cost}"
)
_RID_OF_HEART: Final = Sentence("{who} could have been rid of {best} and played {made}: it cost {cost}")


def remark(match: Any, made: Any, best: Any) -> Sentence | None:
    """Return what is to be said of points that could have been thrown into a trick, or were played too soon."""
    hand = match.hand
    if not (isinstance(made, events.Play) and isinstance(best, events.Play)) or not hand.trick:
        return None
    card, better = PACK.mask[made.card], PACK.mask[best.card]
    if card & QUEEN:
        return _GAVE_QUEEN
    if better & hand.led:
        return None
    if better & QUEEN:
        return _RID_OF_QUEEN
    return _RID_OF_HEART if better & HEARTS and not card & HEARTS else None
