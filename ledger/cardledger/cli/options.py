"""Options that many commands share."""

from __future__ import annotations

import click

from cardledger import settings
from cardledger.formats.bridge_files.reading import FORMATS
from cardledger.record.store.address import where

db_option = click.option(
    "--db", "path", type=where, metavar="LEDGER", envvar="CARDLEDGER_DB", default=settings.db,
    show_envvar=True, allow_from_autoenv=False,
    help=f"The ledger: a file, or postgresql://USER@HOST/DATABASE.  [default: {settings.LEDGER}]",
)  # fmt: skip
by_option = click.option("--by", metavar="NAME", default="cardledger", show_default=True, help="Name of the scorer.")
format_option = click.option(
    "--format", type=click.Choice(FORMATS), help="The format of the files.  [default: what their content says]"
)
new_option = click.option(
    "--new",
    is_flag=True,
    allow_from_autoenv=False,  # said once, not at every start
    help="Make a new ledger where files of one that is gone are left; they are moved into a folder.",
)
strict_option = click.option(
    "--strict",
    is_flag=True,
    help="Refuse games of PBN and LIN files that do not follow the standard, or break a rule.",
)
