"""The webhooks of a ledger: where to send which events, how far each has come, what was sent."""

from __future__ import annotations

import json
import secrets
from base64 import b64encode
from contextlib import closing
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

from cardledger.errors import LedgerError
from cardledger.record.recording.beside import KEEPERS, Forgotten, Keeper
from cardledger.record.store.address import Where, where
from cardledger.sentence import advising
from cardledger_api.beside.kept import kept_for
from cardledger_api.beside.times import utc_now, written
from cardledger_api.hooks.hook import Delivery, Hook, Withheld
from cardledger_api.hooks.public_address import expect_public
from cardledger_api.hooks.schema import DATABASE, FILE
from cardledger_api.http.operations import ROLES
from cardledger_api.http.streams import Filter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.mentions import Mention
    from cardledger_api.beside.store import Execute
    from cardledger_api.http.operations import Role

STATES = ("active", "failing", "disabled")
SEEN = ROLES[:2]
"""Roles whose view of the events a webhook may have."""
NAME_LENGTH = 64
"""Characters of a name, at most."""
LOGGED = 100
"""Deliveries of each webhook that are kept."""
PREFIX = "whsec_"
"""The beginning of a secret, as in the Standard Webhooks specification."""
_COLUMNS = "id, name, url, secret, role, filter, created, position, pending, failures, failing_since, due, disabled"


class Hooks:
    """The webhooks of a ledger. They are never events: a copy of a ledger must not send its events again."""

    def __init__(self, ledger: Where | str, *, private: bool = False) -> None:
        """With `private` they may go to addresses of this computer and its network."""
        self.private = private
        self.store = kept_for(where(ledger), "webhooks", FILE, DATABASE)

    def add(self, name: str, url: str, role: Role, filter: Filter, position: int) -> Hook:
        """Store a webhook for the events after a position; raises LedgerError `webhook.address`, `webhook.name`."""
        expect_address(url, private=self.private)
        secret = PREFIX + b64encode(secrets.token_bytes(32)).decode()
        hook = Hook(
            str(uuid4()), name, url, secret, role, filter, written(utc_now()), position, None, 0, None, 0.0, None
        )

        def work(execute: Execute) -> bool:
            marks = ", ".join("?" * len(hook))
            insert = f"INSERT INTO hooks ({_COLUMNS}) VALUES ({marks}) ON CONFLICT (name) DO NOTHING"
            execute(insert, (*hook._replace(filter=_text(filter)),))  # type: ignore[arg-type] # as stored
            return bool(execute("SELECT id FROM hooks WHERE name = ?", (name,)).fetchone()[0] == hook.id)

        if not self.store.change(work):
            raise LedgerError(
                "webhook.name", advising(f"there is a webhook named {name}: delete it, or choose another name")
            )
        return hook

    def all(self) -> list[Hook]:
        """Return all webhooks, oldest first."""
        return [_hook(row) for row in self.store.rows(f"SELECT {_COLUMNS} FROM hooks ORDER BY created, name")]

    def get(self, id: str) -> Hook:
        """Return a webhook by its id or its name; raises LedgerError `webhook.unknown`."""
        # PostgreSQL's text has no zero byte.
        query = f"SELECT {_COLUMNS} FROM hooks WHERE id = ? OR name = ? ORDER BY id = ? DESC"
        for row in self.store.rows(query, id, id, id) if "\0" not in id else ():
            return _hook(row)
        raise LedgerError("webhook.unknown", f"there is no webhook {id}")

    def remove(self, id: str) -> Hook:
        """Delete a webhook with its log, and return it; raises LedgerError `webhook.unknown`."""
        hook = self.get(id)

        def work(execute: Execute) -> None:
            execute("DELETE FROM hooks WHERE id = ?", (hook.id,))
            execute("DELETE FROM deliveries WHERE hook = ?", (hook.id,))
            execute("DELETE FROM withheld WHERE hook = ?", (hook.id,))
            execute("DELETE FROM cut WHERE hook = ?", (hook.id,))

        self.store.change(work)
        return hook

    def forget(self, person: Forgotten) -> None:
        """Give webhooks whose names mention a person another name."""
        hooks = self.all()
        taken = {hook.name for hook in hooks}
        for hook in hooks:
            if person.mention(hook.name):
                name = person.other_name(taken)
                taken.add(name)
                self._rename(hook, name)

    def _rename(self, hook: Hook, name: str) -> None:
        self.store.change(lambda execute: execute("UPDATE hooks SET name = ? WHERE id = ?", (name, hook.id)))
        self.store.empty()

    def log(self, id: str) -> list[Delivery]:
        """Return the last deliveries of a webhook, latest first; raises LedgerError `webhook.unknown`."""
        query = "SELECT at, first, last, status, ms, error FROM deliveries WHERE hook = ? ORDER BY number DESC"
        return [Delivery(*row) for row in self.store.rows(query, self.get(id).id)]

    def withheld(self, hook: Hook) -> list[Withheld]:
        """Return the events that a webhook was not sent in full, in the order of the ledger."""
        tables = ("withheld", False), ("cut", True)
        query = "SELECT position, stream, seq FROM {} WHERE hook = ?"
        return sorted(
            Withheld(position, stream, seq, cut)
            for table, cut in tables
            for position, stream, seq in self.store.rows(query.format(table), hook.id)
        )

    def claim(self, hook: Hook, now: float, until: float) -> Hook | None:
        """Take the next delivery of a webhook that is due; until a time no other server sends it.

        None if another one has it.
        """

        def work(execute: Execute) -> bool:
            take = "UPDATE hooks SET due = ? WHERE id = ? AND due = ? AND due <= ? AND disabled IS NULL"
            return execute(take, (until, hook.id, hook.due, now)).rowcount == 1

        return hook._replace(due=until) if self.store.change(work) else None

    def note(
        self,
        claimed: Hook,
        after: Hook,
        delivery: Delivery | None,
        *,
        withheld: Sequence[Withheld] = (),
        shown: Sequence[int] = (),
    ) -> None:
        """Store how far a claimed webhook has come, log a delivery, and note which events are withheld and which were sent after all.

        Nothing is stored if another server has taken over: this one was stopped for longer than its claim.
        """

        def work(execute: Execute) -> None:
            set_all = (
                "UPDATE hooks SET position = ?, pending = ?, failures = ?, failing_since = ?, due = ?, disabled = ?"
            )
            state = (after.position, after.pending, after.failures, after.failing_since, after.due, after.disabled)
            if not execute(f"{set_all} WHERE id = ? AND due = ?", (*state, claimed.id, claimed.due)).rowcount:
                return
            for position in shown:
                for table in ("withheld", "cut"):
                    execute(f"DELETE FROM {table} WHERE hook = ? AND position = ?", (claimed.id, position))
            for *place, cut in withheld:
                table = "cut" if cut else "withheld"
                add = f"INSERT INTO {table} (hook, position, stream, seq) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
                execute(add, (claimed.id, *place))
            if delivery is not None:
                add = "INSERT INTO deliveries (hook, at, first, last, status, ms, error) VALUES (?, ?, ?, ?, ?, ?, ?)"
                execute(add, (claimed.id, *delivery))
                oldest = "SELECT number FROM deliveries WHERE hook = ? ORDER BY number DESC LIMIT 1 OFFSET ?"
                drop = f"DELETE FROM deliveries WHERE hook = ? AND number <= ({oldest})"
                execute(drop, (claimed.id, claimed.id, LOGGED))

        self.store.change(work)

    def close(self) -> None:
        """Release the store."""
        self.store.close()


def _mentioning(at: Where, mention: Mention, key: str) -> list[Hook]:
    with closing(Hooks(at)) as hooks:
        return [hook for hook in hooks.all() if mention(getattr(hook, key))]


def _forget(at: Where, person: Forgotten) -> None:
    with closing(Hooks(at)) as hooks:
        hooks.forget(person)


KEEPERS.append(
    Keeper(
        lambda at, mention: [f"the name of the webhook “{hook.name}”" for hook in _mentioning(at, mention, "name")],
        lambda at, mention: [f"the address of the webhook {hook.id}" for hook in _mentioning(at, mention, "url")],
        _forget,
        lambda family: [family.webhooks],
    )
)


def shown(hook: Hook) -> dict[str, Any]:
    """Return a webhook as it is shown: without its secret, with its state."""
    facts = {name: getattr(hook, name) for name in ("id", "name", "url", "role", "created", "position", "failures")}
    types, kinds = (None if some is None else sorted(some) for some in (hook.filter.types, hook.filter.kinds))
    state = STATES[2 if hook.disabled else 1 if hook.failures else 0]
    return facts | {
        "game": hook.filter.game, "types": types, "kinds": kinds, "state": state, "reason": hook.disabled,
    }  # fmt: skip


def expect_address(url: str, *, private: bool) -> None:
    """Refuse anything but an address of http or https; unless `private`, also this computer and its network.

    A name is looked up when events are sent, so a name for such an address is refused then. Raises LedgerError
    `webhook.address`.
    """
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = False
    if not known or not url.isascii() or any(ord(letter) <= 32 for letter in url) or "@" in parts.netloc:
        raise LedgerError("webhook.address", "write the address as https://example.org/path, without a password")
    try:
        ip_address(parts.hostname or "")
    except ValueError:
        return
    expect_public(parts.hostname or "", private=private)


def _text(filter: Filter) -> str:
    return json.dumps([filter.game, *(None if some is None else sorted(some) for some in filter[1:])])


def _hook(row: tuple[Any, ...]) -> Hook:
    hook = Hook(*row)
    game, types, kinds = json.loads(row[5])
    return hook._replace(
        filter=Filter(game, None if types is None else frozenset(types), None if kinds is None else frozenset(kinds))
    )
