"""The deal of bridge: the board it belongs to, its dealer, and who is vulnerable."""

from __future__ import annotations

from typing import Any

import msgspec

from cardledger.errors import FormatError
from cardledger.rules import Dealing, Match, Sentence
from cardledger.rules import events as ev
from cardledger.rules.games.bridge.auction import SEATS, BridgeHand, contract_for
from cardledger.rules.games.bridge.rubber import CHICAGO, RUBBER, Account
from cardledger.rules.games.bridge.scoring import (
    VULNERABLE,
    VULNERABLE_WORDS,
    board_dealer,
    board_vulnerable,
    read_contract,
)


def _set_up(dealer: int, vulnerable: int) -> Sentence:
    """Say who deals, and who is vulnerable."""
    who = Sentence(VULNERABLE_WORDS[vulnerable][1])
    return Sentence("dealer {seat}, vulnerable: {who}", seat=Sentence(SEATS[dealer].name), who=who)


class BoardDeal(Dealing):
    """The deal of a board: its number gives dealer and vulnerability unless the deal says them itself."""

    def needed(self, options: dict[str, Any]) -> frozenset[str]:
        """No key alone: either the board, or dealer and vulnerability."""
        return frozenset()

    def begins(self, event: ev.Deal) -> int:
        """The dealer that the deal names, or that of the board."""
        if event.dealer is not None:
            return event.dealer
        assert event.board is not None
        return board_dealer(event.board)

    def check(self, match: Match[BridgeHand], event: ev.Event) -> None:
        """Besides the keys, refuse a board below 1, and a contract that does not exist."""
        super().check(match, event)
        assert isinstance(event, ev.Deal)
        if event.board is None:
            for key, given in (("dealer", event.dealer), ("vulnerable", event.vulnerable)):
                if given is None:
                    raise FormatError("format.key", f"a deal of {match.game.id} without a board needs the key {key!r}")
        elif event.board < 1:
            match.refuse("table.range", Sentence("a board has a number from 1 on, not {board}", board=event.board))
        if (event.contract is None) != (event.declarer is None):
            raise FormatError("format.key", "contract and declarer stand together for an auction not written down")
        if event.declarer is not None and not 0 <= event.declarer < 4:
            match.expect("deal", event.declarer)
        if event.contract is not None and read_contract(event.contract) is None:
            raise FormatError("format.value", f"{event.contract!r} is no contract: write it as 4S, 3NTX or 6HXX")

    def read(self, match: Match[BridgeHand], hand: BridgeHand, event: ev.Deal) -> None:
        """Keep the board, who is vulnerable, and a contract known without its auction."""
        hand.board = event.board or 0
        hand.vulnerable = usual(match, hand) if event.vulnerable is None else VULNERABLE.index(event.vulnerable)
        if match.trail is not None:
            words = _set_up(hand.dealer, hand.vulnerable)
            if hand.board:
                dealer, vulnerable = board_dealer(hand.board), board_vulnerable(hand.board)
                if (dealer, vulnerable) != (hand.dealer, hand.vulnerable):
                    words = Sentence(
                        "{here}; board {board} usually has: {usual}",
                        here=words,
                        board=hand.board,
                        usual=_set_up(dealer, vulnerable),
                    )
            match.cite("board.number", words, "allowed")
        if event.contract is not None and event.declarer is not None:
            known = read_contract(event.contract)
            assert known is not None
            hand.level, hand.strain, hand.doubles = known
            contract_for(hand, event.declarer)

    def says_all(self, match: Match[BridgeHand], event: ev.Deal) -> bool:
        """The deal says who is vulnerable, itself or by its board, and the auction follows."""
        by_board = event.board is not None and match.options["scoring"] not in (CHICAGO, RUBBER)
        return event.contract is None and (event.vulnerable is not None or by_board)

    def due(self, match: Match[BridgeHand]) -> int | None:
        """In duplicate, the dealer of the next board."""
        if match.options["scoring"] in (CHICAGO, RUBBER):
            return super().due(match)
        return board_dealer(next_board(match))

    def completed(self, match: Match[BridgeHand], deal: ev.Deal) -> ev.Deal:
        """Add the number of the next board, or who is vulnerable where boards have none."""
        number = len(match.hands) + 1
        if deal.board is not None or deal.vulnerable is not None:
            return deal
        account: Account = match.account
        if account.resumed >= 0 and number == 1:
            return msgspec.structs.replace(deal, vulnerable=VULNERABLE[account.resumed])
        if match.options["scoring"] not in (CHICAGO, RUBBER):
            return msgspec.structs.replace(deal, board=next_board(match))
        hand = BridgeHand(n=4, number=number, dealer=deal.dealer or 0)
        return msgspec.structs.replace(deal, vulnerable=VULNERABLE[usual(match, hand)])


def next_board(match: Match[Any]) -> int:
    """Return the number of the board after the last."""
    last: int = match.hands[-1].board if match.hands else 0
    return last + 1 if last or not match.hands else len(match.hands) + 1


def usual(match: Match[Any], hand: BridgeHand) -> int:
    """Return the sides that are vulnerable unless the deal says otherwise: by the games won, the hand, or the board."""
    if match.options["scoring"] == RUBBER:
        account: Account = match.account
        return (account.games[0] > 0) + 2 * (account.games[1] > 0)
    if match.options["scoring"] == CHICAGO:
        played = sum(not one.passed_out for one in match.hands if one.number < hand.number)
        return 0 if played == 0 else 3 if played >= 3 else 1 << hand.dealer % 2
    return board_vulnerable(hand.board)
