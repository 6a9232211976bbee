"""What commands print: JSON for programs, and for people tables that fit the terminal, with suits as signs."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from textwrap import fill
from typing import Any

import click

from cardledger.cli.signs import shows
from cardledger.record.matches.drawing import SUITS
from cardledger.record.matches.grid import grid
from cardledger.record.matches.matchfile import printable

_CARD = re.compile(r"(?<![\w-])([2-9TJQKA])([SHDC])(?![\w-])")
_COLOURS = {"S": None, "H": "red", "D": "yellow", "C": "green"}


def json_option(about: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option --json of a command: JSON goes to standard output, messages to standard error."""
    return click.option("--json", "as_json", is_flag=True, help=f"As JSON. {about}")


def print_json(value: object) -> None:
    """Print a value as one line of JSON; its texts stay the same in an encoding that lacks a character of them."""
    text = json.dumps(value, ensure_ascii=False)
    click.echo(text if shows(text) else json.dumps(value))


def write_exactly(text: str) -> None:
    """Write data for other programs in UTF-8, whatever the encoding of the output: signs of another kind would change them."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())


def tell(as_json: bool, sentence: str, **facts: object) -> None:
    """Say what a command did: a sentence, or the same as a JSON object."""
    if as_json:
        print_json(facts)
    else:
        click.echo(printable(sentence))


def width() -> int | None:
    """Return the columns of the terminal, or those that COLUMNS says.

    None in a pipe, which takes lines of any length.
    """
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def print_text(*paragraphs: str) -> None:
    """Print paragraphs, broken into lines where the terminal is too narrow for them.

    Those of an indented one stay indented.
    """
    columns = width()
    for text in map(printable, paragraphs):
        hanging = "    " if text.startswith(" ") else ""
        click.echo(text if columns is None else fill(text, columns, subsequent_indent=hanging))


def print_table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as aligned columns, or as a block for each row where the terminal is too narrow.

    Nothing without rows.
    """
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    for line in grid(names, cells, width()) if cells else ():
        click.echo(line)


def print_match(lines: Iterable[str], players: Sequence[str]) -> None:
    """Print lines about a match; on a terminal with signs for suits, in colour unless NO_COLOR is set."""
    # A player may be called AS: then cards stay as they are written.
    on_terminal = sys.stdout.isatty() and not any(map(_CARD.search, players))
    for line in lines:
        text = printable(line)
        click.echo(_CARD.sub(_sign, text) if on_terminal else text, color=on_terminal or None)


def coloured() -> bool:
    """Tell whether colours are wanted: on a terminal, unless NO_COLOR is set (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _sign(card: re.Match[str]) -> str:
    rank, suit = card.groups()
    sign, _ = SUITS[suit]
    return click.style(f"{rank}{sign}", fg=_COLOURS[suit]) if coloured() else f"{rank}{sign}"
