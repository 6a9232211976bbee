"""A thousand viewers on one small server: each gets every event, and others are answered; how soon is printed."""

from __future__ import annotations

import resource
import sys
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

import pytest

from tests.api.test_live import serving
from tests.api.viewers import Viewers
from tests.waiting import LIMIT, together
from tests.web.club import opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.recording.ledger import Ledger


@pytest.fixture(autouse=True)
def files() -> Iterator[None]:
    """As many open files as it takes, in this process."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4000, before[1]), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def memory(pid: int) -> float:
    """Return the megabytes a process has in memory."""
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmRSS:")[2].split()[0]) / 1000


def follow(ledger: Ledger, viewers: int, events: int) -> None:
    """Let a number of viewers follow a match while events are recorded and others request pages."""
    match, start = ledger.record(None, [opened()], 0).match, 1
    recorded: dict[int, float] = {}
    asked: list[float] = []

    with serving(ledger, places=viewers + 100) as (address, process, token):

        def record() -> None:
            for seq in range(start, start + events):
                note = urllib.request.Request(
                    f"{address}/note/{match}/{seq}", b"", {"Authorization": f"Bearer {token}"}
                )
                began = time.monotonic()
                urllib.request.urlopen(note).close()
                recorded[seq + 1] = began
                began = time.monotonic()
                urllib.request.urlopen(f"{address}/api/v1/games").close()
                asked.append(time.monotonic() - began)
                time.sleep(0.2)

        urllib.request.urlopen(f"{address}/api/v1/games").close()
        before = memory(process.pid)
        with closing(Viewers(address, f"/matches/{match}/live", viewers, 50)) as crowd:
            began = time.monotonic()
            crowd.listen(lambda: len(crowd.begun) == viewers, LIMIT)
            began = time.monotonic() - began
            assert len(crowd.begun) == viewers
            took = memory(process.pid) - before
            together(record, lambda: crowd.listen(lambda: crowd.have(start + events) == viewers, LIMIT))
            wanted = range(start + 1, start + events + 1)
            assert crowd.lost == 0
            assert all([*came] == [*wanted] for came in crowd.came), "each event came to each viewer, once and in order"
            waits = [came[seq] - recorded[seq] for came in crowd.came for seq in wanted]
    told = quantiles(waits, n=100)
    sys.stdout.write(
        f"\n{viewers} viewers began within {began:.1f} s and take {took:.0f} MB; "
        f"an event is with half of them after {median(waits) * 1000:.0f} ms, with 99 % after {told[98] * 1000:.0f} ms, "
        f"with all after {max(waits) * 1000:.0f} ms; others are answered within {median(asked) * 1000:.1f} ms\n"
    )


@pytest.mark.long
def test_a_hundred_viewers_get_every_event(ledger: Ledger) -> None:
    follow(ledger, 100, 5)


@pytest.mark.long
def test_a_thousand_viewers_get_every_event_and_others_are_answered(ledger: Ledger) -> None:
    follow(ledger, 1000, 20)
