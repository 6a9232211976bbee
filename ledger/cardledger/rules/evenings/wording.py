"""Results and rulings of an evening in words."""

from __future__ import annotations

from typing import Any

from cardledger.listed import listed
from cardledger.rules.engine.events import Award
from cardledger.sentence import Sentence

LINES = {"ns": "north-south", "ew": "east-west"}
SEATS = "NESW"


def contract_in_words(contract: str | None, declarer: int | None, tricks: int | None) -> Sentence:
    """Return a contract with its declarer, a seat, and tricks; one without a declarer was passed out.

    >>> contract_in_words("4S", 0, 10)
    '4S by N, 10 tricks'
    """
    if declarer is None:
        return Sentence("passed out")
    return Sentence.counted(
        "{contract} by {seat}, {num} trick",
        "{contract} by {seat}, {num} tricks",
        tricks or 0,
        contract=contract,
        seat=SEATS[declarer],
    )


def ruled(award: Award) -> Sentence:
    """Return what a ruling gives to a line: a percentage, or results with their weights.

    >>> ruled(60)
    '60 %'
    """
    if not isinstance(award, tuple):
        return Sentence("{award} %", award=award)
    results = (
        each.score if each.contract is None else contract_in_words(each.contract, each.declarer, each.tricks)
        for each in award
    )
    weighed = (
        Sentence("{weight} % of {result}", weight=each.weight, result=result)
        for each, result in zip(award, results, strict=True)
    )
    return Sentence("{weighed}", weighed=tuple(weighed))


def award_in_words(ns: dict[str, Any], ew: dict[str, Any]) -> str:
    """Return the awards of both lines, as travellers have them: a score for north-south, or what a ruling gave.

    >>> award_in_words({"scores": [{"weight": "100.00", "score": 420}]}, {"scores": [{"weight": "100.00", "score": 420}]})
    '420'
    >>> award_in_words({"percent": "60.00"}, {"percent": "40.00"})
    '60 % and 40 %'
    """
    words = [_printed_award(award) for award in (ns, ew)]
    return words[0] if ns == ew and "percent" not in ns else listed(words)


def _printed_award(award: dict[str, Any]) -> str:
    if "percent" in award:
        return f"{float(award['percent']):g} %"
    scores = award["scores"]
    return str(scores[0]["score"]) if len(scores) == 1 else " + ".join(
        f"{float(each['weight']):g} % of {each['score']}" for each in scores
    )  # fmt: skip
