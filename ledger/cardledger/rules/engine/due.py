"""What comes next in a match, in words: the reason why an event does not fit now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cardledger.rules.engine.at_any_time import VOID
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

DUE: Final = {
    "deal": Sentence("a deal comes next"),
    "bid": Sentence("a bid comes next"),
    "call": Sentence("a call comes next"),
    "pass": Sentence("a pass comes next"),
    "play": Sentence("a card to play comes next"),
    "draw": Sentence("a draw comes next"),
    "discard": Sentence("a discard comes next"),
    "give": Sentence("cards to give come next"),
    "collect": Sentence("the choice of a debtor comes next"),
    "ask": Sentence("the choice of a suit comes next"),
    "layoff": Sentence("a layoff or a pass comes next"),
    "score": Sentence("the hand waits for its score"),
}
"""What comes next, by the moment of the hand; at others an event of that name."""
NOT: Final = {
    "open": Sentence("not an open"),
    "deal": Sentence("not a deal"),
    "bid": Sentence("not a bid"),
    "call": Sentence("not a call"),
    "pass": Sentence("not a pass"),
    "play": Sentence("not a play"),
    "draw": Sentence("not a draw"),
    "discard": Sentence("not a discard"),
    "close": Sentence("not a close"),
    "layoff": Sentence("not a layoff"),
    "collect": Sentence("not a collect"),
    "ask": Sentence("not an ask"),
    "give": Sentence("not a give"),
    "claim": Sentence("not a claim"),
    "score": Sentence("not a score"),
    "adjust": Sentence("not an adjust"),
    "end": Sentence("not an end"),
    "void": Sentence("not a void"),
}
"""What an event is not, by its type."""


def why_not(match: Match[Any], but: str) -> Sentence:
    """Return what comes next, and why an event is not that: `not a bid`, or a sentence."""
    if match.status == VOID:
        return Sentence("the match is void: only note, and retract to bring it back, may follow")
    if match.status != "open":
        return Sentence("the match is over: only note, retract, amend and void may follow")
    moment = match.hand.moment
    due = DUE.get(moment) or Sentence("{event} comes next", event=with_article(moment))
    if but.startswith("not "):
        return Sentence("{due}, {but}", due=due, but=but)
    return Sentence("{due}: {but}", due=due, but=but)


def not_a(type: str) -> Sentence:
    """Return what an event is not, by its type; of a package's own types in English.

    >>> not_a("bid"), not_a("ante")
    ('not a bid', 'not an ante')
    """
    return NOT.get(type) or Sentence("not {event}", event=with_article(type))


def none_of_it(type: str, game: str) -> Sentence:
    """Return that a game has no event of a type."""
    return Sentence("there is no {event} in {game}", event=type, game=game)


def with_article(word: str) -> str:
    """Return a word with its article: `a bid`, `an ask`.

    >>> with_article("bid"), with_article("ask")
    ('a bid', 'an ask')
    """
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"
