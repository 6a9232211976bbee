"""What may come next: a kind of event, and what it may carry."""

from __future__ import annotations

import msgspec


class Choice(msgspec.Struct, frozen=True, omit_defaults=True, rename={"sources": "from"}):
    """One kind of event that may come next, and what it may carry.

    `seat` is None where any seat may do it. `cards`: the legal faces; `count`: how many of them go together;
    `amounts`: lowest and highest bid; `sources`: seats or piles to take from.
    """

    type: str
    seat: int | None = None
    cards: tuple[str, ...] = ()
    count: int = 1
    amounts: tuple[int, int] | None = None
    sources: tuple[int | str, ...] = ()
    to: int | None = None
    total: int | None = None
