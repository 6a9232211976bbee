"""The play: tricks until the hands are empty, or until the table agrees on the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mypy_extensions import mypyc_attr

from cardledger.count_of import count_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.building_blocks import follow_suit
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.faces import lacks
from cardledger.rules.engine.judging import judge_cut, judge_played_out
from cardledger.rules.engine.phases.between import Between
from cardledger.rules.engine.phases.duties import Duties, Duty, joint
from cardledger.rules.engine.phases.phase import H, Phase

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match


@mypyc_attr(allow_interpreted_subclasses=True)
class TrickPlay(Phase[H]):
    """Tricks until the hands are empty.

    `first_lead(match, hand)` is the seat that leads to the first trick, under `lead_rule`; None if that depends on
    hidden hands. If a certain card must lead, `first_card(hand)` names it instead, as a set, and its holder leads.
    `lead` and `follow` are the duties of a seat that leads or follows; `later_lead` and `later_follow` those that
    still bind after the first trick, if some no longer do (a shortcut with the same result). `taker(hand, trick)`
    returns the place in the trick that takes it and the rule (-1: a tie), `next_lead(taker, n)` the seat that leads
    next, the taker unless it is given, under `next_rule`. `after_trick(hand, taker)` brings the game's own fields up
    to date, `opened(hand)` does so after the first lead, and `cite_opened(match, hand)` says it. `free_rule` is the rule that any card may be
    played. `claims` means that the table may agree on the remaining tricks; `claim_refused(hand, tricks)` says why a
    claim is refused, and `claimed(hand, tricks)` counts further results of a claim. `between` is a step between
    tricks, such as draws. `turn_rule` is the breakable rule of a lead out of turn that stands (the first one is under
    `lead_rule`); without it such a lead is impossible. `claims_by_side` means that only the tricks of a side count in a
    claim: they are counted at its first seat.
    """

    def __init__(
        self, *, taker: Callable[[H, list[int]], tuple[int, str]], lead_rule: str, next_rule: str,
        first_lead: Callable[[Match[H], H], int | None] | None = None, first_card: Callable[[H], int] | None = None,
        lead: tuple[tuple[str, Callable[[H, int], int]], ...] = (),
        follow: tuple[tuple[str, Callable[[H, int], int]], ...] = (),
        later_lead: tuple[tuple[str, Callable[[H, int], int]], ...] | None = None,
        later_follow: tuple[tuple[str, Callable[[H, int], int]], ...] | None = None,
        free_rule: str | None = None, next_lead: Callable[[int, int], int] | None = None,
        after_trick: Callable[[H, int], None] | None = None, opened: Callable[[H], None] | None = None,
        cite_opened: Callable[[Match[H], H], None] | None = None,
        claims: bool = True, claim_refused: Callable[[H, tuple[int, ...]], str | None] | None = None,
        claimed: Callable[[H, tuple[int, ...]], None] | None = None, between: Between[H] | None = None,
        turn_rule: str | None = None, claims_by_side: bool = False,
    ) -> None:  # fmt: skip
        super().__init__("play")
        self.taker, self.lead_rule, self.next_rule = taker, lead_rule, next_rule
        self.first_lead, self.first_card = first_lead, first_card
        self.turn_rule, self.claims_by_side = turn_rule, claims_by_side
        self.free_rule, self.next_lead, self.after_trick, self.opened = free_rule, next_lead, after_trick, opened
        self.cite_opened = cite_opened
        self.claims, self.claim_refused, self.claimed = claims, claim_refused, claimed
        self.lead_duties: Duties = lead
        self.follow_duties: Duties = follow
        self.later_lead_duties: Duties = lead if later_lead is None else later_lead
        self.later_follow_duties: Duties = follow if later_follow is None else later_follow
        self.fewer_later = later_lead is not None or later_follow is not None
        self.lead: Duty | None = joint(lead)
        self.later_lead: Duty | None = joint(self.later_lead_duties)
        self.follow: Duty | None = joint(follow)
        self.later_follow: Duty | None = joint(self.later_follow_duties)
        # `Match.apply` itself takes plays from known hands, and calls `put`.
        self.takes = {ev.Play: self.play_hidden, ev.Claim: self.claim}
        self.between = between
        # To fold a trick whole pays where the next one follows at once.
        self.whole = between is None or not between.parts_tricks
        if between is not None:
            between.play = self
            self.takes |= between.takes
            self.unseen = between.unseen

    def cites(self) -> tuple[str, ...]:
        """The rules of leads and duties."""
        duties = (rule for rule, _ in (*self.lead_duties, *self.follow_duties))
        turn = () if self.turn_rule is None else (self.turn_rule,)
        return (self.lead_rule, self.next_rule, *turn, *duties, *(() if self.between is None else self.between.cites()))

    def rules(self) -> tuple[Callable[..., Any], ...]:
        """Duties, and the functions for the taker, the leader and the end of a trick."""
        later = (*self.later_lead_duties, *self.later_follow_duties)
        duties = (duty for _, duty in (*self.lead_duties, *self.follow_duties, *later))
        others = (self.taker, self.next_lead, self.after_trick, self.opened, self.first_card)
        between = () if self.between is None else self.between.rules()
        return (*duties, *(rule for rule in others if rule is not None), *between)

    def begin(self, match: Match[H], hand: H) -> bool:
        """The first trick begins; no card can be played if the turned-up card was not noted."""
        hand.moment, hand.turn = "play", self.leader(match, hand)
        if hand.unnoted:
            hand.moment, match.playing = "claim", None
        match.lead, match.follow = self.lead, self.follow
        if match.trail is not None:
            leads = (
                "the player who leads is taken to hold the card"
                if hand.turn is None
                else f"{match.who(hand.turn)} leads to the first trick"
            )
            match.cite(self.lead_rule, leads)
        return True

    def leader(self, match: Match[H], hand: H) -> int | None:
        """Return the seat that leads to the first trick; None if hidden hands decide it: then the actual leader is accepted."""
        if self.first_lead is not None:
            return self.first_lead(match, hand)
        if match.hidden or match.hindsight or self.first_card is None:
            return None
        card = self.first_card(hand)
        return next(seat for seat, held in enumerate(hand.held) if held & card)

    # --- a card

    def put(self, match: Match[H], hand: H, seat: int, held: int, card: int, bit: int) -> None:
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

    def play_hidden(self, match: Match[H], hand: H, event: ev.Play) -> None:
        """Play a card of a hidden hand; it is judged later, or now if a hand cut short is being judged."""
        seat = event.seat
        if seat != hand.turn or hand.moment != "play":
            self.out_of_turn(match, hand, seat, event.card)
        card = match.show(seat, event.card)
        if match.judges and (hand.trick or hand.tricks or self.first_card is None or self.proven(match, hand)):
            held = hand.held[seat]
            self.weigh(match, hand, seat, held, self.legal_cards(match, hand, held), card)
        self.lay(match, hand, seat, card)

    def out_of_turn(self, match: Match[H], hand: H, seat: int, face: str) -> None:
        """Refuse a card from a seat whose turn it is not; record a lead out of turn if the game lets it stand."""
        due = hand.turn
        if self.turn_rule is None or hand.moment != "play" or hand.trick or due is None or not 0 <= seat < match.n:
            match.expect("play", seat)
            return
        if not match.may_hold(seat) & match.pack.mask.get(face, 0):
            lacks(match, seat, face)
        legal = self.legal_cards(match, hand, hand.held[due]) if match.judges else 0
        rule = self.turn_rule if hand.tricks else self.lead_rule
        match.irregular(seat, rule, match.pack.show(legal), f"leads {face} in the turn of {match.who(due)}")
        hand.exposed[seat] += 1
        hand.turn = seat

    def proven(self, match: Match[H], hand: H) -> bool:
        """Tell whether the card that must lead was played before a hand was cut short; if not, no lead can break the rule."""
        return self.first_card is not None and self.first_card(hand) & match.played_before_cut != 0

    def lay(self, match: Match[H], hand: H, seat: int, card: int) -> None:
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

    def legal_cards(self, match: Match[H], hand: H, held: int) -> int:
        """Return the cards out of `held` that keep every duty of the moment."""
        duty = match.follow if hand.trick else match.lead
        return held if duty is None else duty(hand, held)

    def weigh(self, match: Match[H], hand: H, seat: int, held: int, legal: int, card: int) -> None:
        """Judge a card among those held, some of which duties may forbid."""
        if not legal >> card & 1:
            self.breaks(match, hand, seat, held, legal, card)
        elif match.trail is not None:
            self.cite_duties(match, hand, seat, held, match.pack.faces[card])
        if legal != held and not match.strict:
            hand.exposed[seat] += 1

    def breaks(self, match: Match[H], hand: H, seat: int, held: int, legal: int, card: int) -> None:
        """Record a card that breaks a duty; raises RuleError under `strict`, or when no card would keep it."""
        duties = self.follow_duties if hand.trick else self.lead_duties
        rule = next(rule for rule, duty in duties if not duty(hand, held) >> card & 1)
        verb = "plays" if hand.trick else "leads"
        if not legal and not match.hindsight:
            match.refuse(rule, f"{match.who(seat)} may not {verb[:-1]} at all: {match.game.book[rule].text}", seat)
        match.irregular(seat, rule, match.pack.show(legal), f"{verb} {match.pack.faces[card]}")

    def cite_duties(self, match: Match[H], hand: H, seat: int, held: int, face: str) -> None:
        """Write the duties that applied to a card to the trail."""
        duties = self.follow_duties if hand.trick else self.lead_duties
        player = match.players[seat]
        for rule, duty in duties:
            allowed = duty(hand, held)
            if allowed == held:
                match.cite(rule, f"{face}: it forbids {player} nothing here", "allowed")
            else:
                shown = " ".join(match.pack.show(allowed))
                match.cite(rule, f"{face} is one of the cards it allows {player}: {shown}", "allowed")
        if not duties:
            rule = self.free_rule or (self.next_rule if hand.tricks else self.lead_rule)
            match.cite(rule, f"{face}: any card will do", "allowed")

    def denied(self, match: Match[H], hand: H, event: ev.Event) -> int:
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

    def kinds(self, match: Match[H], hand: H) -> tuple[str, ...]:
        """The kinds that depend on the hand between tricks."""
        return () if self.between is None else self.between.kinds(match, hand)

    # --- a trick

    def complete(self, match: Match[H], hand: H, seats: tuple[int, ...]) -> None:
        """Decide a full trick."""
        # Functions are fetched before they are called: CPython is slow to call one straight from a field.
        trick, between, decide = hand.trick, self.between, self.taker
        after_trick, next_lead = self.after_trick, self.next_lead
        place, rule = decide(hand, trick)
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
            match.cite(rule, f"{match.pack.faces[trick[place]]} takes the trick for {match.who(taker)}")
        if after_trick is not None:
            after_trick(hand, taker)
        hand.trick = []
        hand.turn = taker if next_lead is None else next_lead(taker, hand.n)
        if self.fewer_later:
            match.lead, match.follow = self.later_lead, self.later_follow
        if between is not None and not between.go_on(match, hand, taker):
            return
        if not hand.tricks_left:
            self.complete_hand(match, hand)
        elif trail is not None:
            self.cite_lead(match, hand)

    def cite_lead(self, match: Match[H], hand: H) -> None:
        """Write the next leader to the trail."""
        assert hand.turn is not None
        match.cite(self.next_rule, f"{match.who(hand.turn)} leads")

    def complete_hand(self, match: Match[H], hand: H) -> None:
        """Go on after the last trick; a hidden hand is judged first, with the cards its plays revealed."""
        if match.hidden:
            playing = hand.rotation[0]
            judge_played_out(match, next(w for w in match.worlds if not any(w.left[seat] for seat in playing)))
        else:
            match.next_phase()

    # --- claims

    def check(self, match: Match[H], event: ev.Event) -> None:
        """Refuse a claim without a number of tricks for each seat, or with one below 0."""
        if isinstance(event, ev.Claim):
            if event.seat is not None and not 0 <= event.seat < match.n:
                match.expect("claim", event.seat)
            match.expect_list("tricks", event.tricks)
            if min(event.tricks) < 0:
                match.refuse("table.range", "a number of tricks is below 0")

    def claim(self, match: Match[H], hand: H, event: ev.Claim) -> None:
        """The table agrees on the remaining tricks (`claim.agreed`); the hand ends."""
        self.check(match, event)
        if not self.claims:
            match.expect("", but=f"there is no claim in {match.game.id}")
        if hand.moment not in ("play", "claim"):
            match.expect("", but="a claim needs a hand in play")
        tricks, left = event.tricks, hand.tricks_left
        if sum(tricks) != left:
            match.refuse("table.range", f"the tricks claimed are not {left}, as many as are not complete")
        playing = hand.rotation[0]
        for seat, number in enumerate(tricks):
            if number and seat not in playing:
                match.refuse("table.range", f"{match.who(seat)} sits out and takes no trick")
        why = self.claim_refused(hand, tricks) if self.claim_refused is not None else None
        if why is not None:
            match.refuse("table.range", why)
        judge_cut(match)
        hand = match.hand  # type: ignore[assignment] # the same hand, judged
        if self.claimed is not None:
            self.claimed(hand, tricks)
        hand.claimed, hand.claimant = list(tricks), event.seat
        if self.claims_by_side:
            sums = match.by_side([*tricks])
            tricks = tuple(sums[seat] if hand.side.index(side) == seat else 0 for seat, side in enumerate(hand.side))
        hand.taken = [taken + more for taken, more in zip(hand.taken, tricks, strict=True)]
        match.cite("claim.agreed", f"the last {count_of(left, 'trick')} fall as agreed")
        match.hidden = False
        match.next_phase()

    # --- for readers

    def choices(self, match: Match[H], hand: H) -> tuple[Choice, ...]:
        """The cards of the seat to act, with the seat that plays them, and a claim if allowed."""
        claim = (Choice("claim", total=hand.tricks_left),) if self.claims else ()
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
