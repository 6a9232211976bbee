"""The measures of euchre: calls, marches, euchres, and players who go alone."""

from cardledger.rules import Counts, Measure, Played, first


def count(played: Played) -> Counts:
    """Count the results of the player who made trump, and of the defenders."""
    hand = played.hand
    maker = [int(seat == hand.maker) for seat in range(4)]
    tricks = hand.taken[hand.maker] + hand.taken[(hand.maker + 2) % 4] if hand.maker >= 0 else 0
    alone = [int(is_maker and hand.alone) for is_maker in maker]
    defending = [int(hand.maker >= 0 and (seat - hand.maker) % 2 == 1) for seat in range(4)]
    return {
        "taken": hand.taken,
        "called": maker,
        "march": [int(is_maker and tricks == 5) for is_maker in maker],
        "euchred": [int(is_maker and tricks < 3) for is_maker in maker],
        "alone": alone,
        "alone_all": [int(is_alone and tricks == 5) for is_alone in alone],
        "defending": defending,
        "euchre": [int(defends and tricks < 3) for defends in defending],
    }


MEASURES = (
    Measure("tricks", "Tricks taken", "tricks taken ÷ hands", "more", "lead.taker", "taken", least=0, most=5, history=first("2026-11-23")),
    Measure("calls", "Trump made", "hands in which the player made trump ÷ hands", "", "call.order", "called", kind="share", history=first("2026-11-23")),
    Measure("marches", "Marches", "hands with all five tricks ÷ hands in which the player made trump", "more", "score.makers", "march", "called", kind="share", history=first("2026-11-23")),
    Measure("euchred", "Euchred", "hands with fewer than three tricks ÷ hands in which the player made trump", "fewer", "score.euchre", "euchred", "called", kind="share", history=first("2026-11-23")),
    Measure("euchres", "Euchres", "hands in which the makers were euchred ÷ hands in which the player defended", "more", "score.euchre", "euchre", "defending", kind="share", history=first("2026-11-23")),
    Measure("alone", "Alone", "hands played alone by the maker ÷ hands in which the player made trump", "", "call.alone", "alone", "called", kind="share", history=first("2026-11-23")),
    Measure("alone-all", "Alone with all tricks", "hands with all five tricks ÷ hands played alone by the maker", "more", "score.alone", "alone_all", "alone", kind="share", history=first("2026-11-23")),
)  # fmt: skip
