"""`python -m ledger` is the command `cardledger`."""

from ledger.cli import main

main(prog_name="cardledger")
