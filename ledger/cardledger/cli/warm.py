"""The command `cardledger warm`.

Compile the kernels of games, so that luck and reviews take little time from then on.
"""

from __future__ import annotations

import time

import click

from cardledger.cli.output import json_option, tell
from cardledger.errors import StoreError
from cardledger.rules.games import game, games
from cardledger.rules.kernel.fit import unfit
from cardledger.rules.kernel.kernels import available, folder, warm


@click.command("warm")
@click.argument("game_ids", nargs=-1, metavar="[GAME]...")
@json_option("An object for each game.")
def warm_command(game_ids: tuple[str, ...], as_json: bool) -> None:
    """Compile the rules and bots of games, for luck and reviews many times as fast.

    This takes some seconds for each game, once: what is compiled is kept in the cache folder of the user (or in the
    folder that CARDLEDGER_KERNELS names), and used by every command and server from then on. A server also does it by
    itself when nobody records. Results are the same with and without.

    \b
    Examples:
      cardledger warm
      cardledger warm ruff hearts
    """
    if not available():
        raise StoreError("store.extra", "compiled games need numba: pip install 'cardledger[fast]'")
    for id in game_ids or games():
        chosen = game(id)
        why = unfit(chosen)
        start = time.perf_counter()
        if not why:
            try:
                warm(chosen)
            except OSError as error:
                raise StoreError(
                    "store.write",
                    f"{folder()} cannot be written: {error.strerror} (CARDLEDGER_KERNELS names another folder)",
                ) from None
        done = f"no kernel: {why[0]}" if why else f"ready after {time.perf_counter() - start:.1f} s"
        tell(as_json, f"{chosen.id:<16} {done}", game=chosen.id, ready=not why)
    click.echo(f"Kept in {folder()}", err=as_json)
