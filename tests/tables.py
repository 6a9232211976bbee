"""A small language for tests: deal chosen hands, play cards, and see what the ledger makes of them."""

from __future__ import annotations

import io
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, Self

import msgspec
import pytest

from ledger import events as ev
from ledger.bots.random_bot import events_of
from ledger.corrections import Stream
from ledger.errors import LedgerError, RuleError
from ledger.game import TrickGame
from ledger.games import games
from ledger.hand import Hand
from ledger.matchfile import Match, Problem, read_matches
from ledger.replay import result
from ledger.rulebook import Violation
from ledger.table import Table
from ledger.unseen import Unseen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

NAMES = ("ana", "ben", "chloe", "dev", "eva", "fay", "gus", "hana")
SIZES = [(game.id, n) for game in games().values() for n in game.players]
Policy = Literal["strict", "record"]


def opening(game: str, n: int, policy: Policy = "strict", **options: object) -> ev.Open:
    """Return the opening of a match of the first `n` names."""
    return ev.Open(game=game, players=NAMES[:n], options=options, policy=policy)


def deck(table: Table) -> tuple[list[str], int]:
    """Return the faces in play, in the order of the pack, and how many each seat is dealt."""
    if isinstance(table.game, TrickGame):
        pack, cards, each = table.game.cards_of(table.options, table.n)
        return pack.list(cards), each
    return table.pack.list(table.pack.full), 7


class Sitting:
    """A match under way, with its audit trail; what it does returns itself, so that steps can be chained.

    Cards are given as text with spaces; the seat is the one whose turn it is.
    """

    def __init__(self, game: str, n: int, policy: Policy = "strict", **options: object) -> None:
        self.stream = Stream(opening(game, n, policy, **options), audit=True)

    @property
    def table(self) -> Any:
        return self.stream.table

    @property
    def result(self) -> dict[str, Any]:
        return result(self.table)

    @property
    def turn(self) -> tuple[str, int | None]:
        """Phase and seat to act."""
        return self.table.phase, self.table.turn

    @property
    def last(self) -> tuple[int, str, int | None, str]:
        """The last complete trick: leader, cards, taker, rule."""
        trick = self.result["hands"][-1]["tricks"][-1]
        return trick["leader"], " ".join(trick["cards"]), trick["taker"], trick["rule"]

    def held(self, seat: int) -> str:
        """What a seat holds, in plain string order."""
        return " ".join(sorted(self.table.pack.list(self.table.held[seat])))

    # --- what may happen

    def do(self, *events: ev.Event) -> Self:
        for event in events:
            self.stream.append(event)
        return self

    def deal(
        self,
        *wanted: str,
        dealer: int | None = None,
        void: dict[int, str] | None = None,
        hidden: bool = False,
        aside: str = "",
        upcard: str | None = None,
        stock: str | None = None,
    ) -> Self:
        """Deal each seat the cards wanted and, out of what is left, none of the suits it is to be void in.

        `aside` and `stock` (whose order is given then) say what these begin with.
        """
        return self.do(dealt(self.table, wanted, dealer, void or {}, hidden, aside, upcard, stock))

    def play(self, cards: str, seat: int | None = None) -> Self:
        for card in cards.split():
            first = seat if self.table.turn is None else self.table.turn
            self.do(ev.Play(seat=first, card=card))
        return self

    def legally(self, cards: int) -> Self:
        """So many cards are played, each the first in plain order that breaks no rule."""
        for _ in range(cards):
            (choice, *_) = (choice for choice in self.table.choices() if choice.type == "play")
            self.play(choice.cards[0], choice.seat)
        return self

    def bid(self, *amounts: int) -> Self:
        for amount in amounts:
            self.do(ev.Bid(seat=self.table.turn, amount=amount))
        return self

    def draw(self, cards: str = "", source: Literal["stock", "discards"] = "stock") -> Self:
        """Draw the cards given, or as many as are due that may be next in the stock."""
        drawn = tuple(cards.split()) or from_stock(self.table)
        return self.do(ev.Draw(seat=self.table.turn, source=source, cards=drawn))

    def discard(self, card: str) -> Self:
        return self.do(ev.Discard(seat=self.table.turn, card=card))

    def close(self, card: str) -> Self:
        return self.do(ev.Close(seat=self.table.turn, card=card))

    def ask(self, suit: Literal["C", "D", "H", "S"]) -> Self:
        (choice,) = (choice for choice in self.table.choices() if choice.type == "ask")
        return self.do(ev.Ask(seat=choice.seat, source=choice.sources[0], suit=suit))

    def give(self, card: str) -> Self:
        (choice,) = (choice for choice in self.table.choices() if choice.type == "give")
        return self.do(ev.Give(seat=choice.seat, to=choice.to, card=card))

    def claim(self, *tricks: int) -> Self:
        return self.do(ev.Claim(tricks=tricks))

    def score(self, *scores: int) -> Self:
        return self.do(ev.Score(scores=scores))

    def scored(self, *scores: int) -> Self:
        """A whole hand off a score sheet, with any deal."""
        return self.deal().score(*scores)

    # --- what may not

    def refuses(self, event: ev.Event, rule: str, legal: str | None = None) -> Self:
        """Demand that an event is refused under a rule and that nothing changes."""
        before, chain = state(self.table), self.stream.heads[-1]
        with pytest.raises(LedgerError) as refused:
            self.stream.append(event)
        assert refused.value.code == rule, refused.value
        assert refused.value.message
        assert (state(self.table), self.stream.heads[-1]) == (before, chain)
        if legal is not None:
            assert isinstance(refused.value, RuleError)
            assert " ".join(refused.value.legal) == legal
        return self


def irregular(at: Callable[[Policy], Sitting], event: Any, rule: str, legal: str) -> Sitting:
    """Break a rule: `strict` refuses and names rule and legal cards, `record` plays on with the card as played.

    `at` sets up the moment under a policy. Returns the match that recorded it.
    """
    at("strict").refuses(event, rule, legal)
    sitting = at("record")
    before, exposed = len(sitting.table.violations), sitting.table.hands[-1].exposed.copy()
    sitting.do(event)
    expected = Violation(sitting.stream.seq, event.seat, rule, tuple(legal.split()))
    assert sitting.table.violations[before:] == [expected]
    exposed[event.seat] += 1
    assert sitting.table.hands[-1].exposed == exposed
    if isinstance(event, ev.Play):
        under_way = [sitting.table.pack.faces[card] for card in sitting.table.trick]
        assert event.card in (under_way[-1:] or sitting.last[1].split())
    return sitting


def dealt(
    table: Any,
    wanted: Sequence[str],
    dealer: int | None,
    void: dict[int, str],
    hidden: bool,
    aside: str,
    upcard: str | None,
    stock: str | None,
) -> ev.Deal:
    """Return the deal that `Sitting.deal` describes."""
    keys = table.game.deal_keys
    faces, each = deck(table)
    free = Counter(faces)
    hands = [(wanted[seat].split() if seat < len(wanted) else []) for seat in range(table.n)]
    first = (stock or aside).split() + ([upcard] if upcard else [])
    free.subtract([*first, *(card for hand in hands for card in hand)])
    assert min(free.values()) >= 0, "a card is wanted twice, or is not in play"
    rest = list(free.elements())
    # The seats with most suits to avoid choose first.
    for seat in sorted(range(table.n), key=lambda seat: -len(void.get(seat, ""))):
        fits = [card for card in rest if not set(card) & set(void.get(seat, ""))]
        more = fits[: each - len(hands[seat])]
        assert len(hands[seat]) + len(more) == each, f"no such hand for seat {seat}"
        hands[seat] += more
        rest = list((Counter(rest) - Counter(more)).elements())
    if "upcard" in keys and upcard is None:
        upcard = rest.pop(0)
    over = [*(stock or aside).split(), *rest]
    first_seat = dealer
    if first_seat is None:
        first_seat = (table.hands[-1].dealer + 1) % table.n if table.hands else 0
    return ev.Deal(
        dealer=first_seat if "dealer" in keys else None,
        starter=first_seat if "starter" in keys else None,
        hands=None if hidden else tuple(tuple(hand) for hand in hands),
        aside=tuple(over) if over and "aside" in keys and (aside or not hidden) else None,
        upcard=upcard if "upcard" in keys else None,
        stock=tuple(over) if stock is not None else None,
    )


def trick_of(game: str, cards: str, **options: object) -> tuple[str, str]:
    """Return the card that takes a first trick of these cards, and under which rule."""
    hands = cards.split()
    n = len(hands)
    sitting = Sitting(game, n, "record", **options)
    if game == "diamonds-bid":
        hands[0] += " 2C"  # whoever holds it leads
    elif game == "poison-hearts" and not hands[0].endswith("1"):
        hands[0] += " P1"  # to be allowed to lead at all
    sitting.deal(*hands, dealer=0 if game == "poison-hearts" else n - 1)
    sitting.bid(*[0] * n) if game == "diamonds-bid" else None
    leader, played, taker, rule = sitting.play(cards).last
    assert (leader, played) == (0, cards)
    return ("nobody" if taker is None else cards.split()[taker], rule)


def ending(*hands: str) -> Sitting:
    """Return a hand of `poison-hearts` come to these last cards, seat 0 to lead, without a tie before."""
    match = Sitting("poison-hearts", 3, "record").deal(*hands)
    kept = [Counter(hand.split()) for hand in hands]

    def spare(seat: int) -> list[str]:
        return sorted((Counter(match.held(seat).split()) - kept[seat]).elements())

    left = len(hands[0].split())
    while match.table.tricks_left > left:
        leader = match.table.turn
        others = [(leader + 1) % 3, (leader + 2) % 3]
        lead, *rest = next(
            (a, b, c)
            for a in sorted(spare(leader), key=lambda card: card[1])
            for b in spare(others[0])
            for c in spare(others[1])
            if (match.table.tricks_left > left + 1 or highest(a, b, c) == (-leader) % 3)
            and highest(a, b, c) is not None
            and (match.result["hands"][0]["tricks"] or a[1] == "1")
        )
        match.play(" ".join([lead, *rest]))
    assert match.turn == ("play", 0)
    return match


def highest(*cards: str) -> int | None:
    """Which of the cards of a trick takes it, None for a tie."""
    values = [int(card[-1]) if set(card[:-1]) & set(cards[0][:-1]) else 0 for card in cards]
    return values.index(max(values)) if values.count(max(values)) == 1 else None


# --- states


_CONSTANT = {"game", "pack", "cards", "kin", "lead", "follow", "opening", "seq"}


def state(value: Any) -> Any:
    """Return all state of a table as plain values that can be compared (the number of the last event apart)."""
    if isinstance(value, Table | Hand | Unseen):
        # A compiled class has no slots of its own, but says what attributes it has.
        kept = (vars(cls).get(said, ()) for cls in type(value).__mro__ for said in ("__slots__", "__mypyc_attrs__"))
        return {name: state(getattr(value, name)) for names in kept for name in names if name not in _CONSTANT}
    return [state(item) for item in value] if isinstance(value, list) else value


# --- matches played by chance


def from_stock(table: Any, rng: Random | None = None) -> tuple[str, ...]:
    """Return cards that may be drawn from the stock now: the next ones, or any where the order is not known."""
    (choice,) = (choice for choice in table.choices() if choice.sources == ("stock",))
    order = getattr(table, "stack_order", None) or ()
    if order:
        return tuple(order[-table.stack_left :][: choice.count])
    return tuple(rng.sample(choice.cards, choice.count) if rng else choice.cards[: choice.count])


def whole_hands(
    game: str, n: int, rng: Random, hands: int, policy: Policy = "record", wild: float = 0.2
) -> list[ev.Event]:
    """Return a match at random that stops right after so many hands, or where it is over before."""
    stream = Stream(opening(game, n, policy, **any_options(game, rng)))
    recorded = [stream.heads[0][1]]
    while stream.table.phase != "over" and not (stream.table.hand is None and len(stream.table.hands) == hands):
        recorded.append(step(stream.table, rng, wild))
        stream.append(recorded[-1])
    return recorded


def hide(events: Iterable[ev.Event], policy: Policy) -> list[ev.Event]:
    """Return a match as a scorer who sees no hands records it."""
    unseen: dict[type, dict[str, Any]] = {
        ev.Open: {"policy": policy}, ev.Deal: {"hands": None, "aside": None, "stock": None}
    }  # fmt: skip
    return [msgspec.structs.replace(event, **unseen.get(type(event), {})) for event in events]


def play_out(match: Sitting, hands: list[list[str]]) -> Sitting:
    """Play a hidden hand to its end from these hands, within the rules wherever they can."""
    faces, masks, n = match.table.pack.faces, match.table.pack.mask, match.table.n
    while match.table.hand is not None:
        table, record = match.table, match.table.hand
        hand, done = hands[table.turn], len(record.tricks)
        tried = getattr(table, "tried", 0)
        if table.trick:
            fits = [face for face in hand if masks[face] & table.led]
        else:
            fits = [face for face in hand if face[-1] != "D" and not masks[face] & tried]
        card = (fits or hand)[0]
        match.play(card)
        hand.remove(card)
        for leader, cards, taker, _ in record.tricks[done:]:
            others = [face for face in hands[leader] if not masks[face] & (tried | masks[faces[cards[0]]])]
            for place, played in enumerate(cards if taker is None and others else ()):
                hands[(leader + place) % n].append(faces[played])
    return match


def wrong_cards(table: Any) -> list[str]:
    """Return the cards held by the seat to act: what it may play only irregularly among them."""
    return [] if table.hidden or table.turn is None else table.pack.list(table.held[table.turn])


def step(table: Table, rng: Random, wild: float = 0.0) -> ev.Event:
    """Return an event that may come next: a deal, or what a player does; irregular cards with the chance `wild`."""
    if table.phase == "deal":
        return any_deal(table, rng)
    choices = [choice for choice in table.choices() if choice.seat is not None or choice.type == "play"]
    closing = [choice for choice in choices if choice.type == "close"]
    choice = rng.choice(closing if closing and rng.random() < 0.7 else choices)
    if choice.type == "draw" and choice.sources == ("stock",):
        return ev.Draw(seat=choice.seat, source="stock", cards=from_stock(table, rng))
    if choice.seat is None:
        return ev.Play(seat=rng.randrange(table.n), card=rng.choice(choice.cards))
    event = rng.choice(list(events_of(choice)))
    if rng.random() < wild and isinstance(event, ev.Play | ev.Give):
        cards = wrong_cards(table)
        may_not = table.phase == "play" and not choice.cards
        return event if not cards or may_not else msgspec.structs.replace(event, card=rng.choice(cards))
    return event


def any_deal(table: Table, rng: Random) -> ev.Deal:
    """Return a deal at random; the order of the stock is known or not."""
    faces, each = deck(table)
    rng.shuffle(faces)
    keys = table.game.deal_keys
    hands = tuple(tuple(faces[each * seat : each * (seat + 1)]) for seat in range(table.n))
    rest = faces[each * table.n :]
    first = table.choices()[0].seat
    if first is None:
        first = rng.randrange(table.n)
    upcard = rest.pop() if "upcard" in keys else None
    return ev.Deal(
        dealer=first if "dealer" in keys else None,
        starter=first if "starter" in keys else None,
        hands=hands,
        aside=tuple(rest) if rest and "aside" in keys else None,
        upcard=upcard,
        stock=tuple(rest) if "stock" in keys and rng.random() < 0.5 else None,
    )


def any_options(game: str, rng: Random) -> dict[str, object]:
    """Return options at random, small enough for matches to end."""
    some: dict[str, list[object]] = {
        "hands": [1, 2],
        "chips": [True, False],
        "double_suits": [True, False],
        "rounds": [1, 2, 3],
        "laps": [1],
        "layout": ["8x10", "10x8"],
        "target": [1, 12, 40, *([] if game.startswith("diamonds") else [None])],
    }
    return {option.name: rng.choice(some[option.name]) for option in games()[game].options if rng.random() < 0.8}


def any_match(
    game: str, n: int, rng: Random, policy: Policy = "strict", wild: float = 0.0, events: int = 150
) -> list[ev.Event]:
    """Return a match at random, with random options, of at most so many events."""
    stream = Stream(opening(game, n, policy, **any_options(game, rng)))
    recorded: list[ev.Event] = [stream.heads[0][1]]
    while len(recorded) < events and stream.table.phase != "over":
        event = step(stream.table, rng, wild if policy == "record" else 0.0)
        stream.append(event)
        recorded.append(event)
    return recorded


# --- files


def line(event: object) -> bytes:
    """Return an event, or a JSON object, or bytes as they are, as a line."""
    if isinstance(event, bytes):
        return event + b"\n"
    if isinstance(event, ev.Event):
        return ev.encode(event) + b"\n"
    return json.dumps(event).encode() + b"\n"


def read(*events: object, keep_going: bool = False) -> list[Match | Problem]:
    """Return what a match file of these lines holds."""
    return list(read_matches(io.BytesIO(b"".join(map(line, events))), "f", keep_going))


def problems(found: Iterable[Match | Problem]) -> list[tuple[int, str]]:
    """Return line and code of every problem found."""
    return [(one.line, one.error.code) for one in found if isinstance(one, Problem)]


def problem(*events: object) -> tuple[int, str]:
    """Return line and code of the one problem of a file that holds nothing else."""
    found = read(*events)
    assert len(found) == 1, found
    (only,) = problems(found)
    return only
