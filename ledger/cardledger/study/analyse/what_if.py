"""What if: every hand judged again under another edition of its rulebook, or under a variant. Nothing is stored.

The cards stay as they fell. Where a trick falls to somebody else, the next lead is no longer in turn, and the hand
stops there: nobody knows how it would have gone on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec

from cardledger.count_of import count_of
from cardledger.crew import Crew
from cardledger.crew import done as done_by
from cardledger.errors import LedgerError, StoreError
from cardledger.record.people.people import STREAM
from cardledger.rules.engine.match import Match
from cardledger.rules.games import editions
from cardledger.rules.kernel import kernels
from cardledger.rules.stream import Stream
from cardledger.sentence import Sentence, choosing
from cardledger.study.analyse.columns import COLUMNS, HandColumns
from cardledger.study.analyse.compared import Compared
from cardledger.study.analyse.shares import ArchiveShare, Failed, Share, joined
from cardledger.study.analyse.sources import AnalysisSource
from cardledger.study.archive.files import PAGE
from cardledger.study.archive.page import Page
from cardledger.study.stats.luck.deals import WHY, Dealt, PlayedHand, hands_of
from cardledger.study.stats.review.review import rotated

MOST_PAGES = 4
"""So many pages of an archive are judged at once, if that leaves work for everybody: more are hardly faster, and need
more memory."""
REFUSED = "hands whose own edition refuses an event, now that the cards are known"
UNFIT = {
    "format.option": "with options that the edition does not have",
    "table.range": "with a number of players that the edition does not have",
    "table.deck": "with hands of another size, or other cards",
    "format.key": "with another kind of deal",
}
"""What is different about matches that do not fit an edition, by the code of the error."""


class OtherHand(msgspec.Struct, frozen=True, gc=False):
    """A hand that another edition judges otherwise.

    `seq` is the event of the first difference, in trick `trick` (0: in no trick). `stops` says that the cards could not
    have been played on in this order; if not, there are points by seat under both.
    """

    match: str
    hand: int
    seq: int
    trick: int
    stops: bool
    scores: tuple[int, ...]
    other: tuple[int, ...] | None


@dataclass(slots=True)
class WhatIf:
    """How a game's hands fare under another edition: numbers of hands, and those that are judged otherwise.

    `left_out` counts hands by reason (`cardledger.study.stats.luck.deals.WHY`, or `events` for REFUSED), `unfit`
    matches that do not fit the edition, by the code of the error (`UNFIT`); `problems` counts matches that do not fold,
    of a ledger those of the game.
    """

    hands: int = 0
    same: int = 0
    stops: int = 0
    points: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    unfit: Counter[str] = field(default_factory=Counter)
    problems: int = 0
    otherwise: list[OtherHand] = field(default_factory=list)

    def add(self, other: WhatIf) -> None:
        """Add the hands of another share."""
        self.hands += other.hands
        self.same += other.same
        self.stops += other.stops
        self.points += other.points
        self.left_out += other.left_out
        self.unfit += other.unfit
        self.problems += other.problems
        self.otherwise += other.otherwise

    def as_data(self) -> dict[str, Any]:
        """Return all of it for JSON."""
        whole: dict[str, Any] = msgspec.to_builtins(self)
        return whole | {name: dict(sorted(getattr(self, name).items())) for name in ("left_out", "unfit")}


def game_of(rules: str) -> str:
    """Return the game of an edition; raises StoreError `store.unknown`."""
    for id, known in editions().items():
        if rules in known:
            return id
    named = [edition for known in editions().values() for edition in known]
    raise StoreError("store.unknown", choosing(Sentence("there is no edition {rules!r}", rules=rules), rules, named))


def what_if(source: AnalysisSource, crew: Crew, game: str, rules: str) -> WhatIf:
    """Judge all hands of a game under another edition; the result does not depend on the workers.

    Raises StoreError if the source cannot be read, LedgerError `workers.lost`.
    """
    total = WhatIf()
    pages = max(1, min(MOST_PAGES, source.size // PAGE // crew.ahead))
    for _, found in done_by(crew, ((share, game, rules) for share in joined(source.shares(), pages))):
        total.add(found)
    return total


def judge_share(share: Share, game: str, rules: str) -> WhatIf:
    """Judge the hands of a share."""
    found, left = WhatIf(), share.matches
    if isinstance(share, ArchiveShare):
        found, done, matches = _of_columns(share, game, rules)
        left = partial(share.matches, but=done)
        if done.issuperset(matches):
            return found
    for item in left(audit=False):
        if isinstance(item, Failed):
            found.problems += 1
        elif item.stream.table.game.id == game and item.stream.table.status != "void":
            try:
                found.add(_of_match(item.id, item.stream, rules))
            except UnfitError as error:
                found.unfit[str(error)] += 1
    found.otherwise.sort(key=attrgetter("match"))  # stable: the order of a source
    return found


def _of_columns(share: ArchiveShare, game: str, rules: str) -> tuple[WhatIf, set[str], list[str]]:
    """Judge the hands of an archive that kernels carry, and return the matches of which nothing is left to do, and all matches."""
    found, done = WhatIf(), set[str]()
    if not kernels.available():
        return found, done, [""]
    with share.columns(COLUMNS) as page:
        matches = [match for match in page.matches if match != STREAM]
        hands = HandColumns(page)
        if any(opening.game == game for opening in hands.openings):
            done = _compare(page, hands, found, game, rules)
    return found, done, matches


def _compare(page: Page, hands: HandColumns, found: WhatIf, game: str, rules: str) -> set[str]:
    """Judge the hands of a page, write down what is found, and return the matches of which nothing is left to do."""
    both = Compared(hands, game, rules)
    found.hands, found.left_out["under way"] = both.hands, both.under_way
    match_of, number = hands.match_of.tolist(), hands.number.tolist()
    for row, seq, trick, stops, scores, other in both.otherwise():
        match = match_of[row]
        first = page.bounds[match] - 1
        found.otherwise.append(OtherHand(page.matches[match], number[row], seq - first, trick, stops, scores, other))
    found.stops = sum(one.stops for one in found.otherwise)
    found.points = sum(not one.stops and one.scores != one.other for one in found.otherwise)
    found.same = found.hands - len(found.otherwise)
    found.left_out = +found.left_out
    return {page.matches[match] for match in both.matches}


class UnfitError(Exception):
    """A match cannot be played under an edition; the code of the error says why."""


def _of_match(match: str, stream: Stream, rules: str) -> WhatIf:
    """Judge the hands of a match; raises UnfitError."""
    found = WhatIf()
    for played in hands_of(stream):
        _count(found, match, stream.table, played, rules)
    return found


def _count(found: WhatIf, match: str, table: Match[Any], played: PlayedHand, rules: str) -> None:
    """Judge one hand and count it."""
    if played.dealt is None:
        found.left_out[played.why or "hidden"] += 1
        return
    own = judged(played, played.dealt, table.game.book.edition)
    if own.refused:
        found.left_out["events"] += 1
        return
    other = judged(played, replace(played.dealt, situation=replace(played.dealt.situation, game=game_of(rules))), rules)
    found.hands += 1
    seq, trick = own.first_difference(other)
    if seq is None:
        found.same += 1
        return
    found.stops += other.refused
    found.points += not other.refused and own.scores != other.scores
    n, dealer = table.n, played.hand.dealer
    scores = [
        None if some is None else tuple(some[(seat - dealer) % n] for seat in range(n))
        for some in (own.scores, other.scores)
    ]
    assert scores[0] is not None
    found.otherwise.append(OtherHand(match, played.hand.number, seq, trick, other.refused, scores[0], scores[1]))


@dataclass(frozen=True, slots=True)
class JudgedHand:
    """A hand as an edition judges it: tricks with the event that ended each, violations by event, and points by seat.

    `stop` is the event that it refuses, if there is one, or the last event.
    """

    tricks: list[tuple[int, Any]]
    violations: dict[int, Any]
    scores: list[int] | None
    stop: int
    refused: bool

    def first_difference(self, other: JudgedHand) -> tuple[int | None, int]:
        """Return the first event that another edition judges otherwise, and the number of its trick.

        None if there is none.
        """
        found = [
            (seq, number)
            for number, ((seq, trick), (_, another)) in enumerate(zip(self.tricks, other.tricks, strict=False), 1)
            if trick != another
        ][:1]
        differing = self.violations.items() ^ other.violations.items()
        found += [(seq, 1 + sum(end < seq for end, _ in self.tricks)) for seq, _ in differing if seq <= other.stop]
        if other.refused:
            found.append((other.stop, len(other.tricks) + 1 if other.tricks else 0))
        elif self.scores != other.scores and not found:
            found.append((self.stop, 0))
        return min(found, default=(None, 0))


def judged(played: PlayedHand, dealt: Dealt, rules: str) -> JudgedHand:
    """Judge a hand under an edition, with seat 0 as dealer and as if the hands before it had scored nothing.

    Raises UnfitError.
    """
    try:
        table = dealt.table(strict=False, rules=rules)
    except LedgerError as error:
        raise UnfitError(error.code) from None
    hand, n = table.hand, table.n
    tricks: list[tuple[int, Any]] = []
    seq, refused = played.events[0][0], False
    for seq, event in played.events[1:]:  # the last one counts
        act = rotated(event, played.hand.dealer, n)
        if act is None:
            continue
        try:
            table.apply(act, seq)
        except LedgerError:
            refused = True
            break
        if len(hand.tricks) > len(tricks):
            tricks.append((seq, hand.tricks[-1]))
    violations = {one.seq: (one.seat, one.rule, one.legal) for one in table.violations}
    return JudgedHand(tricks, violations, hand.scores, seq, refused)


def lines(found: WhatIf, game: str, rules: str, most: int) -> Iterator[str]:
    """Yield an account in words, with the first hands that are judged otherwise."""
    yield f"{game} under {rules}: {count_of(found.hands, 'hand')} judged again"
    for why, number in sorted(found.left_out.items()):
        yield f"  left out: {number} {WHY.get(why, REFUSED)}"
    for code, number in sorted(found.unfit.items()):
        yield (
            f"  left out: {number} match{'es' if number != 1 else ''} "
            f"{UNFIT.get(code, f'that the edition refuses ({code})')}"
        )
    yield f"  {found.same} are judged the same to the end"
    yield f"  {found.stops} stop where a trick falls to somebody else, or where a play is not possible"
    yield (
        f"  {found.hands - found.same - found.stops} go on to their end with other rulings, "
        f"{found.points} of them with other points"
    )
    for one in found.otherwise[:most]:
        place = f"trick {one.trick}" if one.trick else "no trick"
        after = "stops there" if one.stops else f"points {_points(one.scores)}, not {_points(one.other or ())}"
        yield f"  {one.match} hand {one.hand}, event {one.seq} ({place}): {after}"
    if len(found.otherwise) > most:
        yield f"  and {len(found.otherwise) - most} more: --json lists them all"


def _points(scores: tuple[int, ...]) -> str:
    return " ".join(map(str, scores))


def as_json(found: WhatIf, game: str, rules: str) -> str:
    """Return the whole account as a line of JSON."""
    return msgspec.json.encode({"game": game, "rules": rules, **found.as_data()}).decode()
