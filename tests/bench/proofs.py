"""Speed of proofs: the tree grown and surveyed, one event sealed, one proof made, one receipt checked.

Run: python -m tests.bench.proofs
"""

from __future__ import annotations

import tempfile
from itertools import count
from pathlib import Path
from uuid import UUID

from cardledger.record.proofs import EventPlace
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.receipts import as_file, receipt
from cardledger.record.proofs.survey import survey
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import Append
from cardledger.record.store.chain import START, chain
from tests.bench.timing import loop_speed, row, scaled, seconds
from tests.proofs.verifier import verifier

MATCHES = scaled(1_000, 3)
LINES = scaled(200, 10)


def lines(match: str, first: int, many: int) -> list[str]:
    """Return lines as long as those of a match."""
    return [
        f'{{"type":"play","seat":1,"card":"9S","seq":{seq},"id":"{match}","at":"2026-11-21T19:04:31.120Z","by":"bench"}}'
        for seq in range(first, first + many)
    ]


def main() -> None:
    """Measure and print."""
    row("empty loop", loop_speed(), "turns/s")
    events = MATCHES * LINES
    with tempfile.TemporaryDirectory() as folder, Ledger(Path(folder) / "club.db") as ledger:
        ids = [str(UUID(int=number, version=4)) for number in range(MATCHES)]
        for match in ids:
            ledger.store.append([Append(match, 0, chain(START, lines(match, 1, LINES)))])
        with Log(ledger) as log:
            row("tree grown, events", events / seconds(lambda: (log.tree.drop(), log.tree.grow()), 3), "events/s")
            log.seal()
            row("survey of hashes, tree and checkpoints", events / seconds(lambda: survey(log), 3), "events/s")
            number = count(LINES)

            def one_more() -> None:
                last = ledger.store.read(ids[0])[-1]
                added = chain(last.hash, lines(ids[0], next(number) + 1, 1))
                ledger.store.append([Append(ids[0], last.seq, added)])
                log.seal()

            row("one event recorded and sealed", seconds(one_more) * 1e6, "µs")
            row(
                "proof of an event",
                seconds(lambda: log.inclusion(EventPlace(ids[MATCHES // 2], LINES // 2))) * 1e6,
                "µs",
            )
            row("consistency proof", seconds(lambda: log.consistency(events * 2 // 5, events)) * 1e6, "µs")
            row(f"receipt of {LINES} events", seconds(lambda: receipt(log, ids[MATCHES // 2])) * 1e6, "µs")
            text = as_file(receipt(log, ids[MATCHES // 2]))
            size = log.tree.file.path.stat().st_size
        row("a log opened and closed", seconds(lambda: Log(ledger).close()) * 1e6, "µs")
        row("receipt checked by the program given away", seconds(lambda: list(verifier.check(text, None))) * 1e3, "ms")
        row("file of the tree, bytes an event", size / events, "")


if __name__ == "__main__":
    main()
