"""A small language for tests: deal chosen hands, play cards, and see what the ledger makes of them."""

from __future__ import annotations

import dataclasses
import io
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, Self

import msgspec
import pytest

from cardledger.errors import LedgerError, RuleError
from cardledger.record.matches.matchfile import MatchInFile, Problem, read_matches
from cardledger.record.matches.replay import result
from cardledger.rules.bots.random_bot import events_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import cards_in
from cardledger.rules.engine.hidden import World
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.option import Option
from cardledger.rules.engine.rulebook import Violation
from cardledger.rules.engine.state import Hand
from cardledger.rules.games import games, start
from cardledger.rules.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

NAMES = ("ana", "ben", "chloe", "dev", "eva", "fay", "gus", "hana")
SIZES = [(game.id, n) for game in games().values() for n in game.players]
Policy = Literal["strict", "record"]


def opening(game: str, n: int, policy: Policy = "strict", **options: object) -> ev.Open:
    """Return the opening of a match of the first `n` names."""
    return ev.Open(game=game, players=NAMES[:n], options=options, policy=policy)


def deck(table: Match[Any]) -> tuple[list[str], int]:
    """Return the faces in play, in the order of the pack, and how many each seat is dealt."""
    cards, each = table.game.deal.cards(table, len(table.hands) + 1)
    return table.pack.list(cards), each


class Sitting:
    """A match under way, with its audit trail; what it does returns itself, so that steps can be chained.

    Cards are given as text with spaces; the seat is the one whose turn it is.
    """

    def __init__(
        self, game: str, n: int = 4, policy: Policy = "strict", rules: str | None = None, **options: object
    ) -> None:
        event = opening(game, n, policy, **options)
        self.stream = Stream(event, audit=True, begin=lambda opened: start(opened, rules))

    @property
    def table(self) -> Any:
        return self.stream.table

    match = table

    @property
    def hand(self) -> Any:
        return self.table.hand

    @property
    def events(self) -> list[ev.Event]:
        return self.stream.events

    @property
    def result(self) -> dict[str, Any]:
        return result(self.table)

    @property
    def turn(self) -> tuple[str, int | None]:
        """The moment and the seat to act."""
        return self.hand.moment, self.hand.turn

    @property
    def last_hand(self) -> dict[str, Any]:
        return self.result["hands"][-1]

    @property
    def last(self) -> tuple[int, str, int | None, str]:
        """The last complete trick: leader, cards, taker, rule."""
        trick = self.last_hand["tricks"][-1]
        return trick["leader"], " ".join(trick["cards"]), trick["taker"], trick["rule"]

    @property
    def violations(self) -> list[tuple[int, int, str, str]]:
        """Every violation: event, seat, rule, and what would have been legal."""
        return [(v["seq"], v["seat"], v["rule"], " ".join(v["legal"])) for v in self.result["violations"]]

    @property
    def rules_cited(self) -> set[str]:
        return {ruling.rule for ruling in self.table.trail or ()}

    def held(self, seat: int) -> str:
        """What a seat holds, in plain string order."""
        return " ".join(sorted(self.table.pack.list(self.table.hand.held[seat])))

    def choice(self, kind: str) -> Any:
        """The first choice of a kind that may come next."""
        return next(choice for choice in self.table.choices() if choice.type == kind)

    def kinds(self) -> list[str]:
        """The kinds of events that may come next."""
        return [choice.type for choice in self.table.choices()]

    # --- what may happen

    def do(self, *events: ev.Event) -> Self:
        for event in events:
            self.stream.append(event)
        return self

    def deal(self, *wanted: str, **more: Any) -> Self:
        """Deal each seat the wanted cards: see `dealt`."""
        return self.do(dealt(self.table, wanted, **more))

    def play(self, cards: str, seat: int | None = None) -> Self:
        for card in cards.split():
            first = seat if self.table.hand.turn is None else self.table.hand.turn
            self.do(ev.Play(seat=first, card=card))
        return self

    def legally(self, cards: int = 999) -> Self:
        """Play this many cards, or the whole hand; each is the first card in plain order that breaks no rule."""
        for _ in range(cards):
            if self.hand.over or self.hand.moment != "play":
                break
            choice = self.choice("play")
            self.play(choice.cards[0], choice.seat)
        return self

    def begin(self) -> Self:
        """Bid, call, pass and discard the first choice each time, until the first card may be played."""
        while self.table.hand.moment in ("bid", "call", "give", "discard") and self.table.game.id != "hecto-diversity":
            choice = next(choice for choice in self.table.choices() if choice.seat is not None)
            # The last word is not always one that throws the hand in.
            *_, event = events_of(choice) if choice.type == "call" else [next(events_of(choice))]
            self.do(event)
        return self

    def bid(self, *amounts: int | str) -> Self:
        """Bids; a text is a call."""
        for amount in amounts:
            seat = self.hand.turn
            self.do(ev.Bid(seat=seat, amount=amount) if isinstance(amount, int) else ev.Call(seat=seat, call=amount))
        return self

    def call(self, *calls: str) -> Self:
        return self.bid(*calls)

    def draw(self, cards: str = "", source: Literal["stock", "discards"] = "stock") -> Self:
        """Draw the given cards, or as many as are due from the possible next ones of the stock."""
        drawn = tuple(cards.split()) or from_stock(self.table)
        return self.do(ev.Draw(seat=self.table.hand.turn, source=source, cards=drawn))

    def discard(self, card: str | None) -> Self:
        return self.do(ev.Discard(seat=self.table.hand.turn, card=card))

    def close(self, card: str) -> Self:
        return self.do(ev.Close(seat=self.table.hand.turn, card=card))

    def ask(self, suit: Literal["C", "D", "H", "S"]) -> Self:
        (choice,) = (choice for choice in self.table.choices() if choice.type == "ask")
        return self.do(ev.Ask(seat=choice.seat, source=choice.sources[0], suit=suit))

    def give(self, cards: str | None, seat: int | None = None, to: int | None = None) -> Self:
        """Pay a debt with a card, or as a seat pass cards on, to the seat that is due unless another is named.

        None: nobody saw which cards.
        """
        choice = next(each for each in self.table.choices() if each.type == "give" and seat in (None, each.seat))
        if seat is None:
            return self.do(ev.Give(seat=choice.seat, to=choice.to, card=cards))
        passed = None if cards is None else tuple(cards.split())
        return self.do(ev.Give(seat=seat, to=choice.to if to is None else to, cards=passed))

    def claim(self, *tricks: int) -> Self:
        return self.do(ev.Claim(tricks=tricks))

    def score(self, *scores: int) -> Self:
        return self.do(ev.Score(scores=scores))

    def scored(self, *scores: int) -> Self:
        """A whole hand off a score sheet, with hidden hands."""
        return self.deal(hidden=True).score(*scores)

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

    def refuses_play(self, card: str, code: str, legal: str | None = None) -> Self:
        return self.refuses(ev.Play(seat=self.hand.turn, card=card), code, legal)

    def refuses_call(self, call: str, code: str) -> Self:
        return self.refuses(ev.Call(seat=self.hand.turn, call=call), code)

    def refuses_bid(self, amount: int, code: str) -> Self:
        return self.refuses(ev.Bid(seat=self.hand.turn, amount=amount), code)


def irregular(at: Callable[[Policy], Sitting], event: Any, rule: str, legal: str) -> Sitting:
    """Break a rule: `strict` refuses and names rule and legal cards, `record` plays on with the card as played.

    `at` sets up the moment under a policy; a text is a card to play. Returns the match that recorded it.
    """
    sitting = at("record")
    if isinstance(event, str):
        event = ev.Play(seat=sitting.hand.turn, card=event)
    at("strict").refuses(event, rule, legal)
    before, exposed = len(sitting.table.violations), sitting.table.hands[-1].exposed.copy()
    sitting.do(event)
    expected = Violation(sitting.stream.seq, event.seat, rule, tuple(legal.split()))
    assert sitting.table.violations[before:] == [expected]
    exposed[event.seat] += 1
    assert sitting.table.hands[-1].exposed == exposed
    if isinstance(event, ev.Play):
        under_way = [sitting.table.pack.faces[card] for card in sitting.table.hand.trick]
        assert event.card in (under_way[-1:] or sitting.last[1].split())
    return sitting


def dealt(
    table: Any,
    wanted: Sequence[str] = (),
    *,
    dealer: int | None = None,
    void: dict[int, str] | None = None,
    hidden: bool = False,
    aside: str = "",
    upcard: str | None = None,
    stock: str | None = None,
) -> ev.Deal:
    """Return a deal: each seat gets the cards wanted and, of the rest, none of the suits it is to be void in.

    `upcard` is the card turned up (the dealer's last, or one that nobody gets), any unless it is given. `aside` names
    the cards left over, or the first of them; `stock` (whose order is given then) says what the stock begins with.
    """
    phase, avoid = table.game.deal, void or {}
    keys, turned_up = phase.keys(table.options), phase.turns_up(table.options)
    faces, each = deck(table)
    hands = [(wanted[seat].split() if seat < len(wanted) else []) for seat in range(table.n)]
    first = dealer
    if first is None:
        first = table.game.deal.next_dealer(table) if table.hands else 0
    left = (stock or aside).split()
    if turned_up == "dealer" and upcard and upcard not in hands[first]:
        hands[first].append(upcard)
    free = Counter(faces)
    free.subtract(
        [*left, *([upcard] if upcard and turned_up == "table" else []), *(card for hand in hands for card in hand)]
    )
    assert min(free.values()) >= 0, "a card is wanted twice, or is not in play"
    spare = list(free.elements())
    # The seats with most suits to avoid choose first.
    for seat in sorted(range(table.n), key=lambda seat: -len(avoid.get(seat, ""))):
        fits = [card for card in spare if not set(card) & set(avoid.get(seat, ""))]
        more = fits[: each - len(hands[seat])]
        assert len(hands[seat]) + len(more) == each, f"no such hand for seat {seat}"
        hands[seat] = more + hands[seat]
        spare = list((Counter(spare) - Counter(more)).elements())
    if turned_up == "table" and upcard is None:
        upcard = spare.pop(0)
    elif turned_up == "dealer" and upcard is None:
        upcard = hands[first][-1]
    over = (*left, *spare)
    named = phase.left_over == "named" and not hidden
    deal = ev.Deal(
        **{phase.first: first},
        hands=None if hidden else tuple(tuple(hand) for hand in hands),
        aside=over if over and "aside" in keys and (aside or named) else None,
        upcard=upcard if "upcard" in keys else msgspec.UNSET,
        stock=over if stock is not None else None,
    )
    return phase.completed(table, deal)  # type: ignore[no-any-return]


def trick_of(game: str, cards: str, **options: object) -> tuple[str, str]:
    """Return the card that takes a first trick of these cards, and under which rule."""
    hands = cards.split()
    n = len(hands)
    sitting = Sitting(game, n, "record", **options)
    if game == "diamonds-bid":
        hands[0] += " 2C"  # its holder leads
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
    while match.table.hand.tricks_left > left:
        leader = match.table.hand.turn
        others = [(leader + 1) % 3, (leader + 2) % 3]
        lead, *rest = next(
            (a, b, c)
            for a in sorted(spare(leader), key=lambda card: card[1])
            for b in spare(others[0])
            for c in spare(others[1])
            if (match.table.hand.tricks_left > left + 1 or highest(a, b, c) == (-leader) % 3)
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


_CONSTANT = {"game", "pack", "cards", "kin", "lead", "follow", "opening", "seq", "phase", "playing", "taking", "blank"}


def state(value: Any) -> Any:
    """Return all state of a table as plain values that can be compared (the number of the last event apart)."""
    if isinstance(value, Match | Hand):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: state(getattr(value, name)) for name in names if name not in _CONSTANT}
    if isinstance(value, World):
        return [value.pool, value.known, value.left, value.only, value.dealt]
    return [state(item) for item in value] if isinstance(value, list) else value


# --- matches played by chance


def from_stock(table: Any, rng: Random | None = None) -> tuple[str, ...]:
    """Return cards that may be drawn from the stock now: the next ones, or any where the order is not known."""
    (choice,) = (choice for choice in table.choices() if choice.sources == ("stock",))
    if len(choice.cards) == choice.count:
        return choice.cards
    return tuple(rng.sample(choice.cards, choice.count) if rng else choice.cards[: choice.count])


def whole_hands(
    game: str, n: int, rng: Random, hands: int, policy: Policy = "record", wild: float = 0.2
) -> list[ev.Event]:
    """Return a random match that stops after this many hands, or earlier if it is over."""
    stream = Stream(opening(game, n, policy, **any_options(game, rng)))
    recorded = [stream.heads[0][1]]
    while stream.table.hand.moment != "over" and not (stream.table.hand.over and len(stream.table.hands) == hands):
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
    while not match.table.hand.over:
        table, record = match.table, match.table.hand
        hand, done = hands[table.hand.turn], len(record.tricks)
        tried = getattr(table.hand, "tried", 0)
        if table.hand.trick:
            fits = [face for face in hand if masks[face] & table.hand.led]
        else:
            fits = [face for face in hand if face[-1] != "D" and not masks[face] & tried]
        card = (fits or hand)[0]
        match.play(card)
        hand.remove(card)
        for seats, cards, taker, _ in record.tricks[done:]:
            leader = seats[0]
            others = [face for face in hands[leader] if not masks[face] & (tried | masks[faces[cards[0]]])]
            for place, played in enumerate(cards if taker is None and others else ()):
                hands[(leader + place) % n].append(faces[played])
    return match


def wrong_cards(table: Any) -> list[str]:
    """Return the cards held by the seat to act: what it may play only irregularly among them."""
    return [] if table.hidden or table.hand.turn is None else table.pack.list(table.hand.held[table.hand.turn])


def step(table: Match[Any], rng: Random, wild: float = 0.0) -> ev.Event:
    """Return an event that may come next: a deal, or what a player does; irregular cards with the chance `wild`."""
    if table.hand.moment == "deal":
        return any_deal(table, rng)
    choices = [choice for choice in table.choices() if choice.seat is not None or choice.type == "play"]
    if not choices:  # nobody can do anything more: a score is all that may come
        points = [rng.randrange(30) for _ in range(table.n)]
        return ev.Score(scores=tuple(points[side] for side in table.side))
    closing = [choice for choice in choices if choice.type == "close"]
    choice = rng.choice(closing if closing and rng.random() < 0.7 else choices)
    if choice.type == "draw" and choice.sources == ("stock",):
        return ev.Draw(seat=choice.seat, source="stock", cards=from_stock(table, rng))
    if choice.seat is None:
        card = rng.choice(choice.cards)
        holders = [seat for seat in range(table.n) if table.may_hold(seat) & table.pack.mask[card]]
        return ev.Play(seat=rng.choice(holders), card=card)
    event = rng.choice(list(events_of(choice)))
    if rng.random() < wild and isinstance(event, ev.Play | ev.Give):
        cards = wrong_cards(table)
        may_not = table.hand.moment == "play" and not choice.cards
        return event if not cards or may_not else msgspec.structs.replace(event, card=rng.choice(cards))
    return event


def any_deal(table: Match[Any], rng: Random) -> ev.Deal:
    """Return a deal at random; the order of the stock is known or not."""
    cards, _ = table.game.deal.cards(table, len(table.hands) + 1)
    order = [*cards_in(cards)]
    rng.shuffle(order)
    first = table.choices()[0].seat
    deal = table.game.deal.of_cards(table, rng.randrange(table.n) if first is None else first, order)
    return deal if rng.random() < 0.5 else msgspec.structs.replace(deal, stock=None)


def any_options(game: str, rng: Random) -> dict[str, object]:
    """Return options at random, small enough for matches to end."""
    known = games()[game]
    n = known.players[0]
    while True:
        chosen = {option.name: rng.choice(some_values(option)) for option in known.options if rng.random() < 0.8}
        try:
            filled = known.fill(chosen, n)
            if known.check_options is not None:
                known.check_options(filled, n)
        except LedgerError:
            continue
        return chosen


def some_values(option: Option) -> list[object]:
    """Return some values of an option."""
    if option.choices:
        return [*option.choices]
    if isinstance(option.default, bool):
        return [True, False]
    return [1, 2, 3, *([None] if option.default is None else [])] if option.name != "target" else [1, 12, 40]


def any_match(
    game: str, n: int, rng: Random, policy: Policy = "strict", wild: float = 0.0, events: int = 150
) -> list[ev.Event]:
    """Return a random match with random options, of at most this many events."""
    stream = Stream(opening(game, n, policy, **any_options(game, rng)))
    recorded: list[ev.Event] = [stream.heads[0][1]]
    while len(recorded) < events and stream.table.hand.moment != "over":
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


def read(*events: object, keep_going: bool = False) -> list[MatchInFile | Problem]:
    """Return what a match file of these lines holds."""
    return list(read_matches(io.BytesIO(b"".join(map(line, events))), "f", keep_going))


def problems(found: Iterable[MatchInFile | Problem]) -> list[tuple[int, str]]:
    """Return line and code of every problem found."""
    return [(one.line, one.error.code) for one in found if isinstance(one, Problem)]


def problem(*events: object) -> tuple[int, str]:
    """Return line and code of the only problem of a file."""
    found = read(*events)
    assert len(found) == 1, found
    (only,) = problems(found)
    return only
