"""Choices in words: what a player chose or could have chosen, as people say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.sentence import Sentence
from cardledger_web.languages import _, minus, translated
from cardledger_web.views.cards import as_text, drawn
from cardledger_web.views.table import SUITS, apart
from cardledger_web.views.wording import wording

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.rules.engine.match import Match


def choice_in_words(kind: str, said: str, table: Match[Any], names: Sequence[str]) -> str:
    """Return a choice, an event of a kind, as people say it: cards as they are drawn, a seat by its name.

    `said` is the choice as reviews and quizzes have it.
    """
    cards = drawn(table.pack)
    match kind:
        case "collect":
            return _("From %(name)s", name=apart(names[int(said.removeprefix("seat "))]))
        case "ask":
            return as_text(translated(SUITS[said]))
        case "close":
            return _("Close with %(card)s", card=cards[said.removeprefix("close ")].text)
        case "draw":
            return _("Draw from the stock") if said == "stock" else _("Draw from the discards")
        case "pass":
            return _("Pass")
    return " ".join(cards[word].text if word in cards else wording(table.game).call(word) for word in said.split())


def decision_in_words(decision: Mapping[str, Any], table: Match[Any], names: Sequence[str]) -> str:
    """Return the sentence of a reviewed decision in the language of the page, its choices as people say them.

    - decision: a decision as accounts have it, with its `sentence`.
    - table: the match.
    - names: the players by seat.
    """
    sentence: Sentence = decision["sentence"]
    said: dict[str, Any] = {"who": apart(names[decision["seat"]])}
    for key in ("made", "best"):
        said[key] = choice_in_words(decision["type"], decision[key], table, names)
    if isinstance(cost := sentence.values.get("cost"), Sentence):
        said["cost"] = Sentence(cost.template, **{key: minus(value) for key, value in cost.values.items()})
    return translated(Sentence(sentence.template, **{key: said[key] for key in sentence.values}))
