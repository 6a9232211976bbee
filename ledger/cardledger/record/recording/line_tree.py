"""The lines that people keep of a match, as a tree: where they meet, they are one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardledger.rules.lessons.discussion_events import Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.matches.tried_lines import TriedLines
    from cardledger.record.recording.discussions import Contribution


class Branch(NamedTuple):
    """A move of the lines of a hand, what follows it, and the lines that end with it.

    `base` is the last event of the record before the lines leave it, `moves` are all moves from there on.
    """

    base: int
    moves: tuple[str, ...]
    lines: list[Contribution]
    then: list[Branch]


def tree(tried: TriedLines, lines: Sequence[Contribution]) -> list[Branch]:
    """Return the lines of a match as a tree: what they share with the record is left out, and where they meet they are one."""
    roots: list[Branch] = []
    for one in lines:
        if not isinstance(one.entry, Line):
            continue
        base, moves = tried.left(one.entry.event, one.entry.moves)
        branches, branch = roots, None
        for length in range(1, len(moves) + 1):
            branch = next((some for some in branches if (some.base, some.moves) == (base, moves[:length])), None)
            if branch is None:
                branch = Branch(base, moves[:length], [], [])
                branches.append(branch)
            branches = branch.then
        if branch is not None:
            branch.lines.append(one)
    return sorted(roots, key=lambda branch: branch.base)
