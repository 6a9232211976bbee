"""How long a step of the replayer takes in Chromium, for every game: from the key to the picture laid out and painted.

Run: python -m tests.bench.replayer
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import CDPSession, Page, sync_playwright

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.games import games
from tests.bench.timing import loop_speed, scaled
from tests.browser.conftest import BROWSER
from tests.browser.looking import SIZES
from tests.web.club import fill
from tests.web.server import command, running

FRAME = 1000 / 60
"""Milliseconds of a frame."""
MEASURED = scaled(300, 4)
"""Steps a game and screen, back and forth through a hand."""
# The script's own work and the layout it asks for; a frame must have room for both.
STEPS = """(steps) => {
  const times = [];
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  press("Home");
  let key = "ArrowRight";
  for (let i = 0; i < steps; i++) {
    const slider = document.getElementById("slider");
    if (slider.value === slider.max) key = "ArrowLeft";
    if (slider.value === "0") key = "ArrowRight";
    const start = performance.now();
    press(key);
    document.getElementById("table").getBoundingClientRect();
    document.getElementById("log").getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return times;
}"""


def measure(page: Page, game: str) -> tuple[list[float], float]:
    """Return milliseconds of steps through the first hand of a match, and those a step takes of the processor.

    The second says what a step takes where nothing else runs, also when it is measured where much does.
    """
    match = page.request.get(f"/api/v1/matches?limit=200&game={game}").json()["matches"][0]["id"]
    page.goto(f"/matches/{match}/replay")
    page.locator("[data-ready]").wait_for()
    page.evaluate(STEPS, 30)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = busy(devtools)
    times: list[float] = page.evaluate(STEPS, MEASURED)
    return times, (busy(devtools) - before) / MEASURED


def busy(devtools: CDPSession) -> float:
    """Return the milliseconds a page has spent on script, style and layout."""
    metrics = {metric["name"]: metric["value"] for metric in devtools.send("Performance.getMetrics")["metrics"]}
    return 1000 * sum(metrics[f"{what}Duration"] for what in ("Script", "RecalcStyle", "Layout"))


def main() -> None:
    """Print median and 95th percentile of a step."""
    print(f"empty loop: {loop_speed():,.0f} turns a second; a frame is {FRAME:.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "club.db"
        with Ledger(db) as ledger:
            fill(ledger)
        serving = running(command("serve", "--db", str(db), "--port", "0", "--rate", "0"))
        with serving as (address, _), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=BROWSER, args=["--disable-dev-shm-usage"])
            for size, (width, height) in SIZES.items():
                context = browser.new_context(viewport={"width": width, "height": height}, base_url=address)
                page = context.new_page()
                for game in games():
                    times, processor = measure(page, game)
                    p95 = quantiles(times, n=20)[-1]
                    fits = "" if p95 <= FRAME else "  more than a frame"
                    print(
                        f"{size:<8} {game:<16} median {median(times):5.1f} ms   p95 {p95:5.1f} ms   processor {processor:4.1f} ms{fits}",
                        flush=True,
                    )
                context.close()
            browser.close()


if __name__ == "__main__":
    main()
