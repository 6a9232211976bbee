"""The commands `cardledger checkpoint`, `prove`, `receipt` and `key`: seal the record so that others can check it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json
from cardledger.count_of import count_of
from cardledger.progress import progress
from cardledger.record.matches.matchfile import printable
from cardledger.record.proofs import EventPlace, ProofError
from cardledger.record.proofs.keys import lines_of, written
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.receipts import as_file, receipt, tlog_proof
from cardledger.record.proofs.survey import seal, survey
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.streams import is_evening

if TYPE_CHECKING:
    from cardledger.record.store.address import Where


@click.command()
@json_option("The note, the number of events, and the time.")
@db_option
def checkpoint(as_json: bool, path: Where) -> None:
    """Seal the record: check the whole ledger, then sign the number of events and their Merkle root.

    The checkpoint is printed as a signed note and saved beside the ledger. Give a copy to someone else: with it,
    "cardledger verify --checkpoint" finds every later change. If the ledger differs from what was sealed before, no
    checkpoint is made, the first event that does not fit is named, and the exit status is 1.

    \b
    Examples:
      cardledger checkpoint --db club.db
    """
    with Ledger(path, create=False) as ledger, Log(ledger) as log:
        try:
            with progress("surveying", ledger.count()) as bar:
                survey(log, progress=lambda events: bar.update(events - bar.pos))
            sealed = seal(log)
        except ProofError as error:
            click.echo(printable(error.as_line), err=True)
            sys.exit(1)
        at = written(log.signed_at(sealed))
        if as_json:
            print_json({"note": sealed.note, "events": sealed.size, "at": at})
            return
        click.echo(sealed.note, nl=False)
        click.echo(f"{count_of(sealed.size, 'event')}, sealed at {at}", err=True)


@click.command()
@click.argument("event", metavar="MATCH[#SEQ]")
@db_option
def prove(event: str, path: Where) -> None:
    """Write the proof that an event, and all events before it in its match, are in the last checkpoint.

    The form is that of https://c2sp.org/tlog-proof; its extra data are the bytes of the leaf. Without SEQ the proof
    is for the latest event. The beginning of MATCH is enough if it is unique; a club, session or league will do too.

    \b
    Examples:
      cardledger prove 5 --db club.db
      cardledger prove 5#3 --db club.db
    """
    match, _, number = event.partition("#")
    if number and not (number.isascii() and number.isdigit() and len(number) < 19):
        raise click.BadParameter(f"{event!r}: write the number of an event after #")
    with Ledger(path, create=False) as ledger, Log(ledger) as log:
        if is_evening(match):
            match = ledger.evenings.resolve(match)
            latest = ledger.evenings.stream(match).seq
        else:
            match = ledger.resolve(match)
            latest = ledger.stream(match).seq
        proof = log.inclusion(EventPlace(match, int(number) if number else latest))
        click.echo(tlog_proof(proof), nl=False)


@click.command("receipt")
@click.argument("match")
@db_option
def receipt_command(match: str, path: Where) -> None:
    """Write the receipt of a match: its events, and the proof that they were sealed.

    Anyone can check it later without the ledger, with the program check_receipt.py that every server offers.

    \b
    Examples:
      cardledger receipt 5 --db club.db
    """
    with Ledger(path, create=False) as ledger, Log(ledger) as log:
        click.echo(as_file(receipt(log, ledger.resolve(match))).encode(), nl=False)


@click.command()
@click.option("--rotate", is_flag=True, help="Make a new signing key; the old one remains known.")
@json_option("A list of the keys.")
@db_option
def key(rotate: bool, as_json: bool, path: Where) -> None:
    """Show the verifier keys of a ledger, the current one first.

    Others use the key to recognise the checkpoints of this ledger, so publish it. The first key is made when it is
    needed. After --rotate one more checkpoint is made, signed by both keys.

    \b
    Examples:
      cardledger key --db club.db
    """
    with Ledger(path, create=False) as ledger, Log(ledger) as log:
        ring = log.rotate() if rotate else log.ring
        if as_json:
            print_json([*lines_of(ring.known)])
            return
        for line in lines_of(ring.known):
            click.echo(line)
