"""A real browser and its servers; any error that the browser reports fails the test."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.games import games
from tests.browser.looking import SIZES
from tests.browser.scoring import Api, scorer_at, served
from tests.thorough import THOROUGH
from tests.waiting import LIMIT
from tests.web.club import fill
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

HERE = Path(__file__).parent
ALL = list(games())
BROWSER = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to CI what is not marked `everyday`, and much of what is tried with every game to thorough runs.

    With a browser every test takes seconds. Pages of all games are laid out alike, so CI tries each test with every
    second game, half of these on a desk and half on a phone; which games these are differs from test to test.
    """
    spared = set[pytest.Item]()
    for item in items:
        if item.path.parent != HERE:
            continue
        if item.get_closest_marker("everyday") is None:
            item.add_marker(pytest.mark.long)
        if not THOROUGH and isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            values = [value for value in item.callspec.params.values() if isinstance(value, str)]
            game = next((value for value in values if value in ALL), None)
            screen = next((value for value in values if value in SIZES), None)
            if game and not _turn(item.originalname, game, screen):
                spared.add(item)
    items[:] = [item for item in items if item not in spared]
    config.hook.pytest_deselected(items=list(spared))


def _turn(test: str, game: str, screen: str | None) -> bool:
    """Tell whether it is a game's turn in a test, on a screen if the test is for several."""
    place = crc32(test.encode()) + ALL.index(game)
    return place % 2 == 0 and (screen is None or place // 2 % 2 == list(SIZES).index(screen))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or another that speaks its protocol."""
    if not BROWSER:
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail("REQUIRE_BROWSER is set, but there is no browser", pytrace=False)
        pytest.skip("no browser: set CHROMIUM, or install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=BROWSER, args=["--disable-dev-shm-usage"], timeout=LIMIT * 1000
        )
        new_context = opened.new_context

        def patient(**given: Any) -> BrowserContext:
            context = new_context(**given)
            context.set_default_timeout(LIMIT * 1000)
            return context

        opened.new_context = patient  # type: ignore[method-assign]
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the club's ledger is served, for reading."""
    db = tmp_path_factory.mktemp("browser") / "club.db"
    ledger = Ledger(db)
    fill(ledger)
    ledger.close()
    with running(command("serve", "--db", str(db), "--port", "0", "--rate", "0")) as (where, _):
        yield where


@pytest.fixture(scope="session")
def scoring(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Where a ledger is served that tests may write to, and the token of its scorer."""
    with served(tmp_path_factory.mktemp("scoring")) as found:
        yield found


@pytest.fixture(scope="session")
def api(scoring: tuple[str, str]) -> Api:
    """The ledger that tests may write to."""
    return Api(*scoring)


@pytest.fixture
def desk(browser: Browser, scoring: tuple[str, str]) -> Iterator[Page]:
    """A scorer with a keyboard."""
    with scorer_at(browser, "desktop", *scoring) as page:
        yield page


@pytest.fixture
def phone(browser: Browser, scoring: tuple[str, str]) -> Iterator[Page]:
    """A scorer with a telephone."""
    with scorer_at(browser, "phone", *scoring) as page:
        yield page


@pytest.fixture(params=SIZES)
def scorer(request: pytest.FixtureRequest) -> Page:
    """A scorer of either kind."""
    return request.getfixturevalue({"desktop": "desk", "phone": "phone"}[request.param])


@contextmanager
def watched(browser: Browser, size: str, address: str) -> Iterator[Page]:
    """Yield a page of the size of a screen; what it complains about by the end fails the test."""
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, base_url=address)
    complaints: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: complaints.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on(
        "request",
        lambda asked: asked.url.startswith((address, "data:", "blob:")) or complaints.append(f"request: {asked.url}"),
    )
    # Violations of the policy reach the console too; reported here by name, they are easier to read.
    page.add_init_script(
        "addEventListener('securitypolicyviolation',"
        " (e) => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))"
    )
    yield page
    context.close()
    assert complaints == [], complaints


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    """A reader's page, on the club's ledger."""
    with watched(browser, request.param, address) as page:
        yield page


@pytest.fixture(params=SIZES)
def scorer_page(request: pytest.FixtureRequest, browser: Browser, scoring: tuple[str, str]) -> Iterator[Page]:
    """A page of a signed-in scorer, on a ledger that tests may write to."""
    address, token = scoring
    with watched(browser, request.param, address) as page:
        page.goto(f"/?token={token}")
        yield page
