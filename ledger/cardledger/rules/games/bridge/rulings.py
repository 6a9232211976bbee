"""The director's rulings on a hand of bridge: tricks moved, adjusted scores, penalties."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from cardledger.errors import FormatError
from cardledger.rules import Match, Sentence
from cardledger.rules import events as ev
from cardledger.rules.games.bridge.auction import BridgeHand
from cardledger.rules.games.bridge.scoring import duplicate_score, read_contract

SIDES: Final = ("ns", "ew")
AMOUNTS: Final = ("percent", "imps", "vps", "points")
"""What a penalty is counted in; only points change the totals of the match."""
KEYS: Final = {
    "tricks": ("to", "tricks"), "assigned": ("ns", "ew"), "artificial": ("ns", "ew"), "penalty": ("side", *AMOUNTS), "stands": (),
}  # fmt: skip
"""The keys of each kind of ruling."""
RULES: Final = {
    "tricks": "revoke.trick", "assigned": "adjusted.assigned", "artificial": "adjusted.artificial", "penalty": "adjusted.penalty",
}  # fmt: skip
GIVES_RESULT: Final = ("assigned", "artificial")


def adjust(match: Match[BridgeHand], hand: BridgeHand, event: ev.Adjust) -> tuple[str, bool]:
    """Check a ruling.

    Return its rule (that of the event it is about, if it stands), and whether it gives the hand its result.
    """
    given = {key for keys in KEYS.values() for key in keys if getattr(event, key) is not None}
    for key in given - {*KEYS[event.kind]}:
        raise FormatError("format.key", f"a ruling of kind {event.kind} has no key {key!r}")
    amounts = [key for key in AMOUNTS if key in given]
    needed = ("side", *(amounts[:1] or AMOUNTS[-1:])) if event.kind == "penalty" else KEYS[event.kind]
    for key in needed:
        if key not in given:
            raise FormatError("format.key", f"a ruling of kind {event.kind} needs the key {key!r}")
    if len(amounts) > 1:
        raise FormatError("format.key", f"a penalty is counted in one of {', '.join(AMOUNTS)}")
    for key in ("to", "side"):
        if getattr(event, key) is not None and getattr(event, key) not in SIDES:
            raise FormatError("format.value", f"{key} is 'ns' or 'ew'")
    if event.kind == "tricks":
        check_tricks(match, hand, event)
    elif event.kind == "penalty":
        amount = getattr(event, amounts[0])
        if round(amount, 2) != amount:
            raise FormatError("format.value", f"a penalty has at most two decimals: {amount}")
    elif event.kind in GIVES_RESULT:
        for award in (event.ns, event.ew):
            check_award(match, event.kind, award)
    stands = next((one.rule for one in match.violations if one.seq == event.about), "")
    return RULES.get(event.kind, stands), event.kind in GIVES_RESULT


def check_tricks(match: Match[BridgeHand], hand: BridgeHand, event: ev.Adjust) -> None:
    """Refuse to move more tricks than the other side took."""
    side = SIDES.index(str(event.to))
    have = hand.taken[1 - side] + hand.taken[3 - side] + moved(hand, 1 - side)
    if not 0 <= (event.tricks or 0) <= have:
        match.refuse(
            "table.range",
            Sentence("the other side has {have} tricks: {tricks} cannot be moved", have=have, tricks=event.tricks),
        )


def check_award(match: Match[BridgeHand], kind: str, award: Any) -> None:
    """Refuse a percentage out of range, results that do not exist, and weights that are not 100 together."""
    if kind == "artificial":
        if isinstance(award, tuple):
            raise FormatError("format.value", "an artificial score is a percentage for each side")
        if not 0 <= award <= 100:
            match.refuse("table.range", Sentence("a percentage is from 0 to 100, not {award}", award=award))
        return
    if not isinstance(award, tuple):
        raise FormatError("format.value", "an assigned score is a list of results with their weights for each side")
    for one in award:
        if (one.score is None) == (one.contract is None):
            raise FormatError("format.key", "a result has either 'score', or 'contract', 'declarer' and 'tricks'")
        details = [one.declarer, one.tricks]
        wanted = one.contract is not None and one.contract != "pass"
        if any((value is not None) != wanted for value in details):
            raise FormatError("format.key", "'declarer' and 'tricks' stand beside a contract that is not passed out")
        if wanted and read_contract(str(one.contract)) is None:
            raise FormatError("format.value", f"{one.contract!r} is no contract: write it as 4S, 3NTX or 6HXX")
        if wanted and not (0 <= (one.declarer or 0) < 4 and 0 <= (one.tricks or 0) <= 13):
            match.refuse("table.range", Sentence("a declarer is a seat, and takes 0 to 13 tricks"))
    if any(one.weight < 0 for one in award) or sum(one.weight for one in award) != 100:
        match.refuse("table.range", Sentence("weights are not below 0, and together they are 100"))


def moved(hand: BridgeHand, side: int) -> int:
    """Return how many tricks rulings have moved to a side, less those moved from it."""
    return sum(
        (ruling.tricks or 0) * (1 if SIDES[side] == ruling.to else -1) for ruling in hand.rulings if ruling.kind == "tricks"
    )  # fmt: skip


def ruled(match: Match[BridgeHand], hand: BridgeHand, scores: list[int]) -> list[int]:
    """Return the points of a hand after all rulings on it."""
    ours, theirs = scores[0], scores[1]
    if any(ruling.kind == "tricks" for ruling in hand.rulings) and hand.declarer >= 0 and not hand.agreed:
        ours, theirs = after_moves(match, hand)
    for ruling in hand.rulings:
        if ruling.kind == "artificial":
            ours = theirs = 0
        elif ruling.kind == "assigned":
            ours, theirs = weighted(hand, ruling.ns), -weighted(hand, ruling.ew)
    for ruling in hand.rulings:
        if ruling.kind == "penalty" and ruling.points is not None:
            loss = whole(round(100 * ruling.points))
            ours, theirs = (ours - loss, theirs) if ruling.side == "ns" else (ours, theirs - loss)
    return [ours, theirs, ours, theirs]


def after_moves(match: Match[BridgeHand], hand: BridgeHand) -> tuple[int, int]:
    """Return the points of both sides with the tricks as moved."""
    points = match.game.scoring.points
    assert points is not None
    tricks = hand.taken
    hand.taken = [taken + (moved(hand, seat) if seat < 2 else 0) for seat, taken in enumerate(tricks)]
    ours, theirs = points(hand, 0), points(hand, 1)
    hand.taken = tricks
    return ours, theirs


def weighted(hand: BridgeHand, award: Any) -> int:
    """Return a weighted score for north-south in whole points, halves away from zero."""
    return whole(sum(one.weight * value(hand, one) for one in award))


def value(hand: BridgeHand, result: ev.Weighted) -> int:
    """Return the points for north-south of one of the results of an adjusted score."""
    if result.score is not None:
        return result.score
    known = read_contract(str(result.contract))
    if known is None or result.declarer is None or result.tricks is None:
        return 0  # passed out
    side = result.declarer % 2
    points = duplicate_score(*known, hand.vulnerable >> side & 1, result.tricks)
    return -points if side else points


def whole(hundredths: int) -> int:
    """Return hundredths in whole points, halves away from zero.

    >>> whole(4250), whole(-4250), whole(4249)
    (43, -43, 42)
    """
    points = (abs(hundredths) + 50) // 100
    return points if hundredths >= 0 else -points


def last_ruling(match: Match[Any], hand: BridgeHand) -> dict[str, Any] | None:
    """The last ruling on the hand, as recorded."""
    ruling: dict[str, Any] | None = msgspec.json.decode(ev.encode(ev.bare(hand.rulings[-1]))) if hand.rulings else None
    return ruling
