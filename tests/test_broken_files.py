"""Broken files: each gives exactly one problem with its code, in little time and memory, and never another error."""

from __future__ import annotations

import io
import json
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cardledger.errors import LedgerError
from cardledger.record.matches import match_size
from cardledger.record.matches.lines import MAX_LINE
from cardledger.record.matches.matchfile import MatchInFile, Problem, read_matches, write
from cardledger.record.matches.replay import result
from cardledger.record.matches.shape import parse
from cardledger.rules.engine import events as ev
from tests.tables import SIZES, any_match, line, problem, read

Json = dict[str, Any]
OPEN: Json = {"type": "open", "game": "diversity", "players": ["ana", "ben", "chloe", "dev"]}
SUITS = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
DEAL: Json = {"type": "deal", "dealer": 3, "hands": SUITS}
PLAY: Json = {"type": "play", "seat": 0, "card": "2C"}
NOTE: Json = {"type": "note", "text": "a"}
HUGE = "9" * 10_000


def text(event: Json, old: object, new: str) -> bytes:
    """Return the line of an event with one of its values (as JSON) exchanged for any text."""
    whole = json.dumps(event)
    assert whole.count(json.dumps(old)) >= 1
    return whole.replace(json.dumps(old), new, 1).encode()


def nested(opening: str, closing: str, depth: int = 100_000) -> str:
    return opening * depth + "1" + closing * depth


AMEND = '{"type":"amend","about":1,"event":'

CORPUS: dict[str, tuple[list[object], int, str]] = {
    # what the rules say
    "wrong turn": ([OPEN, DEAL, PLAY | {"seat": 1, "card": "2D"}], 3, "table.turn"),
    "card not held": ([OPEN, DEAL, PLAY | {"card": "2D"}], 3, "table.holding"),
    "no card": ([OPEN, DEAL, PLAY | {"card": "1C"}], 3, "table.holding"),
    "play before the deal": ([OPEN, PLAY], 2, "table.phase"),
    "a hand too few": ([OPEN, DEAL | {"hands": SUITS[:3]}], 2, "table.deck"),
    "a card twice": ([OPEN, DEAL | {"hands": [["2D", *SUITS[0][1:]], *SUITS[1:]]}], 2, "table.deck"),
    "a card too many": ([OPEN, DEAL | {"hands": [[*SUITS[0], "2D"], *SUITS[1:]]}], 2, "table.deck"),
    "hands of everything": ([OPEN, DEAL | {"hands": [[card for suit in SUITS for card in suit]] * 4}], 2, "table.deck"),
    "200,000 hands": ([OPEN, DEAL | {"hands": [[]] * 200_000}], 2, "table.deck"),
    "event of another game": ([OPEN, DEAL, {"type": "bid", "seat": 0, "amount": 1}], 3, "table.phase"),
    # what the format says
    "unknown type": ([OPEN, {"type": "shuffle"}], 2, "format.type"),
    "unknown key": ([OPEN, DEAL | {"colour": "red"}], 2, "format.key"),
    "unknown game": ([OPEN | {"game": "bingo"}], 1, "format.game"),
    "no opening": ([DEAL], 1, "format.open"),
    "half a line": ([OPEN, json.dumps(DEAL)[:50].encode()], 2, "format.json"),
    "two events on a line": ([OPEN, json.dumps(DEAL).encode() * 2], 2, "format.json"),
    "another format": ([b"<open game='ruff'/>"], 1, "format.json"),
    "a zip file": ([b"PK\x03\x04\x14\x00\x08\x08"], 1, "format.json"),
    # absurd numbers
    "seat of 10,000 digits": ([OPEN, DEAL, text(PLAY, 0, HUGE)], 3, "format.json"),
    "seq of 10,000 digits": ([OPEN, text(NOTE | {"seq": 2}, 2, HUGE)], 2, "format.json"),
    "option of 10,000 digits": ([text(OPEN | {"options": {"hands": 7}}, 7, HUGE)], 1, "format.json"),
    "10,000 digits after the point": ([OPEN, DEAL, text(PLAY, 0, "0." + HUGE)], 3, "format.value"),
    "seat 1e400": ([OPEN, DEAL, text(PLAY, 0, "1e400")], 3, "format.value"),
    "option 1e400": ([text(OPEN | {"options": {"hands": 7}}, 7, "1e400")], 1, "format.option"),
    "option -1e400": ([text(OPEN | {"options": {"hands": 7}}, 7, "-1e400")], 1, "format.option"),
    "seat 2**70": ([OPEN, DEAL, PLAY | {"seat": 2**70}], 3, "table.range"),
    "seat -2**70": ([OPEN, DEAL, PLAY | {"seat": -(2**70)}], 3, "table.range"),
    "dealer 2**70": ([OPEN, DEAL | {"dealer": 2**70}], 2, "table.range"),
    "retract to 2**70": ([OPEN, {"type": "retract", "to": 2**70}], 2, "table.range"),
    "note about -2**70": ([OPEN, NOTE | {"about": -(2**70)}], 2, "table.range"),
    "claim of 2**70 tricks": ([OPEN, DEAL, {"type": "claim", "tricks": [2**70, 0, 0, 0]}], 3, "table.range"),
    "100,000 players": ([OPEN | {"players": [f"p{i}" for i in range(100_000 // 2)]}], 1, "table.range"),
    "100,000 scores": ([OPEN, DEAL, {"type": "score", "scores": [1] * 100_000}], 3, "table.range"),
    # absurd texts
    "NUL in a line": ([OPEN, b'{"type":"note","text":"\0"}'], 2, "format.json"),
    "a file of NULs": ([b"\0" * 1000], 1, "format.json"),
    "control characters in a line": ([OPEN, b'{"type":"note","text":"\x1b[2J\x07"}'], 2, "format.json"),
    "control characters in a name": ([OPEN | {"players": ["a\0", "b", "c", "d"]}], 1, "format.value"),
    "control characters in a card": ([OPEN, DEAL, PLAY | {"card": "\0\x1b"}], 3, "table.holding"),
    "invalid UTF-8": ([OPEN, b'{"type":"note","text":"\xc3\x28"}'], 2, "format.json"),
    "overlong UTF-8": ([OPEN, b'{"type":"note","text":"\xc0\x80"}'], 2, "format.json"),
    "UTF-16": ([json.dumps(OPEN).encode("utf-16")], 1, "format.json"),
    "a surrogate in UTF-8": ([OPEN, b'{"type":"note","text":"\xed\xa0\x80"}'], 2, "format.json"),
    "half a surrogate pair": ([OPEN, b'{"type":"note","text":"\\ud800"}'], 2, "format.value"),
    "the other half": ([OPEN, b'{"type":"note","text":"\\udc00\\ud800"}'], 2, "format.value"),
    "half a pair as a key": ([OPEN, b'{"type":"note","text":"a","\\ud800":1}'], 2, "format.value"),
    "half a pair as a type": ([OPEN, b'{"type":"\\ud800"}'], 2, "format.value"),
    "half a pair as a name": ([json.dumps(OPEN | {"players": ["\ud800", "b", "c", "d"]}).encode()], 1, "format.value"),
    "a name of 100,000 letters": ([OPEN | {"players": ["a" * 100_000, "b", "c", "d"]}], 1, "format.value"),
    "a type of 100,000 letters": ([OPEN, {"type": "a" * 100_000}], 2, "format.type"),
    "a card of 100,000 letters": ([OPEN, DEAL, PLAY | {"card": "C" * 100_000}], 3, "table.holding"),
    # absurd nesting
    "100,000 brackets": ([OPEN, nested("[", "]").encode()], 2, "format.json"),
    "100,000 brackets, never closed": ([OPEN, b"[" * 100_000], 2, "format.json"),
    "100,000 objects": ([OPEN, nested('{"a":', "}").encode()], 2, "format.json"),
    "a seat in 100,000 brackets": ([OPEN, DEAL, text(PLAY, 0, nested("[", "]"))], 3, "format.json"),
    "a seat in 100 brackets": ([OPEN, DEAL, text(PLAY, 0, nested("[", "]", 100))], 3, "format.value"),
    "an option in 100 brackets": (
        [text(OPEN | {"options": {"hands": 7}}, 7, nested("[", "]", 100))], 1, "format.option"
    ),
    "a type in 100 brackets": ([OPEN, text(NOTE, "note", nested("[", "]", 100))], 2, "format.type"),
    "amend within amend within amend": (
        [OPEN, (AMEND * 3 + json.dumps(PLAY) + "}" * 3).encode()], 2, "format.type"
    ),
    "amend within amend 200 times": ([OPEN, (AMEND * 200 + "1" + "}" * 200).encode()], 2, "format.type"),
    "amend within amend 25,000 times": (
        [OPEN, (AMEND * 25_000 + "1" + "}" * 25_000).encode()], 2, "format.json"
    ),
    # absurd sizes
    "a line too long": ([OPEN, NOTE | {"text": "a" * MAX_LINE}], 2, "format.size"),
    "brackets on a line too long": ([b"[" * (MAX_LINE + 1)], 1, "format.size"),
}  # fmt: skip


@pytest.mark.parametrize("name", CORPUS)
def test_a_broken_file_gives_one_problem_with_its_line_and_code(name: str) -> None:
    lines, at, code = CORPUS[name]
    (broken,) = (found for found in read(*lines) if isinstance(found, Problem))
    assert (broken.line, broken.error.code) == (at, code), str(broken)[:300]
    assert read(*lines)[-1].line == at, "nothing of the broken match is given"
    assert str(broken).isprintable()


@pytest.mark.parametrize("name", CORPUS)
def test_a_broken_match_does_not_spoil_the_next(name: str) -> None:
    lines, at, code = CORPUS[name]
    found = read(*lines, OPEN, NOTE, keep_going=True)
    expected: list[tuple[type, int]] = [(Problem, at)]
    if code != "format.size":  # where such a line ends nobody wants to read
        expected.append((MatchInFile, len(lines) + 1))
    assert [(type(one), one.line) for one in found] == expected


class Endless(io.RawIOBase):
    """A file whose last line never ends; counts what is read of it."""

    def __init__(self, head: bytes, tail: bytes) -> None:
        super().__init__()
        self.head, self.tail = io.BytesIO(head), tail
        self.total = 0

    def readable(self) -> bool:
        return True

    def readline(self, size: int | None = -1) -> bytes:  # type: ignore[override]
        assert size is not None
        assert size > 0, "a line may be endless"
        found = self.head.readline(size)
        if not found.endswith(b"\n"):
            found += (self.tail * size)[: size - len(found)]
        self.total += len(found)
        assert self.total < 10_000_000, "too much is read"
        return found


@pytest.mark.parametrize("tail", [b"x", b"[", b'{"a":', b'"', b"\0", b"9", b"\xff"])
def test_an_endless_line_is_refused_early(tail: bytes) -> None:
    for head in (b"", line(OPEN), line(OPEN) + b'{"type":"note","text":"'):
        file = Endless(head, tail)
        found = list(read_matches(file, "f"))  # type: ignore[arg-type]
        assert [one.error.code for one in found if isinstance(one, Problem)] == ["format.size"]
        assert file.total < 3 * MAX_LINE


def test_a_line_may_be_as_long_as_the_limit() -> None:
    empty = len(line(NOTE | {"text": ""})) - 1
    fits = NOTE | {"text": "a" * (MAX_LINE - empty)}
    (found,) = read(OPEN, fits)
    assert isinstance(found, MatchInFile)
    assert problem(OPEN, fits | {"text": fits["text"] + "a"}) == (2, "format.size")


def test_a_match_of_too_many_events_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_size, "MAX_EVENTS", 500)
    (found,) = read(OPEN, *[NOTE] * 499)
    assert isinstance(found, MatchInFile)
    assert problem(OPEN, *[NOTE] * 500) == (501, "format.size")
    assert problem(OPEN, *[NOTE] * 800) == (501, "format.size")


def test_a_match_of_very_many_events_is_read_in_short() -> None:
    notes = line(NOTE) * 30_000
    retracts = line({"type": "retract", "to": 2}) * 3_000
    (found,) = read_matches(io.BytesIO(line(OPEN) + line(DEAL) + notes + retracts), "f")
    assert isinstance(found, MatchInFile)
    assert len(found.events) == 33_002


# --- by chance


def judged(data: bytes) -> None:
    """Expect that any bytes are read as matches and problems, and can be reported and written without an error."""
    for keep_going in (False, True):
        for found in read_matches(io.BytesIO(data), "f", keep_going):
            if isinstance(found, Problem):
                assert found.error.code
                assert str(found).isprintable()
            else:
                json.dumps(result(found.stream.table))
                assert write(found.events)


@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe{\0}\0")
@settings(max_examples=300)
def test_any_bytes_come_as_matches_and_problems(data: bytes) -> None:
    judged(data)
    judged(line(OPEN) + data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["5S", "C", "R1", "7"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
KEYS = sorted({key for cls in ev.TYPES.values() for key in cls.__struct_encode_fields__})


@pytest.mark.long
@given(
    st.sampled_from(sorted(ev.TYPES)),
    st.dictionaries(st.sampled_from(KEYS), JSON | st.integers(0, 4), max_size=6),
)
@settings(max_examples=300)
def test_any_values_under_the_keys_of_events_come_as_matches_and_problems(kind: str, event: Json) -> None:
    judged(line(OPEN) + line(DEAL) + line(event | {"type": kind}))


def mutations(lines: list[bytes], rng: Random) -> list[bytes]:
    """Return lines with a few bytes, keys, values or lines changed, dropped, doubled or exchanged."""
    lines = [*lines]
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        action = rng.random()
        if action < 0.2:
            lines[at] = spoilt(lines[at], rng)
        elif action < 0.7:
            lines[at] = retold(lines[at], rng)
        elif action < 0.8:
            lines.insert(at, rng.choice(lines))
        elif action < 0.9 and len(lines) > 1:
            del lines[at]
        else:
            other = rng.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    return lines


def spoilt(whole: bytes, rng: Random) -> bytes:
    """Return a line with a byte dropped, exchanged or added."""
    if not whole:
        return b"{"
    at = rng.randrange(len(whole))
    return (
        whole[:at]
        + rng.choice([b"", bytes([rng.randrange(256)]), b'"', b"[", b"9" * 30])
        + whole[at + rng.randrange(2) :]
    )


VALUES: list[Any] = [None, True, -1, 0, 1, 2, 7, 99, 2**70, 1.0, 1e300, "", "5S", "R1", "7", "C", "stock", [], {}, [[]], ["5S"], [1] * 4, [[], [], []]]  # fmt: skip


def retold(whole: bytes, rng: Random) -> bytes:
    """Return an event with a key dropped or added, or with another value."""
    try:
        event = json.loads(whole)
        key = rng.choice(sorted(event))
    except (ValueError, TypeError, IndexError):
        return whole
    change = rng.random()
    if change < 0.15:
        del event[key]
    elif change < 0.3:
        event[rng.choice(KEYS)] = rng.choice(VALUES)
    elif change < 0.4:
        event = {"type": "amend", "about": rng.randrange(9), "event": event}
    elif change < 0.6 and isinstance(event[key], int):
        event[key] += rng.choice([-1, 1])
    elif change < 0.7 and isinstance(event[key], list) and event[key]:
        event[key].append(event[key].pop(0)) if rng.random() < 0.5 else event[key].pop()
    else:
        event[key] = rng.choice(VALUES)
    return json.dumps(event).encode()


@pytest.mark.long
@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=250)
def test_any_changed_file_comes_as_matches_and_problems(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    events = any_match(*game, rng, policy=rng.choice(["strict", "record"]), wild=0.2, events=rng.randrange(2, 60))
    lines = [line(event)[:-1] for event in events]
    for _ in range(3):
        judged(b"\n".join(mutations(lines, rng)))


@given(st.binary(max_size=60))
@settings(max_examples=200)
def test_any_line_is_an_event_or_a_format_error(data: bytes) -> None:
    code, event = "format.", None
    try:
        event = parse(data)
    except LedgerError as error:
        code = error.code
    assert code.startswith("format.")
    assert event is None or parse(ev.encode(event)) == event


def test_a_claim_whose_sum_is_too_long_to_print_is_refused() -> None:
    big = int("9" * 4300)
    assert problem(OPEN, DEAL | {"hands": None}, {"type": "claim", "tricks": [big] * 4}) == (3, "table.range")


def test_a_repeated_key_among_very_many_is_found_quickly() -> None:
    keys = ",".join(f'"k{i}":0' for i in range(60_000))
    assert problem(f'{{{keys},"z":0,"z":0}}'.encode()) == (1, "format.key")


def test_an_empty_id_is_not_a_uuid() -> None:
    assert problem(OPEN | {"id": ""}) == (1, "format.value")


def test_part_of_a_line_that_is_too_long_is_never_read_as_a_line() -> None:
    found = read({"type": "open"}, b"x" * (MAX_LINE + 2) + json.dumps(OPEN).encode(), keep_going=True)
    assert [one.error.code for one in found if isinstance(one, Problem)] == ["format.key", "format.size"]
    assert len(found) == 2


@pytest.mark.parametrize("head", [b"", b'{"type":"open"}\n'])
@pytest.mark.parametrize("tail", [b"x", b" "])
def test_an_endless_line_ends_the_reading_even_when_it_keeps_going(head: bytes, tail: bytes) -> None:
    file = Endless(head, tail)
    found = list(read_matches(file, "f", keep_going=True))  # type: ignore[arg-type]
    assert isinstance(found[-1], Problem)
    assert found[-1].error.code == "format.size"
    assert file.total < 3 * MAX_LINE


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"])
def test_a_line_of_exactly_the_longest_length_is_read_with_any_line_ending(ending: bytes) -> None:
    start = json.dumps(OPEN).encode()
    file = io.BytesIO(start + b" " * (MAX_LINE - len(start)) + ending)
    assert isinstance(next(read_matches(file, "f")), MatchInFile)
