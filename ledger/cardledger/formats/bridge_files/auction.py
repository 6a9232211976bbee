"""The auction: what calls lead to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cardledger.formats.bridge_files.notation import DOUBLE, PASS, RANK_OF, REDOUBLE


class Auction(NamedTuple):
    """What calls lead to: the contract and the declarer, if they are final; and how many calls that took."""

    contract: str | None
    declarer: int | None
    done: bool
    regular: bool
    length: int


def auctioned(dealer: int, calls: Sequence[str]) -> Auction:
    """Return what calls lead to.

    >>> auctioned(2, ["1NT", "pass", "2H", "pass", "2S", "pass", "4S", "pass", "pass", "pass"])[:3]
    ('4S', 2, True)
    """
    first: dict[tuple[int, str], int] = {}
    bid, bidder, doubled, passes, regular = "", 0, 0, 0, True
    for place, call in enumerate(calls):
        seat = (dealer + place) % 4
        if call == PASS:
            passes += 1
            if passes == (3 if bid else 4):
                declarer = first[bidder % 2, bid[1:]] if bid else None
                contract = bid + "X" * doubled if bid else PASS
                return Auction(contract, declarer, True, regular, place + 1)
            continue
        passes = 0
        if call == DOUBLE:
            regular = regular and bool(bid) and not doubled and seat % 2 != bidder % 2
            doubled = max(doubled, 1)
        elif call == REDOUBLE:
            regular = regular and bool(bid) and doubled == 1 and seat % 2 == bidder % 2
            doubled = 2
        else:
            regular = regular and (not bid or RANK_OF[call] > RANK_OF[bid])
            bid, bidder, doubled = call, seat, 0
            first.setdefault((seat % 2, call[1:]), seat)
    return Auction(None, None, False, regular, len(calls))
