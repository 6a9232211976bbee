"""The command `export`: matches as files of several kinds."""

from __future__ import annotations

import sys
from functools import partial

import click

from cardledger.cli.notices import caught_up, evening_meant
from cardledger.cli.options import db_option
from cardledger.errors import StoreError
from cardledger.formats.bridge_files.boards import GAME as BRIDGE
from cardledger.formats.bridge_files.reading import FORMATS, Format
from cardledger.formats.bridge_files.usebio_sessions import written_evening
from cardledger.formats.bridge_files.write_usebio_evening import usebio_of_evenings
from cardledger.formats.bridge_files.writing import encoded, written
from cardledger.page_file import QUIZ_CARDS, page_file
from cardledger.record.readmodels.questions.evening_list import evenings_named
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.record.store.sqlite import expect_sound

MILLION = 1_000_000


@click.command()
@click.argument("matches", nargs=-1, metavar="[MATCH]...")
@click.option(
    "--as-stored", is_flag=True, help="With pseudonyms in place of names and texts, as the hashes cover them."
)
@click.option("--format", type=click.Choice(FORMATS), help="Boards of bridge as PBN or LIN instead of a match file.")
@click.option(
    "--latin-1", "latin_1", is_flag=True, help="With --format: in Latin-1, for old programs, instead of UTF-8."
)
@click.option("--html", is_flag=True, help="One match as a file of HTML, which opens without a server.")
@click.option(
    "--language", type=click.Choice(["en", "de", "fr"]), default="en", help="With --html: the language of its pages."
)
@click.option(
    "--quiz-cards", "quiz_millions", type=click.IntRange(0, 1_000_000), metavar="MILLIONS",
    help="With --html: how many million cards are played at most to find out what the choices of its quiz cost; 0 for "
    f"no quiz.  [default: {QUIZ_CARDS // MILLION}]",
)  # fmt: skip
@click.option("--small", is_flag=True, help="With --html: without other moves, what a seat can know, and the quiz.")
@db_option
def export(
    matches: tuple[str, ...],
    as_stored: bool,
    format: Format | None,
    latin_1: bool,
    html: bool,
    language: str,
    quiz_millions: int | None,
    small: bool,
    path: Where,
) -> None:
    """Write matches as a match file to standard output: all of them, or those named by id.

    The beginning of an id is enough if it is unique. Clubs, sessions and leagues are not part of a match file: `backup`
    and `copy` carry them. With --format, matches of bridge are written as PBN or LIN, each as it stands with its
    corrections. An evening of pairs, by name or id, is written whole as USEBIO: its pairs with their places, and the
    travellers with points and rulings. With --html, a match is written as its pages show it to every reader, with the
    replay and the rulings, in one file; its readers try other moves, ask what a seat can know, and take the quiz of a
    hand, unless it is --small. To find out what each choice of a quiz costs, its hand is played out in possible worlds; 50
    million cards are some 20 seconds with compiled rules (`cardledger warm`), and minutes without. Hands beyond the
    limit of --quiz-cards have no quiz.

    \b
    Examples:
      cardledger export --db club.db
      cardledger export --format pbn --db club.db
      cardledger export --format usebio "Bridge pairs" --db club.db
      cardledger export --html 19d1 --db club.db
      cardledger export --html --quiz-cards 1000 19d1 --db club.db
    """
    if html and (as_stored or format is not None or len(matches) != 1):
        raise click.UsageError("--html is for one match as it stands: name one, without --as-stored and --format")
    if quiz_millions is not None and (small or not html):
        raise click.UsageError("--quiz-cards is for --html without --small: other files have no quiz")
    if small and not html:
        raise click.UsageError("--small is for --html: it says what the file leaves out")
    if format is not None and as_stored:
        raise click.UsageError("--as-stored is for match files: leave out --format")
    with Ledger(path, create=False) as ledger:
        if not matches:
            expect_sound(ledger.store)
        out = sys.stdout.buffer
        if html:
            caught_up(ledger)
            match = ledger.resolve(matches[0])
            cards = None if quiz_millions is None else quiz_millions * MILLION
            told = partial(click.echo, err=True)
            out.write(page_file(ledger, match, language, small=small, quiz_cards=cards, told=told).encode())
            return
        if format == "usebio" and (evenings := _evenings_meant(ledger, matches)):
            for text in usebio_of_evenings(written_evening(ledger, evening) for evening in evenings):
                out.write(encoded(text, latin_1))
            return
        ids = [ledger.resolve(match) for match in matches] or ledger.matches()
        if format is None:
            for text in ledger.export(ids, as_stored=as_stored):
                out.write(text.encode())
        else:
            folded = (ledger.folded(match).stream for match in ids)
            bridge = (stream for stream in folded if matches or stream.table.game.id == BRIDGE)
            for text in written(bridge, format):
                out.write(encoded(text, latin_1))


def _evenings_meant(ledger: Ledger, names: tuple[str, ...]) -> list[str]:
    """Return the sessions that all of some names mean; none if one of them means something else."""
    caught_up(ledger)
    found = [_meant_to_export(ledger, name) for name in names]
    return [ledger.evenings.resolve(id) for id in found] if all(id.startswith("session-") for id in found) else []


def _meant_to_export(ledger: Ledger, name: str) -> str:
    """Return the evening with a name; else what a match is called; else the evening whose name begins so."""
    if any(row["kind"] == "session" for row in evenings_named(ledger, name)):
        return evening_meant(ledger, name, "session")
    try:
        return ledger.resolve(name)
    except StoreError as error:
        if error.code != "store.unknown":
            raise
    return evening_meant(ledger, name, "session")
