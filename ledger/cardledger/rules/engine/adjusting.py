"""The ruling of a director as an event, and the results it awards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from cardledger.rules.engine.event import Event
from cardledger.rules.engine.keys import OPEN, Count, Plain, Remark, Seat, holds
from cardledger.sentence import Sentence


class Weighted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """One of the results that an adjusted score is weighted from, in percent: points, or a contract and its tricks."""

    weight: int
    score: int | None = None
    contract: str | None = None
    declarer: Seat | None = None
    tricks: int | None = None


_OF_KIND = {
    "tricks": Sentence(" (tricks, {law})"),
    "assigned": Sentence(" (assigned, {law})"),
    "artificial": Sentence(" (artificial, {law})"),
    "penalty": Sentence(" (penalty, {law})"),
    "stands": Sentence(" (stands, {law})"),
}

Award = tuple[Weighted, ...] | int | float
"""The award of a ruling to a side: results with their weights, or a percentage."""


class Adjust(Event, tag="adjust", frozen=True, kw_only=True):
    """A director's ruling on a hand, under a law; `kind` decides its other keys.

    `hand` is the number of the hand, the last begun unless it is given; `about` the event that was ruled on.
    """

    replaces = "own"

    kind: Annotated[Literal["tricks", "assigned", "artificial", "penalty", "stands"], OPEN]
    law: Plain
    hand: Count | None = None
    about: Count | None = None
    reason: Remark | None = None
    to: Plain | None = None
    tricks: Count | None = None
    ns: Annotated[Award, holds("word", "all")] | None = None
    ew: Annotated[Award, holds("word", "all")] | None = None
    side: Plain | None = None
    percent: Annotated[int | float, OPEN] | None = None
    imps: Annotated[int | float, OPEN] | None = None
    vps: Annotated[int | float, OPEN] | None = None
    points: Annotated[int | float, OPEN] | None = None

    def phrases(self) -> Iterator[str]:
        """Yield what is ruled on."""
        yield "the director rules on the last hand" if self.hand is None else "the director rules on hand {hand}"
        yield _OF_KIND[self.kind]
        if self.reason:
            yield " ({reason})"
