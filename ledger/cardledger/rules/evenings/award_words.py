"""Awards as directors write them: `A+`, `65%`, `4S N =`, `420`, or `60% 4S N =, 40% 4S N -1`."""

from __future__ import annotations

import re
from typing import Final

from cardledger.errors import FormatError
from cardledger.rules.engine.events import Award, Weighted
from cardledger.rules.engine.hand_line import LineWords, plain_line
from cardledger.rules.evenings.contract import PASSED_OUT, score
from cardledger.rules.games.bridge.contract_line import HELP as CONTRACT_HELP
from cardledger.rules.games.bridge.contract_line import outcome_of, write_contract
from cardledger.sentence import Sentence

AVERAGES: Final = {"A+": 60, "A": 50, "A-": 40}
"""The averages of Law 12C2: for a side not at fault, partly at fault, and at fault."""
HELP: Final = Sentence(
    "write A+, A or A-, a percentage (65%), a contract with its result (4S N =), "
    "a score (-50), or parts of these (60% 4S N =, 40% -50)"
)
_AVERAGE = re.compile(r"(?:a|ave|avg|average)\s*(\+|plus|-|minus|=|)")
_PERCENT = re.compile(r"(\d{1,3}(?:[.,]\d{1,2})?)\s*%")
_PART = re.compile(r"(?:(\d{1,3})\s*%\s*(?:of\s+)?)?(\S.*)")
_SCORE = re.compile(r"[+-]?\d{1,4}")
NOT_PLAYED: Final = "not-played"
_NOT_PLAYED = frozenset({"not played", "not-played", "np", "n/p"})
_SHARE = re.compile(r"(\d{1,3}(?:[.,]\d{1,2})?)\s*%?")


def decision_of(text: str) -> tuple[str, str] | str | None:
    """Return what a director writes where the result of a board belongs; None for what is none of a director's words.

    The awards of north-south and of east-west, as `award_of` reads them, or `not-played`. An average alone is for both
    sides.

    >>> decision_of("a+"), decision_of("60/40"), decision_of("A- / A+"), decision_of("n/p"), decision_of("420")
    (('A+', 'A+'), ('60%', '40%'), ('A-', 'A+'), 'not-played', None)
    """
    said = plain_line(text)
    if said in _NOT_PLAYED:
        return NOT_PLAYED
    parts = [part.strip() for part in re.split("[/:]", said)]
    awards = [_side(part, alone=len(parts) == 1) for part in parts]
    if len(parts) > 2 or None in awards:
        return None
    return str(awards[0]), str(awards[-1])


def _side(said: str, *, alone: bool) -> str | None:
    """Return the award of a side; a number is a percentage only beside another one."""
    if average := _AVERAGE.fullmatch(said):
        return "A" + {"plus": "+", "minus": "-", "=": ""}.get(average[1], average[1])
    share = None if alone else _SHARE.fullmatch(said)
    return f"{share[1]}%" if share else None


def award_of(text: str, board: int, language: str = "") -> Award:
    """Return the award that a director writes for a side; scores are in points for north-south.

    Arguments:
        text: such as `A+`, `65%`, `4S N =`, or results with their weights, separated by commas.
        board: the board it is for, whose vulnerability gives the score.
        language: the language besides English whose words for suits and seats are read, `de` or `fr`.

    Raises FormatError `format.value` for what is none of these, and for what may be read in two ways.

    >>> award_of("A+", 1), award_of("62.5 %", 1)
    (60, 62.5)
    >>> [(each.weight, each.contract, each.tricks, each.score) for each in award_of("60% 4S N =, 40% -50", 1)]
    [(60, '4S', 10, None), (40, None, None, -50)]
    """
    said = plain_line(text)
    if average := _AVERAGE.fullmatch(said):
        sign = {"plus": "+", "minus": "-", "=": ""}.get(average[1], average[1])
        return AVERAGES[f"A{sign}"]
    if percent := _PERCENT.fullmatch(said):
        given = float(percent[1].replace(",", "."))
        if given > 100:
            raise FormatError("format.value", Sentence("a percentage is 0 to 100, not {award}", award=percent[1]))
        return int(given) if given == int(given) else given
    parts = [_PART.fullmatch(part.strip()) for part in re.split(r",| and ", said)]
    if not all(parts):
        raise FormatError("format.value", Sentence("{text!r} is no award: {help}", text=text, help=HELP))
    results = [
        _result(part[2], int(part[1] or (100 if len(parts) == 1 else 0)), board, language) for part in parts if part
    ]
    if sum(each.weight for each in results) != 100:
        raise FormatError(
            "format.value",
            Sentence("{text!r}: the weights of a ruling add up to 100 %, such as 60% 4S N =, 40% -50", text=text),
        )
    return tuple(results)


def _result(said: str, weight: int, board: int, language: str) -> Weighted:
    if _SCORE.fullmatch(said):
        points = int(said)
        if points % 10:
            raise FormatError(
                "format.value",
                Sentence("{said} is no score of bridge, and a percentage has its sign: write {said}%", said=said),
            )
        if 0 < points <= 100 and said[0] != "+":
            raise FormatError(
                "format.value", Sentence("{said} may be a percentage or a score: write {said}% or +{said}", said=said)
            )
        return Weighted(weight, score=points)
    try:
        found = outcome_of(said, LineWords(language=language))
    except FormatError as error:
        if error.message == CONTRACT_HELP:
            raise FormatError("format.value", Sentence("{text!r} is no award: {help}", text=said, help=HELP)) from None
        raise
    if found is None:
        return Weighted(weight, contract=PASSED_OUT)
    score(*found, board)
    return Weighted(weight, contract=found.contract, declarer=found.declarer, tricks=found.tricks)


def written(award: Award) -> str:
    """Return an award as `award_of` reads it.

    >>> written(60), written(award_of("60% 4S N =, 40% -50", 1)), written(award_of("420", 1))
    ('60%', '60% 4S N 10, 40% -50', '+420')
    """
    if not isinstance(award, tuple):
        return f"{award:g}%"
    results = [_written_result(each) for each in award]
    if len(award) == 1:
        return results[0]
    return ", ".join(f"{each.weight}% {result}" for each, result in zip(award, results, strict=True))


def _written_result(each: Weighted) -> str:
    if each.score is not None:
        return f"{each.score:+d}" if each.score else "0"
    if each.declarer is None:
        return str(each.contract)
    return write_contract(str(each.contract), each.declarer, each.tricks or 0)
