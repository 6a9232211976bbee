"""The phases of a hand: deal, bids, calls, exchange, pick-up, play, with draws or ties where a game has them."""

from cardledger.engine.choices import Choice
from cardledger.engine.faces import lacks, parse_cards
from cardledger.engine.phases.between import Between
from cardledger.engine.phases.bids import BidHand, Bids
from cardledger.engine.phases.calls import DONE, THROWN_IN, Calls, check_word
from cardledger.engine.phases.deal import Dealing
from cardledger.engine.phases.draws import Draws, StockHand
from cardledger.engine.phases.exchange import Exchange, PassHand
from cardledger.engine.phases.phase import Phase
from cardledger.engine.phases.pick_up import PickUp
from cardledger.engine.phases.play import TrickPlay
from cardledger.engine.phases.ties import TiedHand, TiedWorld, Ties

__all__ = [
    "DONE",
    "THROWN_IN",
    "Between",
    "BidHand",
    "Bids",
    "Calls",
    "Choice",
    "Dealing",
    "Draws",
    "Exchange",
    "PassHand",
    "Phase",
    "PickUp",
    "StockHand",
    "TiedHand",
    "TiedWorld",
    "Ties",
    "TrickPlay",
    "check_word",
    "lacks",
    "parse_cards",
]  # fmt: skip
