"""What people say about a match, as its page shows it: comments by hand, and lines as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from flask import url_for

from cardledger.record.matches.moves import event_of_move, kinds_of
from cardledger.record.matches.tried_lines import TriedLines
from cardledger.record.recording.line_tree import tree
from cardledger.rules.lessons.discussion_events import Line
from cardledger_web.languages import _
from cardledger_web.views.cards import drawn
from cardledger_web.views.table import apart
from cardledger_web.views.tried_line import moves_in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.discussions import Contribution
    from cardledger.record.recording.line_tree import Branch
    from cardledger.rules.engine import events as ev
    from cardledger.rules.stream import Stream


class Remark(NamedTuple):
    """What somebody said about an event, or a line of theirs: its number, the author's name, the day, and the words.

    `fits` is False for a line that a correction has overtaken.
    """

    number: int
    event: int
    author: str
    day: str | None
    name: str | None
    text: str | None
    fits: bool


class LineView(NamedTuple):
    """Moves that somebody tried where the record, or another line, went on: in words, and their address in the replayer."""

    words: str
    address: str
    remarks: list[Remark]
    then: list[LineView]


class HandTalk(NamedTuple):
    """What is said of a hand: comments by event, and lines with the event after which they leave the record."""

    number: int
    comments: list[Remark]
    lines: list[tuple[int, LineView]]


class DiscussionView:
    """What people say about a match; `called` gives the name of a player by id, `names` are those at the table."""

    def __init__(
        self,
        match: str,
        stream: Stream,
        events: Sequence[ev.Event],
        said: Sequence[Contribution],
        called: dict[str, str],
        names: Sequence[str],
    ) -> None:
        self._match, self._tried = match, TriedLines(stream, events)
        self._called, self._names = called, names
        self._cards, self._kinds = drawn(stream.table.pack), kinds_of(stream.table.game)
        self.said = said

    @property
    def hands(self) -> list[HandTalk]:
        """What is said hand by hand."""
        return [self.hand(number) for number in sorted({one.hand for one in self.said})]

    def hand(self, number: int) -> HandTalk:
        """What is said of a hand."""
        said = [one for one in self.said if one.hand == number]
        comments = [self._remark(one) for one in said if not isinstance(one.entry, Line)]
        lines = [(branch.base, self._line(branch)) for branch in tree(self._tried, said)]
        return HandTalk(number, sorted(comments, key=lambda one: (one.event, one.number)), lines)

    def told(self, one: Contribution) -> tuple[str, str, str]:
        """Return what is shown of one to those who have its link: a title, what it says, and its moves as in an address."""
        entry = one.entry
        author, line = apart(self._called.get(entry.author, entry.author)), entry if isinstance(entry, Line) else None
        if line is None:
            return _("%(name)s on event %(event)s", name=author, event=entry.event), entry.text or "", ""
        moves = moves_in_words([event_of_move(move, self._kinds) for move in line.moves], self._names, self._cards)
        title = _("What if: %(line)s", line=line.name or _("a line of %(name)s", name=author))
        words = _("After event %(event)s: %(moves)s", event=line.event, moves=moves)
        return title, " · ".join(filter(None, (words, line.text))), "~".join(line.moves)

    def _line(self, branch: Branch, known: int = 0) -> LineView:
        """Return a branch; moves after which nobody went another way, and at which no line ends, are said together."""
        while not branch.lines and len(branch.then) == 1:
            (branch,) = branch.then
        moves = [event_of_move(move, self._kinds) for move in branch.moves[known:]]
        address = url_for(
            "pages.replay", match=self._match, seq=branch.base, _anchor=f"what-if={'~'.join(branch.moves)}"
        )
        return LineView(
            moves_in_words(moves, self._names, self._cards),
            address,
            [self._remark(one) for one in branch.lines],
            [self._line(some, len(branch.moves)) for some in branch.then],
        )

    def _remark(self, one: Contribution) -> Remark:
        entry = one.entry
        line = entry if isinstance(entry, Line) else None
        return Remark(
            one.number,
            entry.event,
            self._called.get(entry.author, entry.author),
            one.at and one.at[:10],
            None if line is None else line.name,
            entry.text,
            line is None or self._tried.fits(line.event, line.moves),
        )
