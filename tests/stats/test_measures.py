"""Measures: each is a line of a table, and says of recorded hands what counting by hand says."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.matches.replay import hand_result
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.measures import COMMON
from cardledger.rules.engine.seen import legal_cards
from cardledger.rules.games import game, games, start
from cardledger.rules.stream import unroll
from cardledger.study.stats import Query, Statistics
from cardledger.study.stats.measures.of_game import measures_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardledger.record.recording.ledger import Ledger

Told = dict[str, Any]
"""A hand of a replay result, with `n`, the events of the hand as `events`, and the game's order of trumps as `trumps`."""


@pytest.mark.parametrize("id", games())
def test_every_measure_is_explained_and_rests_on_a_rule_of_its_game(id: str) -> None:
    found = measures_of(id)
    assert len({measure.id for measure in found}) == len(found) > len(COMMON)
    for measure in found:
        assert re.fullmatch("[a-z0-9-]+", measure.id)
        assert measure.title[0].isupper() and " ÷ " in measure.formula
    for measure in game(id).study.measures:
        game(id).book.cite(measure.source)


def diversity(hand: Told) -> Told:
    """Count once more, from the faces of the replay result, without a thought for speed."""
    n, tricks = hand["n"], hand["tricks"]

    def taken(seat: int, place: int) -> int:
        return sum(trick["taker"] == seat == (trick["leader"] + place) % n for trick in tricks)

    def led(seat: int) -> int:
        return sum(trick["leader"] == seat for trick in tricks)

    found = {"tricks": ([took - 3.25 for took in hand["tricks_taken"]], 1)}
    for id in ("four-suits", "repeated-suit"):
        takers = Counter(trick["taker"] for trick in tricks if trick["rule"] == f"trick.{id}")
        found[id] = [takers[seat] for seat in range(n)], 1
    for place, name in enumerate(("first", "second", "third", "last")):
        found[f"taken-{name}"] = [taken(s, place) for s in range(n)], [led((s - place) % n) for s in range(n)]
    return found


def diamonds_bid(hand: Told) -> Told:
    """As `diversity`; points lost by asking what other bids and tricks would have scored."""

    def score(bid: int, took: int) -> int:
        return 10 * bid + took - bid if took >= bid else 10 * took - 10 * (bid - took)

    pairs = list(zip(hand["bids"], hand["tricks_taken"], strict=True))
    return {
        "bid": (hand["bids"], 1),
        "tricks": (hand["tricks_taken"], 1),
        "made": ([took >= bid for bid, took in pairs], 1),
        "over": ([took - bid if took > bid else 0 for bid, took in pairs], 1),
        "under": ([bid - took if took < bid else 0 for bid, took in pairs], 1),
        "lost-bidding": ([max(score(b, took) for b in range(27)) - score(bid, took) for bid, took in pairs], 1),
        "lost-play": ([max(0, score(bid, bid) - score(bid, took)) if took < bid else 0 for bid, took in pairs], 1),
    }


def poison_hearts(hand: Told) -> Told:
    """As `diversity`."""
    n = hand["n"]
    won = [[face for trick in hand["tricks"] if trick["taker"] == seat for face in trick["cards"]] for seat in range(n)]
    held = {suit: [sum(suit in face for face in cards) for cards in won] for suit in "RYGBP"}
    found = {
        "cards": ([len(cards) for cards in won], 1),
        "free": ([sum(some[s] > max(some[:s] + some[s + 1 :]) for some in held.values()) for s in range(n)], 1),
        "near": (
            [sum(0 < some[s] == max(some[:s] + some[s + 1 :]) for some in held.values()) for s in range(n)],
            1,
        ),
        "ties": (
            [sum(trick["leader"] == s and trick["taker"] is None for trick in hand["tricks"]) for s in range(n)],
            [sum(trick["leader"] == s for trick in hand["tricks"]) for s in range(n)],
        ),
    }
    names = dict(zip("RYGBP", ("red", "yellow", "green", "blue", "purple"), strict=True))
    return found | {names[suit]: (some, 1) for suit, some in held.items()}


def hecto_diversity(hand: Told) -> Told:
    """As `diversity`."""
    n, closer, events = hand["n"], hand["closer"], hand["events"]
    draws = [[event.source for event in events if isinstance(event, ev.Draw) and event.seat == s] for s in range(n)]
    closed = [s == closer for s in range(n)]
    straight = hand["scores"][closer] + sum(hand["penalties"]) == -20
    laid = [sum(isinstance(event, ev.Layoff) and event.seat == s for event in events) for s in range(n)]
    return {
        "closes": (closed, 1),
        "turn": ([len(draws[s]) if s == closer else 0 for s in range(n)], closed),
        "straight": ([straight and s == closer for s in range(n)], closed),
        "penalty": (hand["penalties"], [not one for one in closed]),
        "discards": ([some.count("discards") for some in draws], [len(some) for some in draws]),
        "laid-off": (laid, [not one for one in closed]),
    }


def ruff(hand: Told) -> Told:
    """As `diversity`; a ruff is over another when with the cards up to it the game says that it would take the trick."""
    n = hand["n"]
    quota = {3: 5, 4: 3, 5: 2}[n]
    followed, ruffs, over, took = ([0] * n for _ in range(4))
    for trick in hand["tricks"]:
        cards, led = trick["cards"], trick["cards"][0][1]
        best = None
        for place, face in enumerate(cards[1:], 1):
            seat = (trick["leader"] + place) % n
            followed[seat] += 1
            if face[1] != led:
                ruffs[seat] += 1
                height = hand["trumps"](led).index(face[1]), "23456789TJQKA".index(face[0])
                over[seat] += best is not None and height > best
                best = height if best is None else max(best, height)
        if best is not None:
            took[trick["taker"]] += 1
    return {
        "tricks": ([taken - quota for taken in hand["tricks_taken"]], 1),
        "debts": ([quota - taken if taken < quota else 0 for taken in hand["tricks_taken"]], 1),
        "ruffs": (ruffs, followed),
        "overruffs": (over, ruffs),
        "ruffed": (took, ruffs),
    }


def diamonds_draw(hand: Told) -> Told:
    """As `diversity`; what is left follows from the draws as recorded."""
    n = hand["n"]
    each = 30 // n
    drawn = [sum(len(e.cards) for e in hand["events"] if isinstance(e, ev.Draw) and e.seat == s) for s in range(n)]
    left = [each + drawn[s] - len(hand["tricks"]) for s in range(n)]
    return {
        "left": (left, 1),
        "diamonds-left": ([hand["scores"][s] - left[s] for s in range(n)], 1),
        "drawn": (drawn, 1),
        "eaten": (
            [sum(f[1] == "D" for t in hand["tricks"] if t["taker"] == s for f in t["cards"]) for s in range(n)],
            1,
        ),
        "tricks": (hand["tricks_taken"], 1),
    }


def side_sum(values: Sequence[int]) -> list[int]:
    """For each of four seats, its value and the partner's."""
    return [values[s] + values[(s + 2) % 4] for s in range(4)]


def whist(hand: Told) -> Told:
    """As `diversity`; honours are what the points have beyond the tricks."""
    odd = [max(0, tricks - 6) for tricks in side_sum(hand["tricks_taken"])]
    return {
        "tricks": ([took - 3.25 for took in hand["tricks_taken"]], 1),
        "odd-tricks": (odd, 1),
        "honours": (hand.get("honours", [0] * 4), 1),
    }


def hearts(hand: Told) -> Told:
    """As `diversity`; cards passed on are read from the events."""
    worth = {"QS": 13}
    points = [sum(worth.get(f, f[1] == "H") for f in t["cards"]) for t in hand["tricks"]]

    def taken(first: int, last: int) -> list[int]:
        tricks = list(zip(hand["tricks"], points, strict=True))[first:last]
        return [sum(points for t, points in tricks if t["taker"] == s) for s in range(4)]

    given = {e.seat: e.cards for e in hand["events"] if isinstance(e, ev.Give) and isinstance(e.cards, tuple)}
    queen = [any("QS" in t["cards"] and t["taker"] == s for t in hand["tricks"]) for s in range(4)]
    if not any(queen):  # she was claimed
        queen = [any(hand.get("claimed", [0] * 4)) and hand["claimed"][s] > 0 for s in range(4)]
    passing = [int(s in given) for s in range(4)]
    return {
        "moons": ([hand["moon"] == s for s in range(4)], 1),
        "queen": (queen, 1),
        "early": (taken(0, 4), 1), "middle": (taken(4, 9), 1), "late": (taken(9, 13), 1),
        "hearts-passed": ([sum(f[1] == "H" for f in given.get(s, ())) for s in range(4)], passing),
        "queen-passed": (["QS" in given.get(s, ()) for s in range(4)], passing),
    }  # fmt: skip


def spades(hand: Told) -> Told:
    """As `diversity`; tricks of a failed nil are bags, as the default says."""
    bids, taken = hand["bids"], hand["tricks_taken"]
    nil = [bid == 0 for bid in bids]
    lost = side_sum([taken[s] if nil[s] else 0 for s in range(4)])
    helping = [all_ - more for all_, more in zip(side_sum(taken), lost, strict=True)]
    bid = side_sum(bids)
    return {
        "bid": (bids, 1),
        "tricks": (taken, 1),
        "made": ([bid[s] > 0 and helping[s] >= bid[s] for s in range(4)], [int(b > 0) for b in bid]),
        "nils": (nil, 1),
        "nils-made": ([nil[s] and taken[s] == 0 for s in range(4)], [int(one) for one in nil]),
        "bags": ([max(0, helping[s] - bid[s]) + lost[s] for s in range(4)], 1),
    }


def oh_hell(hand: Told) -> Told:
    """As `diversity`; the size of a hand is the number of its tricks."""
    size, n = sum(hand["tricks_taken"]), hand["n"]
    exact = [bid == took for bid, took in zip(hand["bids"], hand["tricks_taken"], strict=True)]
    found: Told = {"bid": (hand["bids"], 1), "tricks": (hand["tricks_taken"], 1), "exact": (exact, 1)}
    for name, sizes in (("small", range(1, 4)), ("middle", range(4, 7)), ("large", range(7, 52))):
        found[f"exact-{name}"] = (exact if size in sizes else [0] * n, int(size in sizes))
    return found


def euchre(hand: Told) -> Told:
    """As `diversity`; from the contract and the tricks of the sides."""
    contract = hand["contract"] or {"seat": None, "call": ""}
    maker = [int(contract["seat"] == s) for s in range(4)]
    tricks = side_sum(hand["tricks_taken"])
    alone = [int(one and contract["call"].endswith(" alone")) for one in maker]
    against = [int(contract["seat"] is not None and (s + contract["seat"]) % 2 == 1) for s in range(4)]
    return {
        "tricks": (hand["tricks_taken"], 1),
        "calls": (maker, 1),
        "marches": ([maker[s] and tricks[s] == 5 for s in range(4)], maker),
        "euchred": ([maker[s] and tricks[s] < 3 for s in range(4)], maker),
        "euchres": ([against[s] and tricks[s] > 2 for s in range(4)], against),
        "alone": (alone, maker),
        "alone-all": ([alone[s] and tricks[s] == 5 for s in range(4)], alone),
    }


AGAIN: dict[str, Callable[[Told], Told]] = {
    "diversity": diversity, "diamonds-bid": diamonds_bid, "poison-hearts": poison_hearts,
    "hecto-diversity": hecto_diversity, "ruff": ruff, "ruff-2": ruff, "diamonds-draw": diamonds_draw,
    "whist": whist, "hearts": hearts, "spades": spades, "oh-hell": oh_hell, "euchre": euchre,
}  # fmt: skip
TRUMPS = {
    "ruff": lambda led: "CDHS",
    "ruff-2": lambda led: [*"CDHS" * 2]["CDHS".index(led) + 1 :][:3],
}


@pytest.mark.long
@pytest.mark.parametrize("id", AGAIN)
def test_measures_equal_a_recount_from_the_replay(id: str, club: Ledger, stats: Statistics) -> None:
    sums: dict[tuple[str, str], list[float]] = {}
    for match in club.matches():
        stream = club.stream(match)
        table = stream.table
        if table.game.id != id:
            continue
        for hand in table.hands:
            if hand.scores is None or hand.agreed:
                continue
            events = [event for seq, event in unroll(stream.heads[-1]) if hand.first <= seq <= hand.last]
            told = hand_result(table, hand) | {"n": table.n, "events": events, "trumps": TRUMPS.get(id)}
            for measure, (amounts, cases) in AGAIN[id](told).items():
                for seat, player in enumerate(table.players):
                    total = sums.setdefault((player, measure), [0, 0])
                    total[0] += amounts[seat]
                    total[1] += cases if isinstance(cases, int) else cases[seat]
    assert {measure for _, measure in sums} == {measure.id for measure in game(id).study.measures}
    for (player, measure), (amount, cases) in sums.items():
        rows = {row["measure"]: row for row in stats.player(player, Query(), id).rows}
        if cases:
            assert rows[measure]["value"] == pytest.approx(amount / cases, rel=1e-5, abs=1e-9), (player, measure)
            assert rows[measure]["cases"] == cases
        else:
            assert measure not in rows


def exposed(events: Sequence[ev.Event]) -> Counter[int]:
    """Count by seat the plays at which a rule forbade some card held, asking the table before each."""
    table = start(events[0])
    found: Counter[int] = Counter()
    for seq, event in enumerate(events[1:], 2):
        if isinstance(event, ev.Play) and not table.hidden and table.hand.moment == "play":
            held = table.hand.held[event.seat]
            found[event.seat] += legal_cards(table, table.choices()[0]) != held
        table.apply(event, seq)
    return found


def test_decisions_are_exposed_where_a_rule_forbids_some_card_held() -> None:
    for id in ("diamonds-bid", "diamonds-draw", "ruff", "poison-hearts"):
        events = simulate(id, 4, Random(4), ["random"], policy="record", max_hands=1)
        table = start(events[0])
        for seq, event in enumerate(events[1:], 2):
            table.apply(event, seq)
        assert {s: c for s, c in enumerate(table.hands[0].exposed) if c} == {
            s: c for s, c in exposed(events).items() if c
        }
        assert sum(table.hands[0].exposed)


def test_a_hidden_hand_exposes_decisions_once_it_is_judged() -> None:
    seen = simulate("diamonds-bid", 4, Random(5), ["random"], policy="record", max_hands=1)
    hidden = simulate("diamonds-bid", 4, Random(5), ["random"], policy="record", hidden=True, max_hands=1)
    tables = []
    for events in (seen, hidden):
        table = start(events[0])
        for seq, event in enumerate(events[1:], 2):
            table.apply(event, seq)
        tables.append(table)
    assert tables[0].hands[0].exposed == tables[1].hands[0].exposed
