"""How pages show what a game calls things: its calls (`1♥` for 1H), and the names of its seats."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from cardledger.pseudonyms import left
from cardledger.record.matches.describe import phrase
from cardledger.rules.engine.cards import SUITS
from cardledger.rules.engine.sizes import runs
from cardledger.rules.games import games
from cardledger.sentence import Called, Face, Sentence
from cardledger_web.languages import _, either, here, language, recorded_name, translated
from cardledger_web.views.cards import as_text, drawn

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cardledger.rules.engine import events as ev
    from cardledger.rules.engine.game import Game
    from cardledger.rules.engine.match import Match

_FACE = re.compile(r"\b[2-9TJQKA][CDHS]\b")
_NO_CALL = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Wording:
    """The calls of a game that pages show in another way than they are recorded, and the name of each seat, in full and in short.

    `calls` has the longest first: a contract is a bid with something after it. `rows` are the calls that stand side by
    side where they are tapped; `bottom` is the seat at the bottom of a table. `values` says the texts of facts as
    people do, by the fact's key.
    """

    calls: dict[str, str]
    seats: tuple[tuple[str, str], ...]
    bottom: int
    rows: tuple[tuple[str, ...], ...]
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    def value(self, key: str, text: str) -> str:
        """Return the value of a fact, a text, as people say it."""
        return self.values.get(key, {}).get(text, text)

    def call(self, said: str) -> str:
        """Return a call or a contract as it is shown.

        >>> from cardledger.rules.games import game
        >>> [wording(game("bridge")).call(said) for said in ("1H", "2NT", "double", "4SXX")]
        ['1♥︎', '2NT', 'X', '4♠︎XX']
        """
        begun = next((call for call in self.calls if said.startswith(call)), "")
        return self.calls[begun] + said[len(begun) :] if begun else said

    def legal(self, calls: Collection[str]) -> list[str]:
        """Return legal calls in the order of the game, three and more that follow each other as a span: `2♦ – 7NT`."""
        places = [place for place, call in enumerate(self.order) if call in calls]
        runs = [[place for _, place in run] for _, run in groupby(enumerate(places), lambda pair: pair[1] - pair[0])]
        return [
            words
            for run in runs
            for words in (
                [f"{self.call(self.order[run[0]])}\u00a0\u2013 {self.call(self.order[run[-1]])}"]
                if len(run) > 2
                else [self.call(self.order[place]) for place in run]
            )
        ]

    def in_text(self, text: str) -> str:
        """Return a text with its calls as they are shown.

        A call that is an English word only where somebody calls it.
        """
        return calls_pattern(tuple(self.calls)).sub(self._found, text)

    def _found(self, found: re.Match[str]) -> str:
        before, said = found[1] or "", found[2]
        return before + (said if said.isalpha() and not before else self.call(said))

    def seat(self, seat: int) -> tuple[str, str]:
        """Return the name of a seat, in full and in short; two empty texts if it has none."""
        return self.seats[seat] if self.seats else ("", "")

    def named(self, names: Sequence[str]) -> list[str]:
        """Return the names of players with their seats: `ana (N)`."""
        return [f"{name} ({self.seat(seat)[1]})" if self.seats else name for seat, name in enumerate(names)]


@cache
def calls_pattern(calls: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds calls in a sentence, with the verb before them."""
    return re.compile(rf"\b((?:says|calls?) )?((?:{'|'.join(map(re.escape, calls))})X*)\b") if calls else _NO_CALL


def wording(game: Game[Any]) -> Wording:
    """Return the wording of a game in the language of the page."""
    return _wording(game, language())


@cache
def _wording(game: Game[Any], _language: str) -> Wording:
    rows: dict[int, list[str]] = {}
    for word in game.shown.words:
        if word.row:
            rows.setdefault(word.row, []).append(word.call)
    return Wording(
        {
            word.call: as_text(shown)
            for word in sorted(game.shown.words, key=lambda word: -len(word.call))
            if (shown := translated(word.shown or word.call)) and shown != word.call
        },
        tuple((translated(seat.name), translated(seat.short)) for seat in game.shown.seats),
        game.shown.bottom,
        tuple(map(tuple, rows.values())),
        {fact.key: {text: translated(said) for text, said in fact.words} for fact in game.shown.facts if fact.words},
        tuple(word.call for word in game.shown.words),
    )


def seat_names(game: str | None, n: int) -> list[tuple[str, str]]:
    """Return the name of each seat at a table of a game, in full and in short: its direction, or its number from 1."""
    known = games().get(game or "")
    named = wording(known).seats if known else ()
    return [*named] or [(_("seat %(seat)s", seat=seat), str(seat)) for seat in range(1, n + 1)]


def wording_json(game: Game[Any]) -> dict[str, Any]:
    """Return the wording for the scripts of a page (static/wording.js)."""
    words = wording(game)
    return {"calls": words.calls, "seats": words.seats, "rows": words.rows}


def in_glyphs(text: str, table: Match[Any], names: Sequence[str]) -> str:
    """Return a text in the language of the page, with cards and calls as they are drawn: K♥ for KH.

    Names are isolated, so that none changes the direction of the text around it, and stay as they are.
    """
    cards, words = drawn(table.pack), wording(table.game)
    if isinstance(text, Sentence):
        text = text.in_language(here(), lambda value: words.call(value) if isinstance(value, Called) else str(value))
    suited = table.pack.suit_names == SUITS
    parts = names_pattern(tuple(names)).split(text)
    parts[1::2] = [f"\u2068{name}\u2069" for name in parts[1::2]]
    parts[::2] = [_glyphs(words.in_text(part), cards, suited) for part in parts[::2]]
    return "".join(parts)


@lru_cache(maxsize=64)
def names_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return what takes a sentence apart at names."""
    each = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<!\w)({each})(?!\w)")


def _glyphs(text: str, cards: Mapping[str, Any], suited: bool) -> str:
    return _FACE.sub(lambda face: cards[face[0]].text, text) if suited else text


def event_as_shown(event: ev.Event, table: Match[Any], names: Sequence[str]) -> str:
    """Return an event in words with its cards and calls as they are drawn."""
    cards, words = drawn(table.pack), wording(table.game)
    shown = []
    by_seat = dict(zip(table.players, names, strict=False))
    for part in phrase(event, lambda player: by_seat.get(player) or recorded_name(player), here()):
        match part:
            case int():
                shown.append(names[part])
            case Face() if part in cards:
                shown.append(cards[part].text)
            case Called():
                shown.append(words.call(part))
            case _:
                shown.append(str(part))
    return "".join(shown)


def as_written(text: str | None) -> str:
    """Return what somebody wrote in free words, as pages show it: of an erased text, that it was erased."""
    return translated(left(text)) if text else ""


def players_in_words(game: Game[Any]) -> str:
    """Return the numbers of players of a game in the language of the page: `4`, `2 or 4`, `3 to 7`."""
    return either(
        [
            str(first) if first == last else _("%(first)s to %(last)s", first=first, last=last)
            for first, last in runs(game.sizes)
        ]
    )
