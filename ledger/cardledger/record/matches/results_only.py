"""Hands of which only the results are recorded: the numbers asked for, and the events they become."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import msgspec

from cardledger.errors import FormatError
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.hand_line import plain_line
from cardledger.rules.engine.score_sheet import ScoreSheet
from cardledger.rules.games import start
from cardledger.sentence import Sentence, advising, in_a_row

if TYPE_CHECKING:
    from cardledger.rules.engine.game import Game
    from cardledger.rules.engine.hand_line import HandOnLine, LineWords
    from cardledger.rules.engine.match import Match

ENDED: Final = "the score sheet ends here"
"""The reason that ends a match which its game would continue."""
MOST_POINTS: Final = 1_000
"""The most points, in either direction, that are tried for a number which follows from the others."""
_MOST_HANDS: Final = 100
"""The most hands whose totals are tried."""
_NUMBER: Final = re.compile(r"-|-?[0-9]{1,6}")
_ORDER: Final = {
    "bid": Sentence("bid of {who}"),
    "tricks": Sentence("tricks of {who}"),
    "points": Sentence("points of {who}"),
}
BLIND: Final = -1
"""Stands for the bid of a blind nil, where a game has it."""


_POINTS = re.compile(r"-?\d{1,6}", re.ASCII)


class Asked(NamedTuple):
    """A number to ask for: its kind, and the seats it belongs to together."""

    kind: Literal["bid", "tricks", "points"]
    seats: tuple[int, ...]


def typed_points(text: str) -> int | None:
    """Return a number of points as it is typed, None for what is none."""
    return int(text) if _POINTS.fullmatch(text) else None


class HandResult(NamedTuple):
    """The result of a hand by seat: all bids or none, and either tricks, which decide the points, or the points."""

    bids: tuple[int | None, ...]
    tricks: tuple[int, ...] | None = None
    points: tuple[int, ...] | None = None


class Unfinished(NamedTuple):
    """Why numbers make no result: some are `missing`, or they do not fit; in words, if there is anything to say."""

    why: Sentence | None
    missing: bool


def sides_of(match: Match[Any]) -> list[list[int]]:
    """Return the seats of each side; without partners each seat is a side."""
    return match.sides or [[seat] for seat in range(match.n)]


def numbers_asked(match: Match[Any]) -> list[Asked]:
    """Return the numbers that make a result of the game: partners share theirs.

    Where partners bid, tricks are asked by seat: one partner's may stay empty, then the other's are those of both.
    """
    sides, decide = sides_of(match), match.game.sheet.tricks_decide
    seats = [(seat,) for side in sides for seat in side]
    together = [(*side,) for side in sides]
    bids = [Asked("bid", each) for each in seats] if match.game.phase_for(ev.Bid) is not None else []
    if decide is None or not decide(match.options):
        return [*bids, *(Asked("points", side) for side in together)]
    return [*bids, *(Asked("tricks", each) for each in (seats if bids else together))]


def result_of(match: Match[Any], given: Mapping[Asked, int | None]) -> HandResult | Unfinished:
    """Return the result that the numbers of the next hand make, or say what they still need."""
    bids = [given.get(Asked("bid", (seat,))) for seat in range(match.n)]
    some = any(bid is not None for bid in bids)
    points = {asked.seats: number for asked, number in given.items() if asked.kind == "points"}
    if points:
        if None in points.values() or (some and None in bids):
            return Unfinished(None, missing=True)
        by_seat = {seat: number for seats, number in points.items() for seat in seats}
        return HandResult((*bids,), points=tuple(by_seat[seat] or 0 for seat in range(match.n)))
    _, total = match.game.deal.cards(match, len(match.hands) + 1)
    taken = {asked.seats: number for asked, number in given.items() if asked.kind == "tricks"}
    tricks = _tricks(match, taken, bids, total)
    if isinstance(tricks, Unfinished):
        return tricks
    if None in bids and Asked("bid", (0,)) in given:
        return Unfinished(Sentence("a bid is missing"), missing=True)
    return HandResult((*bids,), tricks=tricks)


def points_that_follow(match: Match[Any], given: Mapping[Asked, int | None]) -> tuple[Asked, int] | None:
    """Return the number of points that is missing alone, if the game can give only one with the others.

    It is for the hand under way, else for the next. The game's own check of score sheets decides, so a game without
    one proposes nothing.
    """
    points = [asked for asked in given if asked.kind == "points"]
    missing = [asked for asked in points if given[asked] is None]
    check = match.game.sheet.check
    if check is None or len(missing) != 1 or len(points) < 2:
        return None
    hand = match.hand if match.hands and not match.hand.over else None
    _, each = (0, hand.each) if hand else match.game.deal.cards(match, len(match.hands) + 1)
    taken = hand.taken if hand else [0] * match.n
    possible: list[int] = []
    for number in range(-MOST_POINTS, MOST_POINTS + 1):
        result = result_of(match, {**given, missing[0]: number})
        if not isinstance(result, HandResult) or result.points is None:
            return None
        made = getattr(hand, "bids", result.bids)
        bids = [None if bid is None or bid < 0 else bid for bid in made]
        if check(ScoreSheet(result.points, match.options, bids, taken, each)) is None:
            possible.append(number)
            if len(possible) > 1:
                return None
    return (missing[0], possible[0]) if possible else None


def points_of_all(match: Match[Any], taker: int) -> tuple[int, ...] | None:
    """Return the points by seat of a hand in which seat `taker` takes everything that counts; None if no game says so."""
    rule = match.game.sheet.all_to_one
    found = rule(match.options) if rule is not None else None
    if found is None:
        return None
    own, others = found
    side = next(side for side in sides_of(match) if taker in side)
    return tuple(own if seat in side else others for seat in range(match.n))


def _tricks(
    match: Match[Any], taken: Mapping[tuple[int, ...], int | None], bids: Sequence[int | None], total: int
) -> tuple[int, ...] | Unfinished:
    """Return the tricks by seat.

    The one number left out is the rest, and partners who share a number share them evenly.
    """
    if any(number is not None and number < 0 for number in taken.values()):
        return Unfinished(Sentence("nobody takes fewer than 0 tricks"), missing=False)
    sums: dict[tuple[int, ...], int | None] = {}
    for side in map(tuple, sides_of(match)):
        numbers = [number for seats, number in taken.items() if number is not None and seats[0] in side]
        sums[side] = sum(numbers) if numbers else None
    known = sum(number or 0 for number in sums.values())
    open_sides = [side for side, number in sums.items() if number is None]
    if known > total or (not open_sides and known != total):
        fewer = known < total and any(number is None for number in taken.values())
        return Unfinished(_some_of(known, total) if fewer else _not_all(known, total), missing=fewer)
    if len(open_sides) > 1:
        return Unfinished(_some_of(known, total) if known else None, missing=True)
    tricks = [0] * match.n
    for side, number in sums.items():
        alone = [taken.get((seat,)) for seat in side]
        if None not in alone:
            for seat, one in zip(side, alone, strict=True):
                tricks[seat] = one or 0
            continue
        nils = [match.players[seat] for seat in side if len(side) > 1 and bids[seat] in (0, BLIND)]
        if nils:
            why = Sentence("the side of {name} bid nil: write the tricks of each partner", name=nils[0])
            return Unfinished(why, missing=True)
        together = total - known if number is None else number
        for place, seat in enumerate(side):
            tricks[seat] = (together + len(side) - 1 - place) // len(side)
    return (*tricks,)


def _some_of(known: int, total: int) -> Sentence:
    return Sentence.counted("{known} of {num} trick", "{known} of {num} tricks", total, known=known)


def _not_all(known: int, total: int) -> Sentence:
    return Sentence.counted(
        "a hand has {num} trick, not {known}", "a hand has {num} tricks, not {known}", total, known=known
    )


def record_result(match: Match[Any], result: HandResult, first: int = 0, boards: Sequence[int] = ()) -> list[ev.Event]:
    """Apply a hand with its result to a match, and return its events; seat `first` deals if it is the first hand.

    At a table that plays some `boards`, the hand is the next of these.
    Raises RuleError, FormatError; the match is then to be thrown away.
    """
    hand = _Recording(match)
    hand.add(_next_deal(match, first, boards))
    while match.hand.moment == "bid" and None not in result.bids:
        hand.add(_bid(match, result.bids))
    hand.add(ev.Score(scores=result.points) if result.points is not None else ev.Claim(tricks=result.tricks or ()))
    return hand.events


def record_line(
    match: Match[Any], text: str, words: LineWords, first: int = 0, boards: Sequence[int] = ()
) -> list[ev.Event]:
    """Apply a hand that is written on one line to a match, and return its events: `4S N 10`.

    Arguments:
        match: the match, before the hand.
        text: the line.
        words: who sits at the table, and the language of the line.
        first: the seat that deals if it is the first hand.
        boards: the boards that the table plays; the hand is the next of these.

    At a game that has no such way of writing, the line has the numbers of a score sheet, as `result_on_line` reads them.
    Raises FormatError `format.value` for what cannot be read; otherwise like `record_result`.
    """
    if match.game.sheet.line is None:
        return record_result(match, result_on_line(match, text, words.players), first, boards)
    read, hand = line_read(match.game, text, words), _Recording(match)
    hand.add(msgspec.structs.replace(_next_deal(match, first, boards), **read.deal))
    for event in after_deal(read, match.hand.dealer, match.n):
        hand.add(event)
    return hand.events


def result_on_line(match: Match[Any], text: str, names: Sequence[str] = ()) -> HandResult:
    """Return the result that the numbers on a line give: `3 15 5 3`; bids first, each as the players sit.

    A `-` stands for a number that follows from the others. Raises FormatError `format.value`, which calls the players by
    their `names`.
    """
    asked = sorted(numbers_asked(match), key=lambda one: (one.kind != "bid", one.seats))
    words = plain_line(text).replace(",", " ").split()
    if len(words) != len(asked) or not all(_NUMBER.fullmatch(word) for word in words):
        raise _not_these(match, asked, names or match.players)
    given = {one: None if word == "-" else int(word) for one, word in zip(asked, words, strict=True)}
    if found := points_that_follow(match, given):
        given |= [found]
    result = result_of(match, given)
    if isinstance(result, Unfinished):
        raise FormatError(
            "format.value", result.why or Sentence("no number follows from the others here: write all of them")
        )
    return result


def _not_these(match: Match[Any], asked: Sequence[Asked], names: Sequence[str]) -> FormatError:
    """Return what is said of a line that has other numbers than those asked for."""
    order = [Sentence(_ORDER[kind], who=tuple(names[seat] for seat in seats)) for kind, seats in asked]
    return FormatError(
        "format.value",
        advising(
            Sentence(
                "a hand of {game} is written as numbers in this order, - for one that follows from the others: {order}",
                game=Sentence(match.game.title),
                order=in_a_row(order),
            )
        ),
    )


def line_read(game: Game[Any], text: str, words: LineWords) -> HandOnLine:
    """Return what a line says of a hand; raises FormatError `format.value`."""
    if game.sheet.line is None:
        raise FormatError(
            "format.value",
            advising(
                Sentence("hands of {game} are not written on one line: write their numbers", game=Sentence(game.title))
            ),
        )
    return game.sheet.line.read(text, words)


def after_deal(read: HandOnLine, dealer: int, n: int) -> list[ev.Event]:
    """Return the events that a hand on one line has after its deal by a seat, at a table of `n` players."""
    calls = [ev.Call(seat=(dealer + place) % n, call=call) for place, call in enumerate(read.calls)]
    return [*calls, *([ev.Claim(tricks=read.tricks)] if read.tricks else [])]


class _Recording:
    """The events of a hand, applied to its match one by one."""

    def __init__(self, match: Match[Any]) -> None:
        self.match = match
        self.events: list[ev.Event] = []

    def add(self, event: ev.Event) -> None:
        self.match.apply(event, self.match.seq + 1)
        self.events.append(event)


def _next_deal(match: Match[Any], first: int, boards: Sequence[int]) -> ev.Deal:
    deal: ev.Deal = match.game.deal.without_cards(match, match.game.deal.next_dealer(match) if match.hands else first)
    left = boards_left(match, boards)
    return msgspec.structs.replace(deal, board=left[0], dealer=None) if left else deal


def boards_left(match: Match[Any], boards: Sequence[int]) -> list[int]:
    """Return those of some boards that a match has not dealt yet."""
    dealt = {getattr(hand, "board", 0) for hand in match.hands}
    return [board for board in boards if board not in dealt]


def _bid(match: Match[Any], bids: Sequence[int | None]) -> ev.Event:
    """Return the bid that is due; where a bid of 0 is a word, that word."""
    seat = match.hand.turn
    assert seat is not None
    amount = bids[seat] or 0
    calls = [call for choice in match.choices() for call in choice.calls]
    if amount == BLIND:
        return ev.Call(seat=seat, call="blind nil")
    if amount == 0 and "nil" in calls:
        return ev.Call(seat=seat, call="nil")
    return ev.Bid(seat=seat, amount=amount)


def doubtful_totals(game: Game[Any], options: Mapping[str, Any], totals: Sequence[int], n: int) -> Sentence | None:
    """Say why no number of hands can give the totals of a table of `n` players; None if one can, or nobody knows.

    - `options`: those that differ from what is usual
    - `totals`: the points of each side
    """
    if game.sheet.sums is None:
        return None
    agreed = start(ev.Open(game=game.id, players=(*map(str, range(n)),), options={**options})).options
    sums = {*game.sheet.sums(agreed, n)}
    least, most = game.scoring.span(n, agreed) if game.scoring.span else (-MOST_POINTS, MOST_POINTS)
    reached, together = {0}, sum(totals)
    agreed_hands = options.get("hands")
    for hands in range(1, (agreed_hands if isinstance(agreed_hands, int) else _MOST_HANDS) + 1):
        reached = {one + other for one in reached for other in sums}
        if together in reached and all(least * hands <= total <= most * hands for total in totals):
            return None
        if len(sums) == 1 and abs(min(reached, key=abs)) > abs(together):
            break
    if len(sums) == 1:
        return Sentence(
            "each hand of {game} makes {points} points together, so totals are a multiple of {points}, not {sum}",
            game=Sentence(game.title), points=min(sums), sum=together,
        )  # fmt: skip
    return Sentence(
        "no number of hands of {game} gives totals of {sum} together", game=Sentence(game.title), sum=together
    )
