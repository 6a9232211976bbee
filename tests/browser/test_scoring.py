"""Scoring at the table in a real browser: every game by hand and by keyboard, slips, two scorers, bad connections."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_api.auth.tokens import Tokens
from tests.browser.looking import GAMES, accessible, fits
from tests.browser.scoring import (
    SUITS,
    Api,
    as_seen,
    by_hands,
    go_score,
    in_order,
    offline,
    plain,
    prompt,
    recorded,
    say,
    scorer_at,
    seen,
    settled,
    tapped,
    typed,
)
from tests.thorough import THOROUGH
from tests.web.club import HOSTILE
from tests.web.server import command, kept_port, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

NAMES = ("ana", "ben", "chloe", "dev", "eva")
ISOLATES = {0x2068: None, 0x2069: None}
"""What holds the direction of a name apart from the text around it."""


@pytest.fixture
def port() -> Iterator[int]:
    """A port of this test: the same server is to come back under the same address."""
    with kept_port() as port:
        yield port


def bots(game: str, hidden: bool = False) -> list[ev.Event]:
    """The first hand of a match of bots, with hands and debts of the second where those come with it."""
    n = min(games()[game].players[-1], 4)
    options = {"boards": 2} if game == "bridge" else {}  # a match of one board has no second deal
    found = simulate(game, n, Random(3), ["cautious"], options, players=NAMES[:n], hidden=hidden, max_hands=2)
    found = as_seen(game, found)
    deals = [place for place, event in enumerate(found) if isinstance(event, ev.Deal)]
    return found[: deals[1] + 20 if game.startswith("ruff") else deals[1]]


def diversity(api: Api, *events: ev.Event, policy: str = "record", game: str = "diversity") -> str:
    return api.open(ev.Open(game=game, players=NAMES[:4], policy=policy), *events)


def dealt(dealer: int = 0) -> ev.Deal:
    """Everybody has a suit: clubs, diamonds, hearts, spades."""
    return ev.Deal(dealer=dealer, hands=SUITS)


def mixed() -> ev.Deal:
    """Everybody has three or four cards of every suit."""
    pack = [face for suit in SUITS for face in suit]
    return ev.Deal(dealer=0, hands=tuple(tuple(pack[seat::4]) for seat in range(4)))


# --- every game


def enter_by_keyboard(page: Page, api: Api, game: str, hidden: bool, start: int = 0, many: int = 200) -> None:
    opening, *events = bots(game, hidden)
    match, seq = api.open(opening, *events[:start]), start + 1
    events = events[start : start + many]
    go_score(page, match)
    for line in [[event] for event in events] if hidden else by_hands(events):
        typed(page, line, opening.players)
        seq += len(line)
        recorded(page, seq)
    assert in_order(api.events(match)[start + 1 :]) == in_order(plain(events))


@pytest.mark.parametrize("game", GAMES)
def test_turns_of_every_game_are_typed_ahead(desk: Page, api: Api, game: str) -> None:
    enter_by_keyboard(desk, api, game, hidden=False, start=1, many=14)


@pytest.mark.parametrize("game", [pytest.param("poison-hearts", marks=pytest.mark.long), "hecto-diversity"])
def test_a_deal_is_typed(desk: Page, api: Api, game: str) -> None:
    enter_by_keyboard(desk, api, game, hidden=False, many=3)


def whole(hidden_first: bool) -> list[tuple[str, bool]]:
    """Return games with whether their hands are hidden; all in thorough runs, else one of the four ways for each game in turn."""
    return [
        (game, hidden)
        for number, game in enumerate(games())
        for hidden in (False, True)
        if THOROUGH or (number % 4 == 2 * hidden + hidden_first)
    ]


@pytest.mark.parametrize(("game", "hidden"), whole(hidden_first=False))
def test_a_whole_hand_of_every_game_is_typed(desk: Page, api: Api, game: str, hidden: bool) -> None:
    enter_by_keyboard(desk, api, game, hidden=hidden)


def enter_by_tapping(page: Page, api: Api, game: str, start: int, many: int, hidden: bool) -> None:
    opening, *events = bots(game, hidden)
    match = api.open(opening, *events[:start])
    go_score(page, match)
    chosen = events[start : start + many]
    for seq, event in enumerate(chosen, start + 2):
        tapped(page, event, opening.players)
        recorded(page, seq)
    assert fits(page)
    assert in_order(api.events(match)[start + 1 :]) == in_order(plain(chosen))


@pytest.mark.parametrize("game", GAMES)
def test_hidden_turns_of_every_game_are_tapped(phone: Page, api: Api, game: str) -> None:
    enter_by_tapping(phone, api, game, 0, 6, hidden=True)


@pytest.mark.parametrize("game", ["ruff", "hecto-diversity", "diamonds-draw"])
def test_the_late_events_of_a_hand_are_tapped(phone: Page, api: Api, game: str) -> None:
    """Debts, the close and lay-offs, the last draws."""
    enter_by_tapping(phone, api, game, max(len(bots(game)) - 13, 0), 12, hidden=False)


@pytest.mark.parametrize(("game", "hidden"), whole(hidden_first=True))
def test_a_whole_hand_of_every_game_is_tapped(phone: Page, api: Api, game: str, hidden: bool) -> None:
    enter_by_tapping(phone, api, game, 0, 200, hidden=hidden)


def test_a_deal_is_tapped_and_the_last_hand_fills_itself(phone: Page, api: Api) -> None:
    enter_by_tapping(phone, api, "diversity", 0, 3, hidden=False)


@pytest.mark.parametrize(
    ("game", "count"), [("poison-hearts", 0), ("diamonds-bid", 1), ("hecto-diversity", 2), ("ruff", 60)]
)
def test_everything_to_tap_is_large_enough(phone: Page, api: Api, game: str, count: int) -> None:
    opening, *events = bots(game)
    match = api.open(opening, *events[:count])
    go_score(phone, match)
    for target in phone.locator(".entry button:visible").all():
        box = target.bounding_box()
        assert box is not None
        assert box["width"] >= 44 and box["height"] >= 44, target.inner_text()


def test_results_without_cards_take_one_line_a_hand(desk: Page, api: Api) -> None:
    """The dealer is named once; with partners, points are by side."""
    for game, line, scores in (
        ("hearts", "5 13 8 0", [5, 13, 8, 0]),
        ("euchre", "2 0", [2, 0, 2, 0]),
        ("hecto-diversity", "-30 10 10 10", [-30, 10, 10, 10]),
    ):
        match = api.open(ev.Open(game=game, players=NAMES[:4], policy="record"))
        go_score(desk, match)
        say(desk, "2")
        say(desk, f"score {line}")
        recorded(desk, 3)
        say(desk, f"score {line}")
        recorded(desk, 5)
        upcard = {} if game == "hearts" else {"upcard": None}
        first = "starter" if game == "hecto-diversity" else "dealer"
        assert api.events(match)[1:] == [
            event
            for dealer in (1, 2)
            for event in (
                {"type": "deal", first: dealer, "hands": None} | upcard, {"type": "score", "scores": scores}
            )
        ]  # fmt: skip


def test_unseen_cards_are_described_as_unseen(desk: Page, api: Api) -> None:
    match = api.open(ev.Open(game="hearts", players=NAMES[:4], policy="record"), ev.Deal(dealer=0, hands=None))
    go_score(desk, match)
    say(desk, "3 ? 1 qs ah 2d ben ? 4 ?")
    recorded(desk, 6)
    gave = [(event["seat"], event["to"], event["cards"]) for event in api.events(match)[2:]]
    assert gave == [(2, 3, None), (0, 1, ["QS", "AH", "2D"]), (1, 2, None), (3, 0, None)]


def test_bids_and_tricks_taken_make_a_result(desk: Page, api: Api) -> None:
    """The dealer cannot make the bids add up, so that number is no button to press."""
    for game, bids, tricks in (("spades", "3 nil 4 3", "4 0 5 4"), ("oh-hell", "3 3 2 3", "3 3 2 2")):
        match = api.open(ev.Open(game=game, players=NAMES[:4], policy="record"))
        go_score(desk, match)
        say(desk, "4 hidden")
        if game == "oh-hell":
            say(desk, "?")
        recorded(desk, 2)
        *first, last = bids.split()
        say(desk, " ".join(first) + " ")
        recorded(desk, 5)
        barred = desk.locator("#tray button:disabled").all_inner_texts()
        assert barred == (["2"] if game == "oh-hell" else [])
        say(desk, last)
        recorded(desk, 6)
        say(desk, f"claim {tricks}")
        recorded(desk, 7)
        table = api.table(match)
        assert (table["phase"], table["totals"]) == (
            "deal",
            {"spades": [72, 131, 72, 131], "oh-hell": [13, 13, 12, 0]}[game],
        )


@pytest.mark.everyday
def test_a_whole_trick_is_typed_with_nine_keys(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    # No Enter and no blanks: a card is read as soon as it can be no other.
    desk.keyboard.type("9d10h9sjc", delay=60)
    recorded(desk, 6)
    assert api.table(match)["tricks_taken"] == [0, 1, 0, 0]


# --- slips


def test_an_irregular_card_needs_one_confirmation_and_is_recorded_with_its_rule(scorer: Page, api: Api) -> None:
    match = diversity(api, mixed(), ev.Bid(seat=1, amount=3), ev.Bid(seat=2, amount=3), ev.Bid(seat=3, amount=3),
                      ev.Bid(seat=0, amount=3), game="diamonds-bid")  # fmt: skip
    go_score(scorer, match)
    say(scorer, "2c 2d ")
    question = scorer.locator("#question")
    question.get_by_text("follow.suit").wait_for()
    assert "ben plays 2♦" in question.inner_text().replace("\ufe0e", "")
    assert "Legal:" in question.inner_text()
    assert len(api.events(match)) == 7
    accessible(scorer)
    scorer.get_by_role("button", name="Record it anyway").click()
    recorded(scorer, 8)
    assert not question.is_visible()
    assert scorer.locator('#log li[data-seq="8"] .warn').get_attribute("title") == "follow.suit"
    assert api.events(match)[-1]["card"] == "2D"


def test_an_irregular_card_is_taken_back_with_n_and_the_right_one_entered(desk: Page, api: Api) -> None:
    match = diversity(api, mixed(), *(ev.Bid(seat=(seat + 1) % 4, amount=3) for seat in range(4)), game="diamonds-bid")
    go_score(desk, match)
    desk.keyboard.type("2c2d")
    desk.locator("#question", has_text="follow.suit").wait_for()
    desk.keyboard.type("n")
    settled(desk)
    desk.keyboard.type("3c")
    recorded(desk, 8)
    assert [event["card"] for event in api.events(match)[-2:]] == ["2C", "3C"]


def test_under_strict_an_irregular_card_is_refused_with_the_text_of_the_rule(scorer: Page, api: Api) -> None:
    bids = (ev.Bid(seat=(seat + 1) % 4, amount=3) for seat in range(4))
    match = diversity(api, mixed(), *bids, ev.Play(seat=0, card="2C"), game="diamonds-bid", policy="strict")
    go_score(scorer, match)
    scorer.locator('#tray button[data-face="2D"]').click()
    error = scorer.locator("#error", has_text="follow.suit")
    error.wait_for()
    assert error.get_attribute("role") == "alert"
    assert "Who can follow suit must" in error.inner_text() or "suit" in error.inner_text()
    settled(scorer)
    assert len(api.events(match)) == 7
    assert prompt(scorer) == "ben to play"


@pytest.mark.parametrize(("text", "said"), [("zz", "means nothing"), ("2c", "table.holding"), ("claim", ""), ("b", "")])
def test_an_impossible_entry_is_explained_and_not_recorded(desk: Page, api: Api, text: str, said: str) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    say(desk, text)
    if said:
        desk.locator("#error", has_text=said).wait_for()
    assert len(api.events(match)) == 2


def test_undo_takes_back_step_by_step(scorer: Page, api: Api) -> None:
    match = diversity(api, dealt(), ev.Play(seat=1, card="2D"), ev.Play(seat=2, card="2H"))
    go_score(scorer, match)
    for seq, turn in ((5, "chloe to play"), (6, "ben to play")):
        scorer.get_by_role("button", name="Undo", exact=True).click()
        recorded(scorer, seq)
        assert prompt(scorer) == turn
    # What many taps made is asked about.
    scorer.get_by_role("button", name="Undo", exact=True).click()
    scorer.get_by_role("button", name="Cancel").click()
    assert len(api.events(match)) == 6
    scorer.get_by_role("button", name="Undo", exact=True).click()
    scorer.get_by_role("button", name="Take it back").click()
    recorded(scorer, 7)
    assert prompt(scorer).startswith("Who deals")
    for seq, turn in ((8, "ben to play"), (9, "chloe to play"), (10, "dev to play")):
        scorer.get_by_role("button", name="Redo", exact=True).click()
        recorded(scorer, seq)
        assert prompt(scorer) == turn


def test_undo_takes_back_what_was_tapped_before_it_is_sent(scorer: Page, api: Api) -> None:
    """Two of three cards to pass are chosen: undo takes back the last of them, and the deal stays."""
    match = api.open(ev.Open(game="hearts", players=NAMES[:4], policy="record"), ev.Deal(dealer=0, hands=SUITS))
    go_score(scorer, match)
    chosen = scorer.locator("#tray .picked")
    for face in ("2C", "3C"):
        scorer.locator(f'#tray button[data-face="{face}"]').click()
    assert chosen.count() == 2
    for left in (1, 0):
        scorer.get_by_role("button", name="Undo", exact=True).click()
        assert chosen.count() == left
    assert len(api.events(match)) == 2


def test_a_deal_half_tapped_loses_one_card_at_a_time(scorer: Page, api: Api) -> None:
    match = diversity(api)
    go_score(scorer, match)
    scorer.locator("#tray").get_by_role("button", name="1 ana").click()
    for face in ("2C", "3C", "4C"):
        scorer.locator(f'#tray button[data-face="{face}"]').click()
    scorer.get_by_role("button", name="Undo", exact=True).click()
    scorer.locator("#tray").get_by_role("button", name="ben 2/").or_(
        scorer.locator("#tray").get_by_role("button", name="ana 2/")
    ).first.wait_for()
    assert len(api.events(match)) == 1


@pytest.mark.long
def test_undo_to_here_takes_back_all_that_came_after_with_one_question(scorer: Page, api: Api) -> None:
    plays = [ev.Play(seat=seat, card=face) for seat, face in ((1, "5D"), (2, "6H"), (3, "7S"), (0, "4C"))]
    match = diversity(api, dealt(), *plays)
    go_score(scorer, match)
    log = scorer.locator("#log")
    assert log.locator('li[data-seq="6"] .undo-to').count() == 0
    log.locator('li[data-seq="3"]').get_by_role("button", name="Undo to here").click()
    assert "3 events" in scorer.locator("dialog").inner_text()
    accessible(scorer)
    scorer.get_by_role("button", name="Cancel").click()
    assert len(api.events(match)) == 6
    log.locator('li[data-seq="3"]').get_by_role("button", name="Undo to here").press("Enter")
    scorer.get_by_label("Reason (optional)").fill("wrong deal")
    scorer.get_by_role("button", name="Take back 3 events").click()
    recorded(scorer, 7)
    assert api.events(match)[-1] == {"type": "retract", "to": 3, "reason": "wrong deal"}
    assert prompt(scorer) == "chloe to play"
    assert log.locator("li.gone").count() == 3
    assert fits(scorer)


def test_an_earlier_event_is_amended_after_a_preview(scorer: Page, api: Api) -> None:
    plays = [ev.Play(seat=seat, card=face) for seat, face in ((1, "5D"), (2, "6H"), (3, "7S"), (0, "4C"))]
    match = diversity(api, dealt(), *plays)
    go_score(scorer, match)
    assert prompt(scorer) == "ben to play"
    scorer.get_by_role("button", name="Amend event 3: ben plays 5♦").click()
    scorer.get_by_text("Event 3 was: ben plays").wait_for()
    scorer.locator('#tray button[data-face="2D"]').click()
    question = scorer.locator("#question")
    question.get_by_text("Next: ben → chloe").wait_for()
    assert "ana: tricks 1 → 0" in question.inner_text()
    accessible(scorer)
    assert len(api.events(match)) == 6
    question.get_by_role("button", name="Record the correction").click()
    recorded(scorer, 7)
    assert prompt(scorer) == "chloe to play"
    assert "counts as: ben plays 2♦" in scorer.locator('#log li[data-seq="3"]').inner_text().replace("\u2068", "")


def test_an_amendment_that_breaks_a_later_event_names_it(desk: Page, api: Api) -> None:
    match = diversity(api, dealt(), ev.Play(seat=1, card="5D"), ev.Play(seat=2, card="6H"))
    go_score(desk, match)
    desk.get_by_role("button", name="Amend event 2").click()
    desk.locator("#said").focus()
    desk.get_by_role("button", name="Clear").click()
    assert "Event 2 was" in desk.locator("#question").inner_text()


def test_a_claim_must_add_up_and_ends_the_hand(scorer: Page, api: Api) -> None:
    match = diversity(api, dealt(), ev.Play(seat=1, card="5D"))
    go_score(scorer, match)
    scorer.get_by_role("button", name="Claim").click()
    fields = scorer.locator("dialog input")
    for field, number in zip(fields.all(), (3, 3, 3, 3), strict=True):
        field.fill(str(number))
    yes = scorer.locator("dialog").get_by_role("button", name="Record")
    assert yes.is_disabled()
    assert scorer.locator("dialog .sum").inner_text() == "12 of 13"
    accessible(scorer)
    fields.first.fill("4")
    yes.click()
    recorded(scorer, 4)
    assert api.table(match)["totals"] == [4, 3, 3, 3]
    assert prompt(scorer).startswith("ben deals")


def test_a_score_sheet_line_a_note_and_the_end_are_entered(scorer: Page, api: Api) -> None:
    match = diversity(api, ev.Deal(dealer=3, hands=None))
    go_score(scorer, match)
    scorer.get_by_role("button", name="Score").click()
    for field, number in zip(scorer.locator("dialog input").all(), ("1", "-2", "\u22123", "17"), strict=True):
        field.fill(number)
    scorer.locator("dialog").get_by_role("button", name="Record").click()
    scorer.locator("#question").get_by_role("button", name="Record it as written").click()
    recorded(scorer, 3)
    say(scorer, "note dev called it <b>early</b>")
    recorded(scorer, 4)
    scorer.get_by_role("button", name="End", exact=True).click()
    scorer.get_by_label("Reason (optional)").fill("closing time")
    scorer.locator("dialog").get_by_role("button", name="End the match").click()
    recorded(scorer, 5)
    assert scorer.locator("#result").is_visible()
    points = scorer.locator("#points").inner_text().replace("\u2068", "").replace("\u2069", "")
    assert points == "Ended early: ana 1, ben \u22122, chloe \u22123, dev 17"
    assert api.events(match)[2:] == [
        {"type": "score", "scores": [1, -2, -3, 17]},
        {"type": "note", "text": "dev called it <b>early</b>"},
        {"type": "end", "reason": "closing time"},
    ]


def test_impossible_points_need_confirmation_and_are_then_recorded(scorer: Page, api: Api) -> None:
    match = diversity(api, ev.Deal(dealer=3, hands=None))
    go_score(scorer, match)
    say(scorer, "score 4 4 4 4")
    question = scorer.locator("#question", has_text="score.sum")
    question.wait_for()
    assert "a hand has 13 tricks, so its points add up to 13, not to 16" in question.inner_text()
    accessible(scorer)
    assert fits(scorer)
    assert len(api.events(match)) == 2
    # Corrected points are recorded without a question, confirmed points as written.
    question.get_by_role("button", name="Correct it").click()
    scorer.locator("dialog input").first.fill("1")
    scorer.locator("dialog").get_by_role("button", name="Record").click()
    recorded(scorer, 3)
    assert api.table(match)["totals"] == [1, 4, 4, 4]
    api.record(match, ev.Deal(dealer=0, hands=None))
    recorded(scorer, 4)
    seen(scorer)
    say(scorer, "score 4 4 4 4")
    question.get_by_role("button", name="Record it as written").click()
    recorded(scorer, 5)
    assert api.table(match)["totals"] == [5, 8, 8, 8]
    assert api.ask("/hands?doubtful=true")["hands"][0]["doubt"].startswith("a hand has 13 tricks")


def test_a_sheet_that_is_cancelled_records_nothing(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    for word in ("claim", "score", "note", "end"):
        say(desk, word)
        desk.locator("dialog[open]").wait_for()
        desk.keyboard.press("Escape")
        desk.locator("dialog").wait_for(state="hidden")
    assert len(api.events(match)) == 2


# --- two scorers


def test_two_scorers_see_each_other_live_and_do_not_write_over_each_other(
    browser: Browser, scoring: tuple[str, str], desk: Page, api: Api
) -> None:
    match = diversity(api, dealt())
    with scorer_at(browser, "phone", *scoring) as other:
        go_score(desk, match)
        go_score(other, match)
        desk.keyboard.type("2d")
        recorded(other, 3)
        assert prompt(other) == "chloe to play"
        other.locator("#heard", has_text="sam: ben plays 2♦").wait_for()
        seen(other)
        # Both enter what chloe plays, one of them without having seen the other's.
        offline(desk)
        desk.keyboard.type("2h")
        other.locator('#tray button[data-face="2H"]').click()
        recorded(other, 4)
        desk.context.set_offline(False)
        recorded(desk, 4)
        desk.locator("#error", has_text="Another scorer has recorded the same").wait_for()
        assert prompt(desk) == prompt(other) == "dev to play"
    assert [event.get("card") for event in api.events(match)[2:]] == ["2D", "2H"]


def test_a_scorer_with_a_conflicting_entry_sees_the_recorded_event_and_is_asked(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    offline(desk)
    desk.keyboard.type("2d")
    desk.get_by_text("1 entry waits to be sent").wait_for()
    api.record(match, ev.Play(seat=1, card="3D"))
    desk.context.set_offline(False)
    question = desk.locator("#question")
    question.get_by_text("ben plays 2").wait_for()
    assert "Recorded by sam" in question.inner_text()
    assert "Two records of one hand" in question.inner_text()
    desk.locator("#heard", has_text="ben plays 3♦").wait_for()
    desk.keyboard.type("n")
    settled(desk)
    assert [event.get("card") for event in api.events(match)[2:]] == ["3D"]
    assert prompt(desk) == "chloe to play"


LED = (ev.Play(seat=1, card="5D"), ev.Play(seat=2, card="6H"), ev.Play(seat=3, card="2S"))
"""Ana, the last to play, leads the next trick whatever she plays: dev takes this one, and she sits left of him."""


def test_two_scorers_who_play_one_turn_never_record_the_second_card_as_the_next_lead(
    browser: Browser, scoring: tuple[str, str], desk: Page, api: Api
) -> None:
    match = diversity(api, dealt(), *LED)
    with scorer_at(browser, "phone", *scoring) as other:
        go_score(desk, match)
        go_score(other, match)
        # Both see that ana is to play, and only one of them hears of the other.
        other.route("**/live*", lambda route: route.abort())
        offline(other)
        desk.keyboard.type("3c")
        recorded(desk, 6)
        assert prompt(desk) == "ana to play"
        other.locator('#tray button[data-face="4C"]').click()
        other.context.set_offline(False)
        question = other.locator("#question")
        question.locator("mark", has_text="ana plays 3").wait_for()
        accessible(other)
        assert fits(other)
        assert len(api.events(match)) == 6
        question.get_by_role("button", name="Keep what is recorded").click()
        settled(other)
    assert [event.get("card") for event in api.events(match)[2:]] == ["5D", "6H", "2S", "3C"]


def test_a_card_tapped_as_the_turn_passes_needs_confirmation(phone: Page, api: Api) -> None:
    match = diversity(api, dealt(), *LED)
    go_score(phone, match)
    phone.clock.install()
    phone.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))  # however slow this machine is, it is that moment
    api.record(match, ev.Play(seat=0, card="3C"))
    phone.locator("#score[data-passed]").wait_for()
    phone.locator('#tray button[data-face="4C"]').tap()
    phone.locator("#question", has_text="Now it is the turn of ana. Is this meant for it?").wait_for()
    assert len(api.events(match)) == 6
    phone.locator("#question").get_by_role("button", name="Record it now").tap()
    recorded(phone, 7)
    phone.clock.run_for(1_000)
    # Once there was time to see it, nothing is asked.
    api.record(match, ev.Play(seat=1, card="6D"))
    phone.locator("#score[data-passed]").wait_for()
    phone.clock.run_for(1_000)
    seen(phone)
    phone.locator('#tray button[data-face="7H"]').tap()
    recorded(phone, 9)


def test_a_word_begun_for_one_turn_needs_confirmation_at_the_next(desk: Page, api: Api) -> None:
    match = diversity(api, dealt(), *LED)
    go_score(desk, match)
    desk.keyboard.type("4")
    desk.clock.install()
    desk.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    api.record(match, ev.Play(seat=0, card="3C"))
    desk.locator("#score[data-passed]").wait_for()
    desk.clock.run_for(1_000)
    seen(desk)
    desk.keyboard.type("c")
    desk.locator("#question", has_text="ana plays 4").wait_for()
    assert len(api.events(match)) == 6
    desk.keyboard.type("n")
    settled(desk)
    desk.keyboard.type("4c")
    recorded(desk, 7)


def test_a_score_sheet_begun_for_one_turn_needs_confirmation_at_the_next(desk: Page, api: Api) -> None:
    match = diversity(api, ev.Deal(dealer=3, hands=None))
    go_score(desk, match)
    desk.get_by_role("button", name="Score", exact=True).click()
    api.record(match, ev.Score(scores=(1, 2, 4, 6)), ev.Deal(dealer=0, hands=None))
    desk.locator('#log ol[data-seq="4"]').wait_for(state="attached")
    for field, number in zip(desk.locator("dialog input").all(), ("3", "3", "3", "4"), strict=True):
        field.fill(number)
    desk.locator("dialog").get_by_role("button", name="Record").click()
    desk.locator("#question", has_text="score: ana 3").wait_for()
    assert len(api.events(match)) == 4


def test_another_scorers_note_does_not_pass_the_turn(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    offline(desk)
    desk.keyboard.type("2d")
    api.record(match, ev.Note(text="rain"))
    desk.context.set_offline(False)
    recorded(desk, 4)
    assert api.events(match)[-1]["card"] == "2D"


def test_entries_behind_a_card_taken_back_keep_their_own_turn(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    offline(desk)
    desk.keyboard.type("2d2h2s")
    desk.get_by_text("3 entries wait to be sent").wait_for()
    api.record(match, ev.Play(seat=1, card="3D"))
    desk.context.set_offline(False)
    desk.locator("#question", has_text="ben plays 2").wait_for()
    desk.get_by_role("button", name="Keep what is recorded, then my last 2 entries").click()
    recorded(desk, 5)
    assert [event.get("card") for event in api.events(match)[2:]] == ["3D", "2H", "2S"]


def test_an_undo_meant_for_another_event_needs_confirmation(desk: Page, api: Api) -> None:
    match = diversity(api, dealt(), ev.Play(seat=1, card="2D"))
    go_score(desk, match)
    offline(desk)
    desk.get_by_role("button", name="Undo", exact=True).click()
    api.record(match, ev.Play(seat=2, card="2H"))
    desk.context.set_offline(False)
    desk.locator("#question mark", has_text="nothing").wait_for()
    assert len(api.events(match)) == 4


# --- bad connections


def test_offline_entries_survive_a_reload_and_are_recorded_once(scorer: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(scorer, match)
    offline(scorer)
    for face in ("2D", "2H", "2S"):
        scorer.locator(f'#tray button[data-face="{face}"]').click()
    scorer.get_by_text("3 entries wait to be sent").wait_for()
    assert prompt(scorer) == "ana to play"
    accessible(scorer)
    scorer.evaluate("history.replaceState(null, '', location.href)")
    # The answers are lost, not the requests.
    scorer.route("**/events", lambda route: (route.fetch(), route.abort()))
    scorer.context.set_offline(False)
    scorer.reload()
    scorer.locator('#status[data-state="offline"]').wait_for()
    scorer.unroute_all(behavior="ignoreErrors")
    recorded(scorer, 5)
    assert [event.get("card") for event in api.events(match)[2:]] == ["2D", "2H", "2S"]


def test_offline_the_next_player_is_asked_for_and_tricks_go_on(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    offline(desk)
    desk.keyboard.type("2d2h2s2c")
    desk.get_by_text("4 entries wait to be sent").wait_for()
    assert prompt(desk) == "chloe to play"
    desk.keyboard.type("3h 3s ")
    desk.get_by_text("6 entries wait to be sent").wait_for()
    desk.context.set_offline(False)
    recorded(desk, 8)
    assert [event["seat"] for event in api.events(match)[2:]] == [1, 2, 3, 0, 2, 3]


def test_a_refused_entry_holds_the_next_ones_until_the_scorer_decides(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    offline(desk, match)
    desk.keyboard.type("2d chloe 2h dev 2s ana 2c ")
    # Nobody can know without the rules that it is not ben who leads now.
    desk.keyboard.type("ben 3d ")
    desk.get_by_text("5 entries wait to be sent").wait_for()
    desk.keyboard.type("chloe 3h ")
    desk.context.set_offline(False)
    desk.locator("#question", has_text="table.turn").wait_for()
    assert len(api.events(match)) == 6
    desk.get_by_role("button", name="Take back all 2").click()
    settled(desk)
    assert len(api.events(match)) == 6


def test_a_deal_in_the_making_survives_a_reload(phone: Page, api: Api) -> None:
    match = diversity(api)
    go_score(phone, match)
    phone.locator("#tray").get_by_role("button", name="3 chloe").tap()
    for face in ("2C", "3C"):
        phone.locator(f'#tray button[data-face="{face}"]').tap()
    phone.reload()
    settled(phone)
    assert prompt(phone) == "chloe deals. Next card: ana (3 of 13)"
    phone.locator('#tray button[data-face="2C"]').tap()
    assert prompt(phone) == "chloe deals. Next card: ana (2 of 13)"


def test_a_server_that_crashes_and_restarts_neither_loses_nor_repeats_events(
    browser: Browser, tmp_path: Path, port: int
) -> None:
    db = tmp_path / "club.db"
    tokens = Tokens(db)
    token = tokens.create("sam", "scorer", 1)
    tokens.close()
    serve = ("serve", "--db", str(db), "--port", str(port), "--rate", "0")
    with contextlib.ExitStack() as stack:
        with running(command(*serve)) as (address, _):
            page = stack.enter_context(scorer_at(browser, "desktop", address, token))
            match = diversity(Api(address, token), dealt())
            go_score(page, match)
            page.keyboard.type("2d")
            recorded(page, 3)
            page.locator("#score[data-judges]").wait_for()
        page.keyboard.type("2h2s")
        page.get_by_text("2 entries wait to be sent").wait_for()
        with running(command(*serve)):
            # A new run of the server knows no browser any more.
            page.get_by_text("You are signed out").wait_for()
            page.goto(f"/matches/{match}/score?token={token}")
            recorded(page, 5)
            assert [event.get("card") for event in Api(address, token).events(match)[2:]] == ["2D", "2H", "2S"]


def test_without_a_stream_the_page_polls(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    desk.route("**/live*", lambda route: route.fulfill(status=503))
    go_score(desk, match)
    api.record(match, ev.Play(seat=1, card="2D"))
    recorded(desk, 3)
    assert prompt(desk) == "chloe to play"


def test_two_windows_of_one_browser_send_everything_once(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    other = desk.context.new_page()
    go_score(other, match)
    desk.keyboard.type("2d2h2s2c")
    recorded(desk, 6)
    recorded(other, 6)
    assert len(api.events(match)) == 6


# --- opening, and the rest of the page


@pytest.mark.parametrize("game", ["ruff", "hecto-diversity", "bridge"])
def test_every_card_is_in_sight_on_a_phone_while_a_deal_is_entered(phone: Page, api: Api, game: str) -> None:
    go_score(phone, api.open(ev.Open(game=game, players=NAMES[:4])))
    if prompt(phone).startswith("Who"):
        phone.locator("#tray button").first.click()
    phone.locator("#tray .card").first.click()
    cards = phone.locator("#tray .card").all()
    sides = [card.bounding_box() or {} for card in cards]
    assert len(cards) >= 48
    assert all(side["y"] >= 0 and side["y"] + side["height"] <= 740 and side["width"] >= 30 for side in sides)
    undo = phone.get_by_role("button", name="Undo").bounding_box() or {}
    assert undo["y"] + undo["height"] <= 760
    assert fits(phone)


@pytest.mark.parametrize("game", ["ruff", "diversity"])
def test_with_hidden_hands_cards_keep_their_places_on_a_phone_with_undo_and_prompt_in_sight(
    phone: Page, api: Api, game: str
) -> None:
    match = api.open(ev.Open(game=game, players=NAMES[:4]), ev.Deal(dealer=3, hands=None))
    go_score(phone, match)
    places = """() => Object.fromEntries([...document.querySelectorAll("#tray .card")].map((card) => {
      const { left, top } = card.getBoundingClientRect();
      return [card.dataset.face, [Math.round(left), Math.round(top + scrollY)]];
    }))"""
    first = phone.evaluate(places)
    assert len(first) >= 48
    for place, face in enumerate(["5D", "6D", "7D", "8D", "9D", "TD"], 1):
        phone.locator(f'#tray .card[data-face="{face}"]').click()
        recorded(phone, 2 + place)
        now = phone.evaluate(places)
        moved = {
            one: (first[one], now[one])
            for one in now
            if max(abs(a - b) for a, b in zip(first[one], now[one], strict=True)) > 2
        }
        assert moved == {}, place
        assert len(now) == len(first) - place
    for part in ("#prompt", "#acts button"):
        box = phone.locator(part).first.bounding_box() or {}
        assert box["y"] >= 0 and box["y"] + box["height"] <= 740, part


def empty_form(page: Page, more: str = "") -> None:
    """Open the form of a new match without the names of the last one, with all that is folded away."""
    page.goto(f"/matches/new?players=none{more}")
    page.evaluate("for (const part of document.querySelectorAll('.opening details')) part.open = true")


def test_the_form_of_a_new_match_proposes_the_last_table_and_is_short(phone: Page, api: Api) -> None:
    phone.goto("/matches/new?players=none&game=hearts")
    for field, name in zip(phone.locator("[name=player]:visible").all(), NAMES, strict=False):
        field.fill(name)
    phone.get_by_role("button", name="Open the match").click()
    phone.wait_for_url("**/score")
    phone.goto("/matches/new")
    assert [field.input_value() for field in phone.locator("[name=player]:visible").all()] == [*NAMES[:4]]
    assert phone.locator("#game-chosen").inner_text() == "Hearts"
    assert phone.evaluate("document.documentElement.scrollHeight") < 1300
    before = phone.url
    phone.get_by_role("button", name="Open the match").click()
    phone.wait_for_url("**/score")
    assert phone.url != before


def test_a_match_is_opened_and_its_seats_and_options_follow_the_game(scorer: Page) -> None:
    empty_form(scorer, "&game=hearts")
    accessible(scorer)
    seats = scorer.locator("[name=player]:visible")
    assert seats.count() == 4
    scorer.get_by_role("radio", name="Ruff 3 to 5").check()
    assert seats.count() == 3
    assert scorer.get_by_role("group", name="Options of Ruff", exact=True).is_visible()
    assert not scorer.get_by_role("group", name="Options of Diversity", exact=True).is_visible()
    scorer.get_by_role("button", name="One more player").click()
    for field, name in zip(seats.all(), NAMES, strict=False):
        field.fill(name)
    assert fits(scorer)
    scorer.get_by_role("button", name="Open the match").click()
    scorer.wait_for_url("**/score")
    settled(scorer)
    assert prompt(scorer) == "Who deals?"
    accessible(scorer)
    assert fits(scorer)


def test_the_third_player_of_a_game_for_two_or_four_asks_for_a_fourth(scorer: Page) -> None:
    empty_form(scorer, "&game=hearts")
    ruff = scorer.get_by_role("radio", name="Ruff 3 to 5")
    ruff.evaluate("radio => radio.dataset.sizes = '[2, 4]'")
    ruff.check()
    seats = scorer.locator("[name=player]:visible")
    assert seats.count() == 2
    scorer.get_by_role("button", name="One more player").click()
    for field, name in zip(seats.all(), NAMES, strict=False):
        field.fill(name)
    assert seats.count() == 4
    assert scorer.locator("[name=player]:required").count() == 4
    seats.nth(2).fill("")
    assert scorer.locator("[name=player]:required").count() == 2


def test_a_name_similar_to_a_known_one_needs_confirmation(scorer: Page, api: Api) -> None:
    api.open(ev.Open(game="diversity", players=("Zoë", "quentin", "ruth", "xaver")))
    new = f"xaver{'i' if (scorer.viewport_size or {}).get('width') == 360 else 'r'}"  # the ledger is that of all tests
    empty_form(scorer, "&game=diversity")
    for field, name in zip(scorer.locator("[name=player]:visible").all(), ("zoe", "quentni", "ruth", new), strict=True):
        field.fill(name)
    scorer.get_by_role("button", name="Open the match").click()
    question = scorer.get_by_role("group", name="zoe: did you mean")
    question.wait_for()
    accessible(scorer)
    assert fits(scorer)
    question.get_by_role("radio", name="Zoë").check()
    # Who types the name again need not answer.
    scorer.locator("[name=player]").nth(1).fill("quentin")
    assert scorer.get_by_role("group", name="quentni:").count() == 0
    scorer.get_by_role("radio", name=f"No, {new} is a new player").check()
    scorer.get_by_role("button", name="Open the match").click()
    scorer.wait_for_url("**/score")
    match = scorer.url.split("/")[-2]
    assert api.ask(f"/matches/{match}")["players"] == ["Zoë", "quentin", "ruth", new]


def test_the_form_shows_partners_as_names_are_typed(scorer: Page) -> None:
    empty_form(scorer, "&game=euchre")
    said = scorer.locator("#sides")
    assert said.inner_text().translate(ISOLATES) == "Seat 1 and Seat 3 against Seat 2 and Seat 4"
    for field, name in zip(scorer.locator("[name=player]:visible").all(), NAMES, strict=False):
        field.fill(name)
    assert said.inner_text().translate(ISOLATES) == "ana and chloe against ben and dev"
    accessible(scorer)
    assert fits(scorer)
    scorer.get_by_role("radio", name="Hearts 4 players").check()
    assert not said.is_visible()
    scorer.get_by_role("radio", name="Euchre 4 players, with partners").check()
    scorer.get_by_role("button", name="Open the match").click()
    scorer.wait_for_url("**/score")
    assert " ".join(scorer.locator(".sides").inner_text().split()) == "ana and chloe against ben and dev"
    assert fits(scorer)


def test_a_family_scores_hearts_with_a_few_taps_a_hand(phone: Page, api: Api) -> None:
    """A new user is asked one thing at a time: the dealer, then the kind of record, then four numbers."""
    match = api.open(ev.Open(game="hearts", players=NAMES[:4], policy="record"))
    go_score(phone, match)
    tray = phone.locator("#tray")
    assert tray.get_by_role("button").all_inner_texts() == [f"{seat} {name}" for seat, name in enumerate(NAMES[:4], 1)]
    tray.get_by_role("button", name="2 ben").tap()
    for count, points in ((3, (0, 13, 5, 8)), (5, (26, 0, 26, 26))):
        tray.get_by_role("button", name="Only the points").tap()
        for field, number in zip(phone.locator("dialog input").all(), points, strict=True):
            assert field.get_attribute("inputmode") == "numeric"
            field.fill(str(number))
        assert phone.locator("dialog .sum").inner_text() == f"Together {sum(points)}"
        accessible(phone)
        phone.get_by_role("button", name="Record", exact=True).tap()
        recorded(phone, count)
    assert api.table(match)["totals"] == [26, 13, 31, 34]


def test_bids_and_tricks_are_tapped_in_hidden_hands(phone: Page, api: Api) -> None:
    match = api.open(ev.Open(game="spades", players=NAMES[:4], policy="record"))
    go_score(phone, match)
    tray = phone.locator("#tray")
    for press in ("1 ana", "Leave the hands hidden", "3", "nil", "4", "2"):
        tray.get_by_role("button", name=press, exact=True).tap()
    recorded(phone, 6)
    tray.get_by_role("button", name="Only the tricks").tap()
    assert phone.locator("dialog h2").inner_text() == "Tricks of this hand"
    # A nil needs the tricks of each partner; those of the others are one number.
    labels = [label.inner_text() for label in phone.locator("dialog label").all()]
    assert labels == ["ana", "chloe", "ben and dev"]
    for field, number in zip(phone.locator("dialog input").all(), (4, 0, 9), strict=True):
        field.fill(str(number))
    phone.get_by_role("button", name="Record", exact=True).tap()
    recorded(phone, 7)
    assert api.table(match)["totals"] == [122, 72, 122, 72]


@pytest.mark.long
def test_partners_share_one_number_of_tricks(desk: Page, api: Api) -> None:
    match = api.open(ev.Open(game="whist", players=NAMES[:4]), ev.Deal(dealer=0, hands=None, upcard=None))
    go_score(desk, match)
    say(desk, "claim 8 5")
    recorded(desk, 3)
    assert api.events(match)[2] == {"type": "claim", "tricks": [4, 3, 4, 2]}
    assert api.table(match)["totals"] == [2, 0, 2, 0]
    say(desk, "hidden")
    say(desk, "?")
    recorded(desk, 4)
    desk.get_by_role("button", name="Only the tricks").click()
    for field, number in zip(desk.locator("dialog input").all(), (3, 10), strict=True):
        field.fill(str(number))
    desk.locator("dialog").get_by_role("button", name="Record").click()
    recorded(desk, 5)
    assert api.table(match)["totals"] == [2, 4, 2, 4]


def test_negative_points_are_typed_without_a_minus_key(scorer: Page, api: Api) -> None:
    match = api.open(ev.Open(game="spades", players=NAMES[:4], policy="record"))
    go_score(scorer, match)
    scorer.locator("#tray").get_by_role("button", name="1 ana").click()
    scorer.get_by_role("button", name="Only the points").click()
    for field, number in zip(scorer.locator("dialog input").all(), (52, 40), strict=True):
        field.fill(str(number))
    scorer.get_by_role("button", name="ben and dev: plus or minus").click()
    assert scorer.locator("dialog input").nth(1).input_value() == "-40"
    scorer.locator("dialog").get_by_role("button", name="Record").click()
    recorded(scorer, 3)
    assert api.table(match)["totals"] == [52, -40, 52, -40]


def test_a_match_is_opened_without_script(browser: Browser, scoring: tuple[str, str]) -> None:
    address, token = scoring
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto(f"/matches/new?token={token}")
    page.goto("/matches/new?players=none&game=hearts")
    page.locator("#which-game summary").click()
    page.get_by_role("radio", name="Poison Hearts").check()
    for field, name in zip(page.locator("[name=player]").all()[:2], NAMES, strict=False):
        field.fill(name)
    page.get_by_role("button", name="Open the match").click()
    assert "is for 3 to 6 players; you have entered 2" in page.locator("#wrong-players").inner_text()
    page.locator("[name=player]").nth(2).fill("chloe")
    page.get_by_role("button", name="Open the match").click()
    page.wait_for_url("**/score")
    assert "card by card needs scripts" in page.locator("noscript").inner_text()
    context.close()


def test_a_complete_match_names_the_winners_and_links_to_its_page(desk: Page, api: Api) -> None:
    opening = ev.Open(game="diversity", players=NAMES[:4], options={"hands": 1})
    match = api.open(opening, dealt())
    go_score(desk, match)
    say(desk, "claim 1 4 4 4")
    recorded(desk, 3)
    points = desk.locator("#points").inner_text().replace("\u2068", "").replace("\u2069", "")
    assert points == "ana wins: ana 1, ben 4, chloe 4, dev 4"
    accessible(desk)
    desk.locator("#result").get_by_role("link", name="Match page").click()
    desk.wait_for_url(f"**/matches/{match}")


def test_partners_win_together(desk: Page, api: Api) -> None:
    opening = ev.Open(game="euchre", players=NAMES[:4], options={"hands": 1})
    match = api.open(opening, ev.Deal(dealer=0, hands=None, upcard=None))
    go_score(desk, match)
    say(desk, "score 0 2")
    recorded(desk, 3)
    points = desk.locator("#points").inner_text().translate(ISOLATES)
    assert points == "ben and dev win: ana and chloe 0, ben and dev 2"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_can_be_read_by_everybody(scorer: Page, api: Api, scheme: str) -> None:
    scorer.emulate_media(color_scheme=scheme)
    opening, *events = bots("hecto-diversity")
    go_score(scorer, api.open(opening, *events[:2]))
    accessible(scorer)
    assert fits(scorer)


def test_words_are_read_as_scorers_type_them(desk: Page, api: Api) -> None:
    match = diversity(api, dealt())
    go_score(desk, match)
    read = """async ([text, choices, kinds, faces, final]) => {
        const { read, missingKey, eventOf } = await import('/static/score-words.js');
        const card = { kinds, faces, suits: ['C', 'D', 'H', 'S'], deal: { each: 13, deck: faces } };
        const moment = { choices, turn: 1, phase: choices[0].type, players: ['Ana', 'ben', 'bea', '9s'], card };
        const found = read(text, moment, null, final);
        if (!found.draft) return found.error ? 'error' : found.command ?? 'wait';
        return missingKey(moment, found.draft) ? 'more' : JSON.stringify(eventOf(moment, found.draft)) + found.rest;
    }"""
    play = [{"type": "play", "seat": 1, "cards": ["9S"]}]
    kinds = {"play": ["seat", "card"], "pass": ["seat"]}
    standard = [face for suit in SUITS for face in suit]
    card = '{"type":"play","seat":1,"card":"%s"}'
    for text, final, found in (
        ("9s", False, card % "9S"), ("9S", False, card % "9S"), ("s9", False, card % "9S"), ("10H", False, card % "TH"),
        ("th", False, card % "TH"), ("h10", False, card % "TH"), ("9sth6c", False, card % "9S" + "th6c"),
        (" 9s th", False, card % "9S" + " th"), ("9", False, "wait"), ("1", False, "wait"), ("9", True, "error"),
        ("x", False, "error"), ("p", False, "wait"), ("p", True, '{"type":"pass","seat":1}'), ("undo", True, "undo"),
        ("u", True, "undo"), ("undo", False, "wait"), ("claim 1 2", True, "claim"), ("", True, "wait"),
        ("9♠", False, card % "9S"), ("♡10", False, card % "TH"), ("10♥\ufe0f", False, card % "TH"), ("9♠th", False, card % "9S" + "th"),
        ("as", False, card % "AS"), ("pass", False, '{"type":"pass","seat":1}'),
    ):  # fmt: skip
        assert desk.evaluate(read, [text, play, kinds, standard, final]) == found, text
    numbers = [str(number) for number in range(1, 81)]
    turn = [{"type": "discard", "seat": 1, "cards": ["3", "37"]}, {"type": "close", "seat": 1, "cards": ["37"]}]
    kinds = {"discard": ["seat", "card"], "close": ["seat", "card"]}
    for text, final, found in (
        ("37", False, '{"type":"discard","seat":1,"card":"37"}'), ("3", False, "wait"),
        ("3 ", False, '{"type":"discard","seat":1,"card":"3"} '), ("3", True, '{"type":"discard","seat":1,"card":"3"}'),
        ("close", False, "more"), ("c", True, "error"), ("99", True, '{"type":"discard","seat":1,"card":"9"}9'),
    ):  # fmt: skip
        assert desk.evaluate(read, [text, turn, kinds, numbers, final]) == found, text
    bid, anyone = [{"type": "bid", "seat": 1, "amounts": [0, 13]}], [{"type": "play", "seat": None}]
    for text, choices, final, found in (
        ("7", bid, False, '{"type":"bid","seat":1,"amount":7}'), ("1", bid, False, "wait"),
        ("12", bid, False, '{"type":"bid","seat":1,"amount":12}'), ("14", bid, True, '{"type":"bid","seat":1,"amount":1}4'),
        ("ana", anyone, False, "more"), ("be", anyone, True, "error"), ("b", anyone, False, "wait"), ("2", anyone, False, "more"),
    ):  # fmt: skip
        kinds = {"bid": ["seat", "amount"], "play": ["seat", "card"]}
        assert desk.evaluate(read, [text, choices, kinds, standard, final]) == found, text


def test_hostile_names_are_inert(scorer: Page, api: Api) -> None:
    # Names that turn the direction of writing are refused today.
    names = tuple(name.removeprefix("\u202e") for name in HOSTILE)
    match = api.open(ev.Open(game="diversity", players=names, policy="record"))
    go_score(scorer, match)
    scorer.locator("#tray button").first.click()
    scorer.get_by_role("button", name="Leave the hands hidden").click()
    recorded(scorer, 2)
    say(scorer, "9s")
    recorded(scorer, 3)
    scorer.get_by_role("button", name="Score", exact=True).click()
    scorer.keyboard.press("Escape")
    assert scorer.locator("main script, main img, main b:not(.index b), dialog img, dialog script").count() == 0
    assert fits(scorer)


@pytest.mark.long
def test_a_match_of_four_hands_is_typed_on_one_sheet(phone: Page, api: Api) -> None:
    """The sheet says at once what is wrong."""
    match = api.open(ev.Open(game="hearts", players=NAMES[:4]))
    hands = ((5, 8, 13, 0), (0, 26, 26, 26), (2, 4, 6, 14), (13, 13, 0, 0))
    phone.goto(f"/matches/{match}/sheet")
    phone.locator("[name=first]").select_option(label="2 ben")
    phone.locator(".hands input").first.tap()
    for number in (number for hand in hands for number in hand):
        phone.keyboard.type(str(number))
        phone.keyboard.press("Enter")
    phone.locator("#hand-5").wait_for()
    phone.wait_for_function("() => document.querySelector('#hand-4 .standing').innerText.includes('+13')")
    phone.get_by_role("button", name="Record the hands").tap()
    phone.wait_for_function("() => document.querySelectorAll('tbody.recorded').length === 4")
    assert api.table(match)["totals"] == [20, 51, 45, 40]
    assert api.events(match)[1]["dealer"] == 1

    # Rows are added later; what cannot be is said beside the row.
    for place, number in enumerate((5, 5, 5, 5)):
        phone.locator("#hand-5 input").nth(place).fill(str(number))
    remark = phone.locator("#remark-5", has_text="Hearts and the queen make 26 points together, not 20")
    remark.wait_for()
    for target in phone.locator(".hands input, .hand-sheet button:visible").all():
        box = target.bounding_box()
        assert box is not None
        assert box["height"] >= 40, target.get_attribute("name")
    accessible(phone)
    assert fits(phone)

    # Another phone ends the match while somebody types here.
    api.record(match, ev.End())
    with phone.expect_response("**/sheet"):
        phone.locator("#hand-6 input").first.fill("5")
    phone.locator("#ends").wait_for(state="hidden")


def test_a_sheet_works_without_script(browser: Browser, scoring: tuple[str, str], api: Api) -> None:
    address, token = scoring
    match = api.open(ev.Open(game="spades", players=NAMES[:4]))
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto(f"/matches/{match}/sheet?token={token}")
    for name, number in (("bid-0", 3), ("bid-1", 4), ("bid-2", 0), ("bid-3", 2), ("tricks-0", 4), ("tricks-1", 9)):
        page.locator(f"[name={name}]").first.fill(str(number))
    page.get_by_role("button", name="Check").click()
    assert page.locator("#remark-1").inner_text() == "The side of chloe bid nil: write the tricks of each partner."
    page.locator("[name=tricks-2]").first.fill("0")
    page.get_by_role("button", name="Record the hands").click()
    page.locator("tbody.recorded").wait_for()
    context.close()
    assert api.table(match)["totals"] == [131, 63, 131, 63]


def test_whoever_calls_the_suit_goes_alone_when_that_is_typed(desk: Page, api: Api) -> None:
    """Next a defender might go alone: that is another word."""
    match = api.open(ev.Open(game="euchre", players=NAMES[:4], options={"lone_defender": True}))
    api.record(match, ev.Deal(dealer=3, hands=None, upcard=None))
    go_score(desk, match)
    say(desk, "p p p p")
    recorded(desk, 6)
    say(desk, "s alone")
    recorded(desk, 7)
    assert api.events(match)[-1]["call"] == "spades alone"


def test_an_auction_is_typed_in_words_as_short_as_people_write_them(desk: Page, api: Api) -> None:
    """Eight calls are one line."""
    match = api.open(ev.Open(game="bridge", players=NAMES[:4], policy="record", options={"boards": 3}))
    go_score(desk, match)
    say(desk, "hidden")
    recorded(desk, 2)
    say(desk, "1h p 2h p 4h p p p")
    recorded(desk, 10)
    say(desk, "claim 10 3")
    recorded(desk, 11)
    say(desk, "board 7 hidden")
    recorded(desk, 12)
    say(desk, "1n x xx p p p")
    recorded(desk, 18)
    first, second = (event for event in api.events(match) if event["type"] == "deal")
    assert (first, second) == (
        {"type": "deal", "dealer": 0, "hands": None, "board": 1}, {"type": "deal", "hands": None, "board": 7}
    )  # fmt: skip
    table = api.table(match)
    assert (table["contract"], table["declarer"], table["totals"]) == ("1NTXX", 2, [420, -420, 420, -420])


def test_a_board_that_is_passed_out_is_one_tap(desk: Page, api: Api) -> None:
    match = api.open(ev.Open(game="bridge", players=NAMES[:4], policy="record", options={"boards": 4}))
    go_score(desk, match)
    desk.locator("#tray").get_by_role("button", name="Passed out").click()
    recorded(desk, 6)
    say(desk, "contract pass")
    recorded(desk, 11)
    say(desk, "contract 4s w +1")
    recorded(desk, 13)
    assert [event.get("call") for event in api.events(match)][2:6] == ["pass"] * 4
    assert api.table(match)["totals"] == [-650, 650, -650, 650]


def test_a_contract_and_its_result_are_one_line(desk: Page, api: Api) -> None:
    match = api.open(ev.Open(game="bridge", players=NAMES[:4], policy="record", options={"boards": 4}))
    go_score(desk, match)
    say(desk, "co 4s 1 +1")
    recorded(desk, 3)
    say(desk, "contract 3ntx ben -1")
    recorded(desk, 5)
    say(desk, "contract 8s 1 9")
    desk.locator("dialog").get_by_text("Write the contract, who plays it, and the result").wait_for()
    desk.get_by_role("button", name="Cancel").click()
    desk.locator("#tray").get_by_role("button", name="Only the contract").click()
    desk.locator("dialog input").fill("2h 3 =")
    desk.get_by_role("button", name="Record", exact=True).click()
    recorded(desk, 7)
    assert api.table(match)["totals"] == [660, -660, 660, -660]
    assert [event.get("board") for event in api.events(match) if event["type"] == "deal"] == [1, 2, 3]
