"""What the keys of events mean, where the word alone says too little or something else."""

from __future__ import annotations

MEANINGS_OF_EVENTS: dict[str, dict[str, str]] = {
    "Open": {
        "players": "ids of the players by seat, or names",
        "table": "name of the table, as written",
        "id": "id of the event, a UUID",
    },
    "Deal": {
        "hands": "faces of the cards by seat; null if the recorder cannot see them",
        "contract": "the contract, where nobody wrote the calls down",
        "declarer": "seat of the declarer, where nobody wrote the calls down",
    },
    "Draw": {"cards": "faces of the cards drawn, the first drawn first; null if they came from the stock unseen"},
    "Discard": {"card": "face of the card; null if it was laid face down unseen"},
    "Collect": {"from": "seat of the debtor, from 0"},
    "Ask": {"from": "seat of the debtor, from 0"},
    "Give": {
        "card": "face of the card: a debt paid, or a card given back",
        "cards": "faces of the cards passed on; null if unseen",
    },
    "Claim": {"tricks": "tricks of the rest, by seat", "seat": "seat of the claimant, if it was recorded"},
    "Adjust": {
        "kind": "kind of the ruling; it decides which other keys there are",
        "hand": "number of the hand in its match, from 1; the last begun if it is left out",
        "about": "number of the event that was ruled on",
        "to": "side that gets the tricks",
        "tricks": "number of tricks that move",
        "side": "side that gets the penalty",
    },
    "Weighted": {"tricks": "tricks the declarer took"},
    "Retract": {"to": "number of the event after which the match goes on"},
    "Amend": {"event": "the event that counts instead"},
    "Void": {"reason": "why the match counts nowhere"},
    "EveningMember": {
        "number": "number of the member in the club",
        "from": "first day, included",
        "until": "last day, included",
    },
    "EveningSession": {
        "name": "name of the evening",
        "date": "day of the evening",
        "place": "place where it is held",
        "options": "options of its matches",
        "league": "id of the league it counts for",
    },
    "EveningScoring": {
        "kind": "how results are compared",
        "unit": "points of one unit of a Butler score",
        "points": "points by place, the best first",
    },
    "EveningEntry": {
        "line": "line of the entry, if it keeps one",
        "stays": "whether somebody there cannot move",
        "plays_as": "what a player of a drive plays as, by the colour of the card",
    },
    "EveningMovement": {
        "kind": "kind of the movement",
        "tables": "number of tables",
        "entries": "number of entries",
        "boards": "number of boards in a set",
        "from": "its first round in the session",
        "tricks": "of a drive: the tricks of a hand, which two pairs share",
        "moves": "of a drive: who moves after a hand",
        "trumps": "of a drive: the cycle of trumps",
        "sections": "tables of each section, in order",
        "compare": "of sections: with whom a result is compared",
        "rank": "of sections: who ranks together",
    },
    "EveningPlace": {"seats": "numbers of the entries by seat", "boards": "number of the set of boards"},
    "EveningTable": {"seats": "entries by seat, or players"},
    "EveningResult": {"tricks": "tricks the declarer took", "points": "points by seat"},
    "EveningWeighted": {"tricks": "tricks of the declarer"},
    "EveningAbsent": {
        "board": "number of the board; all of the table's boards if it is left out",
        "why": "why there is no result",
    },
    "EveningPublish": {"hash": "SHA-256 of the ranking, in hexadecimal"},
    "EveningLeague": {
        "name": "name of the league",
        "from": "first day, included",
        "until": "last day, included",
        "count": "how sessions count",
    },
    "EveningCount": {
        "per": "total or mean of the nights",
        "value": "what counts of a night; what it ranks by if it is left out",
    },
    "EveningCounts": {"weight": "weight of the session; 0 leaves it out"},
    "EveningRetract": {"to": "number of the event after which it goes on"},
}
