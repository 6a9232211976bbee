"""Whole hands judged by kernels: every match comes to the state that the live table gives it, or to the same error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from cardledger.errors import LedgerError
from cardledger.rules.games import game
from cardledger.rules.kernel import kernels
from cardledger.rules.stream import Stream
from tests.kernel.chosen import IN_CI
from tests.kernel.played import matches
from tests.kernel.whole_hands import streams
from tests.tables import state
from tests.thorough import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.rules.engine import events as ev


def folded(events: Sequence[ev.Event]) -> Any:
    """Return all that a fold comes to: the state and the events, or the error."""
    try:
        return described(Stream.of(events))
    except LedgerError as error:
        return described(error)


def described(found: Stream | Exception) -> Any:
    """Return a fold so that it can be compared."""
    if isinstance(found, Stream):
        table = found.table
        own = "" if table.phase is None else (table.phase.name, table.playing is None)
        return state(table), found.events, found.corrected, table.seq, own, found.counted(found.seq)
    assert isinstance(found, LedgerError)
    return found.code, found.message


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", IN_CI)
def test_every_match_folded_by_the_kernel_is_that_of_the_live_table(id: str) -> None:
    kernels.warm(game(id), kernels.Judge)
    played = list(matches(id, many(64, 12_000)))
    taken = 0
    for events, found in zip(played, streams(played), strict=True):
        assert described(found) == folded(events)
        taken += isinstance(found, Stream) and len(found.table.violations)
    assert taken > 10 or id == "diversity"
