"""How hands begin, as an edition has it: the live table deals, bids and passes once for all hands that begin alike.

Hands begin alike if all is the same but the cards: those dealt, and those that move before the play. So it needs phases
that do not look at the cards (`Phase.blind`). A hand is judged alone, as if the hands before it had scored nothing
(`cardledger.study.stats.luck.deals`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import msgspec

from cardledger.errors import LedgerError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.fields import duplicate
from cardledger.rules.engine.match import Match
from cardledger.rules.games import game, start
from cardledger.rules.kernel import kernels
from cardledger.rules.kernel.kernels import Judge
from cardledger.rules.kernel.subset import play_of
from cardledger.study.stats.luck.deals import Dealt, Situation
from cardledger.study.stats.review.review import rotated

_options = msgspec.json.Decoder(dict[str, Any]).decode


class MatchTerms(NamedTuple):
    """What an opening says about the play."""

    game: str
    n: int
    options: str
    rules: str | None


class EarlyAct(NamedTuple):
    """What an event before the play says beside its cards: seats are counted from the dealer on (-1: none)."""

    type: str
    amount: int | None
    call: str | None
    seat: int
    other: int
    cards: int


class DealtBoard(NamedTuple):
    """What the deal of a board says beside its cards."""

    dealer: int
    board: int | None
    vulnerable: Any
    contract: str | None
    declarer: int | None


class Beginning(NamedTuple):
    """All that sets apart how hands begin.

    What they carry from the hand before, what the deal names, and the steps to the play.
    """

    opening: MatchTerms
    carried: tuple[int, ...] | None
    each: int
    upcard: str | None
    aside: bool
    stock: bool
    starter: bool
    steps: tuple[EarlyAct, ...]


class Frame(NamedTuple):
    """A beginning as an edition has it, with seat 0 as dealer.

    The kernel, the record before the play, and what the deal must be.

    `moves` are the moves of cards, each with the place of its event after the deal. `scores` are the points of a hand
    that is over before the play.
    """

    judge: Judge
    start: bytes
    deck: int
    each: int
    turned_up: int
    with_dealer: bool
    named: bool
    moves: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...] | None


_frames: dict[tuple[Beginning, str | None], Frame | None] = {}
"""Frames by beginning and edition; None where the edition refuses a step, whatever the cards."""
MOST_FRAMES = 2**16


@lru_cache(maxsize=1024)
def opened(opening: MatchTerms) -> Match[Any]:
    """Return a match just opened, which nobody may change; raises as `cardledger.rules.games.start` does."""
    players = tuple(map(str, range(opening.n)))
    options = _options(opening.options)
    return start(ev.Open(game=opening.game, players=players, options=options, policy="record", rules=opening.rules))


@lru_cache(maxsize=1024)
def carries(opening: MatchTerms) -> Literal["", "number", "tricks"]:
    """Return what decides how the hands of a match begin: nothing, their number, or the tricks of the hand before."""
    try:
        carried = game(opening.game, opening.rules).study.carried
    except LedgerError:
        return ""
    return "" if carried is None else "tricks" if carried.from_tricks else "number"


@lru_cache(maxsize=2**16)
def carried_by(
    opening: MatchTerms, number: int, each: int, taken: tuple[int, ...], board: DealtBoard | None
) -> tuple[int, ...] | None:
    """Return what a hand carries: by its number, by the tricks of the hand before, from the dealer on, or by its board.

    Raises LedgerError where the live table has to say.
    """
    table = opened(opening).copy()
    if table.game.study.carried is None:
        return None
    before, hand = duplicate(table.blank), duplicate(table.blank)
    before.taken = [*taken]
    hand.number, hand.each, hand.dealer = number, each, 0
    table.hands = [before] * (number - 1) + [hand]
    if board is not None:
        hand.dealer = board.dealer
        deal = ev.Deal(hands=None, **board._asdict())
        table.game.deal.check(table, deal)
        if not table.game.deal.says_all(table, deal):
            raise LedgerError("format.key", "the hands before decide how this one begins")
        table.game.deal.read(table, hand, deal)
    found: tuple[int, ...] | None = table.game.study.carried.of(table, hand)
    return found


class _RefusedError(Exception):
    """A step to the play is refused, whatever the cards."""


def frame_of(beginning: Beginning, rules: str | None, events: Callable[[], Sequence[ev.Event]]) -> Frame | None:
    """Return how an edition has a beginning; None if the live table has to judge such hands.

    A beginning that is new is tried with the `events` of one hand.
    """
    key = beginning, rules
    if key in _frames:
        return _frames[key]
    try:
        frame = _framed(beginning, rules, events())
    except _RefusedError:
        frame = None
    except LedgerError:
        return None
    else:
        if frame is None:
            return None
    if len(_frames) >= MOST_FRAMES:
        _frames.clear()
    _frames[key] = frame
    return frame


def _framed(beginning: Beginning, rules: str | None, events: Sequence[Any]) -> Frame | None:
    """Play a beginning at the live table up to the first lead.

    Raises LedgerError, _RefusedError where an edition refuses it.
    """
    own = opened(beginning.opening)
    edition = rules or own.game.book.edition
    if not _blind(own) or own.game.study.bot is None:
        return None
    deal, n = events[0], own.n
    own.game.deal.check(own, deal)
    if not own.game.deal.says_all(own, deal):
        return None
    dealer = own.game.deal.begins(deal)
    options = tuple((option.name, own.options[option.name]) for option in own.game.options if option.of_hand)
    faces = tuple(deal.hands[(dealer + seat) % n] for seat in range(n))
    situation = Situation(edition.rpartition("/")[0], n, options, beginning.carried)
    table = Dealt(situation, faces, beginning.upcard, (), False).table(strict=False, rules=edition)
    moves: list[tuple[int, ...]] = []
    for place, event in enumerate(events[1:]):
        act = rotated(event, dealer, n)
        if act is None or table.hand.over:
            return None
        exposed, broken = table.hand.exposed.copy(), len(table.violations)
        made = table.phase.moves(table, table.hand, act)
        try:
            table.apply(act, place + 3)
        except LedgerError:
            if made:  # of these cards it may be
                raise
            raise _RefusedError from None
        if made:
            moves += [(place, *move) for move in made]
            table.hand.exposed = exposed  # depends on the cards: the kernel counts
            del table.violations[broken:]
    judge = kernels.judge(table.game, table.pack)
    hand = table.hand
    if judge is None or not _blind(table) or table.violations or table.pack.faces != own.pack.faces:
        return None
    if hand.over:
        hand.turn = 0
    elif table.playing is None:
        return None
    return Frame(
        judge, judge.pack(table, 0), hand.deck, hand.each, 1 << hand.upcard if hand.upcard >= 0 else 0,
        table.turned_up == "dealer", table.game.deal.left_over == "named", tuple(moves), tuple(hand.scores) if hand.over else None,
    )  # fmt: skip


def _blind(table: Match[Any]) -> bool:
    """Tell whether hands of a match can begin as others did.

    Whatever cards they hold, and with nothing to note but the play.
    """
    play = play_of(table.game)
    return (
        play is not None
        and (play.turn_rule is None or not play.lead)
        and all(phase.blind for phase in table.game.phases[:-1])
        and not table.game.scoring.by_match(table.options)
    )
