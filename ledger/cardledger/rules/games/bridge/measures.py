"""The measures of bridge.

Contracts by level and strain, tricks over the contract, slams, doubles, leads, passed-out boards.
"""

from cardledger.rules import Counts, Measure, Played, first
from cardledger.rules.games.bridge.auction import DOUBLE, LOWEST, BridgeHand, level_of, strain_of
from cardledger.rules.games.bridge.rulings import moved
from cardledger.rules.games.bridge.scoring import STRAINS, duplicate_score, trick_score

SEATS = range(4)
NO_TRUMP = 4
GAME = 100
"""The trick score of a game."""


def count(played: Played) -> Counts:
    """Count contracts and their results for declarers, dummies and defenders."""
    hand: BridgeHand = played.hand
    declared = hand.declarer >= 0
    side = hand.declarer % 2
    declares = [int(declared and seat == hand.declarer) for seat in SEATS]
    ours = [int(declared and seat % 2 == side) for seat in SEATS]
    defends = [int(declared and seat % 2 != side) for seat in SEATS]
    tricks = hand.taken[side] + hand.taken[side + 2] + moved(hand, side) if declared else 0
    beyond = tricks - hand.level - 6
    known = declared and not hand.agreed
    made = known and beyond >= 0
    below = trick_score(hand.level, hand.strain, hand.doubles) if declared else 0
    kinds = {
        "part": below < 100, "game": below >= 100 and hand.level < 6, "slam": hand.level == 6, "grand": hand.level == 7,
    }  # fmt: skip
    leader = hand.tricks[0][0][0] if hand.tricks else hand.leader if hand.trick else -1
    led = hand.tricks[0][1][0] if hand.tricks else hand.trick[0] if hand.trick else 0
    return {
        **competition(hand, side, ours, known),
        "declared": declares,
        "side_declared": ours,
        "defended": defends,
        "made": _of(declares, made),
        "side_made": _of(ours, made),
        "beaten": _of(defends, known and not made),
        "beyond": [beyond * one if known else 0 for one in declares],
        "beyond_defence": [-beyond * one if known else 0 for one in defends],
        "level": [hand.level * one for one in declares],
        **{f"strain_{name}": _of(declares, hand.strain == place) for place, name in enumerate(STRAINS)},
        **{name: _of(ours, kind) for name, kind in kinds.items()},
        **{f"{name}_made": _of(ours, kind and made) for name, kind in kinds.items()},
        "doubles": _of(defends, hand.doubles > 0),
        "doubles_beaten": _of(defends, hand.doubles > 0 and known and not made),
        "doubled": [int(any(call == DOUBLE for call in hand.calls[(seat - hand.dealer) % 4 :: 4])) for seat in SEATS],
        "led": [int(seat == leader) for seat in SEATS],
        "led_after_bid": [int(seat == leader and bool(suits_bid(hand, (seat + 2) % 4))) for seat in SEATS],
        "led_partners": [int(seat == leader and led // 13 in suits_bid(hand, (seat + 2) % 4)) for seat in SEATS],
        "led_trump": [int(seat == leader and led // 13 == hand.strain) for seat in SEATS],
        "led_honour": [int(seat == leader and led % 13 >= 8) for seat in SEATS],
        "passed_out": [int(hand.passed_out)] * 4,
    }


def suits_bid(hand: BridgeHand, seat: int) -> set[int]:
    """Return the suits that a player bid."""
    own = hand.calls[(seat - hand.dealer) % 4 :: 4]
    return {strain_of(call) for call in own if call >= LOWEST} - {NO_TRUMP}


def competition(hand: BridgeHand, side: int, ours: list[int], known: bool) -> Counts:
    """Count auctions in which both sides bid, and what became of bids over a game of the opponents."""
    bid_by: list[tuple[int, int]] = []  # the trick scores of the bids, and the seats that made them
    over = [0, 0, 0, 0]
    for place, call in enumerate(hand.calls):
        if call >= LOWEST:
            seat = (hand.dealer + place) % 4
            over[seat] |= bool(bid_by) and bid_by[-1][0] >= GAME and (bid_by[-1][1] - seat) % 2 == 1
            bid_by.append((trick_score(level_of(call), strain_of(call), 0), seat))
    contested = len({seat % 2 for _, seat in bid_by}) == 2
    theirs = max((score for score, seat in bid_by if seat % 2 != side and score >= GAME), default=0)
    outbid = bool(theirs) and known and hand.scores is not None
    made = 0
    if outbid:
        last = max(
            call for place, call in enumerate(hand.calls)
            if call >= LOWEST and (hand.dealer + place) % 2 != side and trick_score(level_of(call), strain_of(call), 0) >= GAME
        )  # fmt: skip
        level, strain = level_of(last), strain_of(last)
        made = duplicate_score(level, strain, 0, hand.vulnerable >> (1 - side) & 1, level + 6)
    gained = hand.scores[side] + made if outbid and hand.scores is not None else 0
    return {
        "contested": [int(contested)] * 4,
        "contested_won": _of(ours, contested),
        "over_game": over,
        "outbid": _of(ours, outbid),
        "outbid_gain": [gained * one if outbid else 0 for one in ours],
        "outbid_better": _of(ours, outbid and gained > 0),
    }


def _of(seats: list[int], holds: bool) -> list[int]:
    """Return the seats counted if a condition holds, else nothing."""
    return [one if holds else 0 for one in seats]


MEASURES = (
    Measure("declared", "Contracts declared", "hands declared ÷ hands", "", "declarer.first", "declared", kind="share", history=first("2026-11-23")),
    Measure("made", "Contracts made", "contracts made ÷ hands declared", "more", "score.contract", "made", "declared", kind="share", history=first("2026-11-23")),
    Measure("beyond", "Tricks over the contract", "tricks taken less those of the contract ÷ hands declared", "more", "score.contract", "beyond", "declared", least=-13, most=6, history=first("2026-11-23")),
    Measure("beaten", "Contracts beaten", "contracts that went down ÷ hands defended", "more", "score.contract", "beaten", "defended", kind="share", history=first("2026-11-23")),
    Measure("beyond-defence", "Tricks over the contract in defence", "tricks by which contracts went down, less overtricks ÷ hands defended", "more", "score.contract", "beyond_defence", "defended", least=-6, most=13, history=first("2026-11-23")),
    Measure("level", "Level of contracts", "levels of contracts ÷ hands declared", "", "call.sufficient", "level", "declared", least=1, most=7, history=first("2026-11-23")),
    *(
        Measure(f"strain-{name.lower()}", f"Contracts in {words}", f"contracts in {words} ÷ hands declared", "", "declarer.first", f"strain_{name}", "declared", kind="share", history=first("2026-11-23"))
        for name, words in zip(STRAINS, ("clubs", "diamonds", "hearts", "spades", "no trump"), strict=True)
    ),
    *(
        Measure(f"{name}s", f"{title} bid", f"{title.lower()} bid by the side ÷ hands it declared", "", "score.contract", name, "side_declared", kind="share", history=first("2026-11-23"))
        for name, title in (("part", "Part scores"), ("game", "Games"), ("slam", "Small slams"), ("grand", "Grand slams"))
    ),
    *(
        Measure(f"{name}s-made", f"{title} made", f"{title.lower()} made ÷ {title.lower()} bid by the side", "more", "score.contract", f"{name}_made", name, kind="share", history=first("2026-11-23"))
        for name, title in (("part", "Part scores"), ("game", "Games"), ("slam", "Small slams"), ("grand", "Grand slams"))
    ),
    Measure("doubled", "Doubles", "hands in which the player doubled ÷ hands", "", "call.double", "doubled", kind="share", history=first("2026-11-23")),
    Measure("doubles-beaten", "Doubled contracts beaten", "doubled contracts that went down ÷ doubled contracts defended", "more", "call.double", "doubles_beaten", "doubles", kind="share", history=first("2026-11-23")),
    Measure("lead-trump", "Trump led", "opening leads of a trump ÷ opening leads", "", "lead.left-of-declarer", "led_trump", "led", kind="share", history=first("2026-11-23")),
    Measure("lead-honour", "Honour led", "opening leads of a ten or higher ÷ opening leads", "", "lead.left-of-declarer", "led_honour", "led", kind="share", history=first("2026-11-23")),
    Measure("lead-partners", "Partner's suit led", "opening leads in a suit that the partner bid ÷ opening leads after the partner bid a suit", "", "lead.left-of-declarer", "led_partners", "led_after_bid", kind="share", history=first("2026-11-23")),
    Measure("contested", "Contested auctions won", "contracts of the side in contested auctions ÷ auctions in which both sides bid", "", "call.sufficient", "contested_won", "contested", kind="share", history=first("2026-11-23")),
    Measure("over-game", "Bids over a game", "hands in which the player bid over the opponents' game ÷ hands", "", "call.sufficient", "over_game", kind="share", history=first("2026-11-23")),
    Measure("outbid-gain", "Points gained over a game", "points of the side, and those of the opponents' highest game bid just made ÷ contracts of the side over a game of the opponents", "more", "score.contract", "outbid_gain", "outbid", least=-7600, most=9820, history=first("2026-11-23")),
    Measure("outbid-better", "Bids over a game that paid", "such contracts that scored better than the opponents' game just made ÷ contracts of the side over a game of the opponents", "more", "score.contract", "outbid_better", "outbid", kind="share", history=first("2026-11-23")),
    Measure("field", "Points against the field", "points less their mean at the other tables with the same cards and seat ÷ hands played at several tables", "more", "score.match", "field", "fielded", history=first("2026-11-23")),
    Measure("field-declarer", "Declarer against the field", "the same ÷ hands declared that were played at several tables", "more", "score.match", "field_declared", "fielded_declared", history=first("2026-11-23")),
    Measure("field-defence", "Defence against the field", "the same ÷ hands defended that were played at several tables", "more", "score.match", "field_defended", "fielded_defended", history=first("2026-11-23")),
    Measure("open-declarer", "Declarer's tricks against best play", "tricks taken less those with all cards open and best play ÷ hands declared and analysed", "more", "score.contract", "dd_beyond", "dd_declared", least=-13, most=13, history=first("2026-11-23")),
    Measure("open-defence", "Defenders' tricks against best play", "the same for the defence ÷ hands defended and analysed", "more", "score.contract", "dd_beyond_defence", "dd_defended", least=-13, most=13, history=first("2026-11-23")),
    Measure("open-cost", "Tricks given up", "tricks given up by cards with all cards open ÷ cards chosen and analysed; dummy's are the declarer's", "fewer", "lead.taker", "dd_cost", "dd_cards", kind="count", most=13, history=first("2026-11-23")),
    Measure("open-lead", "Tricks given up by leads", "tricks given up by opening leads with all cards open ÷ opening leads analysed", "fewer", "lead.left-of-declarer", "dd_lead", "dd_led", kind="count", most=13, history=first("2026-11-23")),
    Measure("slams-found", "Slams found", "slams bid by the side ÷ analysed hands in which the side takes twelve tricks with all cards open", "more", "score.contract", "dd_slams_bid", "dd_slams", kind="share", history=first("2026-11-23")),
    Measure("passed-out", "Passed-out boards", "boards passed out ÷ hands", "", "auction.passed-out", "passed_out", kind="share", history=first("2026-11-23")),
)  # fmt: skip
