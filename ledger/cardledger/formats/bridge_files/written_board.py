"""The boards of a match as they stand, ready to be written: what a file of any format says of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from cardledger.errors import FormatError
from cardledger.formats.bridge_files.boards import GAME, Extra
from cardledger.formats.bridge_files.notation import PASS
from cardledger.pseudonyms import left
from cardledger.record.matches.replay import result
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.days import known_day, known_period
from cardledger.rules.stream import unroll

if TYPE_CHECKING:
    from cardledger.rules.stream import Stream


@dataclass(slots=True)
class WrittenBoard:
    """A board of a match: its opening, the hand of its replay result, its events, and what was kept beside them.

    `places` are the calls and cards by the numbers of their events, `remarks` the notes on them, `words` other notes
    and rulings. `rulings` are all as recorded, `ruled` is the result by
    a ruling.
    """

    opening: ev.Open
    players: list[str]
    hand: dict[str, Any]
    deal: ev.Deal
    calls: list[ev.Call] = field(default_factory=list)
    plays: list[ev.Play] = field(default_factory=list)
    places: dict[int, tuple[str, int]] = field(default_factory=dict)
    remarks: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    extras: list[Extra] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    rulings: list[ev.Adjust] = field(default_factory=list)
    ruled: ev.Weighted | None = None
    corrected: bool = False

    def tag(self, name: str) -> str | None:
        """Return the value of a tag that was kept, None if there is none."""
        return next((extra[2] for extra in self.extras if extra[:2] == ("tag", name)), None)

    @property
    def day(self) -> str | None:
        """What is known of its day: a day, a month or a year; None if nothing is.

        A file without a day was once filed under the day of its import; then the tag that was kept says the truth.
        """
        said, at = self.opening.date, self.opening.at
        day = known_day(said)
        if day is None or at is None or self.tag("Date") is None:
            return day or known_period(said)
        apart = date.fromisoformat(day) - date.fromisoformat(at[:10])
        return day if abs(apart.days) > 1 else None

    def section(self, name: str) -> str | None:
        """Return a section that was kept in place of events; corrections since go before it."""
        if self.corrected:
            return None
        return next((extra[2] for extra in self.extras if extra[:2] == ("section", name)), None)

    def at(self, place: str) -> list[Extra]:
        """Return comments, escape lines, marks and commands of a place."""
        return [
            extra for extra in self.extras if extra[1] == place and extra[0] in ("comment", "escape", "mark", "command")
        ]

    @property
    def made(self) -> int | None:
        """The tricks of the declarer: those of a ruling go before those played."""
        if self.ruled is not None:
            return self.ruled.tricks
        made: int | None = self.hand["made"]
        return made

    @property
    def contract(self) -> str | None:
        """The contract, `pass` for a board passed out, None if it is not known."""
        contract: str | None = self.hand["contract"]
        return contract

    @property
    def played(self) -> bool:
        """Tell whether the board has a contract that is played."""
        return self.contract not in (None, PASS)


def written_boards(stream: Stream) -> Iterator[WrittenBoard]:
    """Yield the boards of a match; raises FormatError `format.game` for another game than bridge."""
    opening = stream.table.opening
    if opening.game != GAME:
        raise FormatError(
            "format.game",
            f"this is a match of {opening.game}: PBN and LIN files hold bridge; export it as a match file",
        )
    match_result = result(stream.table)
    written: list[WrittenBoard] = []
    counted = unroll(stream.heads[-1])
    begins: list[int] = []
    for seq, event in counted:
        if isinstance(event, ev.Deal):
            hand = match_result["hands"][len(written)]
            written.append(
                WrittenBoard(opening, match_result["players"], hand, event, corrected=bool(stream.corrections))
            )
            begins.append(seq)
        elif written:
            _take(written, event, seq)
    for seq, event in enumerate(stream.events, 1):
        if isinstance(event, ev.Note) and written:
            place = max((place for place, first in enumerate(begins) if first < (event.about or seq)), default=0)
            board = written[place]
            if event.extras is not None:
                board.extras = [tuple(extra) for extra in event.extras]
            elif event.about is not None and event.about in board.places:
                board.remarks.setdefault(board.places[event.about], []).append(event.text)
            else:
                board.words.append(event.text)
    yield from written


def _take(written: list[WrittenBoard], event: ev.Event, seq: int) -> None:
    board = written[-1]
    if isinstance(event, ev.Call):
        board.calls.append(event)
        board.places[seq] = "Auction", len(board.calls)
    elif isinstance(event, ev.Play):
        board.plays.append(event)
        board.places[seq] = "Play", len(board.plays)
    elif isinstance(event, ev.Adjust):
        board = written[(event.hand or len(written)) - 1]
        board.rulings.append(event)
        award = event.ns
        if (
            event.kind == "assigned"
            and award == event.ew
            and isinstance(award, tuple)
            and len(award) == 1
            and award[0].contract == board.contract
        ):
            board.ruled = award[0]
        else:
            what = ", ".join(left(value) for value in (event.kind, event.law, event.reason) if value)
            board.words.append(f"ruling: {what}")
