"""The events of the match that a board becomes: the same for every format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardledger.formats.bridge_files.auction import auctioned
from cardledger.formats.bridge_files.boards import GAME, Board, Json, RefusedError, Said
from cardledger.formats.bridge_files.notation import (
    DOUBLE,
    NAMES,
    PASS,
    RANK_OF,
    REDOUBLE,
    dealer_of,
    trump_of,
    vulnerable_on,
)
from cardledger.formats.bridge_files.play import Course, course
from cardledger.formats.bridge_files.player_names import players_of
from cardledger.formats.bridge_files.result import write_result, write_unplayed
from cardledger.rules.engine import events as ev


def events_of(board: Board) -> list[ev.Event]:
    """Return the events of the match that a board becomes; raises RefusedError.

    Adds notices and extras to the board.
    """
    if board.dealer is None:
        board.dealer = dealer_of(board.number) if board.number else board.first
    if board.vulnerable is None and board.number:
        board.vulnerable = vulnerable_on(board.number)
    if board.dealer is None or board.vulnerable is None:
        raise RefusedError(
            {"LIN": "lin.deal", "USEBIO": "usebio.line"}.get(board.format, "pbn.board"), board.line_at("Board"),
            "neither a board number nor dealer and vulnerability are given: add one of them",
        )  # fmt: skip
    opening = ev.Open(game=GAME, players=players_of(board), policy="record", **board.opening)
    body: list[ev.Event] = []
    contract, declarer, stands = _auction(board, body)
    _play(board, contract, declarer, body)
    body += board.rulings
    known: Json = {"contract": contract, "declarer": declarer} if stands else {}
    hands = tuple(map(tuple, board.hands)) if board.hands is not None else None
    events: list[ev.Event] = [opening, ev.Deal(hands=hands, **_numbered(board), **known)]
    if board.extras:
        events.append(ev.Note(text=f"from {board.format}", extras=tuple(board.extras)))
    if not board.remarked:
        return events + body
    about = 0
    for event in body:
        if type(event) is ev.Note:
            # A remark comes right after the call or the card it is about, or after another remark on it.
            event = ev.Note(text=event.text, about=about)
        else:
            about = len(events) + 1
        events.append(event)
    return events


def _numbered(board: Board) -> Json:
    """Return number, dealer and vulnerability for the deal; those that the number gives are left out."""
    number = board.number
    if number is None:
        return {"dealer": board.dealer, "vulnerable": board.vulnerable}
    said: Json = {"board": number}
    for key, value, follows in (
        ("dealer", board.dealer, dealer_of(number)),
        ("vulnerable", board.vulnerable, vulnerable_on(number)),
    ):
        if value != follows:
            said[key] = value
            words = f"{NAMES[value]} deals" if key == "dealer" else f"the vulnerability is {value}"  # type: ignore[index]
            board.tell(
                "board.number", f"on board {number} {words}: that is not of this number, but counts", key.title()
            )
    return said


class Contracted(NamedTuple):
    """The contract and its declarer, None where they are not known; `stands` means that it stands for the auction."""

    contract: str | None
    declarer: int | None
    stands: bool = False


def _auction(board: Board, body: list[ev.Event]) -> Contracted:
    """Write the calls, or none where a contract stands for them; return contract and declarer."""
    dealer, stated, declarer, said = board.dealer, board.contract, board.declarer, board.calls
    assert dealer is not None
    if said is None:
        return _without_auction(board, dealer, body)
    elsewhere = board.first is not None and board.first != dealer
    outcome = auctioned(dealer, [each.call for each in said])
    whole = outcome.done and outcome.length == len(said) and board.whole and not elsewhere
    if whole and outcome.regular and stated in (None, outcome.contract) and declarer in (None, outcome.declarer):
        body += _calls(board, dealer, said)
        return Contracted(outcome.contract, outcome.declarer)
    if stated == PASS and not elsewhere and {each.call for each in said} <= {PASS}:
        body += _calls(board, dealer, [*said[:4], *(Said(PASS) for _ in range(4 - len(said)))])
        return Contracted(PASS, None)
    if declarer is None and outcome.done and not elsewhere:
        declarer = outcome.declarer
    if elsewhere:
        code, what = "pbn.auction", "the auction does not begin with the dealer"
    elif not board.whole or not outcome.done or outcome.length < len(said):
        code, what = "pbn.auction", "the auction cannot be taken to its end"
    else:
        code, what = "pbn.contract", "the auction does not lead to the contract written"
    if stated is not None and stated != PASS and declarer is not None:
        board.tell(code, f"{what}: the contract written counts, the calls are kept", "Auction")
        board.extras += board.kept("Auction")
        return Contracted(stated, declarer, stands=True)
    if stated is not None and stated != outcome.contract:
        board.extras.append(("tag", "Contract", stated))
    if elsewhere:
        board.tell(code, f"{what}: it is kept, and nothing is played", "Auction")
        board.extras += board.kept("Auction")
        return Contracted(None, None)
    if code == "pbn.contract" and not outcome.regular and stated in (None, outcome.contract):
        pass  # the calls are recorded as they came; rulings say what is wrong with them
    elif code == "pbn.contract" or outcome.length < len(said) or not board.whole:
        board.tell(code, f"{what}: as far as it goes, the auction counts", "Auction")
    if outcome.length < len(said) or not board.whole:
        board.extras += board.kept("Auction")
    body += _calls(board, dealer, said[: outcome.length])
    return Contracted(outcome.contract, outcome.declarer)


def _without_auction(board: Board, dealer: int, body: list[ev.Event]) -> Contracted:
    stated, declarer = board.contract, board.declarer
    if stated == PASS:
        body += _calls(board, dealer, [Said(PASS)] * 4)
        return Contracted(PASS, None)
    if stated is None:
        return Contracted(None, None)
    if declarer is None and board.leader is not None:
        declarer = (board.leader + 3) % 4
    if declarer is None:
        board.extras.append(("tag", "Contract", stated))
        board.tell("pbn.contract", "the contract has no declarer: it is kept, and nothing is played", "Contract")
        return Contracted(None, None)
    return Contracted(stated, declarer, stands=True)


_CALLS = {
    call: tuple(ev.Call(seat=seat, call=call) for seat in range(4)) for call in (PASS, DOUBLE, REDOUBLE, *RANK_OF)
}
"""Calls without an alert never change, so every board shares them."""


def _calls(board: Board, dealer: int, said: Iterable[Said]) -> Iterator[ev.Event]:
    for seat, each in enumerate(said, dealer):
        if each.alert is None and each.explain is None:
            yield _CALLS[each.call][seat & 3]
        else:
            yield ev.Call(seat=seat & 3, call=each.call, alert=each.alert, explain=each.explain)
        for remark in each.remarks:
            board.remarked = True
            yield ev.Note(text=remark)


def _play(board: Board, contract: str | None, declarer: int | None, body: list[ev.Event]) -> None:
    """Write the cards and the end of the board."""
    columns = board.columns is not None
    cards = board.columns if board.columns is not None else board.cards
    if contract is None or contract == PASS or declarer is None:
        write_unplayed(board, contract, declarer, body)
        return
    played = Course([], [0, 0], 0, None)
    if cards:
        leader = (declarer + 1) % 4 if board.leader is None else board.leader
        held = board.held
        if not columns and held is not None and cards[0] >= 0:
            leader = next(seat for seat in range(4) if held[seat] >> cards[0] & 1)  # whose card is led
        played = course(cards, leader, columns, trump_of(contract), held)
        known = len(cards) - cards.count(-1)
        if played.stopped is not None:
            board.tell("table.holding", f"{played.stopped}: the play is taken up to there, the rest is kept", "Play")
        elif known > len(played.plays) and not board.cut:
            text = "cards follow one that is not known: their place is not certain, and they are kept"
            board.tell("pbn.gap", text, "Play")
        if known > len(played.plays) or board.cut:
            board.extras += board.kept("Play")
    if not board.remarks:
        body += played.plays
    else:
        board.remarked = True
        for place, play in enumerate(played.plays):
            body.append(play)
            at = place if not columns else 4 * (place // 4) + (play.seat - leader) % 4
            body += [ev.Note(text=text) for text in board.remarks.get(at, ())]
    write_result(board, contract, declarer, played, body)
