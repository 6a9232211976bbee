"""The match of a table of an evening: how it is opened, and the id that follows from that."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Literal

import msgspec

from cardledger.rules.engine import events as match_events

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.evenings import evening_events as ev

Policy = Literal["strict", "record"]


def match_opening(
    evening: ev.Session, game: str, table: str, players: Sequence[str], policy: Policy = "record", boards: int = 0
) -> match_events.Open:
    """Return the opening of the match of a table, with everything filled in.

    `boards` is their number, if it plays boards.
    """
    return match_events.Open(
        game=game, players=(*players,), policy=policy, event=evening.name, table=table, place=evening.place,
        date=evening.date,
        options=(evening.options if game == evening.game else {}) | ({"boards": boards} if boards else {}),
    )  # fmt: skip


def match_id(session: str, round: int, first: match_events.Open, again: int = 0) -> str:
    """Return the id of the match of a table: it follows from session, round, table and players.

    Args:
        session: the id of the evening.
        round: its round.
        first: the opening of the match.
        again: how many matches of this table were declared void before.
    """
    opening = msgspec.json.encode(first, order="sorted").decode()
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{session} {round} {opening} {again}"))
