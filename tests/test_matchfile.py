"""MatchInFile files: every promise of their format, and the line in every error."""

from __future__ import annotations

import io
import json
import re
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from cardledger.record.matches.matchfile import MatchInFile, Problem, read_matches, write
from cardledger.record.matches.replay import result
from cardledger.record.matches.shape import parse
from cardledger.rules.bots.simulation import league
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.cards import read_face
from cardledger.rules.engine.signature import is_utc
from cardledger.rules.games import games, start
from tests.tables import SIZES, any_match, line, opening, problem, problems, read, whole_hands

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]
OPEN: Json = {"type": "open", "game": "ruff", "players": ["ana", "ben", "chloe"]}
DEAL: Json = {"type": "deal", "dealer": 0, "hands": None}
PLAY: Json = {"type": "play", "seat": 1, "card": "5S"}
NOTE: Json = {"type": "note", "text": "a"}

# One event of every type with every key it may have but the common ones; `+` marks optional keys.
EVENTS: dict[str, Json] = {
    "open": OPEN | {
        "+options": {"rounds": 2}, "+policy": "record", "+rules": "ruff/1", "+event": "Club night",
        "+table": "3", "+place": "Zürich", "+date": "2024-02-29",
    },
    "deal": DEAL | {
        "+starter": 1, "+aside": ["2C"], "+upcard": "5", "+stock": ["2D", "3D"], "+dealer": 0
    },
    "bid": {"type": "bid", "seat": 1, "amount": 3},
    "call": {"type": "call", "seat": 1, "call": "order up"},
    "pass": {"type": "pass", "seat": 1},
    "play": PLAY,
    "draw": {"type": "draw", "seat": 1, "from": "stock", "cards": ["5S"]},
    "discard": {"type": "discard", "seat": 1, "card": "5"},
    "close": {"type": "close", "seat": 1, "card": "5"},
    "layoff": {"type": "layoff", "seat": 1, "card": "5"},
    "collect": {"type": "collect", "seat": 1, "from": 2},
    "ask": {"type": "ask", "seat": 1, "from": 2, "suit": "C"},
    "give": {"type": "give", "seat": 1, "to": 2, "card": "5S"},
    "claim": {"type": "claim", "+seat": 1, "tricks": [5, 5, 5]},
    "score": {"type": "score", "scores": [1, -2, 3]},
    "adjust": {
        "type": "adjust", "kind": "tricks", "law": "64A1", "+hand": 1, "+about": 2, "+reason": "revoke", "+to": "ns", "+tricks": 1,
        "+ns": [{"weight": 100, "score": 50}], "+ew": 40, "+side": "ew", "+percent": 10, "+imps": 1.5, "+vps": 0.25, "+points": 3,
    },
    "retract": {"type": "retract", "to": 1, "+reason": "misread"},
    "amend": {"type": "amend", "about": 3, "event": PLAY, "+reason": "misheard"},
    "note": NOTE | {"+about": 1},
    "end": {"type": "end", "+reason": "closing time"},
    "void": {"type": "void", "+reason": "played with 51 cards"},
}  # fmt: skip
COMMON: Json = {
    "seq": 3,
    "id": "123e4567-e89b-12d3-a456-426614174000",
    "at": "2026-01-02T03:04:05Z",
    "by": "ana",
}


def needed(kind: str) -> Json:
    return {key: value for key, value in EVENTS[kind].items() if key[0] != "+" and key != "dealer"}


def whole(kind: str) -> Json:
    return {key.removeprefix("+"): value for key, value in EVENTS[kind].items()}


def code_of(event: Mapping[str, Any] | bytes | str) -> str:
    """Return the code of the error in a line that comes right after an opening."""
    data = event.encode() if isinstance(event, str) else event
    ((at, code),) = problems(read(OPEN, data))
    assert at == 2
    return code


# --- shapes


def test_the_types_are_those_of_the_format() -> None:
    assert set(ev.TYPES) == set(EVENTS)


@pytest.mark.parametrize("kind", EVENTS)
def test_every_key_is_read_and_written_back(kind: str) -> None:
    for event in (needed(kind), whole(kind), whole(kind) | COMMON):
        parsed = parse(json.dumps(event).encode())
        assert ev.type_of(parsed) == kind
        written = json.loads(ev.encode(parsed))
        assert written == event
        assert parse(ev.encode(parsed)) == parsed


@pytest.mark.parametrize(("kind", "key"), [(kind, key) for kind in EVENTS for key in needed(kind)])
def test_a_missing_key_is_named(kind: str, key: str) -> None:
    event = {name: value for name, value in needed(kind).items() if name != key}
    found = read(OPEN, event)
    assert problems(found) == [(2, "format.key")]
    assert key in str(found[0])


@pytest.mark.parametrize("kind", EVENTS)
def test_an_unknown_key_is_refused(kind: str) -> None:
    for key in ("colour", "Seat", "", "reason " if kind == "end" else "dealer "):
        assert code_of(needed(kind) | {key: 1}) == "format.key"


@pytest.mark.parametrize("kind", EVENTS)
def test_a_repeated_key_is_refused(kind: str) -> None:
    text = json.dumps(needed(kind))
    for twice in (f'{text[:-1]},"type":"{kind}"}}', f'{text[:-1]},"by":"a","by":"a"}}'):
        assert code_of(twice) == "format.key"


def test_a_repeated_key_is_refused_at_any_depth() -> None:
    text = '{"type":"amend","about":2,"event":{"type":"play","seat":1,"seat":1,"card":"5S"}}'
    assert code_of(text) == "format.key"
    text = '{"type":"open","game":"ruff","players":["a","b","c"],"options":{"rounds":1,"rounds":1}}'
    assert problem(text.encode()) == (1, "format.key")


WRONG: dict[str, list[Any]] = {
    "a whole number": [1.0, 1.5, True, False, "1", [1], {}, [], -0.0, 1e3],
    "a text": [1, True, ["a"], {}, 1.5],
    "a list of cards": ["5S", 5, {}, [5], [None], [["5S"]], "", True],
    "a list of numbers": [1, "111", {}, ["1"], [1.0], [True], [None], None],
    "hands": [["5S"], "5S", {}, [[5]], [None], 0, False],
    "an object": [1, "a", [], True],
    "a number": ["1", [1], {}, True],
    "an award": ["60", True, {}, [60], [{"score": 50}], [{"weight": "100"}], [{"weight": 1, "colour": 2}]],
}
KEYS = {
    "a whole number": "seat amount from to about seq dealer starter hand",
    "a text": "card text reason by id at game rules event table place date upcard policy suit kind law side call",
    "a list of cards": "players aside stock cards",
    "a list of numbers": "tricks scores",
    "hands": "hands",
    "an object": "options",
    "a number": "percent imps vps points",
    "an award": "ns ew",
}


def kind_of(event: str, key: str) -> str:
    """What kind of value a key takes."""
    if (event, key) in {("amend", "event")}:
        return "an object"
    if (event, key) in {("draw", "from"), ("adjust", "to")}:
        return "a text"
    if (event, key) == ("adjust", "tricks"):
        return "a whole number"
    return next(kind for kind, keys in KEYS.items() if key in keys.split())


@pytest.mark.parametrize(("kind", "key"), [(k, key) for k in EVENTS for key in (whole(k) | COMMON) if key != "type"])
def test_a_wrong_type_of_value_is_refused(kind: str, key: str) -> None:
    for value in WRONG[kind_of(kind, key)]:
        if value is not None or key != "hands":
            assert code_of(whole(kind) | {key: value}) == "format.value", value


@pytest.mark.parametrize(("kind", "key"), [(k, key) for k in EVENTS for key in (whole(k) | COMMON) if key != "type"])
def test_null_is_a_value_only_for_hands(kind: str, key: str) -> None:
    if key == "hands":
        assert problems(read(OPEN, DEAL)) == []
    else:
        assert code_of(whole(kind) | {key: None}) == "format.value"


@pytest.mark.parametrize("kind", [None, 1, 1.5, True, [], {}, ["play"]])
def test_a_type_that_is_not_text_is_refused(kind: object) -> None:
    assert code_of({"type": kind, "seat": 1}) in {"format.type", "format.value"}  # either says it


@pytest.mark.parametrize("kind", ["", "Play", "plays", "play ", "cardledger.rules.engine.events.Play"])
def test_an_unknown_type_is_refused(kind: str) -> None:
    assert code_of(PLAY | {"type": kind}) == "format.type"


def test_an_event_without_a_type_is_refused() -> None:
    assert code_of({"seat": 1, "card": "5S"}) == "format.key"


@pytest.mark.parametrize(
    "text",
    ["[]", "1", '"play"', "null", "{", "{}}", "{'type': 'end'}", "// note", "{} {}", "NaN", "\ufeff{}",
     '{"type":"score","scores":[NaN,0,0]}', '{"type":"score","scores":[Infinity,0,0]}',
     '{"type":"note","text":"a\tb"}', '{"type":"note","text":"\\x"}', '{"type":"end",}'],
)  # fmt: skip
def test_a_body_that_is_not_a_json_object_is_refused(text: str) -> None:
    assert code_of(text) == "format.json"


def test_bytes_that_are_not_utf_8_are_refused() -> None:
    assert code_of(b'{"type":"note","text":"\xff"}') == "format.json"
    assert code_of('{"type":"note","text":"é"}'.encode("latin-1")) == "format.json"
    assert problem(*(json.dumps(OPEN).encode("utf-16"),)) == (1, "format.json")


# --- common keys


@pytest.mark.parametrize(
    "at",
    ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.1Z", "2026-01-02T03:04:05.123456789Z",
     "2026-01-02T03:04:05+00:00", "2026-01-02T03:04:05-00:00", "2024-02-29T23:59:59Z"],
)  # fmt: skip
def test_at_is_a_time_in_utc(at: str) -> None:
    assert is_utc(at)
    assert problems(read(OPEN | {"at": at})) == []


@pytest.mark.parametrize(
    "at",
    ["", "now", "2026-01-02", "2026-01-02T03:04Z", "2026-01-02T03:04:05", "2026-01-02T03:04:05+01:00",
     "2026-01-02T24:00:00Z", "2026-13-02T03:04:05Z", "2025-02-29T03:04:05Z", "2026-01-02T03:04:05.Z",
     "2026-01-02T03:04:05Z ", "2026-1-02T03:04:05Z", "٢٠٢٦-01-02T03:04:05Z", "0000-01-01T00:00:00Z",
     "2026-01-02T03:04:05.1234567890Z", "2026-01-02T03:04:05Z\n"],
)  # fmt: skip
def test_at_in_another_form_is_refused(at: str) -> None:
    assert code_of(NOTE | {"at": at}) == "format.value"


@pytest.mark.parametrize("id", ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"])
def test_id_is_a_uuid_kept_in_small_letters(id: str) -> None:
    assert parse(json.dumps(NOTE | {"id": id}).encode()).id == id.lower()


@pytest.mark.parametrize(
    "id",
    ["a", "123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}",
     "urn:uuid:123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-42661417400g",
     "123e4567-e89b-12d3-a456-4266141740001", "123e4567-e89b-12d3-a456-42661417400０"],
)  # fmt: skip
def test_an_id_in_another_form_is_refused(id: str) -> None:
    assert code_of(NOTE | {"id": id}) == "format.value"


@pytest.mark.parametrize("date", ["2024-02-29", "0001-01-01", "9999-12-31"])
def test_date_is_a_day(date: str) -> None:
    assert problems(read(OPEN | {"date": date})) == []


@pytest.mark.parametrize(
    "date",
    ["", "2025-02-29", "2026-13-01", "20260101", "2026-W01-1", "1.1.2026", "2026-01-01T00:00:00Z", "٢٠٢٦-01-01"],
)
def test_date_in_another_form_is_refused(date: str) -> None:
    assert problem(OPEN | {"date": date}) == (1, "format.value")


def test_seq_is_the_place_in_the_match() -> None:
    good = [OPEN | {"seq": 1}, DEAL | {"seq": 2}, NOTE, PLAY | {"seq": 4}]
    assert problems(read(*good, b"", *good)) == []
    for place, wrong in ((0, 2), (0, 0), (1, 3), (1, 1), (3, 5), (3, -1)):
        lines = [dict(event) for event in good]
        lines[place]["seq"] = wrong
        assert problem(*lines) == (place + 1, "format.seq")


# --- openings


@pytest.mark.parametrize("name", ["a", "x" * 64, "Ana María", "林", "a b", "🂡", "\u200d", "\xa0"])
def test_a_player_id_is_any_text_of_up_to_64_characters(name: str) -> None:
    assert problems(read(OPEN | {"players": [name, "b2", "c2"]})) == []


@pytest.mark.parametrize("name", ["", "x" * 65, "a\n", "\t", "\0", "a\x1b[2J", "\x7f", "\x85", "\x9f"])
def test_a_player_id_in_another_form_is_refused(name: str) -> None:
    assert problem(OPEN | {"players": [name, "b", "c"]}) == (1, "format.value")


def test_one_player_cannot_sit_twice() -> None:
    assert problem(OPEN | {"players": ["a", "b", "a"]}) == (1, "format.value")


@pytest.mark.parametrize("policy", ["", "Strict", "free"])
def test_policy_is_strict_or_record(policy: str) -> None:
    assert problem(OPEN | {"policy": policy}) == (1, "format.value")


def test_the_policy_is_strict_by_default() -> None:
    (found,) = read(OPEN)
    assert isinstance(found, MatchInFile)
    assert found.stream.table.strict


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"game": "bingo"}, "format.game"),
        ({"options": {"colour": 1}}, "format.option"),
        ({"options": {"rounds": "1"}}, "format.option"),
        ({"options": {"rounds": 1.0}}, "format.option"),
        ({"options": {"rounds": None}}, "format.option"),
        ({"options": {"rounds": 0}}, "table.range"),
        ({"players": ["a", "b"]}, "table.range"),
        ({"players": []}, "table.range"),
        ({"rules": "ruff/99"}, "format.value"),
        ({"rules": "ruff-2/1"}, "format.value"),
    ],
)
def test_an_opening_that_its_game_refuses(change: Json, code: str) -> None:
    assert problem(OPEN | change) == (1, code)


def test_an_unknown_layout_is_an_error_of_options() -> None:
    event = {"type": "open", "game": "hecto-diversity", "players": ["a", "b"]}
    assert problem(event | {"options": {"layout": "9x9"}}) == (1, "format.option")


@pytest.mark.parametrize(
    ("face", "ways"),
    [
        ("TH", "10H TH th 10h H10 h10 10♥ ♥10 T♥ ♡t 10♥\ufe0f"),
        ("9S", "9S 9s S9 s9 9♠ ♠9 9♤ ♠\ufe0f9"),
        ("AD", "AD ad a♦ ♢A"),
    ],
)
def test_cards_are_read_as_people_write_them_and_stored_in_one_form(face: str, ways: str) -> None:
    for way in ways.split():
        assert parse(line({"type": "play", "seat": 1, "card": way})) == ev.Play(seat=1, card=face)
    give = {"type": "give", "seat": 1, "to": 2, "cards": ways.split()}
    deal = {"type": "deal", "dealer": 0, "hands": [ways.split(), []], "upcard": way}
    amend = {"type": "amend", "about": 3, "event": {"type": "play", "seat": 1, "card": way}}
    for event in (give, deal, amend):
        assert {*re.findall(r'"([0-9A-Z]{2})"', write([parse(line(event))]).decode())} == {face}


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.id)
def test_every_card_of_every_game_is_read_as_itself(game) -> None:
    for options in ({}, {"double_suits": True}) if game.id == "poison-hearts" else ({},):
        faces = start(ev.Open(game=game.id, players=tuple("abcdefgh"[: game.players[0]]), options=options)).pack.faces
        assert [*map(read_face, faces)] == faces


@pytest.mark.parametrize("value", ["D ", "d", "", "N"])
def test_suits_and_piles_are_the_words_of_the_format(value: str) -> None:
    assert code_of(whole("ask") | {"suit": value}) == "format.value"
    assert code_of(whole("draw") | {"from": value}) == "format.value"


# --- the event within an amend


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        (NOTE, "format.type"),
        ({"type": "retract", "to": 1}, "format.type"),
        ({"type": "amend", "about": 2, "event": PLAY}, "format.type"),
        ({"type": "end"}, "format.type"),
        ({"type": "shuffle"}, "format.type"),
        ({"seat": 1}, "format.key"),
        ({"type": "play", "seat": 1}, "format.key"),
        (PLAY | {"colour": 1}, "format.key"),
        (PLAY | {"seat": 1.0}, "format.value"),
        (PLAY | {"seq": None}, "format.value"),
        (PLAY | {"id": "x"}, "format.value"),
        (PLAY | {"at": "now"}, "format.value"),
        (PLAY | {"seq": 4}, "format.seq"),
        (OPEN | {"date": "now"}, "format.value"),
        ([], "format.value"),
        ("play", "format.value"),
        (None, "format.value"),
    ],
)
def test_the_event_within_an_amend_is_checked(inner: object, code: str) -> None:
    event = {"type": "amend", "about": 3, "event": inner}
    assert problem(OPEN, DEAL, PLAY, event) == (4, code)


def test_the_event_within_an_amend_may_carry_common_keys() -> None:
    event = {"type": "amend", "about": 3, "event": PLAY | COMMON | {"card": "6S"}}
    assert problems(read(OPEN, DEAL, PLAY, event)) == []


# --- lines and matches


def test_blank_lines_are_skipped_but_counted() -> None:
    lines = [b"", b"  \t", OPEN, b"", b"\r", DEAL | {"seq": 2}, b" ", NOTE | {"seq": 3}]
    (found,) = read(*lines)
    assert isinstance(found, MatchInFile)
    assert (found.line, len(found.events)) == (3, 3)
    assert problem(*lines, b"", b"x") == (10, "format.json")


def test_lines_may_end_as_on_windows_and_the_last_not_at_all() -> None:
    text = b"\r\n".join(json.dumps(event).encode() for event in (OPEN, DEAL, PLAY))
    (found,) = read_matches(io.BytesIO(text), "f")
    assert isinstance(found, MatchInFile)
    assert len(found.events) == 3


def test_a_byte_order_mark_is_allowed_at_the_start_only() -> None:
    mark = b"\xef\xbb\xbf"
    assert problems(read(mark + json.dumps(OPEN).encode(), DEAL)) == []
    assert problem(OPEN, mark + json.dumps(DEAL).encode()) == (2, "format.json")
    assert read(mark) == []
    assert problem(mark, mark + json.dumps(OPEN).encode()) == (2, "format.json")


def test_spaces_around_an_event_do_no_harm() -> None:
    assert problems(read(b"  " + json.dumps(OPEN, indent=None).encode() + b" \t")) == []


def test_an_empty_file_holds_nothing() -> None:
    assert read() == read(b"", b"  ") == []
    assert list(read_matches(io.BytesIO(b""), "f")) == []


def test_every_open_starts_a_match() -> None:
    found = read(OPEN, DEAL, OPEN, OPEN, DEAL, NOTE)
    assert [(one.line, len(one.events)) for one in found if isinstance(one, MatchInFile)] == [(1, 2), (3, 1), (4, 3)]
    assert [one.file for one in found] == ["f"] * 3


@pytest.mark.parametrize("kind", sorted({*EVENTS} - {"open"}))
def test_an_event_before_any_open_is_refused(kind: str) -> None:
    assert problem(whole(kind)) == (1, "format.open")


def test_an_error_stops_the_reading_but_keeps_the_matches_before() -> None:
    found = read(OPEN, DEAL, OPEN, PLAY, OPEN, DEAL)
    assert [type(one) for one in found] == [MatchInFile, Problem]
    assert problems(found) == [(4, "table.phase")]


def test_keep_going_goes_on_at_the_next_open_and_names_lines_that_are_wrong_by_themselves() -> None:
    lines = [OPEN, DEAL, OPEN, PLAY, DEAL, b"x", OPEN, OPEN | {"game": "x"}, NOTE, OPEN, b"{", OPEN, DEAL]
    found = read(*lines, keep_going=True)
    assert problems(found) == [(4, "table.phase"), (6, "format.json"), (8, "format.game"), (11, "format.json")]
    matches = [one.line for one in found if isinstance(one, MatchInFile)]
    assert matches == [1, 7, 12]
    assert [one.line for one in found] == [1, 4, 6, 7, 8, 11, 12]


@pytest.mark.parametrize("place", [3, 20, 52])
def test_a_wrong_event_has_its_line_though_lines_are_judged_together(place: int) -> None:
    (events,) = league("whist", 4, 1, 1, ("cautious",), max_hands=1)
    wrong = msgspec.structs.replace(events[place], card="?")
    found = read(*events[:place], wrong, *events[place + 1 :], *events, keep_going=True)
    assert problems(found[:1]) == [(place + 1, "table.holding")]
    assert [one.line for one in found] == [place + 1, len(events) + 1]


def test_no_part_of_a_wrong_match_is_returned() -> None:
    found = read(OPEN, DEAL, b"x", keep_going=True)
    assert [type(one) for one in found] == [Problem]


def test_a_wrong_open_ends_the_match_before() -> None:
    for wrong in (OPEN | {"game": "x"}, OPEN | {"players": 1}, {"type": "open"}, OPEN | {"seq": 2}):
        found = read(OPEN, DEAL, wrong)
        assert [type(one) for one in found] == [MatchInFile, Problem]


def test_matches_come_while_the_file_is_read() -> None:
    """Memory is that of one match: the first is given before the third is read."""

    def endless(size: int) -> bytes:
        del size
        return line(OPEN)

    file = io.BytesIO()
    file.readline = endless  # type: ignore[method-assign, assignment]
    matches = read_matches(file, "f")
    assert [next(matches).line for _ in range(3)] == [1, 2, 3]


def test_a_problem_in_words_names_file_line_and_code_and_harms_no_terminal() -> None:
    (found,) = read(OPEN | {"game": "\x1b[2J\n"})
    assert str(found).startswith("f:1: format.game: ")
    assert str(found).isprintable()


@pytest.mark.parametrize("id", games())
def test_options_are_filled_in_with_their_defaults(id: str) -> None:
    n = games()[id].players[0]
    (found,) = read(opening(id, n))
    assert isinstance(found, MatchInFile)
    assert result(found.stream.table)["options"] == {
        option.name: option.default_for(n) for option in games()[id].options
    }


# --- order of checks


def test_order_of_checks_is_shape_range_phase_turn_holding_rule() -> None:
    game = {"type": "open", "game": "ruff", "players": ["a", "b", "c"]}
    event = PLAY | {"seat": 9, "card": "XX", "colour": 1}
    assert problem(game, event) == (2, "format.key")
    del event["colour"]
    assert problem(game, event) == (2, "table.range")
    event["seat"] = 0
    assert problem(game, event) == (2, "table.phase")
    assert problem(game, DEAL, event) == (3, "table.turn")
    event["seat"] = 1
    assert problem(game, DEAL, event) == (3, "table.holding")


# --- round trips


@pytest.mark.parametrize(("game", "n"), SIZES)
def test_a_match_read_written_and_read_again_is_the_same(game: str, n: int) -> None:
    events = whole_hands(game, n, Random(n), hands=1) if game != "hecto-diversity" else []
    events = events or any_match(game, n, Random(n), events=60)
    text = write(events)
    (first,) = read_matches(io.BytesIO(text), "f")
    assert isinstance(first, MatchInFile)
    assert first.events == events
    assert write(first.events) == text
