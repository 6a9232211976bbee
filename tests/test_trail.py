"""The trail of an audit, word by word: which rule each event was examined under, and what the rule made of it."""

from __future__ import annotations

from cardledger.record.matches.describe import position
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import RANKS, SUIT_WORDS
from tests.tables import Sitting

Told = list[tuple[int, str, str, str]]


def trail(match: Sitting, since: int = 1) -> Told:
    """Return number of the event, rule, verdict and words of the rulings since an event."""
    found = [(ruling.seq, ruling.rule, ruling.verdict, ruling.text) for ruling in match.table.trail]
    return [ruling for ruling in found if ruling[0] >= since]


def test_a_trick_without_duties_a_claim_and_the_end_are_described() -> None:
    match = Sitting("diversity", 4, hands=1).deal("2C", "3C", "4C", "5C", dealer=3).play("2C 3C 4C 5C 2D")
    assert trail(match) == [
        (1, "table.range", "allowed", "4 players and these options fit the game"),
        (2, "deal.all", "allowed", "4 hands of 13 cards"),
        (2, "lead.left-of-dealer", "resolved", "ana leads to the first trick"),
        (3, "play.any", "allowed", "2C: any card will do"),
        (4, "play.any", "allowed", "3C: any card will do"),
        (5, "play.any", "allowed", "4C: any card will do"),
        (6, "play.any", "allowed", "5C: any card will do"),
        (6, "trick.repeated-suit", "resolved", "5C takes the trick for dev"),
        (6, "lead.left-of-taker", "resolved", "ana leads"),
        (7, "play.any", "allowed", "2D: any card will do"),
    ]
    assert trail(match.claim(3, 3, 3, 3), 8) == [
        (8, "claim.agreed", "resolved", "the last 12 tricks fall as agreed"),
        (8, "score.trick", "resolved", "ana 3, ben 3, chloe 3, dev 4"),
        (8, "match.tie", "resolved", "the fewest points are shared: one more hand"),
    ]
    assert trail(match.deal().score(1, 2, 3, 4), 9)[2:] == [
        (9, "lead.left-of-dealer", "resolved", "ben leads to the first trick"),
        (10, "score.agreed", "resolved", "the points are taken from the score sheet"),
        (10, "match.minimum", "resolved", "the match is over: ana wins with 4"),
    ]


def test_a_shared_win_names_all_who_share_it() -> None:
    match = Sitting("diamonds-bid", 4, target=10).scored(12, 3, 12, 0)
    assert trail(match, 3) == [
        (3, "score.agreed", "resolved", "the points are taken from the score sheet"),
        (3, "match.target", "resolved", "the match is over: ana and chloe share the win with 12"),
    ]


def test_bids_and_duties_are_described_with_the_cards_each_duty_allows() -> None:
    match = Sitting("diamonds-bid", 4, chips=True).deal("2C 2D 3H", "3C 4H", "4C 5H", "5C 6H", dealer=3).bid(1, 2, 3, 4)
    assert trail(match, 6) == [
        (6, "bid.order", "allowed", "it is the turn of dev to bid"),
        (6, "bid.range", "allowed", "4 is between 0 and 13"),
        (6, "lead.lowest-club", "resolved", "ana leads to the first trick"),
    ]
    clubs_and_hearts = " ".join(card for card in match.held(0).split() if card[1] != "D")
    assert trail(match.play("2C 3C 4C 5C"), 7) == [
        (7, "lead.lowest-club", "allowed", "2C is one of the cards it allows ana: 2C"),
        (7, "lead.unbroken", "allowed", f"2C is one of the cards it allows ana: {clubs_and_hearts}"),
        (8, "follow.suit", "allowed", "3C is one of the cards it allows ben: 3C"),
        (9, "follow.suit", "allowed", "4C is one of the cards it allows chloe: 4C"),
        (10, "follow.suit", "allowed", "5C is one of the cards it allows dev: 5C"),
        (10, "trick.led-suit", "resolved", "5C takes the trick for dev"),
        (10, "lead.taker", "resolved", "dev leads"),
    ]
    assert trail(match.claim(0, 0, 0, 12), 11) == [
        (11, "claim.agreed", "resolved", "the last 12 tricks fall as agreed"),
        (11, "score.bid", "resolved", "ana -10, ben -20, chloe -30, dev 49"),
        (11, "score.floor", "resolved", "a total below 0 is 0"),
    ]


def test_the_floor_of_chips_is_cited_only_if_it_changes_a_total() -> None:
    match = Sitting("diamonds-bid", 4, chips=True).deal(dealer=3).bid(0, 0, 0, 4).claim(3, 3, 3, 4)
    assert [ruling[1:] for ruling in trail(match, 7)] == [
        ("claim.agreed", "resolved", "the last 13 tricks fall as agreed"),
        ("score.bid", "resolved", "ana 3, ben 3, chloe 3, dev 40"),
    ]


def test_a_duty_that_allows_all_cards_is_described_as_forbidding_nothing() -> None:
    match = Sitting("poison-hearts", 3).deal("R1 Y2", "R2 Y3", "R3 Y4").play("R1 R2 R3")
    assert trail(match) == [
        (1, "table.range", "allowed", "3 players and these options fit the game"),
        (2, "deal.all", "allowed", "3 hands of 20 cards"),
        (2, "lead.one", "resolved", "ana leads to the first trick"),
        (3, "lead.one", "allowed", "R1 is one of the cards it allows ana: R1 Y1"),
        (3, "pass.no-one", "allowed", "R1: it does not restrict ana here"),
        (3, "lead.different", "allowed", "R1: it does not restrict ana here"),
        (4, "follow.suit", "allowed", "R2 is one of the cards it allows ben: R2"),
        (5, "follow.suit", "allowed", "R3 is one of the cards it allows chloe: R3"),
        (5, "trick.highest", "resolved", "R3 takes the trick for chloe"),
        (5, "lead.taker", "resolved", "chloe leads"),
    ]


def test_debts_are_described_step_by_step() -> None:
    match = Sitting("ruff", 4).deal(dealer=0).claim(2, 4, 3, 3).deal()
    assert trail(match, 3) == [
        (3, "claim.agreed", "resolved", "the last 12 tricks fall as agreed"),
        (3, "quota", "resolved", "3 tricks were due"),
        (3, "score.trick", "resolved", "ana 2, ben 4, chloe 3, dev 3"),
        (4, "deck.short", "allowed", "4 hands of 12 cards"),
        (4, "deal.left", "allowed", "after the last hand, ben begins this one"),
        (4, "debt.owed", "resolved", "ana owes 1 and ben is owed 1"),
    ]
    match.ask("S").give("3C").give("3C")
    assert trail(match, 5) == [
        (5, "debt.ask", "allowed", "ben asks ana for spades"),
        (6, "debt.highest", "allowed", "ana gives ben 3C: with no spades, any card; no cards are still owed"),
        (7, "debt.return", "allowed", "ben gives 3C back to ana; no cards are still to go back"),
        (7, "lead.left-of-dealer", "resolved", "chloe leads to the first trick"),
    ]


def test_debts_say_who_gave_what_was_asked_and_how_many_remain() -> None:
    match = Sitting("ruff", 4).deal(dealer=0).claim(1, 5, 3, 3).deal()
    assert "  Debts: ana owes ben 2 cards" in position(match.table)
    gave = max(match.held(0).split(), key=lambda card: RANKS.index(card[0]))
    match.ask(gave[1]).give(gave)
    suit = SUIT_WORDS[gave[1]]
    assert trail(match, 6)[0][3] == f"ana gives ben {gave}: the highest of the {suit} asked for; 1 card is still owed"
    assert "  Debts: ana owes ben a card" in position(match.table)


def test_creditor_and_debtor_are_described() -> None:
    match = Sitting("ruff", 4).deal(dealer=0).claim(1, 5, 2, 4).deal().do(ev.Collect(seat=3, source=2))
    assert trail(match, 4)[2:] == [
        (4, "debt.owed", "resolved", "ana owes 2, ben is owed 2, chloe owes 1 and dev is owed 1"),
        (5, "debt.collect", "allowed", "dev takes a card from chloe"),
    ]


def test_a_ruff_and_a_free_lead_are_described() -> None:
    match = Sitting("ruff", 4).deal("6C", "7C", "8C", "9D", void={3: "C"}, dealer=3).play("6C 7C 8C 9D")
    assert trail(match, 3) == [
        (3, "lead.left-of-dealer", "allowed", "6C: any card will do"),
        (4, "follow.suit", "allowed", "7C is one of the cards it allows ben: 7C"),
        (5, "follow.suit", "allowed", "8C is one of the cards it allows chloe: 8C"),
        (6, "follow.suit", "allowed", "9D: it does not restrict dev here"),
        (6, "trick.ruff", "resolved", "9D takes the trick for dev"),
        (6, "lead.taker", "resolved", "dev leads"),
    ]
    later = match.held(3).split()[0]
    assert trail(match.play(later), 7) == [(7, "lead.taker", "allowed", f"{later}: any card will do")]


def test_broken_rules_are_described_with_the_legal_cards_and_draws_with_the_number_due() -> None:
    match = Sitting("diamonds-draw", 4, "record").deal("3C", "2D", "6C", "7C", dealer=3)
    clubs = " ".join(card for card in match.held(1).split() if card[1] == "C")
    others = " ".join(card for card in match.held(1).split() if card[1] != "D")
    assert clubs == others
    match.play("3C 2D 6C 7C").draw("2S 3S")
    assert [ruling for ruling in trail(match, 3) if "follow" not in ruling[1]] == [
        (3, "first-trick.no-diamond", "allowed", "3C: it does not restrict ana here"),
        (3, "lead.unbroken", "allowed", "3C: it does not restrict ana here"),
        (4, "first-trick.no-diamond", "broken", f"ben plays 2D; legal: {clubs}"),
        (5, "first-trick.no-diamond", "allowed", "6C is one of the cards it allows chloe: 6C"),
        (6, "first-trick.no-diamond", "allowed", "7C is one of the cards it allows dev: 2H 3H 7C"),
        (6, "trick.led-suit", "resolved", "7C takes the trick for dev"),
        (6, "draw.winner", "resolved", "dev draws 2"),
        (7, "draw.winner", "allowed", "2S 3S: 2 as due"),
        (7, "lead.taker", "resolved", "dev leads"),
    ]


def test_a_close_is_described_with_every_penalty() -> None:
    match = Sitting("hecto-diversity", 2).deal("1 12 23 34 45 56 67", "2 3 4 5 6 7 8", upcard="80", dealer=0)
    assert trail(match.draw("80", "discards").close("80")) == [
        (1, "table.range", "allowed", "2 players and these options fit the game"),
        (2, "deal.seven", "allowed", "2 hands of 7 cards, 80 is turned up"),
        (3, "turn.draw", "allowed", "80 from the discards"),
        (4, "close.diverse", "allowed", "without 80 the hand has seven colours and seven values"),
        (4, "score.penalty", "resolved", "ben: 27"),
        (4, "score.closer", "resolved", "ana: -27"),
        (4, "score.straight", "resolved", "the values run from 1 to 7: 20 less"),
    ]


def test_a_card_from_a_hidden_hand_is_described_as_judged_later() -> None:
    match = Sitting("diversity", 4).deal(hidden=True, dealer=3).play("2C")
    (ruling,) = trail(match, 3)
    assert ruling == (3, "table.holding", "allowed", "2C can be in the hand of ana; the rest is judged after the hand")
