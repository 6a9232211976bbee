"""The felt of a table as a template draws it: from the same JSON, and with the same outcome, as static/table.js."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from web.cards import Card, drawn

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ledger.cards import Pack

_LONG_HANDS = (8, 14, 20)
"""Hands of more cards than these may lie in several rows: table.css decides, place by place."""
_PHASES = {"layoff": "lay off"}
_MOMENTS = {
    "deal": "The next hand is to be dealt",
    "score": "The hand waits for its score",
    "over": "The match is over",
}
_DEBTS_MOVE = ("collect", "ask", "give")


@dataclass(frozen=True, slots=True)
class Laid:
    """A card as it lies: its face, the card (None: withheld), a class to mark it with, and what to say of it."""

    face: str
    card: Card | None
    mark: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat: its place from the bottom clockwise, what it has to do and what is known of it, and its cards."""

    number: int
    place: int
    name: str
    turn: str
    chips: list[str]
    facts: list[str]
    cards: list[Laid]
    backs: int

    @property
    def length(self) -> str:
        """How long the hand is, in words of table.css."""
        return " ".join(f"over-{most}" for most in _LONG_HANDS if len(self.cards) + self.backs > most)


@dataclass(frozen=True, slots=True)
class LaidTrick:
    """A trick: its cards with the seats that played them and their places, and who took it (None: tied)."""

    cards: list[tuple[Laid, int, str]]
    over: bool
    taker: str | None


@dataclass(frozen=True, slots=True)
class Felt:
    """Everything on a table; `cornered` piles leave the middle to the trick."""

    phase: str
    seats: list[Seat]
    trick: LaidTrick | None
    last: LaidTrick | None
    piles: list[tuple[str, int, Laid | None]]
    aside: list[Laid]
    cornered: bool
    moment: str


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a table is drawn with beside its state, as the options of `drawTable` in static/table.js."""

    legal: Collection[str] = ()
    played: Mapping[int, Sequence[str]] = field(default_factory=dict)
    last_trick: Mapping[str, Any] | None = None
    aside: Sequence[str] = ()
    notes: Mapping[int, Sequence[str]] = field(default_factory=dict)
    starter: bool = False
    moment: str | None = None
    view: int | None = None


def laid_out(state: Mapping[str, Any], players: Sequence[str], pack: Pack, look: Look) -> Felt:
    """Return a table as it is to be drawn; `state` is the JSON of a table (api/table.py)."""
    cards, n = drawn(pack), len(players)
    base = look.view or 0

    def places(seat: int) -> int:
        return (seat - base) % n

    def trick_of(trick: Mapping[str, Any], over: bool) -> LaidTrick:
        laid = []
        for i, face in enumerate(trick["cards"]):
            seat = (trick["leader"] + i) % n
            took = over and trick.get("taker") == seat
            note = ", ".join(words for words in ("led" if i == 0 else "", "takes the trick" if took else "") if words)
            laid.append((Laid(face, cards.get(face), "took" if took else "", note), places(seat), players[seat]))
        taker = trick.get("taker")
        return LaidTrick(laid, over, None if taker is None else players[taker])

    def pile(name: str, size: int, face: str | None) -> tuple[str, int, Laid | None]:
        return name, size, None if face is None else Laid(face, cards.get(face))

    trick, last = state.get("trick"), trick_of(look.last_trick, over=True) if look.last_trick else None
    piles = [pile("Stock", left, "?" if left else None)] if (left := state.get("stock_left")) is not None else []
    if discards := state.get("discards"):
        piles.append(pile("Discards", len(discards), discards[-1]))
    return Felt(
        phase=state["phase"],
        seats=[_seat(seat, places(seat), state, players, cards, look) for seat in range(n)],
        trick=trick_of(trick, over=False) if trick else last,
        last=last if trick else None,
        piles=piles,
        aside=[Laid(face, cards.get(face)) for face in look.aside],
        cornered=bool(state.get("tricks_taken")),
        moment=look.moment or _moment(state, players),
    )


def _seat(
    seat: int,
    place: int,
    state: Mapping[str, Any],
    players: Sequence[str],
    cards: Mapping[str, Card],
    look: Look,
) -> Seat:
    turn = state.get("turn")
    hands, sizes = state.get("hands"), state.get("hand_sizes")
    held = hands[seat] if hands else None
    acts = turn in (seat, None)
    laid = [
        Laid(face, cards.get(face), *(("legal", "legal") if acts and face in look.legal else ())) for face in held or ()
    ]
    laid += [Laid(face, cards.get(face), "played", "played") for face in look.played.get(seat, ())]
    order = {face: -place if card.suit else place for place, (face, card) in enumerate(cards.items())}
    laid.sort(key=lambda card: (order.get(card.face, 0), card.mark == "played"))
    size = sizes[seat] if sizes and held is None else None
    chips = [
        words
        for words, stands in (
            ("starts" if look.starter else "deals", state.get("dealer") == seat),
            ("closed", state.get("closer") == seat),
            (_to(state["phase"]), turn == seat),
        )
        if stands
    ]
    facts = _facts(seat, state, players, size) + list(look.notes.get(seat, ()))
    name = players[seat]
    return Seat(seat, place, name, _to(state["phase"]) if turn == seat else "", chips, facts, laid, size or 0)


def _facts(seat: int, state: Mapping[str, Any], players: Sequence[str], size: int | None) -> list[str]:
    facts = []
    bids, taken, penalties = state.get("bids"), state.get("tricks_taken"), state.get("penalties")
    if bids and bids[seat] is not None:
        facts.append(f"bid {bids[seat]}")
    if taken:
        facts.append(_count(taken[seat], "trick"))
    debts = state.get("debts", ()) if state["phase"] in _DEBTS_MOVE else ()
    owed = Counter(debt["creditor"] for debt in debts if debt["debtor"] == seat)
    if owed:
        facts.append(
            "owes " + ", ".join(f"{_apart(players[to])} {_count(cards, 'card')}" for to, cards in owed.items())
        )
    if penalties and seat != state.get("closer"):
        facts.append(f"penalty {penalties[seat]}")
    if size is not None:
        facts.append(_count(size, "card"))
    return facts


def _moment(state: Mapping[str, Any], players: Sequence[str]) -> str:
    turn, phase = state.get("turn"), state["phase"]
    if turn is not None:
        return f"{_apart(players[turn])} {_to(phase)}"
    if state.get("status") == "ended":
        return "The match was ended"
    return _MOMENTS.get(phase, f"Anyone {_to(phase)}")


def _to(phase: str) -> str:
    return f"to {_PHASES.get(phase, phase)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _apart(name: str) -> str:
    """A name inside a sentence does not turn the text around it."""
    return f"\u2068{name}\u2069"
