"""The command `cardledger config`: the settings of a server, and the source of each."""

from __future__ import annotations

from typing import Any

import click

from cardledger.cli.output import print_json
from cardledger.record.matches.matchfile import printable
from cardledger.settings import SERVE, Configured
from cardledger_web.commands.serve import serve


@click.pass_context
def _show(ctx: click.Context, /, as_json: bool, **_given: Any) -> None:
    settings = [*serve.settings(ctx)]
    if as_json:
        print_json({each.key: {"value": each.value, "source": each.where} for each in settings})
        return
    lines = [f"{each.key} = {each.written}" if each.written else f"# {each.key} is not set" for each in settings]
    width = max(len(line) for line in lines)
    for each, line in sorted(zip(settings, lines, strict=True), key=lambda pair: pair[0].key != "db"):
        click.echo(f"{printable(line):<{width}}  # {printable(each.where)}")
        if each.key == "db":
            click.echo(f"\n[{SERVE}]")


config = Configured(
    "config",
    callback=_show,
    params=[
        *serve.params,
        # No variable of the environment sets it: it is no setting.
        click.Option(
            ["--json", "as_json"],
            is_flag=True,
            allow_from_autoenv=False,
            help="As JSON. Each setting with its value and source.",
        ),
    ],
    help="""Print the settings that "serve" would have, and where each comes from: a flag, the environment, a file.

    The output can be saved as a settings file; user and password are left out of a database address.

    \b
    Examples:
      cardledger config
      cardledger config --port 8080 --log json
    """,
)
