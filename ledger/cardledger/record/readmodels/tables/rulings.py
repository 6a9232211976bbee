"""The table of rulings: how often each rule decided something in a hand, or was broken."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from cardledger.record.readmodels.columns import GAME, HAND, MATCH, RULE
from cardledger.record.readmodels.model import Folded, ReadModel, Row
from cardledger.record.readmodels.summary import Summary
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.state import Hand


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the rulings of the hands of a match."""
    table = match.stream.table
    id, game = match.id, table.game.id
    broken = [(violation.seq, violation.rule) for violation in table.violations]
    for hand in table.hands[since - 1 :]:
        number = hand.number
        resolved = [rule for *_, rule in hand.tricks]
        if hand.scores is not None:
            resolved += _ending(table, hand)
        verdicts = [(rule, "resolved", resolved.count(rule)) for rule in set(resolved)]
        if broken:
            last = hand.last or match.stream.seq
            times_broken = Counter(rule for seq, rule in broken if hand.first <= seq <= last)
            verdicts += [(rule, "broken", count) for rule, count in times_broken.items()]
        for rule, verdict, count in sorted(verdicts):
            yield id, number, rule, verdict, game, count


def _ending(table: Match[Any], hand: Hand) -> Iterator[str]:
    """Yield the rules that gave a hand its points, and the one that ended the match with it."""
    if hand.claimed is not None:
        yield "claim.agreed"
    if hand.agreed:
        yield "score.agreed"
    else:
        yield from table.game.scoring.rules_for(table, hand)
    if hand is table.hands[-1] and table.status == "complete":
        rule = table.game.scoring.over(table)
        assert rule is not None
        yield rule


VERDICT = ("TEXT NOT NULL", "resolved: it decided something; broken: an irregular event that counts")
RULINGS = ReadModel(
    "rulings",
    "How often each rule decided something in a hand (a trick, the points, the end of the match) or was broken.",
    {
        "match": MATCH,
        "hand": HAND,
        "rule": RULE,
        "verdict": VERDICT,
        "game": GAME,
        "count": ("INTEGER NOT NULL", "how often in the hand"),
    },
    ("match", "hand", "rule", "verdict"),
    rows,
)
RULES = Summary(
    "rules",
    "How often each rule of a game decided something or was broken, in all matches.",
    RULINGS,
    {
        "game": ("{row}.game", GAME[1]),
        "rule": ("{row}.rule", RULE[1]),
        "verdict": ("{row}.verdict", VERDICT[1]),
    },
    {"hands": ("1", "hands in which it did so"), "count": ("{row}.count", "how often")},
)
