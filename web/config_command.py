"""The command `cardledger config`: the settings a server would have, and where each was said."""

from __future__ import annotations

from typing import Any

import click

from ledger.matchfile import printable
from ledger.settings import SERVE, Configured
from web.commands import serve


@click.pass_context
def _show(ctx: click.Context, /, **_given: Any) -> None:
    settings = [*serve.settings(ctx)]
    lines = [f"{each.key} = {each.value}" if each.value else f"# {each.key} is not set" for each in settings]
    width = max(len(line) for line in lines)
    for each, line in sorted(zip(settings, lines, strict=True), key=lambda pair: pair[0].key != "db"):
        click.echo(f"{printable(line):<{width}}  # {printable(each.where)}")
        if each.key == "db":
            click.echo(f"\n[{SERVE}]")


config = Configured(
    "config",
    callback=_show,
    params=serve.params,
    help="""Print the settings that "serve" would have, and where each comes from: a flag, the environment, a file.

    What is printed can be kept as a file of settings; of the address of a database, user and password are left out.

    \b
    Examples:
      cardledger config
      cardledger config --port 8080 --log json
    """,
)
