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


def own_percentage(award: dict[str, Any], counts: str | None) -> str | None:
    """Return the percentage that counts in place of an award, None if the award does.

    A side with average plus or minus gets its own percentage on its other boards if that is better, or worse (Law 12C2).

    >>> own_percentage({"percent": "40.00"}, "27.50"), own_percentage({"percent": "40.00"}, "40.00")
    ('27.50', None)
    """
    given = award.get("percent")
    return counts if given is not None and counts is not None and float(counts) != float(given) else None


def award_in_words(ns: dict[str, Any], ew: dict[str, Any], counts: tuple[str | None, str | None] = (None, None)) -> str:
    """Return the awards of both lines, as travellers have them: a score for north-south, or what a ruling gave.

    `counts` are the percentages that both lines got.

    >>> award_in_words({"scores": [{"weight": "100.00", "score": 420}]}, {"scores": [{"weight": "100.00", "score": 420}]})
    '420'
    >>> award_in_words({"percent": "60.00"}, {"percent": "40.00"})
    '60 % and 40 %'
    """
    words = [award_of_side(award, count) for award, count in zip((ns, ew), counts, strict=True)]
    return words[0] if ns == ew and "percent" not in ns else listed(words)


def award_of_side(award: dict[str, Any], counts: str | None = None) -> str:
    """Return what a side gets, and the law where another percentage counts.

    >>> award_of_side({"percent": "40.00"}, "27.50")
    '40 % (27.5 % as on its other boards, Law 12C2)'
    """
    if "percent" in award:
        own = own_percentage(award, counts)
        why = "" if own is None else f" ({float(own):g} % as on its other boards, Law 12C2)"
        return f"{float(award['percent']):g} %{why}"
    scores = award["scores"]
    return str(scores[0]["score"]) if len(scores) == 1 else " + ".join(
        f"{float(each['weight']):g} % of {each['score']}" for each in scores
    )  # fmt: skip
