"""The data of the scoring page beside the table: words, cards, the deal, and the log of events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from cardledger.record.matches.moves import kinds_of
from cardledger.record.matches.results_only import points_of_all
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.stream import unroll
from cardledger_web.languages import as_sentence, minus, ngettext, translated
from cardledger_web.views.cards import drawn, hand_order
from cardledger_web.views.table import DrawnTable, Laid, Look, laid_out
from cardledger_web.views.wording import event_as_shown, wording, wording_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream


def scorecard(table: Match[Any], names: Sequence[str]) -> dict[str, Any]:
    """Return the data that does not change while a match is scored, ready for JSON; `names` are by seat.

    `kinds` are the events of the game with their keys, `unseen` the kinds whose cards may be null in a hidden hand,
    `words` the possible calls, `short` how some of them are typed and `wording` how they are shown, `sides` the seats
    that score together, `all_to_one` the points by seat if a seat takes all, `line` says how a hand is written on one line
    in a game where players do. `deal` gives the cards dealt (`deck`), the
    number for `each` seat, its `keys`, and the card turned up; `left_over` names the rest, and `without_cards` is the deal of a hand with points only.
    """
    pack, game = table.pack, table.game
    dealt, each = _dealt(table)
    return {
        "players": names,
        "fewest": game.scoring.fewest,
        "cards": {face: card.text for face, card in drawn(pack).items()},
        "faces": list(dict.fromkeys(pack.faces)),
        "rows": _rows(table),
        "suits": list(pack.suit_names),
        "rules": {rule.id: translated(rule.text) for rule in (*game.book, *COMMON)},
        "kinds": kinds_of(game),
        "unseen": sorted({ev.type_of(cls) for phase in game.phases for cls in phase.unseen}),
        "words": [word.call for word in game.shown.words],
        "wording": wording_json(game),
        "short": {word.call: word.short for word in game.shown.words if word.short},
        "sides": table.sides,
        "line": as_sentence(translated(game.sheet.line.help)) if game.sheet.line else None,
        "all_to_one": [points_of_all(table, seat) for seat in range(table.n)],
        "deal": {
            "keys": sorted(game.deal.keys(table.options)),
            "deck": pack.list(dealt),
            "each": each,
            "turned_up": game.deal.turns_up(table.options),
            "left_over": game.deal.left_over,
            "without_cards": msgspec.to_builtins(game.deal.without_cards(table, 0)),
        },
    }


def scored_table(state: Mapping[str, Any], table: Match[Any], names: Sequence[str]) -> DrawnTable:
    """Return a table as the scoring page shows it; `state` is its JSON (api/cardledger_api/resources/table.py)."""
    hand = table.hand
    trick = None
    if hand.tricks and hand.claimed is None:
        seats, cards, taker, _ = hand.tricks[-1]
        trick = {"seats": seats, "cards": [table.pack.faces[card] for card in cards], "taker": taker}
    choices = (choice.get("cards") or () for choice in state["choices"] if choice["type"] != "draw")
    points = (ngettext("%(num)s point", "%(num)s points", abs(total), num=minus(total)) for total in table.totals)
    look = Look(
        legal={face for faces in choices for face in faces},
        last_trick=trick,
        notes={seat: [words] for seat, words in enumerate(points)},
        starter=table.game.deal.first == "starter",
        wording=wording(table.game),
    )
    return laid_out(state, names, table.pack, look)


def pack_of(table: Match[Any]) -> list[Laid]:
    """Return each card of the pack as on a table, in the order of a hand, and one that nobody knows."""
    cards, order = drawn(table.pack), hand_order(table.pack)
    return [*(Laid(face, cards[face]) for face in sorted(cards, key=order.__getitem__)), Laid("?", None)]


def _dealt(table: Match[Any]) -> tuple[int, int]:
    """Return the cards of the hand under way, or of the next one, and the number for each seat."""
    number: int = max(1, len(table.hands) + table.hand.over)
    dealt: tuple[int, int] = table.game.deal.cards(table, number)
    return dealt


def _rows(table: Match[Any]) -> list[list[str]]:
    """Return the faces of the pack row by row, each row a suit; cards of two suits stand with their lower one."""
    rows: dict[int, list[str]] = {}
    for face, suits in zip(table.pack.faces, table.pack.suits, strict=True):
        row = rows.setdefault(suits & -suits, [])
        if face not in row:
            row.append(face)
    return [rows[suit] for suit in sorted(rows)]


@dataclass(frozen=True, slots=True)
class ScoreLogRow:
    """An event in the log: its words, whether it counts, the event in its place, and the rule it broke.

    `amends` is the event to start an amendment from, as JSON; empty if it cannot be amended. `left` is the number of
    events that count up to this one, and `later` of those after it, which can be taken back to here; 0 if none can.
    """

    seq: int
    words: str
    by: str | None
    counts: bool
    now: str | None
    rule: str | None
    amends: str
    left: int
    later: int


@dataclass(frozen=True, slots=True)
class ScoreLog:
    """The latest events of a match, the last first.

    `undo` is the seq to go back to, `undone` the event that this takes back (the first of those entered in one go), `taps` the cards that it names, and `left`
    the number of events that then count; `redo`, `redone` and `then` are the same for what the last retract took back.
    `each` is the number of cards for a seat in the hand under way, or the next.
    """

    seq: int
    rows: list[ScoreLogRow]
    more: bool
    undo: int | None
    undone: str
    taps: int
    left: int
    redo: int | None
    redone: str
    then: int
    each: int


def log_of(stream: Stream, events: Sequence[ev.Event], names: Sequence[str], *, whole: bool) -> ScoreLog:
    """Return the log of a match, back to the deal of the hand before the last, or the whole; `names` by seat."""
    table = stream.table
    counting = dict(unroll(stream.heads[-1]))
    places = {seq: place for place, seq in enumerate(counting, 1)}
    broken = {violation.seq: violation.rule for violation in table.violations}
    deals = [seq for seq, event in enumerate(events, 1) if isinstance(event, ev.Deal)]
    first = 1 if whole or len(deals) < 2 else deals[-2]
    rows = []
    for seq, event in enumerate(events[first - 1 :], first):
        counts = counting.get(seq)
        words = event_as_shown(event, table, names)
        now = words if counts is None else event_as_shown(counts, table, names)
        rows.append(
            ScoreLogRow(
                seq=seq,
                words=words,
                by=event.by,
                counts=not event.counts or counts is not None,
                now=now if now != words else None,
                rule=broken.get(seq),
                amends="" if counts is None or not _amendable(counts) else ev.encode(ev.bare(counts)).decode(),
                left=places.get(seq, 0),
                later=len(counting) - places.get(seq, len(counting)),
            )
        )
    last = _last(events, table)
    undone = event_as_shown(events[last - 1], table, names) if last else ""
    undo, left = (last - 1, stream.counted(last - 1)) if last else (None, 0)
    redo = _redo(events)
    again = None if redo is None else _end_of_entry(events, redo, table)
    then = 0 if again is None else stream.counted(again)
    return ScoreLog(
        len(events), rows[::-1], first > 1, undo, undone, _cards(events[last - 1]) if last else 0, left, again,
        event_as_shown(events[redo - 1], table, names) if redo else "", then, _dealt(table)[1],
    )  # fmt: skip


def _cards(event: ev.Event) -> int:
    """Return how many cards a deal names: each was a tap."""
    return sum(map(len, event.hands or ())) if isinstance(event, ev.Deal) else 0


def _redo(events: Sequence[ev.Event]) -> int | None:
    """Return the seq of what was taken back last, None for none.

    That is the latest event whose undo led to where the match stands now.
    """
    if not isinstance(events[-1], ev.Retract):
        return None
    stands = [0]  # after each event, the one that the record stands at
    for seq, event in enumerate(events, 1):
        stands.append(stands[event.to] if isinstance(event, ev.Retract) else seq)
    for seq in range(len(events) - 1, stands[-1], -1):
        if stands[seq] == seq and stands[seq - 1] == stands[-1]:
            return seq
    return None


def _amendable(event: ev.Event) -> bool:
    """Tell whether the page offers to amend an event; an opening has a page of its own for that."""
    return event.replaces != "none" and not isinstance(event, ev.Open)


def _last(events: Sequence[ev.Event], table: Match[Any]) -> int | None:
    """Return the event to take back next: the last one that still counts, or the first of those entered with it."""
    last = len(events)
    while isinstance(event := events[last - 1], ev.Retract):
        last = event.to
    for first in range(last - 1, max(1, last - table.n - 1), -1):
        if _end_of_entry(events, first, table) == last:
            return first
    return last if last > 1 else None


def _end_of_entry(events: Sequence[ev.Event], first: int, table: Match[Any]) -> int:
    """Return the last event of what was entered in one go with an event: a board's contract and result, or that it was passed out."""
    deal, n = events[first - 1], table.n
    if not isinstance(deal, ev.Deal) or deal.hands is not None:
        return first
    if deal.contract is not None:
        return first + isinstance(next(iter(events[first : first + 1]), None), ev.Claim)
    calls = events[first : first + n]
    passed = len(calls) == n and all(isinstance(call, ev.Call) and call.call == "pass" for call in calls)
    return first + n if passed and "contract" in table.game.deal.keys(table.options) else first
