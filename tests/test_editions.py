"""Editions: several live side by side, a match folds under its own, and another one says where it first differs."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import FormatError
from cardledger.record.matches.matchfile import read_file, write
from cardledger.record.matches.other_edition import under
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.editions import editions_in
from cardledger.rules.engine.game import Game
from cardledger.rules.engine.match import begin
from cardledger.rules.engine.phases import Duty
from cardledger.rules.engine.rulebook import Rule
from cardledger.rules.games import editions, game, games
from cardledger.rules.stream import Stream
from tests.tables import opening

GUIDE = Path(__file__).parent.parent / "ledger/cardledger/rules/games/README.md"
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


def of_guide() -> tuple[Game[Any], Game[Any], list[str]]:
    """Return both editions of the game of the guide, and the lines that make the second out of the first."""
    blocks = GUIDE.read_text(encoding="utf-8").split("```python\n")[1:3]
    first, second = (block.partition("```")[0] for block in blocks)
    made: dict[str, Any] = {}
    exec(first + second, made)  # our own guide
    lines = [line for line in second.splitlines() if line and not line.startswith("from ")]
    return made["GAME"], made["GAME_2"], lines


def test_an_edition_that_corrects_a_duty_takes_a_few_lines_and_changes_nothing_else() -> None:
    first, second, lines = of_guide()
    assert len(lines) <= 8
    assert (second.book.edition, second.book["follow.suit"].text) == (
        "plain-partners/2", "Follow suit, higher if you can."
    )  # fmt: skip
    assert first.book["follow.suit"].text == "Follow suit if you can."
    assert second.phases[0] is first.phases[0] and second.scoring is first.scoring
    assert not second.plays_like(first) and second.revised(3).plays_like(second)
    hands = tuple(tuple(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS")
    hands = (("3D", *hands[0][1:]), ("2C", *hands[1][:1], *hands[1][2:]), *hands[2:])  # seats 0 and 1 swap a card
    events = [ev.Deal(dealer=3, hands=hands), ev.Play(seat=0, card="3D"), ev.Play(seat=1, card="2D")]
    found = []
    for edition in (first, second):
        match = begin(edition, ev.Open(game=edition.id, players=("a", "b", "c", "d"), policy="record"))
        for seq, event in enumerate(events, 2):
            match.apply(event, seq)
        found.append([(one.rule, one.legal[0], len(one.legal)) for one in match.violations])
    assert found == [[], [("follow.suit", "4D", 11)]]


def test_a_correction_of_a_rule_that_there_is_not_is_refused() -> None:
    hearts = game("hearts")
    with pytest.raises(KeyError, match=r"no rule lead\.unbrokn"):
        hearts.revised(2, Rule("lead.unbrokn", "No."))
    with pytest.raises(KeyError, match=r"no duty of the rule lead\.taker"):
        hearts.revised(2, Duty("lead.taker", lambda hand, held: held))


def test_replace_reaches_a_duty_of_one_trick_and_leaves_the_old_edition_as_it_was() -> None:
    draw = game("diamonds-draw")
    *before, play = draw.phases
    free = replace(play, follow=play.follow[1:])
    later = replace(draw, book=draw.book.revised(3), phases=(*before, free))
    assert {duty.rule for duty in free.following.duties} == {"follow.suit"}
    assert {duty.rule for duty in play.following.duties} == {"first-trick.no-diamond", "follow.suit"}
    assert play.following_later.duties == free.following_later.duties
    assert [duty.rule for duty in play.following_later.idle] == ["first-trick.no-diamond"]
    assert later.phases[-1].between is play.between
    with pytest.raises(FrozenInstanceError):
        play.follow = ()


def test_a_folder_becomes_a_game_with_what_its_files_bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "plain_partners_folder"
    package.mkdir()
    first = GUIDE.read_text(encoding="utf-8").split("```python\n")[1].partition("```")[0]
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text(f"{first}\nEDITIONS = (GAME, GAME.revised(2, judges_cut=False))\n", "utf-8")
    (package / "bot.py").write_text("from cardledger.rules import Bot\n\nBOT = Bot(replays=7)\n")
    monkeypatch.syspath_prepend(tmp_path)
    both = editions_in(package.name)
    assert [(one.book.edition, one.study.bot.replays, one.judges_cut) for one in both if one.study.bot] == [
        ("plain-partners/1", 7, True), ("plain-partners/2", 7, False)
    ]  # fmt: skip
    assert both[1].sheet.check is None and both[1].study.measures == () and both[1].plays_like(both[0])


def test_an_amended_opening_keeps_its_edition_unless_it_names_one() -> None:
    events = [
        *hidden("ruff/1"),
        ev.Amend(about=1, event=ev.Open(game="ruff", players=("a", "b", "c"), policy="record")),
    ]
    assert Stream.of(events).table.game.book.edition == "ruff/1"
