"""Writing LIN: a board on a line, and boards of two rooms below the header of their match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from cardledger.formats.bridge_files.lin import SEAT_ORDER, WORDS
from cardledger.formats.bridge_files.notation import PASS, SEATS, SUITS
from cardledger.formats.bridge_files.written_board import WrittenBoard, written_boards

if TYPE_CHECKING:
    from cardledger.rules.stream import Stream

_VULNERABLE = {"none": "o", "ns": "n", "ew": "e", "both": "b"}


def lin_of(streams: Iterable[Stream]) -> Iterator[str]:
    """Yield the boards of matches as LIN; raises FormatError `format.game`."""
    boards = (written for stream in streams for written in written_boards(stream))
    for header, together in groupby(boards, _header):
        if header is None:
            for written in together:
                yield _board(written, _pn(written))
            continue
        group = [*together]
        yield f"vg|{header}|\nrs|{','.join(_results(header, group))}|\npg||\n"
        for written in group:
            room = "c" if written.tag("Room") == "Closed" else "o"
            yield f"qx|{room}{written.hand['board'] or ''}|{_board(written, _pn(written), in_match=True)}"


def _header(written: WrittenBoard) -> str | None:
    """Return the header of the match that a board is of; one with a contract but no auction needs one to say it."""
    header = _command(written, "vg")
    if header is not None:
        return header
    if written.played and not written.calls and written.hand["board"]:
        board = written.hand["board"]
        return f"{_text(written.opening.event or '').replace(',', ' ')},,,{board},{board},,,,"
    return None


def _command(written: WrittenBoard, name: str) -> str | None:
    return next((extra[3] for extra in written.extras if extra[0] == "command" and extra[2] == name), None)


def _text(text: str) -> str:
    """Return text that can stand between bars."""
    return " ".join(text.replace("|", "/").split())


def _pn(written: WrittenBoard) -> str:
    return f"pn|{','.join(_text(written.players[seat]).replace(',', ' ') for seat in SEAT_ORDER)}|"


def _results(header: str, group: list[WrittenBoard]) -> list[str]:
    """Return the results of a match in the order of its header: board by board, the open room first."""
    fields = header.split(",")
    first = int(fields[3]) if len(fields) > 3 and fields[3].strip().isdecimal() else 1
    results: dict[int, str] = {}
    for written in group:
        number = written.hand["board"]
        if number is not None and number >= first:
            results[2 * (number - first) + (written.tag("Room") == "Closed")] = _result(written)
    last = max(results, default=-1)
    return [results.get(place, "") for place in range(last + 1 + (last + 1) % 2)] if last < 2_000 else []


def _result(written: WrittenBoard) -> str:
    contract, made = written.contract, written.made
    if contract == PASS:
        return "PASS"
    if contract is None or made is None:
        return ""
    bid, doubled = contract.rstrip("X"), contract.count("X")
    over = made - int(bid[0]) - 6
    return f"{bid[:2]}{SEATS[written.hand['declarer']]}{'x' * doubled}{f'{over:+d}' if over else '='}"


def _board(written: WrittenBoard, names: str, in_match: bool = False) -> str:
    hand = written.hand
    parts = [names, "st||", f"md|{1 + SEAT_ORDER.index(hand['dealer'])}{_hands(written)}|"]
    parts.append(f"sv|{_VULNERABLE[hand['vulnerable']]}|rh||")
    if hand["board"] and not in_match:
        parts.append(f"ah|Board {hand['board']}|")
    parts += _placed(written, "")
    auction = written.section("Auction")
    for number, call in enumerate(written.calls, 1):
        parts.append(f"mb|{WORDS.get(call.call, call.call.replace('NT', 'N'))}{'!' * (call.alert is not None)}|")
        parts += [f"an|{_text(words)}|" for words in (call.alert, call.explain) if words]
        parts += [f"nt|{_text(words)}|" for words in written.remarks.get(("Auction", number), ())]
        parts += _placed(written, f"Auction {number}")
    if auction is not None:
        parts += [f"mb|{_text(word)}|" for word in auction.split(" ")[len(written.calls) :]]
    parts.append("pg||")
    for number, play in enumerate(written.plays, 1):
        parts.append(f"pc|{play.card[::-1]}|")
        parts += [f"nt|{_text(words)}|" for words in written.remarks.get(("Play", number), ())]
        parts += _placed(written, f"Play {number}")
        if number % 4 == 0:
            parts.append("pg||")
    cards = written.section("Cards")
    if cards is not None:
        parts += [f"pc|{_text(card)}|" for card in cards.split(" ")[len(written.plays) :]]
    if written.made is not None and written.played and (len(written.plays) < 52 or written.ruled is not None):
        parts.append(f"mc|{written.made}|")
    parts += [f"nt|{_text(words)}|" for words in written.words]
    return "".join([*parts, "pg||\n"])


def _hands(written: WrittenBoard) -> str:
    hands = written.deal.hands
    if hands is None:
        deal = _command(written, "md")
        return (deal[1:] if deal[:1].isdecimal() else deal) if deal is not None else ""
    texts = []
    for seat in SEAT_ORDER:
        suits = ("".join(card[0] for card in hands[seat] if card[1] == suit) for suit in reversed(SUITS))
        texts.append("".join(suit + ranks for suit, ranks in zip(reversed(SUITS), suits, strict=True) if ranks))
    return ",".join(texts)


def _placed(written: WrittenBoard, place: str) -> Iterator[str]:
    """Yield commands of a place, and comments of other formats as notes."""
    for extra in written.at(place):
        if extra[0] == "command" and extra[2] not in ("vg", "md"):
            yield f"{extra[2]}|{_text(extra[3])}|"
        elif extra[0] == "comment":
            yield f"nt|{_text(extra[2])}|"
