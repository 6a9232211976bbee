"""The phases of a hand: deal, bids, calls, exchange, pick-up, play, with draws or ties where a game has them."""

from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.faces import lacks, parse_cards
from cardledger.rules.engine.phases.between import Between
from cardledger.rules.engine.phases.bids import BidHand, Bids
from cardledger.rules.engine.phases.calls import DONE, THROWN_IN, Calls, CallsInNumbers, check_word
from cardledger.rules.engine.phases.claims import Claims
from cardledger.rules.engine.phases.deal import Dealing
from cardledger.rules.engine.phases.draws import Draws, StockHand
from cardledger.rules.engine.phases.duties import Duty
from cardledger.rules.engine.phases.exchange import Exchange, PassHand
from cardledger.rules.engine.phases.phase import Phase
from cardledger.rules.engine.phases.pick_up import PickUp
from cardledger.rules.engine.phases.play import TrickPlay
from cardledger.rules.engine.phases.ties import TiedHand, TiedWorld, Ties

__all__ = [
    "DONE",
    "THROWN_IN",
    "Between",
    "BidHand",
    "Bids",
    "Calls",
    "CallsInNumbers",
    "Choice",
    "Claims",
    "Dealing",
    "Draws",
    "Duty",
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
