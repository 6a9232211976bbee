"""What a seat can know, worked out in Chromium from the file of a match: the time of an answer, over positions of every game.

Run: python -m tests.bench.browser_knowledge

An answer is the part of the page, drawn, as the replay in a file asks for it; the counting alone is less.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from statistics import median, quantiles

from playwright.sync_api import sync_playwright

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.games import games
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.engine.files import carried_files
from cardledger_web.standalone.match_file import match_file
from tests.bench.timing import loop_speed, scaled
from tests.browser.conftest import BROWSER

HANDS = scaled(2, 1)
ASKED = """async ([match, places]) => {
  const times = [];
  for (const [seq, seat] of [places[0], ...places]) {
    const start = performance.now();
    const answer = await cardledgerEngine(new URL(`file:///matches/${match}/replay/${seq}/knowledge?seat=${seat}`));
    await answer.text();
    times.push(performance.now() - start);
  }
  return times;
}"""


def main() -> None:
    """Print sizes and times."""
    print(f"empty loop: {loop_speed():,.0f} turns a second")
    print(", ".join(f"{name} {len(body):,}" for name, body in carried_files().items()), "bytes")
    every: list[float] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        app = create_app(Path(folder) / "club.db")
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--disable-dev-shm-usage"])
        for name, game in games().items():
            events = simulate(name, game.sizes[-1], Random(2), ["cautious"], max_hands=HANDS)
            match = ledger_of(app).record(None, events, 0).match
            file = Path(folder) / "match.html"
            file.write_text(text := match_file(app, match, "en"), encoding="utf-8")
            page = browser.new_page()
            page.goto(file.as_uri())
            chance, n = Random(1), len(ledger_of(app).stream(match).table.players)
            places = [[seq, chance.randrange(n)] for seq in range(2, len(events) + 1)]
            begun, *times = page.evaluate(ASKED, [match, places])
            page.close()
            every += times
            print(
                f"{name:20}{len(places):4} positions, median {median(times):5.1f} ms, 95% within"
                f" {quantiles(times, n=20)[-1]:6.1f} ms, most {max(times):6.1f} ms; start {begun / 1000:.1f} s,"
                f" file {len(text.encode()):,} bytes",
                flush=True,
            )
        browser.close()
        access_of(app).close()
        ledger_of(app).close()
        print(
            f"all: {len(every)} positions, median {median(every):.1f} ms, 95% within {quantiles(every, n=20)[-1]:.1f} ms"
        )


if __name__ == "__main__":
    main()
