"""The event with which a club keeps how it reads sheets of a shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from cardledger.rules.engine.events import Event
from cardledger.rules.engine.keys import OPEN, Count, Label


class Layout(Event, tag="layout", frozen=True, kw_only=True):
    """The club reads sheets of a shape in a way, which it knows by a name.

    Said again under the same name it replaces what was said before; without a shape the name is forgotten. It holds
    nothing of what stands on a sheet: `shape` is a number made of what kinds of cells follow each other; cells are their
    row and column, from 1.
    """

    name: Label
    shape: Count | None = None
    columns: Annotated[Literal["hands", "running"], OPEN] | None = None
    name_at: tuple[Count, ...] = ()
    score_at: tuple[Count, ...] = ()
    score_is: Annotated[Literal["hand", "running", "total"], OPEN] | None = None
    ignore: tuple[tuple[Count, ...], ...] = ()

    def phrases(self) -> Iterator[str]:
        """Yield what becomes of the name."""
        yield (
            "the layout {name} is forgotten"
            if self.shape is None
            else "sheets of one shape are read by the layout {name}"
        )
