"""The pages in a real browser: nothing in the console, nothing from outside, nothing wider than the screen."""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from ledger.games import games
from ledger.ledger import Ledger
from tests.web.club import fill
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

BROWSER = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
if not BROWSER:
    if os.environ.get("REQUIRE_BROWSER") == "1":
        pytest.fail("REQUIRE_BROWSER is set, but there is no browser", pytrace=False)
    pytest.skip("no browser: set CHROMIUM, or install chromium", allow_module_level=True)

SIZES = {"desktop": (1280, 800), "phone": (360, 740)}
"""Width and height of a screen."""


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the club's ledger is served."""
    db = tmp_path_factory.mktemp("browser") / "club.db"
    ledger = Ledger(db)
    fill(ledger)
    ledger.close()
    with running(command("serve", "--db", str(db), "--port", "0")) as (where, _):
        yield where


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or another that speaks its protocol."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=BROWSER, args=["--disable-dev-shm-usage"])
        yield opened
        opened.close()


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    """A page of the size of a screen; whatever the browser complains about fails the test."""
    width, height = SIZES[request.param]
    context = browser.new_context(viewport={"width": width, "height": height}, base_url=address)
    complaints: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: complaints.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on(
        "request",
        lambda asked: asked.url.startswith((address, "data:")) or complaints.append(f"request: {asked.url}"),
    )
    # Violations of the policy reach the console as well; told here by name, they are easier to read.
    page.add_init_script(
        "addEventListener('securitypolicyviolation',"
        " (e) => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))"
    )
    yield page
    context.close()
    assert complaints == []


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def go(page: Page, path: str) -> None:
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200
    if page.locator("[data-figure]").count():
        page.locator(".figure .main-svg").first.wait_for()
    assert fits(page), f"{path} is wider than the screen"


def match_paths(page: Page, game: str) -> list[str]:
    found = page.request.get(f"/api/v1/matches?limit=200&game={game}").json()["matches"]
    return [f"/matches/{match['id']}" for match in found]


@pytest.mark.parametrize("path", ["/", "/?game=ruff", "/?player=nobody", "/games"])
def test_pages_open_without_complaint(page: Page, path: str) -> None:
    go(page, path)
    assert page.locator("h1").count() == 1


@pytest.mark.parametrize("game", games())
def test_every_match_and_rulebook_opens_without_complaint(page: Page, game: str) -> None:
    go(page, f"/games/{game}")
    paths = match_paths(page, game)
    assert paths
    for path in paths:
        go(page, path)
        assert page.locator("section.hand").count() >= 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_figure_is_drawn_in_the_colours_of_the_page(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    go(page, match_paths(page, "poison-hearts")[0])
    ink = page.evaluate("getComputedStyle(document.body).color")
    label = page.locator(".figure .xtick text").first
    assert label.evaluate("(e) => getComputedStyle(e).fill") == ink
    page.emulate_media(color_scheme="dark" if scheme == "light" else "light")
    page.wait_for_function(
        "(ink) => getComputedStyle(document.querySelector('.figure .xtick text')).fill !== ink",
        arg=ink,
    )


def test_the_figure_shows_everyone_and_answers_the_pointer(page: Page) -> None:
    go(page, match_paths(page, "diamonds-draw")[0])
    players = page.locator(".scoreboard thead .player").all_inner_texts()
    assert [re.sub("[\u2068\u2069]", "", name) for name in page.locator(".legendtext").all_text_contents()] == players
    page.locator(".figure").hover()
    page.locator(".figure .hoverlayer text").first.wait_for()


def test_hostile_names_are_inert(page: Page) -> None:
    go(page, "/")
    page.locator(".match h2 a").first.click()
    page.locator(".figure .main-svg").first.wait_for()
    assert page.locator("bdi script, bdi img, bdi b, .figure a, main script").count() == 0
    legend = page.locator(".legendtext").all_text_contents()
    assert "<script>alert(1)</scrip" in legend[0]
    assert "<b>abc</b>" in legend[2]
    assert fits(page)


def test_a_rule_of_a_trick_leads_to_its_clause(page: Page) -> None:
    go(page, match_paths(page, "diversity")[-1])
    page.locator(".tricks a.rule").first.click()
    page.wait_for_url("**/games/diversity#trick.*")
    assert page.locator(":target dd").inner_text()


def test_the_keyboard_reaches_the_content_first(page: Page) -> None:
    go(page, "/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_filter_works_without_script(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=address)
    page = context.new_page()
    page.goto("/")
    page.get_by_label("Game").select_option("ruff")
    page.get_by_label("Player", exact=True).fill("eva")
    page.get_by_role("button", name="Show").click()
    assert "game=ruff" in page.url
    assert page.locator(".match").count() >= 1
    context.close()
