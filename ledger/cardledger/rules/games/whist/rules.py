"""Whist: two sides take tricks; the suit of the last card dealt is trump."""

from typing import Any, Final

from cardledger.errors import FormatError
from cardledger.rules import (
    Dealing,
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
    TurnedUp,
    follow_suit,
    highest_of,
    left_of_dealer,
    partners,
    place_in_cycle,
    plain_orders,
    standard_pack,
    suit_letter,
)
from cardledger.rules.games.whist.scoring import (
    NO_TRUMP,
    TRUMPS,
    Rubber,
    WhistHand,
    bank,
    honours,
    over,
    points,
    score,
    scored_by,
    span,
    winners,
)

BOOK = Rulebook(
    "whist",
    1,
    "Whist, the common game; honours and rubber after the laws of short whist of 1864",
    (
        Rule("deal.all", "All 52 cards are dealt, thirteen to each of the four players."),
        Rule("trump.turned", "The dealer's last card is turned up, and its suit is trump; the card belongs to the dealer's hand."),
        Rule("trump.cycle", "With trumps in a cycle, no card is turned up: hearts, clubs, diamonds and spades are trump in turn, followed by a hand without trump if so agreed."),
        Rule("lead.left-of-dealer", "The first trick is led from the dealer's left, with any card."),
        Rule("follow.suit", "Follow the suit led if you can; otherwise play any card.", breakable=True),
        Rule("trick.trump", "The highest trump takes the trick."),
        Rule("trick.led-suit", "In a trick without trumps, the highest card of the suit led takes it."),
        Rule("lead.taker", "The taker of a trick leads to the next."),
        Rule("score.odd", "A side scores one point for each trick it takes beyond six."),
        Rule("score.all", "If all tricks count, as at whist drives, a side scores one point for each trick."),
        Rule("score.honours", "With honours, a side dealt the ace, king, queen and jack of trump scores 4 more; with three of them, 2."),
        Rule("score.honours-late", "A side one point short of the target scores no honours, and nobody does once a side has reached the target by tricks."),
        Rule("deal.left", "The next hand is dealt by the player to the left."),
        Rule("match.target", "The match ends with the first hand after which a side has reached the target."),
        Rule("match.rubber", "In a rubber, reaching the target wins a game, and the next game starts from nothing; two games win the match.", ours=True),
        Rule("match.hands", "If a number of hands is agreed, the match ends after them; most points win, and ties share.", ours=True),
    ),
)  # fmt: skip
TRUMP, LED_SUIT, *_ = BOOK.cite(
    "trick.trump", "trick.led-suit", "score.odd", "score.all", "score.honours", "score.honours-late",
    "match.target", "match.rubber", "match.hands",
)  # fmt: skip
PACK: Final = standard_pack()
CYCLE: Final = {"cycle": (2, 0, 1, 3), "cycle-nt": (2, 0, 1, 3, NO_TRUMP)}
"""The trumps in turn, as card orders: hearts, clubs, diamonds, spades, none."""


def turned_up(options: dict[str, Any]) -> TurnedUp:
    """The dealer's last card, unless trumps go in a cycle."""
    return "dealer" if options["trumps"] == "turned" else ""


def name_trump(match: Match[WhistHand], hand: WhistHand) -> None:
    """The card turned up decides trump, or the number of the hand does."""
    cycle = CYCLE.get(match.options["trumps"])
    hand.order = max(0, hand.upcard) // 13 if cycle is None else cycle[(hand.number - 1) % len(cycle)]
    if cycle is not None:
        suit = suit_letter(match, hand)
        said = Sentence("hand {number}: {suit} trump") if suit else Sentence("hand {number}: no trump")
        match.cite("trump.cycle", Sentence(said, number=hand.number, suit=suit))
    elif hand.upcard >= 0:
        match.cite("trump.turned", Sentence("{card} is turned up: its suit is trump", card=PACK.faces[hand.upcard]))
    hand.game = 1 + sum(match.account.games[:2])


def taker(hand: WhistHand, trick: list[int]) -> tuple[int, str]:
    """The highest trump, or the highest card of the suit led."""
    trumps = hand.laid & TRUMPS[hand.order]
    if trumps:
        return highest_of(trumps, trick), TRUMP
    return highest_of(hand.laid & hand.led, trick), LED_SUIT


def check_options(options: dict[str, Any], n: int) -> None:
    """A rubber has no number of hands; all tricks count only with a number of hands."""
    if options["rubber"] and options["hands"] is not None:
        raise FormatError("format.option", "a rubber is played to its target: leave out hands")
    if options["scoring"] == "all" and options["hands"] is None:
        raise FormatError("format.option", "all tricks count only in a match with a number of hands: give hands too")


GAME = Game(
    id="whist", title="Whist", summary="Take tricks with your partner; the last card dealt names trump.", book=BOOK,
    players=range(4, 5), sides=partners, hand=WhistHand, pack=lambda options: PACK,
    orders=plain_orders(PACK, 0, 1, 2, 3, None),
    options=(
        Option("target", 5, "points that end the match, or a game of a rubber"),
        Option("hands", None, "hands to play, in place of a target"),
        Option("trumps", "turned", "how trump is decided", ("turned", "cycle", "cycle-nt"), of_hand=True),
        Option("honours", False, "high trumps dealt to a side count", of_hand=True),
        Option("rubber", False, "play for the best of three games"),
        Option("scoring", "odd", "tricks that count: those beyond six, or all", ("odd", "all")),
    ),
    check_options=check_options,
    phases=(
        Dealing(lambda match, number: (PACK.full, 13), "deal.all", turned_up=turned_up, setup=name_trump),
        TrickPlay(
            first_lead=left_of_dealer, lead_rule="lead.left-of-dealer", next_rule="lead.taker", taker=taker,
            follow=(Duty("follow.suit", follow_suit),),
        ),
    ),
    scoring=MatchScoring(
        fewest=False, points=points, score=score, needs_match=lambda options: options["honours"], rules=scored_by,
        over=over, bank=bank, account=Rubber, winners=winners, span=span,
    ),
    shown=Shown(facts=(
        Fact("trump", "Trump", "hand", "suit", suit_letter),
        Fact("honours", "Honours", "seat", "int", honours, when=lambda options: options["honours"]),
        Fact("game", "Game", "hand", "int", table=False, when=lambda options: options["rubber"]),
        Fact("games", "Games won", "match seat", "int", when=lambda options: options["rubber"]),
    )),
    study=Study(carried=place_in_cycle(lambda match: len(CYCLE.get(match.options["trumps"], ())))),
)  # fmt: skip
EDITIONS = (GAME,)
