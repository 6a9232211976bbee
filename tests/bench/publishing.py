"""A club's pages written as files: the processor time for each 1,000 matches, the first time and when nothing has changed.

Run: python -m tests.bench.publishing [MATCHES]

One process writes, so that its time can be told from that of others on the machine; `publish` takes one for each core.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import median

from cardledger.record.recording.ledger import Ledger
from cardledger_web.publishing.folder import PublishedFolder, Written
from cardledger_web.publishing.freezer import SiteEdition
from cardledger_web.publishing.made_before import MadeBefore
from cardledger_web.publishing.site import Site
from tests.bench.pages import club
from tests.bench.timing import loop_speed, scaled

MATCHES = scaled(60, 1)
ROUNDS = scaled(3, 1)
_NO_END = 10**9


def fill(path: Path, matches: int) -> int:
    """Record the first matches of the club; return the number of their hands."""
    chosen = [*islice(club(_NO_END), matches)]
    with Ledger(path) as ledger:
        for _ in ledger.import_matches(chosen, day="2026-01-01"):
            pass
        ledger.views.catch_up()
    return sum(len(match.stream.table.hands) for match in chosen)


def published(path: Path, folder: Path) -> tuple[Written, float]:
    """Publish; return what was written, and the seconds that this process worked."""
    start = time.process_time()
    with PublishedFolder(folder) as target, closing(MadeBefore(folder, path, "en", None)) as before:
        Site(SiteEdition(path, "en", None), target, before).publish(1)
        written = target.finish()
        before.write()
    return written, time.process_time() - start


def main(matches: int) -> None:
    """Print the medians of some rounds."""
    print(f"empty loop: {loop_speed():,.0f} turns a second")
    with tempfile.TemporaryDirectory() as temporary:
        path, folder = Path(temporary) / "club.db", Path(temporary) / "site"
        hands = fill(path, matches)
        first, again = [], []
        for _ in range(ROUNDS):
            shutil.rmtree(folder, ignore_errors=True)
            new, worked = published(path, folder)
            first.append(worked)
            same, worked = published(path, folder)
            again.append(worked)
            assert new.written == new.files == same.files, (new, same)
            assert not same.written, same
        for what, times in (("the first time", first), ("with nothing new", again)):
            each = median(times) / matches * 1000
            print(f"{matches:,} matches, {hands:,} hands, {new.files:,} files, {what}: {each:,.0f} s for 1,000 matches")
        print(f"nothing new / the first time: {median(again) / median(first):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES)
