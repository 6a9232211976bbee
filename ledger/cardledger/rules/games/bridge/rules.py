"""Contract bridge: an auction decides the contract, the declarer plays it with the cards of dummy face up."""

from typing import Any, Final

from cardledger.rules import (
    Calls,
    CallsInNumbers,
    Carried,
    Claims,
    Director,
    Duty,
    Fact,
    Game,
    Match,
    MatchScoring,
    Option,
    Rule,
    Rulebook,
    Sentence,
    Shown,
    Study,
    TrickPlay,
    follow_suit,
    highest_of,
    partners,
    plain_orders,
    standard_pack,
)
from cardledger.rules.games.bridge.auction import (
    SEATS,
    SOUTH,
    WORDS,
    BridgeHand,
    calls,
    contract,
    declarer,
    dummy,
    first_call,
    forbidden_by,
    forbids,
    made,
    next_caller,
)
from cardledger.rules.games.bridge.boards import BoardDeal
from cardledger.rules.games.bridge.revokes import consequences
from cardledger.rules.games.bridge.rubber import (
    CHICAGO,
    RUBBER,
    Account,
    bank,
    carried,
    deal_order,
    next_dealer,
    over,
    resume,
    unfinished,
)
from cardledger.rules.games.bridge.rulings import adjust, last_ruling, moved, ruled
from cardledger.rules.games.bridge.scoring import (
    VULNERABLE,
    VULNERABLE_WORDS,
    duplicate_score,
    most_points,
    rubber_score,
)

BOOK = Rulebook("bridge", 1, "Contract bridge, after the Laws of Duplicate Bridge 2017", (
    Rule("deal.thirteen", "All 52 cards are dealt, thirteen to each seat (Law 6)."),
    Rule("board.number", "The number of a board gives its dealer and who is vulnerable (Law 2). If the deal itself says something else, that counts: clubs have boards of their own.", ours=True),
    Rule("call.order", "The dealer calls first, then everybody in turn, clockwise (Law 17)."),
    Rule("call.sufficient", "A bid names one to seven odd tricks and a strain; clubs, diamonds, hearts, spades and no trump rank in this order, and each bid is higher than the last (Laws 18 and 27).", breakable=True),
    Rule("call.double", "Double only the last bid, only if the opponents made it, and only if nobody has doubled it yet (Laws 19A and 36).", breakable=True),
    Rule("call.redouble", "Redouble only an opponent's double of the last bid, made by your own side (Laws 19B and 36).", breakable=True),
    Rule("auction.passed-out", "If all four players pass at the start, no cards are played, and nobody scores (Law 22A)."),
    Rule("auction.ends", "After a bid, three passes end the auction; the last bid, doubled or redoubled or not, is the contract (Law 22B)."),
    Rule("declarer.first", "Of the side that made the last bid, the player who first bid its strain is declarer (Law 22)."),
    Rule("lead.left-of-declarer", "The player to declarer's left leads to the first trick (Laws 41A and 54).", breakable=True),
    Rule("dummy.open", "After the opening lead, dummy's cards lie face up; declarer plays both hands (Laws 41D and 45B)."),
    Rule("play.turn", "Cards are played in turn, clockwise; a lead out of turn that stands is irregular (Laws 44 and 53 to 57).", breakable=True),
    Rule("follow.suit", "Follow the suit led if you can; otherwise play any card. Failing to do so is a revoke (Laws 44C and 61).", breakable=True),
    Rule("trick.trump", "The highest trump takes the trick (Law 44E)."),
    Rule("trick.led-suit", "In a trick without trumps, the highest card of the suit led takes it (Law 44F)."),
    Rule("lead.taker", "The hand that took a trick leads to the next (Law 44G)."),
    Rule("revoke.trick", "After an established revoke, the director may move tricks to the other side (Law 64)."),
    Rule("adjusted.artificial", "The director may give percentages for a board without a result (Law 12C2)."),
    Rule("adjusted.assigned", "After an irregularity, the director may replace a result by others, with weights (Law 12C1)."),
    Rule("adjusted.penalty", "The director may give a side a procedural penalty (Laws 90 and 91)."),
    Rule("score.contract", "The declarer's side scores by contract, vulnerability and tricks: tricks bid and made, bonuses and overtricks, or undertricks for the other side (Law 77)."),
    Rule("score.match", "The match keeps the points of its hands; points for the comparison with other tables belong to the evening (Law 78)."),
    Rule("match.boards", "In duplicate, the match ends after the agreed number of boards; the higher total wins, and a tie is shared.", ours=True),
    Rule("match.chicago", "In chicago, four hands are dealt in rotation: nobody is vulnerable in the first, the dealer's side in the second and third, all in the fourth; a hand passed out is dealt again by the same dealer.", ours=True),
    Rule("match.rubber", "In a rubber, 100 points for tricks bid and made win a game; a side with a game is vulnerable, and two games win the match, with 700 or 500 points more.", ours=True),
))  # fmt: skip
TRUMP, LED_SUIT, *_ = BOOK.cite("trick.trump", "trick.led-suit", "match.boards", "match.chicago", "match.rubber")
PACK: Final = standard_pack()
TRUMPS: Final = (*PACK.suit_masks, 0)
"""The cards that are trump, by strain."""


def first_lead(match: Match[BridgeHand], hand: BridgeHand) -> int:
    """Left of the declarer."""
    return (hand.declarer + 1) % 4


def open_dummy(hand: BridgeHand) -> None:
    """After the opening lead everybody sees the cards of dummy."""
    hand.open_hands = 1 << (hand.declarer + 2) % 4


def cite_dummy(match: Match[BridgeHand], hand: BridgeHand) -> None:
    """Say whose cards lie open."""
    match.cite(
        "dummy.open",
        Sentence(
            "the cards of {dummy} lie open; {declarer} plays them",
            dummy=match.who(hand.dummy),
            declarer=match.who(hand.declarer),
        ),
    )


def taker(hand: BridgeHand, trick: list[int]) -> tuple[int, str]:
    """The highest trump, or the highest card of the suit led."""
    trumps = hand.laid & TRUMPS[hand.order]
    if trumps:
        return highest_of(trumps, trick), TRUMP
    return highest_of(hand.laid & hand.led, trick), LED_SUIT


def points(hand: BridgeHand, seat: int) -> int:
    """The points of the declarer's side, as a loss for the other."""
    if hand.declarer < 0:
        return 0
    side = hand.declarer % 2
    tricks = hand.taken[side] + hand.taken[side + 2]
    vulnerable = hand.vulnerable >> side & 1
    if hand.scoring == 2:
        score = rubber_score(hand.level, hand.strain, hand.doubles, vulnerable, tricks)
    else:
        score = duplicate_score(hand.level, hand.strain, hand.doubles, vulnerable, tricks)
    return score if seat % 2 == side else -score


def span(n: int, options: dict[str, Any]) -> tuple[int, int]:
    """Seven redoubled down by all tricks, for both sides."""
    most = most_points(options["scoring"] == RUBBER)
    return -most, most


def scored_by(match: Match[BridgeHand], hand: BridgeHand) -> tuple[str, ...]:
    """The contract is scored; a passed-out board scores nothing.

    A board that was not played has what the director gave.
    """
    if hand.passed_out:
        return ("auction.passed-out",)
    if hand.declarer >= 0 and (hand.claimed is not None or not hand.tricks_left):
        return ("score.contract", "score.match")
    return tuple(f"adjusted.{ruling.kind}" for ruling in hand.rulings if ruling.kind in ("assigned", "artificial"))[-1:]


def tricks_made(match: Match[BridgeHand], hand: BridgeHand) -> int | None:
    """The tricks of the declarer's side after those moved; None if the hand was passed out or not played to its end."""
    side = hand.declarer % 2
    if hand.declarer < 0 or hand.tricks_left and hand.claimed is None:
        return None
    return hand.taken[side] + hand.taken[side + 2] + moved(hand, side)


GAME = Game(
    id="bridge", title="Contract bridge", summary="Bid a contract with your partner, and make it with dummy's cards face up.",
    book=BOOK, players=range(4, 5), sides=partners, hand=BridgeHand,
    pack=lambda options: PACK, orders=plain_orders(PACK, 0, 1, 2, 3, None),
    options=(
        Option("scoring", "duplicate", "what a match is: boards, four hands, or a rubber", ("duplicate", CHICAGO, RUBBER), of_hand=True),
        Option("boards", 1, "boards to play in duplicate"),
    ),
    phases=(
        BoardDeal(
            lambda match, number: (PACK.full, 13), "deal.thirteen", next_dealer=next_dealer, order_rule=deal_order,
            also=("board", "vulnerable", "contract", "declarer"),
        ),
        Calls(
            forbids, made, "call.order", first_call, explained=True,
            in_numbers=CallsInNumbers(forbidden_by, next_caller),
        ),
        TrickPlay(
            first_lead=first_lead, lead_rule="lead.left-of-declarer", next_rule="lead.taker", turn_rule="play.turn",
            taker=taker, follow=(Duty("follow.suit", follow_suit),), opened=open_dummy, cite_opened=cite_dummy,
            claims=Claims(by_side=True),
        ),
    ),
    scoring=MatchScoring(
        fewest=False, opposed=True, points=points, rules=scored_by, over=over, bank=bank, account=Account,
        unfinished=unfinished, span=span,
    ),
    director=Director(adjust=adjust, ruled=ruled, consequences=consequences),
    study=Study(carried=Carried(carried, resume)),
    shown=Shown(words=WORDS, seats=SEATS, bottom=SOUTH, facts=(
        Fact("board", "Board", "hand", "int", lambda match, hand: hand.board or None),
        Fact("vulnerable", "Vulnerable", "hand", "text", lambda match, hand: VULNERABLE[hand.vulnerable], words=VULNERABLE_WORDS),
        Fact("calls", "Calls", "hand", "calls", calls),
        Fact("contract", "Contract", "hand", "call", contract),
        Fact("declarer", "Declarer", "hand", "seat", declarer),
        Fact("dummy", "Dummy", "hand", "seat", dummy, result=False, table=True),
        Fact("made", "Tricks made", "hand", "int", tricks_made),
        Fact("adjusted", "Ruling", "hand", "ruling", last_ruling),
        Fact("games", "Games won", "match seat", "int", when=lambda options: options["scoring"] == RUBBER),
    )),
)  # fmt: skip
EDITIONS = (GAME,)
