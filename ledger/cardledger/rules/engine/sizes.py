"""The numbers of players that a game is for: any set of them, 2 or 4 as well as 3 to 7."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def sizes_of(players: Collection[int]) -> tuple[int, ...]:
    """Return the numbers of players in order, as a range or a set gives them.

    >>> sizes_of(range(3, 6)), sizes_of({4, 2})
    ((3, 4, 5), (2, 4))

    Raises TypeError for anything but whole numbers from 1 on.
    """
    if (
        not isinstance(players, Collection)
        or isinstance(players, str | bytes)
        or not players
        or any(type(n) is not int or n < 1 for n in players)
    ):
        raise TypeError(f"players is {players!r}: write {{4}} for a game for four, {{2, 4}} or range(3, 8)")
    return tuple(sorted({*players}))


def runs(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return the numbers of players as runs, each its first and its last; a run has one number, or three and more.

    >>> runs((2, 4)), runs((3, 4, 5, 6)), runs((2, 3, 5))
    ([(2, 2), (4, 4)], [(3, 6)], [(2, 2), (3, 3), (5, 5)])
    """
    found: list[list[int]] = []
    for n in sizes:
        if found and n == found[-1][-1] + 1:
            found[-1].append(n)
        else:
            found.append([n])
    return [
        (first, last)
        for run in found
        for first, last in ([(run[0], run[-1])] if len(run) > 2 else [(n, n) for n in run])
    ]


def in_words(sizes: Sequence[int]) -> str:
    """Return the numbers of players in English.

    >>> in_words((4,)), in_words((2, 4)), in_words((3, 4, 5, 6, 7)), in_words((2, 4, 5, 6))
    ('4', '2 or 4', '3 to 7', '2 or 4 to 6')
    """
    parts = [str(first) if first == last else f"{first} to {last}" for first, last in runs(sizes)]
    return " or ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
