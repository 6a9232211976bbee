"""The table: the whole state of a match, changed in place by one event after another. No I/O."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, Literal, NoReturn, Self

import msgspec
from mypy_extensions import mypyc_attr

from ledger import events as ev
from ledger.cards import Pack
from ledger.choice import Choice
from ledger.errors import FormatError, LedgerError, RuleError
from ledger.game import Game
from ledger.hand import Hand
from ledger.rulebook import Ruling, Violation

MOST_POINTS = 10**12
"""Points a score sheet may give for a hand: totals of any match fit a database's integers."""
Actions = dict[type[ev.Event], Callable[..., None]]
"""What a table does about each kind of event: functions of the table and the event."""
Source = Literal["stock", "discards"]
"""From where cards are drawn."""
_DEAL_KEYS = ("dealer", "starter", "aside", "upcard", "stock")


@mypyc_attr(allow_interpreted_subclasses=True)
class Table:
    """State of a match of any game; games add theirs in a subclass.

    `phase` is a word for what may come (`deal`, `bid`, `play`, …, `over`), `turn` the seat to act (None: any).
    `hands` are the records of all hands begun. With `trail` set to a list, every ruling is written to it.
    An `apply` that raises leaves the table as it was.
    """

    __slots__ = (
        "before", "game", "hand", "hands", "hidden", "hindsight", "n", "opening", "options", "pack", "phase", "players",
        "seq", "since", "status", "strict", "totals", "trail", "turn", "violations", "winners",
    )  # fmt: skip

    def __init__(self, game: Game, event: ev.Open) -> None:
        n = len(event.players)
        self.options = game.fill(event.options, n)
        if n not in game.players:
            raise RuleError("table.range", f"{game.id} is for {game.players_text} players, not {n}")
        self.game = game
        self.n = n
        self.players = event.players
        self.opening = event
        self.strict = event.policy == "strict"
        self.phase = "deal"
        self.turn: int | None = None
        self.hands: list[Hand] = []
        self.hand: Hand | None = None
        self.totals = [0] * n
        self.status = "open"
        self.winners: list[int] = []
        self.violations: list[Violation] = []
        self.trail: list[Ruling] | None = None
        self.seq = 1
        # Hidden hands: the table before the deal and the events since, to judge the hand once it is over.
        self.hidden = False
        self.before: Table | None = None
        self.since: list[tuple[ev.Event, int]] = []
        self.hindsight = False

    # --- folding

    def apply(self, event: ev.Event, seq: int) -> None:
        """Take in the event recorded as number `seq`.

        Raises RuleError (an impossible event, or an irregular one under `strict`) or FormatError (keys that the
        game does not have), and leaves the table unchanged then.
        """
        self.seq = seq
        try:
            action = self.actions[type(event)]
        except KeyError:
            self.expect(f"no {ev.type_of(event)} in {self.game.id}", *seats_in(event))
            return
        if not self.hidden:
            action(self, event)
        else:
            since = self.since
            since.append((event, seq))
            try:
                action(self, event)
            except LedgerError:
                since.pop()
                raise

    def draw(self, seat: int, source: Source, faces: tuple[str, ...], seq: int) -> None:
        """Take in a draw that is event number `seq`, hands being known, as the event that says so would be."""
        self.apply(ev.Draw(seat=seat, source=source, cards=faces), seq)

    def discard(self, seat: int, face: str, seq: int) -> None:
        """Take in a discard that is event number `seq`, hands being known, as the event that says so would be."""
        self.apply(ev.Discard(seat=seat, card=face), seq)

    def expect(self, phase: str, *seats: int) -> None:
        """Refuse an event that does not fit `phase`, whose seats are out of range, or whose first seat is not to act."""
        for seat in seats:
            if not 0 <= seat < self.n:
                self.refuse("table.range", f"there is no seat {seat}: seats are 0 to {self.n - 1}")
        if phase != self.phase:
            self.refuse("table.phase", self._why_not(phase))
        if seats and self.turn is not None and seats[0] != self.turn:
            self.refuse("table.turn", f"it is the turn of {self.who(self.turn)}, not of {self.who(seats[0])}")

    def _why_not(self, wanted: str) -> str:
        if self.status != "open":
            return "the match is over: only note, retract and amend may follow"
        moment = {
            "deal": "a deal comes next",
            "score": "the hand waits for its score",
        }.get(self.phase, f"the moment is for: {self.phase}")
        return f"{moment} ({wanted} does not fit)" if wanted.startswith("no ") else moment

    def refuse(self, rule: str, message: str, seat: int | None = None) -> NoReturn:
        """Raise the error of an impossible event."""
        raise RuleError(self.game.book[rule].id, message, seat)

    def irregular(self, seat: int, rule: str, legal: tuple[str, ...], what: str) -> None:
        """Record that a rule was broken, or refuse it under `strict`."""
        words = f"{self.who(seat)} {what}; legal: {' '.join(legal) or 'nothing'}"
        if self.strict:
            raise RuleError(rule, f"{words}. {self.game.book[rule].text}", seat, legal)
        self.violations.append(Violation(self.seq, seat, rule, legal))
        if self.trail is not None:
            self.trail.append(Ruling(self.seq, rule, "broken", words))

    def expose(self, seat: int) -> None:
        """Count a decision at which a breakable rule forbade some card held."""
        assert self.hand is not None
        self.hand.exposed[seat] += 1

    def cite(self, rule: str, text: str, verdict: str = "resolved") -> None:
        """Write a ruling to the audit trail, if one is kept."""
        if self.trail is not None:
            self.trail.append(Ruling(self.seq, rule, verdict, text))

    def who(self, seat: int) -> str:
        """Return a seat's player with the seat's number."""
        return f"{self.players[seat]} (seat {seat})"

    def copy(self) -> Self:
        """Return a table that can go on without changing this one."""
        other = type(self).__new__(type(self))
        other.become(self)
        if self.hand is not None:
            other.hand = other.hands[-1] = self.hand.copy()
        return other

    def become(self, other: Self) -> None:
        """Take over the state of another table of the match; what changes in place is copied.

        A game whose table has state of its own adds it. Without that, it is taken over name by name.
        """
        self.game = other.game
        self.n = other.n
        self.options = other.options
        self.pack = other.pack
        self.players = other.players
        self.opening = other.opening
        self.strict = other.strict
        self.phase = other.phase
        self.turn = other.turn
        self.hands = other.hands.copy()
        self.hand = other.hand
        self.totals = other.totals
        self.status = other.status
        self.winners = other.winners
        self.violations = other.violations.copy()
        self.trail = None if other.trail is None else other.trail.copy()
        self.seq = other.seq
        self.hidden = other.hidden
        self.before = other.before
        self.since = other.since.copy()
        self.hindsight = other.hindsight
        more = _more_slots(type(self))  # type: ignore[arg-type] # classes do hash
        for name in (*more, *getattr(other, "__dict__", ())):
            value = getattr(other, name)
            setattr(self, name, value.copy() if type(value) is list else value)

    # --- hands

    def _deal(self, event: ev.Deal) -> None:
        game = self.game
        for key in _DEAL_KEYS:
            given = getattr(event, key) is not None
            if given and key not in game.deal_keys:
                raise FormatError("format.key", f"a deal of {game.id} has no key {key!r}")
            if not given and key in game.deal_keys and key in ("dealer", "starter", "upcard"):
                raise FormatError("format.key", f"a deal of {game.id} needs the key {key!r}")
        dealer = event.dealer if event.starter is None else event.starter
        assert dealer is not None
        if not 0 <= dealer < self.n:
            self.expect("deal", dealer)
        if self.phase != "deal":
            self.expect("deal")
        hand = Hand(len(self.hands) + 1, dealer, self.n, self.seq)
        hand.hidden = event.hands is None or self.hindsight
        before = self.copy() if event.hands is None else None
        if self.hands and dealer != (due := (self.hands[-1].dealer + 1) % self.n):
            self.copy().deal_cards(event, hand)  # a wrong deal is named before a wrong dealer
            self.refuse(game.deal_order, f"this hand is up to {self.who(due)}, not to {self.who(dealer)}", dealer)
        self.deal_cards(event, hand)
        self.hands.append(hand)
        self.hand = hand
        self.hidden = event.hands is None
        if before is not None:
            self.before = before
            self.since = [(event, self.seq)]
        if len(self.hands) > 1 and self.trail is not None:
            self.cite(game.deal_order, f"after the hand before, this one falls to {self.who(dealer)}", "allowed")
        self.begin()

    def deal_cards(self, event: ev.Deal, hand: Hand) -> None:
        """Check the cards of a deal and put them in place, changing nothing if it raises."""
        raise NotImplementedError

    def parse_hands(self, hands: tuple[tuple[str, ...], ...] | None, each: int, free: int) -> list[int]:
        """Return the hands of a deal as sets of cards, none for a hidden one; raises RuleError `table.deck`."""
        if hands is None:
            return []
        if len(hands) != self.n:
            self.refuse("table.deck", f"{len(hands)} hands are dealt to {self.n} players")
        held = []
        for seat, faces in enumerate(hands):
            if len(faces) != each:
                self.refuse("table.deck", f"{self.who(seat)} is dealt {len(faces)} cards, not {each}")
            cards = parse_cards(self.pack, faces, free)
            free ^= cards
            held.append(cards)
        return held

    def begin(self) -> None:
        """Set phase and turn for the first action after a deal."""
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        """Return what lies on the table and what may come next, ready for JSON."""
        return {
            "seq": self.seq,
            "status": self.status,
            "phase": self.phase,
            "turn": self.turn,
            "hand": self.hand.number if self.hand else None,
            "dealer": self.hand.dealer if self.hand else None,
            "totals": self.totals,
            **self.sight(),
            **(self.hand.extra if self.hand else {}),
            "choices": msgspec.to_builtins(self.choices()),
        }

    def sight(self) -> dict[str, Any]:
        """Return what of the hand under way is special to the kind of game."""
        raise NotImplementedError

    def choices(self) -> tuple[Choice, ...]:
        """Return what may legally come next, in the hand or between hands (corrections, notes and end apart)."""
        if self.phase == "over":
            return ()
        if self.phase == "deal":
            last = self.hands[-1].dealer if self.hands else None
            return (Choice("deal", None if last is None else (last + 1) % self.n),)
        return (*self.actions_now(), Choice("score"))

    def actions_now(self) -> tuple[Choice, ...]:
        """Return what the seat to act may do in the hand under way."""
        raise NotImplementedError

    def finish(self, scores: list[int]) -> None:
        """End the hand under way with its points; ends the match too when the game's rule says so."""
        hand = self.hand
        assert hand is not None
        hand.scores = scores
        self.bank(scores)
        hand.totals = self.totals
        hand.last = self.seq
        self.hand = None
        self.hidden = False
        self.before = None
        self.since = []
        self.turn = None
        self.phase = "deal"
        rule = self.game.over(self)
        if rule is not None:
            best = min(self.totals) if self.game.fewest else max(self.totals)
            self.winners = [seat for seat, total in enumerate(self.totals) if total == best]
            self.status = "complete"
            self.phase = "over"
            if self.trail is not None:
                names = " and ".join(self.who(seat) for seat in self.winners)
                self.cite(
                    rule,
                    f"the match is over: {names} {'wins' if len(self.winners) == 1 else 'share the win'} with {best}",
                )

    def bank(self, scores: list[int]) -> None:
        """Add the points of a hand to the totals."""
        self.totals = [total + points for total, points in zip(self.totals, scores, strict=True)]

    def judge(self, deal: ev.Deal) -> None:
        """Play the hidden hand again with the deal now known, and take over what comes of it.

        What a rule forbade is recorded even under `strict`: it can no longer be refused.
        """
        assert self.before is not None
        judged = self.before.copy()
        judged.hindsight = True
        judged.strict = False
        judged.apply(deal, self.since[0][1])
        for event, seq in self.since[1:]:
            judged.apply(event, seq)
        judged.hindsight = False
        judged.strict = self.strict
        self.become(judged)

    def _score(self, event: ev.Score) -> None:
        self.expect_list("scores", event.scores)
        if max(map(abs, event.scores)) > MOST_POINTS:
            self.refuse("table.range", f"the points of a hand are at most {MOST_POINTS:,}")
        if self.hand is None or self.phase == "over":
            self.expect("no score now")
        assert self.hand is not None
        self.hand.agreed = True
        self.cite("score.agreed", "the points are taken from the score sheet")
        self.finish(list(event.scores))

    def expect_list(self, name: str, values: tuple[int, ...]) -> None:
        """Refuse a list that has not one number for each seat."""
        if len(values) != self.n:
            self.refuse("table.range", f"{name} has {len(values)} numbers, not one for each of {self.n} seats")

    def _end(self, event: ev.End) -> None:
        if self.phase == "over":
            self.expect("end")
        self.status = "ended"
        self.phase = "over"
        self.turn = None

    pack: Pack
    actions: ClassVar[Actions] = {}


Table.actions = {ev.Deal: Table._deal, ev.Score: Table._score, ev.End: Table._end}


@cache
def _more_slots(cls: type[Table]) -> tuple[str, ...]:
    """Return the slots of classes of tables that do not say how to take over their state."""
    return tuple(name for base in cls.__mro__ if "become" not in vars(base) for name in vars(base).get("__slots__", ()))


def seats_in(event: ev.Event) -> list[int]:
    """Return the seats an event names, the actor first."""
    names = (getattr(event, key, None) for key in ("seat", "source", "to", "dealer", "starter"))
    return [seat for seat in names if type(seat) is int]


def parse_cards(pack: Pack, faces: tuple[str, ...], free: int) -> int:
    """Return the set of cards with these faces out of `free`; raises RuleError `table.deck` for any that is not there."""
    taken = 0
    masks = pack.mask
    try:
        for face in faces:
            taken |= masks[face]
        if taken.bit_count() == len(faces) and taken & free == taken:
            return taken
    except KeyError:
        pass
    # Twins, or something is wrong: card by card.
    taken = 0
    for face in faces:
        bit = pack.mask.get(face, 0) & free
        if not bit:
            why = "is no card of this game" if face not in pack.mask else "cannot be there"
            raise RuleError("table.deck", f"{face!r} {why}")
        bit &= -bit
        free ^= bit
        taken |= bit
    return taken
