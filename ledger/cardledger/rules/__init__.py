"""What is played, and by which rules; no file, no network, no clock.

Authors of games import from here, and nowhere else: the names in `__all__` are stable (games/README.md has a guide).
"""

from cardledger.rules.engine import events, keys
from cardledger.rules.engine.building_blocks import (
    after_hands,
    at_target,
    bids_made,
    card_turned_up,
    cards_at_start,
    follow_suit,
    highest_of,
    left_of_dealer,
    left_of_taker,
    strongest,
    suit_letter,
    trick_points,
    tricks_taken,
)
from cardledger.rules.engine.card_play import (
    SUIT_MASKS,
    beats,
    best_of,
    cheapest,
    dearest,
    duck,
    follow_to_take,
    highest_left,
    lead_to_take,
    likely_followed,
    nearest_bid,
    partner_takes,
)
from cardledger.rules.engine.cards import SUIT_WORDS, SUITS, Pack, cards_in, standard_pack
from cardledger.rules.engine.carried import Carried, place_in_cycle, resume_at
from cardledger.rules.engine.choices import Choice
from cardledger.rules.engine.collecting import Collecting
from cardledger.rules.engine.definition import Edition, first
from cardledger.rules.engine.director import Director
from cardledger.rules.engine.editions import editions_in
from cardledger.rules.engine.events import Ask, Call, Close, Collect, Discard, Draw, Event, Give, Layoff, Pass
from cardledger.rules.engine.faces import parse_cards, unseen_draw
from cardledger.rules.engine.fields import by_seat, from_option, growing
from cardledger.rules.engine.game import Game
from cardledger.rules.engine.hand_line import HandOnLine, LineRules, LineWords, plain_line
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.measured import Measured, Scale
from cardledger.rules.engine.measures import Counts, Measure, Played
from cardledger.rules.engine.option import PLAYERS, ByPlayers, Option
from cardledger.rules.engine.orders import Orders, orders, plain_orders
from cardledger.rules.engine.phases import (
    DONE,
    THROWN_IN,
    BidHand,
    Bids,
    Calls,
    CallsInNumbers,
    Claims,
    Dealing,
    Draws,
    Duty,
    Exchange,
    PassHand,
    Phase,
    PickUp,
    StockHand,
    TiedHand,
    TiedWorld,
    Ties,
    TrickPlay,
    check_word,
    lacks,
)
from cardledger.rules.engine.phases.deal import TurnedUp
from cardledger.rules.engine.phases.moves import ASKS, GIVES, PAYS, Move
from cardledger.rules.engine.phases.phase import Take
from cardledger.rules.engine.rulebook import Rule, Rulebook, Violation
from cardledger.rules.engine.score_sheet import ScoreSheet, SheetRules, a_point_a_trick
from cardledger.rules.engine.scoring import MatchScoring, best_total
from cardledger.rules.engine.seen import above, absence, below, highest, legal_cards, lowest
from cardledger.rules.engine.shown import Fact, SeatName, Shown, Word
from cardledger.rules.engine.sides import partners
from cardledger.rules.engine.state import Hand, rotation
from cardledger.rules.engine.study import Bot, Study
from cardledger.sentence import Called, Sentence

__all__ = [
    "ASKS",
    "DONE",
    "GIVES",
    "PAYS",
    "PLAYERS",
    "SUITS",
    "SUIT_MASKS",
    "SUIT_WORDS",
    "THROWN_IN",
    "Ask",
    "BidHand",
    "Bids",
    "Bot",
    "ByPlayers",
    "Call",
    "Called",
    "Calls",
    "CallsInNumbers",
    "Carried",
    "Choice",
    "Claims",
    "Close",
    "Collect",
    "Collecting",
    "Counts",
    "Dealing",
    "Director",
    "Discard",
    "Draw",
    "Draws",
    "Duty",
    "Edition",
    "Event",
    "Exchange",
    "Fact",
    "Game",
    "Give",
    "Hand",
    "HandOnLine",
    "Layoff",
    "LineRules",
    "LineWords",
    "Match",
    "MatchScoring",
    "Measure",
    "Measured",
    "Move",
    "Option",
    "Orders",
    "Pack",
    "Pass",
    "PassHand",
    "Phase",
    "PickUp",
    "Played",
    "Rule",
    "Rulebook",
    "Scale",
    "ScoreSheet",
    "SeatName",
    "Sentence",
    "SheetRules",
    "Shown",
    "StockHand",
    "Study",
    "Take",
    "TiedHand",
    "TiedWorld",
    "Ties",
    "TrickPlay",
    "TurnedUp",
    "Violation",
    "Word",
    "a_point_a_trick",
    "above",
    "absence",
    "after_hands",
    "at_target",
    "beats",
    "below",
    "best_of",
    "best_total",
    "bids_made",
    "by_seat",
    "card_turned_up",
    "cards_at_start",
    "cards_in",
    "cheapest",
    "check_word",
    "dearest",
    "duck",
    "editions_in",
    "events",
    "first",
    "follow_suit",
    "follow_to_take",
    "from_option",
    "growing",
    "highest",
    "highest_left",
    "highest_of",
    "keys",
    "lacks",
    "lead_to_take",
    "left_of_dealer",
    "left_of_taker",
    "legal_cards",
    "likely_followed",
    "lowest",
    "nearest_bid",
    "orders",
    "parse_cards",
    "partner_takes",
    "partners",
    "place_in_cycle",
    "plain_line",
    "plain_orders",
    "resume_at",
    "rotation",
    "standard_pack",
    "strongest",
    "suit_letter",
    "trick_points",
    "tricks_taken",
    "unseen_draw",
]  # fmt: skip
