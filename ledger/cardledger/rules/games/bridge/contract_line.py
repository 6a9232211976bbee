"""A contract and its result on one line: `4S N 10`, `3NTx west -1`, `2h e =`, `pass`.

Every reading of a line is found. What can be read in two ways is asked about, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from cardledger.errors import FormatError
from cardledger.rules import HandOnLine, LineRules, LineWords, Sentence, plain_line
from cardledger.rules.games.bridge.auction import CALLS, PASS, SEATS, BridgeHand
from cardledger.rules.games.bridge.scoring import Contract

HELP: Final = Sentence(
    "write the contract, who plays it, and the result: 4S N 10, or 3NTx W -1, or 2H E =; for a board passed out: pass"
)
_BOOK: Final = 6
"""Tricks that a contract does not count."""
_TRICKS: Final = 13
_RESULT: Final = re.compile(r"( ?)(\S.*?)( ?)(=|[+-] ?\d{1,2}|(?<![\d+-])(?<![+-] )\d{1,2})", re.ASCII)
_PASSED: Final = frozenset({
    "p", "pass", "passed", "passed out", "pass out", "all pass", "all passed", "passe", "passen", "alle passen", "gepasst",
    "durchgepasst", "rundgepasst", "passee", "passer", "passe partout", "passe general",
})  # fmt: skip
_DOUBLES: Final = {"": 0, "x": 1, "*": 1, "xx": 2, "**": 2}
STRAIN_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "c": ("C",), "club": ("C",), "clubs": ("C",), "♣": ("C",), "♧": ("C",),
    "d": ("D",), "diamond": ("D",), "diamonds": ("D",), "♦": ("D",), "♢": ("D",),
    "h": ("H",), "heart": ("H",), "hearts": ("H",), "♥": ("H",), "♡": ("H",),
    "s": ("S",), "spade": ("S",), "spades": ("S",), "♠": ("S",), "♤": ("S",),
    "n": ("NT",), "nt": ("NT",), "notrump": ("NT",), "no trump": ("NT",), "no trumps": ("NT",),
}  # fmt: skip
STRAIN_WORDS_IN: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "de": {
        "t": ("C",), "treff": ("C",), "kreuz": ("C",), "k": ("D",), "karo": ("D",), "herz": ("H",), "coeur": ("H",),
        "p": ("S",), "pik": ("S",), "sa": ("NT",), "ohne": ("NT",), "sans": ("NT",), "c": ("C", "H"),
    },
    "fr": {
        "t": ("C",), "trefle": ("C",), "trefles": ("C",), "k": ("D",), "carreau": ("D",), "carreaux": ("D",),
        "coeur": ("H",), "coeurs": ("H",), "p": ("S",), "pique": ("S",), "piques": ("S",),
        "sa": ("NT",), "sans atout": ("NT",), "c": ("C", "H"),
    },
}  # fmt: skip
"""In other languages C is also the letter of hearts. Words stand as `plain_line` writes them."""
_LONGEST_SHORT: Final = 2
"""The most letters of a suit that is not written out; only those may be followed by another letter."""
_SEATS_IN: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "de": (("nord",), ("ost", "o"), ("sud", "sued"), ("west",)),
    "fr": (("nord",), ("est",), ("sud",), ("ouest", "o")),
}


class ContractMade(NamedTuple):
    """A contract with its declarer, a seat, and the tricks that the declarer took."""

    contract: str
    declarer: int
    tricks: int


class _Parts(NamedTuple):
    """A way to take a line apart.

    `glued` tells that nothing stands between the contract and who plays it, `dash` that a minus may be a dash: no blank
    stands before it, or one after it.
    """

    contract: str
    level: int
    who: str
    result: str
    glued: bool
    dash: bool


def outcome_of(text: str, words: LineWords) -> ContractMade | None:
    """Return what a line says, None for a board passed out.

    >>> outcome_of("4S N 10", LineWords()), outcome_of("3ntx w-1", LineWords()), outcome_of("Pass", LineWords())
    (ContractMade(contract='4S', declarer=0, tricks=10), ContractMade(contract='3NTX', declarer=3, tricks=8), None)

    Raises FormatError `format.value`.
    """
    said = plain_line(text)
    if said in _PASSED:
        return None
    parts = [*_parts(said, {**STRAIN_WORDS, **STRAIN_WORDS_IN.get(words.language, {})})]
    found = {
        ContractMade(each.contract, seat, _tricks(each)): each
        for each in parts
        for seat in _seats(each.who, words, each.glued)
    }
    if not parts:
        raise FormatError("format.value", HELP)
    if not found:
        raise _refused(Sentence("“{who}” is nobody here: write N, E, S or W, or a name", who=parts[-1].who))
    one, *others = found
    if others:
        first, second = (f"{each.contract} {_name(each.declarer, words)}" for each in (one, others[0]))
        raise _refused(Sentence("this may be {first} or {second}: write it in another way", first=first, second=second))
    result, dash = found[one].result, found[one].dash
    if dash and int(result) < -_BOOK:
        raise _refused(
            Sentence(
                "{result} may be tricks down, or tricks after a dash: leave out the dash, or write {who} {result}",
                who=SEATS[one.declarer].short,
                result=result,
            )
        )
    if result.isdigit() and int(result) <= _BOOK:
        raise _refused(
            Sentence(
                "{number} may be tricks, or tricks over the book: write it with + or -, or = if it was just made",
                number=result,
            )
        )
    if not 0 <= one.tricks <= _TRICKS:
        raise _refused(
            Sentence(
                "a hand has {each} tricks: with this result it would have {tricks}", each=_TRICKS, tricks=one.tricks
            )
        )
    return one


def read_line(text: str, words: LineWords) -> HandOnLine:
    """Return what a line says of a hand; raises like `outcome_of`."""
    found = outcome_of(text, words)
    if found is None:
        return HandOnLine({}, calls=(CALLS[PASS],) * len(SEATS))
    own = found.declarer % 2
    tricks = (found.tricks, _TRICKS - found.tricks)
    by_seat = (tricks[own], tricks[1 - own], 0, 0)
    return HandOnLine({"contract": found.contract, "declarer": found.declarer}, tricks=by_seat)


def write_contract(contract: str, declarer: int, tricks: int) -> str:
    """Return a contract and its result as a line, in English.

    >>> write_contract("4S", 0, 10), write_contract("1C", 2, 5)
    ('4S N 10', '1C S -2')
    """
    result = str(tricks) if tricks > _BOOK else f"{tricks - _BOOK - int(contract[0]):+d}"
    return f"{contract} {SEATS[declarer].short} {result}"


def write_line(hand: BridgeHand) -> str:
    """Return a hand that is over as a line; "" for one with points and no contract."""
    if hand.passed_out:
        return CALLS[PASS]
    if hand.declarer < 0:
        return ""
    contract = Contract(hand.level, hand.strain, hand.doubles)
    return write_contract(str(contract), hand.declarer, hand.taken[hand.declarer] + hand.taken[hand.dummy])


def _refused(why: Sentence) -> FormatError:
    return FormatError("format.value", why)


def _parts(said: str, strains: Mapping[str, tuple[str, ...]]) -> Iterator[_Parts]:
    """Yield every way to take a line apart."""
    level, line = said[:1], said[1:].removeprefix(" ")
    if level not in set("1234567"):
        return
    for word, suits in strains.items():
        for sign, doubles in _DOUBLES.items() if line.startswith(word) else ():
            rest = line[len(word) :]
            rest = rest.removeprefix(" ") if sign else rest
            if len(word) > _LONGEST_SHORT and rest[:1].isalpha():
                continue
            result = _RESULT.fullmatch(rest[len(sign) :]) if rest.startswith(sign) else None
            for suit in suits if result else ():
                contract = f"{level}{suit}{'X' * doubles}"
                assert result is not None
                taken = result[4].replace(" ", "")
                dash = taken[0] == "-" and not (result[3] and taken == result[4])
                yield _Parts(contract, int(level), result[2], taken, glued=not result[1], dash=dash)


def _tricks(parts: _Parts) -> int:
    if parts.result == "=":
        return _BOOK + parts.level
    return int(parts.result) + (_BOOK + parts.level if parts.result[0] in "+-" else 0)


def _seats(who: str, words: LineWords, glued: bool) -> list[int]:
    """Return the seats that a word may mean: a number from 1, a direction, or a name.

    After a blank also what only begins a name or a direction. A letter of a direction is the direction, whatever names
    begin with it; one of a language that is not the line's may be either.
    """
    if who.isascii() and who.isdecimal() and len(who) == 1:
        return [int(who) - 1] if 1 <= int(who) <= len(words.players) else []
    others = _SEATS_IN.get(words.language, ((),) * len(SEATS))
    known = [
        (seat, plain_line(word))
        for seat, named in enumerate(SEATS)
        for word in (*words.players[seat : seat + 1], named.name, named.short, *others[seat])
    ]
    exact = {seat for seat, word in known if word == who}
    if exact or glued:
        return sorted(exact)
    foreign = {seat for seats in _SEATS_IN.values() for seat, named in enumerate(seats) if who in named}
    return sorted(foreign | {seat for seat, word in known if word.startswith(who)})


def _name(seat: int, words: LineWords) -> str:
    return words.players[seat] if seat < len(words.players) else SEATS[seat].short


LINE: Final = LineRules(title=Sentence("contract"), help=HELP, read=read_line, write=write_line)
