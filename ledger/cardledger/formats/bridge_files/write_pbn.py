"""Writing PBN 2.1 in its export form: fifteen tags first, rows of four, notes below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from cardledger.formats.bridge_files.auction import auctioned
from cardledger.formats.bridge_files.notation import DOUBLE, NAMES, PASS, REDOUBLE, SEATS
from cardledger.formats.bridge_files.pbn_game import COUNTED, tag_of
from cardledger.formats.bridge_files.written_board import WrittenBoard, written_boards

if TYPE_CHECKING:
    from cardledger.rules.engine import events as ev
    from cardledger.rules.stream import Stream

HEAD: Final = "% PBN 2.1\n% EXPORT\n\n"
_WORDS = {PASS: "Pass", DOUBLE: "X", REDOUBLE: "XX"}
_FROM_OPENING = ({"Event", "Site"}, {"Event", "Site", "Date"})
"""The tags that the opening says, without a day and with one."""
_VULNERABLE = {"none": "None", "ns": "NS", "ew": "EW", "both": "All"}
_FIRST = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Scoring", "Declarer",
    "Contract", "Result",
)  # fmt: skip
_SECTIONS = frozenset({"Auction", "Play", "Cards"})


def pbn_of(stream: Stream) -> str:
    """Return the boards of a match as PBN; raises FormatError `format.game`."""
    return "".join(_game(written) for written in written_boards(stream))


def _game(written: WrittenBoard) -> str:
    lines = [*_placed(written, "")]
    values = _values(written)
    for name in _FIRST:
        lines += _tag(written, name, values[name])
    tags = {*_FIRST}
    for kind, name, value, *_ in written.extras:
        if kind == "tag" and (name not in tags or name == "Note") and name not in _SECTIONS | {"Score"} | {*NAMES}:
            tags.add(name)
            lines += _tag(written, name, value)
            if (text := written.section(name)) is not None:
                lines += _rows(written, name, text.split("\n"))
    score = written.tag("Score")
    if score is None and written.hand["scores"] is not None and (written.contract != PASS):
        score = f"NS {written.hand['scores'][0]}"
    if score is not None:
        lines += _tag(written, "Score", score)
    lines += _auction(written)
    lines += _play(written)
    for extra in written.extras:
        if extra[0] == "again":
            lines += [tag_of(extra[1], extra[2]), *(extra[3].split("\n") if extra[3] else ())]
    lines += [_comment(words) for words in written.words]
    return "\n".join(lines) + "\n\n"


def _values(written: WrittenBoard) -> dict[str, str]:
    """Return the values of the first fifteen tags; those kept go before those that follow from events."""
    opening, hand = written.opening, written.hand
    declarer = SEATS[hand["declarer"]] if hand["declarer"] is not None else "" if written.contract == PASS else "?"
    contract = {None: "?", PASS: "Pass"}.get(written.contract, written.contract) or "?"
    made = written.made if written.played else None
    if written.calls and not auctioned(written.calls[0].seat, [call.call for call in written.calls]).regular:
        declarer = contract = "?"  # written down, they would stand for these calls
    result = "" if written.contract == PASS else "?" if made is None else f"{'^' * (written.ruled is not None)}{made}"
    follows = {
        "Event": opening.event or "?", "Site": opening.place or "?", "Date": _day(written.day),
        "Board": str(hand["board"] or "?"), "Dealer": SEATS[hand["dealer"]], "Vulnerable": _VULNERABLE[hand["vulnerable"]],
        "Deal": _deal(written), "Scoring": "?", "Declarer": declarer, "Contract": contract, "Result": result,
        **{name: written.players[seat] for seat, name in enumerate(NAMES)},
    }  # fmt: skip
    kept = {
        name: value
        for name in _FIRST
        if name not in _FROM_OPENING[written.day is not None] and (value := written.tag(name)) is not None
    }
    return follows | kept


def _day(day: str | None) -> str:
    """Return a day as a tag has it, with marks for the month or the day that is not known."""
    parts = (day or "").split("-")
    return ".".join([*parts, *["??"] * (3 - len(parts))]) if day else "?"


def _deal(written: WrittenBoard) -> str:
    hands = written.deal.hands
    if hands is None:
        return "?"
    suits = (".".join("".join(card[0] for card in hand if card[1] == suit) for suit in "SHDC") for hand in hands)
    return f"N:{' '.join(suits)}"


def _tag(written: WrittenBoard, name: str, value: str) -> Iterator[str]:
    yield tag_of(name, value)
    yield from _placed(written, name)


def _comment(text: str) -> str:
    if "}" not in text:
        return f"{{{text}}}"
    return f";{text}" if "\n" not in text else f"{{{text.replace('}', ')')}}}"


def _placed(written: WrittenBoard, place: str) -> Iterator[str]:
    """Yield comments and escape lines of a place, each on a line of its own."""
    for kind, _, text, *_ in written.at(place):
        if kind == "comment":
            yield _comment(text)
        elif kind == "escape":
            yield text


def _rows(written: WrittenBoard, name: str, rows: Iterable[str]) -> Iterator[str]:
    for number, row in enumerate(rows, 1):
        yield row
        yield from _placed(written, f"{name} {number}")


class Notes:
    """The notes of a section, numbered as they come."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, text: str) -> str:
        """Return the mark of a note."""
        self.lines.append(tag_of("Note", f"{len(self.lines) + 1}:{text}"))
        return f"={len(self.lines)}="


def _as_it_stood(written: WrittenBoard, name: str) -> list[str]:
    """Return the lines of a section that was kept as text, with its tag; none if it was read."""
    section, tag = written.section(name), written.tag(name)
    if section is None or tag is None:
        return []
    lines, count = [*_tag(written, name, tag)], 0
    for row in section.split("\n"):
        lines.append(row)
        words = 0 if row.startswith("[Note ") else len(COUNTED.findall(row))
        for number in range(count + 1, count + words + 1):
            lines += _placed(written, f"{name} {number}")
        count += words
    return lines


def _auction(written: WrittenBoard) -> Iterator[str]:
    if as_it_stood := _as_it_stood(written, "Auction"):
        yield from as_it_stood
        return
    if not written.calls:
        return
    notes = Notes()
    yield from _tag(written, "Auction", SEATS[written.calls[0].seat])
    yield from _in_rows(
        written, "Auction", [_call(written, number, call, notes) for number, call in enumerate(written.calls, 1)]
    )
    yield from notes.lines


def _call(written: WrittenBoard, number: int, call: ev.Call, notes: Notes) -> str:
    remarks = written.remarks.get(("Auction", number), [])
    before = [text for text in remarks if _is_irregular(text)]
    words = [f"{''.join(before)}{_WORDS.get(call.call, call.call)}"]
    if call.alert is not None:
        words.append(notes.add(call.alert))
    if call.explain is not None:
        words.append(notes.add(call.explain))
    words += [notes.add(text) for text in remarks if not _is_irregular(text)]
    return " ".join([*words, *_marks(written, f"Auction {number}")])


def _is_irregular(text: str) -> bool:
    return len(text) == 2 and text[0] == "^"


def _marks(written: WrittenBoard, place: str) -> list[str]:
    return [extra[2] for extra in written.at(place) if extra[0] == "mark"]


def _in_rows(written: WrittenBoard, section: str, words: list[str]) -> Iterator[str]:
    """Yield words four on a line; behind one with a comment or an escape line a new line begins."""
    row: list[str] = []
    for number, word in enumerate(words, 1):
        row.append(word)
        behind = [*_placed(written, f"{section} {number}")]
        if behind or number % 4 == 0:
            yield " ".join(row)
            row = []
            yield from behind
    if row:
        yield " ".join(row)


def _play(written: WrittenBoard) -> Iterator[str]:
    if as_it_stood := _as_it_stood(written, "Play"):
        yield from as_it_stood
        return
    if not written.plays:
        return
    notes = Notes()
    first = written.plays[0].seat
    words: list[str] = []
    for start in range(0, len(written.plays), 4):
        row = ["-"] * 4
        for number, play in enumerate(written.plays[start : start + 4], start + 1):
            column = (play.seat - first) % 4
            remarks = written.remarks.get(("Play", number), [])
            text = "".join(text for text in remarks if _is_irregular(text)) + play.card[::-1]
            marks = _marks(written, f"Play {start + column + 1}")
            row[column] = " ".join([text, *(notes.add(text) for text in remarks if not _is_irregular(text)), *marks])
        words += row
    yield from _tag(written, "Play", SEATS[first])
    if len(written.plays) < 52:
        words.append("*")
    yield from _in_rows(written, "Play", words)
    yield from notes.lines
