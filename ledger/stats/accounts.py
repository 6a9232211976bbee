"""Accounts of luck and review as programs read them: of a game, a match, a deal; each says what it rests on and lacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ledger.errors import StoreError
from ledger.games import game
from ledger.stats import duplicates, luck, review, reviews, shuffling, values
from ledger.stats.worth_seeing import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.stats.kept import Kept

DOUBTFUL = "the recorded deals do not look random: what is adjusted for luck may be wrong"


def of_game(kept: Kept, id: str) -> dict[str, Any]:
    """Return what luck did in a game and what its players gave up, as far as it is computed."""
    hands = kept.hands("game = ?", (id,))
    players = kept.players("game = ?", (id,))
    seats, left_out = luck.seats_of(hands, kept)
    reviewed = reviews.kept_reviews(hands, kept, id)
    dealing = shuffling.examined(hand.dealt for hand in hands if hand.dealt is not None)
    pending = left_out.pop("pending", 0)
    return {
        "game": id,
        "hands": len(hands) - pending - sum(left_out.values()),
        "pending": pending,
        "left_out": dict(sorted(left_out.items())),
        "players": [asdict(one) for one in luck.by_player(seats, [players[one.match, one.seat] for one in seats])],
        "reduction": [asdict(one) for one in luck.reductions(seats)],
        "dealing": [asdict(one) for one in dealing],
        "notes": [DOUBTFUL] if any(one.doubtful for one in dealing) else [],
        "reviews": [asdict(one) for one in reviews.by_player(reviewed, players)],
        "reviews_pending": sum(one.pending for one in reviewed),
        "basis": basis(kept, (id,)),
    }


def of_match(kept: Kept, match: str) -> dict[str, Any]:
    """Return luck, outcome and decisions of every hand of a match, as far as it is computed."""
    hands = kept.hands("match = ?", (match,))
    players = kept.players("match = ?", (match,))
    found = [reviews.kept_review(hand, kept) for hand in hands]
    left_out = Counter(hand.why for hand in hands if hand.why is not None)
    return {
        "match": match,
        "players": [players[seat] for seat in sorted(players)],
        "hands": [of_hand(one) for one in found],
        "pending": sum(one.pending for one in found),
        "left_out": dict(sorted(left_out.items())),
        "basis": basis(kept, sorted({hand.game for hand in hands})),
    }


def of_hand(one: reviews.Reviewed) -> dict[str, Any]:
    """Return a hand of a match: the outcome beside what each seat gave up, and every decision."""
    hand, decisions, draws = one.hand, one.decisions, one.draws
    return {
        "hand": hand.hand,
        "first_seq": hand.first_seq,
        "scores": hand.scores,
        "left_out": hand.why,
        "pending": one.pending,
        "deal": hand.deal,
        "luck": one.luck,
        "draw_luck": None if draws is None else [one.draw_luck(seat) for seat in range(hand.seats)],
        "draws": None if draws is None else [asdict(each) for each in draws],
        "cost": None if decisions is None else [one.cost(seat) for seat in range(hand.seats)],
        "decisions": None if decisions is None else [asdict(each) | {"bad": each.bad} for each in decisions],
    }


def of_deal(kept: Kept, deal: str) -> dict[str, Any]:
    """Return every table at which a deal was played; raises StoreError `store.unknown`."""
    hands = kept.hands("deal = ?", (deal,))
    if not hands:
        raise StoreError("store.unknown", f"there is no deal {deal}")
    dealt = hands[0].dealt
    assert dealt is not None
    compared = duplicates.compare(hands)
    tables = []
    for hand in hands:
        names = kept.players("match = ?", (hand.match,))
        seats = [one for one in compared if (one.match, one.hand) == (hand.match, hand.hand)]
        tables.append(
            {
                "match": hand.match,
                "hand": hand.hand,
                "first_seq": hand.first_seq,
                "seats": [asdict(one) | {"player": names[hand.match, one.seat]} for one in seats],
            }
        )
    return {
        "deal": deal,
        "game": hands[0].game,
        "hands": dealt.hands,
        "upcard": dealt.upcard,
        "most": 2 * (len(hands) - 1),
        "tables": tables,
        "basis": basis(kept, (hands[0].game,)),
    }


def worth_seeing(kept: Kept, ids: Sequence[str], kinds: Sequence[str], limit: int) -> dict[str, Any]:
    """Return hands worth seeing of games, by kind; of reviews only what is computed counts."""
    sights = [asdict(one) for id in ids for kind in kinds for one in KINDS[kind](kept, id, limit)]
    pending = sum(pending_reviews(kept, id) for id in ids) if "costliest" in kinds else 0
    return {"sights": sights, "pending": pending, "basis": basis(kept, ids)}


def pending_reviews(kept: Kept, id: str) -> int:
    """Return how many hands of a game are not reviewed yet."""
    number: int = kept.file.reader.execute(
        """SELECT count(*) FROM hands LEFT JOIN reviews USING (match, hand)
        WHERE game = ? AND why IS NULL AND edition IS NOT ?""",
        (id, review.EDITION),
    ).fetchone()[0]
    return number


def basis(kept: Kept, ids: Sequence[str]) -> dict[str, Any]:
    """Return what numbers rest on: events up to which position, editions of rules, bots and review."""
    return {
        "position": kept.position,
        "rules": [game(id).book.edition for id in ids],
        "bots": values.EDITION,
        "review": review.EDITION,
    }
