"""A line of events that are tried from a position of a replay: its moves in an address, in words, and as buttons.

A move is an event in an address: its type and the values of its keys, as in `play.1.9S`; a line is moves with `~`
between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from cardledger.errors import FormatError, LedgerError
from cardledger.record.matches.shape import event_of
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.keys import cards_in
from cardledger_web.languages import N_, _, translated
from cardledger_web.views.cards import as_text, drawn
from cardledger_web.views.scorecard import kinds_of
from cardledger_web.views.table import SUITS, apart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream
    from cardledger_web.views.cards import DrawnCard

MOST = 60
"""The greatest number of moves of a line."""
MOST_TOLD = 6
"""The last moves of a line, which are said in words."""
_OF_CARDS = ("play", "give", "discard", "layoff", "close")
"""Types of events that name one card of a hand: tapping the card tries them."""
_DRAWS = {"stock": N_("Draw %(cards)s from the stock"), "discards": N_("Draw %(cards)s from the discards")}
_PLAIN = {"pass": N_("pass"), "collect": N_("collect")}


def move_of(event: Mapping[str, Any], kinds: Mapping[str, Sequence[str]]) -> str:
    """Return an event as a move; a key without a value has an empty word.

    >>> move_of({"type": "draw", "seat": 1, "from": "discards", "cards": ["2C", "3C"]}, {"draw": ["seat", "from", "cards"]})
    'draw.1.discards.2C+3C'
    """
    return ".".join([event["type"], *(_word(event.get(key)) for key in kinds[event["type"]])]).rstrip(".")


def _word(value: object) -> str:
    if value is None:
        return ""
    return "+".join(quote(str(one), safe="") for one in (value if isinstance(value, list | tuple) else [value]))


class TriedLine:
    """The moves of a line, up to one that is refused; `trouble` says why it is."""

    def __init__(self, line: str, table: Match[Any]) -> None:
        """Read a line that is tried at a table, up to a move that is not written as one."""
        self.moves = line.split("~")[:MOST] if line else []
        self.trouble = ""
        self._cards = drawn(table.pack)
        self._events: list[ev.Event] = []
        kinds = kinds_of(table.game)
        for place, move in enumerate(self.moves):
            try:
                self._events.append(_event(move, kinds))
            except FormatError as error:
                self._stop(place, error)
                break

    def tried(self, after: Callable[[Sequence[ev.Event]], Stream], before: int) -> Stream | None:
        """Return the match after as many moves as are allowed, None if the first is refused.

        `after` tries events, after `before` others, and raises LedgerError with the index of one that is refused.
        """
        try:
            return after(self._events) if self._events else None
        except LedgerError as error:
            if error.index is None or error.index < before:
                raise
            self._stop(error.index - before, error)
            return self.tried(after, before)

    def _stop(self, place: int, error: LedgerError) -> None:
        self.trouble = translated(error.message)
        del self.moves[place:], self._events[place:]

    def in_words(self, seq: int, base: int, table: Match[Any], names: Sequence[str]) -> str:
        """Return what was tried from an event, what it broke since event `base`, and how the hand would end."""
        last = [(getattr(event, "seat", None), _said(event, self._cards)) for event in self._events[-MOST_TOLD:]]
        told = [said if seat is None else f"{apart(names[seat])} {said}" for seat, said in last]
        moves = f"{'… ' if len(self._events) > MOST_TOLD else ''}{', '.join(told)}"
        words = [_("After event %(seq)s, never stored: %(moves)s.", seq=seq, moves=moves)]
        broken = sum(violation.seq > base for violation in table.violations)
        if broken:
            words.append(_("Rules broken: %(number)s.", number=broken))
        if table.hand.over:
            totals = ", ".join(f"{apart(name)} {total}" for name, total in zip(names, table.totals, strict=True))
            words.append(_("Totals would be: %(totals)s.", totals=totals))
        return " ".join(words)


def _event(move: str, kinds: Mapping[str, Sequence[str]]) -> ev.Event:
    kind, *words = move.split(".")
    keys = kinds.get(kind, ())
    if not keys or len(words) > len(keys):
        raise FormatError("format.value", f"{move!r} is no move of this game: choose a card or a button of the page")
    cards = cards_in(ev.TYPES[kind])
    values = {key: _value(key, word, key in cards) for key, word in zip(keys, words, strict=False) if word}
    return event_of({"type": kind, **values})


def _value(key: str, word: str, is_card: bool) -> object:
    if key == "cards":
        return [unquote(each) for each in word.split("+")]
    said = unquote(word)
    return int(said) if not is_card and said.isascii() and said.isdigit() and len(said) < 10 else said


def card_moves(
    choices: Sequence[Mapping[str, Any]], n: int, kinds: Mapping[str, Sequence[str]]
) -> dict[tuple[int, str], str]:
    """Return by seat and card the move that tapping the card tries; where several can be, the first choice."""
    moves: dict[tuple[int, str], str] = {}
    for choice in choices:
        if choice["type"] not in _OF_CARDS:
            continue
        for seat in range(n) if choice.get("seat") is None else (choice["seat"],):
            for face in choice.get("cards") or ():
                # Where several cards are given at once, the refusal says how many.
                event = {"type": choice["type"], "seat": seat, "card": face, "cards": [face], "to": choice.get("to")}
                moves.setdefault((seat, face), move_of(event, kinds))
    return moves


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
