"""Who may see which cards while a match is open, and events as everybody may see them.

The rule: while a match is open, the cards that somebody holds or held unseen are shown only of hands that are over
and count. Until then everybody sees what lies on the table, and only scorers (and admins) see

* the hands and the stock of a deal (`hands` null, no `stock`; what is left over, `aside`, and the `upcard` lie face up),
* cards drawn from the stock (only who drew them sees them; those from the discards were seen by all),
* cards given to pay a debt or to pay back (two seats see them),
* the card that closes a hand, face down,
* violations and rulings of the hand under way, also their number: who revoked holds the suit,
* the hash of a match with a hand under way: of a line with one unknown card it would tell which; so proofs and receipts
  wait until there is nothing to hide, and what checkpoints seal is salted (`ledger.proofs.leaves`).

A card withheld is `?` in an event. "Over and count" and not just "over", because a hand may be recorded a second time:
what a retract took back is shown again when the match is over. An amendment is treated as the event it is about. A
match that is complete or ended hides nothing. A role sees any seat's cards or none's, as roles do not say who sits where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from flask import g

from ledger import events as ev
from ledger.corrections import unroll
from ledger.readmodels.matchlist import violations_over
from ledger.store.codec import decode_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.corrections import Stream
    from ledger.ledger import Ledger
    from ledger.table import Table

WITHHELD = "?"
"""Stands for a card that may not be seen yet."""
_HIDING = ev.Deal | ev.Draw | ev.Give | ev.Close | ev.Amend


def sees_all() -> bool:
    """Tell whether whoever asks may see cards in play; whoever has no role may not."""
    role: str = g.get("role", "reader")
    return role != "reader"


def public_row(ledger: Ledger, row: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a match as whoever asks may see it."""
    if sees_all() or row["status"] != "open" or row["hands"] == row["hands_complete"]:
        return row
    return row | {"hash": None, "violations": violations_over(ledger, row)}


def public_filters(query: dict[str, Any]) -> dict[str, Any]:
    """Return the filters of a list of matches, for readers without what they may not know."""
    if sees_all():
        return query
    return {"violations_over" if name == "violations" else name: value for name, value in query.items()}


def withheld(ledger: Ledger, match: str, upto: int | None = None) -> bool:
    """Tell whether a match, or its events up to a number, holds what whoever asks may not see yet.

    Then they get no hash of it either, nor what a hash is made of. Raises StoreError `store.unknown`.
    """
    secrets = Secrets(ledger.stream(match))
    if sees_all() or not secrets.open:
        return False
    rows = ledger.cleared(ledger.store.read(match)[:upto])
    return any(secrets.public_line(row.line, row.seq) != row.line for row in rows)


class Secrets:
    """What of a match may not be shown to everybody: as of the stream it was made of."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.open = stream.table.status == "open"
        self._shown: frozenset[int] | None = None

    def covers(self, seq: int) -> bool:
        """Tell whether the cards of event `seq` are secret."""
        if not self.open:
            return False
        if self._shown is None:
            over = max((hand.last or 0 for hand in self._stream.table.hands), default=0)
            counting = unroll(self._stream.heads[-1])
            self._shown = frozenset(number for number, _ in counting if number <= over)
        return seq not in self._shown

    def of_table(self, table: Table) -> bool:
        """Tell whether a state of the match, now or earlier, shows a hand that is secret."""
        return self.open and table.hand is not None and self.covers(table.hand.first)

    def public(self, event: ev.Event, seq: int) -> ev.Event:
        """Return event `seq` as everybody may see it."""
        if not isinstance(event, _HIDING) or not self.covers(event.about if isinstance(event, ev.Amend) else seq):
            return event
        return redacted(event)

    def public_line(self, line: str, seq: int) -> str:
        """Return the stored line of event `seq` as everybody may see it."""
        if not self.covers(seq):
            return line
        event = decode_one(line)
        shown = self.public(event, seq)
        return line if shown is event else ev.encode(shown).decode()

    def violations(self, found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return those violations of a replay result that everybody may see."""
        return [violation for violation in found if not self.covers(violation["seq"])]


def redacted(event: ev.Event) -> ev.Event:
    """Return an event without the cards that not all have seen."""
    if isinstance(event, ev.Deal):
        return msgspec.structs.replace(event, hands=None, stock=None)
    if isinstance(event, ev.Draw) and event.source == "stock":
        return msgspec.structs.replace(event, cards=(WITHHELD,) * len(event.cards))
    if isinstance(event, ev.Give | ev.Close):
        return msgspec.structs.replace(event, card=WITHHELD)
    if isinstance(event, ev.Amend):
        return msgspec.structs.replace(event, event=redacted(event.event))
    return event
