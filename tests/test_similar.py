"""A file that was corrected and imported again is recognised, and makes no second match unless somebody says so."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from cardledger.cli import importing, main
from cardledger.record.matches.matchfile import write
from cardledger.record.matches.replay import result
from cardledger.record.recording import similar
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream
from cardledger_web.app import ledger_of
from tests.api.recording import as_role
from tests.conftest import ROOT
from tests.web.conftest import empty

__all__ = ["empty"]

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

NIGHT = {"event": "Club night", "table": "1", "date": "2026-03-02"}
FOUR = ("ana", "ben", "chloe", "dev")


def night(seed: int = 1, players: Sequence[str] = FOUR, **opening: Any) -> list[ev.Event]:
    """Return a match of diversity as a file has it."""
    first, *rest = simulate("diversity", 4, Random(seed), ["cautious"], {"hands": 2}, players=players)
    return [msgspec.structs.replace(first, **(NIGHT | opening)), *rest]


def sheet(*hands: Sequence[int], players: Sequence[str] = FOUR, **opening: Any) -> list[ev.Event]:
    """Return a score sheet as a file has it."""
    found: list[ev.Event] = [ev.Open(game="diversity", players=tuple(players), **opening)]
    for dealer, scores in enumerate(hands):
        found += [ev.Deal(dealer=dealer, hands=None), ev.Score(scores=tuple(scores))]
    return found


def with_claim(events: list[ev.Event], last: int = 20) -> list[ev.Event]:
    """Return a match whose last hand was claimed early, after this many cards."""
    deal = max(place for place, event in enumerate(events) if isinstance(event, ev.Deal))
    played = last // 4 * 4
    left = 13 - played // 4
    return [*events[: deal + 1 + played], ev.Claim(tricks=(left, 0, 0, 0))]


class Club:
    """A ledger in a folder, and files that are imported into it by the command."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.db = str(folder / "club.db")

    def take(
        self, *matches: Sequence[ev.Event], options: Sequence[str] = (), status: int = 0, said: str | None = None
    ) -> Result:
        path = self.folder / "night.jsonl"
        path.write_bytes(b"".join(map(write, matches)))
        done = CliRunner().invoke(main.main, ["import", str(path), "--db", self.db, *options], input=said)
        assert done.exit_code == status, done.output
        return done

    @property
    def matches(self) -> list[str]:
        with Ledger(Path(self.db)) as ledger:
            return ledger.matches()

    def events(self, match: str) -> list[ev.Event]:
        with Ledger(Path(self.db)) as ledger:
            return [*ledger.events(match)]

    def result(self, match: str) -> dict[str, Any]:
        with Ledger(Path(self.db)) as ledger:
            assert [error for _, error in ledger.verify() if error] == []
            return result(ledger.stream(match).table)


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path)


def renamed(events: list[ev.Event]) -> list[ev.Event]:
    return [msgspec.structs.replace(events[0], players=("ana", "ben", "clara", "dev")), *events[1:]]


STORED = with_claim(night())
CORRECTED: dict[str, list[ev.Event]] = {
    "a number at the end": [*STORED[:-1], ev.Claim(tricks=(0, 8, 0, 0))],
    "an amend at the end": [*STORED, ev.Amend(about=len(STORED), event=ev.Claim(tricks=(0, 8, 0, 0)))],
    "a note at the end": [*STORED, ev.Note(text="dev had to leave", about=len(STORED))],
    "the date": with_claim(night(date="2026-03-03")),
    "the date is added": with_claim(night(date=None)),
    "the name of the evening": with_claim(night(event="Spring night")),
    "the name of a player": renamed(STORED),
}


@pytest.mark.parametrize("what", CORRECTED)
def test_a_corrected_file_is_refused_and_the_match_is_named(club: Club, what: str) -> None:
    club.take(STORED)
    (match,) = club.matches
    done = club.take(CORRECTED[what], status=2)
    assert f"store.similar: match {match}" in done.output
    assert "--replace MATCH" in done.output
    assert club.matches == [match]
    assert len(club.events(match)) == len(STORED)


@pytest.mark.parametrize("what", CORRECTED)
def test_a_corrected_file_replaces_what_was_stored_and_nothing_is_lost(club: Club, what: str) -> None:
    club.take(STORED)
    (match,) = club.matches
    before = club.events(match)
    assert "1 replaced" in club.take(CORRECTED[what], options=["--replace", match[:8]]).output
    assert club.matches == [match]
    assert club.events(match)[: len(before)] == before
    assert club.result(match) == result(Stream.of(CORRECTED[what]).table)
    for again in (STORED, CORRECTED[what]):
        assert "1 stored already" in club.take(again).output
        assert club.matches == [match]


@pytest.mark.parametrize("what", CORRECTED)
def test_both_matches_are_stored_on_request(club: Club, what: str) -> None:
    club.take(STORED)
    club.take(CORRECTED[what], options=["--anyway"])
    assert len(club.matches) == 2
    club.take(CORRECTED[what])
    assert len(club.matches) == 2


@pytest.mark.parametrize(
    ("said", "matches", "events"), [("replace", 1, 2), ("both", 2, 0), ("leave", 1, 0), ("", 1, 0)]
)
def test_in_a_terminal_the_user_is_asked(
    club: Club, monkeypatch: pytest.MonkeyPatch, said: str, matches: int, events: int
) -> None:
    club.take(STORED)
    (match,) = club.matches
    monkeypatch.setattr(importing, "at_terminal", lambda: True)
    left = said in ("leave", "")
    done = club.take(CORRECTED["a number at the end"], said=f"{said}\n", status=2 if left else 0)
    assert f"match {match} of 2026-03-02 has the same game, players, event, table and date" in done.output
    assert len(club.matches) == matches
    assert len(club.events(match)) == len(STORED) + events


def test_a_misread_sheet_is_recognised_by_its_evening(club: Club) -> None:
    club.take(sheet((3, 2, 4, 4), (1, 2, 5, 5), **NIGHT))
    assert "store.similar" in club.take(sheet((3, 3, 4, 3), (1, 2, 5, 5), **NIGHT), status=2).output
    wrong_name = sheet((3, 2, 4, 4), (1, 2, 5, 5), players=("ana", "ben", "chloe", "eva"), **NIGHT)
    assert "the same beginning" in club.take(wrong_name, status=2).output


def test_among_several_matches_of_an_evening_the_corrected_one_is_named(club: Club) -> None:
    three = [with_claim(night(seed)) for seed in (1, 2, 3)]
    club.take(*three)
    first, second, third = club.matches
    changed = [*three[1][:-1], ev.Claim(tricks=(0, 0, 8, 0))]
    done = club.take(three[0], changed, three[2], status=2)
    assert f"match {second}" in done.output
    assert f"match {first}" not in done.output
    assert f"match {third}" not in done.output
    club.take(three[0], changed, three[2], options=["--replace", second])
    assert club.matches == [first, second, third]
    assert club.events(second)[-1].tricks == (0, 0, 8, 0)  # type: ignore[attr-defined]


def test_a_file_that_has_grown_by_a_match_of_the_same_evening_is_taken(club: Club) -> None:
    club.take(night(1), night(2))
    assert "1 match" in club.take(night(1), night(2), night(3)).output
    assert len(club.matches) == 3


@pytest.mark.parametrize(
    "other",
    [
        night(2, date="2026-03-09"),
        night(2, event="Spring night"),
        night(2, table="2"),
        night(2, players=("ana", "ben", "chloe", "eva")),
        night(1, players=("eva", "fay", "gus", "hana"), table="2"),
        night(2, id="5a0ea0c2-77f1-4c8e-8cc2-9b4dbe6f0a55"),
        sheet((3, 2, 4, 4), players=("eva", "fay", "gus", "hana")),
        sheet((3, 2, 4, 4), players=("ana", "ben", "fay", "gus"), **NIGHT),
    ],
)
def test_other_matches_are_imported_without_a_warning(club: Club, other: list[ev.Event]) -> None:
    if other[0].players == ("eva", "fay", "gus", "hana") and isinstance(other[2], ev.Play):  # type: ignore[attr-defined]
        # The same deal at another table, played otherwise.
        other = [*other[:2], *night(1, players=("eva", "fay", "gus", "hana"))[2:6], ev.Claim(tricks=(6, 6, 0, 0))]
    club.take(night(), sheet((3, 2, 4, 4), (1, 2, 5, 5), **NIGHT))
    club.take(other)
    assert len(club.matches) == 3


def test_an_id_of_its_own_does_not_hide_the_same_beginning(club: Club) -> None:
    club.take(STORED)
    changed = [msgspec.structs.replace(STORED[0], id="5a0ea0c2-77f1-4c8e-8cc2-9b4dbe6f0a55"), *STORED[1:]]
    assert "the same beginning" in club.take(changed, status=2).output


def test_a_void_match_blocks_no_other(club: Club) -> None:
    club.take(STORED)
    (match,) = club.matches
    CliRunner().invoke(main.main, ["void", match, "--reason", "misread", "--db", club.db])
    club.take(CORRECTED["a number at the end"])
    assert len(club.matches) == 2


def test_a_match_with_an_id_is_replaced_where_it_took_another_course(club: Club) -> None:
    id = "5a0ea0c2-77f1-4c8e-8cc2-9b4dbe6f0a55"
    first = msgspec.structs.replace(STORED[0], id=id)
    club.take([first, *STORED[1:]])
    changed = [first, *CORRECTED["a number at the end"][1:]]
    assert "store.differs" in club.take(changed, status=2).output
    club.take(changed, options=["--replace", id])
    assert club.matches == [id]
    assert len(club.events(id)) == len(STORED) + 2


def test_an_export_that_was_edited_by_hand_replaces_the_match(club: Club) -> None:
    club.take(STORED)
    (match,) = club.matches
    lines = CliRunner().invoke(main.main, ["export", "--db", club.db]).stdout.splitlines()
    lines[-1] = lines[-1].replace("[8,0,0,0]", "[0,8,0,0]")
    path = club.folder / "edited.jsonl"
    path.write_text("\n".join(lines))
    done = CliRunner().invoke(main.main, ["import", str(path), "--replace", match, "--db", club.db])
    assert done.exit_code == 0, done.output
    assert club.events(match)[-1].tricks == (0, 8, 0, 0)  # type: ignore[attr-defined]


def test_a_single_match_replaces_the_match_named_in_the_command(club: Club) -> None:
    club.take(night(1, date="2026-01-01"))
    (match,) = club.matches
    other = night(5, players=("eva", "fay", "gus", "hana"), date="2026-06-01")
    club.take(other, options=["--replace", match])
    assert club.matches == [match]
    assert club.result(match)["players"] == ["eva", "fay", "gus", "hana"]


def test_among_several_matches_without_a_similar_one_nothing_is_replaced(club: Club) -> None:
    club.take(night(1, date="2026-01-01"))
    (match,) = club.matches
    done = club.take(night(5, date="2026-06-01"), night(6, date="2026-06-02"), options=["--replace", match], status=2)
    assert f"not similar to match {match}" in done.output
    assert club.matches == [match]
    assert len(club.events(match)) == len(night())


def test_another_match_in_a_corrected_file_is_stored(club: Club) -> None:
    club.take(STORED)
    (match,) = club.matches
    club.take(night(7), CORRECTED["a number at the end"], options=["--replace", match])
    assert len(club.matches) == 2
    assert club.result(match)["totals"] == result(Stream.of(CORRECTED["a number at the end"]).table)["totals"]


def test_an_export_of_a_missing_match_replaces_nothing(club: Club) -> None:
    club.take(STORED)
    assert "store.unknown" in club.take(STORED, options=["--replace", "0000"], status=2).output


def test_an_import_does_not_restore_an_erased_name(club: Club) -> None:
    club.take(STORED)
    (match,) = club.matches
    assert CliRunner().invoke(main.main, ["people", "erase", "chloe", "--yes", "--db", club.db]).exit_code == 0
    done = club.take(CORRECTED["a number at the end"], options=["--replace", match], status=2)
    assert "a person was erased" in done.output
    assert len(club.events(match)) == len(STORED)
    assert "chloe" not in str(club.events(match))


def test_another_game_replaces_nothing(club: Club) -> None:
    club.take(STORED)
    (match,) = club.matches
    other = simulate("ruff", 4, Random(1), ["cautious"], {"rounds": 1}, players=FOUR)
    assert "declare it void" in club.take(other, options=["--replace", match], status=2).output
    assert len(club.events(match)) == len(STORED)


def test_a_similar_match_is_found_without_reading_all_matches_of_its_day(club: Club) -> None:
    """A folder may hold thousands of files without days: each of them was once compared with all before it."""
    given = dict.fromkeys(("game", "seats", "players", "date", "event", "board", "beginning", "before", "most"), 1)
    with Ledger(Path(club.db)) as ledger:
        ledger.views.catch_up()
        plans = [
            ledger.views.reader.execute("EXPLAIN QUERY PLAN " + query, given).fetchall() for query in similar.QUERIES
        ]
    one_day = "players=? AND event=? AND table_name=? AND date=? AND position<?)"
    any_day = "players=? AND event=? AND table_name=? AND date>?)"
    for plan, equal in zip(plans, (one_day, one_day, any_day, "beginning=? AND position<?)"), strict=True):
        assert plan[0][3].partition("(")[2] == equal


# --- over HTTP


def sent(app: Flask, events: Sequence[ev.Event], role: str = "scorer", **query: object) -> Any:
    body = write(events)
    return as_role(app, role).post("/api/v1/import", data=body, content_type="application/x-ndjson", query_string=query)


def test_over_http_a_corrected_file_is_refused_and_may_replace_the_match(empty: Flask) -> None:
    match = sent(empty, STORED).json["matches"][0]["match"]
    corrected = CORRECTED["a number at the end"]
    refused = sent(empty, corrected)
    assert (refused.status_code, refused.json["code"]) == (409, "store.similar")
    assert refused.json["problems"][0]["similar"] == match
    done = sent(empty, corrected, replace=match)
    assert done.json["matches"] == [
        {
            "file": "matches.jsonl",
            "line": 1,
            "match": match,
            "game": "diversity",
            "events": len(corrected),
            "new": 2,
            "replaced": True,
        }
    ]
    ledger = ledger_of(empty)
    assert [ev.type_of(event) for event in ledger.events(match)[-2:]] == ["retract", "claim"]
    assert {event.by for event in ledger.events(match)} == {"scorer"}
    assert sent(empty, corrected).json["matches"][0]["new"] == 0
    other = sent(empty, [*corrected, ev.Note(text="read twice")], anyway="true").json["matches"][0]
    assert other["match"] != match
    assert sent(empty, STORED, replace="5a0ea0c2-77f1-4c8e-8cc2-9b4dbe6f0a55").status_code == 404


def test_over_http_nobody_replaces_a_match_in_the_name_of_others(empty: Flask) -> None:
    match = sent(empty, STORED).json["matches"][0]["match"]
    forged = [*STORED[:-1], ev.Claim(tricks=(0, 8, 0, 0), by="ben", at="1999-01-01T00:00:00Z")]
    refused = sent(empty, forged, replace=match)
    assert (refused.status_code, refused.json["code"]) == (403, "store.recorder")
    assert len(ledger_of(empty).events(match)) == len(STORED)
    done = sent(empty, forged, "admin", replace=match)
    assert done.status_code == 200
    claim = ledger_of(empty).events(match)[-1]
    assert (claim.by, claim.imported_by) == ("ben", "admin")


def test_a_report_of_files_lists_the_replaced_matches(empty: Flask) -> None:
    done = sent(empty, STORED).json["matches"][0]
    assert done["replaced"] is False
    assert json.dumps(done)


ONE_SHEET = sheet((1, 2, 3, 7), (4, 4, 4, 1), **NIGHT)


@pytest.mark.parametrize(
    ("stored", "other"),
    [
        (STORED, with_claim(night(2))),
        (ONE_SHEET, sheet((0, 0, 6, 7), (3, 3, 3, 4), **NIGHT)),
        (STORED, sheet((0, 0, 6, 7), (9, 1, 1, 2), **NIGHT)),
    ],
    ids=["cards", "points", "cards and points"],
)
def test_a_second_match_of_the_evening_is_no_correction(
    club: Club, stored: list[ev.Event], other: list[ev.Event]
) -> None:
    club.take(stored)
    club.take(other)
    assert len(club.matches) == 2
    club.take(stored, other)
    assert len(club.matches) == 2, "each is known again"


@pytest.mark.parametrize(
    "doubtful",
    [
        sheet((1, 2, 3, 7), (0, 0, 6, 7), **NIGHT),
        sheet((7, 3, 2, 1), **NIGHT),
        [*sheet(**NIGHT), ev.Deal(dealer=0, hands=None)],
    ],
    ids=["a hand in common", "one hand", "none"],
)
def test_where_too_little_tells_two_matches_apart_somebody_is_asked(club: Club, doubtful: list[ev.Event]) -> None:
    club.take(ONE_SHEET)
    assert "store.similar" in club.take(doubtful, status=2).output
    assert len(club.matches) == 1


def test_all_samples_can_be_imported_into_one_ledger(club: Club) -> None:
    files = sorted((ROOT / "samples").glob("*.jsonl"))
    done = CliRunner().invoke(main.main, ["import", *map(str, files), "--db", club.db])
    assert (done.exit_code, "store.similar" in done.output) == (0, False)
