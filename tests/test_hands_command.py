"""`cardledger hands`: every hand in which something happened, as the read models count it and as the API lists it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from cardledger.cli.main import main
from cardledger.rules.games import games
from cardledger.study.stats.measures.hand_counts import hand_counts
from cardledger_web.app import access_of, create_app, ledger_of
from tests.stats.night import evening, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A ledger with two evenings."""
    path = tmp_path_factory.mktemp("hands") / "club.db"
    with recorded(path, [*evening("hearts", matches=3, hands=4), *evening("ruff", matches=2, hands=3)]):
        yield path


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)])


def found(club: Path, *words: object) -> dict[str, Any]:
    answer = run("hands", *words, "--json", "--db", club)
    assert answer.exit_code == 0, answer.output
    told: dict[str, Any] = json.loads(answer.output)
    return told


def scored(club: Path, low: int, high: int) -> set[tuple[str, int]]:
    """Return the hands of hearts in which somebody scored so many points, from the matches themselves."""
    with recorded(club, []) as ledger:
        return {
            (match, hand.number)
            for match in ledger.matches()
            for table in [ledger.stream(match).table]
            for hand in table.hands
            if table.game.id == "hearts" and any(low <= points <= high for points in hand.scores or ())
        }


@pytest.mark.parametrize(("value", "low", "high"), [("10..", 10, 26), ("..-1", -100, -1), ("3..6", 3, 6), ("0", 0, 0)])
def test_a_value_or_a_span_finds_exactly_its_hands(club: Path, value: str, low: int, high: int) -> None:
    listed = found(club, "hearts", "--where", f"points:{value}")["hands"]
    assert {(hand["match"], hand["hand"]) for hand in listed} == scored(club, low, high)


def test_the_answer_is_that_of_the_api(club: Path) -> None:
    app = create_app(club)
    client = app.test_client()
    for query in (
        "game=ruff",
        "where=void_suits:1..&sort=oldest",
        "game=hearts&score_min=13",
        "rule=trick.highest&turn=1",
    ):
        told = client.get(f"/api/v1/hands?limit=200&{query}").json
        words = [word for part in query.split("&") for word in part.split("=", 1)]
        options = {"--" + name.replace("_", "-"): value for name, value in zip(words[::2], words[1::2], strict=True)}
        game = [options.pop("--game")] if "--game" in options else []
        answer = found(club, *game, *(word for pair in options.items() for word in pair))
        assert answer == told
    access_of(app).close()
    ledger_of(app).close()


def test_pages_follow_each_other_and_every_hand_is_listed_once(club: Path) -> None:
    listed, after = [], []
    while after is not None:
        told = found(club, "--limit", 4, *after)
        listed += [(hand["match"], hand["hand"]) for hand in told["hands"]]
        after = told["next"] and ["--after", told["next"]]
    assert len(listed) == len({*listed}) == 18
    assert run("hands", "--after", "x", "--db", club).exit_code == 2


def test_what_a_game_does_not_count_is_refused_with_what_it_counts(club: Path) -> None:
    answer = run("hands", "ruff", "--where", "moon:1", "--db", club)
    assert answer.exit_code == 2
    assert "store.unknown: ruff does not count 'moon'" in str(answer.output)
    assert "overruffs" in str(answer.output)


def test_people_read_a_table_and_hear_of_an_empty_one(club: Path) -> None:
    lines = run("hands", "hearts", "--db", club).output.splitlines()
    assert len(lines) == 13
    assert lines[0].split() == ["match", "hand", "date", "game", "events", "points"]
    nothing = run("hands", "hearts", "--where", "points:1000..", "--db", club)
    assert (nothing.exit_code, nothing.stdout, "no hand fits" in nothing.stderr) == (0, "", True)


@pytest.mark.parametrize("game", games())
def test_every_count_of_a_game_has_a_meaning(game: str) -> None:
    known = hand_counts(game)
    assert all(known.values())
    assert json.loads(run("hands", game, "--names", "--json").output)["names"] == dict(known)
    assert {line.split()[0] for line in run("hands", game, "--names").output.splitlines()} == {"name", *known}
