"""The question in which hands a card came to a player in some way: dealt, held, led, played or won."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from cardledger.errors import FormatError, LedgerError, StoreError
from cardledger.record.readmodels.questions.shared_deals import held_hands
from cardledger.rules.engine.cards import read_face
from cardledger.rules.engine.phases.play import TrickPlay
from cardledger.rules.games import game, games
from cardledger.sentence import Sentence, advising, choosing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.readmodels import ReadModels
    from cardledger.record.readmodels.model import Row
    from cardledger.rules.engine.option import Option

WAYS = {
    "dealt": "dealt to the player",
    "held": "in the player's hand after passing, picking up and drawing, so that it came to nobody else later",
    "led": "led to a trick by the player",
    "played": "played by the player to a trick that another had led to",
    "won": "in a trick that the player took, no matter who had played it",
}
"""The ways in which a card comes to a player, in words."""
IN_TRICKS = frozenset({"led", "played", "won"})
"""The ways that need a trick."""
TAKEN_UP = "picked up"
"""How a card comes to a player who then lays one away: which one, nobody may see."""
_ARRIVED = """EXISTS (SELECT 1 FROM arrivals AS a CROSS JOIN json_each(a.faces) AS f
    WHERE a.match = h.match AND a.hand = h.hand AND f.key = s.seat AND {})"""
_HAS_FACE = "instr(' ' || f.value || ' ', ' ' || :card || ' ') > 0"
_CAME_LATER = """EXISTS (SELECT 1 FROM arrivals AS l WHERE l.match = a.match AND l.hand = a.hand AND l.step > a.step
    AND instr(replace(l.faces, '"', ' '), ' ' || :card || ' ') > 0)"""
_IN_A_TRICK = """EXISTS (SELECT 1 FROM tricks AS t WHERE t.match = h.match AND t.hand = h.hand
    AND instr(' ' || t.cards || ' ', ' ' || :card || ' ') > {})"""
_PLAYED = """EXISTS (SELECT 1 FROM tricks AS t CROSS JOIN json_each('["' || replace(t.cards, ' ', '","') || '"]') AS c
    WHERE t.match = h.match AND t.hand = h.hand AND c.value = :card AND c.key > 0
    AND s.seat = coalesce(json_extract(t.played_by, '$[' || c.key || ']'), (t.leader + c.key) % m.seats))"""
_LAID_ONE_AWAY = _ARRIVED.format(f"a.came = '{TAKEN_UP}' AND f.value <> ''")
HAS_CARD = {
    "dealt": _ARRIVED.format(f"a.step = 1 AND {_HAS_FACE}"),
    "held": _ARRIVED.format(f"{_HAS_FACE} AND NOT {_CAME_LATER}")
    + f" AND (NOT {_LAID_ONE_AWAY} OR {_IN_A_TRICK.format(0)})",
    "led": _IN_A_TRICK.format("0 AND t.leader = s.seat AND instr(t.cards || ' ', :card || ' ') = 1"),
    "played": _PLAYED,
    "won": _IN_A_TRICK.format("0 AND t.taker = s.seat"),
}
"""By way, the condition that the card `:card` came so to a seat `s` of a hand `h` in a match `m`."""
# In the order of the keys, so that nothing is sorted: the plus keeps SQLite from another index.
_SHOWN = """FROM matches AS m CROSS JOIN {0} AS d USING (match) WHERE +m.game = :game
    AND (:held = '[]' OR d.match || ' ' || d.hand NOT IN (SELECT value FROM json_each(:held)))
    ORDER BY m.match, d.hand, d.{1}"""
_ARRIVALS = f"SELECT m.position, d.hand, d.step, d.came, d.faces {_SHOWN.format('arrivals', 'step')}"
_TRICKS = "SELECT m.position, d.hand, d.trick, m.seats, d.leader, coalesce(d.taker, -1), d.played_by, d.cards " + (
    _SHOWN.format("tricks", "trick")
)
_SIZES = "SELECT m.position, d.hand, length(d.faces) - length(replace(d.faces, ' ', '')) " + _SHOWN.format(
    "arrivals", "step"
).replace("ORDER", "AND d.step = 1 ORDER")


def arrivals_shown(views: ReadModels, game_id: str) -> Iterator[Row]:
    """Yield position of the match, hand, step, how cards came and the faces by seat (JSON) of a game, as readers may see it.

    Hands whose cards another table is playing or will play are left out, as everywhere
    (`cardledger.record.recording.secrecy`). Raises BehindError.
    """
    held = held_hands(views)  # first: what has ended since then is hidden for longer, never shown too early
    yield from views.current.execute(_ARRIVALS, {"game": game_id, "held": held})


def tricks_shown(views: ReadModels, game_id: str) -> Iterator[Row]:
    """Yield position of the match, hand, trick, size of the table, leader, taker (−1: a tie), `played_by` and cards, of a game.

    As readers may see it, like `arrivals_shown`.
    """
    held = held_hands(views)
    yield from views.current.execute(_TRICKS, {"game": game_id, "held": held})


def deals_shown(views: ReadModels, game_id: str) -> Iterator[Row]:
    """Yield position of the match, hand and a number that grows with that of the cards dealt, of the known deals of a game.

    As readers may see it, like `arrivals_shown`.
    """
    held = held_hands(views)
    yield from views.current.execute(_SIZES, {"game": game_id, "held": held})


def way_asked(how: str, game_id: str | None = None) -> str:
    """Return a way in which cards come; raises StoreError `store.unknown` for another word, or one the game has not."""
    if how not in WAYS:
        raise StoreError("store.unknown", choosing(Sentence("a card is not {how!r}", how=how), how, WAYS))
    if game_id is not None and how in IN_TRICKS and not has_tricks(game_id):
        raise StoreError(
            "store.unknown", advising(f"{game_id} has no tricks, so no card is {how}: choose dealt or held")
        )
    return how


def card_asked(card: str, game_id: str | None = None) -> str:
    """Return the face of a card as people write it; raises StoreError `store.unknown` for one that no pack has.

    >>> card_asked("q♠", "hearts")
    'QS'
    """
    face = read_face(card.strip())
    for id in games() if game_id is None else [game_id]:
        if face in faces_of(id):
            return face
    where = "no game" if game_id is None else game_id
    raise StoreError(
        "store.unknown", advising(f"{where} has no card {card!r}: write rank and suit, as QS, or a face of its pack")
    )


def card_and_way(card: str | None, how: str | None, game_id: str | None) -> tuple[str, str]:
    """Return a card and a way that were asked for together; the usual way is that it was dealt.

    Raises FormatError `format.key` for a way without a card, StoreError `store.unknown` as `card_asked` and
    `way_asked`.
    """
    if card is None:
        raise FormatError("format.key", "`how` says how a card came to a player: give the card too, as card=QS")
    known = game_id if game_id in games() else None
    return card_asked(card, known), way_asked(how or next(iter(WAYS)), known)


def has_tricks(game_id: str) -> bool:
    """Tell whether a game is played in tricks; raises FormatError `format.game`."""
    return any(isinstance(phase, TrickPlay) for phase in game(game_id).phases)


@cache
def faces_of(game_id: str) -> frozenset[str]:
    """Return the faces of the packs of a game: at each size of the table, and with each value of an option."""
    rules, faces = games()[game_id], set[str]()
    for n in rules.sizes:
        chosen = [{}, *({option.name: value} for option in rules.options for value in _values(option))]
        for options in chosen:
            with suppress(LedgerError):  # not every table may choose every value
                faces.update(rules.pack(rules.fill(options, n)).faces)
    return frozenset(faces)


def _values(option: Option) -> tuple[object, ...]:
    return option.choices or ((False, True) if isinstance(option.default, bool) else ())
