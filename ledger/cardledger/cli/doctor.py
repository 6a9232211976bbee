"""The command `cardledger doctor`: every check, one after the other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json
from cardledger.record.backup.drills import DAYS
from cardledger.record.backup.manifest import utc_now
from cardledger.record.doctor import beside, machine
from cardledger.record.doctor.event_checks import EventChecks
from cardledger.record.doctor.finding import CheckResult, looked
from cardledger.record.doctor.read_models import compared
from cardledger.record.matches.matchfile import printable
from cardledger.record.store.address import Where
from cardledger.record.store.opening import family, opened
from cardledger.record.store.paths import Family

_MARKS = {"ok": " ", "warning": "!", "problem": "X"}


@click.command()
@db_option
@click.option(
    "--drill-days", type=click.FloatRange(0), default=DAYS, show_default=True, metavar="N",
    help="Days after which a restore has to be proven again, by cardledger drill.",
)  # fmt: skip
@json_option("`well`, and `findings` with name, state, text and advice.")
def doctor(path: Where, drill_days: float, as_json: bool) -> None:
    """Report the state of a ledger and of all it depends on, with advice; exit status 1 if there is a problem.

    The whole ledger is read, and every hash and every page of its file is checked. Nothing is written, and no lock is
    taken.

    \b
    Examples:
      cardledger doctor --db club.db
      cardledger doctor --json --db club.db
    """
    results = []
    for one in findings(path, utc_now(), drill_days):
        results.append(one)
        if not as_json:
            click.echo(printable(f"{_MARKS[one.state]} {one.name:<12} {one.text}"))
            if one.advice:
                click.echo(printable(f"  {'':<12} \u2192 {one.advice}"))
    well = all(one.state != "problem" for one in results)
    if as_json:
        print_json({"well": well, "findings": [one._asdict() for one in results]})
    if not well:
        sys.exit(1)


def findings(where: Where, now: datetime, days: float = DAYS) -> Iterator[CheckResult]:
    """Yield the findings in a fixed order; never raises."""
    yield from looked("program", machine.program)
    yield from looked("plugins", machine.plugins)
    yield from looked("sqlite", machine.sqlite)
    if isinstance(where, Path):
        yield from _file(where, now, days)
    else:
        yield from looked("ledger", lambda: _server(where, now, days))


def _file(path: Path, now: datetime, days: float) -> Iterator[CheckResult]:
    if not path.is_file():
        yield CheckResult(
            "file",
            "problem",
            f"store.missing: there is no ledger at {path}",
            "name its file with --db or CARDLEDGER_DB",
        )
        yield from looked("siblings", lambda: beside.left(Family(path)))
        return
    side = Family(path)
    events = EventChecks(side)
    yield from looked("file", events.file)
    yield from _events(events, now)
    # Without readable events, their number is unknown.
    yield from _beside(side, side, events, events.course.events or None, now)
    yield from looked("restore", lambda: beside.proven(side, now, days))


def _server(where: Where, now: datetime, days: float) -> Iterator[CheckResult]:
    with closing(opened(where, create=False)) as store:
        side, last = family(where, store), store.last_position()
        yield CheckResult("ledger", "ok", f"{where} answers, its last position is {last:,}")
        events = EventChecks(side, store)
        yield from _events(events, now)
        yield from _beside(side, family(where, store, "cache"), events, last, now)
        yield from looked("restore", lambda: beside.proven(side, now, days))


def _events(events: EventChecks, now: datetime) -> Iterator[CheckResult]:
    yield from looked("events", events.hashes)
    yield from looked("sheets", events.doubtful)
    yield from looked("published", events.published)
    yield from looked("clock", lambda: events.clock(now))


def _beside(side: Family, cache: Family, read: EventChecks, last: int | None, now: datetime) -> Iterator[CheckResult]:
    """Check the files beside a ledger, and the read models where they are stored."""
    events, views = last or 0, cache.database("views")
    paths = {path for group in (side, cache) for path in group.all()}
    size = sum(path.stat().st_size for path in paths if path.exists())
    yield from looked("disk", lambda: machine.disk(side.ledger.parent, size))
    yield from looked("read models", lambda: beside.derived(cache, last))
    if views.exists() and read.course.events:
        yield from looked("fold", lambda: compared(views, side.ledger, read.store, read.course.heads))
    yield from looked("key", lambda: beside.secrets(side))
    yield from looked("checkpoint", lambda: beside.sealed(side, cache.database("proofs"), events, now))
    yield from looked("backup", lambda: beside.backed_up(side, events, now))
    yield from looked("orphans", lambda: beside.orphans(side))
