"""The command `cardledger evening import`: an evening from paper or a spreadsheet, shown first, then stored."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from cardledger.cli.importing import at_terminal
from cardledger.cli.notices import to_record_in
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json, tell
from cardledger.cli.simulate import option_of
from cardledger.count_of import count_of
from cardledger.errors import LedgerError
from cardledger.formats.spreadsheets.grids import MEANINGS, example_of
from cardledger.formats.spreadsheets.kept_layouts import layouts_of, named, said_in_words
from cardledger.formats.spreadsheets.kept_layouts import rename as rename_layout
from cardledger.formats.spreadsheets.known_to_ledger import KnownToLedger
from cardledger.formats.spreadsheets.names import NEW, OTHERS
from cardledger.formats.spreadsheets.preview import Preview, club_wished, preview
from cardledger.formats.spreadsheets.storing import store
from cardledger.formats.spreadsheets.templates import KINDS, template
from cardledger.formats.spreadsheets.wishes import COLUMNS, SCORINGS, Wishes
from cardledger.formats.spreadsheets.words import in_words
from cardledger.record.matches.matchfile import printable
from cardledger.record.people.spelling import tidy_name
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine.events import bare
from cardledger.rules.evenings.other_game import WINS
from cardledger.sentence import advising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.store.address import Where


@click.command("import")
@click.argument("files", nargs=-1, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--club", metavar="CLUB", help="The club: its name or id. Not needed if there is one.")
@click.option("--session", metavar="EVENING", help="The evening the results belong to, if it is recorded already.")
@click.option("--name", metavar="NAME", help="Name of a new evening.")
@click.option(
    "--date",
    metavar="DAY",
    help="The day, whatever the sheets say: 2026-01-31; only a year for days without one: 2026.",
)
@click.option("--game", metavar="GAME", help="The game, where no sheet says it; any name, with --wins.")
@click.option(
    "--wins", type=click.Choice(WINS), help="A game without rules here: which points win. Only results are recorded."
)
@click.option("--partners", is_flag=True, help="A game without rules here: partners sit opposite, and score together.")
@click.option("--scoring", type=click.Choice(SCORINGS), help="How a new evening is scored.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the matches; may be repeated."
)
@click.option(
    "--names", multiple=True, metavar="NAME=PLAYER", help="Who is meant by a name: a player, or new; may be repeated."
)
@click.option(
    "--columns", type=click.Choice(COLUMNS), help="What the columns of numbers are, if all sums hold both ways."
)
@click.option("--name-at", metavar="CELL", help="Show one: the cell of a player's name, such as B3 or Sheet!B3.")
@click.option("--score-at", metavar="CELL", help="Show one: the cell of a number of this player, such as C3.")
@click.option("--score-is", type=click.Choice(MEANINGS), help="Show one: what this number is.")
@click.option("--ignore", multiple=True, metavar="CELL", help="A cell that does not belong to the results, and what is left over below it; may be repeated.")  # fmt: skip
@click.option(
    "--layout",
    metavar="NAME",
    help="Read the sheets by a layout that the club keeps; else one of their shape is tried.",
)
@click.option(
    "--keep-layout",
    metavar="NAME",
    help="Keep what is said here of how the results lie under a name, for sheets of this shape.",
)
@click.option("--as-written", is_flag=True, help="Also store points that the game cannot give: the sheet says so.")
@click.option("--yes", is_flag=True, help="Store without asking; names that resemble no known player are new players.")
@click.option("--template", "wanted", type=click.Choice([*KINDS]), help="Write an empty sheet to FILE instead.")
@by_option
@json_option("The answer of POST /sessions/import; no questions are asked.")
@db_option
def import_command(
    files: tuple[Path, ...], by: str, as_json: bool, path: Where, yes: bool, wanted: str | None, names: tuple[str, ...],
    options: tuple[str, ...], name_at: str | None, score_at: str | None, score_is: str | None, **wishes: Any,
) -> None:  # fmt: skip
    """Store evenings from CSV or XLSX: a row for each player and hand, a column for each hand, or the totals only.

    A season is read too: players and days with the points of each evening, or who won each.

    The layout is recognised by its headings, in English, German or French. Shown are the tables, and all problems at
    once, each with its cell; nothing is stored while there is one. A name that nobody has is a question. In a terminal
    you are asked before anything is stored; elsewhere the evening is only shown, unless you say --yes. The same file
    again stores nothing new.

    \b
    Examples:
      cardledger evening import samples/evenings/hearts-tische.csv --yes --db club.db
      cardledger evening import samples/evenings/whole-evening.xlsx --scoring places --yes --db club.db
      cardledger evening import samples/evenings/canasta.csv --game Canasta --wins most --yes --db club.db
      cardledger evening import samples/evenings/hearts-tische.csv --name-at A7 --score-at B7 --score-is hand --keep-layout "Our pad" --yes --db club.db
      cardledger evening import --template csv evening.csv
    """
    if wanted is not None:
        _write(wanted, files, as_json)
        return
    if not files:
        raise click.UsageError("give a file to import, or --template")
    try:
        contents = [(file.name, file.read_bytes()) for file in files]
    except OSError as error:
        raise click.UsageError(f"{error.filename} cannot be read: {error.strerror}") from None
    answers = ({OTHERS: NEW} if yes else {}) | _answers_of(names)
    asked = Wishes(
        options=dict(map(option_of, options)), names=answers, example=example_of(name_at, score_at, score_is), **wishes
    )
    with to_record_in(path) as ledger:
        previewed = preview(KnownToLedger(ledger), contents, asked)
        asks = not yes and not as_json and at_terminal()
        if asks and previewed.questions and not previewed.problems:
            previewed = preview(
                KnownToLedger(ledger), contents, asked._replace(names=answers | _asked(previewed, ledger))
            )
        if as_json:
            stores = previewed.ready and yes
            if stores:
                store(previewed, ledger, by)
            print_json(previewed.report(stored=stores))
            sys.exit(0 if previewed.ready else 2)
        _show(previewed, ledger)
        if not previewed.ready:
            sys.exit(2)
        if previewed.new and (yes or (asks and click.confirm("Store this evening?", err=True))):
            stored = store(previewed, ledger, by)
            said = f"{count_of(len(stored.matches), 'match')}, {count_of(stored.new, 'event')} stored"
            click.echo(f"{', '.join(stored.sessions)}: {said}")
        elif not previewed.new:
            click.echo(f"{', '.join(str(each.session) for each in previewed.evenings)}: stored already")


@click.command("layouts")
@click.option("--club", metavar="CLUB", help="The club: its name or id. Not needed if there is one.")
@click.option("--rename", nargs=2, metavar="OLD NEW", help="Give a layout another name.")
@click.option("--forget", metavar="NAME", help="Forget a layout; its events stay in the record of the club.")
@by_option
@json_option("An object for each layout.")
@db_option
def layouts_command(
    club: str | None, rename: tuple[str, str] | None, forget: str | None, by: str, as_json: bool, path: Where
) -> None:
    """List the layouts by which the club reads its sheets; rename or forget one.

    A layout is kept by `evening import --keep-layout NAME`: it says where names and numbers stand on sheets of a shape,
    and holds nothing of what they say.

    \b
    Examples:
      cardledger evening layouts --db club.db
      cardledger evening layouts --rename "Our pad" "Tuesday pad" --db club.db
      cardledger evening layouts --forget "Tuesday pad" --db club.db
    """
    changes = rename is not None or forget is not None
    with to_record_in(path) if changes else Ledger(path, create=False) as ledger:
        ledger.views.catch_up()
        chosen = club_wished(KnownToLedger(ledger), Wishes(club=club))
        if rename is not None:
            rename_layout(ledger, named(layouts_of(ledger, chosen), rename[0]), tidy_name(rename[1]), by)
        if forget is not None:
            rename_layout(ledger, named(layouts_of(ledger, chosen), forget), None, by)
        kept = layouts_of(ledger, chosen)
        rows = [{"club": each.club, **msgspec.to_builtins(bare(each.layout))} for each in kept]
        if as_json:
            print_json(rows)
            return
        for each in kept:
            click.echo(printable(f"{each.layout.name}: {said_in_words(each.layout)}"))
        if not kept:
            click.echo("no layout is kept")


def _show(previewed: Preview, ledger: Ledger) -> None:
    for line in in_words(previewed, ledger.people().name):
        click.echo(printable(line))
    for problem in previewed.problems:
        click.echo(printable(str(problem)), err=True)
    for question in previewed.questions:
        likely = "".join(f', --names "{question.name}={player}"' for player in question.likely)
        said = (
            f"{question.name} ({', '.join(question.cells)}): sheet.name: "
            f'nobody has this name: say --names "{question.name}=new"{likely}'
        )
        click.echo(printable(said), err=True)


def _asked(previewed: Preview, ledger: Ledger) -> dict[str, str]:
    """Ask who is meant by each name."""
    answers = {}
    for question in previewed.questions:
        name = ledger.people().name
        likely = {f"{number}": player for number, player in enumerate(question.likely, 1)}
        shown = "".join(f"{number}: {printable(name(player))}  " for number, player in likely.items())
        text = f"{printable(question.name)} is not known. {shown}new: a new player"
        answer = click.prompt(
            text, "1" if likely else NEW, type=click.Choice([*likely, NEW]), show_choices=False, err=True
        )
        answers[question.name] = likely.get(answer, NEW)
    return answers


def _answers_of(given: Sequence[str]) -> dict[str, str]:
    answers = {}
    for text in given:
        name, equals, player = text.rpartition("=")
        if not (name.strip() and equals and player.strip()):
            raise click.UsageError(f"--names {text}: write NAME=PLAYER, or NAME=new")
        answers[name.strip()] = player.strip()
    return answers


def _write(kind: str, files: Sequence[Path], as_json: bool) -> None:
    """Write a template to a file, or to standard output."""
    content = template(kind)
    if not files:
        sys.stdout.buffer.write(content)
        return
    if len(files) > 1:
        raise click.UsageError("a template is written to one file")
    try:
        with files[0].open("xb") as file:
            file.write(content)
    except FileExistsError:
        raise LedgerError("store.exists", advising(f"{files[0]} exists already: choose another name")) from None
    except OSError as error:
        raise LedgerError("store.write", f"{files[0]} was not written: {error.strerror}") from None
    tell(as_json, f"{files[0]}: written", file=str(files[0]))
