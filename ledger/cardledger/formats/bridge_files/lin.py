"""Reading LIN, the format of Bridge Base Online: boards one below the other, and matches with two rooms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO, Final

from cardledger.count_of import count_of
from cardledger.formats.bridge_files.boards import Board, Broken, Extra, Notice, Room, Said
from cardledger.formats.bridge_files.lin_commands import commands_of
from cardledger.formats.bridge_files.lin_header import LinHeader, header_of
from cardledger.formats.bridge_files.notation import (
    CALLS,
    CARDS,
    DOUBLE,
    FACES,
    NAMES,
    PACK,
    PASS,
    RANKS,
    REDOUBLE,
    SUITS,
    VULNERABILITIES,
)

MAX_COMMANDS: Final = 20_000
"""The greatest number of commands of a board, and of entries in a header."""
SEAT_ORDER: Final = (2, 3, 0, 1)
"""The seats as LIN counts them: South, West, North, East."""
WORDS: Final = {PASS: "p", DOUBLE: "d", REDOUBLE: "r"}
"""The words of LIN for calls that are no bids."""
_DROPPED = frozenset(
    {"pg", "pf", "zz", "up", "hs", "ha", "3b", "4b", "lb", "lc", "lf", "ls", "lg", "ph", "sk", "hf", "tu"}
)
"""Marks of pages: each export writes its own."""
_REMARKS = frozenset({"nt", "at", "cq"})
_CALL = re.compile(r"\s*([1-7](?:NT|[NSHDC])|PASS|RDBL|DBL|XX|X|[PDR])(!*)", re.IGNORECASE | re.ASCII)
_CARD = re.compile(r"\s*([SHDC](?:10|[2-9TJQKA]))", re.IGNORECASE | re.ASCII)
_BOARD = re.compile(r"(\d{1,6})\D*$", re.ASCII)
_ROOM = re.compile(r"\s*([oc])(\d{1,6})", re.IGNORECASE | re.ASCII)


class LinReader:
    """Reads the boards of one file, command by command."""

    def __init__(self) -> None:
        self._header = LinHeader()
        self._games = 0
        self._begin(1)

    def _begin(self, line: int) -> None:
        self._board = Board(line, self._games + 1, format="LIN")
        self._room = ""
        self._dealt = False
        self._dropped = False
        self._begun = False
        self._wrong: Notice | None = None
        self._names: list[str] = []
        self._said: list[Said] = []
        self._cards: list[int] = []
        self._unread: dict[str, list[str]] = {}
        self._commands = 0

    def read(self, file: BinaryIO) -> Iterator[Board | Broken]:
        """Yield the boards of a file that can be read twice, and those that cannot be taken, in their order."""
        room = Room(file)
        for line, name, value in commands_of(file):
            if name == "":
                self._wrong = self._wrong or Notice("format.size", line, value)
                self._begun = True
                continue
            if self._ends(name):
                for board in self._finished():
                    if isinstance(board, Board) and (no_room := room.take(board.size, line, board.game)):
                        yield no_room
                        return
                    yield board
                self._begin(line)
            if name == "vg":
                yield from self._without_board()
            self._take(line, name, value)
        yield from self._finished()
        yield from self._without_board()

    def _ends(self, name: str) -> bool:
        """Tell whether a command begins the next board."""
        if name in ("qx", "md", "vg"):
            return self._dealt or name != "md" and self._begun
        return (
            name in ("pn", "st") and self._dealt and bool(self._said or self._cards or self._board.tricks is not None)
        )

    # --- commands

    def _take(self, line: int, name: str, value: str) -> None:
        board = self._board
        self._commands += 1
        if self._commands > MAX_COMMANDS:
            text = f"a board has at most {MAX_COMMANDS:,} commands: is this a LIN file?"
            self._wrong = self._wrong or Notice("format.size", line, text)
            return
        if name in ("qx", "md", "mb", "pc", "mc", "sv", "ah"):
            if not self._begun:
                board.line = line
            self._begun = True
        match name:
            case "vg":
                self._header = header_of(value)
            case "rs":
                self._header.results, self._header.line = value.split(",")[:MAX_COMMANDS], line
            case "pn":
                names = [each.strip() for each in value.split(",")][:8]
                if self._begun:
                    self._names = names
                else:
                    self._header.names = names
            case "qx":
                match = _ROOM.match(value)
                number = match[2] if match else _number_in(value)
                self._room = match[1].lower() if match else ""
                self._number(line, number, value)
            case "ah":
                if board.number is None and (number := _number_in(value)):
                    self._number(line, number, value)
                elif value.strip() and not _number_in(value):
                    board.extras.append(("command", "", "ah", value))
            case "md":
                self._dealt = True
                _deal(board, line, value)
            case "sv":
                board.vulnerable = VULNERABILITIES.get(value.strip().lower())
            case "mb":
                self._call(line, value)
            case "an":
                self._explained(value)
            case "pc":
                self._card(line, value)
            case "mc":
                self._claimed(line, value)
            case "st" | "rh" if not value.strip():
                pass
            case _ if name in _DROPPED:
                pass
            case _:
                if not (name.isascii() and name.isalnum() and len(name) == 2):
                    board.notices.append(Notice("lin.command", line, f"{name[:20]!r} is no command: it is kept"))
                keep = board.extras if self._begun else self._header.extras
                if len(keep) < MAX_COMMANDS:
                    keep.append(("command", self._place(), name, value.strip("\n")))

    def _place(self) -> str:
        if self._cards:
            return f"Play {len(self._cards)}"
        return f"Auction {len(self._said)}" if self._said else ""

    def _number(self, line: int, number: str, value: str) -> None:
        if number and int(number) > 0:
            self._board.number = int(number)
        else:
            self._board.extras.append(("command", "", "qx", value))

    def _call(self, line: int, value: str) -> None:
        at = 0
        value = value.rstrip()
        while at < len(value):
            match = _CALL.match(value, at)
            if match is None or len(self._said) >= MAX_COMMANDS:
                self._board.whole = False
                self._unread.setdefault("Auction", []).append(value[at:])
                self._board.notices.append(Notice("lin.call", line, f"{value[at : at + 20]!r} is no call: it is kept"))
                return
            word = match[1].upper()
            if self._board.whole:
                self._said.append(Said(CALLS[word], alert="" if match[2] else None))
            else:
                self._unread["Auction"].append(match[0])
            at = match.end()

    def _explained(self, value: str) -> None:
        """Take the words to the call before: of an alert, or an explanation."""
        if not self._said:
            self._board.extras.append(("command", "", "an", value))
        elif self._said[-1].alert == "":
            self._said[-1].alert = value.strip()
        elif self._said[-1].explain is None:
            self._said[-1].explain = value.strip() or None
        else:
            self._board.extras.append(("command", self._place(), "an", value))

    def _card(self, line: int, value: str) -> None:
        at = 0
        value = value.rstrip()
        while at < len(value):
            match = _CARD.match(value, at)
            if match is None or len(self._cards) >= 52:
                self._board.cut = True
                self._unread.setdefault("Play", []).append(value[at:])
                self._board.notices.append(Notice("lin.card", line, f"{value[at : at + 20]!r} is no card: it is kept"))
                return
            if not self._board.cut:
                self._cards.append(CARDS[match[1].upper().replace("10", "T")])
            else:
                self._unread["Play"].append(match[1])
            at = match.end()

    def _claimed(self, line: int, value: str) -> None:
        text = value.strip()
        if text.isascii() and text.isdecimal() and len(text) < 3 and int(text) <= 13:
            self._board.tricks = int(text)
        elif text:
            self._board.extras.append(("command", self._place(), "mc", value))
            self._board.notices.append(Notice("lin.result", line, f"{text[:20]!r} is no number of tricks: it is kept"))

    # --- boards

    def _finished(self) -> Iterator[Board | Broken]:
        board = self._board
        if not self._begun:
            return
        self._games += 1
        header, closed = self._header, self._room == "c"
        if (place := header.place_of(board.number, closed)) is not None:
            header.played.add(place)
        stated = header.result_of(board.number, closed)
        if self._wrong is not None:
            yield Broken(board.line, board.game, self._wrong)
            return
        if not self._dealt and not self._said and not self._cards and not stated:
            text = "the board has neither deal nor auction nor cards: it is left out"
            yield Broken(board.line, board.game, Notice("lin.empty", board.line, text), skipped=True)
            return
        names = self._names or header.names
        names = [*(names[4:8] if closed and len(names) > 4 else names[:4]), "", "", "", ""][:4]
        for place, seat in enumerate(SEAT_ORDER):
            board.names[seat] = names[place]
        if header.title:
            board.opening["event"] = header.title
        if self._room:
            board.extras.insert(0, ("tag", "Room", "Open" if self._room == "o" else "Closed"))
        board.extras[:0] = [*header.extras, ("tag", "Date", "?")]
        board.calls = self._said or None
        board.cards = self._cards or None
        board.kept = partial(_kept, self._said, self._cards, self._unread)
        self._compare(stated)
        yield board

    def _without_board(self) -> Iterator[Broken]:
        """Yield a notice of results in the header whose boards did not come."""
        if (missing := self._header.without_board(self._games)) is not None:
            yield missing

    def _compare(self, stated: re.Match[str] | str | None) -> None:
        """Take the result of the header where the board itself has none; otherwise compare."""
        board = self._board
        if stated is None:
            return
        if isinstance(stated, str):
            if board.calls is None:
                board.contract = PASS
            return
        level, strain, declarer, doubled, over = stated.groups()
        contract = f"{level}{strain[0].upper()}{'T' if strain[0] in 'Nn' else ''}{'X' * len(doubled)}"
        tricks = int(level) + 6 + (0 if over == "=" else int(over))
        if board.calls is None:
            board.contract, board.declarer = contract, "NESW".index(declarer.upper())
        if not 0 <= tricks <= 13:
            return
        if board.tricks is None and len(self._cards) < 52:
            board.tricks = tricks
        elif board.tricks is not None and board.tricks != tricks:
            text = f"the header says {stated[0]}, the board {count_of(board.tricks, 'trick')}: those of the board count"
            board.notices.append(Notice("lin.result", board.line, text))


def _kept(said: list[Said], cards: list[int], unread: dict[str, list[str]], section: str) -> list[Extra]:
    """Return calls or cards, also those that could not be read, as extras."""
    if section == "Auction":
        read = [f"{WORDS.get(each.call, each.call)}{'!' * (each.alert is not None)}" for each in said]
    else:
        read = [FACES[card][::-1] for card in cards]
    name = "Auction" if section == "Auction" else "Cards"
    return [("section", name, " ".join([*read, *unread.get(section, ())]))]


def _number_in(text: str) -> str:
    match = _BOARD.search(text)
    return match[1] if match else ""


def _deal(board: Board, line: int, value: str) -> None:
    """Take dealer and hands; one hand may be missing, it is what is left."""
    value = value.strip()
    if value[:1] in ("1", "2", "3", "4"):
        board.dealer = SEAT_ORDER[int(value[0]) - 1]
    written = value[1:] if value[:1].isdecimal() else value
    if not written.strip(", "):
        return
    held = [0, 0, 0, 0]
    wrong = ""
    for place, hand in enumerate([*written.split(","), "", "", "", ""][:4]):
        suit = -1
        for letter in hand.upper().replace("10", "T"):
            if letter in SUITS:
                suit = SUITS.index(letter)
            elif letter in RANKS and suit >= 0 and not held[SEAT_ORDER[place]] >> (13 * suit + RANKS.index(letter)) & 1:
                held[SEAT_ORDER[place]] |= 1 << (13 * suit + RANKS.index(letter))
            elif not letter.isspace():
                wrong = f"{letter!r} in the hand of {NAMES[SEAT_ORDER[place]]} is no card of its own"
    if held.count(0) == 1 and not wrong:
        missing = held.index(0)
        held[missing] = PACK & ~(held[missing - 1] | held[missing - 2] | held[missing - 3])
    sizes = [cards.bit_count() for cards in held]
    if not wrong and (sizes != [13] * 4 or held[0] | held[1] | held[2] | held[3] != PACK):
        wrong = "the hands are not four times thirteen cards of one pack"
    if wrong:
        board.extras.append(("command", "", "md", written))
        if 0 not in held:
            board.notices.append(Notice("lin.deal", line, f"{wrong}: the hands are taken as unknown"))
        return
    board.held = held
    board.hands = [[FACES[card] for card in _sorted(cards)] for cards in held]


def _sorted(cards: int) -> list[int]:
    """Return cards as people hold them: spades first, high cards first."""
    return [card for card in range(51, -1, -1) if cards >> card & 1]
