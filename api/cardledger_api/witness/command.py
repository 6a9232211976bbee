"""The commands `cardledger witness …`: ledgers that sign each other's checkpoints."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from cardledger.cli.options import db_option
from cardledger.cli.output import json_option, print_json, print_table, tell
from cardledger.errors import LedgerError
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.notes import VerifierKey
from cardledger.record.proofs.witness_file import WitnessFile
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.opening import family, opened
from cardledger_api.acts.command import noted
from cardledger_api.hooks.command import private_option
from cardledger_api.hooks.hooks import expect_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.store.address import Where


@click.group()
def witness() -> None:
    """Let ledgers sign each other's checkpoints, so that none can rewrite its past unseen.

    \b
    Examples:
      cardledger witness know cardledger/next+b58f9f71+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f --db club.db
      cardledger witness ask cardledger/next+b58f9f71+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f https://next.example.org/witness --db club.db
      cardledger witness list --db club.db
    """


@witness.command()
@click.argument("key")
@json_option("The log and its key.")
@db_option
def know(key: str, as_json: bool, path: Where) -> None:
    """Witness a log: sign what continues what was signed before, and keep what contradicts it.

    KEY is the key of the other ledger, as "cardledger key" shows it there.

    \b
    Examples:
      cardledger witness know cardledger/next+b58f9f71+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f --db club.db
    """
    known = VerifierKey.read(key)
    with _file(path) as file:
        file.know(known)
    noted(path, "cardledger witness know", known.name)
    tell(as_json, f"{known.name} is witnessed from now on, at /witness of this server.", log=known.name, key=str(known))


@witness.command()
@click.argument("key")
@click.argument("url")
@private_option
@json_option("The witness and its address.")
@db_option
def ask(key: str, url: str, private: bool, as_json: bool, path: Where) -> None:
    """Ask a witness to sign the checkpoints of this ledger, each new one and then every minute.

    KEY is that of the witness, and URL its address before /add-checkpoint: of another ledger, ADDRESS/witness.

    \b
    Examples:
      cardledger witness ask cardledger/next+b58f9f71+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f https://next.example.org/witness --db club.db
    """
    known = VerifierKey.read(key)
    expect_address(url, private=private)
    with Ledger(path, create=False) as ledger, Log(ledger) as log:
        if known.public in {one.public for one in log.ring.verifiers}:
            raise LedgerError("witness.unknown", "this is the ledger's own key: nobody is a witness of themselves")
    with _file(path) as file:
        file.ask(known, url)
    noted(path, "cardledger witness ask", known.name)
    tell(as_json, f"{known.name} is asked from now on.", witness=known.name, url=url)


@witness.command("list")
@json_option("Logs, witnesses, and what was found.")
@db_option
def list_command(as_json: bool, path: Where) -> None:
    """List the logs that are witnessed, the witnesses that are asked, and what was found.

    Exit status 1 means that a log contradicts itself, or that a witness objects to this ledger.

    \b
    Examples:
      cardledger witness list --db club.db
    """
    with _file(path) as file:
        logs, witnesses, found = file.logs(), file.witnesses(), file.found()
    if as_json:
        print_json({name: [one._asdict() for one in rows] for name, rows in
                    (("logs", logs), ("witnesses", witnesses), ("found", found))})  # fmt: skip
    else:
        rows = [("witnessed", log.origin, log.size, log.heard or "", "") for log in logs]
        rows += [("asked", one.name, one.signed, one.agreed or "", one.error or "") for one in witnesses]
        rows += [("found", one.origin, one.size, one.at, one.code) for one in found]
        print_table(("what", "who", "events", "when", "problem"), rows)
    objects = any(one.code not in (None, "witness.silent") for one in witnesses)
    if objects or any(one.settled is None for one in found):
        raise SystemExit(1)


@witness.command()
@click.argument("name")
@json_option("The log or the witness.")
@db_option
def remove(name: str, as_json: bool, path: Where) -> None:
    """Witness a log no more, or ask a witness no more.

    What was signed for a log is remembered: if it is witnessed again, it goes on there.

    \b
    Examples:
      cardledger witness remove cardledger/next --db club.db
    """
    with _file(path) as file:
        there = file.log(name) is not None
        asked = name in {one.name for one in file.witnesses()}
        if there:
            file.drop(name)
        if asked or not there:
            file.ask_no_more(name)
    noted(path, "cardledger witness remove", name)
    tell(as_json, f"{name} is removed.", name=name)


@contextmanager
def _file(path: Where) -> Iterator[WitnessFile]:
    store = opened(path, create=False)
    try:
        file = WitnessFile(family(path, store).witness)
    finally:
        store.close()
    try:
        yield file
    finally:
        file.close()
