"""The match: the state across hands, changed in place by one event after another. No I/O."""

from __future__ import annotations

from typing import Any, Final, Generic, NoReturn

from cardledger.errors import LedgerError, RuleError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.due import none_of_it, not_a, why_not
from cardledger.rules.engine.faces import lacks, twin
from cardledger.rules.engine.fields import duplicate
from cardledger.rules.engine.match_state import MatchState
from cardledger.rules.engine.phases.phase import Phase
from cardledger.rules.engine.phases.play import TrickPlay
from cardledger.rules.engine.rulebook import Ruling, Violation
from cardledger.rules.engine.sides import sides_among
from cardledger.rules.engine.state import H
from cardledger.rules.engine.unseen import refuse_shape
from cardledger.sentence import Sentence, Who, in_a_row

PLAY: Final = ev.Play
"""The most frequent event, kept here to save a look-up on every event."""
_OVER: Final = {
    "wins": Sentence("the match is over: {winners} wins with {points}"),
    "win": Sentence("the match is over: {winners} win with {points}"),
    "share the win": Sentence("the match is over: {winners} share the win with {points}"),
}
"""The end of a match, by the verb for its winners."""


class Match(MatchState, Generic[H]):
    """State of a match of a game with hands of type `H`.

    An `apply` that raises leaves the match as it was.
    """

    # --- folding

    def apply(self, event: ev.Event, seq: int) -> None:
        """Apply the event recorded as number `seq`.

        Raises RuleError (an impossible event, or an irregular one under `strict`) or FormatError (keys that the game
        does not have), and then leaves the match unchanged.
        """
        self.seq = seq
        playing = self.playing
        if playing is not None and type(event) is PLAY:
            # Most events are plays from known hands: they take a short cut.
            hand, seat = self.hand, event.seat
            if seat != hand.turn:
                playing.out_of_turn(self, hand, seat, event.card)
            try:
                card, bit = self.cards[event.card]
            except KeyError:
                lacks(self, seat, event.card)
            held = hand.held[seat]
            if not held & bit:
                card, bit = twin(self, seat, held, event.card)
            playing.put(self, hand, seat, held, card, bit)
            return
        take = self.taking.get(type(event))
        if take is None:
            self.does_not_fit(event)
        if not self.hidden:
            take(self, self.hand, event)
            return
        self.since.append((event, seq))
        try:
            take(self, self.hand, event)
        except LedgerError:
            self.since.pop()
            raise

    def play(self, seat: int, card: int, seq: int) -> None:
        """Play a card of a known hand for the seat to act, as the event with its face would."""
        hand, bit = self.hand, 1 << card
        playing = self.playing
        if playing is None or seat != hand.turn or not hand.held[seat] & bit:
            self.apply(ev.Play(seat=seat, card=self.pack.faces[card]), seq)
        else:
            self.seq = seq
            playing.put(self, hand, seat, hand.held[seat], card, bit)

    def enter(self, phase: Phase) -> None:
        """Make a phase current; if it is the play, cards from known hands go straight to it."""
        self.phase = phase
        self.taking = phase.handlers()
        self.playing = phase if isinstance(phase, TrickPlay) and not self.hidden else None

    def next_phase(self) -> None:
        """Go on to the next phase with work in this hand; score the hand after the last."""
        if self.game.sides_of_hand is not None:
            self.hand.side = self.game.side_in(self.hand)
        for phase in self.game.after[self.phase]:
            self.enter(phase)
            if phase.begin(self, self.hand):
                return
        self.settle()

    def settle(self) -> None:
        """Compute the points of the hand and end it."""
        scoring, hand = self.game.scoring, self.hand
        earlier = len(self.trail or ())
        scores = scoring.of_hand(self, hand)
        if scoring.note is not None:
            scoring.note(self, hand)
        if self.trail is not None:
            hand.scores = scores
            cited = {ruling.rule for ruling in self.trail[earlier:]}
            words = in_a_row(
                [Sentence("{who} {points}", who=self.who(seat), points=points) for seat, points in enumerate(scores)]
            )
            for rule in scoring.rules_for(self, hand):
                if rule not in cited:
                    self.cite(rule, words)
        self.finish(scores)

    def finish(self, scores: list[int]) -> None:
        """End the hand with its points, and the match too if the game's rule says so."""
        game, hand = self.game, self.hand
        hand.unruled = scores
        self.add_up(hand)
        hand.last = self.seq
        hand.over, hand.turn, hand.moment = True, None, "deal"
        if hand.hidden:
            self.hidden, self.judges, self.worlds, self.base, self.since = False, True, [], None, []
        self.enter(game.phases[0])
        self.end_if_over()

    def end_if_over(self) -> None:
        """End the match if the game's rule says so."""
        scoring = self.game.scoring
        rule = scoring.over(self)
        if rule is not None:
            self.winners = scoring.winners(self)
            self.close("complete")
            if self.trail is not None:
                names = tuple(self.who(seat) for seat in self.winners)
                self.cite(rule, Sentence(_OVER[self.victory], winners=names, points=self.totals[self.winners[0]]))

    def add_up(self, hand: Any) -> None:
        """Add the points of a complete hand to the totals, with the director's rulings on it."""
        game, scores = self.game, hand.unruled
        hand.scores = scores = game.director.ruled(self, hand, scores) if hand.rulings else scores
        self.totals = [total + points for total, points in zip(self.totals, scores, strict=True)]
        if game.scoring.bank is not None:
            game.scoring.bank(self)
        hand.totals = self.totals

    def own(self, number: int) -> Any:
        """Return hand `number` as one that can change: copies of the match share the hands that are over."""
        hand = self.hands[number - 1] = duplicate(self.hands[number - 1])
        if number == len(self.hands):
            self.hand = hand
        return hand

    def recount(self) -> None:
        """Add up all hands again after a ruling, and decide again whether the match is over."""
        game, last = self.game, self.hand
        hands, self.hands, self.totals = self.hands, [], [0] * self.n
        self.account = None if game.scoring.account is None else game.scoring.account(self.n)
        for number, hand in enumerate(hands, 1):
            self.hands.append(hand)
            self.hand = self.own(number)
            if hand.scores is not None:
                self.add_up(self.hand)
        if self.status == "ended" and game.scoring.unfinished is not None:
            game.scoring.unfinished(self)
        if self.status == "complete":  # a ruling may leave the match without its end
            self.status, self.winners, self.hand.moment = "open", [], "deal"
            self.enter(game.phases[0])
        if self.status == "open" and last.over:
            self.end_if_over()

    def close(self, status: str) -> None:
        """Close the match to all but corrections, notes and rulings."""
        self.status = status
        if not self.hands:
            self.hand = duplicate(self.blank)
        self.hand.moment = "over"
        self.hand.turn = None
        self.enter(OVER)

    # --- refusing and citing

    def does_not_fit(self, event: ev.Event) -> NoReturn:
        """Refuse an event that the phase does not take."""
        phase = self.game.phase_for(type(event))
        if phase is None:
            refuse_shape(event, self.game.id)
            self.expect("", *seats_in(event), but=none_of_it(ev.type_of(event), self.game.id))
        else:
            phase.check(self, event)
            self.expect("", *seats_in(event), but=not_a(ev.type_of(event)))
        raise AssertionError(event)

    def expect(self, moment: str, *seats: int, but: str = "") -> None:
        """Refuse an event that does not fit the moment, whose seats are out of range, or whose first seat is not to act.

        `moment` is that of the event, empty for none; `but` says what stands against the event now.
        """
        self.expect_seat(*seats)
        hand = self.hand
        if moment != hand.moment:
            self.refuse("table.phase", why_not(self, but or not_a(moment)))
        if seats and hand.turn is not None and seats[0] != hand.turn:
            self.refuse(
                "table.turn",
                Sentence("it is the turn of {who}, not of {other}", who=self.who(hand.turn), other=self.who(seats[0])),
            )

    def expect_seat(self, *seats: int) -> None:
        """Refuse a seat that the table does not have."""
        for seat in seats:
            if not 0 <= seat < self.n:
                self.refuse(
                    "table.range",
                    Sentence("there is no seat {seat}: seats are 0 to {last}", seat=seat, last=self.n - 1),
                )

    def expect_list(self, name: str, values: tuple[int, ...]) -> None:
        """Refuse a list without one number for each seat."""
        if len(values) != self.n:
            self.refuse(
                "table.range",
                Sentence(
                    "{name} has {given} numbers, not one for each of {n} seats", name=name, given=len(values), n=self.n
                ),
            )

    def refuse(self, rule: str, message: str, seat: int | None = None) -> NoReturn:
        """Raise the error of an impossible event."""
        raise RuleError(self.game.book[rule].id, message, seat)

    def irregular(self, seat: int, rule: str, legal: tuple[str, ...], what: Sentence) -> None:
        """Record that a rule was broken, or refuse it under `strict`; `what` says what was done."""
        words = (
            Sentence("{what}; legal: {legal}", what=what, legal=" ".join(legal))
            if legal
            else Sentence("{what}; legal: nothing", what=what)
        )
        if self.strict:
            raise RuleError(
                rule, Sentence("{what}. {rule}", what=words, rule=Sentence(self.game.book[rule].text)), seat, legal
            )
        trick = self.hand.tricks_done + 1 if self.hand.moment == "play" else 0
        self.violations.append(Violation(self.seq, seat, rule, legal, trick))
        if self.trail is not None:
            self.trail.append(Ruling(self.seq, rule, "broken", words))

    def cite(self, rule: str, text: str, verdict: str = "resolved") -> None:
        """Write a ruling to the audit trail, if there is one."""
        if self.trail is not None:
            self.trail.append(Ruling(self.seq, rule, verdict, text))

    def who(self, seat: int) -> Who:
        """Return a seat's player, to be named: no player sits at two seats, and people count seats from 1."""
        return Who(self.players[seat], seat)

    # --- cards

    def may_hold(self, seat: int) -> int:
        """Return the cards a seat holds, or in a hidden hand those it may hold."""
        if not self.hidden:
            return self.hand.held[seat]
        cards = 0
        for world in self.worlds:
            cards |= world.could_hold(seat)
        return cards

    def show(self, seat: int, face: str) -> int:
        """Let a hidden hand show a card, in every possible world.

        Return its lowest twin, refuse it when no world is left.
        """
        mask = self.pack.mask.get(face, 0)
        worlds = [world.copy() for world in self.worlds]
        worlds = [world for world in worlds if world.show(seat, mask) and world.possible()]
        if not worlds:
            lacks(self, seat, face)
        self.worlds = worlds
        if self.trail is not None:
            self.cite(
                "table.holding",
                Sentence(
                    "{face} can be in the hand of {who}; the rest is judged after the hand",
                    face=face,
                    who=self.who(seat),
                ),
                "allowed",
            )
        return (mask & -mask).bit_length() - 1

    def choices(self) -> tuple[Choice, ...]:
        """Return the legal choices, in the hand or between hands (without corrections, notes and end)."""
        if self.status != "open":
            return ()
        choices = self.phase.choices(self, self.hand)
        return choices if self.hand.over else (*choices, Choice("score"))

    # --- sides

    @property
    def sides(self) -> list[list[int]]:
        """The seats of each side; empty if each player plays alone."""
        return sides_among(self.side)

    @property
    def victory(self) -> str:
        """The verb for the winners: one wins, partners win, others share the win."""
        sides = {self.side[seat] for seat in self.winners}
        return "share the win" if len(sides) > 1 else "wins" if len(self.winners) == 1 else "win"

    def by_side(self, values: list[int]) -> list[int]:
        """Add up by side of the hand, and return for each seat the sum of its side."""
        sums: dict[int, int] = {}
        sides = self.hand.side
        for seat, value in enumerate(values):
            sums[sides[seat]] = sums.get(sides[seat], 0) + value
        return [sums[side] for side in sides]

    # --- copies

    def copy(self) -> Match[H]:
        """Return a copy that can change without changing this match."""
        other = duplicate(self)
        if other.hands:
            other.hands[-1] = other.hand = duplicate(self.hand)
        if other.account is not None:
            other.account = duplicate(self.account)
        if self.trail is not None:
            other.trail = self.trail.copy()
        return other

    def become(self, other: Match[H]) -> None:
        """Take over the state of another fold of this match."""
        for name in STATE:
            setattr(self, name, getattr(other, name))


STATE: Final = tuple(MatchState.__dataclass_fields__)
OVER: Final[Phase] = Phase()
"""After the match, only corrections, notes and rulings are taken."""


def begin(game: Any, event: ev.Open) -> Match[Any]:
    """Open a match under an edition of a game; raises FormatError `format.option`, RuleError `table.range`."""
    n = len(event.players)
    options = game.fill(event.options, n)
    game.expect_size(n)
    if game.check_options is not None:
        game.check_options(options, n)
    pack, first = game.pack(options), game.phases[0]
    blank = game.blank(n, options)
    match: Match[Any] = Match(game, event, options, n, pack, blank, blank, first, first.handlers())
    match.players = event.players
    match.side = game.sides(n)
    match.turned_up = first.turns_up(options)
    match.cards = pack.of
    match.kin = game.orders.kin
    match.strict = event.policy == "strict"
    match.totals = [0] * n
    match.account = None if game.scoring.account is None else game.scoring.account(n)
    return match


def seats_in(event: ev.Event) -> list[int]:
    """Return the seats an event names, the actor first."""
    names = (getattr(event, key, None) for key in ("seat", "source", "to", "dealer", "starter"))
    return [seat for seat in names if type(seat) is int]
