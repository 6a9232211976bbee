"""Words of the program: the only texts in events that are stored in clear where a text may be anything."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from cardledger.rules.games import editions

_UUID: Final = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_FORMS: Final = re.compile(
    rf"(?:(?:club|session|league)-)?{_UUID}"  # ids
    r"|[0-9a-f]{64}"  # hashes
    r"|\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?"  # days and times
    r"|\d{1,3}(?:[A-Z]\d{0,2})*(?:\([a-z0-9]\))*"  # numbers, and laws: 12C1(b)
    r"|[1-7](?:[CDHS]|NT?)X{0,2}|pass|ns|ew",  # contracts, and sides
    re.ASCII,
)
_NOTED: Final = re.compile(r"(?:Auction|Play)(?: \d+)?|[a-z]{2}|\d*", re.ASCII)
"""Places in a board, and commands of LIN."""
TAGS: Final = frozenset({
    "tag", "section", "comment", "escape", "mark", "command", "pair",
    "Event", "Site", "West", "North", "East", "South", "Dealer", "Declarer", "Competition", "EventDate", "EventSponsor",
    "HomeTeam", "VisitTeam", "Annotator", "AnnotatorNA", "Note", "RubberTable", "ActionTable", "AuctionTimeTable",
    "InstantScoreTable", "PlayTimeTable", "ScoreTable", "TotalScoreTable", "PairWest", "PairNorth", "PairEast", "PairSouth",
    "LEAD", "TRICKS", "PAIR_NUMBER", "DIRECTION",
})  # fmt: skip
"""What files of other formats call their parts; another word may be anybody's."""
IMPERSONAL: Final = frozenset({
    "Date", "Board", "Deal", "Vulnerable", "Contract", "Result", "Score", "Scoring", "Stage", "Round", "Table",
    "Section", "Room", "Time", "UTCDate", "UTCTime", "TimeControl", "Mode", "Generator", "Application", "DealId",
    "ScoreIMP", "ScoreMP", "ScorePercentage", "ScoreRubber", "FrenchMP", "BCFlags", "Hidden", "OptimumScore",
    "OptimumResultTable", "OptimumPlayTable", "DoubleDummyTricks", "ParContract", "Ability", "Minimax", "Auction", "Play",
    "BidSystemNS", "BidSystemEW", "NorthType", "EastType", "SouthType", "WestType", "Termination",
})  # fmt: skip
"""Tags of other formats whose values name no person, as long as they say what they are meant for."""
_LETTERS: Final = re.compile(r"[^\W\d_]{3,}")
_SAID: Final = re.compile(r"[AKQJTX]+|Pass|pass|None|All|Both|North|East|South|West|IMPs?|Open|Closed|Rubber|MPs?")


def is_word(text: str) -> bool:
    """Tell whether a text is a word of the program: an id, a day, a law, a contract, or a word of a game we know.

    >>> is_word("2026-01-31"), is_word("ruff/2"), is_word("12C1"), is_word("Ana")
    (True, True, True, False)
    """
    return _FORMS.fullmatch(text) is not None or text in _words_of_games()


def is_part(text: str) -> bool:
    """Tell whether a text is what a file of another format calls one of its parts."""
    return text in TAGS or text in IMPERSONAL or _NOTED.fullmatch(text) is not None


def is_nameless(text: str) -> bool:
    """Tell whether a text holds no letters but those of cards and a few words of bridge.

    >>> is_nameless("N:AKQ.JT9.8765.432 - - -"), is_nameless("NS 420"), is_nameless("Ana's room")
    (True, True, False)
    """
    return all(_SAID.fullmatch(word) for word in _LETTERS.findall(text))


@cache
def _words_of_games() -> frozenset[str]:
    """Return the ids of games and editions, and the names and choices of their options."""
    words = set()
    for id, by_edition in editions().items():
        words |= {id, *by_edition}
        for game in by_edition.values():
            words |= {word for option in game.options for word in (option.name, *option.choices)}
    return frozenset(words)
