"""What holds for every game: each rule has a test named after it, and the impossible has its codes."""

from __future__ import annotations

import importlib
import inspect
import re
from random import Random

import msgspec
import pytest

from cardledger.errors import LedgerError
from cardledger.record.matches.describe import account, event_in_words
from cardledger.record.matches.shape import parse
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.at_any_time import MOST_POINTS
from cardledger.rules.engine.phases import TrickPlay
from cardledger.rules.games import games, start
from cardledger.rules.stream import Stream
from tests.tables import NAMES, SIZES, Policy, Sitting, any_deal, any_match, opening, state

GAMES = [*games()]
LONGER: dict[str, dict[str, object]] = {"bridge": {"boards": 3}}
"""Options for a match of several hands, where one is the default."""
SMALLEST = [(game.id, game.players[0]) for game in games().values()]


# --- the tests themselves


def proofs(game: str) -> set[str]:
    """Return the names of the tests of a game, without `test_`."""
    module = importlib.import_module(f"tests.games.test_{game.replace('-', '_')}")
    members = [module, *(value for value in vars(module).values() if inspect.isclass(value))]
    names = {name for member in members for name in dir(member)}
    return {name.removeprefix("test_") for name in names if name.startswith("test_")}


def as_name(rule: str) -> str:
    """`trick.four-suits` as a test's name says it."""
    return re.sub(r"[.-]", "_", rule)


@pytest.mark.parametrize(("game", "rule"), [(game.id, rule.id) for game in games().values() for rule in game.book])
def test_every_rule_has_a_test_named_after_it(game: str, rule: str) -> None:
    assert any(name.startswith(f"{as_name(rule)}_") for name in proofs(game))


@pytest.mark.parametrize(
    ("game", "rule"),
    [(game.id, rule.id) for game in games().values() for rule in game.book if rule.breakable],
)
def test_every_breakable_rule_has_a_test_that_breaks_it(game: str, rule: str) -> None:
    assert any(name.startswith(f"{as_name(rule)}_irregular") for name in proofs(game))


@pytest.mark.parametrize("game", GAMES)
def test_every_test_is_named_after_a_rule_of_its_game(game: str) -> None:
    rules = tuple(f"{as_name(rule.id)}_" for rule in games()[game].book)
    assert [name for name in proofs(game) if not name.startswith(rules)] == []


# --- openings


@pytest.mark.parametrize("game", GAMES)
def test_table_range_of_players(game: str) -> None:
    allowed = [n for n in range(1, 10) if n in games()[game].players]
    assert (
        allowed
        == {
            "diversity": [4],
            "diamonds-bid": [2, 3, 4, 5, 6, 7, 8],
            "poison-hearts": [3, 4, 5, 6],
            "hecto-diversity": [2, 3, 4, 5, 6, 7, 8],
            "ruff": [3, 4, 5],
            "ruff-2": [3, 4, 5],
            "diamonds-draw": [2, 3, 4, 5, 6],
            "whist": [4],
            "hearts": [4],
            "spades": [4],
            "euchre": [4],
            "oh-hell": [3, 4, 5, 6, 7],
            "bridge": [4],
        }[game]
    )
    for n in {*range(10)} - {*allowed}:
        refused(ev.Open(game=game, players=(*NAMES, "iris")[:n]), "table.range")


def refused(event: ev.Open, code: str) -> None:
    with pytest.raises(LedgerError) as error:
        start(event)
    assert error.value.code == code


OPTIONS = [(game.id, option) for game in games().values() for option in game.options]


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=[f"{game}-{option.name}" for game, option in OPTIONS])
def test_options_are_checked(game: str, option: object) -> None:
    name, default, choices = option.name, option.default, option.choices  # type: ignore[attr-defined]
    n = games()[game].players[0]
    whole = not choices and not isinstance(default, bool)
    good = choices or ((True, False) if not whole else (1, 17 if name == "most" else 1000))
    others: dict[str, object] = {"hands": 3} if (game, name) == ("whist", "scoring") else {}
    bad: list[object] = ["1", 1.0, [], {}, "", 1 if not whole else True]
    if default is not None:
        bad.append(None)
    for value in good:
        assert start(opening(game, n, **{**others, name: value})).options[name] == value
    for value in bad:
        refused(opening(game, n, **{name: value}), "format.option")
    for value in (0, -1) if whole else ():
        refused(opening(game, n, **{name: value}), "table.range")


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_unknown_options_are_refused(game: str, n: int) -> None:
    refused(opening(game, n, colour="red"), "format.option")


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_rules_edition_known_or_refused(game: str, n: int) -> None:
    start(msgspec.structs.replace(opening(game, n), rules=f"{game}/1"))
    refused(msgspec.structs.replace(opening(game, n), rules=f"{game}/99"), "format.value")


def test_an_unknown_game_is_refused() -> None:
    refused(opening("skat", 4), "format.game")


# --- deals


@pytest.mark.parametrize("policy", ["strict", "record"])
@pytest.mark.parametrize(("game", "n"), SIZES)
def test_table_deck_is_dealt_exactly(game: str, n: int, policy: Policy) -> None:
    match = Sitting(game, n, policy)
    deal = any_deal(match.table, Random(n))
    assert deal.hands is not None
    first, second, *others = deal.hands
    for hands in (
        (first[1:], second, *others),
        ((*first, second[0]), second[1:], *others),
        ((second[0], *first[1:]), second, *others),
        (("XX", *first[1:]), second, *others),
        (("", *first[1:]), second, *others),
        (first, second, *others, ()),
        (second, *others),
        (),
    ):
        match.refuses(msgspec.structs.replace(deal, hands=hands), "table.deck")
    match.do(deal)


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_table_deck_comes_before_a_wrong_dealer(game: str, n: int) -> None:
    match = Sitting(game, n, **LONGER.get(game, {})).scored(*by_side(game, n))
    deal = any_deal(match.table, Random(1))
    key = "dealer" if deal.starter is None else "starter"
    last = match.table.hands[-1].dealer
    turned_up = {"upcard": deal.hands[last][-1]} if game == "whist" else {}  # it is a card of the dealer
    wrong = msgspec.structs.replace(deal, **{key: last}, **turned_up)
    if rule := match.table.game.deal.order_of_deals(match.table):
        match.refuses(wrong, rule)
    match.refuses(msgspec.structs.replace(wrong, hands=((),) * n), "table.deck")
    match.refuses(msgspec.structs.replace(wrong, **{key: n}), "table.range")


def by_side(game: str, n: int) -> tuple[int, ...]:
    """Return points for a score sheet: each side has its number."""
    return games()[game].sides(n)


DEAL_KEYS = {
    "whist": {"dealer", "upcard"},
    "euchre": {"dealer", "upcard", "aside"},
    "oh-hell": {"dealer", "upcard", "aside"},
    "diamonds-bid": {"dealer", "aside"},
    "diamonds-draw": {"dealer", "stock"},
    "hecto-diversity": {"starter", "upcard", "stock"},
    "bridge": {"dealer", "board", "vulnerable", "contract", "declarer"},
}


@pytest.mark.parametrize("policy", ["strict", "record"])
@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_a_copy_of_a_table_has_all_that_the_table_has(game: str, n: int, policy: Policy) -> None:
    table = Stream.of(any_match(game, n, Random(game), policy, 0.2, events=60)).table
    assert state(table.copy()) == state(table)
    copy = table.copy()
    assert len(copy.hands) == len(table.hands)


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_deal_has_the_keys_of_its_game_and_no_other(game: str, n: int) -> None:
    own = DEAL_KEYS.get(game, {"dealer"})
    whole = {
        "dealer": 0, "starter": 0, "aside": (), "upcard": "1", "stock": (),
        "board": 1, "vulnerable": "none", "contract": "1C", "declarer": 0,
    }  # fmt: skip
    match = Sitting(game, n)
    for key in whole.keys() - own:
        keys = {name: whole[name] for name in own & {"dealer", "starter", "upcard"}}
        match.refuses(ev.Deal(hands=None, **keys, **{key: whole[key]}), "format.key")
    for key in own & {"dealer", "starter", "upcard"}:
        keys = {name: whole[name] for name in own & {"dealer", "starter", "upcard"} - {key}}
        match.refuses(ev.Deal(hands=None, **keys), "format.key")


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_deal_without_cards_is_followed_by_the_points_of_the_hand_in_every_game(game: str, n: int) -> None:
    match = Sitting(game, n, **LONGER.get(game, {}))
    points = [0] * n
    for hand in range(1, 3):
        first = match.table.game.deal.next_dealer(match.table) if match.table.hands else n - 1
        match.do(match.table.game.deal.without_cards(match.table, first), ev.Score(scores=(*points,)))
        assert (len(match.table.hands), match.table.hand.scores) == (hand, points)


# --- phases, turns, seats


def every_event(game: str, seat: int, n: int) -> list[ev.Event]:
    """An event of every kind, in the form that the game has it."""
    given = {"cards": ("5S", "6S", "7S")} if game == "hearts" else {"card": "5S"}
    word = games()[game].shown.words[0].call if games()[game].shown.words else "pass"
    return [
        ev.Call(seat=seat, call=word),
        ev.Bid(seat=seat, amount=0),
        ev.Pass(seat=seat),
        ev.Play(seat=seat, card="5S"),
        ev.Draw(seat=seat, source="stock", cards=("5S",)),
        ev.Discard(seat=seat, card="5"),
        ev.Close(seat=seat, card="5"),
        ev.Layoff(seat=seat, card="5"),
        ev.Collect(seat=seat, source=0),
        ev.Ask(seat=seat, source=0, suit="C"),
        ev.Give(seat=seat, to=0, **given),
        ev.Claim(tricks=(0,) * n),
        ev.Score(scores=(0,) * n),
    ]


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_table_phase_nothing_but_a_deal_comes_first(game: str, n: int) -> None:
    match = Sitting(game, n)
    for event in every_event(game, 0, n):
        match.refuses(event, "table.phase")


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_table_phase_no_second_deal_and_no_event_of_another_phase(game: str, n: int) -> None:
    match = Sitting(game, n).deal()
    match.refuses(any_deal(Sitting(game, n).table, Random(1)), "table.phase")
    fits = {choice.type for choice in match.table.choices()}
    fits |= {"pass"} if game == "poison-hearts" else set()
    for event in every_event(game, match.turn[1] or 0, n):
        if ev.type_of(event) not in fits:
            match.refuses(event, "table.phase")


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_table_phase_nothing_of_play_comes_after_the_match(game: str, n: int) -> None:
    deal = any_deal(Sitting(game, n).table, Random(1))
    between = Sitting(game, n, **LONGER.get(game, {})).scored(*by_side(game, n))
    within = Sitting(game, n).deal()
    for match in (between.do(ev.End()), within.do(ev.End())):
        assert match.result["status"] == "ended"
        for event in (*every_event(game, 0, n)[:-1], ev.Score(scores=(0,) * n), ev.End(), deal):
            match.refuses(event, "table.phase")


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_table_range_of_seats_comes_before_the_phase(game: str, n: int) -> None:
    match = Sitting(game, n).deal()
    for seat in (-1, n, 2**70):
        for event in every_event(game, seat, n)[:-2]:
            match.refuses(event, "table.range")
        match.refuses(ev.Collect(seat=0, source=seat), "table.range")
        match.refuses(ev.Ask(seat=0, source=seat, suit="C"), "table.range")
        given = {"cards": ("5S", "6S", "7S")} if game == "hearts" else {"card": "5S"}
        match.refuses(ev.Give(seat=0, to=seat, **given), "table.range")


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_table_range_of_lists_comes_before_the_phase(game: str, n: int) -> None:
    match = Sitting(game, n)
    match.refuses(ev.Score(scores=(0,) * (n + 1)), "table.range")
    match.deal()
    for scores in ((), (0,) * (n - 1), (0,) * (n + 1)):
        match.refuses(ev.Score(scores=scores), "table.range")
    sides = by_side(game, n)
    for points in (MOST_POINTS + 1, -MOST_POINTS - 1):
        match.refuses(ev.Score(scores=tuple(side or points for side in sides)), "table.range")
    match.do(ev.Score(scores=tuple(side or -MOST_POINTS for side in sides)))


@pytest.mark.parametrize(("game", "n"), SMALLEST)
def test_table_turn_is_of_one_seat(game: str, n: int) -> None:
    match = Sitting(game, n).deal(*["P1"] if game == "poison-hearts" else [])
    if game == "hearts":  # everybody passes on at once
        match.begin()
    kind, turn = match.table.choices()[0].type, match.turn[1]
    for seat in {*range(n)} - {turn}:
        (event,) = (event for event in every_event(game, seat, n) if ev.type_of(event) == kind)
        match.refuses(event, "table.turn")


def has_tricks(game: str) -> bool:
    """Tell whether cards are played to tricks."""
    return any(isinstance(phase, TrickPlay) for phase in games()[game].phases)


TRICKS = [(game, n) for game, n in SIZES if has_tricks(game)]


@pytest.mark.parametrize("policy", ["strict", "record"])
@pytest.mark.parametrize(("game", "n"), TRICKS)
def test_table_holding_only_cards_held(game: str, n: int, policy: Policy) -> None:
    match = Sitting(game, n, policy).deal(*["P1"] if game == "poison-hearts" else []).begin()
    turn = match.turn[1]
    own = match.held(turn).split()
    others = " ".join(match.held(seat) for seat in range(n)).split()
    elsewhere = next(card for card in others if card not in own)
    for card in (elsewhere, "XX", "", "5s", "S5"):
        match.refuses(ev.Play(seat=turn, card=card), "table.holding")
    (card, *_) = match.table.choices()[0].cards
    match.play(card)


# --- hands cut short


CLAIMS = {"diversity", "diamonds-bid", "ruff", "ruff-2", "whist", "spades", "bridge"}
"""Games in which a table may agree on any numbers of tricks (in some others only on some, or not of one trick)."""


@pytest.mark.parametrize(("game", "n"), [(game, n) for game, n in SIZES if game not in ("hearts", "oh-hell", "euchre")])
def test_claim_agreed_tells_how_all_tricks_not_complete_fall(game: str, n: int) -> None:
    match = Sitting(game, n).deal(*["P1"] if game == "poison-hearts" else []).begin()
    left = match.table.hand.tricks_left
    whole = (left, *[0] * (n - 1))
    if game not in CLAIMS:
        match.refuses(ev.Claim(tricks=whole), "table.phase")
        return
    match.legally(n + 1)
    taken = list(match.table.hand.taken)
    for tricks in (whole, (left - 2, *[0] * (n - 1)), (left, -1, *[0] * (n - 2)), whole[1:], ()):
        match.refuses(ev.Claim(tricks=tricks), "table.range")
    match.claim(left - 2, 1, *[0] * (n - 2))
    (hand,) = match.result["hands"]
    assert hand["claimed"] == [left - 2, 1, *[0] * (n - 2)]
    assert hand["tricks_taken"] == [a + b for a, b in zip(taken, hand["claimed"], strict=True)]
    assert (len(hand["tricks"]), hand["complete"], "agreed" in hand) == (1, True, False)
    assert "claim.agreed" in [ruling.rule for ruling in match.table.trail]


def test_claim_agreed_says_who_claimed_and_is_kept_and_shown() -> None:
    match = Sitting("diversity", 4).deal("2C", "3C", "4C", "5C", dealer=3).play("2C 3C 4C 5C")
    match.do(ev.Claim(seat=2, tricks=(3, 2, 4, 3)))
    assert match.result["totals"] == [3, 2, 4, 4]
    assert "  claimed by chloe: ana 3, ben 2, chloe 4, dev 3 (claim.agreed)" in account(match.table)
    assert "chloe claims" in event_in_words(match.stream.events[-1], match.table.players)
    assert parse(ev.encode(match.stream.events[-1])) == match.stream.events[-1]


def test_claim_agreed_may_come_from_any_seat_at_the_table() -> None:
    match = Sitting("diversity", 4).deal(dealer=3)
    for seat in (-1, 4, 10**20):
        match.refuses(ev.Claim(seat=seat, tricks=(4, 4, 4, 1)), "table.range")
    for seat in range(4):
        claimed = match.stream.copy()
        claimed.append(ev.Claim(seat=seat, tricks=(4, 4, 4, 1)))
        assert claimed.table.totals == [4, 4, 4, 1]


@pytest.mark.parametrize(("game", "n"), SIZES)
def test_score_agreed_ends_a_hand_at_any_moment(game: str, n: int) -> None:
    match = Sitting(game, n).deal()
    if game == "diamonds-bid":
        match.bid(0)
    points = by_side(game, n)
    match.score(*points)
    (hand,) = match.result["hands"]
    assert (hand["scores"], hand["agreed"], hand["complete"]) == ([*points], True, True)
    assert hand["tricks_taken"] == [0] * n
    assert "score.agreed" in [ruling.rule for ruling in match.table.trail]
    match.refuses(ev.Score(scores=(0,) * n), "table.phase")


def test_score_agreed_keeps_the_tricks_that_were_complete() -> None:
    match = Sitting("diversity", 4).deal("2C", "3C", "4C", "5C", dealer=3).play("2C 3C 4C 5C 6C")
    (hand,) = match.score(1, 2, 3, 4).result["hands"]
    assert (hand["tricks_taken"], len(hand["tricks"])) == ([0, 0, 0, 1], 1)
