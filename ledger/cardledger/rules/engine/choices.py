"""Choices: a type of event that may come next, with its possible values."""

from __future__ import annotations

from typing import Any

import msgspec


class Choice(msgspec.Struct, frozen=True, omit_defaults=True, rename={"sources": "from"}):
    """A type of event that may come next, with its possible values.

    `seat` is None if any seat may act; `actor` is the seat that chooses, if it plays another seat's cards. `cards`:
    the legal faces; `count`: the number of cards together; `amounts`: lowest and highest bid, `barred`: forbidden
    bids between them; `calls`: the legal words; `sources`: seats or piles to take from; `also`: further keys that the
    event needs, with their usual values, such as the number of the next board.
    """

    type: str
    seat: int | None = None
    cards: tuple[str, ...] = ()
    count: int = 1
    amounts: tuple[int, int] | None = None
    sources: tuple[int | str, ...] = ()
    to: int | None = None
    total: int | None = None
    barred: tuple[int, ...] = ()
    calls: tuple[str, ...] = ()
    actor: int | None = None
    also: dict[str, Any] = {}
