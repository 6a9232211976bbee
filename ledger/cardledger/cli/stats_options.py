"""The options of `cardledger stats …`: filters, the scale of strength, and the forms of an answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cardledger.cli.options import db_option
from cardledger.study.stats.query import DIMENSIONS, SCALES

FILTERS = (
    click.option("--since", metavar="DAY", help="From this day on, as 2026-01-31."),
    click.option("--until", metavar="DAY", help="Up to this day."),
    click.option("--event", help="Only this club night or tournament."),
    click.option("--against", metavar="NAME,…", help="Only where all of these players sat at the table too."),
    click.option("--seat", metavar="SEAT", help="Only at this seat, from 0."),
    click.option("--turn", metavar="PLACE", help="Only at this place from the dealer: 1 is left of the dealer."),
    click.option("--size", metavar="N", help="Only at tables of this many players."),
    click.option("--option", metavar="NAME:VALUE,…", help="Only matches with these options."),
    click.option("--policy", type=click.Choice(("strict", "record")), help="Only matches under this policy."),
    click.option(
        "--where",
        metavar="NAME:VALUE,…",
        help="Only hands in these situations, or with these counts, such as void_suits:1.",
    ),
    click.option(
        "--by",
        metavar="DIMENSION[,DIMENSION]",
        help=f"Split by {', '.join(DIMENSIONS)}, or a count of the game; by two of them with a comma between.",
    ),
)
SCALE = click.option(
    "--scale",
    type=click.Choice([*SCALES]),
    help="Measure strength in points, or against the other tables with the same cards. [default: points]",
)
FORMS = (
    db_option,
    click.option("--json", "form", flag_value="json", help="As JSON, with the sources of the figures."),
    click.option("--csv", "form", flag_value="csv", help="As CSV."),
    click.option(
        "--parquet",
        "file",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Write a Parquet file.",
    ),
)


def with_options(*options: Callable[..., Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds options to a command, in their order."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add
