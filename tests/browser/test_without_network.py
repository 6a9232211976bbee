"""Scoring without a connection: corrections of entries that wait, matches that wait, and two phones that meant one hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.rules.engine import events as ev
from tests.browser.looking import accessible, fits
from tests.browser.scoring import SUITS, go_score, offline, prompt, settled, waits

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.scoring import Api

PLAYERS = ("ana", "ben", "chloe", "dev")


def dealt(api: Api, *more: ev.Event) -> str:
    return api.open(ev.Open(game="diversity", players=PLAYERS), ev.Deal(dealer=0, hands=SUITS), *more)


def logged(page: Page, seq: int) -> None:
    page.locator(f'#log ol[data-seq="{seq}"]').wait_for(state="attached")


def test_entries_that_wait_are_amended_taken_back_and_entered_again(scorer: Page, api: Api) -> None:
    """The record is the one of a phone with a connection; the log shows what waits, a reload changes nothing."""
    match = dealt(api)
    go_score(scorer, match)
    offline(scorer)
    scorer.locator("#said").focus()
    scorer.keyboard.type("2d2h2s2c3h")
    logged(scorer, 7)
    log = scorer.locator("#log")
    assert log.locator("li.waits").count() == 5
    scorer.get_by_role("button", name="Amend event 7: chloe plays 3♥").click()
    scorer.get_by_text("Event 7 was: chloe plays").wait_for()
    scorer.locator('#tray button[data-face="4H"]').click()
    scorer.locator("#question").get_by_role("button", name="Record the correction").click()
    logged(scorer, 8)
    assert "counts as: chloe plays 4♥" in log.locator('li[data-seq="7"]').inner_text().replace("\u2068", "")
    log.locator('li[data-seq="5"]').get_by_role("button", name="Undo to here").click()
    scorer.get_by_role("button", name="Take back 2 events").click()
    logged(scorer, 9)
    assert prompt(scorer) == "ana to play"
    scorer.get_by_role("button", name="Redo", exact=True).click()
    logged(scorer, 10)
    accessible(scorer)
    assert fits(scorer)
    scorer.locator("#said").fill("claim 3 3 3 3 ")
    scorer.keyboard.press("Enter")
    logged(scorer, 11)
    assert len(api.events(match)) == 2
    scorer.context.set_offline(False)
    settled(scorer)
    assert scorer.locator("#log li.waits").count() == 0
    plays = [
        ev.Play(seat=1, card="2D"),
        ev.Play(seat=2, card="2H"),
        ev.Play(seat=3, card="2S"),
        ev.Play(seat=0, card="2C"),
    ]
    other = dealt(api, *plays, ev.Play(seat=2, card="3H"))
    amend = ev.Amend(about=7, event=ev.Play(seat=2, card="4H"))
    api.record(other, amend, ev.Retract(to=5), ev.Retract(to=6), ev.Claim(tricks=(3, 3, 3, 3)))
    assert api.events(match) == api.events(other)


def test_a_correction_goes_with_the_entry_that_it_means_wherever_that_is_recorded(desk: Page, api: Api) -> None:
    match = dealt(api)
    go_score(desk, match)
    offline(desk)
    desk.keyboard.type("2d2h")
    logged(desk, 4)
    desk.get_by_role("button", name="Amend event 4: chloe plays 2♥").click()
    desk.get_by_text("Event 4 was: chloe plays").wait_for()
    desk.locator('#tray button[data-face="5H"]').click()
    desk.locator("#question").get_by_role("button", name="Record the correction").click()
    logged(desk, 5)
    api.record(match, ev.Note(text="rain"))
    desk.context.set_offline(False)
    settled(desk)
    assert api.events(match)[-1] == {"type": "amend", "about": 5, "event": {"type": "play", "seat": 2, "card": "5H"}}


def test_a_breach_is_asked_about_at_once_and_its_amendment_goes_with_it(desk: Page, api: Api) -> None:
    match = dealt(api)
    go_score(desk, match)
    offline(desk)
    desk.keyboard.type("2d9s ")
    desk.locator("#question").get_by_role("button", name="Take it back").wait_for()
    desk.keyboard.type("n ")
    waits(desk, 1)
    logged(desk, 3)
    desk.get_by_role("button", name="Amend event 3: ben plays 2♦").click()
    desk.locator('#tray button[data-face="3D"]').click()
    desk.locator("#question").get_by_role("button", name="Record the correction").click()
    logged(desk, 4)
    desk.get_by_role("button", name="End", exact=True).click()
    desk.get_by_label("Reason (optional)").fill("dinner")
    desk.locator("dialog").get_by_role("button", name="End the match").click()
    desk.locator("#points", has_text="Ended early").wait_for()
    desk.context.set_offline(False)
    settled(desk)
    assert [event["type"] for event in api.events(match)[2:]] == ["play", "amend", "end"]


def test_two_records_of_one_hand_stand_side_by_side_and_one_tap_decides(phone: Page, api: Api) -> None:
    """Nothing is recorded before; the first difference is marked; what is replaced is taken back by an event."""
    match = dealt(api)
    go_score(phone, match)
    offline(phone)
    for face in ("2D", "2H", "2S", "2C"):
        phone.locator(f'#tray button[data-face="{face}"]').tap()
    logged(phone, 6)
    theirs = [ev.Play(seat=1, card="2D"), ev.Play(seat=2, card="5H"), ev.Play(seat=3, card="2S")]
    api.record(match, *theirs)
    phone.context.set_offline(False)
    two = phone.locator("#question .two-records")
    two.wait_for()
    assert len(api.events(match)) == 5
    marks = [mark.replace("\u2068", "").replace("\u2069", "") for mark in two.locator("mark").all_inner_texts()]
    assert ["chloe plays" in mark for mark in marks] == [True, True]
    assert "sam" in two.inner_text()
    accessible(phone)
    assert fits(phone)
    phone.get_by_role("button", name="Keep what is recorded, then my last entry").wait_for()
    phone.get_by_role("button", name="Replace it with mine").tap()
    settled(phone)
    more = [{"type": "retract", "to": 3}]
    more += [
        {"type": "play", "seat": 2, "card": "2H"},
        {"type": "play", "seat": 3, "card": "2S"},
        {"type": "play", "seat": 0, "card": "2C"},
    ]
    assert api.events(match)[5:] == more
    assert prompt(phone) == "chloe to play"


def test_the_same_record_on_two_phones_is_no_question_also_after_a_reload(desk: Page, api: Api) -> None:
    match = dealt(api)
    go_score(desk, match)
    offline(desk)
    desk.keyboard.type("2d2h2s")
    logged(desk, 5)
    api.record(match, ev.Play(seat=1, card="2D"), ev.Play(seat=2, card="2H"))
    desk.context.set_offline(False)
    desk.reload()
    settled(desk)
    assert [event["card"] for event in api.events(match)[2:]] == ["2D", "2H", "2S"]
    desk.locator("#error", has_text="Another scorer has recorded the same").wait_for(state="attached")
