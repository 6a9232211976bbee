"""`python -m cardledger` is the command `cardledger`."""

from cardledger.cli.main import main

main(prog_name="cardledger")
