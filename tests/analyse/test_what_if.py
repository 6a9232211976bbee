"""What if: hands judged again under another edition or variant, the same from a ledger, its archive and its match file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from cardledger.cli.main import main
from cardledger.errors import LedgerError
from cardledger.record.store.codec import decode
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import Stream, unroll
from cardledger.study.analyse import shares
from tests.stats.night import evening, recorded

if TYPE_CHECKING:
    from pathlib import Path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


def asked(*words: object) -> dict[str, Any]:
    answer = run("what-if", "--workers", 1, "--json", *words)
    assert answer.exit_code == 0, answer.output
    found: dict[str, Any] = json.loads(answer.output)
    return found


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A ledger with four matches of ruff, two hands each."""
    with recorded(tmp_path / "club.db", evening("ruff", matches=4, hands=2)):
        return tmp_path / "club.db"


def under_the_variant(events: list[ev.Event]) -> tuple[int | None, list[int] | None]:
    """Return the event at which the first hand stops if it is a match of the variant, and its points if it does not."""
    opening = msgspec.structs.replace(events[0], game="ruff-2", rules="ruff-2/2", policy="record")
    stream = Stream(opening)
    for seq, event in enumerate(events[1:], 2):
        try:
            stream.append(event)
        except LedgerError:
            return seq, None
        if stream.table.hands[0].over:
            break
    return None, stream.table.hands[0].scores


def test_hands_of_ruff_under_the_rules_of_its_variant(club: Path) -> None:
    found = asked("--db", club, "--rules", "ruff-2/2", "--game", "ruff")
    assert found["hands"] == 8
    otherwise = {(one["match"], one["hand"]): one for one in found["otherwise"]}
    assert len(otherwise) == found["hands"] - found["same"] > 0
    assert found["stops"] == sum(one["stops"] for one in otherwise.values()) > 0
    with recorded(club, []) as ledger:
        for match in ledger.matches():
            stream = ledger.stream(match)
            events = [event for _, event in unroll(stream.heads[-1])]
            stop, scores = under_the_variant(events)
            one = otherwise.get((match, 1))
            if stop is not None:
                assert one is not None
                assert (one["stops"], one["other"]) == (True, None)
                assert one["seq"] <= stop
            elif one is not None:
                assert (one["stops"], one["other"]) == (False, scores)
            else:
                assert stream.table.hands[0].scores == scores


def test_under_its_own_edition_every_hand_is_the_same(club: Path) -> None:
    found = asked("--db", club, "--rules", "ruff/2")
    assert (found["hands"], found["same"], found["otherwise"]) == (8, 8, [])
    assert asked("--db", club, "--rules", "diversity/2")["hands"] == 0


def test_a_ledger_its_archive_and_its_match_file_give_one_answer(club: Path, tmp_path: Path) -> None:
    words = ("--rules", "ruff-2/2", "--game", "ruff")
    assert run("pack", tmp_path / "club.parquet", "--db", club).exit_code == 0
    (tmp_path / "club.jsonl").write_text(run("export", "--db", club).output)
    from_ledger = asked("--db", club, *words)
    assert asked(tmp_path / "club.parquet", *words) == from_ledger
    assert asked(tmp_path / "club.jsonl", *words)["same"] == from_ledger["same"]


def test_a_match_that_does_not_fit_the_edition_is_left_out_and_counted_with_the_reason(tmp_path: Path) -> None:
    nights = (evening("ruff", n=3, matches=1, hands=1), evening("ruff", matches=2, hands=1))
    with recorded(tmp_path / "sizes.db", [match for night in nights for match in night]):
        pass
    found = asked("--db", tmp_path / "sizes.db", "--rules", "diversity/2", "--game", "ruff")
    assert (found["hands"], found["unfit"]) == (0, {"table.deck": 2, "table.range": 1})
    told = run("what-if", "--workers", 1, "--db", tmp_path / "sizes.db", "--rules", "diversity/2", "--game", "ruff")
    assert "left out: 2 matches with hands of another size, or other cards" in told.output
    assert "left out: 1 match with a number of players that the edition does not have" in told.output
    options = asked("--db", tmp_path / "sizes.db", "--rules", "whist/1", "--game", "ruff")
    assert sum(options["unfit"].values()) == 3


def test_the_account_in_words_lists_the_first_hands_and_says_how_many_more(club: Path) -> None:
    told = run("what-if", "--workers", 1, "--db", club, "--rules", "ruff-2/2", "--game", "ruff", "--most", 1).output
    assert "ruff under ruff-2/2: 8 hands judged again" in told
    assert "more: --json lists them all" in told


def test_an_unknown_edition_is_refused_with_those_there_are(club: Path) -> None:
    answer = run("what-if", "--db", club, "--rules", "ruff/9")
    assert answer.exit_code == 2
    assert "store.unknown: there is no edition 'ruff/9'" in str(answer.output)
    assert "ruff/2" in str(answer.output)


def test_matches_of_other_games_are_not_folded(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with recorded(club, evening("diversity", matches=2, hands=1)):
        pass
    openings = list[str]()

    def noting(lines: list[str], *given: Any) -> list[ev.Event]:
        openings.append(lines[0])
        return decode(lines, *given)

    monkeypatch.setattr(shares, "decode", noting)
    assert asked("--db", club, "--rules", "ruff-2/2", "--game", "ruff")["hands"] == 8
    assert len(openings) == 4
    assert all('"game":"ruff"' in opening for opening in openings)
