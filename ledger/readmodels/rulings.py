"""The table of rulings: how often each rule decided something in a hand, or was broken."""

from collections import Counter
from collections.abc import Iterator

from ledger.hand import Hand
from ledger.readmodels.model import Folded, ReadModel, Row
from ledger.readmodels.summary import Summary
from ledger.table import Table


def rows(match: Folded, since: int) -> Iterator[Row]:
    """Yield the rulings of the hands of a match."""
    table = match.stream.table
    id, game = match.id, table.game.id
    broken = [(found.seq, found.rule) for found in table.violations]
    for hand in table.hands[since - 1 :]:
        number = hand.number
        resolved = [rule for *_, rule in hand.tricks]
        if hand.scores is not None:
            resolved += _ending(table, hand)
        verdicts = [(rule, "resolved", resolved.count(rule)) for rule in set(resolved)]
        if broken:
            last = hand.last or match.stream.seq
            found = Counter(rule for seq, rule in broken if hand.first <= seq <= last)
            verdicts += [(rule, "broken", count) for rule, count in found.items()]
        for rule, verdict, count in sorted(verdicts):
            yield id, number, rule, verdict, game, count


def _ending(table: Table, hand: Hand) -> Iterator[str]:
    """Yield the rules that gave a hand its points, and the one that ended the match with it."""
    if hand.claimed is not None:
        yield "claim.agreed"
    if hand.agreed:
        yield "score.agreed"
    else:
        yield from table.game.scored_by(hand)
    if hand is table.hands[-1] and table.status == "complete":
        rule = table.game.over(table)
        assert rule is not None
        yield rule


RULINGS = ReadModel(
    "rulings",
    "What each rule decided in a hand: its tricks, its points, the end of the match; and how often it was broken.",
    {
        "match": ("TEXT NOT NULL", "id of the match"),
        "hand": ("INTEGER NOT NULL", "number of the hand in the match, from 1"),
        "rule": ("TEXT NOT NULL", "id of the rule"),
        "verdict": ("TEXT NOT NULL", "resolved: it decided something; broken: an irregular event that counts"),
        "game": ("TEXT NOT NULL", "id of the game"),
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
        "game": ("{row}.game", "id of the game"),
        "rule": ("{row}.rule", "id of the rule"),
        "verdict": ("{row}.verdict", "resolved or broken, as in `rulings`"),
    },
    {"hands": ("1", "hands in which it did"), "count": ("{row}.count", "how often")},
)
