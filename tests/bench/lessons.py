"""A class of phones in one lesson on a real server: how soon a step of the teacher is on every phone.

Run: python -m tests.bench.lessons
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from random import Random
from statistics import median, quantiles

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.study.stats.review import lessons
from tests.bench.timing import loop_speed, row, scaled
from tests.web.server import command, running

PHONES = scaled(20, 3)
STEPS = scaled(40, 3)
PAUSE = 0.5
"""Seconds between two steps."""


class Phone(threading.Thread):
    """Follows a lesson as its page does: on each step it reads the page again, and notes when it has it."""

    def __init__(self, address: str, lesson: str) -> None:
        super().__init__(daemon=True)
        self._address, self._lesson = address, lesson
        self.begun = threading.Event()
        self.has: dict[int, float] = {}

    def run(self) -> None:
        urllib.request.urlopen(f"{self._address}/lessons/{self._lesson}").close()
        stream = urllib.request.urlopen(f"{self._address}/api/v1/lessons/{self._lesson}/live")
        self.begun.set()
        seq = 0
        for raw in stream:
            line = raw.decode()
            if line.startswith("id:"):
                seq = int(line[3:])
            elif line.startswith("data:") and json.loads(line[5:])["type"] == "stop":
                page = urllib.request.urlopen(f"{self._address}/lessons/{self._lesson}").read().decode()
                shown = int(page.partition('<div id="now" data-seq="')[2].partition('"')[0])
                assert shown >= seq
                self.has.setdefault(seq, time.monotonic())


def main() -> None:
    """Print how soon steps are on phones."""
    row("an empty loop", loop_speed(), "turns/s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "club.db"
        with Ledger(path) as ledger:
            match = ledger.record(None, simulate("whist", 4, Random(1), ["cautious"], max_hands=1), 0).match
            moments = lessons.moments_of_hand(ledger, match, 1, 0)
            lesson = lessons.open_lesson(ledger, "Monday", moments, "teacher")
        create = [
            sys.executable,
            "-m",
            "cardledger",
            "token",
            "create",
            "teacher",
            "--role",
            "scorer",
            "--db",
            str(path),
        ]
        token = subprocess.run(create, check=True, capture_output=True, text=True).stdout.strip()
        with running(command("serve", "--db", str(path), "--port", "0")) as (address, _):
            phones = [Phone(address, lesson) for _ in range(PHONES)]
            for phone in phones:
                phone.start()
            assert all(phone.begun.wait(30) for phone in phones)
            sent = {}
            for number in range(STEPS):
                moment = moments[number % len(moments)]
                body = {"match": match, "hand": 1, "event": moment.event, "seat": 0}
                asked = urllib.request.Request(
                    f"{address}/api/v1/lessons/{lesson}/stops", json.dumps(body).encode(),
                    {"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
                )  # fmt: skip
                sent[number + 2] = time.monotonic()
                urllib.request.urlopen(asked).close()
                time.sleep(PAUSE)
            time.sleep(2)
            waits = [phone.has[seq] - at for phone in phones for seq, at in sent.items()]
    row(f"{PHONES} phones: a step is on half of them", median(waits) * 1000, "ms")
    row("on 99 of 100", quantiles(waits, n=100)[98] * 1000, "ms")
    row("on all", max(waits) * 1000, "ms")


if __name__ == "__main__":
    main()
