"""The commands `cardledger verify` and `cardledger rebuild`: everything is computed again from the events."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

import click

from cardledger.cli.crews import crew_for
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, tell
from cardledger.count_of import count_of
from cardledger.errors import LedgerError, UnknownGameError
from cardledger.progress import progress
from cardledger.record.matches.matchfile import printable
from cardledger.record.proofs import accepting
from cardledger.record.readmodels.filling import filling
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.verification import checked
from cardledger.record.store import sums
from cardledger.record.store.address import Where
from cardledger.record.store.opening import family
from cardledger.record.store.paths import Family
from cardledger.record.store.sqlite import expect_sound
from cardledger.record.store.streams import is_evening, is_match


@click.command()
@db_option
@click.option(
    "--checkpoint", "checkpoints", multiple=True, metavar="FILE", type=click.File("r", encoding="utf-8"),
    help="Also check against this checkpoint or receipt; may be repeated.",
)  # fmt: skip
@json_option(
    "The numbers of matches, evenings, events, and of matches left out; `checkpoints` tells whether there are some."
)
def verify(path: Where, checkpoints: tuple[TextIO, ...], as_json: bool) -> None:
    """Recompute every hash and every result.

    If an event does not fit, the first one is named and the exit status is 1. If there are checkpoints, the ledger
    must also agree with them.

    \b
    Examples:
      cardledger verify --db club.db
    """
    with Ledger(path, create=False) as ledger:
        expect_sound(ledger.store)
        sealed = _expect_sealed(ledger, checkpoints)
        matches = evenings = unplayed = 0
        with (
            crew_for(checked, ledger) as crew,
            progress("verifying", len(ledger.store.matches())) as bar,
        ):
            for match, error in ledger.verify(crew):
                matches += is_match(match)
                evenings += is_evening(match)
                bar.update(1)
                if isinstance(error, UnknownGameError):
                    unplayed += 1
                    click.echo(_unplayed(match, error), err=True)
                elif error is not None:
                    click.echo(f"{match}:{(error.index or 0) + 1}: {error.code}: {printable(error.message)}", err=True)
                    sys.exit(1)
        _expect_beside(family(ledger.at, ledger.store))
        but = f" (except the results of {unplayed}, which cannot be replayed here)" if unplayed else ""
        others = (
            "1 club, session or league, "
            if evenings == 1
            else f"{evenings} clubs, sessions and leagues, "
            if evenings
            else ""
        )
        events = ledger.count()
        sentence = (
            f"{count_of(matches, 'match')}, {others}{count_of(events, 'event')}: "
            f"every hash and every result fits{but}{sealed}"
        )
        tell(
            as_json,
            sentence,
            matches=matches,
            evenings=evenings,
            events=events,
            left_out=unplayed,
            checkpoints=bool(sealed),
        )


def _expect_beside(side: Family) -> None:
    """End with status 1 if tokens or webhooks are not as they were written: they follow from nothing else."""
    for path in (side.tokens, side.webhooks):
        if error := sums.damage(path):
            click.echo(printable(str(error)), err=True)
            sys.exit(1)


def _unplayed(match: str, error: LedgerError) -> str:
    return (
        f"{match}: warning: {printable(error.message)}: "
        "its results are left out; install the game and run cardledger rebuild"
    )


def _expect_sealed(ledger: Ledger, files: Sequence[TextIO]) -> str:
    """Survey a ledger against its checkpoints and those given; return a sentence about it."""
    # Imported here because it loads slowly and few commands need it.
    from cardledger.record.proofs import ProofError, handed, log, survey

    given = [checkpoint for file in files for checkpoint in handed.checkpoints_in(file.read())]
    if not given and not log.Log.begun(ledger):
        return ""
    with log.Log(ledger, create=False) as opened:
        for checkpoint in given:
            opened.signed_at(checkpoint)
        try:
            with progress("surveying", ledger.count()) as bar:
                fitted = survey.survey(opened, given, lambda events: bar.update(events - bar.pos))
        except ProofError as error:
            click.echo(printable(error.as_line), err=True)
            sys.exit(1)
    return f", and {fitted.checkpoints} {'checkpoint' if fitted.checkpoints == 1 else 'checkpoints'} too"


@click.command()
@json_option("The number of events.")
@db_option
@click.option(
    "--accept-loss",
    is_flag=True,
    help="Go on without events that are gone (store.lost-tail); what shows the loss is kept in a folder.",
)
def rebuild(path: Where, accept_loss: bool, as_json: bool) -> None:
    """Drop the read models and fold them again from the events.

    \b
    Examples:
      cardledger rebuild --db club.db
    """
    with Ledger(path, create=False) as ledger:
        expect_sound(ledger.store)
        lost = accept_loss and ledger.store.refusal is not None
        if lost:
            folder = accepting.keep_evidence(ledger)
            click.echo(
                printable(
                    f"What shows the loss is in {folder}: keep it, and copy the events from a backup if there is one."
                ),
                err=True,
            )
        total, done = ledger.store.last_position(), 0
        with crew_for(filling, ledger) as crew, progress("rebuilding", total) as bar:
            for events in accepting.go_on(ledger, crew) if lost else ledger.rebuild(crew):
                bar.update(events - done)
                done = events
        tell(as_json, f"{count_of(done, 'event')} folded", events=done)
        folded = {match for (match,) in ledger.views.reader.execute("SELECT match FROM matches")}
        expect_folded(ledger, {*ledger.matches()} - folded)


def expect_folded(ledger: Ledger, missing: Iterable[str]) -> None:
    """Name the matches that no read model can hold, with the reason; exit status 2 if there is one."""
    failures = [(match, error) for match in sorted(missing) if (error := ledger.check(match))]
    for match, error in failures:
        if isinstance(error, UnknownGameError):
            click.echo(_unplayed(match, error), err=True)
    wrong = [(match, error) for match, error in failures if not isinstance(error, UnknownGameError)]
    for match, error in wrong:
        click.echo(f"{match}:{(error.index or 0) + 1}: {error.code}: {printable(error.message)}", err=True)
    if wrong:
        sys.exit(2)
