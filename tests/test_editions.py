"""Editions: several live side by side, a match folds under its own, and another one says where it first differs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import FormatError
from cardledger.record.matches.matchfile import read_file, write
from cardledger.record.matches.other_edition import under
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.games import editions, game, games
from cardledger.rules.stream import Stream
from tests.tables import opening

REVOKE = [
    ev.Deal(dealer=0, hands=None),
    ev.Play(seat=1, card="AC"),
    ev.Play(seat=2, card="9D"),
    ev.Play(seat=0, card="8C"),
    ev.Play(seat=2, card="4C"),
    ev.Play(seat=0, card="5C"),
    ev.Play(seat=1, card="6C"),
]
"""A hidden hand of `ruff` in which seat 2 ruffs a club and leads one next."""


def hidden(rules: str | None) -> list[ev.Event]:
    return [ev.Open(game="ruff", players=("ana", "ben", "chloe"), policy="record", rules=rules), *REVOKE]


def violations(events: list[ev.Event]) -> list[tuple[int, int, str, tuple[str, ...]]]:
    return [(found.seq, found.seat, found.rule, found.legal) for found in Stream.of(events).table.violations]


def test_every_released_edition_can_be_played() -> None:
    for id, known in editions().items():
        assert [edition.partition("/")[0] for edition in known] == [id] * len(known)
        for edition, value in known.items():
            assert game(id, edition) is value
        assert games()[id] is [*known.values()][-1]


def test_an_opening_that_names_no_edition_is_played_under_the_newest() -> None:
    assert Stream(opening("ruff", 3)).table.game.book.edition == "ruff/2"
    with pytest.raises(FormatError, match="ruff/1, ruff/2"):
        Stream(ev.Open(game="ruff", players=("a", "b", "c"), rules="ruff/9"))


def taken(events: list[ev.Event]) -> ev.Claim:
    """Return a claim of all remaining tricks for seat 1."""
    return ev.Claim(tricks=(0, Stream.of(events).table.hand.tricks_left, 0))


@pytest.mark.parametrize("cut", ["claim", "score", "end"])
def test_edition_2_judges_a_hidden_hand_cut_short_on_the_cards_shown_and_edition_1_does_not(cut: str) -> None:
    for rules, expected in (("ruff/1", []), ("ruff/2", [(4, 2, "follow.suit", ("4C",))])):
        events = hidden(rules)
        last = {"claim": taken(events), "score": ev.Score(scores=(5, 5, 5)), "end": ev.End()}[cut]
        assert violations([*events, last]) == expected


def test_another_edition_says_where_the_match_first_differs() -> None:
    events = hidden("ruff/1")
    events.append(taken(events))
    compared = under(events, "ruff/2")
    assert compared.differs == len(events)
    assert compared.words == f"Under ruff/2 the match first differs at event {len(events)}."
    assert under(events, "ruff/1").words == "Under ruff/1 every ruling and result is the same."


def test_replay_shows_a_match_under_another_edition(tmp_path: Path) -> None:
    events = hidden("ruff/1")
    events.append(taken(events))
    file = tmp_path / "night.jsonl"
    file.write_bytes(write(events))
    plain = CliRunner().invoke(main, ["replay", str(file)])
    other = CliRunner().invoke(main, ["replay", "--rules", "ruff/2", str(file)])
    assert "follow.suit" not in plain.stdout
    assert "chloe broke follow.suit; legal: 4C" in other.stdout
    assert "first differs at event 9" in other.stderr


def test_a_file_whose_match_is_stored_under_edition_1_stores_nothing_new(tmp_path: Path) -> None:
    file = tmp_path / "night.jsonl"
    with Ledger(tmp_path / "club.db") as ledger:
        file.write_bytes(write(hidden("ruff/1")))
        (first,) = ledger.import_matches(read_file(file))
        file.write_bytes(write(hidden(None)))
        (again,) = ledger.import_matches(read_file(file))
        assert (first.new, again.new) == (8, 0)  # type: ignore[union-attr]
        assert ledger.stream(ledger.matches()[0]).table.game.book.edition == "ruff/1"


def test_an_amended_opening_keeps_its_edition_unless_it_names_one() -> None:
    events = [
        *hidden("ruff/1"),
        ev.Amend(about=1, event=ev.Open(game="ruff", players=("a", "b", "c"), policy="record")),
    ]
    assert Stream.of(events).table.game.book.edition == "ruff/1"
