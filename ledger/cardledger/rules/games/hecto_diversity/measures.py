"""The measures of hecto-diversity: who closes, when, and the penalties of the others."""

from math import inf

from cardledger.rules import Counts, Measure, Played, first
from cardledger.rules import events as ev
from cardledger.rules.games.hecto_diversity.diverse import PACKS

MOST_VALUE = max(max(pack.ranks) for pack in PACKS)
"""The highest value of a card in any layout; a penalty is at most six cards."""


def count(played: Played) -> Counts:
    """Count draws by pile, the close and the penalties."""
    hand, n = played.hand, played.match.n
    closer, penalties = hand.closer, hand.penalties
    draws, from_discards, laid_off = [0] * n, [0] * n, [0] * n
    for event in played.events():
        if isinstance(event, ev.Draw):
            draws[event.seat] += 1
            from_discards[event.seat] += event.source == "discards"
        elif isinstance(event, ev.Layoff):
            laid_off[event.seat] += 1
    assert hand.scores is not None
    closed = [int(seat == closer) for seat in range(n)]
    straight = hand.scores[closer] != -sum(penalties)
    return {
        "draws": draws,
        "from_discards": from_discards,
        "closed": closed,
        "close_turn": [draws[closer] * one for one in closed],
        "straight": [straight * one for one in closed],
        "caught": [1 - one for one in closed],
        "penalty": penalties,
        "laid_off": laid_off,
    }


MEASURES = (
    Measure("closes", "Closes", "hands closed ÷ hands", "more", "close.diverse", "closed", kind="share", history=first("2026-11-21")),
    Measure("turn", "Turn of closing", "own draws up to the close ÷ hands closed", "fewer", "turn.draw", "close_turn", "closed", least=1, most=inf, history=first("2026-11-21")),
    Measure("straight", "Straights", "hands closed with a straight ÷ hands closed", "more", "score.straight", "straight", "closed", kind="share", history=first("2026-11-21")),
    Measure("penalty", "Penalty", "penalties ÷ hands that another closed", "fewer", "score.penalty", "penalty", "caught", kind="count", most=6 * MOST_VALUE, history=first("2026-11-21")),
    Measure("discards", "Drawn from the discards", "draws from the discards ÷ draws", "", "turn.draw", "from_discards", "draws", kind="share", history=first("2026-11-21")),
    Measure("laid-off", "Cards laid off", "cards laid off ÷ hands that another closed", "more", "layoff.eligible", "laid_off", "caught", kind="share", history=first("2026-11-21")),
)  # fmt: skip
