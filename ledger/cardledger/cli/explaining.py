"""The command `explain`: what a code means."""

from __future__ import annotations

from difflib import get_close_matches

import click

from cardledger.cli.output import json_option, print_json, print_text
from cardledger.codes import explained, known_codes
from cardledger.errors import StoreError


@click.command()
@click.argument("code")
@json_option("An object: `code`, `meaning` and `remedy`.")
def explain(code: str, as_json: bool) -> None:
    """Print what CODE means and what to do next: the word before the colon of a message.

    \b
    Examples:
      cardledger explain store.conflict
      cardledger explain follow.suit
    """
    found = explained(code)
    if found is None:
        near = get_close_matches(code, known_codes(), 3)
        close = f"; did you mean {' or '.join(near)}?" if near else ""
        raise StoreError(
            "store.unknown", f"there is no code {code!r}: it is the word before the colon of a message{close}"
        )
    if as_json:
        print_json({"code": code, **found._asdict()})
    else:
        print_text(found.meaning, found.remedy)
