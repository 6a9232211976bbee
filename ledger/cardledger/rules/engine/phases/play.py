"""The play: tricks until the hands are empty, or until the table agrees on the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from mypy_extensions import mypyc_attr

from cardledger.rules.engine import events as ev
from cardledger.rules.engine.building_blocks import follow_suit
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.due import none_of_it
from cardledger.rules.engine.faces import lacks
from cardledger.rules.engine.hidden import World
from cardledger.rules.engine.judging import judge_played_out
from cardledger.rules.engine.phases.between import Between
from cardledger.rules.engine.phases.claims import Claims, expect_claim
from cardledger.rules.engine.phases.duties import Bound, Duty, cite, corrected
from cardledger.rules.engine.phases.phase import Phase, Take
from cardledger.rules.engine.state import Hand
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

_PLAYS: Final = Sentence("{who} plays {card}")
_LEADS: Final = Sentence("{who} leads {card}")
_NO_CARD: Final = Sentence("{who} may not play at all: {rule}")
_NO_LEAD: Final = Sentence("{who} may not lead at all: {rule}")


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(frozen=True, kw_only=True, eq=False)
class TrickPlay(Phase):
    """Tricks until the hands are empty."""

    taker: Callable[[Any, list[int]], tuple[int, str]]
    """`taker(hand, trick)` returns the place in the trick that takes it (-1: a tie) and the rule; in the rule
    subset."""
    lead_rule: str
    """The rule of the first lead."""
    next_rule: str
    """The rule that says who leads next."""
    first_lead: Callable[[Match[Any], Any], int | None] | None = None
    """The seat that leads to the first trick; None if that depends on hidden hands."""
    first_card: Callable[[Any], int] | None = None
    """In place of `first_lead`: the card that must lead, as a set; its holder leads. In the rule subset."""
    next_lead: Callable[[int, int], int] | None = None
    """`next_lead(taker, n)` is the seat that leads next; by default the taker. In the rule subset."""
    lead: tuple[Duty, ...] = ()
    """What binds a seat that leads, in the order of the rulebook; by default any card may be led."""
    follow: tuple[Duty, ...] = ()
    """What binds a seat that follows; by default any card may be played."""
    free_rule: str | None = None
    """The rule that any card may be played, which a card without duties cites; by default the rule of the lead."""
    turn_rule: str | None = None
    """The breakable rule of a lead out of turn that stands (the first one breaks `lead_rule`); by default it is
    impossible."""
    after_trick: Callable[[Any, int], None] | None = None
    """`after_trick(hand, taker)` brings the game's own fields up to date; in the rule subset. It may set `hand.bound =
    False` once no duty binds a lead any more: a shortcut with the same result."""
    opened: Callable[[Any], None] | None = None
    """`opened(hand)` brings the game's own fields up to date after the first lead; in the rule subset."""
    cite_opened: Callable[[Match[Any], Any], None] | None = None
    """`cite_opened(match, hand)` cites what `opened` did."""
    claims: Claims | None = field(default_factory=Claims)
    """How the table may agree on the remaining tricks; None if it may not."""
    between: Between | None = None
    """A step between tricks, such as draws; by default the next trick follows at once."""
    leading: Bound = field(init=False, repr=False)
    """What binds a lead to the first trick; it follows from `lead`, as the next three do from `lead` and `follow`."""
    leading_later: Bound = field(init=False, repr=False)
    following: Bound = field(init=False, repr=False)
    following_later: Bound = field(init=False, repr=False)
    changes: bool = field(init=False, repr=False)
    """Some duty binds in the first trick alone, or in later ones alone."""
    whole: bool = field(init=False, repr=False)
    """One trick follows another at once: to fold a trick whole pays."""

    def __post_init__(self) -> None:
        for duty in self.duties:
            if not isinstance(duty, Duty):
                raise TypeError(f"{duty!r} is no duty: write Duty(rule, cards)")
        follows: dict[str, object] = {
            "leading": Bound.of(self.lead, False),
            "leading_later": Bound.of(self.lead, True),
            "following": Bound.of(self.follow, False),
            "following_later": Bound.of(self.follow, True),
            "changes": any(duty.tricks != "all" for duty in self.duties),
            "whole": self.between is None or not self.between.parts_tricks,
        }
        for name, value in follows.items():
            object.__setattr__(self, name, value)

    @property
    def duties(self) -> tuple[Duty, ...]:
        """All duties, of leads and of those who follow."""
        return (*self.lead, *self.follow)

    def corrected(self, duties: Mapping[str, Duty]) -> TrickPlay:
        """Return the play with other duties for some rules, by their ids."""
        return replace(self, lead=corrected(self.lead, duties), follow=corrected(self.follow, duties))

    @property
    def world(self) -> type[World]:
        """What the step between tricks needs to remember of a hidden hand."""
        return World if self.between is None else self.between.world

    @property
    def name(self) -> str:
        """The word for it."""
        return "play"

    @property
    def unseen(self) -> frozenset[type[ev.Event]]:
        """The draws between tricks."""
        return frozenset() if self.between is None else self.between.unseen

    def takes(self) -> dict[type[ev.Event], Take]:
        """Plays of hidden hands (`Match.apply` itself takes the others), claims, and the events between tricks."""
        between = {} if self.between is None else self.between.takes()
        return {ev.Play: self.play_hidden, ev.Claim: self.claim, **between}

    def cites(self) -> tuple[str, ...]:
        """The rules of leads and duties."""
        duties = (duty.rule for duty in self.duties)
        turn = () if self.turn_rule is None else (self.turn_rule,)
        return (self.lead_rule, self.next_rule, *turn, *duties, *(() if self.between is None else self.between.cites()))

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """Duties, and the functions for the taker, the leader and the end of a trick."""
        duties = (duty.cards for duty in self.duties)
        others = (self.taker, self.next_lead, self.after_trick, self.opened, self.first_card)
        between = () if self.between is None else self.between.rules()
        return (*duties, *(rule for rule in others if rule is not None), *between)

    def begin(self, match: Match[Any], hand: Hand) -> bool:
        """The first trick begins; no card can be played if the turned-up card was not noted."""
        hand.moment, hand.turn = "play", self.leader(match, hand)
        if hand.unnoted:
            hand.moment, match.playing = "claim", None
        match.lead, match.follow = self.leading.keeps, self.following.keeps
        if match.trail is not None:
            leads = (
                Sentence("the player who leads is taken to hold the card")
                if hand.turn is None
                else Sentence("{who} leads to the first trick", who=match.who(hand.turn))
            )
            match.cite(self.lead_rule, leads)
        return True

    def leader(self, match: Match[Any], hand: Hand) -> int | None:
        """Return the seat that leads to the first trick.

        None if hidden hands decide it: then the actual leader is accepted.
        """
        if self.first_lead is not None:
            return self.first_lead(match, hand)
        if match.hidden or match.hindsight or self.first_card is None:
            return None
        card = self.first_card(hand)
        return next(seat for seat, held in enumerate(hand.held) if held & card)

    # --- a card

    def put(self, match: Match[Any], hand: Hand, seat: int, held: int, card: int, bit: int) -> None:
        """Judge a card among those held, and play it to the trick."""
        trick = hand.trick
        duty = match.follow if trick else match.lead if hand.bound else None
        if duty is not None:
            legal = (held & hand.led or held) if duty is follow_suit else duty(hand, held)
            if not legal & bit or match.trail is not None or not match.strict:
                self.weigh(match, hand, seat, held, legal, card)
        elif match.trail is not None:
            self.cite_duties(match, hand, seat, held, match.pack.faces[card])
        hand.held[seat] = held ^ bit
        # From here on the same as `lay`, inlined for speed.
        if trick:
            hand.laid |= bit
        else:
            hand.leader = seat
            hand.laid = bit
            hand.led = match.kin[hand.order][card]
            hand.seats = hand.rotation[seat]
            if self.opened is not None and not hand.tricks:
                self.opened(hand)
                if match.trail is not None and self.cite_opened is not None:
                    self.cite_opened(match, hand)
        trick.append(card)
        seats, size = hand.seats, len(trick)
        if size == len(seats):
            self.complete(match, hand, seats)
        else:
            hand.turn = seats[size]

    def play_hidden(self, match: Match[Any], hand: Hand, event: ev.Play) -> None:
        """Play a card of a hidden hand; it is judged later, or now if a hand cut short is being judged."""
        seat = event.seat
        if seat != hand.turn or hand.moment != "play":
            self.out_of_turn(match, hand, seat, event.card)
        card = match.show(seat, event.card)
        if match.judges and (hand.trick or hand.tricks or self.first_card is None or self.proven(match, hand)):
            held = hand.held[seat]
            self.weigh(match, hand, seat, held, self.legal_cards(match, hand, held), card)
        self.lay(match, hand, seat, card)

    def out_of_turn(self, match: Match[Any], hand: Hand, seat: int, face: str) -> None:
        """Refuse a card from a seat whose turn it is not; record a lead out of turn if the game lets it stand."""
        due = hand.turn
        if self.turn_rule is None or hand.moment != "play" or hand.trick or due is None or not 0 <= seat < match.n:
            match.expect("play", seat)
            return
        if not match.may_hold(seat) & match.pack.mask.get(face, 0):
            lacks(match, seat, face)
        legal = self.legal_cards(match, hand, hand.held[due]) if match.judges else 0
        rule = self.turn_rule if hand.tricks else self.lead_rule
        out_of_turn = Sentence(
            "{who} leads {face} in the turn of {due}", who=match.who(seat), face=face, due=match.who(due)
        )
        match.irregular(seat, rule, match.pack.show(legal), out_of_turn)
        hand.exposed[seat] += 1
        hand.turn = seat

    def proven(self, match: Match[Any], hand: Hand) -> bool:
        """Tell whether the card that must lead was played before a hand was cut short.

        If not, no lead can break the rule.
        """
        return self.first_card is not None and self.first_card(hand) & match.played_before_cut != 0

    def lay(self, match: Match[Any], hand: Hand, seat: int, card: int) -> None:
        """Add a card to the trick; the last one completes it."""
        trick = hand.trick
        if not trick:
            hand.leader, hand.laid, hand.led = seat, 0, match.kin[hand.order][card]
            hand.seats = hand.rotation[seat]
            if self.opened is not None and not hand.tricks:
                self.opened(hand)
                if match.trail is not None and self.cite_opened is not None:
                    self.cite_opened(match, hand)
        hand.laid |= 1 << card
        trick.append(card)
        seats, size = hand.seats, len(trick)
        if size == len(seats):
            self.complete(match, hand, seats)
        else:
            hand.turn = seats[size]

    # --- duties

    def binding(self, hand: Hand) -> Bound:
        """Return what binds the seat to act."""
        if hand.trick:
            return self.following_later if hand.tricks_done else self.following
        return self.leading_later if hand.tricks_done else self.leading

    def legal_cards(self, match: Match[Any], hand: Hand, held: int) -> int:
        """Return the cards out of `held` that keep every duty of the moment."""
        duty = match.follow if hand.trick else match.lead
        return held if duty is None else duty(hand, held)

    def weigh(self, match: Match[Any], hand: Hand, seat: int, held: int, legal: int, card: int) -> None:
        """Judge a card among those held, some of which duties may forbid."""
        if not legal >> card & 1:
            self.breaks(match, hand, seat, held, legal, card)
        elif match.trail is not None:
            self.cite_duties(match, hand, seat, held, match.pack.faces[card])
        if legal != held and not match.strict:
            hand.exposed[seat] += 1

    def breaks(self, match: Match[Any], hand: Hand, seat: int, held: int, legal: int, card: int) -> None:
        """Record a card that breaks a duty; raises RuleError under `strict`, or when no card would keep it."""
        rule = next(duty.rule for duty in self.binding(hand).duties if not duty.cards(hand, held) >> card & 1)
        who, text = match.who(seat), Sentence(match.game.book[rule].text)
        if not legal and not match.hindsight:
            refused = _NO_CARD if hand.trick else _NO_LEAD
            match.refuse(rule, Sentence(refused, who=who, rule=text), seat)
        done = _PLAYS if hand.trick else _LEADS
        match.irregular(seat, rule, match.pack.show(legal), Sentence(done, who=who, card=match.pack.faces[card]))

    def cite_duties(self, match: Match[Any], hand: Hand, seat: int, held: int, face: str) -> None:
        """Write the duties that applied to a card to the trail."""
        duties = self.follow if hand.trick else self.lead
        cite(match, hand, seat, held, face, self.binding(hand), duties)
        if not duties:
            rule = self.free_rule or (self.next_rule if hand.tricks else self.lead_rule)
            match.cite(rule, Sentence("{face}: any card will do", face=face), "allowed")

    def denied(self, match: Match[Any], hand: Hand, event: ev.Event) -> int:
        """All cards of the suit led, if this play shows that the seat had none."""
        if not isinstance(event, ev.Play):
            return 0 if self.between is None else self.between.denied(match, hand, event)
        if not hand.trick or match.follow is None:
            return 0
        card = match.pack.mask[event.card]
        if card & hand.led:
            return 0
        card &= -card
        return 0 if match.follow(hand, hand.led & ~hand.laid | card) & card else hand.led

    def kinds(self, match: Match[Any], hand: Hand) -> tuple[str, ...]:
        """The kinds that depend on the hand between tricks."""
        return () if self.between is None else self.between.kinds(match, hand)

    # --- a trick

    def complete(self, match: Match[Any], hand: Hand, seats: tuple[int, ...]) -> None:
        """Decide a full trick."""
        # Functions are fetched before they are called: CPython is slow to call one straight from a field.
        trick, between, decide = hand.trick, self.between, self.taker
        after_trick, next_lead = self.after_trick, self.next_lead
        place, rule = decide(hand, trick)
        if self.changes:
            match.lead, match.follow = self.leading_later.keeps, self.following_later.keeps
        if place < 0:
            assert between is not None
            between.tie(match, hand)
            return
        taker = seats[place]
        hand.tricks.append((seats, tuple(trick), taker, rule))
        hand.taken[taker] += 1
        hand.tricks_done += 1
        hand.tricks_left -= 1
        trail = match.trail
        if trail is not None:
            match.cite(
                rule,
                Sentence(
                    "{card} takes the trick for {taker}", card=match.pack.faces[trick[place]], taker=match.who(taker)
                ),
            )
        if after_trick is not None:
            after_trick(hand, taker)
        hand.trick = []
        hand.turn = taker if next_lead is None else next_lead(taker, hand.n)
        if between is not None and not between.go_on(match, hand, taker):
            return
        if not hand.tricks_left:
            self.complete_hand(match, hand)
        elif trail is not None:
            self.cite_lead(match, hand)

    def cite_lead(self, match: Match[Any], hand: Hand) -> None:
        """Write the next leader to the trail."""
        assert hand.turn is not None
        match.cite(self.next_rule, Sentence("{who} leads", who=match.who(hand.turn)))

    def complete_hand(self, match: Match[Any], hand: Hand) -> None:
        """Go on after the last trick; a hidden hand is judged first, with the cards its plays revealed."""
        if match.hidden:
            playing = hand.rotation[0]
            judge_played_out(match, next(w for w in match.worlds if not any(w.left[seat] for seat in playing)))
        else:
            match.next_phase()

    # --- claims

    def check(self, match: Match[Any], event: ev.Event) -> None:
        """Refuse a claim without a number of tricks for each seat, or with one below 0."""
        if isinstance(event, ev.Claim):
            expect_claim(match, event)

    def claim(self, match: Match[Any], hand: Hand, event: ev.Claim) -> None:
        """The table agrees on the remaining tricks (`claim.agreed`); the hand ends."""
        self.check(match, event)
        claims = self.claims
        if claims is None:
            match.expect("", but=none_of_it("claim", match.game.id))
            return
        claims.agree(match, hand, event)

    # --- for readers

    def choices(self, match: Match[Any], hand: Hand) -> tuple[Choice, ...]:
        """The cards of the seat to act, with the seat that plays them, and a claim if allowed."""
        claim = () if self.claims is None else (Choice("claim", total=hand.tricks_left),)
        if hand.moment == "claim":
            return claim
        seat, actor, legal = hand.turn, None, 0
        if seat is None:
            for some in range(match.n):
                legal |= match.may_hold(some)
        else:
            legal = match.may_hold(seat) if match.hidden else self.legal_cards(match, hand, hand.held[seat])
            actor = None if hand.acts_for[seat] == seat else hand.acts_for[seat]
        plays = (Choice("play", seat, match.pack.show(legal), actor=actor), *claim) if hand.moment == "play" else ()
        return plays if self.between is None else self.between.choices(match, hand, plays)
