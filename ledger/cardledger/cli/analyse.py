"""The command `cardledger analyse`."""

from __future__ import annotations

import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TextIO

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, tell
from cardledger.count_of import count_of
from cardledger.crew import Alone, Crew, Processes, cores
from cardledger.record.matches.matchfile import printable
from cardledger.record.store.address import Where
from cardledger.study.analyse.analysis import AnalysisStep, analyse
from cardledger.study.analyse.cluster import Cluster
from cardledger.study.analyse.share_results import find
from cardledger.study.analyse.sources import AnalysisSource, of_archives, of_files, of_ledger
from cardledger.study.analyse.tables import SUMMARY, Tables

EVERY = 10.0
"""Seconds between two lines of progress where the output is not a terminal."""


@click.command("analyse")
@click.argument("paths", nargs=-1, metavar="[FILE]...", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@db_option
@click.option(
    "--out",
    "folder",
    required=True,
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the tables.",
)
@click.option(
    "--workers", type=click.IntRange(1), metavar="N", help="Number of worker processes. [default: one for each core]"
)
@click.option(
    "--cluster", metavar="ADDRESS", help="Use the workers of this Dask scheduler instead, as tcp://host:8786."
)
@click.option("--csv", is_flag=True, help="Write every table as CSV too.")
@click.option("--audit", is_flag=True, help="Check every hash and write a table of all rulings (slower).")
@json_option("The file with the summary, and the numbers of matches, hands and problems.")
def analyse_command(
    paths: tuple[Path, ...],
    path: Where,
    folder: Path,
    workers: int | None,
    cluster: str | None,
    csv: bool,
    audit: bool,
    as_json: bool,
) -> None:
    """Fold whole archives into results, statistics and audit: a folder of Parquet tables.

    Give packed archives (.parquet) or match files; without FILE the ledger is analysed as it stands at the start.
    The tables have the columns of the read models; summary.json names the events they were computed from. They do not
    depend on the number of workers, nor on a worker being killed. A match that does not fold is reported on standard
    error and in the table of problems, and the exit status is 1.

    With --cluster the workers read the files themselves: each path must name the same file there, and the address of
    a PostgreSQL ledger is sent to them with its password.

    \b
    Examples:
      cardledger analyse --db club.db --out tables
      cardledger analyse season-2025.parquet season-2026.parquet --out tables --csv
      cardledger analyse --db postgresql:///league --out tables --cluster tcp://scheduler:8786
    """
    if cluster is not None and workers is not None:
        raise click.UsageError("give --workers or --cluster, not both")
    source = source_of(paths, path)
    crew: Crew
    if cluster is not None:
        crew = Cluster(find, cluster)
    else:
        count = workers or cores()
        crew = Alone(find) if count == 1 else Processes(find, count)
    problems = 0
    with closing(crew), Tables(folder, audit, csv, source.position) as tables:
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
    sentence = (
        f"{folder / SUMMARY}: {count_of(rows['matches'], 'match')}, "
        f"{count_of(rows['hands'], 'hand')}, {count_of(problems, 'problem')}"
    )
    tell(as_json, sentence, file=str(folder / SUMMARY), matches=rows["matches"], hands=rows["hands"], problems=problems)
    if problems:
        sys.exit(1)


def source_of(paths: tuple[Path, ...], path: Where, game: str | None = None) -> AnalysisSource:
    """Return the source to analyse; a ledger without what is surely of another game than `game`."""
    if not paths:
        return of_ledger(path, game)
    archives = [each for each in paths if each.suffix == ".parquet"]
    if not archives:
        return of_files(paths)
    if len(archives) < len(paths):
        raise click.UsageError("give packed archives or match files, not both")
    return of_archives(archives)


class Progress:
    """Progress on a stream: one line that is rewritten on a terminal, else a new line now and then."""

    def __init__(self, source: AnalysisSource, stream: TextIO) -> None:
        self._source = source
        self._stream = stream
        self._begun = self._shown = time.monotonic()
        self._width = 0

    def show(self, step: AnalysisStep) -> None:
        """Report the progress."""
        now = time.monotonic()
        watched = self._stream.isatty()
        if now - self._shown < (0.2 if watched else EVERY):
            return
        self._shown = now
        share = min(step.size / self._source.size, 1) if self._source.size else 1
        text = (
            f"analysing: {share:.0%}, {count_of(step.events, 'event')}, "
            f"{step.events / (now - self._begun):,.0f} a second"
        )
        self.clear()
        self._stream.write(text if watched else f"{text}\n")
        self._stream.flush()
        self._width = len(text) if watched else 0

    def clear(self) -> None:
        """Clear the line."""
        if self._width:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()
            self._width = 0
