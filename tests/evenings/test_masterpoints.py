"""Masterpoints: a club's table gives points for the places of what is published, and nothing of it is stored."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import FormatError, StoreError
from cardledger.formats.bridge_files.usebio_sessions import written_evening
from cardledger.formats.bridge_files.write_usebio_evening import usebio_of_evenings
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.masterpoints import added_up, awarded, forget_table, give_table, tables_of
from cardledger.rules.evenings.masterpoint_table import MOST_TABLES, lines_of, table_written
from cardledger.rules.evenings.rounding import printed
from tests.evenings.bridge import HOWELL, names
from tests.evenings.night import opening, record

if TYPE_CHECKING:
    from pathlib import Path

SIX = ("ana", "ben", "cai", "dan", "eva", "fay")
TABLE = "4: 0.20 0.10\n6: 0.30 0.20 0.10"


def club(ledger: Ledger, table: str = TABLE) -> str:
    found = record(ledger, None, {"type": "club", "name": "Tuesday Cards"})
    give_table(ledger, found, "tests", "Club", table)
    return found


def evening(ledger: Ledger, of: str, points: tuple[int, ...] = (60, 50, 40, 30, 20, 10), **keys: Any) -> str:
    """Record an evening of one table whose seats have some points; it is not published."""
    return record(
        ledger, None,
        opening(club=of, game=None, scoring={"kind": "total", "decimals": 0}, masterpoints="Club", **keys),
        {"type": "table", "round": 1, "table": 1, "seats": [*SIX[: len(points)]]},
        {"type": "result", "round": 1, "table": 1, "points": [*points]},
    )  # fmt: skip


def given(ledger: Ledger, session: str) -> list[str]:
    return [printed(points) for points in awarded(ledger, session).points.values()]


def test_places_get_points_once_the_ranking_is_published_and_not_before(ledger: Ledger) -> None:
    session = evening(ledger, club(ledger))
    assert given(ledger, session) == []
    record(ledger, session, {"type": "publish"})
    assert given(ledger, session) == ["0.30", "0.20", "0.10"]
    assert not any("0.3" in row.line for row in ledger.store.read(session)), "nothing of it is stored"


@pytest.mark.parametrize(
    ("table", "points", "expected"),
    [
        (TABLE, (60, 60, 40, 30, 20, 10), ["0.25", "0.25", "0.10"]),
        (TABLE, (9, 8, 7, 6), ["0.20", "0.10"]),
        (TABLE, (9, 8, 7), []),
        ("34%: 0.5\n100%: 0.1", (60, 50, 40, 30, 20, 10), ["0.50", "0.50", "0.10", "0.10", "0.10", "0.10"]),
        ("50%: 1", (60, 50, 40, 40, 20, 10), ["1.00", "1.00", "0.50", "0.50"]),
    ],
)
def test_ties_share_and_small_fields_get_less(
    ledger: Ledger, table: str, points: tuple[int, ...], expected: list[str]
) -> None:
    session = evening(ledger, club(ledger, table), points)
    record(ledger, session, {"type": "publish"})
    assert given(ledger, session) == expected


def test_a_later_table_changes_nothing_given_and_a_correction_does(ledger: Ledger) -> None:
    of = club(ledger)
    session = evening(ledger, of)
    record(ledger, session, {"type": "publish"})
    give_table(ledger, of, "tests", "CLUB", "2: 9 8 7")
    assert [*tables_of(ledger, of)] == ["Club"], "capitals make no other table"
    assert given(ledger, session) == ["0.30", "0.20", "0.10"]
    corrected = {"type": "result", "round": 1, "table": 1, "points": [0, 50, 40, 30, 20, 10]}
    record(ledger, session, {"type": "amend", "about": 3, "event": corrected})
    assert awarded(ledger, session).points.keys() == {2, 3, 4}
    record(ledger, session, {"type": "publish"})
    assert given(ledger, session) == ["9.00", "8.00", "7.00"]
    forget_table(ledger, of, "tests", "club")
    assert given(ledger, session) == ["9.00", "8.00", "7.00"]
    with pytest.raises(StoreError, match="gives no masterpoints 'Club'"):
        evening(ledger, of, date="2026-02-01")


def test_seasons_clubs_and_players_add_up(ledger: Ledger) -> None:
    of = club(ledger)
    nights = [evening(ledger, of, date=f"2026-01-0{day}") for day in (6, 7)]
    for session in nights:
        record(ledger, session, {"type": "publish"})
    league = record(
        ledger, None,
        {"type": "league", "club": of, "name": "Spring", "from": "2026-01-01", "until": "2026-06-30", "count": {}},
        {"type": "counts", "session": nights[0]},
    )  # fmt: skip
    assert [(each.player, printed(each.points), each.evenings) for each in added_up(ledger, league=league)] == [
        ("ana", "0.30", 1), ("ben", "0.20", 1), ("cai", "0.10", 1)
    ]  # fmt: skip
    assert [printed(each.points) for each in added_up(ledger, club=of)] == ["0.60", "0.40", "0.20"]
    assert [each.evenings for each in added_up(ledger, player="ben")] == [2]
    assert [each.evenings for each in added_up(ledger, since="2026-01-07")] == [1, 1, 1]
    assert added_up(ledger, club=record(ledger, None, {"type": "club", "name": "Other"})) == []


def test_each_line_is_a_field_of_its_own_and_usebio_carries_the_points(ledger: Ledger) -> None:
    of = club(ledger, "2: 0.5")
    keys = {"club": of, "masterpoints": "Club", "game": "bridge", "unit": "pair", "scoring": {"kind": "matchpoints"}}
    movement = {"type": "movement", "kind": "mitchell", "tables": 3, "boards": 1}
    scores = (
        {"type": "result", "round": 1, "table": table, "board": table, "score": 100 * table} for table in (1, 2, 3)
    )
    session = record(ledger, None, opening(**keys), *names(range(1, 7)), movement, *scores)
    record(ledger, session, {"type": "publish"})
    assert len(awarded(ledger, session).points) == 6, "all six have the average"
    text = "".join(usebio_of_evenings([written_evening(ledger, session)]))
    assert text.count("<MASTER_POINTS><MASTER_POINTS_AWARDED>0.17</MASTER_POINTS_AWARDED></MASTER_POINTS>") == 6
    howell = record(ledger, None, *HOWELL)
    assert "MASTER_POINTS" not in "".join(usebio_of_evenings([written_evening(ledger, howell)]))


@pytest.mark.parametrize(
    "text",
    [
        "entries,1,2\n8,0.30,0.20\n12,0.4,0.3",
        "8: 0.30 0.20\n12: 0.4 0.3",
        "12; 0,40; 0,30\n\n8; 0,30; 0,20;;",
        "Paare\t1\t2\n8\t0,3\t0,2\n12\t0,4\t0,3",
        "8: 0.30, 0.20\r\n12: 0.40, 0.30\r\n",
    ],
)
def test_a_table_is_read_as_people_write_it(text: str) -> None:
    table = table_written("Club", text)
    assert lines_of(table) == "8: 0.3 0.2\n12: 0.4 0.3"
    assert table_written("Club", lines_of(table)) == table


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no line"),
        ("entries,1,2", "no line"),
        ("8: a", "line 1, a: write"),
        ("8", "line 1, 8: write"),
        ("8: 0.3\nnext: 1", "line 2, next: write"),
        ("8: 0.333", "0.333: write"),
        ("8: -1", "-1: write"),
        ("8: 1 2", "no place is worth more"),
        ("8,0,30", "no place is worth more"),
        ("10%: 1\n20%: 2", "no place is worth more"),
        ("8: 1\n8: 1", "each number once"),
        ("8: 1\n10%: 1", "all by 'entries' or all by 'percent'"),
        ("10%: 1 1", "one number for its share"),
        ("101%: 1", "no field is of 101%"),
        ("0: 1", "no field is of 0"),
        ("8: 20000", "from 0 to 10000"),
        ("8: 1\n" * 4001, "at most 20000 characters"),
        ("\n".join(f"{n}: 1" for n in range(1, 202)), "at most 200 rows"),
    ],
)
def test_what_says_no_clear_table_is_refused(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        table_written("Club", text)


def test_a_club_gives_so_many_tables_and_forgets_what_it_has(ledger: Ledger) -> None:
    of = record(ledger, None, {"type": "club", "name": "Tuesday Cards"})
    rows = [{"entries": 2, "points": [1]}]
    record(ledger, of, *({"type": "masterpoints", "name": f"T{n}", "rows": rows} for n in range(MOST_TABLES)))
    with pytest.raises(FormatError, match="at most 100 tables"):
        give_table(ledger, of, "tests", "more", "2: 1")
    with pytest.raises(FormatError, match="gives no masterpoints more"):
        forget_table(ledger, of, "tests", "more")
    with pytest.raises(FormatError, match="give its 'club' too"):
        record(ledger, None, opening(masterpoints="T1"))
    before = ledger.store.last_position()
    give_table(ledger, of, "tests", "T1", "2: 1")
    assert ledger.store.last_position() == before, "the same again records nothing"


def test_the_command_keeps_a_table_and_shows_what_was_given(tmp_path: Path) -> None:
    ledger, where = Ledger(tmp_path / "club.db"), ["--db", str(tmp_path / "club.db")]
    of = record(ledger, None, {"type": "club", "name": "Tuesday Cards"})

    def run(*words: str, text: str | None = None) -> str:
        answer = CliRunner().invoke(main, ["evening", *words, *where], input=text)
        assert answer.exit_code == 0, answer.output
        return answer.output

    run("masterpoints", "--club", "Tuesday Cards", "--keep", "-", "--table", "Club", text="4,0.20,0.10\n")
    made = run(
        "new", "--club", "Tuesday Cards", "--name", "Cup", "--game", "hearts", "--scoring", "total", "--masterpoints",
        "club", "--here", "ana,ben,cai,dan", "--json",
    )  # fmt: skip
    session = json.loads(made)["evening"]
    seats = {"type": "table", "round": 1, "table": 1, "seats": [*SIX[:4]]}
    record(ledger, session, seats, {"type": "result", "round": 1, "table": 1, "points": [0, 6, 10, 10]})
    record(ledger, session, {"type": "publish"})
    assert [line.split() for line in run("masterpoints", "Cup").splitlines()][-2:] == [
        ["1", "ana", "0.20"],
        ["2", "ben", "0.10"],
    ]
    found = json.loads(run("masterpoints", "--club", of, "--json"))
    assert found["players"][0] == {"player": "ana", "points": "0.20", "evenings": 1}
    run("masterpoints", "--club", of, "--forget", "club")
    assert tables_of(ledger, of) == {}
    ledger.close()
