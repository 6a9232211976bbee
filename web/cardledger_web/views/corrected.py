"""A correction in the words of members: whose score was corrected, from what to what, and what was taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.rules.engine import events as ev
from cardledger_web.languages import _, initial, joined, minus, ngettext
from cardledger_web.views.wording import as_written, event_as_shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream


def corrected(stream: Stream, seq: int, event: ev.Event, replaced: ev.Event | None, names: Sequence[str]) -> str:
    """Return what a correction, event `seq`, changed; `event` and what it `replaced` are as the reader may see them."""
    table, reason = stream.table, as_written(getattr(event, "reason", None))
    match event:
        case ev.Amend(about=about, event=now):
            said = "; ".join(_amended(table, about, now, replaced, names))
        case ev.Retract(to=to):
            said = _taken_back(table, to, stream.counted(seq - 1) - stream.counted(seq))
        case _:
            return initial(event_as_shown(event, table, names))
    return initial(f"{said} ({reason})" if reason else said)


def _amended(
    table: Match[Any], about: int, now: ev.Event, before: ev.Event | None, names: Sequence[str]
) -> Iterator[str]:
    hand = hand_at(table, about)
    if isinstance(now, ev.Score) and isinstance(before, ev.Score) and hand:
        for seats in table.sides or [[seat] for seat in range(table.n)]:
            old, new = before.scores[seats[0]], now.scores[seats[0]]
            if old != new:
                who = joined([names[seat] for seat in seats])
                numbers = {"old": minus(old), "new": minus(new)}
                yield _(
                    "%(who)s: the score in hand %(hand)s was corrected from %(old)s to %(new)s",
                    who=who,
                    hand=hand,
                    **numbers,
                )
        return
    words = event_as_shown(now, table, names)
    if before is not None:
        words = _("%(now)s (written first: %(before)s)", now=words, before=event_as_shown(before, table, names))
    yield (
        _("in hand %(hand)s, corrected: %(words)s", hand=hand, words=words)
        if hand
        else _("corrected: %(words)s", words=words)
    )


def _taken_back(table: Match[Any], to: int, many: int) -> str:
    if many < 0:
        return ngettext(
            "%(num)s entry that was taken back counts again", "%(num)s entries that were taken back count again", -many
        )
    hand = hand_at(table, to)
    if not hand:
        return ngettext("%(num)s entry was taken back", "%(num)s entries were taken back", many)
    return ngettext(
        "%(num)s entry was taken back in hand %(hand)s",
        "%(num)s entries were taken back in hand %(hand)s",
        many,
        hand=hand,
    )


def hand_at(table: Match[Any], seq: int) -> int:
    """Return the number of the hand that an event belongs to, 0 for none."""
    return max((hand.number for hand in table.hands if hand.first <= seq), default=0)
