"""Notices that several commands give: a ledger was made, lists may be behind, which of several evenings is meant."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardledger.codes import explained
from cardledger.errors import LedgerError, StoreError, UnusableError
from cardledger.listed import listed
from cardledger.record.matches.matchfile import printable
from cardledger.record.people.spelling import similar_names
from cardledger.record.readmodels.questions.evening_list import evenings_beginning, evenings_named
from cardledger.record.recording.directing import unfinished_tables
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.siblings import make_room
from cardledger.record.store.sqlite import SqliteStore
from cardledger.sentence import Sentence, advising

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardledger.record.recording.results import Recorded
    from cardledger.record.store.address import Where


_NEXT = {
    "store.missing": "name its file with --db or CARDLEDGER_DB; cardledger import FILE makes one, and cardledger evening new",
    "store.ambiguous": "write more letters of the id: cardledger matches lists them",
    "format.game": "cardledger games lists them",
}
"""What to do next on the command line, where more can be said than the code's remedy does."""
_LISTS = {
    "no match ": "cardledger matches",
    "no player": "cardledger stats players GAME",
    "no club": "cardledger evening list",
}
"""The commands that list what a message says there is not."""


def what_next(error: LedgerError) -> str:
    """Return what to do next about an error: a sentence, or a command; empty where the message itself says it."""
    if isinstance(error.message, Sentence) and error.message.advises:
        return ""
    if error.code == "store.unknown":
        for words, command in _LISTS.items():
            if words in error.message:
                return f"{command} lists those there are"
        return ""
    if error.code in _NEXT:
        return _NEXT[error.code]
    known = explained(error.code) if not error.code.startswith("format.") else None
    return "" if known is None else known.remedy


def begin_anew(where: Where) -> None:
    """Move what is left of a ledger out of the way of a new one, and say so.

    Raises StoreError `store.exists`, `store.write`.
    """
    if isinstance(where, Path) and (folder := make_room(where)) is not None:
        click.echo(printable(f"What was left of an earlier ledger is now in {folder}."), err=True)


def tell_if_new(ledger: Ledger) -> None:
    """Say that a new ledger was made, in case the user meant another one."""
    if ledger.store.created:
        click.echo(f"There was no ledger at {printable(str(ledger.at))}: a new one was made.", err=True)


@contextmanager
def to_record_in(where: Where) -> Iterator[Ledger]:
    """Open a ledger to record in, a new one too: if nothing is recorded in that, it is taken away again."""
    with Ledger(where) as ledger:
        try:
            yield ledger
        finally:
            if not (isinstance(ledger.store, SqliteStore) and ledger.store.withdraw(ledger.views.file.path)):
                tell_if_new(ledger)


def known_names(ledger: Ledger, but: str | None = None) -> set[str]:
    """Return all ids and names of people that the read models know; `but` leaves one person out."""
    people = ledger.people()
    everybody = (
        "SELECT player FROM players UNION SELECT recorded_as FROM players UNION SELECT recorded_as FROM evening_players"
    )
    rows = ledger.views.reader.execute(everybody)
    ids = {id for (id,) in rows} | {*people.named(), *people.merged()}
    if but is not None:
        ids -= {*people.ids(but)}
    return ids | {people.name(id) for id in ids}


def tell_if_similar(place: str, names: Iterable[str], known: set[str]) -> None:
    """Warn of new names that differ from known ones by case, accents or one letter; each is reported once.

    `names` are there together: two of them are two people, whatever they are called.
    """
    together = {*names}
    for name in dict.fromkeys(names):
        if name not in known:
            if others := similar_names(name, known - together):
                message = (
                    f"{name} is new and looks like {', '.join(others)}; "
                    "if they are one person, use cardledger people merge"
                )
                click.echo(printable(f"{place}: people.similar: {message}"), err=True)
            known.add(name)


def tell_doubts(match: str, recorded: Recorded) -> None:
    """Warn of hands that got impossible points; they are recorded."""
    for doubt in recorded.doubts:
        click.echo(f"{match}:{doubt.seq}: {doubt.code}: {printable(doubt.message)}", err=True)


def caught_up(ledger: Ledger) -> LedgerError | None:
    """Catch up the read models; if that is not possible now, say why and that older results are shown."""
    try:
        ledger.views.catch_up()
    except UnusableError as error:
        click.echo(f"cardledger: {error.code}: {printable(error.message)}; older results are shown", err=True)
        return error
    return None


def evening_meant(ledger: Ledger, said: str, *kinds: str) -> str:
    """Return the evening of some kinds that a name, or the beginning of an id or of a name means.

    Of several with a name the newest, and say so.

    Raises StoreError `store.unknown`, `store.ambiguous`.
    """
    caught_up(ledger)
    named = [row for row in evenings_named(ledger, said) if row["kind"] in kinds]
    if not named:
        try:
            return ledger.evenings.resolve(said)
        except StoreError as error:
            named = [row for row in evenings_beginning(ledger, said) if row["kind"] in kinds]
            if error.code != "store.unknown" or not named:
                raise
    names = [*dict.fromkeys(row["name"] for row in named)]
    if len(names) > 1:
        raise StoreError("store.ambiguous", advising(f"{said} may be {' or '.join(names[:5])}: write more of the name"))
    said = names[0]
    first, *others = named
    if others:
        day = f" of {first['since']}" if first["since"] else ""
        message = f"{len(named)} are called {said}: this is the newest, {first['evening']}{day}"
        click.echo(f"cardledger: {printable(message)}", err=True)
    return str(first["evening"])


def tell_unfinished(ledger: Ledger, session: str) -> None:
    """Say on standard error which tables of an evening are not finished, as pages do before they go on."""
    at = ledger.evenings.table_names(session)
    for round, table, boards in unfinished_tables(ledger, session):
        open_boards = f": boards {listed([*map(str, boards)])}" if boards else ""
        click.echo(f"not finished yet: table {at(round, table)}, round {round}{open_boards}", err=True)
