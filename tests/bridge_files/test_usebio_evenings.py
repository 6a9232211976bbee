"""A whole session as USEBIO: a file makes an evening, an evening makes a file, and neither loses anything."""

from __future__ import annotations

import io
import json
import re
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.formats.bridge_files.usebio_evening import evenings_in
from cardledger.formats.bridge_files.usebio_sessions import written_evening
from cardledger.formats.bridge_files.write_usebio_evening import usebio_of_evenings
from cardledger.rules.engine import events as match_events
from cardledger.rules.evenings import evening_events as ev
from tests.api.recording import as_role
from tests.bridge_files.test_usebio import HANDS, line, pair, usebio
from tests.conftest import SAMPLES
from tests.evenings.bridge import pairs, play
from tests.evenings.night import record
from tests.waiting import LIMIT
from tests.web.conftest import empty as empty

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from cardledger.record.recording.ledger import Ledger

NAMES = [("Ann", "Bob"), ("Cem", "Dot"), ("Eva", "Fay"), ("Gus", "Hal")]


def run(*arguments: object, code: int = 0) -> Any:
    told = CliRunner().invoke(main, [*map(str, arguments)])
    assert told.exit_code == code, told.output
    return told


def file_of(lines: list[str], **more: Any) -> str:
    """Return a session of four pairs with boards 1 and 2."""
    entries = "".join(pair(str(number), *both) for number, both in enumerate(NAMES, 1))
    second = f"<BOARD><BOARD_NUMBER>2</BOARD_NUMBER>{''.join(lines[2:])}</BOARD>"
    return usebio(*lines[:2], pairs=entries, more=second + more.pop("more", ""), **more)


def result(ns: int, ew: int, **said: object) -> str:
    return line(**{"NS_PAIR_NUMBER": ns, "EW_PAIR_NUMBER": ew, **said})


FOUR = [
    result(1, 2, CONTRACT="4S", PLAYED_BY="N", LEAD="AH", TRICKS=10, SCORE=420, NS_MATCH_POINTS=2, EW_MATCH_POINTS=0),
    result(3, 4, CONTRACT="4S", PLAYED_BY="N", TRICKS=9, SCORE=-50, NS_MATCH_POINTS=0, EW_MATCH_POINTS=2),
    result(1, 2, CONTRACT="PASS", SCORE=0, NS_MATCH_POINTS=0, EW_MATCH_POINTS=2),
    result(3, 4, SCORE="A6040"),
]


def imported(ledger: Ledger, tmp_path: Path, text: str) -> tuple[str, Any]:
    """Import a file; return the id of its evening, and what was said."""
    path = tmp_path / "night.xml"
    path.write_text(text, "utf-8")
    told = run("import", path, "--db", ledger.store.file.path)
    return (re.findall(r"session-[\w-]+", told.output) or [""])[0], told


def evening_of(ledger: Ledger, session: str) -> dict[str, Any]:
    """Return all that an evening says, without the ids of its matches and the numbers of its events."""
    state = ledger.evenings.stream(session).state
    boards = ledger.evenings.rankings.travellers(session)
    for board in boards:
        for row in board["lines"]:
            del row["match"], row["events"]
            row["hand"] = row["hand"] and 1
    return {
        "opening": (state.opening.name, state.opening.date, state.opening.place, state.opening.scoring),
        "entries": {number: lineups[-1].players for number, lineups in state.entries.items()},
        "ranking": ledger.evenings.rankings.ranking(session).rows,
        "boards": boards,
    }


def test_a_file_makes_an_evening_with_club_pairs_tables_and_results(ledger: Ledger, tmp_path: Path) -> None:
    session, told = imported(ledger, tmp_path, file_of(FOUR))
    assert "usebio.points: board 2, 1 against 2" in told.output, "0 of 2 is printed, but alone it is the average"
    state = ledger.evenings.stream(session).state
    assert (state.opening.name, state.opening.date, state.opening.game) == ("Tuesday", "2026-03-14", "bridge")
    assert ledger.evenings.stream(state.opening.club).state.opening.name == "Lyon BC"
    assert [lineups[-1].players for lineups in state.entries.values()] == NAMES
    assert {number: seated.boards for number, seated in state.tables(1).items()} == {1: (1, 2)}
    assert {number: seated.boards for number, seated in state.tables(2).items()} == {1: (1, 2)}
    first, second = ledger.evenings.rankings.travellers(session)
    assert [(row["contract"], row["lead"], row["score"]) for row in first["lines"]] == [
        ("4S", "AH", 420),
        ("4S", None, -50),
    ]
    assert second["lines"][1]["ns_award"] == {"percent": "60.00"}


def test_the_same_file_again_stores_nothing(ledger: Ledger, tmp_path: Path) -> None:
    session, _ = imported(ledger, tmp_path, file_of(FOUR))
    before = ledger.store.last_position()
    assert imported(ledger, tmp_path, file_of(FOUR))[0] == session
    assert ledger.store.last_position() == before


def test_pairs_of_two_lines_with_the_same_numbers_stay_apart(ledger: Ledger, tmp_path: Path) -> None:
    both = (
        pair("1", "Ann", "Bob", "N")
        + pair("2", "Cem", "Dot", "N")
        + pair("1", "Eva", "Fay", "E")
        + pair("2EW", "Gus", "Hal", "E")
    )
    session, _ = imported(ledger, tmp_path, usebio(result(1, 1, SCORE=420), result(2, 2, SCORE=-50), pairs=both))
    rows = ledger.evenings.rankings.ranking(session).rows
    assert [(row["line"], row["place"], row["players"][0]) for row in rows] == [
        ("ns", "1", "Ann"), ("ns", "2", "Cem"), ("ew", "1", "Gus"), ("ew", "2", "Eva"),
    ]  # fmt: skip


def test_a_session_written_and_read_again_is_the_same(ledger: Ledger, tmp_path: Path) -> None:
    more = (
        f"<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>{HANDS}</BOARD><EVENT_IDENTIFIER>77</EVENT_IDENTIFIER>"
        "<PROGRAM_NAME>Pairs &amp; more</PROGRAM_NAME>"
    )
    text = file_of(FOUR, more=more).replace(
        "<PLAYER_NAME>Eva", "<NATIONAL_ID_NUMBER>4711</NATIONAL_ID_NUMBER><PLAYER_NAME>Eva"
    )
    session, _ = imported(ledger, tmp_path, text)
    state = ledger.evenings.stream(session).state
    match = state.results[1, 1, 1][1].match or ""
    weighted = (
        match_events.Weighted(score=420, weight=60),
        match_events.Weighted(contract="4S", declarer=0, tricks=9, weight=40),
    )
    ruling = match_events.Adjust(
        kind="assigned", law="12C1c", reason="a <hesitation>", ns=weighted, ew=weighted[:0] or weighted
    )
    fine = match_events.Adjust(kind="penalty", law="90B2", side="ew", percent=10)
    ledger.record(match, [ruling, fine], ledger.stream(match).seq, "director")
    record(
        ledger, session, {"type": "adjust", "round": 2, "table": 1, "board": 1, "ns": 55, "ew": 45, "law": "12C2"},
        {"type": "adjust", "entry": 3, "penalty": 0.5, "law": "90"},
    )  # fmt: skip
    path = ledger.store.file.path
    written = run("export", "--format", "usebio", "Tuesday", "--db", path).output
    for kept in ("EVENT_IDENTIFIER>77<", "Pairs &amp; more", "NATIONAL_ID_NUMBER>4711<", "hesitation"):
        assert kept in written
    other = tmp_path / "other.db"
    (tmp_path / "again.xml").write_text(written, "utf-8")
    told = run("import", tmp_path / "again.xml", "--db", other)
    assert "usebio.points" not in told.output
    again = run("export", "--format", "usebio", "Tuesday", "--db", other).output
    assert again == written
    from cardledger.record.recording.ledger import Ledger as Opened

    with Opened(other) as second:
        (copy,) = second.evenings.ids("session")
        assert evening_of(second, copy) == evening_of(ledger, session)


def test_an_evening_played_here_comes_back_from_its_file(ledger: Ledger, tmp_path: Path) -> None:
    session = pairs(ledger, 3, 2, scoring={"kind": "cross_imps"}, place="Lyon")
    play(ledger, session, Random(9))
    path = ledger.store.file.path
    written = run("export", "--format", "usebio", session, "--db", path).output
    other = tmp_path / "other.db"
    (tmp_path / "night.xml").write_text(written, "utf-8")
    assert "usebio.points" not in run("import", tmp_path / "night.xml", "--db", other).output
    assert run("export", "--format", "usebio", "Bridge on Tuesday", "--db", other).output == written


def test_the_ranking_that_was_published_goes_with_the_file_and_comes_back(ledger: Ledger, tmp_path: Path) -> None:
    session = pairs(ledger, 3, 2)
    play(ledger, session, Random(9))
    path = ledger.store.file.path
    assert "PUBLISHED" not in run("export", "--format", "usebio", session, "--db", path).output
    record(ledger, session, {"type": "publish"})
    (published,) = ledger.evenings.rankings.published(session)
    worst = published.ranking.rows[-1]
    at = {"type": "adjust", "round": 1, "law": "12C2", "table": 1}
    board = ledger.evenings.stream(session).state.tables(1)[1].boards[0]
    record(ledger, session, {**at, "board": board, "ns": 100, "ew": 0})
    written = run("export", "--format", "usebio", session, "--db", path).output
    for row in published.ranking.rows:
        assert f"<PUBLISHED_PLACE>{row['place']}</PUBLISHED_PLACE>" in written
        assert f"<PUBLISHED_PERCENTAGE>{row['percent']}</PUBLISHED_PERCENTAGE>" in written
    assert ledger.evenings.rankings.ranking(session).rows != published.ranking.rows
    other = tmp_path / "other.db"
    (tmp_path / "night.xml").write_text(written, "utf-8")
    run("import", tmp_path / "night.xml", "--db", other)
    assert run("export", "--format", "usebio", "Bridge on Tuesday", "--db", other).output == written
    run("evening", "publish", "Bridge on Tuesday", "--db", other)
    again = run("export", "--format", "usebio", "Bridge on Tuesday", "--db", other).output
    assert again.count("<PUBLISHED_PLACE>") == len(published.ranking.rows), "what is published here goes before that"
    assert worst["percent"]


def test_the_sample_evening_has_the_ranking_that_is_expected(tmp_path: Path) -> None:
    told = run("import", SAMPLES / "evenings" / "bridge-pairs.xml", "--db", tmp_path / "club.db")
    assert "36 matches" in told.output
    assert "usebio.points" not in told.output
    shown = json.loads(run("evening", "show", "Bridge pairs", "--json", "--db", tmp_path / "club.db").output)
    assert shown["ranking"] == json.loads((SAMPLES / "evenings" / "bridge-pairs.expected.json").read_text("utf-8"))
    by_line = {
        line: sum(float(row["percent"]) for row in shown["ranking"] if row["line"] == line) for line in ("ns", "ew")
    }
    assert {line: round(total, 1) for line, total in by_line.items()} == {"ns": 201.1, "ew": 198.9}, (
        "60 and 40 for board 8"
    )


@pytest.mark.parametrize("way", ["api", "page"])
def test_an_uploaded_file_makes_an_evening_too(way: str, empty: Flask) -> None:
    scorer, content = as_role(empty, "scorer"), file_of(FOUR).encode()
    if way == "api":
        answer = scorer.post("/api/v1/import", data={"file": (io.BytesIO(content), "night.xml")})
        (made,) = answer.json["evenings"]
        evening = made["evening"]
        assert {warning["code"] for warning in answer.json["warnings"]} == {"usebio.points"}
    else:
        answer = scorer.post("/boards/import", data={"file": (io.BytesIO(content), "night.xml"), "store": "yes"})
        evening = answer.headers["Location"].rpartition("/")[2]
    assert "Ann and Bob" in re.sub("<[^>]*>", "", scorer.get(f"/evenings/{evening}").text)


def test_other_kinds_of_events_are_matches_alone(ledger: Ledger, tmp_path: Path) -> None:
    session, told = imported(ledger, tmp_path, usebio(result(1, 2, SCORE=420), kind="SWISS_TEAMS"))
    assert session == ""
    assert "1 match" in told.output


def test_a_file_with_a_wrong_line_makes_no_evening(ledger: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "night.xml"
    path.write_text(usebio(result(1, 2, SCORE=420), board="x"), "utf-8")
    run("import", path, "--db", ledger.store.file.path, code=2)
    assert ledger.evenings.ids() == []


@pytest.mark.parametrize("digits", ["1" * 5000, "\u0663", "0", "1001"])
def test_a_round_whose_number_is_none_is_left_out(digits: str) -> None:
    (evening,) = evenings_in(
        io.BytesIO(file_of([result(1, 2, ROUND_NUMBER=digits, TABLE_NUMBER=1, SCORE=420)]).encode())
    )
    assert [line.at for line in evening.lines] == [None]


def test_a_board_that_many_couples_play_takes_as_many_rounds_and_no_minutes() -> None:
    entries = "".join(pair(str(number), f"a{number}", f"b{number}") for number in range(1, 140))
    lines = [result(1 + number % 39, 40 + number // 39, SCORE=420) for number in range(3000)]
    began = time.process_time()
    (evening,) = evenings_in(io.BytesIO(usebio(*lines, pairs=entries).encode()))
    events = evening.events(None, {line.game: "m" for line in evening.lines})
    assert max(event.round for event in events if isinstance(event, ev.Table)) == 3000
    assert time.process_time() - began < LIMIT


def test_a_file_imported_again_after_a_match_was_declared_void_is_known(ledger: Ledger, tmp_path: Path) -> None:
    session, _ = imported(ledger, tmp_path, file_of(FOUR))
    match = ledger.evenings.stream(session).state.results[1, 1, 1][1].match or ""
    ledger.record(match, [match_events.Void(reason="wrong cards")], ledger.stream(match).seq, "director")
    assert imported(ledger, tmp_path, file_of(FOUR))[0] == session


def test_a_file_that_differs_from_the_evening_it_made_is_refused_by_that_name(ledger: Ledger, tmp_path: Path) -> None:
    session, _ = imported(ledger, tmp_path, file_of(FOUR))
    path = tmp_path / "corrected.xml"
    path.write_text(file_of(FOUR).replace(">10<", ">11<").replace(">420<", ">450<"), "utf-8")
    told = run("import", path, "--anyway", "--db", ledger.store.file.path, code=2)
    assert f" {session} is stored already" in told.output
    assert f"match {session}" not in told.output


def test_writing_an_evening_reads_each_match_once(ledger: Ledger) -> None:
    session = pairs(ledger, 3, 3)
    play(ledger, session, Random(9))
    evening, read = written_evening(ledger, session), []
    counting = evening._replace(stream_of=lambda match: read.append(match) or ledger.stream(match))
    assert "".join(usebio_of_evenings([counting])).count("<TRAVELLER_LINE>") == 27
    assert len(read) == 9


def test_a_corrected_file_corrects_its_match_and_leaves_the_evening(ledger: Ledger, tmp_path: Path) -> None:
    path = ledger.store.file.path
    (tmp_path / "night.xml").write_text(file_of(FOUR), "utf-8")
    (tmp_path / "mended.xml").write_text(
        file_of([FOUR[0].replace(">10<", ">11<").replace(">420<", ">450<"), *FOUR[1:]]), "utf-8"
    )
    run("import", tmp_path / "night.xml", "--db", path)
    (session,) = ledger.evenings.ids("session")
    before = ledger.evenings.events(session), set(ledger.matches())
    refused = run("import", tmp_path / "mended.xml", "--db", path, code=2)
    assert "store.similar" in refused.output
    assert "store.differs" not in refused.output, "the evening waits until its matches are stored"
    (match,) = re.findall(r"store.similar: match (\S+) ", refused.output)
    told = run("import", tmp_path / "mended.xml", "--replace", match, "--db", path)
    assert "1 replaced" in told.output
    assert "0 of " in told.output, "the evening is stored already"
    assert (ledger.evenings.events(session), set(ledger.matches())) == before
    (first, *_) = ledger.evenings.rankings.travellers(session)[0]["lines"]
    assert first["tricks"] == 11


# --- what files call their pairs


MITCHELL = [(round, table, table, (table + round) % 3 + 1) for round in range(3) for table in (1, 2, 3)]
"""Rounds of three tables: the pair that sits north-south, and the one that sits east-west, each in its own line."""
SWITCHED = [*MITCHELL[:6], *((round, table, ew, ns) for round, table, ns, ew in MITCHELL[6:])]
"""The same; in the last round, an arrow switch, the lines change places."""
HOWELL = [(0, 1, 1, 4), (0, 2, 2, 3), (1, 1, 2, 4), (1, 2, 3, 1), (2, 1, 3, 4), (2, 2, 1, 2)]
"""Four pairs with numbers of their own, who sit in both lines."""
MOVEMENTS = {"mitchell": MITCHELL, "arrow switch": SWITCHED, "howell": HOWELL, "one round": MITCHELL[:3]}
LABELS: dict[str, Callable[[int, str], tuple[str, str]]] = {
    "a direction": lambda number, line: (str(number), line[0]),
    "letters after": lambda number, line: (f"{number}{line}", ""),
    "letters before": lambda number, line: (f"{line[0]}/{line[1]} {number}", line),
    "a number alone": lambda number, _: (str(number), ""),
}


PLAYED = [
    (movement, labels, winners)
    for movement in MOVEMENTS
    for labels in LABELS
    for winners in (1, 2)
    # In a Howell pairs have no line. After an arrow switch only letters say who sat where, and one pair wins.
    if (movement != "howell" or (labels, winners) == ("a number alone", 1))
    and (movement != "arrow switch" or (labels.startswith("letters") and winners == 1))
]


@pytest.mark.parametrize(("movement", "labels", "winners"), PLAYED)
def test_everybody_gets_their_own_results_whatever_a_pair_is_called(
    ledger: Ledger, tmp_path: Path, movement: str, labels: str, winners: int
) -> None:
    howell, switched = movement == "howell", movement == "arrow switch"
    label = LABELS[labels]
    lines = ("NS",) if howell else ("NS", "EW")
    who = {
        (number, line): (f"{line}{number} a", f"{line}{number} b")
        for line in lines
        for number in range(1, 5 - len(lines) // 2)
    }
    named = "".join(pair(label(*key)[0], *names, label(*key)[1]) for key, names in who.items())
    travellers: dict[int, list[str]] = {}
    truth = set()
    for number, (round, table, ns, ew) in enumerate(MOVEMENTS[movement]):
        turned = switched and round == 2
        sides = ("NS", "NS") if howell else ("EW", "NS") if turned else ("NS", "EW")
        said = [label(ns, sides[0])[0], label(ew, sides[1])[0]]
        board = round + 1 if howell else (table - round) % 3 + 1
        score = 50 * number + 50
        travellers.setdefault(board, []).append(
            line(
                NS_PAIR_NUMBER=said[0], EW_PAIR_NUMBER=said[1], SCORE=score, ROUND_NUMBER=round + 1, TABLE_NUMBER=table
            )
        )
        truth.add((board, *who[ns, sides[0]], *who[ew, sides[1]], score))
    boards = [
        f"<BOARD><BOARD_NUMBER>{board}</BOARD_NUMBER>{''.join(rows)}</BOARD>" for board, rows in travellers.items()
    ]
    text = usebio(pairs=named, more="".join(boards)).replace("<DATE>", f"<WINNER_TYPE>{winners}</WINNER_TYPE><DATE>")
    session, told = imported(ledger, tmp_path, text)
    assert session, told.output
    state = ledger.evenings.stream(session).state
    players = {number: lineups[-1].players for number, lineups in state.entries.items()}
    assert sorted(players.values()) == sorted(who.values())
    seen = set()
    for traveller in ledger.evenings.rankings.travellers(session):
        for row in traveller["lines"]:
            seen.add((traveller["board"], *players[row["ns"][0]], *players[row["ew"][0]], row["score"]))
    assert seen == truth
    first = [row.get("line") for row in ledger.evenings.rankings.ranking(session).rows if row["place"][:1] == "1"]
    assert {*first} == ({"ns", "ew"} if winners == 2 else {None})
