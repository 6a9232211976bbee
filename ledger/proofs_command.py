"""The commands `cardledger checkpoint`, `prove`, `receipt` and `key`: what was recorded, sealed so that others can check it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ledger.cli import db_option
from ledger.ledger import Ledger
from ledger.matchfile import printable
from ledger.progress import progress
from ledger.proofs import Place, ProofError
from ledger.proofs.keys import lines_of, written
from ledger.proofs.log import Log
from ledger.proofs.receipts import as_file, receipt, tlog_proof
from ledger.proofs.survey import seal, survey

if TYPE_CHECKING:
    from ledger.store.where import Where


@click.command()
@db_option
def checkpoint(path: Where) -> None:
    """Seal all that is recorded: survey the whole ledger, sign how many events there are and their Merkle root.

    The checkpoint is printed as a signed note, and kept beside the ledger. Give it to somebody: against what they
    keep, "cardledger verify --checkpoint" finds whatever is changed later. If the ledger is not what was sealed before, no
    checkpoint is made, the first event that does not fit is named, and the exit status is 1.

    \b
    Examples:
      cardledger checkpoint --db club.db
    """
    with Ledger(path, create=False) as ledger, Log(ledger) as log:
        try:
            with progress("surveying", ledger.count()) as bar:
                survey(log, progress=lambda events: bar.update(events - bar.pos))
            made = seal(log)
        except ProofError as error:
            click.echo(printable(error.told), err=True)
            sys.exit(1)
        click.echo(made.note, nl=False)
        click.echo(f"{made.size} events, sealed at {written(log.signed_at(made))}", err=True)


@click.command()
@click.argument("event", metavar="MATCH[#SEQ]")
@db_option
def prove(event: str, path: Where) -> None:
    """Write the proof that an event, and with it all before it in its match, is in the last checkpoint.

    The form is that of https://c2sp.org/tlog-proof, its extra data the bytes of the leaf. Without SEQ it is about the
    latest event. MATCH may be cut short as long as it is clear.

    \b
    Examples:
      cardledger prove 5 --db club.db
      cardledger prove 5#3 --db club.db
    """
    match, _, number = event.partition("#")
    if number and not (number.isascii() and number.isdigit() and len(number) < 19):
        raise click.BadParameter(f"{event!r}: behind # stands the number of an event")
    with Ledger(path, create=False) as ledger, Log(ledger) as log:
        match = ledger.resolve(match)
        proof = log.inclusion(Place(match, int(number) if number else ledger.stream(match).seq))
        click.echo(tlog_proof(proof), nl=False)


@click.command("receipt")
@click.argument("match")
@db_option
def receipt_command(match: str, path: Where) -> None:
    """Write the receipt of a match: its events, and the proof that they were sealed.

    Who has it can check it later without the ledger, with the program check_receipt.py that every server gives away.

    \b
    Examples:
      cardledger receipt 5 --db club.db
    """
    with Ledger(path, create=False) as ledger, Log(ledger) as log:
        click.echo(as_file(receipt(log, ledger.resolve(match))).encode(), nl=False)


@click.command()
@click.option("--rotate", is_flag=True, help="Make a new key that signs from now on; the old one remains known.")
@db_option
def key(rotate: bool, path: Where) -> None:
    """Show the verifier keys of a ledger, the one that signs now first.

    By its key others tell the checkpoints of this ledger from any other: put it where they can see it. The first one is
    made when it is first needed. After --rotate one more checkpoint is made, signed by both keys.

    \b
    Examples:
      cardledger key --db club.db
    """
    with Ledger(path, create=False) as ledger, Log(ledger) as log:
        ring = log.rotate() if rotate else log.ring
        for line in lines_of(ring.known):
            click.echo(line)
