"""The match of a table on paper: a deal without cards, bids if they are noted, and the points of each hand."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cardledger.errors import LedgerError
from cardledger.formats.spreadsheets.cells import SheetProblem, at
from cardledger.record.matches.results_only import ENDED, HandResult, doubtful_totals, record_result
from cardledger.rules.engine import events as match_events
from cardledger.rules.engine.match import begin
from cardledger.rules.engine.score_sheet import ScoreSheet
from cardledger.rules.evenings.match_of_table import match_opening
from cardledger.rules.evenings.other_game import title_of
from cardledger.sentence import Sentence, as_sentence, in_one

if TYPE_CHECKING:
    from cardledger.formats.spreadsheets.checks import CheckedHand, CheckedTable
    from cardledger.formats.spreadsheets.known import KnownBeside
    from cardledger.formats.spreadsheets.tables_on_paper import TableOnPaper
    from cardledger.formats.spreadsheets.wishes import Wishes
    from cardledger.rules.engine.events import Event
    from cardledger.rules.engine.game import Game
    from cardledger.rules.engine.match import Match
    from cardledger.rules.evenings import evening_events as ev
    from cardledger.rules.evenings.other_game import OtherGame


class RecordedMatch(NamedTuple):
    """What to record of a table.

    The match (None: none), its last recorded event, the events to add, and what is remarkable.
    """

    match: str | None
    seq: int
    events: tuple[Event, ...]
    remark: Sentence | None


class MatchAt(NamedTuple):
    """Where a match belongs.

    The evening's id and opening, the game, the players by seat, and its id if it is recorded.
    """

    session: str
    evening: ev.Session
    game: Game[Any]
    players: tuple[str, ...]
    recorded: str | None


class _HandRun(NamedTuple):
    """Hands recorded one after the other: the match afterwards, the events, and at which hand it stopped, and why."""

    match: Match[Any]
    events: list[Event]
    stopped: int | None = None
    why: Sentence | None = None


def to_record(
    known: KnownBeside, paper: TableOnPaper, checked: CheckedTable, place: MatchAt, wishes: Wishes, problems: list[SheetProblem]
) -> RecordedMatch | None:  # fmt: skip
    """Return what to record of the hands of a table, or None after adding its problems to the list."""
    hands, before = checked.hands, len(problems)
    seq, first = 0, None
    if place.recorded is not None:
        stream = known.match(place.recorded)
        seq, done = stream.seq, _recorded_hands(paper, hands, stream.table, problems)
        run = _run(stream.table.copy(), hands, done)
    else:
        done = 0
        opening = match_opening(place.evening, place.game.id, str(paper.number), place.players)
        first, run = _fitting(place.game, opening, hands, wishes.options)
    if run.stopped is not None and run.why is not None and len(problems) == before:
        problems.append(at(hands[run.stopped].anchor, "sheet.hand", run.why))
    if len(problems) > before:
        return None
    events = run.events
    if run.match.status == "open" and (events or not done):
        events.append(match_events.End(reason=ENDED))
    if first is None:
        assert place.recorded is not None
        return RecordedMatch(place.recorded, seq, (*_with_ids(place.recorded, seq, events),), None)
    match = known.match_id(place.session, paper.round, first)
    if known.has_match(match):
        # It was opened, or stored from this sheet, before its result was named.
        return to_record(known, paper, checked, place._replace(recorded=match), wishes, problems)
    return RecordedMatch(match, 0, (*_with_ids(match, 0, [first, *events]),), _remark(place, first, hands))


def _with_ids(match: str, seq: int, events: list[Event]) -> Iterator[Event]:
    """Yield events with ids that follow from match and place, so that storing them twice stores them once."""
    for number, event in enumerate(events, seq + 1):
        content = match_events.encode(event).decode()
        opens = isinstance(event, match_events.Open)
        id = match if opens else str(uuid.uuid5(uuid.NAMESPACE_OID, f"{match} {number} {content}"))
        yield msgspec.structs.replace(event, id=id)


def _remark(place: MatchAt, first: match_events.Open, hands: tuple[CheckedHand, ...]) -> Sentence | None:
    """Say which options were chosen so that the match has as many hands as the sheet, and what is left out."""
    said = [
        Sentence("opened with {option} = {value}", option=name, value=value)
        for name, value in first.options.items()
        if place.evening.options.get(name) != value
    ]
    if any(bid is not None for hand in hands for bid in hand.bids) and place.game.phase_for(match_events.Bid) is None:
        said.append(Sentence("{game} has no bids, they are left out", game=title_of(place.game)))
    return in_one(*said) if said else None


# --- recording hands


def _fitting(
    game: Game[Any], opening: match_events.Open, hands: tuple[CheckedHand, ...], wished: Mapping[str, Any]
) -> tuple[match_events.Open, _HandRun]:
    """Return the opening under which the hands of the sheet make the whole match, or else fit at all, and the hands."""
    runs = []
    for options in _options(game, opening.options, len(hands), wished):
        first = msgspec.structs.replace(opening, options=options)
        try:
            run = _run(begin(game, first), hands, 0)
        except LedgerError as error:
            run = _HandRun(begin(game, opening), [], 0, as_sentence(error.message))
        if run.stopped is None and run.match.status != "open":
            return first, run
        runs.append((first, run))
    return next((each for each in runs if each[1].stopped is None), runs[0])


def _options(game: Game[Any], given: dict[str, Any], count: int, wished: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the options to try: as given, then with the number of hands, rounds or laps that the sheet may have had."""
    yield given
    names = {option.name for option in game.options} - wished.keys()
    if "hands" in names:
        yield given | {"hands": count}
    for name in {"rounds", "laps"} & names:
        yield from (given | {name: number} for number in range(1, count + 1))


def _run(match: Match[Any], hands: tuple[CheckedHand, ...], done: int) -> _HandRun:
    """Record the hands after the first ones in a match."""
    events: list[Event] = []

    for place in range(done, len(hands)):
        hand = hands[place]
        if match.status != "open":
            after = sum(each.scores is not None for each in match.hands)
            options = ", ".join(
                f"{name}={value}" for name, value in match.options.items() if value not in (None, False, True)
            )
            return _HandRun(
                match,
                events,
                place,
                Sentence(
                    "the match was over after hand {after} ({options}): give the options it was played with, such as target=200",
                    after=after,
                    options=options,
                ),
            )
        try:
            events += record_result(match, HandResult(hand.bids, points=hand.points))
        except LedgerError as error:
            return _HandRun(match, events, place, as_sentence(error.message))
    return _HandRun(match, events)


# --- checks


def expect_possible(
    paper: TableOnPaper, checked: CheckedTable, game: Game[Any], options: Mapping[str, Any], as_written: bool,
    problems: list[SheetProblem],
) -> bool:  # fmt: skip
    """Note hands that the game cannot give, also at a table where other cells cannot be read.

    Tell whether there are none.

    `as_written` takes impossible points as they are.
    """
    n, before = len(checked.seats), len(problems)
    if n not in game.sizes:
        return False
    try:
        match = begin(game, match_events.Open(game=game.id, players=tuple(map(str, range(n))), options={**options}))
    except LedgerError as error:
        problems.append(
            at(paper.anchor, "sheet.hand", Sentence("{why}: correct the options", why=as_sentence(error.message)))
        )
        return False
    expect_partners(paper, checked, game, problems)
    _expect_all_bids(paper, checked.hands, problems)
    if not as_written:
        _expect_totals(paper, checked, game, options, problems)
    if len(problems) > before:
        return False
    for hand in checked.hands:
        _, each = game.deal.cards(match, hand.number)
        tricks = [taken for taken in hand.tricks if taken is not None]
        if len(tricks) == n and game.phase_for(match_events.Play) is not None and sum(tricks) != each:
            problems.append(
                at(
                    hand.anchor,
                    "sheet.tricks",
                    Sentence.counted(
                        "a hand has {num} trick, not {taken}: correct them",
                        "a hand has {num} tricks, not {taken}: correct them",
                        each,
                        taken=sum(tricks),
                    ),
                )
            )
        elif not as_written and (why := why_impossible(game, match, hand, hand.points)) is not None:
            other = _other_option(game, match, hand)
            if other is not None:
                why = Sentence("{why} ({other})", why=why, other=other)
            problems.append(
                at(hand.cells[0], "sheet.points", Sentence("hand {number} at {label}: {why}; correct the points, or say that the sheet counts as written", number=hand.number, label=paper.label, why=why))
            )  # fmt: skip
    return len(problems) == before


def _expect_totals(
    paper: TableOnPaper, checked: CheckedTable, game: Game[Any], options: Mapping[str, Any],
    problems: list[SheetProblem],
) -> None:  # fmt: skip
    """Note totals of a table without hands that no number of hands can give."""
    if checked.hands or checked.totals is None:
        return
    sides = game.sides(len(checked.totals))
    totals = [checked.totals[sides.index(side)] for side in dict.fromkeys(sides)]
    if why := doubtful_totals(game, options, totals, len(checked.totals)):
        cell = paper.players[checked.seats[0]].total or paper.anchor
        problems.append(
            at(
                cell,
                "sheet.points",
                Sentence(
                    "{label}: {why}; correct the points, or say that the sheet counts as written",
                    label=paper.label,
                    why=why,
                ),
            )
        )


def why_impossible(game: Game[Any], match: Match[Any], hand: CheckedHand, points: Sequence[int]) -> Sentence | None:
    """Say why a game cannot give points in a hand, None if it can, or if it has no check."""
    _, each = game.deal.cards(match, hand.number)
    sheet = ScoreSheet(points, match.options, hand.bids, [taken or 0 for taken in hand.tricks], each)
    return None if game.sheet.check is None else game.sheet.check(sheet)


def _other_option(game: Game[Any], match: Match[Any], hand: CheckedHand) -> Sentence | None:
    """Say under which other value of one option the game can give the points of a hand; None if there is none."""
    _, each = game.deal.cards(match, hand.number)
    taken = [tricks or 0 for tricks in hand.tricks]
    for option in game.options:
        now = match.options[option.name]
        for value in option.choices or ((not now,) if isinstance(now, bool) else ()):
            sheet = ScoreSheet(hand.points, {**match.options, option.name: value}, hand.bids, taken, each)
            if value != now and game.sheet.check is not None and game.sheet.check(sheet) is None:
                said = str(value).lower() if isinstance(value, bool) else value
                return Sentence(
                    "they would be right with the option {option}={value}: {text}",
                    option=option.name,
                    value=said,
                    text=Sentence(option.text),
                )
    return None


def only_these(
    game: Game[Any], options: Mapping[str, Any], hand: CheckedHand, changes: Iterable[Mapping[int, int]]
) -> bool:
    """Tell whether the game allows none of some changes of a hand, each given as other points by seat."""
    n = len(hand.points)
    match = begin(game, match_events.Open(game=game.id, players=tuple(map(str, range(n))), options={**options}))
    return all(
        why_impossible(game, match, hand, [change.get(seat, own) for seat, own in enumerate(hand.points)]) is not None
        for change in changes
    )


def expect_partners(
    paper: TableOnPaper, checked: CheckedTable, game: Game[Any] | OtherGame, problems: list[SheetProblem]
) -> None:
    """Note points of partners that differ, in a hand or in the totals alone: a side has its points together."""
    side = game.sides(len(checked.seats))
    written = [(hand.points, hand.cells) for hand in checked.hands]
    if not written and checked.totals is not None:
        cells = (paper.players[place].total for place in checked.seats)
        written.append((checked.totals, tuple(cell or paper.anchor for cell in cells)))
    for points, cells_of in written:
        for seat, cell in enumerate(cells_of):
            partner = side.index(side[seat])
            if points[partner] != points[seat]:
                names = tuple(paper.players[checked.seats[each]].name.text for each in (partner, seat))
                problems.append(
                    at(cell, "sheet.partners", Sentence("{names} are partners in {game} and have the same points: correct them, or write the players clockwise, or their seats", names=names, game=title_of(game)))
                )  # fmt: skip


def _expect_all_bids(paper: TableOnPaper, hands: tuple[CheckedHand, ...], problems: list[SheetProblem]) -> None:
    for hand in hands:
        given = [bid for bid in hand.bids if bid is not None]
        if given and None in hand.bids:
            problems.append(
                at(
                    hand.cells[hand.bids.index(None)],
                    "sheet.empty",
                    Sentence("a bid is missing at {label}: write all bids of a hand, or none", label=paper.label),
                )
            )


def _recorded_hands(
    paper: TableOnPaper, hands: tuple[CheckedHand, ...], match: Match[Any], problems: list[SheetProblem]
) -> int:
    """Return how many hands of a recorded match are those of the sheet; note every other one."""
    for hand, recorded in zip(hands, match.hands, strict=False):
        if recorded.scores is None:
            problems.append(
                at(
                    hand.anchor,
                    "sheet.differs",
                    Sentence(
                        "hand {number} at {label} is being played: finish it there first",
                        number=recorded.number,
                        label=paper.label,
                    ),
                )
            )
        elif tuple(recorded.scores) != hand.points:
            said = ", ".join(map(str, recorded.scores))
            problems.append(
                at(
                    hand.anchor,
                    "sheet.differs",
                    Sentence(
                        "hand {number} at {label} is recorded with {said}: amend it there, or correct the sheet",
                        number=recorded.number,
                        label=paper.label,
                        said=said,
                    ),
                )
            )
    if len(match.hands) > len(hands):
        problems.append(
            at(
                paper.anchor,
                "sheet.differs",
                Sentence(
                    "{label} has {number} recorded hands, more than the sheet: write all of them",
                    label=paper.label,
                    number=len(match.hands),
                ),
            )
        )
    return min(len(hands), len(match.hands))
