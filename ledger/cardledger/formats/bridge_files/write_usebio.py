"""Writing results as USEBIO 1.2: the pairs, and the traveller of each board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from cardledger.formats.bridge_files.notation import PASS, SEATS, SUITS
from cardledger.formats.bridge_files.result import points_of
from cardledger.formats.bridge_files.written_board import WrittenBoard, written_boards
from cardledger.rules.engine.events import Adjust, Event, bare, encode

if TYPE_CHECKING:
    from cardledger.rules.stream import Stream

_SUIT_NAMES = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES")


def usebio_of(streams: Iterable[Stream]) -> Iterator[str]:
    """Yield the results of matches as XML, an EVENT for each event and day; raises FormatError `format.game`."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<USEBIO Version="1.2">\n'
    boards = [written for stream in streams for written in written_boards(stream)]
    for _, together in groupby(boards, lambda written: (written.opening.event, written.day, written.opening.place)):
        yield from _event([*together])
    yield "</USEBIO>\n"


def _event(boards: list[WrittenBoard]) -> Iterator[str]:
    opening = boards[0].opening
    yield f"<EVENT EVENT_TYPE={quoteattr(boards[0].tag('EVENT_TYPE') or 'MP_PAIRS')}>\n"
    yield element("EVENT_DESCRIPTION", opening.event)
    yield element("VENUE", opening.place)
    kept = boards[0].tag("Date")
    day = "/".join(reversed((boards[0].day or "").split("-")))
    yield element("DATE", day or ("" if kept == "?" else kept or ""))
    numbers = _numbers(boards)
    yield "<PARTICIPANTS>\n"
    for (line, players), number in numbers.items():
        names = "".join(f"<PLAYER>{element('PLAYER_NAME', name)}</PLAYER>" for name in players)
        yield f"<PAIR>{element('PAIR_NUMBER', number)}{element('DIRECTION', line)}{names}</PAIR>\n"
    yield "</PARTICIPANTS>\n"
    by_board: dict[int, list[WrittenBoard]] = {}
    for written in boards:
        by_board.setdefault(written.hand["board"] or 0, []).append(written)
    for board, lines in sorted(by_board.items()):
        yield f"<BOARD>{element('BOARD_NUMBER', board or '?')}\n"
        yield from (line_of(written, numbers[_pair(written, 0)], numbers[_pair(written, 1)]) for written in lines)
        yield "</BOARD>\n"
    for board, lines in sorted(by_board.items()):
        if (
            hands := next((written.deal.hands for written in lines if written.deal.hands is not None), None)
        ) is not None:
            yield hands_of(board, hands)
    yield "</EVENT>\n"


def _pair(written: WrittenBoard, side: int) -> tuple[str, tuple[str, ...]]:
    return ("NS", "EW")[side], (written.players[side], written.players[side + 2])


def _numbers(boards: list[WrittenBoard]) -> dict[tuple[str, tuple[str, ...]], str]:
    """Return the number of each pair: as it was read, or the next one free."""
    numbers: dict[tuple[str, tuple[str, ...]], str] = {}
    for written in boards:
        for side, name in enumerate(("NS_PAIR_NUMBER", "EW_PAIR_NUMBER")):
            numbers.setdefault(_pair(written, side), written.tag(name) or "")
    free = (str(number) for number in range(1, 10 * len(numbers) + 2) if str(number) not in numbers.values())
    return {pair: number or next(free) for pair, number in numbers.items()}


def hands_of(board: int, hands: Iterable[tuple[str, ...]]) -> str:
    """Return the hands of a board."""
    return f"<BOARD>{element('BOARD_NUMBER', board)}{''.join(map(_hand, SEATS, hands))}</BOARD>\n"


def line_of(written: WrittenBoard, ns: str, ew: str, more: Mapping[str, object] = MappingProxyType({})) -> str:
    """Return a line of a traveller.

    `more` are elements that follow from the evening, in place of those that were read.
    """
    hand = written.hand
    parts = [element("NS_PAIR_NUMBER", ns), element("EW_PAIR_NUMBER", ew)]
    ruling = hand["adjusted"] or {}
    if ruling.get("kind") == "artificial" and isinstance(ruling["ns"], int | float):
        parts.append(element("SCORE", f"A{int(ruling['ns']):02}{int(ruling['ew']):02}"))
    else:
        if written.contract == PASS:
            parts.append(element("CONTRACT", "PASS"))
        elif written.contract is not None:
            parts += [element("CONTRACT", written.contract), element("PLAYED_BY", SEATS[hand["declarer"]])]
            parts += [element("LEAD", written.plays[0].card)] if written.plays else []
            parts += [element("TRICKS", written.made)] if written.made is not None else []
        if (score := written.tag("Score")) is not None:
            parts.append(element("SCORE", score.removeprefix("NS ")))
        elif written.rulings and written.played and hand["made"] is not None:
            points = points_of(str(written.contract), hand["declarer"], hand["made"], hand["vulnerable"])
            parts.append(element("SCORE", points))
        elif hand["scores"] is not None:
            parts.append(element("SCORE", hand["scores"][0]))
    parts += [element(name, value) for name, value in more.items()]
    # Artificial scores have a form of their own; all other rulings are kept as events, which only this program reads.
    parts += [ruling_element(one) for one in written.rulings if one.kind != "artificial" or not _plain(one)]
    known = {"NS_PAIR_NUMBER", "EW_PAIR_NUMBER", "EVENT_TYPE", *more}
    for kind, name, *texts in written.extras:
        if kind == "tag" and name.isupper() and name not in known and name.replace("_", "").isalnum():
            parts.append(element(name, texts[0]))
    return f"<TRAVELLER_LINE>{''.join(parts)}</TRAVELLER_LINE>\n"


def ruling_element(ruling: Event) -> str:
    """Return a ruling as an element."""
    return element("RULING", encode(bare(ruling)).decode())


def _plain(ruling: Adjust) -> bool:
    """Tell whether an artificial score has no more to say than its two percentages."""
    whole = all(isinstance(award, int) and award < 100 for award in (ruling.ns, ruling.ew))
    return whole and (ruling.law, ruling.reason, ruling.about) == ("12C2", None, None)


def _hand(seat: str, cards: tuple[str, ...]) -> str:
    suits = (
        ("".join(card[0] for card in cards if card[1] == suit), name)
        for suit, name in zip(SUITS, _SUIT_NAMES, strict=True)
    )
    return f"<HAND>{element('DIRECTION', seat)}{''.join(element(name, ranks) for ranks, name in suits)}</HAND>"


def element(name: str, value: object) -> str:
    """Return an element with a text, nothing without one."""
    text = "".join(letter if letter.isprintable() else " " for letter in str(value or value == 0 and "0" or ""))
    return f"<{name}>{escape(text)}</{name}>" if text else ""
