"""Reading USEBIO 1.2, the results of an evening as XML: each line of a traveller is a match of one board."""

from __future__ import annotations

import pyexpat as expat  # what xml.parsers.expat names; a browser has it too
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import BinaryIO, Final, NamedTuple, TypeVar

import msgspec

from cardledger.formats.bridge_files.boards import Board, Broken, Notice, Room
from cardledger.formats.bridge_files.notation import CARDS, FACES, NUMBERS, PACK, SUITS, contract_of, seat_of
from cardledger.formats.markup import blocks
from cardledger.rules.engine.events import Adjust
from cardledger.rules.evenings.evening_events import EveningAdjust

Of = TypeVar("Of")
MOST_BYTES: Final = 10_000_000
MOST_ELEMENTS: Final = 500_000
DEEPEST: Final = 50
"""Limits of a file: a session of forty tables has some 20,000 elements in a megabyte, eight deep."""
_KINDS = ("MP_PAIRS", "BUTLER_PAIRS", "CROSS_IMP", "IND", "TEAMS", "SWISS")
_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
PAIR = re.compile(r"\s*(?:(N/?S|E/?W|N|E)\s*)?(\d+)\s*(?:(N/?S|E/?W|N|E)\s*)?", re.IGNORECASE | re.ASCII)
ARTIFICIAL = re.compile(r"A(\d\d)(\d\d)", re.IGNORECASE | re.ASCII)
_SUIT_NAMES = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")
_FACTS = frozenset({"CONTRACT", "PLAYED_BY", "LEAD", "TRICKS", "SCORE", "BOARD_NUMBER"})


@dataclass(slots=True)
class Element:
    """An element of the file with its line."""

    name: str
    line: int
    attributes: dict[str, str]
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, name: str) -> Iterator[Element]:
        """Yield the elements of a name, however deep, but none within another of them."""
        waiting = [*reversed(self.children)]
        while waiting:
            each = waiting.pop()
            if each.name == name:
                yield each
            else:
                waiting += reversed(each.children)

    def say(self, name: str) -> str:
        """Return the text of the first child of a name, empty if there is none."""
        return next((each.text.strip() for each in self.children if each.name == name), "")


class WrongFileError(Exception):
    """The file is not what it should be: a code, the line at fault, and what to do."""

    def __init__(self, code: str, line: int, text: str) -> None:
        super().__init__(text)
        self.notice = Notice(code, line, text)


class UsebioReader:
    """Reads the results of one file; nothing that it names is fetched."""

    def __init__(self) -> None:
        self._games = 0

    def read(self, file: BinaryIO) -> Iterator[Board | Broken]:
        """Yield the boards of a file, and lines that cannot be taken, in their order."""
        room = Room(file)
        try:
            root = parsed(file)
        except WrongFileError as error:
            yield Broken(error.notice.line, 1, error.notice)
            return
        events = [*root.all("EVENT")]
        for event in events:
            for board in self._event(root, event):
                if isinstance(board, Board) and (no_room := room.take(board.size, board.line, board.game)):
                    yield no_room
                    return
                yield board
        if not events:
            text = "there is no EVENT in this file: is it USEBIO?"
            yield Broken(root.line, 1, Notice("usebio.xml", root.line, text))

    def _event(self, root: Element, event: Element) -> Iterator[Board | Broken]:
        pairs = _pairs(event)
        hands = {
            board.say("BOARD_NUMBER"): _hands(board) for board in event.all("BOARD") if next(board.all("HAND"), None)
        }
        written_day = event.say("DATE")
        opening = {"event": event.say("EVENT_DESCRIPTION"), "place": event.say("VENUE") or club_of(root)}
        if day := day_of(written_day):
            opening["date"] = day
        kind = event.attributes.get("EVENT_TYPE", "")
        noticed = kind.startswith(_KINDS) or not kind
        for board in event.all("BOARD"):
            number = board.say("BOARD_NUMBER")
            for line in board.children:
                if line.name != "TRAVELLER_LINE":
                    continue
                self._games += 1
                made = Board(line.line, self._games, format="USEBIO")
                made.opening = {key: text for key, text in opening.items() if text}
                made.extras = [("tag", "EVENT_TYPE", kind)] if kind else []
                if not day:
                    made.extras.append(("tag", "Date", written_day or "?"))
                if not noticed:
                    noticed = True
                    text = f"{kind!r} is a kind of event that is not known here: it is kept"
                    made.notices.append(Notice("usebio.kind", event.line, text))
                _line(made, number, line, pairs, hands)
                yield made


def club_of(root: Element) -> str:
    """Return the name of the club, empty without one."""
    return next((club.say("CLUB_NAME") for club in root.all("CLUB")), "")


def day_of(text: str) -> str:
    """Return a day such as 14/03/2026 in ISO form, empty if it is none."""
    match = _DAY.fullmatch(text)
    if match is None:
        return ""
    try:
        return date(int(match[3]), int(match[2]), int(match[1])).isoformat()
    except ValueError:
        return ""


class Label(NamedTuple):
    """What a file calls a pair: its number, and its line, "ns" or "ew", empty for either."""

    number: int
    line: str


def label_of(written: str, direction: str = "") -> Label | None:
    """Return the label of a pair written as `1`, `1NS`, `E/W 2`; letters say more than the direction beside it."""
    match = PAIR.fullmatch(written)
    if match is None:
        return None
    letter = (match[1] or match[3] or direction)[:1].upper()
    return Label(int(match[2][:6]), {"N": "ns", "E": "ew"}.get(letter, ""))


def labelled(event: Element) -> list[tuple[Label, Element]]:
    """Return the pairs of an event with their labels; of two with one number and no line the second sits east-west."""
    found: list[tuple[Label, Element]] = []
    seen: set[Label] = set()
    for pair in event.all("PAIR"):
        label = label_of(pair.say("PAIR_NUMBER"), pair.say("DIRECTION"))
        if label is not None:
            found.append((label._replace(line="ew") if label in seen and not label.line else label, pair))
            seen.add(label)
    again = {label.number for label, _ in found if label.line == "ew"}
    return [
        (label._replace(line="ns") if not label.line and label.number in again else label, pair)
        for label, pair in found
    ]


def by_line(labels: Iterable[tuple[Label, Of]]) -> dict[Label, Of]:
    """Return what belongs to each number in each line; a pair that has its number alone may sit in both."""
    found: dict[Label, Of] = {}
    rest: dict[Label, Of] = {}
    for label, one in labels:
        for line in ("ns", "ew"):
            where = found if label.line in ("", line) else rest
            where.setdefault(label._replace(line=line), one)
    return {**rest, **found}


def _pairs(event: Element) -> dict[Label, list[str]]:
    """Return the names of pairs by number and line."""
    return by_line(
        (label, [player.say("PLAYER_NAME") for player in pair.all("PLAYER")][:2]) for label, pair in labelled(event)
    )


def at_the_table(written: str, side: str) -> Label | None:
    """Return the label of a pair that sits at a side of a table.

    Letters that name another line count (an arrow switch).
    """
    label = label_of(written)
    return None if label is None else label if label.line else label._replace(line=side.lower())


def _line(
    board: Board, number: str, line: Element, pairs: dict[Label, list[str]], hands: dict[str, list[int] | None]
) -> None:
    """Take a line of a traveller."""
    if number.isascii() and number.isdecimal() and 0 < len(number) < 7 and int(number):
        board.number = int(number)
    for side, seats in (("NS", (0, 2)), ("EW", (1, 3))):
        label = at_the_table(line.say(f"{side}_PAIR_NUMBER"), side)
        names = pairs.get(label, []) if label else []
        for seat, name in zip(seats, names, strict=False):
            board.names[seat] = name
    if number in hands:
        _take_hands(board, hands[number])
    contract, score, tricks = line.say("CONTRACT"), line.say("SCORE"), line.say("TRICKS")
    board.declarer = seat_of(line.say("PLAYED_BY"))
    if contract:
        board.contract = contract_of(contract)
        if board.contract is None:
            board.extras.append(("tag", "Contract", contract))
            board.tell("usebio.line", f"{contract!r} is no contract: it is kept as written")
    lead = CARDS.get(line.say("LEAD")[-1:] + line.say("LEAD")[:-1])
    if lead is not None and board.contract and board.declarer is not None:
        board.cards = [lead]
    elif line.say("LEAD"):
        board.extras.append(("tag", "LEAD", line.say("LEAD")))
    if tricks.isascii() and tricks.isdecimal() and len(tricks) < 4 and int(tricks) <= 13:
        board.tricks = int(tricks)
    elif tricks:
        board.extras.append(("tag", "TRICKS", tricks))
    if match := ARTIFICIAL.fullmatch(score):
        board.artificial = int(match[1]), int(match[2])
    elif re.fullmatch(r"[+-]?\d{1,5}", score, re.ASCII):
        board.points, board.points_for = int(score), "NS"
    elif score:
        board.extras.append(("tag", "Score", score))
    if not contract and not score:
        board.tell("usebio.line", "the line has neither a contract nor a score")
    for each in line.children:
        ruling = ruling_of(each.text) if each.name == "RULING" else None
        if isinstance(ruling, Adjust):
            board.rulings.append(ruling)
        elif ruling is None and each.name not in _FACTS and each.text.strip():
            board.extras.append(("tag", each.name, each.text.strip()))


def ruling_of(text: str) -> Adjust | EveningAdjust | None:
    """Return a ruling that this program wrote into a file: that of a match or of an evening; None if it is none."""
    try:
        return msgspec.json.decode(text.strip(), type=Adjust)
    except msgspec.DecodeError:
        pass
    try:
        return msgspec.json.decode(text.strip(), type=EveningAdjust)
    except msgspec.DecodeError:
        return None


def _hands(element: Element) -> list[int] | None:
    """Return the hands of a board, None if they are not the pack."""
    held = [0, 0, 0, 0]
    for hand in element.all("HAND"):
        seat = seat_of(hand.say("DIRECTION")[:1])
        if seat is None:
            continue
        for suit, name in zip(SUITS, _SUIT_NAMES, strict=True):
            for rank in hand.say(name).upper().replace("10", "T"):
                if (card := NUMBERS.get(rank + suit)) is not None:
                    held[seat] |= 1 << card
    is_pack = [cards.bit_count() for cards in held] == [13] * 4 and held[0] | held[1] | held[2] | held[3] == PACK
    return held if is_pack else None


def _take_hands(board: Board, held: list[int] | None) -> None:
    if held is not None:
        board.held = held
        board.hands = [[FACES[card] for card in range(51, -1, -1) if cards >> card & 1] for cards in held]
    else:
        board.tell("usebio.line", "the hands of this board are not the pack: they are taken as unknown")


def parsed(file: BinaryIO) -> Element:
    """Return the root of a file as it stands: entities are refused, and nothing is fetched."""
    parser = expat.ParserCreate()
    root = Element("", 1, {})
    stack = [root]
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MOST_ELEMENTS or len(stack) > DEEPEST:
            text = f"a file has at most {MOST_ELEMENTS:,} elements, {DEEPEST} deep: is this USEBIO?"
            raise WrongFileError("format.size", parser.CurrentLineNumber, text)
        element = Element(name.upper(), parser.CurrentLineNumber, attributes)
        stack[-1].children.append(element)
        stack.append(element)

    def text(data: str) -> None:
        if len(stack[-1].text) < 10_000:
            stack[-1].text += data

    def refuse(*_: object) -> int:
        said = "the file declares or uses an entity, which is never followed: write the text itself"
        raise WrongFileError("usebio.entity", parser.CurrentLineNumber, said)

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: stack.pop()
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = parser.UnparsedEntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = parser.SkippedEntityHandler = refuse
    size = 0
    try:
        for block in blocks(file):
            size += len(block)
            if size > MOST_BYTES:
                raise WrongFileError(
                    "format.size", parser.CurrentLineNumber, f"a file has at most {MOST_BYTES:,} bytes"
                )
            parser.Parse(block)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        why = f"the file is not well-formed XML ({expat.ErrorString(error.code)}): export it again from your program"
        raise WrongFileError("usebio.xml", error.lineno, why) from None
    except (LookupError, ValueError):
        raise WrongFileError("usebio.xml", 1, "the encoding of the file is not known: save it as UTF-8") from None
    return root
