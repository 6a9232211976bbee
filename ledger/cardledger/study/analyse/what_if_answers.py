"""What-if answers for readers of a server: computed in the background, and kept until something is recorded."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, ClassVar

from cardledger.companion import Companion
from cardledger.crew import Alone, Crew, Processes
from cardledger.errors import StoreError, UnreadyError
from cardledger.record.readmodels.questions.shared_deals import held_back
from cardledger.record.readmodels.tables.boards import left_out, secret_matches
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import DayOfPlay
from cardledger.rules.games import editions, game, games, start
from cardledger.sentence import Sentence, choosing
from cardledger.study.analyse.shares import Failed, Share
from cardledger.study.analyse.sources import of_ledger
from cardledger.study.analyse.what_if import OtherHand, WhatIf, judge_share, what_if
from cardledger.study.stats.cache import MOMENT, Shelf

if TYPE_CHECKING:
    from cardledger.record.readmodels.model import Folded
    from cardledger.record.recording.ledger import Ledger
    from cardledger.record.store.readers import Readable
    from cardledger.rules.engine.game import Game

LARGE = 20_000
"""With this many events in a ledger a process of its own judges the hands: a thread would slow the server for seconds."""
MOST = 10_000
"""How many of the hands that are judged otherwise are kept: those of the newest matches."""
OUTCOMES = ("points", "stops", "rulings")
"""What may become of a hand that is judged otherwise."""
SOON = 10.0
"""How many seconds a reader of a smaller ledger waits: the answer takes about one."""
_LATEST = 500
"""How many of a game's latest matches say which editions it is played under."""
_LOOK = 0.5
"""Seconds between looks whether the ledger is being closed."""
_LOWEST = 19
_RULES = "SELECT DISTINCT rules FROM (SELECT rules FROM matches WHERE game = ? ORDER BY position DESC LIMIT ?)"
_MATCHES = """SELECT match, position, date, status = 'complete', totals FROM matches
    WHERE match IN (SELECT value FROM json_each(?))"""
_COMPLETE = (
    "SELECT count(*) FROM matches WHERE game = ? AND status = "
    "'complete' AND match NOT IN (SELECT value FROM json_each(?))"
)
_WAITING = "SELECT count(*) FROM matches WHERE game = ? AND match IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class ListedHand:
    """A hand that is judged otherwise, with the position of its match in the ledger, and its day."""

    position: int
    date: DayOfPlay
    hand: OtherHand

    @property
    def outcome(self) -> str:
        """What differs.

        The hand `stops` at an event that is impossible, ends with other `points`, or has only other `rulings`.
        """
        return "stops" if self.hand.stops else "points" if self.hand.scores != self.hand.other else "rulings"


@dataclass(frozen=True, slots=True)
class MatchesCompared:
    """Complete matches as a whole: how many there are, and in how many a hand `stops`.

    In `points` others the points of the hands add up to other totals, and in `winner` of these somebody else has the
    best one.
    """

    complete: int
    stops: int
    points: int
    winner: int


@dataclass(frozen=True, slots=True)
class WhatIfAnswer:
    """How the hands of a game fare under another edition, as of a position in the ledger.

    `found` has the numbers of hands, `listed` those that are judged otherwise, the newest match first, `MOST` at most.
    `waiting` is the number of matches left out because another table has yet to play their cards.
    """

    game: str
    rules: str
    position: int
    found: WhatIf
    matches: MatchesCompared
    waiting: int
    listed: Sequence[ListedHand]

    @property
    def rulings(self) -> int:
        """The number of hands that go on with the same points, but with other rulings."""
        return self.found.hands - self.found.same - self.found.stops - self.found.points


@cache
def comparable(game_id: str) -> tuple[str, ...]:
    """Return the editions that can judge the hands of a game: those of its variants, then its own, the newest first.

    A variant has the same cards, deal and phases. Raises FormatError `format.game`.
    """
    shapes = {n: _shape(game(game_id), n) for n in game(game_id).players}
    variants = (
        other.book.edition
        for id, other in games().items()
        if id != game_id and any(_shape(other, n) == shapes[n] for n in other.players if n in shapes)
    )
    return (*variants, *reversed([*editions()[game_id]]))


def _shape(of: Game[Any], n: int) -> tuple[object, ...]:
    """Return what two games must have in common for each to judge the hands of the other."""
    table = start(ev.Open(game=of.id, players=tuple(map(str, range(n)))), of.book.edition)
    return (
        sorted(table.pack.faces),
        [type(phase) for phase in of.phases],
        of.deal.keys(table.options),
        of.deal.left_over,
    )


def choices(ledger: Ledger, game_id: str) -> list[str]:
    """Return the editions that may judge the hands of a game otherwise.

    Not the one under which its latest matches were all played.

    There are none for a game that was never played. Raises FormatError `format.game`.
    """
    rows = ledger.views.reader.execute(_RULES, (game(game_id).id, _LATEST)).fetchall()
    played = [rules for (rules,) in rows]
    return [edition for edition in comparable(game_id) if played and played != [edition]]


class WhatIfAnswers:
    """The answers of a ledger; `WhatIfAnswers.of` gives those that pages and API share."""

    _shared: ClassVar[Companion[WhatIfAnswers]] = Companion("what-if answers")

    @classmethod
    def of(cls, ledger: Ledger) -> WhatIfAnswers:
        """Return the answers of a ledger, the same object each time."""
        return cls._shared.of(ledger, lambda: cls(ledger))

    def __init__(self, ledger: Ledger) -> None:
        self._views = ledger.views
        self._at = ledger.at
        self._turn = threading.Lock()
        self.patience: float | None = MOMENT
        """How many seconds to wait for a first answer of a large ledger.

        None: as long as it takes, and for every later one too.
        """

    def get(self, game_id: str, rules: str) -> WhatIfAnswer:
        """Return how the hands of a game fare under an edition: the last answer, while a newer one is being computed.

        Raises FormatError `format.game`, StoreError `store.unknown` for an edition that cannot judge them, and
        UnreadyError while the first answer is being computed.
        """
        if rules not in comparable(game_id):
            why = Sentence("{rules!r} cannot judge hands of {game}", rules=rules, game=game_id)
            raise StoreError("store.unknown", choosing(why, rules, comparable(game_id)))
        shelf, question = Shelf.of(self._views), ("what if", game_id, rules)
        stamp = self._views.position, left_out(self._views.reader)
        compute = partial(self._computed, game_id, rules)
        if self.patience is None:
            return self._shown(shelf.get(question, stamp, compute))
        patience = self.patience if self._views.position >= LARGE else SOON
        answer: WhatIfAnswer | None = shelf.get_stale(question, stamp, compute, patience)
        if answer is None and shelf.is_making(question):
            raise UnreadyError("the hands are being judged again: ask again in a few seconds")
        return self._shown(answer or shelf.peek(question) or compute())  # if it failed, say why

    def _shown(self, kept: WhatIfAnswer) -> WhatIfAnswer:
        """Return an answer without hands whose cards another table has begun to play since."""
        hidden = self._hidden()
        return replace(kept, listed=[one for one in kept.listed if one.hand.match not in hidden])

    def _hidden(self) -> frozenset[str]:
        """Return the matches that are left out: another table has yet to play a board or a deal of them."""
        return secret_matches(self._views.current) | held_back(self._views).keys()

    def _computed(self, game_id: str, rules: str) -> WhatIfAnswer:
        """Judge all hands of a game under an edition; answers are computed one after the other."""
        while not self._turn.acquire(timeout=_LOOK):
            self._expect_open()
        try:
            source = of_ledger(self._at, game_id)
            self._views.catch_up()  # what is hidden must be known for all events that are looked at
            hidden = self._hidden()
            crew: Crew = Alone(judge_share) if source.size < LARGE else Processes(_judge_quietly, 1)
            with closing(crew):
                found = what_if(
                    replace(source, shares=partial(self._shares, source.shares, hidden)), crew, game_id, rules
                )
            reader, left_out = self._views.reader, json.dumps([*hidden])
            (waiting,), (complete,) = (
                reader.execute(query, (game_id, left_out)).fetchone() for query in (_WAITING, _COMPLETE)
            )
            listed, matches = _by_match(reader, found.otherwise, complete, fewest=game(game_id).scoring.fewest)
            found.otherwise = []
            return WhatIfAnswer(game_id, rules, source.position or 0, found, matches, waiting, listed)
        finally:
            self._turn.release()

    def _shares(self, shares: Callable[[], Iterator[Share]], hidden: frozenset[str]) -> Iterator[Share]:
        """Yield shares without what is hidden, until the ledger is being closed."""
        for share in shares():
            self._expect_open()
            yield _ShownShare(share, hidden)

    def _expect_open(self) -> None:
        if self._views.background.closing.is_set():
            raise StoreError("store.lost", "the ledger is being closed")


@dataclass(frozen=True, slots=True)
class _ShownShare:
    """A share without some matches."""

    share: Share
    hidden: frozenset[str]
    size: int = 0

    def matches(self, audit: bool) -> Iterator[Folded | Failed]:
        """Yield the matches of the share but for the hidden ones."""
        for item in self.share.matches(audit):
            if (item.match if isinstance(item, Failed) else item.id) not in self.hidden:
                yield item


def _judge_quietly(share: Share, game_id: str, rules: str) -> WhatIf:
    """Judge the hands of a share in a process that leaves the processor to others."""
    _step_back()
    return judge_share(share, game_id, rules)


@cache
def _step_back() -> None:
    """Give this process the lowest priority."""
    if hasattr(os, "nice"):
        os.nice(_LOWEST)


def _by_match(
    reader: Readable, hands: Sequence[OtherHand], complete: int, *, fewest: bool
) -> tuple[list[ListedHand], MatchesCompared]:
    """Return hands that are judged otherwise, the newest match first, and what becomes of their matches."""
    by_match: dict[str, list[OtherHand]] = {}
    for hand in hands:
        by_match.setdefault(hand.match, []).append(hand)
    listed: list[ListedHand] = []
    stops = points = winner = 0
    for match, position, date, over, totals in reader.execute(_MATCHES, (json.dumps([*by_match]),)):
        some = by_match[match]
        listed += (ListedHand(position, date, hand) for hand in some)
        if not over:
            continue
        if any(hand.stops for hand in some):
            stops += 1
            continue
        own = json.loads(totals)
        changes = ([new - old for old, new in zip(hand.scores, hand.other or (), strict=True)] for hand in some)
        other = [sum(each) for each in zip(own, *changes, strict=True)]
        points += own != other
        winner += _best(own, fewest) != _best(other, fewest)
    listed.sort(key=lambda one: (-one.position, one.hand.hand))
    return listed[:MOST], MatchesCompared(complete, stops, points, winner)


def _best(totals: list[int], fewest: bool) -> list[int]:
    """Return the seats with the best total."""
    best = min(totals) if fewest else max(totals)
    return [seat for seat, total in enumerate(totals) if total == best]
