"""Whether a regular expression can take longer than its text: in how many ways it can read the same characters.

A matcher that backtracks tries every way before it gives up. So the pattern becomes an automaton with a state for each
character it names, and two questions are asked of it. Can a state come back to itself in two ways over the same text?
Then the ways double with each round. Can a text keep two loops busy, one behind the other, and lead from the first to
the second? Then the ways grow with the text, and the time with its square. States in which the pattern is content
(nothing more is needed) never make a matcher give up, so they do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from re import _constants as sre  # the parser of the standard library, as `re` itself calls it
from re import _parser as parser
from typing import Any, Final, Literal, NamedTuple

Use = Literal["match", "fullmatch", "search", "all"]
"""How a pattern is used: at one place; to the end; at any place; at all places, one after the other."""
ASCII, DOTALL, IGNORECASE, MULTILINE, UNICODE = map(int, (re.ASCII, re.DOTALL, re.IGNORECASE, re.MULTILINE, re.UNICODE))
_MOST_COPIES: Final = 130
"""A repeat with a higher limit counts as one without any."""
_BEYOND_ASCII = "\xa0\xe9\xdf\u0141\u0660\u017f\u2003\u2013\u2028\u2212\u212a\u2660\U0001f600"


class Fragment(NamedTuple):
    """A part of a pattern: the states it begins and ends with, and whether it can be empty."""

    first: frozenset[int]
    last: frozenset[int]
    empty: bool
    content: bool
    """It can be empty, and nothing about the text around it is asked."""
    ends: frozenset[int]
    """The states after which nothing more is needed."""


NOTHING = Fragment(frozenset(), frozenset(), True, True, frozenset())
ASSERTED = Fragment(frozenset(), frozenset(), True, False, frozenset())


class Automaton:
    """The states of a pattern, one for each character it names, and which may follow which."""

    def __init__(self, pattern: str | bytes, flags: int, use: Use) -> None:
        self.faults: list[str] = []
        self.masks: list[int] = []
        self.next: list[set[int]] = []
        self.groups: dict[int, Any] = {}
        self.chars = _alphabet(pattern)
        tree = parser.parse(pattern, flags)
        flags = int(tree.state.flags)
        whole = self.sequence(tree, flags)
        begun = len(tree) > 0 and tree[0] == (sre.AT, sre.AT_BEGINNING)
        by_line = use in ("search", "all") and begun and bool(flags & MULTILINE)
        newline = 1 << self.chars.index("\n")
        self.start = self.state((1 << len(self.chars)) - 1 - by_line * newline)
        if use in ("search", "all") and not begun:
            self.next[self.start] |= {self.start, *whole.first}
        elif by_line:
            line = self.state(newline)
            self.next[self.start] |= {self.start, line}
            self.next[line] |= {self.start, line, *whole.first}
        self.ends = frozenset() if use == "fullmatch" else whole.ends
        self.use = use

    def state(self, mask: int) -> int:
        """Add a state that reads any of some characters."""
        self.masks.append(mask)
        self.next.append(set())
        return len(self.masks) - 1

    def follow(self, before: Iterable[int], after: Iterable[int]) -> None:
        """Let states follow others; twice is a fault: the matcher would try both ways."""
        for state in before:
            if self.next[state] & set(after):
                self.faults.append("a repeat within a repeat: both can take the same text")
            self.next[state] |= set(after)

    def sequence(self, items: Iterable[Any], flags: int) -> Fragment:
        """Add parts one behind the other."""
        whole = NOTHING
        for item in items:
            part = self.item(item, flags)
            self.follow(whole.last, part.first)
            whole = Fragment(
                whole.first | part.first if whole.empty else whole.first,
                part.last | whole.last if part.empty else part.last,
                whole.empty and part.empty,
                whole.content and part.content,
                part.ends | whole.ends if part.content else part.ends,
            )
        return whole

    def item(self, item: tuple[Any, Any], flags: int) -> Fragment:
        """Add one part of a parsed pattern."""
        op, value = item
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            return self.repeat(*value, flags)
        if op is sre.SUBPATTERN:
            group, added, removed, inner = value
            self.groups[group] = inner
            return self.sequence(inner, flags & ~removed | added)
        if op is sre.ATOMIC_GROUP:
            return self.sequence(value, flags)
        if op is sre.BRANCH:
            return self.either([self.sequence(branch, flags) for branch in value[1]])
        if op is sre.GROUPREF:
            return self.sequence(self.groups[value], flags)
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            if value[1].getwidth()[1] > _MOST_COPIES:
                self.faults.append("a repeat in what is looked at ahead or behind")
            return ASSERTED
        if op is sre.AT:
            return ASSERTED
        if op is sre.FAILURE:
            return Fragment(frozenset(), frozenset(), False, False, frozenset())
        state = frozenset({self.state(_mask(self.chars, str(item), flags))})
        return Fragment(state, state, False, False, state)

    def either(self, branches: list[Fragment]) -> Fragment:
        """Join parts of which one is taken."""
        if sum(branch.empty for branch in branches) > 1:
            self.faults.append("two branches that can be empty")
        first, last, empty, content, ends = zip(*branches, strict=True)
        none: frozenset[int] = frozenset()
        return Fragment(none.union(*first), none.union(*last), any(empty), any(content), none.union(*ends))

    def repeat(self, least: int, most: int, inner: Any, flags: int) -> Fragment:
        """Add a part that is repeated: a copy for each time that counts, and a loop if there is no limit."""
        bounded = most <= _MOST_COPIES
        copies = [self.sequence(inner, flags) for _ in range(most if bounded else max(least, 1))]
        if copies and copies[0].empty and (not bounded or least == 0):
            self.faults.append("what is repeated or left out can be empty")
        if not bounded:
            self.follow(copies[-1].last, copies[-1].first)
        whole = NOTHING
        for place in reversed(range(len(copies))):
            copy = copies[place]
            self.follow(copy.last, whole.first)
            whole = Fragment(
                copy.first | whole.first if copy.empty else copy.first,
                whole.last | copy.last if whole.empty else whole.last,
                copy.empty and whole.empty,
                copy.content and whole.content,
                whole.ends | copy.ends if whole.content else whole.ends,
            )
            if place >= least:
                whole = whole._replace(empty=True, content=True)
        return whole


def faults_of(pattern: str | bytes, flags: int = 0, use: Use = "search") -> list[str]:
    """Return why a pattern can take longer than its text, if it can."""
    automaton = Automaton(pattern, flags, use)
    if not automaton.faults:
        automaton.faults += [text for finds in (_doubling, _growing) if (text := finds(automaton))]
    return [*dict.fromkeys(automaton.faults)]


def _doubling(automaton: Automaton) -> str | None:
    """Find a loop that takes the same text in two ways."""
    masks, going = automaton.masks, _going(automaton)
    for loop in _loops(going):

        def on(pair: tuple[int, int], loop: frozenset[int] = loop) -> list[tuple[int, int]]:
            x, y = pair
            return [(a, b) for a in going[x] & loop for b in going[y] & loop if masks[a] & masks[b]]

        apart = {pair for pair in _reached([(state, state) for state in loop], on) if pair[0] != pair[1]}
        if any(x == y for x, y in _reached(apart, on)):
            return f"a loop takes the same text in two ways: {_text(automaton, loop)}"
    return None


def _growing(automaton: Automaton) -> str | None:
    """Find two loops that take the same text, one behind the other, and a way between them over that text."""
    masks, going = automaton.masks, _going(automaton)
    between = automaton.next if automaton.use == "all" else going
    loops = _loops(going)
    for before in loops:
        for behind in loops:
            if before == behind or not any(masks[x] & masks[y] for x in before for y in behind):
                continue

            def on(
                at: tuple[int, int, int], before: frozenset[int] = before, behind: frozenset[int] = behind
            ) -> list[tuple[int, int, int]]:
                x, y, z = at
                return [
                    (a, b, c)
                    for a in going[x] & before
                    for c in going[z] & behind
                    if masks[a] & masks[c]
                    for b in between[y]
                    if masks[a] & masks[b] & masks[c]
                ]

            for p in before:
                for q in behind:
                    if (p, q, q) in _reached([(p, p, q)], on):
                        return f"{_text(automaton, before)} and {_text(automaton, behind)} take the same text"
    return None


def _going(automaton: Automaton) -> list[set[int]]:
    """Return what follows each state as long as the pattern is not content."""
    return [set() if state in automaton.ends else after - automaton.ends for state, after in enumerate(automaton.next)]


def _loops(going: list[set[int]]) -> list[frozenset[int]]:
    """Return the sets of states that lead to each other."""
    back: list[set[int]] = [set() for _ in going]
    for state, after in enumerate(going):
        for each in after:
            back[each].add(state)
    turning = [state for state, after in enumerate(going) if any(each <= state for each in after)]
    found = {frozenset(_reached(going[x], going.__getitem__) & _reached(back[x], back.__getitem__)) for x in turning}
    return sorted(filter(None, found), key=min)


def _reached(begin: Iterable[Any], on: Callable[[Any], Iterable[Any]]) -> set[Any]:
    seen, waiting = set(begin), list(begin)
    while waiting:
        for after in on(waiting.pop()):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen


def _text(automaton: Automaton, loop: frozenset[int]) -> str:
    """Return an example of the characters that a loop takes."""
    if automaton.start in loop:
        return "any beginning"
    state = min(loop)
    some = [char for at, char in enumerate(automaton.chars) if automaton.masks[state] >> at & 1]
    return f"the repeat of state {state} ({''.join(some[:3])!r}…)"


def _alphabet(pattern: str | bytes) -> str:
    """Return characters that tell all sets of the pattern apart."""
    beyond = map(chr, range(128, 256)) if isinstance(pattern, bytes) else _BEYOND_ASCII + pattern
    return "".join(dict.fromkeys([*map(chr, range(128)), *beyond]))


@cache
def _mask(chars: str, item: str, flags: int) -> int:
    """Return the characters that a part takes, as bits; the part is given as text, so that the answer can be kept."""
    parsed = eval(item, vars(sre))
    return sum(1 << at for at, char in enumerate(chars) if _takes(parsed, char, flags))


def _takes(item: tuple[Any, Any], char: str, flags: int) -> bool:
    """Whether a part that reads one character reads this one."""
    op, value = item
    cases = {char, char.lower(), char.upper()} if flags & IGNORECASE else {char}
    if op is sre.LITERAL:
        return chr(value) in cases
    if op is sre.NOT_LITERAL:
        return chr(value) not in cases
    if op is sre.ANY:
        return bool(flags & DOTALL) or char != "\n"
    if op is sre.RANGE:
        return any(value[0] <= ord(case) <= value[1] for case in cases if len(case) == 1)
    if op is sre.CATEGORY:
        return _in_category(value, char, bool(flags & ASCII) or not flags & UNICODE)
    assert op is sre.IN, op
    negated = value[0][0] is sre.NEGATE
    return any(_takes(each, char, flags) for each in value[negated:]) != negated


def _in_category(category: Any, char: str, ascii: bool) -> bool:
    name = str(category).removeprefix("CATEGORY_")
    inside = not ascii or char.isascii()
    kinds = {
        "DIGIT": char.isdecimal() and inside,
        "SPACE": char.isspace() and inside and not (ascii and "\x1c" <= char <= "\x1f"),
        "WORD": (char.isalnum() or char == "_") and inside,
    }
    return kinds[name.removeprefix("NOT_")] != name.startswith("NOT_")
