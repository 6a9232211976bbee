"""Reading a whole session from USEBIO: the evening that its event, its pairs and its travellers make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import BinaryIO, Final, NamedTuple

import msgspec

from cardledger.formats.bridge_files.player_names import clean_name
from cardledger.formats.bridge_files.usebio import (
    Element,
    Label,
    WrongFileError,
    at_the_table,
    by_line,
    club_of,
    day_of,
    labelled,
    parsed,
    ruling_of,
)
from cardledger.rules.engine.days import UNKNOWN, DayOfPlay, known_day
from cardledger.rules.engine.events import Event, Note
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.scoring import Scoring

SCORINGS: Final = {"MP_PAIRS": "matchpoints", "BUTLER_PAIRS": "butler", "CROSS_IMP": "cross_imps"}
"""The scoring of an evening by its kind in a file; events of teams and of single players are matches alone."""
POINTS: Final = {"matchpoints": "MATCH_POINTS", "butler": "BUTLER_POINTS", "cross_imps": "CROSS_IMP_POINTS"}
"""What the points of a line are called, by scoring."""
FOLLOWS: Final = frozenset({"PLACE", "TOTAL_SCORE", "PERCENTAGE"})
"""What a file says of a pair that follows from the results."""
PUBLISHED: Final = {"PUBLISHED_PLACE": "place", "PUBLISHED_TOTAL_SCORE": "total", "PUBLISHED_PERCENTAGE": "percent"}
"""What a file says of a pair as it was published, by the keys of a ranking; read, it is kept as it is."""
_MAPPED: Final = frozenset({"EVENT_DESCRIPTION", "DATE", "VENUE", "WINNER_TYPE", "PARTICIPANTS", "BOARD", "CLUB"})
_OF_PAIR: Final = frozenset({"PAIR_NUMBER", "DIRECTION", "PLAYER", "RULING", *FOLLOWS})


class PrintedLine(NamedTuple):
    """A line of a traveller.

    Its number among all lines of the file, its place there, where it was played, what is printed.

    `ns` and `ew` are entries, `points` those printed for both lines.
    """

    game: int
    line: int
    board: int
    ns: int
    ew: int
    points: tuple[str, str]
    at: tuple[int, int] | None
    rulings: tuple[ev.EveningAdjust, ...]


@dataclass
class UsebioEvening:
    """An evening of a file: its place there, its club, opening, entries and lines, and what no event can say.

    `numbers` are the entries by what the file calls their pairs, at each side of a table.
    """

    line: int
    club: str
    opening: ev.Session
    entries: list[ev.Entry] = field(default_factory=list)
    lines: list[PrintedLine] = field(default_factory=list)
    penalties: list[ev.EveningAdjust] = field(default_factory=list)
    extras: list[tuple[str, ...]] = field(default_factory=list)
    numbers: dict[Label, int] = field(default_factory=dict)

    def events(self, club: str | None, matches: Mapping[int, str]) -> list[Event]:
        """Return the events of the session; `matches` are the ids of the matches of its lines, by their numbers."""
        events: list[Event] = [msgspec.structs.replace(self.opening, club=club)]
        if self.extras:
            events.append(Note(text="from USEBIO", extras=tuple(self.extras)))
        events += self.entries
        tables = _tables(self.lines)
        for (round, table), lines in sorted(tables.items()):
            boards = tuple(sorted(line.board for line in lines))
            events.append(ev.Table(round=round, table=table, seats=(lines[0].ns, lines[0].ew), boards=boards))
        rulings: list[Event] = []
        for (round, table), lines in sorted(tables.items()):
            for line in lines:
                events.append(ev.Result(round=round, table=table, board=line.board, match=matches[line.game]))
                rulings += [
                    msgspec.structs.replace(ruling, round=round, table=table, board=line.board)
                    for ruling in line.rulings
                ]
        return [*events, *rulings, *self.penalties]


def evenings_in(file: BinaryIO, day: str = UNKNOWN) -> Iterator[UsebioEvening]:
    """Yield the evenings of pairs in a file; `day` is that of those for which it has none.

    Those without a day even so, and other kinds, are no evenings.
    """
    try:
        root = parsed(file)
    except WrongFileError:
        return
    games = 0
    for event in root.all("EVENT"):
        evening = _evening(root, event, known_day(day))
        for board in event.all("BOARD"):
            number = board.say("BOARD_NUMBER")
            for line in board.children:
                if line.name == "TRAVELLER_LINE":
                    games += 1
                    if evening is not None:
                        _take(evening, games, number, line)
        if evening is not None and evening.lines:
            yield evening


def _evening(root: Element, event: Element, given: DayOfPlay) -> UsebioEvening | None:
    kind = SCORINGS.get(event.attributes.get("EVENT_TYPE", "MP_PAIRS"))
    day = day_of(event.say("DATE")) or given
    if kind is None or day is None:
        return None
    opening = ev.Session(
        club=None, name=event.say("EVENT_DESCRIPTION") or "Bridge", date=day, game="bridge", unit="pair",
        scoring=Scoring(kind=kind), place=event.say("VENUE") or None,  # type: ignore[arg-type] # a kind of scoring
    )  # fmt: skip
    evening = UsebioEvening(event.line, club_of(root), opening)
    evening.extras = [
        ("tag", each.name, each.text.strip())
        for each in event.children
        if each.name not in _MAPPED and not each.children and each.text.strip()
    ]
    pairs = labelled(event)
    numbers = [label.number for label, _ in pairs]
    clash = len({*numbers}) < len(numbers)
    apart = all(label.line for label, _ in pairs) and (event.say("WINNER_TYPE") or "21"[not clash]) == "2"
    first = max((label.number for label, _ in pairs if label.line != "ew"), default=0)
    taken: set[str] = set()
    entries: list[tuple[Label, int]] = []
    for label, pair in pairs:
        entry = label.number + first if clash and label.line == "ew" else label.number
        if not 1 <= entry <= 1000 or any(one.number == entry for one in evening.entries):
            continue
        players = _players(pair, entry, taken)
        evening.entries.append(ev.Entry(number=entry, players=players, line=label.line if apart else None))  # type: ignore[arg-type]
        entries.append((label, entry))
        _keep(evening, entry, pair)
    evening.numbers = by_line(entries)
    return evening


def _players(pair: Element, entry: int, taken: set[str]) -> tuple[str, ...]:
    """Return the two players of a pair; each name is used once in an evening."""
    said = [clean_name(player.say("PLAYER_NAME")) for player in pair.all("PLAYER")][:2]
    names = []
    for place in (0, 1):
        plain = said[place] if place < len(said) and said[place] not in ("", "?") else f"Pair {entry}"
        name, count = plain, 1
        while name in taken:
            count += 1
            name = f"{plain} ({count})"
        taken.add(name)
        names.append(name)
    return tuple(names)


def _keep(evening: UsebioEvening, entry: int, pair: Element) -> None:
    """Keep what a file says of a pair and no event can: how it is numbered there, numbers of unions, clubs."""
    written = pair.say("PAIR_NUMBER")
    if written != str(entry):
        evening.extras.append(("pair", str(entry), "PAIR_NUMBER", written))
    if pair.say("DIRECTION"):
        evening.extras.append(("pair", str(entry), "DIRECTION", pair.say("DIRECTION")))
    for each in pair.children:
        if each.name == "RULING" and isinstance(ruling := ruling_of(each.text), ev.EveningAdjust):
            evening.penalties.append(msgspec.structs.replace(ruling, entry=entry))
        elif each.name not in _OF_PAIR and not each.children and each.text.strip():
            evening.extras.append(("pair", str(entry), each.name, each.text.strip()))
    for place, player in enumerate(pair.all("PLAYER"), 1):
        evening.extras += [
            ("player", f"{entry}/{place}", each.name, each.text.strip())
            for each in player.children
            if each.name != "PLAYER_NAME" and not each.children and each.text.strip()
        ]


def _take(evening: UsebioEvening, game: int, board: str, line: Element) -> None:
    """Take a line of a traveller between two pairs that are known."""
    number = _number(board)
    labels = [at_the_table(line.say(f"{side}_PAIR_NUMBER"), side) for side in ("NS", "EW")]
    ns, ew = (evening.numbers.get(label, 0) if label else 0 for label in labels)
    if not (number and ns and ew):
        return
    name = POINTS[evening.opening.scoring.kind]
    round, table = (_number(line.say(f"{what}_NUMBER")) for what in ("ROUND", "TABLE"))
    rulings = tuple(
        ruling
        for each in line.children
        if each.name == "RULING" and isinstance(ruling := ruling_of(each.text), ev.EveningAdjust)
    )
    evening.lines.append(
        PrintedLine(
            game, line.line, number, ns, ew, (line.say(f"NS_{name}"), line.say(f"EW_{name}")),
            (round, table) if round and table else None, rulings,
        )
    )  # fmt: skip


def _number(text: str) -> int:
    """Return the number of a board, a round or a table; 0 if it is none."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0
    return number if number <= 1000 else 0


def _tables(lines: Sequence[PrintedLine]) -> dict[tuple[int, int], list[PrintedLine]]:
    """Return the lines by round and table: as the file has them, else such that nobody sits twice in a round."""
    tables: dict[tuple[int, int], list[PrintedLine]] = {}
    if all(line.at is not None for line in lines):
        for line in lines:
            tables.setdefault(line.at or (0, 0), []).append(line)
        if all(len({(line.ns, line.ew) for line in some}) == 1 for some in tables.values()):
            return tables
    couples: dict[tuple[int, int], list[PrintedLine]] = {}
    for line in lines:
        couples.setdefault((line.ns, line.ew), []).append(line)
    taken: defaultdict[tuple[str, int], int] = defaultdict(int)
    rounds: defaultdict[int, list[tuple[tuple[int, int], list[PrintedLine]]]] = defaultdict(list)
    for couple, some in sorted(couples.items(), key=lambda each: (min(line.board for line in each[1]), each[0])):
        users = [*(("entry", entry) for entry in couple), *(("board", line.board) for line in some)]
        busy = reduce(or_, (taken[user] for user in users))
        first = ~busy & (busy + 1)  # the lowest bit that is free: bits are rounds
        for user in users:
            taken[user] |= first
        rounds[first.bit_length()].append((couple, some))
    return {
        (round, table): some
        for round, here in sorted(rounds.items())
        for table, (_, some) in enumerate(sorted(here), 1)
    }
