"""Diversity with the Hectoedra cards: collect seven cards that all differ in colour and value, then close."""

from typing import Any

from cardledger.rules import (
    Dealing,
    Fact,
    Game,
    Match,
    MatchScoring,
    Option,
    Rule,
    Rulebook,
    Sentence,
    Shown,
    at_target,
    plain_orders,
)
from cardledger.rules.games.hecto_diversity.closing import LayOff, score, scored_by, would_cost
from cardledger.rules.games.hecto_diversity.diverse import LAYOUTS, PACKS
from cardledger.rules.games.hecto_diversity.turns import ClosingHand, Turns, begin_discards

BOOK = Rulebook(
    "hecto-diversity",
    1,
    "Diversity, a game for the Hectoedra cards (seed 003, in Spanish)",
    (
        Rule("deal.seven", "Everyone is dealt seven cards, one card starts the discards face up, and the rest is the stock; the first player moves one seat to the left each hand."),
        Rule("turn.draw", "A turn starts by drawing one card: the top of the stock or the top of the discards."),
        Rule("turn.discard", "It ends by laying a card face up on the discards; it may be the card just drawn.", ours=True),
        Rule("stock.renewed", "When the stock is empty and someone draws from it, the discards, except the top one, become the stock.", ours=True),
        Rule("close.diverse", "A player whose other seven cards have seven colours and seven values may close, with the eighth card face down."),
        Rule("layoff.order", "After a close, the others in turn may lay off one card or pass, until a card is laid off."),
        Rule("layoff.eligible", "A card may be laid off if it repeats a colour or value of its own hand, but none of the closer's cards."),
        Rule("score.penalty", "Everyone else keeps a diverse part of the hand and is charged the values of the other cards, as few as possible.", ours=True),
        Rule("score.closer", "The closer scores minus the sum of the others' penalties."),
        Rule("score.straight", "A closer whose seven values are consecutive scores another twenty less."),
        Rule("match.laps", "Without a target, the match ends when everyone has been first player as often as agreed."),
        Rule("match.target", "With a target, it ends with the first hand after which someone has reached it."),
        Rule("match.fewest", "Fewest points win, and ties share.", ours=True),
    ),
)  # fmt: skip
SEVEN, LAPS, TARGET, FEWEST = BOOK.cite("deal.seven", "match.laps", "match.target", "match.fewest")


def span(n: int, options: dict[str, Any]) -> tuple[int, int]:
    """A penalty is at most six of the highest cards; the closer wins those of all others, and twenty."""
    worst = 6 * max(PACKS[LAYOUTS.index(options["layout"])].ranks)
    return -20 - (n - 1) * worst, worst


def over(match: Match[Any]) -> str | None:
    """By target if there is one, else when everyone was first player often enough; fewest points win in both cases."""
    if match.options["target"] is not None:
        rule = at_target(TARGET)(match)
    else:
        rule = LAPS if len(match.hands) >= match.n * match.options["laps"] else None
    if rule is None:
        return None
    match.cite(rule, Sentence("this was the last hand"))
    return FEWEST


GAME = Game(
    id="hecto-diversity", title="Diversity (Hectoedra)", book=BOOK,
    summary="Draw and discard until your seven cards all differ in colour and value, then close.",
    players=range(2, 9), hand=ClosingHand, pack=lambda options: PACKS[LAYOUTS.index(options["layout"])],
    orders=plain_orders(PACKS[0], None), judges_cut=False,
    options=(
        Option("laps", 1, "how often everyone is first player, when there is no target"),
        Option("target", None, "points that end the match"),
        Option("layout", "8x10", "colours by values in the order of the hectoindex", LAYOUTS, of_hand=True),
    ),
    phases=(
        Dealing(
            lambda match, number: (match.pack.full, 7), SEVEN, left_over="stock", turned_up="table", first="starter",
            setup=begin_discards, order_rule=SEVEN,
        ),
        Turns(),
        LayOff(),
    ),
    scoring=MatchScoring(fewest=True, score=score, rules=scored_by, over=over, span=span),
    shown=Shown(course=("penalty if it ended here", would_cost), facts=(
        Fact("closer", "Closed", "hand", "seat", lambda match, hand: None if hand.closer < 0 else hand.closer),
        Fact("penalties", "Penalty", "seat", "int"),
        Fact(
            "discards", "Discards", "hand", "pile", lambda match, hand: [match.pack.faces[card] for card in hand.discards],
            result=False, table=True,
        ),
        Fact("stock_left", "Stock", "hand", "stock", result=False, table=True),
    )),
)  # fmt: skip
EDITIONS = (GAME,)
