"""The commands `cardledger people …`: who is who in a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click
from msgspec import to_builtins

from cardledger.cli.notices import caught_up, known_names, tell_if_similar
from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table, tell
from cardledger.record.matches.matchfile import printable
from cardledger.record.people.people import Merge, Name, Posed, PublishedName, Sat, Split
from cardledger.record.people.shown import ALL, HOW_SHOWN
from cardledger.record.people.spelling import similar_pairs
from cardledger.record.recording.erasing import erase as run_erasure
from cardledger.record.recording.erasing import examine
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine.events import bare

if TYPE_CHECKING:
    from cardledger.record.people.shown import HowShown
    from cardledger.record.store.address import Where
    from cardledger.rules.engine.events import Event

_reason = click.option("--reason", metavar="TEXT", help="The reason, for people who read the record later.")


@click.group()
def people() -> None:
    """Say which player ids mean one person, and give people names.

    Each change is an event in the ledger and can be reversed. Matches keep the ids they were recorded with; lists,
    results and statistics follow at once.

    \b
    Examples:
      cardledger people list --db club.db
      cardledger people name ana "Ana Lima" --db club.db
    """


@people.command("list")
@json_option("A list: `player`, `name`, `ids`.")
@db_option
def list_command(as_json: bool, path: Where) -> None:
    """List all people who have a name or more than one id.

    \b
    Examples:
      cardledger people list --db club.db
    """
    with Ledger(path, create=False) as ledger:
        persons = ledger.people()
    known = sorted({*persons.named(), *map(persons.person, persons.merged())})
    if as_json:
        print_json([{"player": one, "name": persons.name(one), "ids": persons.ids(one)} for one in known])
        return
    print_table(
        ("player", "name", "other ids"), [(one, persons.name(one), ", ".join(persons.ids(one)[1:])) for one in known]
    )


@people.command()
@json_option("A list: two ids, how they differ, and the matches of each.")
@db_option
def similar(as_json: bool, path: Where) -> None:
    """List names that may mean one person: they differ by case, accents or one letter, and never sat at one table.

    \b
    Examples:
      cardledger people similar --db club.db
    """
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        matches: dict[str, set[str]] = {}
        for match, player in ledger.views.reader.execute("SELECT match, player FROM players"):
            matches.setdefault(player, set()).add(match)
        for (player,) in ledger.views.reader.execute("SELECT DISTINCT recorded_as FROM evening_players"):
            matches.setdefault(ledger.people().person(player), set())  # perhaps no match yet
    alike = [
        (one, other, differs, len(matches[one]), len(matches[other]))
        for one, other, differs in similar_pairs(matches)
        if not matches[one] & matches[other]
    ]
    if as_json:
        print_json([{"players": [one, other], "differ": how, "matches": counts} for one, other, how, *counts in alike])
    else:
        print_table(("one", "other", "differ by", "matches", "matches"), alike)


@people.command()
@click.argument("player")
@click.argument("name", required=False)
@json_option("The event, and the number of events about people.")
@db_option
def name(player: str, name: str | None, as_json: bool, path: Where) -> None:
    """Call PLAYER by NAME from now on; without NAME, by the id again.

    You are warned if another person has the same NAME or a similar one.

    \b
    Examples:
      cardledger people name ana "Ana Lima" --db club.db
      cardledger people name ana --db club.db
    """
    _record(path, Name(player=player, name=name), f"{player} is called {name or player}.", as_json)


@people.command()
@click.argument("player")
@click.argument("into")
@_reason
@json_option("The event, and the number of events about people.")
@db_option
def merge(player: str, into: str, reason: str | None, as_json: bool, path: Where) -> None:
    """Say that PLAYER is another id of INTO, in all matches, past and to come.

    \b
    Examples:
      cardledger people merge hana ana --reason "misspelt" --db club.db
    """
    _record(path, Merge(player=player, into=into, reason=reason), f"{player} is {into}.", as_json)


@people.command()
@click.argument("player")
@_reason
@json_option("The event, and the number of events about people.")
@db_option
def split(player: str, reason: str | None, as_json: bool, path: Where) -> None:
    """Say that PLAYER, merged before, is a person of their own after all.

    \b
    Examples:
      cardledger people split hana --db club.db
    """
    _record(path, Split(player=player, reason=reason), f"{player} is a person of their own.", as_json)


@people.command()
@click.argument("match")
@click.argument("seat", type=click.IntRange(0))
@click.argument("player", required=False)
@_reason
@json_option("The event, and the number of events about people.")
@db_option
def sat(match: str, seat: int, player: str | None, reason: str | None, as_json: bool, path: Where) -> None:
    """Say that PLAYER sat at SEAT (from 0) of MATCH; without PLAYER, that the opening was right after all.

    \b
    Examples:
      cardledger people sat 9f6 2 "ana of Porto" --reason "another Ana" --db club.db
    """
    with Ledger(path, create=False) as ledger:
        match = ledger.resolve(match)
    sentence = f"At seat {seat} of {match} sat {player or 'the player its opening names'}."
    _record(path, Sat(match=match, seat=seat, player=player, reason=reason), sentence, as_json)


@people.command()
@click.argument("player")
@click.option("--no", "left_out", is_flag=True, help="From now on no hand that PLAYER played is a puzzle.")
@json_option("The event, and the number of events about people.")
@db_option
def pose(player: str, left_out: bool, as_json: bool, path: Where) -> None:
    """Say that hands which PLAYER played may be posed as puzzles, or with --no that they may not.

    They may be as long as nothing is said. No hand of a match in which somebody sat who said no is a puzzle.

    \b
    Examples:
      cardledger people pose ana --no --db club.db
      cardledger people pose ana --db club.db
    """
    sentence = f"Hands that {player} played {'are no puzzles' if left_out else 'may be puzzles'}."
    _record(path, Posed(player=player, posed=not left_out), sentence, as_json)


@people.command()
@click.argument("player", required=False)
@click.argument("how", type=click.Choice([*HOW_SHOWN, "rule"]), required=False)
@click.option(
    "--others", type=click.Choice([*HOW_SHOWN, "rule"]), help="The club's rule: what is shown of everybody else."
)
@json_option("The event, and the number of events about people; without PLAYER the `rule` and `people`.")
@db_option
def shown(player: str | None, how: str | None, others: str | None, as_json: bool, path: Where) -> None:
    """Decide how much of the name of PLAYER is shown in what is published: full, first or none.

    `cardledger publish` and files of one match keep to it: `first` shows the first name, `none` a word that says
    nothing. It holds for all ids that PLAYER has now, and of two people who become one the stricter decision counts.
    With `rule` PLAYER decides nothing, and the club's rule holds, which is what --others says; as long as there is no
    rule, whole names are shown. Pages of a server with its live results stay as they are.

    Without PLAYER and --others it lists what is decided. On a server only admins see that, and each person their own.

    \b
    Examples:
      cardledger people shown ana none --db club.db
      cardledger people shown ana rule --db club.db
      cardledger people shown --others first --db club.db
      cardledger people shown --db club.db
    """
    if (how is None) != (player is None) or (how and others):
        raise click.UsageError("give PLAYER and one of full, first, none or rule; or --others; or neither")
    if how is None and others is None:
        _tell_shown(path, as_json)
        return
    chosen = how or others
    event = PublishedName(player=player, shown=None if chosen == "rule" else cast("HowShown", chosen))
    _record(path, event, _shown_in_words(player or "everybody else", event), as_json)


def _shown_in_words(who: str, event: PublishedName) -> str:
    if event.shown is None:
        return f"What is published shows of {who} what the rule says." if event.player else "The club has no rule now."
    amount = {"full": "the whole name", "first": "the first name", "none": "no name"}[event.shown]
    return f"What is published shows {amount} of {who}."


def _tell_shown(path: Where, as_json: bool) -> None:
    with Ledger(path, create=False) as ledger:
        persons = ledger.people()
    decided = persons.deciding()
    if as_json:
        people = [{"player": one, "name": persons.name(one), "shown": how} for one, how in decided.items()]
        print_json({"rule": persons.rule, "people": people})
        return
    rows = [(one, persons.name(one), how) for one, how in decided.items()]
    print_table(("player", "name", "shown"), [*rows, ("everybody else", "", persons.rule or f"{ALL}, as no rule says")])


@people.command()
@click.argument("player")
@click.option(
    "--also", multiple=True, metavar="WORD", help="Another word that means them, such as a nickname; repeat it."
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@json_option("The id that is left and its name, and in words what stays.")
@db_option
def erase(player: str, also: tuple[str, ...], yes: bool, as_json: bool, path: Where) -> None:
    """Erase the identity of PLAYER: all their ids and names, and every text that names them.

    Texts are the notes and reasons, the names of evenings, tables, places, clubs and leagues, and those of tokens,
    invitations and webhooks. All are searched for the whole ids and names, whatever their case and accents. What stays
    is shown before you agree: texts with a part of the name, names of others like it, events older than pseudonyms,
    files beside the ledger.

    Matches, results and proofs stay, with a pseudonym for the name. The erasure, its time and its author are an event
    in the ledger. It cannot be reversed. Older backups, exports, archives and receipts still have the name.

    \b
    Examples:
      cardledger people erase ana --db club.db
      cardledger people erase ana --also Annie --also "Mrs Lima" --db club.db
    """
    with Ledger(path, create=False) as ledger:
        erasure = examine(ledger, player, also)
        click.echo(f"This erases for good {printable(erasure.in_words)}.", err=True)
        if erasure.staying:
            click.echo("This stays:", err=True)
            for each in erasure.staying:
                click.echo(f"  {printable(each)}", err=True)
        if not yes:
            click.confirm("It cannot be undone. Erase?", abort=True, err=as_json)
        left = run_erasure(ledger, erasure, "cardledger")
        name = ledger.people().name(left)
        tell(
            as_json,
            f"Erased. The matches stay, played by {left}, {name}.",
            player=left,
            name=name,
            stays=erasure.staying,
        )


def _record(path: Where, event: Event, sentence: str, as_json: bool) -> None:
    """Record an event and say so; warn of a name that another person has, or a similar one."""
    with Ledger(path, create=False) as ledger:
        caught_up(ledger)
        names = known_names(ledger, but=event.player if isinstance(event, Name) else None)
        ledger.record_people([event], ledger.people().seq, "cardledger")
        tell(as_json, sentence, event=to_builtins(bare(event)), people=ledger.people().seq)
        match event:
            case Name(name=str(given)) if given in names:
                message = f"another person is called {given} too; if they are one person, use cardledger people merge"
                click.echo(printable(f"cardledger: people.similar: {message}"), err=True)
            case Name(name=str(given)) | Sat(player=str(given)):
                tell_if_similar("cardledger", [given], names)
