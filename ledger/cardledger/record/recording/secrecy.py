"""Secrecy: which cards readers may see while a match is open, and events as readers may see them.

The rule: while a match is open, cards that a player holds or held unseen are shown only for hands that are over and
count. Until then readers see what lies on the table, and only scorers (and admins) see

* the hands and the stock of a deal (`hands` null, no `stock`; the `upcard` lies face up, and what is left over, `aside`,
  too, unless the game leaves it face down),
* cards drawn from the stock (only the player who drew them sees them; all players saw those from the discards),
* cards given to pay a debt or to pay back, and those passed on (two seats see them),
* the card that closes a hand, face down, and one that is laid away face down,
* violations and rulings of the hand under way, also their number: a player who revoked holds the suit,
* notes in the hand under way, and the reasons of corrections and rulings: they can name cards,
* the hash of a match with a hand under way: for a line with one unknown card it would reveal that card; so proofs and
  receipts wait until there is nothing to hide, and the leaves under checkpoints are salted
  (`cardledger.record.proofs.leaves`).

Which keys of an event hold what, its class declares (`cardledger.rules.engine.keys`); a key that says nothing is hidden
with the hand. A card withheld, or a note, is `?` in an event. "Over and count", not just "over", because a hand may be
recorded a second time: events taken back are shown again when the match is over. An amendment is treated like the event
it amends. A match that is complete or ended hides nothing; a void one can be brought back, so the hand it was in stays
hidden. A role sees the cards of all seats or of none, as roles do not say who sits where.

A deal that another table is playing or will play (`cardledger.record.readmodels.questions.shared_deals`) is hidden for
another reason: knowledge from one table would reach the other. So only scorers see the cards of such a hand, even
those on the table, the words of calls, the rulings, and events taken back; scores, bids and suits asked for are shown
to all.

A board of bridge that several tables of an evening play is secret until the last of them has finished it: deal,
auction, play and result (`cardledger.record.readmodels.tables.boards`). Until then readers cannot open the matches of
these tables, no list and no statistics know them, and rankings and travellers leave the board out. It ends when the
evening is closed.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Self

import msgspec

from cardledger.record.matches.withholding import without, without_cards
from cardledger.record.people.people import decode as decode_people
from cardledger.record.readmodels.questions.shared_deals import NOTHING, Held, held_back
from cardledger.record.store.codec import decode_one
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.at_any_time import VOID
from cardledger.rules.engine.keys import Seen, keys_of
from cardledger.rules.stream import unroll

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream


class Secrets:
    """The secrets of a match at one moment of its stream.

    `held` are the hands that another table is playing or will play.
    """

    def __init__(self, stream: Stream, held: Held = NOTHING) -> None:
        self._stream = stream
        self.held = held
        table = stream.table
        self.open = table.status == "open" or (table.status == VOID and bool(table.hands) and table.hand.scores is None)
        self._over: int | None = None
        self._counting: frozenset[int] = frozenset()
        self._ends: list[float] = []

    @classmethod
    def of(cls, ledger: Ledger, match: str, stream: Stream | None = None) -> Self:
        """Return the secrets of a match now; raises StoreError `store.unknown`."""
        # In this order: the later lookup may then hide more than needed, never less.
        stream = stream or ledger.stream(match)
        return cls(stream, held_back(ledger.views).get(match, NOTHING))

    @property
    def any(self) -> bool:
        """Whether anything may be secret at all."""
        return self.open or self.held != NOTHING

    def holds(self, hand: int) -> bool:
        """Tell whether another table is playing a hand or will: then all its cards are hidden."""
        return hand in self.held.hands

    def covers(self, seq: int) -> bool:
        """Tell whether the cards of event `seq` are secret."""
        if not self.any:
            return False
        if self._over is None:
            hands = self._stream.table.hands
            self._over = max((hand.last or 0 for hand in hands), default=0)
            self._counting = frozenset(number for number, _ in unroll(self._stream.heads[-1]))
            self._ends = [hand.last or float("inf") for hand in hands]
        return self._is_held(seq) or self.open and (seq > self._over or seq not in self._counting)

    def hides_all(self, seq: int) -> bool:
        """Tell whether event `seq` belongs to a hand that another table is playing or will play.

        Then its cards are hidden.
        """
        return self.covers(seq) and self._is_held(seq)

    def _is_held(self, seq: int) -> bool:
        """Tell whether an event belongs to a hand that another table plays; `covers` has looked up the hands."""
        if not self.held.rest:
            return False
        place = bisect_left(self._ends, seq)
        hands = self._stream.table.hands
        if place < len(hands) and seq >= hands[place].first and self.holds(place + 1):
            return True
        return seq not in self._counting  # an event taken back may be the deal of any hand

    def of_table(self, table: Match[Any]) -> bool:
        """Tell whether a state of the match, now or earlier, shows a hand that is secret."""
        return not table.hand.over and self.covers(table.hand.first)

    def holds_table(self, table: Match[Any]) -> bool:
        """Tell whether a state of the match, now or earlier, shows a hand that another table is playing or will play."""
        return self.of_table(table) and self.hides_all(table.hand.first)

    def public(self, event: ev.Event, seq: int) -> ev.Event:
        """Return event `seq` as readers may see it."""
        about = event.about if isinstance(event, ev.Amend) else seq
        levels: set[Seen] = set()
        if self.covers(about):
            levels |= {"seats", "table"} if self._is_held(about) else {"seats"}
        if self._covers_remark(seq) or levels and event.replaces == "play":
            levels.add("recorder")
        return without_cards(event, self._stream.table.game, levels)

    def _covers_remark(self, seq: int) -> bool:
        """Tell whether what is said in event `seq` is secret.

        As long as the event that counted last before it, if not the opening.
        """
        before = self._stream.heads[max(seq - 2, 0)]
        return before[0] > 1 and self.covers(before[0])

    def public_line(self, line: str, seq: int) -> str:
        """Return the stored line of event `seq` as readers may see it."""
        if not self.covers(seq):
            return line
        event = decode_one(line)
        shown = self.public(event, seq)
        return line if shown is event else ev.encode(shown).decode()

    def violations(self, violations: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the violations of a replay result that readers may see."""
        return [violation for violation in violations if not self.covers(violation["seq"])]


def public_people_event(event: ev.Event) -> ev.Event:
    """Return an event about people as everybody but admins may see it: not what is decided of whose names, nor by whom."""
    shown = without(event, keys_of(type(event)), {"admins"})
    return event if shown is event else msgspec.structs.replace(shown, by=None, imported_by=None)


def public_people_line(line: str) -> str:
    """Return the stored line of an event about people as live streams have it, whoever follows them."""
    event: ev.Event = decode_people(line)
    shown = public_people_event(event)
    return line if shown is event else ev.encode(shown).decode()


def public_evening_line(line: str, stream: str, hidden: Collection[int] = ()) -> str:
    """Return the stored line of a club, session, league, question or lesson as readers may see it.

    What is for scorers alone is left out (numbers of members, choices of others), and results and rulings on boards that are `hidden`.
    """
    event = decode_one(line, stream=stream)
    shown = public_evening_event(event, hidden)
    return line if shown is event else ev.encode(shown).decode()


def public_evening_event(event: ev.Event, hidden: Collection[int] = ()) -> ev.Event:
    """Return an event of a club, session or league as readers may see it; raises nothing."""
    if isinstance(event, ev.Amend):
        shown = public_evening_event(event.event, hidden)
        return event if shown is event.event else msgspec.structs.replace(event, event=shown, reason=None)
    of_hidden_board = getattr(event, "board", None) in hidden and getattr(event, "match", None) is None
    levels: set[Seen] = {"scorers", "table"} if of_hidden_board else {"scorers"}
    return without(event, keys_of(type(event)), levels)
