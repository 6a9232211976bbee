"""The replayer in a real browser: stepping, jumping, trying other plays, sharing, and standing in a frame."""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from cardledger_web.views.replay import FRAME_HEIGHT
from tests.api.recording import match_of
from tests.api.recording import plain as in_json
from tests.browser.conftest import watched
from tests.browser.elsewhere import elsewhere
from tests.browser.looking import GAMES, accessible, explore, fits
from tests.browser.scoring import scorer_at
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page, Route


def replays(page: Page, game: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the address of each match of a game, and the replay of its second hand, or only one."""
    found = []
    for match in page.request.get(f"/api/v1/matches?limit=200&game={game}").json()["matches"]:
        hand = min(2, match["hands"])
        answer = page.request.get(f"/api/v1/matches/{match['id']}/hands/{hand}/replay").json()
        found.append((f"/matches/{match['id']}/replay", answer))
    return found


def line(replay: dict[str, Any]) -> list[int]:
    return [step["seq"] for step in replay["steps"] if step["counts"]]


def open_at(page: Page, path: str, query: str = "") -> None:
    answer = page.goto(f"{path}{query}")
    assert answer is not None
    assert answer.status == 200
    page.locator("[data-ready]").wait_for()
    assert fits(page), f"{path} is wider than the screen"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_replayer_asks_for_at_most_eight_files(browser: Browser, address: str, language: str) -> None:
    context = browser.new_context(base_url=address, locale=language)
    page = context.new_page()
    (path, _) = replays(page, "ruff")[0]
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_at(page, path)
    page.wait_for_load_state("networkidle")
    assert 4 < len(asked) <= 8, asked
    asked.clear()
    open_at(page, path)
    again = page.evaluate(
        "performance.getEntriesByType('resource').filter((e) => /\\.(js|css)$/.test(e.name)).map((e) => e.transferSize)"
    )
    assert again and not any(again), "scripts and styles come from the browser's own cache"
    context.close()


def shows(page: Page, seq: int) -> None:
    """Wait until the replayer shows an event, in the log and in the panel."""
    page.locator(f'.log [data-seq="{seq}"][aria-current]').wait_for(state="attached")
    assert page.locator(".event .words .seq").inner_text() == str(seq)


def at(page: Page, seq: int) -> None:
    """Wait until the replayer is at an event, also in the address."""
    shows(page, seq)
    page.wait_for_url(re.compile(rf"/replay/{seq}(\?|$)"))


def tap(card: Locator) -> None:
    """Click the visible part of a card that is partly covered."""
    card.click(position={"x": 6, "y": 9})


def still(page: Page) -> None:
    """Let no time pass in a page but what the test lets pass."""
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))


@pytest.fixture
def desk(browser: Browser, address: str) -> Iterator[Page]:
    """A page on a desktop screen, for tests that do not depend on the screen."""
    with watched(browser, "desktop", address) as page:
        yield page


@pytest.fixture
def ruff(page: Page) -> tuple[Page, list[int], dict[str, Any]]:
    """A page at the middle of a hand of ruff, and the events of the hand."""
    path, replay = next(
        found for found in replays(page, "ruff") if not found[1]["hidden"] and len(found[1]["tricks"]) > 8
    )
    seqs = line(replay)
    open_at(page, f"{path}/{seqs[len(seqs) // 2]}")
    return page, seqs, replay


HEARD = """
window.heard = [];
window.EventSource = class extends EventSource {
  addEventListener(kind, listener) {
    super.addEventListener(kind, (event) => {
      listener(event);
      if (kind === "message") window.heard.push(event.lastEventId);
    });
  }
};
"""
"""Script by which a page says which events it has heard of, and done with them what it does."""


@pytest.mark.parametrize("game", GAMES)
def test_every_hand_is_drawn_and_stepped_through(page: Page, game: str) -> None:
    for path, replay in replays(page, game)[:3]:
        seqs = line(replay)
        open_at(page, f"{path}/{seqs[0]}")
        page.keyboard.press("End")
        shows(page, seqs[-1])
        page.keyboard.press("ArrowLeft")
        shows(page, seqs[-2])
        page.keyboard.press("Home")
        shows(page, seqs[0])
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        at(page, seqs[:3][-1])
        assert fits(page)


def reviewed(page: Page, path: str) -> None:
    """Wait until the hands of a match are reviewed, so that its pages show what each choice cost."""
    address = f"/api/v1/matches/{path.split('/')[2]}/review"

    def done() -> bool:
        hands = page.request.get(address).json()["hands"]
        return all(one["left_out"] or one["decisions"] is not None for one in hands)

    wait_until(done, "the review of the hands")


def test_while_a_hand_is_on_its_way_the_page_says_so_and_stays_in_its_place(page: Page) -> None:
    path, replay = replays(page, "ruff")[0]
    seqs = line(replay)
    reviewed(page, path)
    held: list[Route] = []
    page.route("**/positions*", lambda route: held.append(route))
    page.goto(f"{path}/{seqs[4]}")
    page.locator("#where", has_text="on its way").wait_for()
    parts = ["#table", ".controls", "#where", ".event"]
    tops = "(parts) => parts.map((part) => document.querySelector(part).getBoundingClientRect().top)"
    before = page.evaluate(tops, parts)
    assert page.locator(".strip li").count() > 20
    assert fits(page)
    held.pop().continue_()
    page.locator("[data-ready]").wait_for()
    assert page.locator("#where").inner_text() == f"5 of {len(seqs)}"
    assert page.evaluate(tops, parts) == before


def test_a_key_that_is_pressed_before_the_hand_is_there_counts_as_soon_as_it_is(desk: Page) -> None:
    path, replay = replays(desk, "ruff")[0]
    seqs = line(replay)
    held: list[Route] = []
    desk.route("**/positions*", lambda route: held.append(route))
    desk.goto(f"{path}/{seqs[4]}")
    desk.locator("#where", has_text="on its way").wait_for()
    desk.keyboard.press("ArrowRight")
    held.pop().continue_()
    at(desk, seqs[5])


def test_a_hand_that_does_not_come_leaves_the_page_with_its_links(browser: Browser, address: str, desk: Page) -> None:
    path, replay = replays(desk, "ruff")[0]
    seqs = line(replay)
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.route("**/positions*", lambda route: route.abort())
    page.goto(f"{path}/{seqs[4]}")
    page.get_by_role("link", name="Next event").click()
    page.wait_for_url(f"**/replay/{seqs[5]}")
    shows(page, seqs[5])
    context.close()


def test_in_the_last_trick_the_next_hand_is_fetched_ahead(desk: Page) -> None:
    path, replay = next(found for found in replays(desk, "ruff") if found[1]["hand"] < found[1]["hands"])
    seqs, asked = line(replay), list[str]()
    open_at(desk, f"{path}/{seqs[3]}")
    desk.on("request", lambda request: asked.append(request.url))
    with desk.expect_response("**/positions*"):
        desk.keyboard.press("End")
        desk.keyboard.press("ArrowLeft")
    assert len(asked) == 1
    assert f"/hands/{replay['hand'] + 1}/positions" in asked[0]


@contextmanager
def plain(browser: Browser, address: str) -> Iterator[Page]:
    """Yield a page without script."""
    context = browser.new_context(java_script_enabled=False, base_url=address)
    yield context.new_page()
    context.close()


@pytest.mark.everyday
def test_up_and_down_go_from_trick_to_trick(ruff: tuple[Page, list[int], dict[str, Any]]) -> None:
    page, seqs, replay = ruff
    here = seqs[len(seqs) // 2]
    ends = [trick["seq"] for trick in replay["tricks"]]
    page.keyboard.press("ArrowDown")
    at(page, min(end for end in ends if end > here))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    at(page, [end for end in ends if end < min(end for end in ends if end > here)][-2])


def test_the_slider_and_the_buttons_move_it(ruff: tuple[Page, list[int], dict[str, Any]]) -> None:
    page, seqs, _ = ruff
    page.locator("#slider").fill("3")
    at(page, seqs[3])
    page.get_by_role("link", name="Next event").click()
    at(page, seqs[4])
    page.get_by_role("link", name="Last event").click()
    at(page, seqs[-1])
    assert page.get_by_role("link", name="Next event").get_attribute("aria-disabled") == "true"
    assert page.locator("#slider").input_value() == str(len(seqs) - 1)


def test_log_lines_tricks_and_cards_link_to_their_position_and_back(
    ruff: tuple[Page, list[int], dict[str, Any]],
) -> None:
    page, seqs, replay = ruff
    page.locator(f'.log [data-seq="{seqs[3]}"]').click()
    at(page, seqs[3])
    trick = replay["tricks"][5]
    page.locator(f'.tricks [data-seq="{trick["seq"]}"]').click()
    at(page, trick["seq"])
    led = page.locator(f'.card-table .played [data-face="{trick["cards"][0]}"][data-seat="{trick["leader"]}"]')
    if led.is_visible():  # on a phone it has left the hand
        tap(led)
        at(page, trick["seq"] - len(trick["cards"]) + 1)
        page.go_back()
        at(page, trick["seq"])
    page.go_back()
    at(page, seqs[3])
    page.go_forward()
    at(page, trick["seq"])


def test_the_figure_marks_the_event_and_links_to_others(ruff: tuple[Page, list[int], dict[str, Any]]) -> None:
    page, seqs, _ = ruff
    cursor = page.locator("#cursor")
    for picture in (True, False):  # as a picture, and as Plotly draws it
        if not picture:
            explore(page)
            page.locator("h1").click()
        page.locator(".course").scroll_into_view_if_needed()
        cursor.wait_for(state="visible")
        page.keyboard.press("End")
        far = cursor.bounding_box()["x"] - page.locator(".course .figure").bounding_box()["x"]
        page.keyboard.press("Home")
        assert cursor.bounding_box()["x"] < far
        page.locator(".course .figure").click(position={"x": far, "y": 120})
        at(page, seqs[-1])


def test_it_plays_by_itself_until_stopped(ruff: tuple[Page, list[int], dict[str, Any]]) -> None:
    page, seqs, _ = ruff
    still(page)
    page.locator("#speed").select_option("150")
    page.locator("#speed").evaluate("(e) => e.blur()")
    page.keyboard.press(" ")
    page.clock.run_for(3 * 150)
    there = page.locator(".event .words .seq")
    assert there.inner_text() == str(seqs[len(seqs) // 2 + 3])
    page.keyboard.press(" ")
    assert page.locator("#autoplay").get_attribute("aria-pressed") == "false"
    page.clock.run_for(10_000)
    assert there.inner_text() == str(seqs[len(seqs) // 2 + 3])


def test_other_plays_are_tried_and_never_stored(ruff: tuple[Page, list[int], dict[str, Any]]) -> None:
    page, seqs, replay = ruff
    here = seqs[len(seqs) // 2]
    before = page.locator("#table").inner_html()
    tap(page.locator(".card-table .legal button").first)
    page.locator(".in-what-if").wait_for()
    assert "never stored" in page.locator("#what-if").inner_text()
    accessible(page)
    tap(page.locator(".card-table .legal button").last)
    page.locator("#what-if-words", has_text=",").wait_for()
    assert fits(page)
    page.get_by_role("button", name="Undo").click()
    page.keyboard.press("Backspace")
    page.locator(".in-what-if").wait_for(state="detached")
    assert page.locator("#table").inner_html() == before
    tap(page.locator(".card-table .legal button").first)
    page.locator(".in-what-if").wait_for()
    page.keyboard.press("Escape")
    assert page.locator("#table").inner_html() == before
    assert page.locator("#what-if").is_hidden()
    at(page, here)
    match = page.url.split("/")[4]
    assert page.request.get(f"/api/v1/matches/{match}").json()["seq"] == replay["seq"]


@pytest.mark.parametrize(
    ("game", "phase", "words"),
    [
        ("diamonds-bid", "bid", "Bid 1"),
        ("ruff", "ask", "for ♥"),
        ("ruff", "collect", "From"),
        ("diamonds-draw", "draw", "from the stock"),
        ("hecto-diversity", "draw", "from the discards"),
        ("hecto-diversity", "layoff", "Pass"),
    ],
)
def test_other_events_than_cards_can_be_tried_too(page: Page, game: str, phase: str, words: str) -> None:
    for match in page.request.get(f"/api/v1/matches?limit=200&game={game}").json()["matches"]:
        for hand in range(1, min(match["hands"], 8) + 1):
            replay = page.request.get(f"/api/v1/matches/{match['id']}/hands/{hand}/replay").json()
            state: dict[str, Any] = {}
            for step in replay["steps"]:
                state = state | step["table"]
                if state["phase"] == phase and not replay["hidden"] and step["counts"]:
                    open_at(page, f"/matches/{match['id']}/replay/{step['seq']}")
                    choice = page.locator("#choices button", has_text=words).first
                    choice.click()
                    page.locator(".in-what-if").wait_for()
                    page.keyboard.press("Escape")
                    page.locator(".in-what-if").wait_for(state="detached")
                    return
    pytest.fail(f"no {phase} in {game}")


def test_a_line_of_what_if_cards_has_an_address_that_shows_it_again(
    ruff: tuple[Page, list[int], dict[str, Any]],
) -> None:
    page, _, _ = ruff
    plain = page.url
    for place in (0, -1):
        count = page.locator("#what-if-words").inner_text().count(",")
        tap(page.locator(".card-table .legal button").nth(place))
        page.wait_for_function(
            "(n) => document.querySelector('.in-what-if') && document.querySelector('#what-if-words').innerText.split(',').length > n + 1",
            arg=count,
        )
    words, shared = page.locator("#what-if-words").inner_text(), page.url
    assert "#what-if=play." in shared
    assert page.locator("#link").input_value() == shared
    other = page.context.new_page()
    other.goto(shared)
    other.locator("#replayer[data-ready]").wait_for()
    assert other.locator("#what-if-words").inner_text() == words
    other.keyboard.press("Escape")
    other.locator(".in-what-if").wait_for(state="detached")
    assert other.url == plain
    # An address that was altered shows the record.
    other.goto(plain + "#what-if=play.x~%E0")
    other.reload()
    other.locator("#replayer[data-ready]").wait_for()
    assert other.locator("#what-if").is_hidden()
    other.close()


def test_a_view_keeps_the_place(ruff: tuple[Page, list[int], dict[str, Any]]) -> None:
    page, seqs, _ = ruff
    page.keyboard.press("ArrowRight")
    page.locator("#view").select_option("1")
    page.wait_for_url("**view=1")
    page.locator("[data-ready]").wait_for()
    at(page, seqs[len(seqs) // 2 + 1])
    assert page.locator(".card-table .seat.at-0 .player").inner_text() == "ben"
    assert page.locator(".card-table .card.back").count() > 0
    assert page.locator(".card-table .legal button").count() == 0
    page.keyboard.press("ArrowRight")
    at(page, seqs[len(seqs) // 2 + 2])
    assert "view=1" in page.url


def test_next_and_previous_hand(page: Page) -> None:
    path, replay = replays(page, "diversity")[-1]
    open_at(page, f"{path}/{replay['first']}")
    page.get_by_role("link", name="Hand 3").click()
    page.locator("[data-ready]").wait_for()
    at(page, replay["last"] + 1)
    page.get_by_role("link", name="Hand 2").click()
    page.locator("h1", has_text="Hand 2").wait_for()


def test_it_can_be_embedded_in_another_page(browser: Browser, address: str, desk: Page) -> None:
    path, _ = replays(desk, "ruff-2")[0]
    frame = f'<iframe src="{address}{path}/5{{}}" width="340" height="700"></iframe>'
    context = browser.new_context()
    other, complaints = context.new_page(), list[str]()
    other.on("console", lambda message: complaints.append(message.text))
    other.on("pageerror", lambda error: complaints.append(str(error)))
    with elsewhere({"/framed": frame.format("?embed=1"), "/whole": frame.format("")}) as origin:
        other.goto(f"{origin}/framed")
        framed = other.frame_locator("iframe")
        framed.locator("[data-ready]").wait_for()
        framed.get_by_role("link", name="Next event").click()
        framed.locator('.log [data-seq="6"][aria-current]').wait_for(state="attached")
        assert framed.locator("header.site").count() == 0
        assert [words for words in complaints if "favicon" not in words] == []
        with other.expect_console_message(lambda message: "frame-ancestors" in message.text):
            other.goto(f"{origin}/whole")
    context.close()


@pytest.mark.parametrize("width", [320, 360, 768])
def test_a_frame_of_the_height_that_is_proposed_fits_and_is_filled(desk: Page, width: int) -> None:
    desk.set_viewport_size({"width": width, "height": FRAME_HEIGHT})
    for game in ("whist", "ruff", "hecto-diversity"):
        path, replay = replays(desk, game)[0]
        for seq in (replay["first"] + 1, replay["last"]):
            open_at(desk, f"{path}/{seq}", "?embed=1")
            assert desk.evaluate("document.documentElement.scrollHeight") <= FRAME_HEIGHT, (game, seq)
            ends = desk.locator(".play, .log").evaluate_all(
                "all => all.map((one) => one.getBoundingClientRect().bottom)"
            )
            assert max(ends) > FRAME_HEIGHT / 2, (game, seq)


def test_a_trick_and_the_text_of_a_hand_are_copied(ruff: tuple[Page, list[int], dict[str, Any]]) -> None:
    page, seqs, replay = ruff
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copied = "navigator.clipboard.readText()"
    page.keyboard.press("Home")
    at(page, seqs[0])
    assert page.locator("#trick").is_hidden(), "no card of a trick has been played yet"
    page.keyboard.press("End")
    at(page, seqs[-1])
    for field, ending in (("picture", f"/replay/{seqs[-1]}.png"), ("trick", f"/replay/{seqs[-1]}/trick.svg")):
        page.locator(f'[data-copy="{field}"]').click()
        page.locator(f'[data-copy="{field}"]', has_text="Copied").wait_for()
        address = page.evaluate(copied)
        assert address.endswith(ending)
        assert page.request.get(address).status == 200
    page.get_by_role("button", name="Copy text").click()
    page.get_by_role("button", name="Copied").last.wait_for()
    assert f"/hands/{replay['hand']}" in page.evaluate(copied)


def test_it_works_without_script(browser: Browser, address: str, desk: Page) -> None:
    path, replay = replays(desk, "poison-hearts")[1]
    seqs = line(replay)
    with plain(browser, address) as unscripted:
        unscripted.goto(f"{path}/{seqs[4]}")
        unscripted.get_by_role("button", name="Next event").click()
        unscripted.wait_for_url(re.compile(rf"/replay/{seqs[5]}\??$"))
        unscripted.get_by_role("button", name="Next trick").click()
        unscripted.locator(f'.log [data-seq="{seqs[2]}"]').click()
        unscripted.wait_for_url(f"**/replay/{seqs[2]}")
        unscripted.locator("#view").select_option("spectator")
        unscripted.get_by_role("button", name="Show").click()
        unscripted.wait_for_url(f"**/replay/{seqs[2]}?view=spectator")
        assert unscripted.locator("#slider, #autoplay").first.is_hidden()


def test_a_link_is_copied(ruff: tuple[Page, list[int], dict[str, Any]]) -> None:
    page, seqs, _ = ruff
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("Home")
    at(page, seqs[0])
    still(page)  # the button says it for a moment only
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    page.get_by_role("button", name="Copy frame").click()
    assert f"/replay/{seqs[0]}?embed=1" in page.evaluate("navigator.clipboard.readText()")


def test_a_swipe_is_a_step(browser: Browser, address: str, desk: Page) -> None:
    path, replay = replays(desk, "diamonds-bid")[0]
    seqs = line(replay)
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, base_url=address
    )
    touched = context.new_page()
    open_at(touched, f"{path}/{seqs[5]}")
    swipe = """([from, to]) => {
        const table = document.getElementById("table");
        const touch = (x) => new Touch({ identifier: 1, target: table, clientX: x, clientY: 200 });
        table.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(from)], changedTouches: [touch(from)], bubbles: true }));
        table.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: [touch(to)], bubbles: true }));
    }"""
    touched.evaluate(swipe, [300, 100])
    at(touched, seqs[6])
    touched.evaluate(swipe, [100, 300])
    at(touched, seqs[5])
    context.close()


def test_the_last_event_of_a_match_under_way_follows_the_next(scorer_page: Page) -> None:
    events = in_json(match_of("ruff", hands=1)[:8])
    scorer_page.add_init_script(HEARD)
    origin = {"Origin": scorer_page.url.rstrip("/")}
    made = scorer_page.request.post("/api/v1/matches", data={"events": events[:6]}, headers=origin).json()
    open_at(scorer_page, f"/matches/{made['match']}/replay/6")
    scorer_page.request.post(
        f"/api/v1/matches/{made['match']}/events", data={"events": events[6:7]}, headers=origin | {"If-Match": "*"}
    )
    at(scorer_page, 7)
    scorer_page.locator("[data-ready]").wait_for()
    scorer_page.keyboard.press("ArrowLeft")
    at(scorer_page, 6)
    still(scorer_page)
    scorer_page.request.post(
        f"/api/v1/matches/{made['match']}/events", data={"events": events[7:8]}, headers=origin | {"If-Match": "*"}
    )
    wait_until(lambda: "8" in scorer_page.evaluate("heard"), "the next event")
    scorer_page.clock.run_for(10_000)
    at(scorer_page, 6)


def test_the_last_event_follows_the_next_also_after_the_server_had_no_stream_to_give(
    browser: Browser, scoring: tuple[str, str]
) -> None:
    events = in_json(match_of("ruff", hands=1)[:7])
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        if refused:
            route.continue_()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503)

    with scorer_at(browser, "desktop", *scoring) as page:
        page.route("**/live?*", refuse_once)
        origin = {"Origin": page.url.rstrip("/")}
        made = page.request.post("/api/v1/matches", data={"events": events[:6]}, headers=origin).json()
        open_at(page, f"/matches/{made['match']}/replay/6")
        page.request.post(
            f"/api/v1/matches/{made['match']}/events", data={"events": events[6:7]}, headers=origin | {"If-Match": "*"}
        )
        at(page, 7)
        assert len(refused) == 1


@pytest.mark.parametrize("embed", ["", "?embed=1"])
def test_a_page_or_a_frame_at_the_last_event_takes_over_the_next_without_loading_again(
    browser: Browser, scoring: tuple[str, str], embed: str
) -> None:
    events = in_json(match_of("ruff", hands=1, seed=3 + len(embed))[:9])
    loads: list[str] = []
    with scorer_at(browser, "phone", *scoring) as page:
        origin = {"Origin": page.url.rstrip("/")}
        made = page.request.post("/api/v1/matches", data={"events": events[:6]}, headers=origin).json()
        open_at(page, f"/matches/{made['match']}/replay/6", embed)
        page.on("domcontentloaded", lambda loaded: loads.append(loaded.url))
        for seq in (7, 8):
            page.request.post(
                f"/api/v1/matches/{made['match']}/events", data={"events": events[seq - 1 : seq]},
                headers=origin | {"If-Match": "*"},
            )  # fmt: skip
            page.locator(f'#log [data-seq="{seq}"][aria-current]').wait_for()
        assert loads == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_table_can_be_read_in_both_schemes(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    for game in ("diversity", "poison-hearts", "hecto-diversity"):
        path, replay = replays(page, game)[0]
        open_at(page, f"{path}/{line(replay)[len(line(replay)) // 2]}")
        accessible(page)


def test_on_paper_the_whole_hand_is_there(ruff: tuple[Page, list[int], dict[str, Any]]) -> None:
    page, _, replay = ruff
    page.emulate_media(media="print")
    assert page.locator(".on-paper").is_visible()
    assert page.locator(".on-paper bdi").all_inner_texts() == replay["players"]
    assert page.locator(".tricks tbody tr").count() == len(replay["tricks"])
    assert page.locator(".tricks").is_visible()
    assert not page.locator(".controls, .log, .share, header.site").first.is_visible()


def test_what_a_seat_can_know_follows_the_position(page: Page) -> None:
    (path, replay) = replays(page, "hearts")[0]
    steps = line(replay)
    open_at(page, f"{path}/{steps[6]}", "?view=1")
    page.locator("#knowledge summary").click()
    page.locator("#known .shares").wait_for()
    for at in (steps[6], steps[7]):
        known = page.request.get(f"{path}/{at}/knowledge?seat=1").text()
        deals = re.search(r"[\d,]+ deals fit", known)
        assert deals is not None
        page.locator("#known", has_text=deals.group()).wait_for()
        assert fits(page)
        page.locator("[data-go=after]").click()
    page.route("**/knowledge?*", lambda route: route.abort())
    page.locator("[data-go=after]").click()  # nothing of another position is left when there is no answer
    page.locator("#known > a").wait_for()
    assert page.locator("#known .shares").count() == 0


def test_as_a_seat_saw_it_the_hand_comes_step_by_step(page: Page) -> None:
    played = (found for found in replays(page, "ruff") if found[1]["hand"] < found[1]["hands"])
    path, replay = next(found for found in played if not found[1]["hidden"] and len(found[1]["tricks"]) > 8)
    steps = line(replay)
    open_at(page, f"{path}/{steps[-5]}", "?view=1")
    listed = page.locator(".log li")
    assert listed.count() == steps[-5] - steps[0] + 1, "nothing that comes later is there"
    for to in steps[-4:]:
        page.keyboard.press("ArrowRight")
        at(page, to)
        assert listed.count() == to - steps[0] + 1
    page.locator("[data-ready]").wait_for()
    assert page.locator("[data-go=after]").get_attribute("aria-disabled") == "true"
    assert page.get_by_role("link", name="Hand 3 »").count() == 1
    assert page.locator("#replayer").get_attribute("data-on") is None
