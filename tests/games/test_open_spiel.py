"""Hearts, spades, oh hell and euchre compared with open_spiel, an independent engine: equal legal moves, equal points.

open_spiel knows single hands; its parameters are options of ours. It comes with the extra `dev`: the tests skip where it is not
installed.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cardledger.rules import games
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import SUITS
from tests.thorough import many

pyspiel = pytest.importorskip("pyspiel")
RANKS = "23456789TJQKA"
NAMES = ("ana", "ben", "chloe", "dev", "eva", "fay", "gus")


class Beside:
    """A hand in both engines: `theirs` is the state of open_spiel, `ours` the match."""

    def __init__(self, rng: Random, game: str, parameters: dict[str, Any]) -> None:
        self.rng = rng
        self.theirs = pyspiel.load_game(game, parameters).new_initial_state()
        self.ours: Any = None
        self.seq = 1
        self.hunter = self.rng.choice((None, 0, 1, 2, 3))

    def open(self, game: str, n: int = 4, **options: object) -> None:
        self.ours = games.start(ev.Open(game=game, players=NAMES[:n], options={**options, "hands": 1}))

    def chance(self) -> int:
        """Let chance decide; returns what it decided."""
        outcomes = [action for action, _ in self.theirs.chance_outcomes()]
        return self.apply(self.rng.choice(outcomes))

    def apply(self, action: int) -> int:
        self.theirs.apply_action(action)
        return action

    def dealt(self) -> list[int]:
        """All that chance does in a row."""
        actions = []
        while self.theirs.is_chance_node():
            actions.append(self.chance())
        return actions

    def legal(self) -> list[int]:
        return list(self.theirs.legal_actions())

    def do(self, event: ev.Event) -> None:
        self.seq += 1
        self.ours.apply(event, self.seq)

    def choice(self, kind: str, seat: int | None = None) -> Any:
        """Our choice of a kind, of the seat to act in the other engine."""
        seat = self.theirs.current_player() if seat is None else seat
        found = [choice for choice in self.ours.choices() if choice.type == kind and choice.seat == seat]
        assert len(found) == 1, (kind, seat, self.ours.choices())
        return found[0]

    def play_out(self, face: Any, leads: Any = None) -> None:
        """Play all tricks, any legal card each time; `face` names their cards, `leads` keeps those of ours they allow."""
        while not self.theirs.is_terminal():
            seat, actions = self.theirs.current_player(), self.legal()
            choice = self.choice("play")
            legal = sorted(face(action) for action in actions)
            ours = sorted(choice.cards)
            if leads is not None and not self.ours.hand.trick:
                ours = leads(ours)
            assert legal == ours, (legal, ours, str(self.theirs))
            action = self.pick(actions, face)
            self.apply(action)
            self.do(ev.Play(seat=seat, card=face(action)))

    def pick(self, actions: list[int], face: Any) -> int:
        """Any card, or in some hands the highest for one seat and the lowest for the others: so that one takes all."""
        hunter = self.hunter
        if hunter is None or self.rng.random() < 0.1:
            return self.rng.choice(actions)
        ordered = sorted(actions, key=lambda action: RANKS.index(face(action)[0]))
        return ordered[-1 if hunter == self.theirs.current_player() else 0]

    def scores(self) -> list[int]:
        assert self.ours.status == "complete", self.ours.hand.moment
        scores: list[int] = self.ours.hands[0].scores
        return scores


def by_rank(action: int) -> str:
    """Cards numbered rank by rank."""
    return RANKS[action // 4] + SUITS[action % 4]


def by_suit(action: int) -> str:
    """Cards numbered suit by suit."""
    return RANKS[action % 13] + SUITS[action // 13]


def of_euchre(action: int) -> str:
    """The 24 cards of euchre, rank by rank."""
    return "9TJQKA"[action // 4] + SUITS[action % 4]


def in_turn(cards: list[str], n: int) -> tuple[tuple[str, ...], ...]:
    """Hands dealt one card at a time, seat 0 first."""
    return tuple(tuple(cards[seat::n]) for seat in range(n))


def hearts(rng: Random) -> None:
    names = {
        "avoid_all_tricks_bonus": "no_trick_bonus",
        "can_lead_any_club": "any_club",
        "can_lead_hearts_instead_of_qs": "hearts_for_queen",
        "jd_bonus": "jack",
        "must_break_hearts": "break_hearts",
        "no_pts_on_first_trick": "clean_first_trick",
        "qs_breaks_hearts": "queen_breaks",
    }
    parameters = {name: rng.random() < 0.5 for name in names}
    table = Beside(rng, "hearts", parameters | {"pass_cards": True})
    (direction, *cards) = table.dealt()
    way = ("none", "left", "across", "right")[direction]
    table.open("hearts", **{"pass": way}, **{names[name]: value for name, value in parameters.items()})
    table.do(ev.Deal(dealer=0, hands=in_turn([by_rank(card) for card in cards], 4)))
    for seat in range(4 if way != "none" else 0):
        choice = table.choice("give", seat)
        assert sorted(map(by_rank, table.legal())) == sorted(choice.cards)
        given = rng.sample(table.legal(), 3)
        for action in given:
            assert table.theirs.current_player() == seat
            table.apply(action)
        table.do(ev.Give(seat=seat, to=choice.to, cards=tuple(map(by_rank, given))))
    table.play_out(by_rank)
    assert [26 - value for value in table.theirs.returns()] == table.scores(), str(table.theirs)


def without_spades(cards: list[str]) -> list[str]:
    """They never take note that spades are broken, so that only a hand of spades leads one."""
    return [card for card in cards if card[1] != "S"] or cards


def spades(rng: Random) -> None:
    table = Beside(rng, "spades", {"use_mercy_rule": False, "win_or_loss_bonus": 0, "num_tricks": 13})
    cards = [by_suit(card) for card in table.dealt()]
    table.open("spades", nil_tricks="bid", blind_nil=False, joint_limit=True)
    table.do(ev.Deal(dealer=3, hands=in_turn(cards, 4)))
    for seat in range(4):
        assert table.choice("call").calls == ("nil",)
        offered = [choice for choice in table.ours.choices() if choice.type == "bid"]  # none beside a partner's 13
        bids = [0, *(bid for choice in offered for bid in range(1, 14) if bid not in choice.barred)]
        assert all((choice.seat, choice.amounts) == (seat, (1, 13)) for choice in offered)
        assert table.legal() == [52 + bid for bid in bids], (table.legal(), bids)
        bid = rng.choice([bid for bid in (0, 1, 2, 2, 3, 3, 4, 5, rng.randrange(14)) if bid in bids])
        table.apply(52 + bid)
        table.do(ev.Bid(seat=seat, amount=bid) if bid else ev.Call(seat=seat, call="nil"))
    table.play_out(by_suit, without_spades)
    assert table.theirs.returns() == table.scores(), str(table.theirs)


def oh_hell(rng: Random) -> None:
    n = rng.randrange(3, 8)
    penalty, points = rng.random() < 0.5, rng.choice((1, 2, 5))
    table = Beside(rng, "oh_hell", {"players": n, "off_bid_penalty": penalty, "points_per_trick": points})
    size = table.chance()
    dealer = table.chance()
    *cards, upcard = (by_rank(card) for card in table.dealt())
    table.open(
        "oh-hell", n, order="fixed", most=size, points_per_trick=points, scoring="penalty" if penalty else "each"
    )
    table.do(ev.Deal(dealer=dealer, hands=in_turn(cards, n), upcard=upcard))
    for _ in range(n):
        seat, choice = table.theirs.current_player(), table.choice("bid")
        low, high = choice.amounts
        assert table.legal() == [52 + bid for bid in range(low, high + 1) if bid not in choice.barred]
        action = rng.choice(table.legal())
        table.apply(action)
        table.do(ev.Bid(seat=seat, amount=action - 52))
    table.play_out(by_rank)
    assert table.theirs.returns() == table.scores(), str(table.theirs)


PASS, ALONE, WITH_PARTNER = 24, 29, 30
WORDS = ("clubs", "diamonds", "hearts", "spades")


def euchre(rng: Random) -> None:
    stick, defender = rng.random() < 0.5, rng.random() < 0.5
    table = Beside(rng, "euchre", {"stick_the_dealer": stick, "allow_lone_defender": defender})
    dealer = table.chance()
    *cards, upcard = (of_euchre(card) for card in table.dealt())
    table.open("euchre", stick_dealer=stick, lone_defender=defender, bury_upcard=False)
    from_dealer = in_turn(cards, 4)
    hands = tuple(from_dealer[(seat - dealer) % 4] for seat in range(4))
    table.do(ev.Deal(dealer=dealer, hands=hands, upcard=upcard))
    for call in range(8):
        seat, choice = table.theirs.current_player(), table.choice("call")
        words = {"order up" if call < 4 else WORDS[a - 25] if a != PASS else "" for a in table.legal() if a != PASS}
        words |= {"pass"} if PASS in table.legal() else set()
        assert words == {word for word in choice.calls if not word.endswith("alone")}
        action = PASS if PASS in table.legal() and rng.random() < 0.7 else rng.choice(table.legal())
        table.apply(action)
        if action != PASS:
            made_by(table, seat, "order up" if call < 4 else WORDS[action - 25], dealer, rng)
            break
        table.do(ev.Call(seat=seat, call="pass"))
    table.play_out(of_euchre)
    assert table.theirs.returns() == signed(table.scores()), str(table.theirs)


def made_by(table: Beside, seat: int, word: str, dealer: int, rng: Random) -> None:
    """In open_spiel the dealer discards before the maker decides to play alone; here the call says it."""
    laid_away = None
    if word == "order up":
        assert table.theirs.current_player() == dealer
        laid_away = rng.choice(table.legal())
        may = sorted(map(of_euchre, table.legal()))
        table.apply(laid_away)
    assert (table.theirs.current_player(), sorted(table.legal())) == (seat, [ALONE, WITH_PARTNER])
    alone = table.apply(rng.choice((ALONE, WITH_PARTNER))) == ALONE
    table.do(ev.Call(seat=seat, call=f"{word} alone" if alone else word))
    if laid_away is not None:
        assert sorted(table.choice("discard", dealer).cards) == may
        table.do(ev.Discard(seat=dealer, card=of_euchre(laid_away)))
    while table.ours.hand.moment == "call":
        asked = table.theirs.current_player()
        assert sorted(table.legal()) == [ALONE, WITH_PARTNER]
        assert table.choice("call").calls == ("pass", "alone")
        alone = table.apply(rng.choice((ALONE, WITH_PARTNER))) == ALONE
        table.do(ev.Call(seat=asked, call="alone" if alone else "pass"))


def signed(scores: list[int]) -> list[int]:
    """They take from one side what they give the other."""
    return [scores[seat] - scores[(seat + 1) % 4] for seat in range(4)]


GAMES = {"hearts": hearts, "spades": spades, "oh-hell": oh_hell, "euchre": euchre}


@pytest.mark.parametrize("game", GAMES)
def test_some_hands_go_as_in_open_spiel(game: str) -> None:
    for seed in range(40):
        GAMES[game](Random(seed))


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", GAMES)
def test_thousands_of_hands_go_as_in_open_spiel(game: str) -> None:
    for seed in range(many(5_000, 20_000)):
        GAMES[game](Random(seed))
