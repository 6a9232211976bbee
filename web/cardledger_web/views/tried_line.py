"""A line of moves that are tried from a position of a replay: up to one that is refused, in words, and as buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.errors import FormatError, LedgerError
from cardledger.record.matches.moves import event_of_move, kinds_of, move_of
from cardledger.rules.engine import events as ev
from cardledger.rules.lessons.discussion_events import MOST_MOVES
from cardledger_web.languages import N_, _, translated
from cardledger_web.views.cards import as_text, drawn
from cardledger_web.views.table import SUITS, apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream
    from cardledger_web.views.cards import DrawnCard

MOST_TOLD = 6
"""The last moves of a line, which are said in words."""
BEGIN = "?"
"""The move of a button that only begins a line, to be told what can be tried."""
OF_CARDS = ("play", "give", "discard", "layoff", "close")
"""Types of events that name one card of a hand: tapping the card tries them."""
_DRAWS = {"stock": N_("Draw %(cards)s from the stock"), "discards": N_("Draw %(cards)s from the discards")}
_PLAIN = {"pass": N_("pass"), "collect": N_("collect"), "draw": N_("draws a card")}


class TriedLine:
    """The moves of a line, up to one that is refused; `trouble` says why it is."""

    def __init__(self, line: str, table: Match[Any]) -> None:
        """Read a line that is tried at a table, up to a move that is not written as one."""
        self.moves = line.split("~")[:MOST_MOVES] if line else []
        self.trouble = ""
        self._cards = drawn(table.pack)
        self._events: list[ev.Event] = []
        kinds = kinds_of(table.game)
        for place, move in enumerate(self.moves):
            try:
                self._events.append(event_of_move(move, kinds))
            except FormatError as error:
                self._stop(place, error)
                break

    def tried(
        self, after: Callable[[Sequence[ev.Event]], Stream], before: int, *, empty: bool = False
    ) -> Stream | None:
        """Return the match after as many moves as are allowed, None if the first is refused and no `empty` line is asked for.

        `after` tries events, after `before` others, and raises LedgerError with the index of one that is refused.
        """
        try:
            return after(self._events) if self._events or empty else None
        except LedgerError as error:
            if error.index is None or error.index < before:
                raise
            self._stop(error.index - before, error)
            return self.tried(after, before, empty=empty)

    def _stop(self, place: int, error: LedgerError) -> None:
        self.trouble = translated(error.message)
        del self.moves[place:], self._events[place:]

    def in_words(self, seq: int, base: int, table: Match[Any], names: Sequence[str]) -> str:
        """Return what was tried from an event, what it broke since event `base`, and how the hand would end."""
        told = moves_in_words(self._events[-MOST_TOLD:], names, self._cards)
        moves = f"{'… ' if len(self._events) > MOST_TOLD else ''}{told}"
        words = [_("After event %(seq)s, never stored: %(moves)s.", seq=seq, moves=moves)] if told else []
        broken = sum(violation.seq > base for violation in table.violations)
        if broken:
            words.append(_("Rules broken: %(number)s.", number=broken))
        if table.hand.over:
            totals = ", ".join(f"{apart(name)} {total}" for name, total in zip(names, table.totals, strict=True))
            words.append(_("Totals would be: %(totals)s.", totals=totals))
        return " ".join(words)


def moves_in_words(moves: Sequence[ev.Event], names: Sequence[str], cards: Mapping[str, DrawnCard]) -> str:
    """Return moves in words, each with who makes it."""
    said = [(getattr(event, "seat", None), _said(event, cards)) for event in moves]
    return ", ".join(words if seat is None else f"{apart(names[seat])} {words}" for seat, words in said)


def card_moves(
    choices: Sequence[Mapping[str, Any]], n: int, kinds: Mapping[str, Sequence[str]]
) -> dict[tuple[int, str], str]:
    """Return by seat and card the move that tapping the card tries; where several can be, the first choice."""
    moves: dict[tuple[int, str], str] = {}
    for choice in choices:
        if choice["type"] not in OF_CARDS:
            continue
        for seat in range(n) if choice.get("seat") is None else (choice["seat"],):
            for face in choice.get("cards") or ():
                moves.setdefault((seat, face), move_with(choice, seat, face, kinds))
    return moves


def move_with(choice: Mapping[str, Any], seat: int, face: str, kinds: Mapping[str, Sequence[str]]) -> str:
    """Return the move of a choice with a card; where several are given at once, the refusal says how many."""
    event = {"type": choice["type"], "seat": seat, "card": face, "cards": [face], "to": choice.get("to")}
    return move_of(event, kinds)


def offers(
    choices: Sequence[Mapping[str, Any]],
    kinds: Mapping[str, Sequence[str]],
    names: Sequence[str],
    cards: Mapping[str, DrawnCard],
) -> list[tuple[str, str]]:
    """Return what can be tried beside a card of a hand: the words of each button, and its move."""
    return [
        (words, move_of({"type": choice["type"], "seat": choice.get("seat")} | more, kinds))
        for choice in choices
        for words, more in _offers(choice, names, cards)
    ]


def _offers(
    choice: Mapping[str, Any], names: Sequence[str], cards: Mapping[str, DrawnCard]
) -> Iterator[tuple[str, dict[str, Any]]]:
    match choice["type"]:
        case "pass":
            yield _("Pass"), {}
        case "bid":
            least, most = choice["amounts"]
            for amount in range(least, most + 1):
                yield _("Bid %(amount)s", amount=amount), {"amount": amount}
        case "collect":
            for seat in choice["from"]:
                yield _("From %(name)s", name=apart(names[seat])), {"from": seat}
        case "ask":
            for seat in choice["from"]:
                for suit, words in SUITS.items():
                    asked = _("Ask %(name)s for %(suit)s", name=apart(names[seat]), suit=as_text(translated(words)))
                    yield asked, {"from": seat, "suit": suit}
        case "draw" if not choice.get("cards") and "stock" in choice["from"]:
            yield _("Draw from the stock"), {"from": "stock"}
        case "draw":
            taken = list(choice.get("cards") or ())[: choice.get("count") or 1]
            for pile in choice["from"] if taken else ():
                words = translated(_DRAWS[pile]) % {"cards": _texts(taken, cards)}
                yield words, {"from": pile, "cards": taken}
        case "close":
            for face in choice["cards"]:
                yield _("Close with %(card)s", card=_texts([face], cards)), {"card": face}


def _said(event: ev.Event, cards: Mapping[str, DrawnCard]) -> str:
    """Return what a move does in a word or two: the card, or else the choice."""
    match event:
        case ev.Close(card=str() as face):
            return _("closes with %(card)s", card=_texts([face], cards))
        case ev.Draw() if event.cards:
            return _("draws %(cards)s", cards=_texts(event.cards, cards))
        case ev.Ask():
            return _("asks for %(suit)s", suit=as_text(translated(SUITS[event.suit])))
        case ev.Bid():
            return _("bids %(amount)s", amount=event.amount)
    card = getattr(event, "card", None)
    kind = str(type(event).__struct_config__.tag)
    return _texts([card], cards) if isinstance(card, str) else translated(_PLAIN.get(kind, kind))


def _texts(faces: Sequence[str], cards: Mapping[str, DrawnCard]) -> str:
    return " ".join(cards[face].text if face in cards else face for face in faces)
