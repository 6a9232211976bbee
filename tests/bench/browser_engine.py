"""The engine in Chromium: its size, its start cold and warm, and the time from a tap to its judgement; throttled to a mid phone too.

Run: python -m tests.bench.browser_engine

A phone is four times slower and loads 400 kB a second. Chromium slows only the page, not its worker, so the times of the worker
are multiplied by four where a phone is meant; loading is really slowed.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_web.engine.files import engine_files
from tests.bench.timing import loop_speed, scaled
from tests.browser.conftest import BROWSER
from tests.browser.test_golden_streams import READY
from tests.web.server import command, running
from tests.web.test_engine import opening

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SLOWER = 4
BYTES = 400_000
TAPS = scaled(60, 3)
"""Taps of each game."""
# Each tap asks about the next event, and then the event is recorded, as on the scoring page.
JUDGED = """async ({ opening, events, known }) => {
  const ask = (asked) => new Promise((done) => {
    window.engine.onmessage = ({ data }) => done(JSON.parse(data.answer));
    window.engine.postMessage({ id: 1, asked: JSON.stringify(asked) });
  });
  await ask(opening);
  const times = [];
  for (const [place, event] of events.entries()) {
    const start = performance.now();
    await ask({ ask: "tried", events: [event], at: known + place });
    times.push(performance.now() - start);
    await ask({ ask: "append", events: [event], own: opening.own });
  }
  return times;
}"""


def started(page: Page) -> float:
    """Return the seconds from the start of the worker until it answers."""
    start = perf_counter()
    failed = page.evaluate(READY)
    assert failed == "", failed
    return perf_counter() - start


def start_times(browser: Browser, address: str) -> None:
    """Print how long the start takes: the first time, with the files kept, and over a phone's connection."""
    for what, slow in (("here", False), (f"at {BYTES:,} bytes a second", True)):
        context = browser.new_context(base_url=address, service_workers="block")
        page = context.new_page()
        page.goto("/games")
        if slow:
            devtools = context.new_cdp_session(page)
            devtools.send("Network.enable")
            given = {"offline": False, "latency": 100, "downloadThroughput": BYTES, "uploadThroughput": BYTES}
            devtools.send("Network.emulateNetworkConditions", given)
        cold = started(page)
        page.reload()
        print(f"start {what}: cold {cold:.1f} s, warm {started(page):.1f} s", flush=True)
        context.close()


def taps(browser: Browser, address: str) -> None:
    """Print median and 95th percentile of the time from a tap to its judgement, game by game."""
    page = browser.new_page(base_url=address)
    page.goto("/games")
    started(page)
    every: list[float] = []
    for name, game in games().items():
        events = [*simulate(name, game.sizes[0], Random(1), ["random"], max_hands=3)][: 40 + TAPS]
        lines: list[Any] = [json.loads(ev.encode(event)) for event in events]
        known = max(2, len(lines) - TAPS)
        asked = {"opening": opening(lines[:known], "en"), "events": lines[known:], "known": known}
        times: list[float] = page.evaluate(JUDGED, asked)
        every += times
        print(f"{name:20}median {median(times):5.1f} ms, a phone {SLOWER * median(times):5.1f} ms", flush=True)
    last = quantiles(every, n=20)[-1]
    print(f"a tap judged: median {median(every):.1f} ms, 95% within {last:.1f} ms; a phone {SLOWER * last:.0f} ms")


def main() -> None:
    """Print sizes and times."""
    print(f"empty loop: {loop_speed():,.0f} turns a second")
    files = engine_files().files
    print(", ".join(f"{name} {len(body):,}" for name, body in files.items()), "bytes, before a script is packed")
    with tempfile.TemporaryDirectory() as folder:
        serving = running(command("serve", "--db", str(Path(folder) / "club.db"), "--port", "0", "--rate", "0"))
        with serving as (address, _), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=BROWSER, args=["--disable-dev-shm-usage"])
            start_times(browser, address)
            taps(browser, address)
            browser.close()


if __name__ == "__main__":
    main()
