"""What attendance tells of players in an anonymous edition.

K, the smallest number of players who share what is published of it.
"""

from __future__ import annotations

import hmac
from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable

Days = Literal["none", "year", "quarter", "month", "week", "day", "shifted"]
"""How exact the days of an edition are. Shifted days are all the same number of weeks before the true ones."""
DAYS: tuple[Days, ...] = get_args(Days)
MOST_WEEKS = 1_040
"""The most weeks that days are shifted by."""


class Anonymity(NamedTuple):
    """How many players share what is published of their attendance: the smallest group of those numbered.

    `days`: the same set of published days. `matches`: the same number of matches on each of them, which somebody can
    know who was always there. `numbered` players have a number, the others have none.
    """

    numbered: int
    days: int
    matches: int


def weeks_of(key: bytes) -> int:
    """Return the number of weeks that an edition with this key shifts its days by, from 1 to `MOST_WEEKS`."""
    return int.from_bytes(hmac.digest(key, b"weeks", "sha256")) % MOST_WEEKS + 1


def published_day(day: str, days: Days, weeks: int) -> str:
    """Return a day (ISO 8601) as an edition has it: `2026`, `2026-Q2`, `2026-05`, `2026-W20`, `2026-05-14`.

    Empty if that cannot be told. `weeks` is how far an edition with shifted days goes back, and counts for no other.
    """
    if days == "none":
        return ""
    try:
        at = date.fromisoformat(day) - timedelta(weeks=weeks if days == "shifted" else 0)
    except (ValueError, OverflowError):
        return ""
    if days == "week":
        year, week, _ = at.isocalendar()
        return f"{year:04}-W{week:02}"
    if days == "quarter":
        return f"{at.year:04}-Q{(at.month + 2) // 3}"
    return f"{at:%Y-%m-%d}"[: {"year": 4, "month": 7, "day": 10, "shifted": 10}[days]].zfill(4)


def anonymity(sat: Iterable[tuple[str, str]]) -> Anonymity:
    """Return the anonymity of players, given the player and the published day of every place taken by one with a number."""
    days: dict[str, Counter[str]] = {}
    for player, day in sat:
        days.setdefault(player, Counter())[day] += 1
    if not days:
        return Anonymity(0, 0, 0)
    sets = Counter(frozenset(each) for each in days.values())
    counts = Counter(frozenset(each.items()) for each in days.values())
    return Anonymity(len(days), min(sets.values()), min(counts.values()))
