"""What comes next in a match, in words: the reason why an event does not fit now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardledger.rules.engine.at_any_time import VOID

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

DUE: Final = {
    "play": "a card to play comes next",
    "give": "cards to give come next",
    "collect": "the choice of a debtor comes next",
    "ask": "the choice of a suit comes next",
    "layoff": "a layoff or a pass comes next",
    "score": "the hand waits for its score",
}
"""What comes next, by the moment of the hand; at others an event of that name."""


def why_not(match: Match[Any], but: str) -> str:
    """Return what comes next, and why an event is not that: `not a bid`, or a sentence."""
    if match.status == VOID:
        return "the match is void: only note, and retract to bring it back, may follow"
    if match.status != "open":
        return "the match is over: only note, retract, amend and void may follow"
    moment = match.hand.moment
    due = DUE.get(moment) or f"{with_article(moment)} comes next"
    return f"{due}{', ' if but.startswith('not ') else ': '}{but}"


def with_article(word: str) -> str:
    """Return a word with its article: `a bid`, `an ask`.

    >>> with_article("bid"), with_article("ask")
    ('a bid', 'an ask')
    """
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"
