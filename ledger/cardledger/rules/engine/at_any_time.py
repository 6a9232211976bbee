"""Events that may come at any time: the points of a score sheet, the end of the match, void, a director's ruling."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from cardledger.pseudonyms import left
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.judging import judge_cut
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from cardledger.rules.engine.match import Match

VOID: Final = "void"
"""The status of a match that counts nowhere."""
MOST_POINTS = 10**12
"""Most points that a score sheet may give for a hand: the totals of any match fit a database's integers."""


def take_score(match: Match[Any], hand: Any, event: ev.Score) -> None:
    """The hand ends with the points of a score sheet (`score.agreed`)."""
    match.expect_list("scores", event.scores)
    if max(map(abs, event.scores)) > MOST_POINTS:
        match.refuse("table.range", Sentence("the points of a hand are at most {most:,}", most=MOST_POINTS))
    given: dict[int, int] = {}
    for seat, points in enumerate(event.scores):
        if given.setdefault(match.side[seat], points) != points:
            match.refuse("table.range", Sentence("partners have the same points: those of their side"))
    if hand.over or hand.moment == "over":
        match.expect("", but=Sentence("a score needs a hand under way"))
    judge_cut(match)
    match.hand.agreed = True
    match.cite("score.agreed", Sentence("the points are taken from the score sheet"))
    match.finish(list(event.scores))


def take_end(match: Match[Any], hand: Any, event: ev.End) -> None:
    """The match ends early."""
    if hand.moment == "over":
        match.expect("end")
    judge_cut(match)
    if match.game.scoring.unfinished is not None:
        match.game.scoring.unfinished(match)
    match.close("ended")


def take_void(match: Match[Any], hand: Any, event: ev.Void) -> None:
    """The match counts nowhere."""
    if match.status == VOID:
        match.expect("void")
    match.close(VOID)
    match.winners = []


def take_adjust(match: Match[Any], hand: Any, event: ev.Adjust) -> None:
    """A director's ruling, if the game has them: on a hand that has begun, about a recorded event.

    A ruling that gives a hand under way its result ends it.
    """
    if match.game.director.adjust is None:
        match.expect("", but=Sentence("there is no {event} in {game}", event="adjust", game=match.game.id))
    if match.status == VOID:
        match.expect("adjust")
    number = event.hand if event.hand is not None else len(match.hands)
    if not 1 <= number <= len(match.hands):
        match.refuse(
            "table.range",
            Sentence("there is no hand {number}: hands so far are 1 to {last}", number=number, last=len(match.hands)),
        )
    if event.about is not None and not 1 <= event.about < match.seq:
        match.refuse(
            "table.range",
            Sentence("about is {about}, but events so far are 1 to {last}", about=event.about, last=match.seq - 1),
        )
    rule, gives_result = match.game.director.adjust(match, match.hands[number - 1], event)
    ends = gives_result and match.hands[number - 1].scores is None
    if ends:
        judge_cut(match)
    if rule:
        said = Sentence("a ruling of kind {kind}, law {law}", kind=event.kind, law=event.law)
        match.cite(rule, Sentence("{said}: {reason}", said=said, reason=left(event.reason)) if event.reason else said)
    ruled = match.own(number)
    ruled.rulings = (*ruled.rulings, event)
    if ends:
        match.finish([0] * match.n)
    elif ruled.scores is not None:
        match.ruled_at = match.seq
        match.recount()


AT_ANY_TIME: Final[dict[type[ev.Event], Callable[[Any, Any, Any], None]]] = {
    ev.Score: take_score,
    ev.End: take_end,
    ev.Adjust: take_adjust,
    ev.Void: take_void,
}
"""The kinds of events that every phase takes."""
