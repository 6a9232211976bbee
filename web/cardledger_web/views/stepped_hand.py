"""A hand as a page steps through it: every position drawn, and where a way leads on from an event.

Nothing here knows of a request, a store or a network: a server answers so, and the engine in a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.rules.engine import events as ev
from cardledger_web.views.fragments import DrawnAgain, Fragments

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment

    from cardledger_web.views.replay import ReplayView


class SteppedHand:
    """One hand in one view. Every answer is ready for JSON.

    Args:
        until: returns the hand as it was after an event, None: as it is now.
        parts: returns the macros of what belongs to a position beside its table (`position.html`).
        templates: draws the table.
        buttons: whether cards can be clicked.
    """

    def __init__(
        self,
        until: Callable[[int | None], ReplayView],
        parts: Callable[[ReplayView], Any],
        templates: Environment,
        *,
        buttons: bool = True,
    ) -> None:
        self._until, self._parts, self._templates, self._buttons = until, parts, templates, buttons

    def ahead(self, seq: int, way: str) -> int:
        """Return the event to which a way (`after`, `trick_after`, `last`) leads from another, that event itself at the end."""
        return self._until(None).at(seq).around()[way] or seq

    def positions(self, until: int | None, after: int | None = None) -> dict[str, Any]:
        """Return every position as its page draws it, of events up to `until`, or those that have come since `after`."""
        view = self._until(until)
        first, last = view.replay["first"], view.replay["last"]
        if after is not None and not _goes_on(view, after):
            return {"again": True}
        parts, fragments = self._parts(view), Fragments()
        offered, again = self._macros("offered.html"), DrawnAgain(self._macros("card_table.html"))
        shown = []
        for at in map(view.at, range(first if after is None else after, last + 1)):
            drawn = again.parts(at.card_table(buttons=self._buttons))
            table = [place for part in drawn for place in fragments.add(part)]
            shown.append([table, fragments.add(parts.event_at(at, again)), fragments.add(offered.choices(at.offers()))])
        answer = {"seq": view.replay["seq"], "first": first, "line": view.line}
        if after is None:
            return answer | {"pieces": fragments.pieces, "positions": shown}
        # The page that asks has the pieces of the position after that event, in the same order.
        known = len({place for places in shown[0] for place in places})
        return answer | {
            "known": [known, sum(map(len, fragments.pieces[:known]))],
            "pieces": fragments.pieces[known:],
            "positions": shown[1:],
            "stops": view.stops,
            "log": self.log(view, after),
        }

    def begun(self, until: int) -> dict[str, Any]:
        """Return the positions up to an event with what a page of that event has beside them: the log, where tricks end.

        `end` is the event that ended the hand, None if that came later; `hidden` tells whether its cards are known.
        """
        view = self._until(until)
        beside = {key: view.replay[key] for key in ("end", "hidden")} | {"stops": view.stops, "log": self.log(view, 0)}
        return self.positions(until) | beside

    def log(self, view: ReplayView, after: int) -> list[str]:
        """Return the lines of the log after an event."""
        parts = self._parts(view)
        return [parts.log_line(line, None) for line in view.log() if line.seq > after]

    def _macros(self, template: str) -> Any:
        return self._templates.get_template(template).make_module()


def _goes_on(view: ReplayView, after: int) -> bool:
    """Tell whether a hand only has more events than up to one: none is corrected, and the hand is still being played."""
    replay = view.replay
    on = replay["first"] <= after < replay["last"] == replay["seq"] and replay["end"] is None
    kinds = (ev.TYPES[step["event"]["type"]] for step in replay["steps"] if step["seq"] > after)
    return on and replay["status"] == "open" and not any(kind.corrects for kind in kinds)
