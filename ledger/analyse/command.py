"""The command `cardledger analyse`."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from os import cpu_count
from pathlib import Path
from typing import TextIO

import click

from ledger.analyse.analysis import Step, analyse
from ledger.analyse.cluster import Cluster
from ledger.analyse.crew import Alone, Crew, Processes
from ledger.analyse.findings import find
from ledger.analyse.sources import Source, of_archives, of_files, of_ledger
from ledger.analyse.tables import SUMMARY, Tables
from ledger.cli import db_option
from ledger.matchfile import printable
from ledger.store.where import Where

_EVERY = 10.0
"""Seconds between two lines of progress where nobody watches a line that changes."""


@click.command("analyse")
@click.argument("paths", nargs=-1, metavar="[FILE]...", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@db_option
@click.option(
    "--out", "folder", required=True, type=click.Path(file_okay=False, path_type=Path), help="Where the tables go."
)
@click.option("--workers", type=click.IntRange(1), help="Processes that do the work. [default: one a core]")
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers do it instead, as tcp://host:8786.")
@click.option("--csv", is_flag=True, help="Write every table as CSV too.")
@click.option("--audit", is_flag=True, help="Check every hash, and write a table of all rulings; takes longer.")
def analyse_command(
    paths: tuple[Path, ...], path: Where, folder: Path, workers: int | None, cluster: str | None, csv: bool, audit: bool
) -> None:
    """Fold whole archives into results, statistics and audit: a folder of Parquet tables.

    Without FILE a ledger is analysed as it stands at the beginning, with it packed archives (.parquet), or match files.
    The tables have the columns of the read models; summary.json says what they rest on. How many workers there are, and
    whether one of them is killed, changes nothing in them. A match that does not fold is told on standard error and in the
    table of problems, and the exit status is 1.

    With --cluster the workers read for themselves: paths are to lead to the same files there, and the address of a
    PostgreSQL ledger, its password included, is sent to them.

    \b
    Examples:
      cardledger analyse --db club.db --out tables
      cardledger analyse season-2025.parquet season-2026.parquet --out tables --csv
      cardledger analyse --db postgresql:///league --out tables --cluster tcp://scheduler:8786
    """
    if cluster is not None and workers is not None:
        raise click.UsageError("give --workers or --cluster, not both")
    source = _source(paths, path)
    crew: Crew
    if cluster is not None:
        crew = Cluster(find, cluster)
    else:
        count = workers or cpu_count() or 1
        crew = Alone(find) if count == 1 else Processes(find, count)
    problems = 0
    with closing(crew), Tables(folder, audit, csv) as tables:
        shown = Progress(source, sys.stderr)
        for step in analyse(source, crew, tables, audit):
            for failed in step.problems:
                problems += 1
                shown.clear()
                place = f":{failed.seq}" if failed.seq else ""
                click.echo(f"{printable(failed.match)}{place}: {failed.code}: {printable(failed.message)}", err=True)
            shown.show(step)
        shown.clear()
        rows = {name: table.rows for name, table in tables.tables.items()}
    click.echo(
        f"{printable(str(folder / SUMMARY))}: {rows['matches']} matches, {rows['hands']} hands, {problems} problems"
    )
    if problems:
        sys.exit(1)


def _source(paths: tuple[Path, ...], path: Where) -> Source:
    """Return what is to be analysed."""
    if not paths:
        return of_ledger(path)
    archives = [each for each in paths if each.suffix == ".parquet"]
    if not archives:
        return of_files(paths)
    if len(archives) < len(paths):
        raise click.UsageError("give packed archives or match files, not both")
    return of_archives(archives)


class Progress:
    """How far the work is, on a stream: a line that changes where people watch, else a line now and then."""

    def __init__(self, source: Source, stream: TextIO) -> None:
        self._source = source
        self._stream = stream
        self._begun = self._told = time.monotonic()
        self._width = 0

    def show(self, step: Step) -> None:
        """Tell how far it is."""
        now = time.monotonic()
        watched = self._stream.isatty()
        if now - self._told < (0.2 if watched else _EVERY):
            return
        self._told = now
        share = min(step.size / self._source.size, 1) if self._source.size else 1
        text = f"analysing: {share:.0%}, {step.events:,} events, {step.events / (now - self._begun):,.0f} a second"
        self.clear()
        self._stream.write(text if watched else f"{text}\n")
        self._stream.flush()
        self._width = len(text) if watched else 0

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()
            self._width = 0
