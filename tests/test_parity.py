"""The table of what can be done where: complete, and every place in it exists."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import click

import cardledger
from cardledger.cli import main as cli
from cardledger_api import PREFIX
from cardledger_web.app import access_of, create_app, ledger_of
from tests.documents import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

TABLE = DOCUMENTS["api/cardledger_api/README.md"].partition("## What can be done where\n")[2]
PLACE = re.compile(r"`([^`]+)`")
HELP = ("--help", "help()")


def rows() -> list[list[str]]:
    """Return the rows of all tables: what, pages, API, command line, Python."""
    lines = [line.strip("|").split(" | ") for line in TABLE.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line] for line in lines if line[0].strip() != "what"]


def named(column: int) -> set[str]:
    """Return the places in a column."""
    return {place for row in rows() for place in PLACE.findall(row[column])}


def addresses(app: Flask) -> Iterator[tuple[str, str]]:
    """Yield the address of each route as the table writes it, and its method."""
    for rule in app.url_map.iter_rules():
        address = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: found[1].upper(), rule.rule)
        yield from ((address, method) for method in (rule.methods or set()) - {"HEAD", "OPTIONS"})


def commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command that is no group, with its full name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        elif command is not None:
            yield before + name, command


def test_every_row_has_a_place_or_a_reason_in_each_column() -> None:
    assert len(rows()) > 60
    for row in rows():
        assert len(row) == 5 and all(row), row
    assert len({row[0] for row in rows()}) == len(rows())


def test_every_page_and_operation_has_a_row_and_every_place_exists(tmp_path: Path) -> None:
    app = create_app(tmp_path / "club.db")
    routes = [*addresses(app)]
    access_of(app).close()
    ledger_of(app).close()
    operations = {f"{method} {path.removeprefix(PREFIX)}" for path, method in routes if path.startswith(PREFIX)}
    assert named(2) == operations
    assert named(1) == {path for path, _ in routes if not path.startswith(PREFIX)}


def test_every_command_has_a_row_and_every_place_exists() -> None:
    known = dict(commands(cli.main))
    places = named(3) - {*HELP}
    for place in places:
        name, _, option = place.partition(" --")
        assert name in known, place
        assert not option or f"--{option}" in [one for each in known[name].params for one in each.opts], place
    assert {place.partition(" --")[0] for place in places} == known.keys()


def test_every_name_of_the_public_python_has_a_row_and_every_place_exists() -> None:
    places = named(4) - {*HELP}
    members = {
        f"{cls.__name__}.{name}"
        for cls in (
            cardledger.OpenLedger,
            cardledger.Replay,
            cardledger.PlayerStatistics,
            cardledger.ClubEvenings,
            cardledger.ClubLessons,
        )
        for name in {*vars(cls), *inspect.get_annotations(cls)}
        if not name.startswith("_")
    }
    assert places <= members | {*cardledger.__all__}
    assert members - places == {
        "OpenLedger.close",
        "OpenLedger.evenings",
        "OpenLedger.lessons",
        "OpenLedger.statistics",
    }, "their methods have rows"
