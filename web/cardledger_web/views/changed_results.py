"""What a correction would change in the results of a match, and in the ranking of an evening, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger_api.current import people_of
from cardledger_web.languages import _, joined, minus, ngettext, translated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardledger.record.recording.comparison import ChangedRow
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.match import Match


def changed_results(before: Match[Any], after: Match[Any], names: Sequence[str]) -> Iterator[str]:
    """Yield the points, the breaches of rules and the state of the match that differ; `names` are by seat."""
    for seat, (one, other) in enumerate(zip(before.totals, after.totals, strict=True)):
        if one != other:
            yield ngettext(
                "%(name)s: %(one)s → %(num)s point",
                "%(name)s: %(one)s → %(num)s points",
                abs(other), name=names[seat], one=minus(one), num=minus(other),
            )  # fmt: skip
    broken = [(violation.rule, violation.seat) for violation in before.violations]
    for violation in after.violations:
        if (violation.rule, violation.seat) in broken:
            broken.remove((violation.rule, violation.seat))
        else:
            text = translated(after.game.book[violation.rule].text)
            name = names[violation.seat]
            yield _("%(name)s then breaks %(rule)s: %(words)s", name=name, rule=violation.rule, words=text)
    for rule, seat in broken:
        yield _("%(name)s no longer breaks %(rule)s", name=names[seat], rule=rule)
    if before.status != after.status:
        yield _("The match: %(before)s → %(after)s", before=before.status, after=after.status)
    elif before.winners != after.winners:
        yield _("Winners: %(names)s", names=_(" and ").join(names[seat] for seat in after.winners))


def changed_places(ledger: Ledger, rows: Iterable[ChangedRow]) -> Iterator[str]:
    """Yield what changes in the ranking of an evening, in the order of the places then."""
    called = people_of(ledger).name
    for row in rows:
        names = joined([*map(called, row.players)])
        totals = minus(row.total_then or "–"), minus(row.total_now or "–")
        if row.place_then == row.place_now:
            yield _("%(names)s: %(was)s → %(now)s, place %(place)s as before", names=names, was=totals[0], now=totals[1], place=row.place_now or "–")  # fmt: skip
        else:
            yield _("%(names)s: %(was)s → %(now)s, place %(place)s → %(then)s", names=names, was=totals[0], now=totals[1], place=row.place_then or "–", then=row.place_now or "–")  # fmt: skip
