"""A player's progress: how often the answers to questions were best, and what they cost, by game and month."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

from cardledger.study.stats.distributions import quantile, wilson
from cardledger.study.stats.estimators import PROGRESS
from cardledger.study.stats.luck.accounts import basis
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.answers import answers_of, as_data, weigh, weighed_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.luck.luck_store import WeighedChoice
    from cardledger.study.stats.review.answers import GivenAnswer

LATEST = 20
"""The number of latest answers that are listed."""
_SURE = 1.96
Weighed = tuple["GivenAnswer", "WeighedChoice | None"]


def progress(ledger: Ledger, player: str, game: str | None = None, *, at_once: bool = False) -> dict[str, Any]:
    """Return what a person answered, in all games or in one; nothing for somebody who has answered nothing.

    Arguments:
        ledger: the ledger.
        player: any id of the person.
        game: the game, None for all.
        at_once: whether answers are weighed that were not yet; else they are `pending`, and a server does it while
            nothing is recorded.
    """
    with LuckStore(ledger) as store:
        store.catch_up()
        given = answers_of(ledger, player)
        if at_once:
            for _ in weigh(store, given):
                pass
        played = _games_of(store, given)
        found: dict[str, list[Weighed]] = {}
        for one in given:
            of = played.get(one.match)
            if of is not None and game in (None, of):
                found.setdefault(of, []).append((one, weighed_of(store, one)))
        of_games = [{"game": of} | _of(rows) | {"months": _by_month(rows)} for of, rows in sorted(found.items())]
        latest = [one for rows in found.values() for one in rows]
        latest.sort(key=lambda each: each[0].day, reverse=True)
        return {
            "player": ledger.people().person(player),
            "games": of_games,
            "latest": [as_data(*one) for one in latest[:LATEST]],
            "basis": basis(store, sorted(found), PROGRESS),
        }


def _games_of(store: LuckStore, given: Iterable[GivenAnswer]) -> dict[str, str]:
    """Return the games of the matches that were asked about, without those that do not count."""
    matches = {one.match for one in given}
    return {hand.match: hand.game for match in sorted(matches) for hand in store.hands("match = ?", (match,))}


def _by_month(rows: Sequence[Weighed]) -> list[dict[str, Any]]:
    months: dict[str, list[Weighed]] = {}
    for one in rows:
        months.setdefault(one[0].day[:7], []).append(one)
    return [{"month": month} | _of(some) for month, some in sorted(months.items(), reverse=True)]


def _of(rows: Sequence[Weighed]) -> dict[str, Any]:
    """Return the figures of some answers of a game; those that are pending, or asked no more, count in none."""
    costs = [(cost.cost, cost.best) for _, cost in rows if cost is not None and cost.cost is not None]
    pending = sum(cost is None for _, cost in rows)
    n = len(costs)
    return {
        "answers": len(rows),
        "pending": pending,
        "left_out": len(rows) - pending - n,
        "best": _share(sum(best for _, best in costs), n),
        "cost": _mean([cost for cost, _ in costs]),
    }


def _share(number: int, n: int) -> dict[str, Any] | None:
    if not n:
        return None
    low, high = wilson(number / n, n, _SURE)
    return {"number": number, "value": number / n, "low": low, "high": high}


def _mean(values: Sequence[float]) -> dict[str, Any] | None:
    """Return a mean with its 95% interval; none for fewer than two values."""
    n = len(values)
    if not n:
        return None
    mean = sum(values) / n
    if n == 1:
        return {"value": mean, "low": None, "high": None}
    half = quantile(n - 1) * sqrt(sum((one - mean) ** 2 for one in values) / (n - 1) / n)
    return {"value": mean, "low": mean - half, "high": mean + half}
