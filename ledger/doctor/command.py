"""The command `cardledger doctor`: all looks in turn."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import click

from ledger.backup.manifest import utc_now
from ledger.cli import db_option
from ledger.doctor import beside, machine
from ledger.doctor.events import Events
from ledger.doctor.finding import Finding, looked
from ledger.matchfile import printable
from ledger.store.family import Family
from ledger.store.where import Where, family, opened

_MARKS = {"ok": " ", "warning": "!", "problem": "X"}


@click.command()
@db_option
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object: `well`, and `findings` with name, state, text and advice."
)
def doctor(path: Where, as_json: bool) -> None:
    """Tell the state of a ledger and of all it depends on, and what to do; exit status 1 if there is a problem.

    The whole ledger is read, every hash and every page of its file checked. Nothing is written, no lock taken.

    \b
    Examples:
      cardledger doctor --db club.db
      cardledger doctor --json --db club.db
    """
    found = []
    for one in findings(path, utc_now()):
        found.append(one)
        if not as_json:
            click.echo(printable(f"{_MARKS[one.state]} {one.name:<12} {one.text}"))
            if one.advice:
                click.echo(printable(f"  {'':<12} \u2192 {one.advice}"))
    well = all(one.state != "problem" for one in found)
    if as_json:
        click.echo(json.dumps({"well": well, "findings": [one._asdict() for one in found]}, ensure_ascii=False))
    if not well:
        sys.exit(1)


def findings(where: Where, now: datetime) -> Iterator[Finding]:
    """Yield what is found, in a fixed order; nothing is raised."""
    yield from looked("program", machine.program)
    yield from looked("sqlite", machine.sqlite)
    if isinstance(where, Path):
        yield from _file(where, now)
    else:
        yield from looked("ledger", lambda: _server(where, now))


def _file(path: Path, now: datetime) -> Iterator[Finding]:
    if not path.is_file():
        yield Finding("file", "problem", f"store.missing: there is no ledger at {path}", "see --db and CARDLEDGER_DB")
        return
    side = Family(path)
    events = Events(side)
    yield from looked("file", events.file)
    yield from _events(events, now)
    # Where events cannot be read, nobody knows how many there are.
    yield from _beside(side, side, events.course.events or None, now)


def _server(where: Where, now: datetime) -> Iterator[Finding]:
    with closing(opened(where, create=False)) as store:
        side, last = family(where, store), store.last_position()
        yield Finding("ledger", "ok", f"{where} answers, its last position is {last:,}")
        yield from _events(Events(side, store), now)
        yield from _beside(side, family(where, store, "cache"), last, now)


def _events(events: Events, now: datetime) -> Iterator[Finding]:
    yield from looked("events", events.hashes)
    yield from looked("clock", lambda: events.clock(now))


def _beside(side: Family, cache: Family, last: int | None, now: datetime) -> Iterator[Finding]:
    """Tell of what is kept beside a ledger, and of what can be dropped, where that is kept."""
    events = last or 0
    paths = {path for kept in (side, cache) for path in kept.all()}
    size = sum(path.stat().st_size for path in paths if path.exists())
    yield from looked("disk", lambda: machine.disk(side.ledger.parent, size))
    yield from looked("read models", lambda: beside.derived(cache, last))
    yield from looked("key", lambda: beside.secrets(side))
    yield from looked("checkpoint", lambda: beside.sealed(side, events, now))
    yield from looked("backup", lambda: beside.backed_up(side, events, now))
    yield from looked("orphans", lambda: beside.orphans(side))
