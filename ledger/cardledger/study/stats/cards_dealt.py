"""The table of what each card is worth: cards dealt that readers may see, joined with the points of their hands."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from cardledger.record.readmodels.questions.dealt_cards import dealt_cards
from cardledger.record.readmodels.tables.arrivals import DEALT
from cardledger.rules.games import game
from cardledger.study.stats.card_worth import FEWEST_EVENINGS, CardWorth, worth_of_cards
from cardledger.study.stats.estimators import CARDS
from cardledger.study.stats.measures.evening_of import evenings_of
from cardledger.study.stats.measures.tally import Tally
from cardledger.study.stats.stats_table import StatsTable, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.record.readmodels import ReadModels
    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.query import Query

_COLUMNS = tuple(field.name for field in fields(CardWorth))
_MEANING = (
    "worth: points of the hands dealt a card, less the expectation of the same place over all deals; pooled: drawn"
    " towards cards of the same rank and suit",
    "points are as scored: the luck of a deal holds the worth of its cards, so it is not taken off",
    f"an evening is one observation; figures need {FEWEST_EVENINGS} evenings",
)


def cards_dealt(views: ReadModels, sheet: Sheet, query: Query) -> StatsTable:
    """Return what each card of a game is worth, in the order of the pack.

    Only hands count whose cards readers may see: those of `dealt_cards`, and of the sheet with their play.
    """
    tally = Tally(sheet, query)
    counted = np.flatnonzero(tally.hands & (sheet.hands["played"] > 0))
    row = sheet.hands["row"][counted]
    match = sheet.seats["row"][row]
    names = np.array(sheet.text("match"), dtype=object)[sheet.matches["match"][match]]
    at = {
        key: hand
        for hand, key in enumerate(
            zip(names, sheet.hands["number"][counted].tolist(), sheet.seats["seat"][row].tolist(), strict=True)
        )
    }
    pack = _pack(sheet, match)
    place_of = {face: place for place, (face, _, _) in enumerate(pack)}
    columns = [*DEALT.columns]
    which = [columns.index(name) for name in ("match", "hand", "seat")]
    card, came = columns.index("card"), columns.index("came")
    held = [
        (at[key], place_of[one[card]])
        for one in dealt_cards(views, sheet.game)
        if one[came] == "dealt" and (key := (one[which[0]], one[which[1]], one[which[2]])) in at
    ]
    pairs = np.array(held, dtype=np.int64).reshape(-1, 2)
    shown, hand = np.unique(pairs[:, 0], return_inverse=True)  # hands of known deals alone make the expectation
    known, of = counted[shown], match[shown]
    found = worth_of_cards(
        pack, (hand, pairs[:, 1]), sheet.hands["points"][known].astype(float), _place(sheet, known, of),
        evenings_of(sheet)[of],
    )  # fmt: skip
    rows = [shortened(asdict(one)) for one in found]
    basis = replace(tally.basis(), valued=0)  # luck is not taken off these points
    return StatsTable("cards", _COLUMNS, rows, query.text, {sheet.game: basis}, _MEANING, definitions=(CARDS,))


def _place(sheet: Sheet, hands: NDArray[np.int64], match: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for what hands share before the deal.

    Edition of the rules, size of the table, place from the dealer.
    """
    rules, size = (sheet.matches[name][match].astype(np.int64) for name in ("rules", "size"))
    place: NDArray[np.int64] = (rules * 64 + size) * 64 + sheet.hands["turn"][hands]
    return place


def _pack(sheet: Sheet, match: NDArray[np.int64]) -> list[tuple[str, str, str]]:
    """Return face, rank and suit of the cards in the packs of some matches."""
    texts = sheet.text("options")
    cards: dict[str, tuple[str, str, str]] = {}
    for code in np.unique(sheet.matches["options"][match]).tolist():
        pack = game(sheet.game).pack(json.loads(texts[code]))
        for face, rank, suits in zip(pack.faces, pack.ranks, pack.suits, strict=True):
            cards.setdefault(face, (face, str(rank), str(suits)))
    return [*cards.values()]
