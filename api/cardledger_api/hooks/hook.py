"""A webhook, and what was sent to it and withheld from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cardledger_api.http.operations import Role
    from cardledger_api.http.streams import Filter


class Hook(NamedTuple):
    """A webhook. `pending` is the last position of a batch that was sent in vain: it is sent again as it was."""

    id: str
    name: str
    url: str
    secret: str
    role: Role
    filter: Filter
    created: str
    position: int
    pending: int | None
    failures: int
    failing_since: float | None
    due: float
    disabled: str | None


class Delivery(NamedTuple):
    """One try to send a batch: its positions, the status of the answer if there was one, and what went wrong."""

    at: str
    first: int
    last: int
    status: int | None
    ms: int
    error: str | None


class Withheld(NamedTuple):
    """An event that readers may not see yet, or not in full: its place in the ledger and in its stream.

    `cut`: the webhook was sent it without what is secret. Otherwise it was left out, and so is what follows in its
    stream.
    """

    position: int
    stream: str
    seq: int
    cut: bool
