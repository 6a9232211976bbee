"""Accounts of luck and review as data: of a game, a match or a deal, each with its basis and what is still missing."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from cardledger.errors import StoreError
from cardledger.record.readmodels.questions.left_out_of_puzzles import left_out_of_puzzles
from cardledger.record.readmodels.questions.shared_deals import NOTHING, held_back, held_hands, held_pairs
from cardledger.record.readmodels.tables.boards import secret_matches
from cardledger.rules.games import game
from cardledger.sentence import Sentence
from cardledger.study.stats.estimators import ACCURACY, HABITS, PUZZLES, REVIEW, WORTH
from cardledger.study.stats.luck import duplicates, luck, shuffling, values
from cardledger.study.stats.luck.deals import hands_of
from cardledger.study.stats.review import habits, reviews
from cardledger.study.stats.review.decision_words import sentences
from cardledger.study.stats.review.puzzles import of_day, posed
from cardledger.study.stats.review.review import USUAL, Method
from cardledger.study.stats.review.worth_seeing import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.estimators import Estimator
    from cardledger.study.stats.luck.luck_store import LuckStore, StoredHand


class _HandOfMatch(Protocol):
    @property
    def match(self) -> str: ...
    @property
    def hand(self) -> int: ...


Of = TypeVar("Of", bound=_HandOfMatch)
DOUBTFUL = Sentence("the recorded deals do not look random: luck-adjusted points may be wrong")


def of_game(store: LuckStore, id: str, method: Method = USUAL) -> dict[str, Any]:
    """Return what luck did in a game and what its players gave up, as far as it has been computed.

    Hands whose cards another table has yet to play are left out: the value of a deal says something about its cards.
    """
    counting, players = _with_known_deals(store, id)
    hands = without_held(store, counting)
    seats, left_out = luck.seats_of(hands, store)
    without_deal, held = _without_known_deals(store, id)
    left_out += without_deal
    if held := held + len(counting) - len(hands):
        left_out["held"] = held
    reviewed = reviews.stored_reviews(hands, store, id, method)
    dealing = shuffling.check_deals(hand.dealt for hand in hands if hand.dealt is not None)
    pending = left_out.pop("pending", 0)
    return {
        "game": id,
        "hands": len(hands) - pending,
        "pending": pending,
        "left_out": dict(sorted(left_out.items())),
        "players": [asdict(one) for one in luck.by_player(seats, [players[one.match, one.seat] for one in seats])],
        "reduction": [asdict(one) for one in luck.reductions(seats)],
        "dealing": [asdict(one) for one in dealing],
        "notes": [DOUBTFUL] if any(one.doubtful for one in dealing) else [],
        "reviews": [asdict(one) for one in reviews.by_player(reviewed, players)],
        "reviews_pending": sum(one.unreviewed for one in reviewed),
        "basis": basis(store, (id,), WORTH, REVIEW, method=method),
    }


def habits_of(store: LuckStore, id: str) -> dict[str, Any]:
    """Return what the decisions of each player of a game cost by situation, as far as hands have been reviewed."""
    counting, players = _with_known_deals(store, id)
    hands = without_held(store, counting)
    reviewed = reviews.stored_reviews(hands, store, id)
    decided = habits.decided(store.ledger, reviewed)
    return {
        "game": id,
        "players": habits.by_player(decided, players, id),
        "decided": habits.by_person(decided, players),
        "pending": sum(one.unreviewed for one in reviewed),
        "basis": basis(store, (id,), HABITS, ACCURACY),
    }


def of_match(store: LuckStore, match: str, method: Method = USUAL) -> dict[str, Any]:
    """Return luck, outcome and decisions of every hand of a match, as far as they have been computed."""
    players = store.players("match = ?", (match,))
    hands = _of_these(store.hands("match = ?", (match,)), players)
    reviewed = [reviews.stored_review(hand, store, method) for hand in hands]
    left_out = Counter(hand.why for hand in hands if hand.why is not None)
    return {
        "match": match,
        "players": [players[seat] for seat in sorted(players)],
        "hands": [of_hand(one, told_of(store, one)) for one in reviewed],
        "pending": sum(one.pending for one in reviewed),
        "left_out": dict(sorted(left_out.items())),
        "basis": basis(store, sorted({hand.game for hand in hands}), WORTH, REVIEW, method=method),
    }


def told_of(store: LuckStore, one: reviews.Reviewed) -> Mapping[int, Sentence]:
    """Return a sentence for each decision of a hand, by the number of its event; nothing for a hand not reviewed."""
    if one.decisions is None:
        return {}
    stream = store.ledger.stream(one.hand.match)
    people = store.ledger.people()
    names = [people.name(player) for player in stream.table.players]
    played = next(played for played in hands_of(stream) if played.hand.number == one.hand.hand)
    return sentences(played, one.decisions, names)


def of_hand(one: reviews.Reviewed, told: Mapping[int, Sentence]) -> dict[str, Any]:
    """Return a hand of a match: its outcome, what each seat gave up, and every decision, `told` in a sentence."""
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
        "decisions": None
        if decisions is None
        else [asdict(each) | {"bad": each.bad, "sentence": told[each.seq]} for each in decisions],
    }


def of_deal(store: LuckStore, deal: str, *, hidden: Callable[[str, int], bool]) -> dict[str, Any]:
    """Return every table at which a deal was played; raises StoreError `store.unknown`.

    A deal of which any hand is hidden is unknown in the same words: else a reader who guesses cards learns that they
    are in play. Nothing is compared before, so that the time does not tell either.
    """
    stored = store.hands("deal = ?", (deal,))
    if any(hidden(hand.match, hand.hand) for hand in stored):
        stored = []
    names: dict[tuple[str, int], str] = {}
    for match in sorted({hand.match for hand in stored}):
        names |= store.players("match = ?", (match,))
    hands = _of_these(stored, names)
    if not hands:
        raise StoreError("store.unknown", f"there is no deal {deal}, or not all tables have finished it yet")
    dealt = hands[0].dealt
    assert dealt is not None
    compared = duplicates.compare(hands)
    tables = []
    for hand in hands:
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
        "basis": basis(store, (hands[0].game,), WORTH),
    }


def _of_these(hands: Sequence[StoredHand], players: Mapping[tuple[str, int], str]) -> list[StoredHand]:
    """Return the hands of matches that still count: a match may have become void since its hands were read."""
    return [hand for hand in hands if (hand.match, 0) in players]


def _with_known_deals(store: LuckStore, id: str) -> tuple[list[StoredHand], dict[tuple[str, int], str]]:
    """Return the hands of a game whose deal is known, and the players of their matches."""
    hands = store.hands("game = ? AND key IS NOT NULL", (id,))
    matches = json.dumps(sorted({hand.match for hand in hands}))
    players = store.players("match IN (SELECT value FROM json_each(?))", (matches,))
    return _of_these(hands, players), players


def _without_known_deals(store: LuckStore, id: str) -> tuple[Counter[str], int]:
    """Return the number of a game's hands whose deal is not known, by reason, and of those that another table has yet to play.

    There may be a million of them, all from score sheets: they are counted, and only doubtful matches are looked at.
    """
    views = store.ledger.views
    held = held_back(views)
    doubtful = {*held, *secret_matches(views.current), *store.ledger.store.between(store.position, views.position)}
    left_out, number = Counter(store.unknown_deals(id)), 0
    hands = store.hands(
        "game = ? AND key IS NULL AND match IN (SELECT value FROM json_each(?))", (id, json.dumps(sorted(doubtful)))
    )
    players = store.players("match IN (SELECT value FROM json_each(?))", (json.dumps(sorted(doubtful)),))
    for hand in hands:
        counts = (hand.match, 0) in players
        if not counts or hand.hand in held.get(hand.match, NOTHING).hands:
            left_out[hand.why or "hidden"] -= 1
            number += counts
    return +left_out, number


def without_held(store: LuckStore, rows: Iterable[Of]) -> list[Of]:
    """Leave out hands, or rows about hands, whose cards another table has yet to play."""
    held = held_back(store.ledger.views)
    return [one for one in rows if one.hand not in held.get(one.match, NOTHING).hands]


def worth_seeing(store: LuckStore, ids: Sequence[str], kinds: Sequence[str], limit: int) -> dict[str, Any]:
    """Return hands worth seeing, by kind: only hands that everybody may see, and only reviews already computed."""
    most = limit + len(held_pairs(store.ledger.views))
    sights = [
        asdict(one) for id in ids for kind in kinds for one in without_held(store, KINDS[kind](store, id, most))[:limit]
    ]
    pending = sum(pending_reviews(store, id) for id in ids) if "costliest" in kinds else 0
    return {"sights": sights, "pending": pending, "basis": basis(store, ids, REVIEW)}


def puzzles(store: LuckStore, ids: Sequence[str]) -> dict[str, Any]:
    """Return all puzzles of some games; `pending` hands were not searched yet. `posable` says which may be shown."""
    found = [one for id in ids for one in posed(store, id)]
    pending = sum(_pending(store, id, "puzzles", PUZZLES.edition) for id in ids)
    return {"puzzles": found, "pending": pending, "basis": basis(store, ids, PUZZLES)}


def posable(account: dict[str, Any], ledger: Ledger, limit: int, day: date) -> dict[str, Any]:
    """Return the puzzles of an account that may be shown now, at most so many of each game, and the one of a day.

    Left out are hands whose cards another table has yet to play, matches of an evening that is not over, and those of
    players who left their hands out. This is looked at whenever puzzles are shown, however old the account is.
    """
    held, left_out = held_back(ledger.views), left_out_of_puzzles(ledger.views, ledger.people())
    found = [
        one
        for one in account["puzzles"]
        if one.match not in left_out and one.hand not in held.get(one.match, NOTHING).hands
    ]
    shown: Counter[str] = Counter()
    first = []
    for one in found:
        shown[one.game] += 1
        if shown[one.game] <= limit:
            first.append(one)
    return account | {"puzzles": first, "day": day, "today": of_day(found, day)}


def pending_reviews(store: LuckStore, id: str) -> int:
    """Return how many hands of a game are not reviewed yet, without those whose cards another table has yet to play."""
    return _pending(store, id, "reviews", USUAL.edition)


def _pending(store: LuckStore, id: str, table: Literal["puzzles", "reviews"], edition: str) -> int:
    number: int = store.file.reader.execute(
        f"""SELECT count(*) FROM hands WHERE game = ? AND why IS NULL
        AND (match, hand) NOT IN (SELECT match, hand FROM {table} WHERE edition = ?)
        AND match || ' ' || hand NOT IN (SELECT value FROM json_each(?))""",
        (id, edition, held_hands(store.ledger.views)),
    ).fetchone()[0]
    return number


def basis(store: LuckStore, ids: Sequence[str], *by: Estimator, method: Method = USUAL) -> dict[str, Any]:
    """Return the basis of the numbers.

    The position of the last event, the editions of rules, bots and review, and those of the estimators `by`.
    """
    return {
        "position": store.position,
        "rules": [game(id).book.edition for id in ids],
        "bots": values.EDITION,
        "review": method.edition,
        "definitions": [*dict.fromkeys(below.edition for one in by for below in one.whole)],
    }
