"""A body in chunks: the same bytes however it is cut, and many small chunks cost little more than one large one."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from waitress.adjustments import Adjustments

from cardledger_web.serving.connections import Parser

HEAD = b"POST /import HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
NEXT = b"GET / HTTP/1.1\r\n"


def chunked(pieces: list[bytes]) -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def received(wire: bytes, sizes: list[int]) -> tuple[Any, bytes]:
    """Return the parser of a request that comes in parts of some sizes, and what is not taken."""
    parser = Parser(Adjustments())
    while wire and not parser.completed:
        size = sizes.pop() if sizes else 8192
        wire = wire[parser.received(wire[:size]) :]
    return parser, wire


@given(st.lists(st.binary(min_size=1, max_size=700), max_size=9), st.lists(st.integers(1, 900), max_size=40))
def test_any_cut_gives_the_same_body(pieces: list[bytes], sizes: list[int]) -> None:
    parser, rest = received(HEAD + chunked(pieces) + NEXT, sizes)
    assert parser.completed and parser.error is None
    assert parser.body_rcv.getfile().read() == b"".join(pieces)
    assert NEXT.endswith(rest), "what follows is the next request"


def test_a_wrong_chunk_ends_the_request() -> None:
    for wrong in (b"x\r\n", b"1\r\nabc\r\n", b"-1\r\n", b"1;=\x00\r\n"):
        parser, _ = received(HEAD + chunked([b"a" * 2000])[:-5] + wrong + chunked([b"b"]), [])
        assert parser.completed and parser.error is not None, wrong


def test_chunks_of_one_byte_are_written_together() -> None:
    parser, _ = received(HEAD, [])
    written: list[bytes] = []
    parser.body_rcv.buf = written
    wire = chunked([b"a"] * 10_000)
    for start in range(0, len(wire), 8192):
        parser.received(wire[start : start + 8192])
    assert b"".join(written) == b"a" * 10_000
    assert len(written) == len(wire) // 8192 + 1, "once for each part that comes, not for each chunk"
