"""The position after a line of moves that is tried, as a page shows it: asked of a server, or of the browser itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardledger.record.matches.replayed import replayed
from cardledger.rules.knowledge.imagined import Imagined
from cardledger.rules.stream import Stream
from cardledger_web.views.replay import ReplayView
from cardledger_web.views.tried_line import TriedLine
from cardledger_web.views.wording import event_as_shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jinja2 import Environment

    from cardledger.record.matches.tried_lines import Place
    from cardledger.rules.engine import events as ev


class TriedPosition:
    """Positions of a match after other moves. Nothing of it is stored, and every answer is ready for JSON.

    Args:
        match: the id of the match.
        events: its events as recorded.
        names: what the players are called, by seat.
        templates: draws the table.
    """

    def __init__(self, match: str, events: Sequence[ev.Event], names: Sequence[str], templates: Environment) -> None:
        self._match, self._events, self._names, self._templates = match, events, names, templates

    def after(
        self, place: Place, seq: int, moves: str, seat: int | None, within: Callable[[Sequence[ev.Event]], Stream]
    ) -> dict[str, Any]:
        """Return the position after moves from event `seq`, up to one that is refused, and why that is.

        In the view of a seat the cards that it has not seen are dealt again, so that the answer does not give them away.
        `within` tries events after the last one that counts at the place, and raises the error of one that is refused,
        with its `index`.
        """
        number, base, amends = place
        line = TriedLine(moves, Stream.of(self._events[:1]).table)
        if seat is None:
            after = line.tried(lambda tried: within([*amends, *tried]), len(amends))
        else:
            imagined = Imagined([*self._events[:base], *amends], seat)
            after = line.tried(lambda tried: imagined.tried(tried, f"{self._match} {seat} {base}"), 0, empty=True)
        answer: dict[str, Any] = {"moves": line.moves, "trouble": line.trouble}
        if after is None:
            return answer
        as_seen = "all" if seat is None else str(seat)
        view = ReplayView(
            replayed(self._match, after, after.events, number, self._names, view=as_seen, words=event_as_shown),
            after.seq,
            after.table,
            may_see_all=True,
        )
        offers = view.offers() if seat is None else view.offers_of_others(after, seat)
        return answer | {
            "words": line.in_words(seq, base, after.table, self._names),
            "table": self._macros("card_table.html").card_table(view.card_table(tried=True)),
            "choices": self._macros("offered.html").choices(offers),
        }

    def _macros(self, template: str) -> Any:
        return self._templates.get_template(template).make_module()
