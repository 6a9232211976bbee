"""Whatever others send costs no more than its size: every reader of bytes, with shapes that are meant to cost more."""

from __future__ import annotations

import ast
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from types import CodeType

import pytest

import cardledger
from tests.growth.measure import calls_of, grown, slowed
from tests.growth.readers import READERS

PACKAGE = Path(cardledger.__file__).parent
FROM_OTHERS = ("formats", "record/matches", "study/archive")
"""The folders that read what others send; the rest reads what the program itself has written."""
BYTES = re.compile(r"\b(BinaryIO|IO|bytes|TextIO)\b")
NOT_SENT = {
    "study/archive/files.py: Heads.add_lines": "an analysis adds up what it has computed",
    "record/matches/matchfile.py: _folded_again": "lines of a match that another process has read",
    "formats/spreadsheets/preview.py: papers_in": "cuts files apart that are read by `on_paper`",
}
"""Functions there that take bytes of our own, and whose."""
MOST_EVERY_DAY = 40
"""Shapes of a reader that are tried every day, in the same order; the long run tries these and more."""
MOST_SHAPES = 400
"""Shapes of a reader that a long run tries, of up to 5,900: in an order that looks like chance, the same every time."""
MOST_SECONDS = 60
"""The processor time after which a shape counts as endless."""


@contextmanager
def not_endless(what: str) -> Iterator[None]:
    """Fail, however long a pattern would go on."""

    def stop(*_: object) -> None:
        pytest.fail(f"{what} does not end")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_makes_no_more_calls_than_its_input_is_long(name: str) -> None:
    wrong = []
    shapes = [*READERS[name].few()]
    for said, shape in Random(name).sample(shapes, min(len(shapes), MOST_EVERY_DAY)):
        with not_endless(said):
            if cost := grown(READERS[name].read, shape, READERS[name].size):
                wrong.append(f"{said}: {cost}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_no_more_time_than_its_input_is_long(name: str) -> None:
    wrong = []
    shapes = [*READERS[name].many()]
    for said, shape in Random(name).sample(shapes, min(len(shapes), MOST_SHAPES)):
        with not_endless(said):
            if cost := grown(READERS[name].read, shape, 1_000) or slowed(READERS[name].read, shape, 16_000):
                wrong.append(f"{said}: {cost}")
    assert not wrong, "\n".join(wrong)


def takes_bytes(path: Path) -> Iterator[str]:
    """Yield the functions in a file that take bytes or an open file."""

    def inside(node: ast.AST, name: str) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                given = [*child.args.posonlyargs, *child.args.args, *child.args.kwonlyargs]
                if any(BYTES.search(ast.unparse(each.annotation)) for each in given if each.annotation):
                    yield f"{name}{child.name}"
                yield from inside(child, f"{name}{child.name}.<locals>.")
            elif isinstance(child, ast.ClassDef):
                yield from inside(child, f"{name}{child.name}.")
            else:
                yield from inside(child, name)

    return inside(ast.parse(path.read_text()), "")


def test_every_function_that_takes_bytes_is_reached_by_a_shape() -> None:
    codes: set[CodeType] = set()
    for reader in READERS.values():
        for _, shape in islice(reader.few(), 0, None, 4):
            calls_of(reader.read, shape(reader.size // 2), codes)
    reached = {(code.co_filename, code.co_qualname) for code in codes}
    there = {
        (path, name)
        for top in FROM_OTHERS
        for path in PACKAGE.joinpath(top).rglob("*.py")
        for name in takes_bytes(path)
    }
    missed = {f"{path.relative_to(PACKAGE)}: {name}" for path, name in there if (str(path), name) not in reached}
    assert missed - NOT_SENT.keys() == set(), "give them a shape in READERS, or say in NOT_SENT who sends them nothing"
    assert NOT_SENT.keys() <= missed
