"""A search for a card by its name: "the last queen of spades of club night 18"."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardledger.record.people.spelling import fold
from cardledger.rules.engine.cards import read_face
from cardledger.rules.games import games
from cardledger_api.resources.searches import found_by
from cardledger_web.views.cards import drawn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.cards import Pack

_MOST_DROPPED = 3
"""The most words between a card and an event that belong to neither: `of the`."""


class FoundCard(NamedTuple):
    """A card that was asked for: its face, how it is drawn, its spoken name, and the event it was asked for, if any."""

    face: str
    text: str
    label: str
    event: str | None


def cards_called(ledger: Ledger, text: str) -> list[FoundCard]:
    """Return the cards that a text names: in words of the reader's language, or by the face in capitals, as QS or Q♠."""
    words = text.split()
    said, faces = (
        f" {fold(' '.join(words))} ",
        {read_face(word): place for place, word in enumerate(words, 1) if word != word.lower()},
    )
    found: dict[str, FoundCard] = {}
    for pack in _packs():
        for face, card in drawn(pack).items():
            name = f" {fold(card.label)} "
            if face in found or not (name in said or face in faces):
                continue
            after = said[said.index(name) + len(name) :].split() if name in said else words[faces[face] :]
            found[face] = FoundCard(face, card.text, card.label, _event(ledger, after))
    return [*found.values()]


def _event(ledger: Ledger, words: list[str]) -> str | None:
    """Return the event that words name, but for a few at their beginning."""
    for first in range(min(len(words), _MOST_DROPPED + 1)):
        for event, _ in found_by(ledger, " ".join(words[first:]), 1).texts.get("event", ()):
            return str(event)
    return None


def _packs() -> Iterator[Pack]:
    """Yield the packs of all games, each once."""
    known: list[Pack] = []
    for game in games().values():
        pack = game.pack(game.fill({}, max(game.sizes)))
        if pack not in known:
            known.append(pack)
            yield pack
