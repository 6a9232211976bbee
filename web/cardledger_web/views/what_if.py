"""What if as a page shows it: how the hands of a game fare under another edition, and why some are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.study.analyse.what_if import REFUSED, UNFIT
from cardledger.study.stats.luck.deals import WHY
from cardledger_web.languages import N_, _, ngettext, thousands, translated

if TYPE_CHECKING:
    from cardledger.study.analyse.what_if_answers import WhatIfAnswer

_WORDS = (
    N_("hands whose own edition refuses an event, now that the cards are known"),
    N_("with options that the edition does not have"), N_("with a number of players that the edition does not have"),
    N_("with hands of another size, or other cards"), N_("with another kind of deal"),
)  # fmt: skip
"""The reasons of `cardledger.study.analyse.what_if`."""


def left_out(answer: WhatIfAnswer) -> list[str]:
    """Say what was not judged again, and why: a sentence without full stop for each reason."""
    found = answer.found
    hands = [
        f"{thousands(number)} {translated(WHY.get(why, REFUSED))}" for why, number in sorted(found.left_out.items())
    ]
    unfit = [f"{_matches(number)} {_of_unfit(code)}" for code, number in sorted(found.unfit.items())]
    more = []
    if number := answer.waiting:
        text = ngettext(
            "%(said)s match whose cards another table has yet to play",
            "%(said)s matches whose cards another table has yet to play",
            number,
            said=thousands(number),
        )
        more.append(text)
    if number := found.problems:
        text = ngettext(
            "%(said)s match that cannot be read", "%(said)s matches that cannot be read", number, said=thousands(number)
        )
        more.append(text)
    return [*hands, *unfit, *more]


def _matches(number: int) -> str:
    return ngettext("%(said)s match", "%(said)s matches", number, said=thousands(number))


def _of_unfit(code: str) -> str:
    if code in UNFIT:
        return translated(UNFIT[code])
    return _("that the edition refuses (%(code)s)", code=code)
