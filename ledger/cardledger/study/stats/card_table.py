"""The table of what each card is worth: the occasions on which cards came, with the points of their hands."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from cardledger.errors import StoreError
from cardledger.record.readmodels.questions.card_in_hand import IN_TRICKS, WAYS, way_asked
from cardledger.rules.games import game
from cardledger.sentence import advising
from cardledger.study.stats.card_against_field import CardAgainstField, cards_against_field
from cardledger.study.stats.card_occasions import occasions
from cardledger.study.stats.card_worth import FEWEST_EVENINGS, CardWorth, worth_of_cards
from cardledger.study.stats.estimators import CARDS
from cardledger.study.stats.measures.evening_of import evenings_of
from cardledger.study.stats.measures.tally import Tally, numbered
from cardledger.study.stats.stats_table import StatsTable, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardledger.record.readmodels import ReadModels
    from cardledger.study.stats.measures.sheet import Sheet
    from cardledger.study.stats.query import Query

_MOST_KNOWN = 0.5
"""From this share of hands with known luck on, only those count, and the luck of the deal is taken off."""
_OVER_DEALS = (
    "worth: points of the hands with the card, less the expectation of the same place over all deals",
    "points are as scored: the luck of a deal holds the worth of its cards, so it is not taken off",
)
_IN_A_TRICK = (
    "worth: points of the hand, less the mean of all who {did} the trick of the same number from the same place{also}",
    "players choose the moment: a card is played when it is good to play it, so this says nothing about playing it more"
    " often",
)
_DID = {"led": ("led to", ""), "played": ("played to", ", at the same turn in it"), "won": ("took", "")}
_POOLED = "pooled: drawn towards cards of the same rank and suit"
_AGAINST = (
    "worth and others: what the player and all others make of the card; the difference holds how well the player plays"
    " in general",
    "believed: the difference, drawn towards that over all cards, the more the less is known; better and worse: more"
    " than chance explains, corrected for all cards",
)


def card_table(
    views: ReadModels, sheet: Sheet, query: Query, how: str = "dealt", player: str | None = None
) -> StatsTable:
    """Return what each card of a game is worth, in the order of the pack; with a player, against the others.

    Only hands count whose cards readers may see: those of `arrivals_shown` or `tricks_shown`, and of the sheet with
    their play. `how` is one of `WAYS`. Where a card was dealt or held, hands of known deals make the expectation.
    Raises StoreError `store.unknown` for another `how`, or a player without a hand of the game.
    """
    way_asked(how, sheet.game)
    tally = Tally(sheet, query)
    counted = tally.hands & (sheet.hands["played"] > 0)
    without_luck = how in IN_TRICKS and _luck_known(sheet, counted)
    if without_luck:
        counted &= sheet.hands["valued"] > 0
    pack = _pack(sheet)
    came = occasions(views, sheet, counted, how, {face: at for at, (face, _, _) in enumerate(pack)})
    of = sheet.seats["row"][sheet.hands["row"][came.row]]
    moments, moment = numbered(came.moment)
    place = numbered(_place(sheet, came.row, of))[1] * max(len(moments), 1) + moment
    points = sheet.hands["fair" if without_luck else "points"][came.row].astype(float)
    held, evening = (came.occasion, came.card), evenings_of(sheet)[of]
    found: list[CardWorth] | list[CardAgainstField]
    if player is None:
        found, columns = worth_of_cards(pack, held, points, place, evening, came.row), fields(CardWorth)
    else:
        own = _of_player(sheet, came.row, player)
        faces, fewest = [face for face, _, _ in pack], game(sheet.game).scoring.fewest
        found = cards_against_field(faces, held, points, place, evening, came.row, own, fewest=fewest)
        columns = fields(CardAgainstField)
    rows = [shortened(asdict(one)) for one in found]
    basis = tally.basis() if without_luck else replace(tally.basis(), valued=0)
    notes = _notes(how, without_luck=without_luck, of_player=player is not None)
    return StatsTable(
        "cards", tuple(one.name for one in columns), rows, query.text, {sheet.game: basis}, notes, definitions=(CARDS,)
    )


def _luck_known(sheet: Sheet, counted: NDArray[np.bool_]) -> bool:
    """Tell whether the luck of the deal is known of most hands: some with and some without cannot be compared."""
    valued = sheet.hands["valued"][counted]
    return not sheet.doubtful and len(valued) > 0 and float((valued > 0).mean()) >= _MOST_KNOWN


def _of_player(sheet: Sheet, rows: NDArray[Any], player: str) -> NDArray[np.bool_]:
    """Tell for each row of the hands whether it is the player's."""
    code = sheet.texts["player"].get(player, -1)
    if not (sheet.seats["player"] == code).any():
        raise StoreError(
            "store.unknown", advising(f"{player!r} has no hand of {sheet.game}: give the id of a player of it")
        )
    own: NDArray[np.bool_] = sheet.seats["player"][sheet.hands["row"][rows]] == code
    return own


def _notes(how: str, *, without_luck: bool, of_player: bool) -> tuple[str, ...]:
    """Return what the numbers mean."""
    if how in IN_TRICKS:
        did, also = _DID[how]
        meaning, choice = _IN_A_TRICK
        luck = (
            "the luck of the deal is taken off, and only hands count of which it is known"
            if without_luck
            else "points are as scored: the luck of most deals is not known"
        )
        told: tuple[str, ...] = (meaning.format(did=did, also=also), choice, luck)
    else:
        told = _OVER_DEALS
    return (
        f"{how}: {WAYS[how]}",
        *told,
        *(_AGAINST if of_player else (_POOLED,)),
        f"an evening is one observation; figures need {FEWEST_EVENINGS} evenings",
    )


def _place(sheet: Sheet, hands: NDArray[Any], match: NDArray[Any]) -> NDArray[np.int64]:
    """Return a number for what hands share before the deal.

    Edition of the rules, options that change a hand, size of the table, place from the dealer.
    """
    texts = sheet.text("options")
    options = np.array([_comparable(sheet.game, text) for text in texts], dtype=object)
    _, code = np.unique(options, return_inverse=True) if len(texts) else (options, np.zeros(0, dtype=np.int64))
    rules, size = (sheet.matches[name][match].astype(np.int64) for name in ("rules", "size"))
    rules = rules * (len(texts) + 1) + code[sheet.matches["options"][match]]
    place: NDArray[np.int64] = (rules * 64 + size) * 64 + sheet.hands["turn"][hands]
    return place


@cache
def _comparable(game_id: str, options: str) -> str:
    """Return the options that change how a hand is played or scored: hands that differ in them are not compared."""
    given = json.loads(options)
    return json.dumps({one.name: given.get(one.name) for one in game(game_id).options if one.of_hand})


def _pack(sheet: Sheet) -> list[tuple[str, str, str]]:
    """Return face, rank and suit of the cards in the packs of the matches of a game."""
    cards: dict[str, tuple[str, str, str]] = {}
    for options in sheet.text("options"):
        pack = game(sheet.game).pack(json.loads(options))
        for face, rank, suits in zip(pack.faces, pack.ranks, pack.suits, strict=True):
            cards.setdefault(face, (face, str(rank), str(suits)))
    return [*cards.values()]
