"""Hands judged as columns of an archive: what-if gives the same account as the live table, hand for hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.building_blocks import follow_suit, highest_of, left_of_dealer
from cardledger.rules.engine.phases import Draws, Duty, TrickPlay
from cardledger.rules.games import editions, game
from cardledger.rules.games.diamonds_draw.rules import due
from cardledger.rules.kernel import kernels
from cardledger.rules.stream import Stream
from cardledger.study.analyse.columns import COLUMNS, HandColumns
from cardledger.study.analyse.compared import Compared
from cardledger.study.analyse.shares import ArchiveShare, joined
from cardledger.study.analyse.sources import of_archives
from cardledger.study.analyse.what_if import WhatIf, judge_share
from cardledger.study.archive import files
from cardledger.study.archive.files import Archive
from tests.archive.streams import corrected
from tests.kernel.chosen import IN_CI
from tests.kernel.in_columns import archive_of, both_ways
from tests.kernel.played import matches
from tests.tables import opening, step
from tests.thorough import many

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHOSEN = sorted({*IN_CI, "spades", "ruff", "whist", "oh-hell", "hearts", "euchre"})


def packed(id: str, number: int, folder: Path) -> Path:
    """Return an archive of matches of a game."""
    return archive_of(matches(id, number), folder / f"{id}.parquet")


def leads_out_of_turn(number: int) -> Iterator[list[ev.Event]]:
    """Yield matches of bridge in which every third lead is out of turn."""
    rng = Random(number)
    for _ in range(number):
        stream = Stream(opening("bridge", 4, "record", boards=2))
        events = [stream.heads[0][1]]
        while (table := stream.table).hand.moment != "over":
            leads = table.playing is not None and not table.hand.trick and rng.random() < 0.3
            seat = rng.choice([seat for seat in range(4) if table.hand.held[seat]]) if leads else 0
            cards = table.pack.list(table.hand.held[seat]) if leads else []
            events.append(ev.Play(seat=seat, card=rng.choice(cards)) if leads else step(table, rng, 0.05))
            stream.append(events[-1])
        yield events


def account(path: Path, id: str, rules: str) -> dict[str, Any]:
    """Return the account of an archive, by one process."""
    total = WhatIf()
    for share in of_archives([path]).shares():
        total.add(judge_share(share, id, rules))
    return total.as_data()


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", CHOSEN)
def test_every_hand_in_columns_is_ruled_as_at_the_live_table(id: str, tmp_path: Path) -> None:
    path = packed(id, many(80, 8_000), tmp_path)
    for rules in editions()[id]:
        kernels.warm(game(id, rules), kernels.Judge)
    hands = violations = 0
    for table, columns in both_ways(path, id):
        assert columns == table
        hands += 1
        violations += len(columns.violations)
    assert hands > 25
    assert violations > 20 or id == "diversity"


@pytest.mark.long
@pytest.mark.usefixtures("fast")
def test_packs_that_differ_in_their_faces_alone_are_each_judged_in_columns(tmp_path: Path) -> None:
    kernels.warm(game("poison-hearts"), kernels.Judge)
    for double in (False, True):
        events = simulate("poison-hearts", 4, Random(5), ["random"], {"rounds": 3, "double_suits": double})
        path = archive_of([events], tmp_path / f"{double}.parquet")
        found = [*both_ways(path, "poison-hearts")]
        assert len(found) == 3, f"double suits: {double}"
        assert all(columns == table for table, columns in found)


@pytest.mark.long
@pytest.mark.usefixtures("fast")
def test_leads_out_of_turn_stand_in_columns_as_at_the_live_table(tmp_path: Path) -> None:
    path = archive_of(leads_out_of_turn(many(20, 1_000)), tmp_path / "bridge.parquet")
    kernels.warm(game("bridge"), kernels.Judge)
    broken = Counter[str]()
    for table, columns in both_ways(path, "bridge"):
        assert columns == table
        broken.update(rule for _, rule, _ in columns.violations.values())
    assert broken["play.turn"] > 20
    assert broken["lead.left-of-declarer"] > 2


@pytest.mark.long
@pytest.mark.usefixtures("fast")
def test_pages_judged_together_are_judged_as_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PAGE", 500)
    path = packed("ruff", 40, tmp_path)
    kernels.warm(game("ruff", "ruff/2"), kernels.Judge)
    shares = [*of_archives([path]).shares()]
    assert len(shares) > 6
    apart, together = WhatIf(), WhatIf()
    for share in shares:
        apart.add(judge_share(share, "ruff", "ruff/2"))
    some = [*joined(shares, 4)]
    assert [share.pages for share in some if isinstance(share, ArchiveShare)][:-1] == [4] * (len(some) - 1)
    for share in some:
        together.add(judge_share(share, "ruff", "ruff/2"))
    assert together.as_data() == apart.as_data()
    assert apart.hands > 20


@pytest.mark.long
@pytest.mark.usefixtures("fast")
def test_an_archive_without_a_hand_for_the_columns_is_judged_at_the_live_table(tmp_path: Path) -> None:
    played = [corrected("ruff", 4, Random(at)) for at in range(9)]
    some = [events for events in played if any(isinstance(event, ev.Retract) for event in events)]
    path = archive_of(some, tmp_path / "ruff.parquet")
    kernels.warm(game("ruff", "ruff/2"), kernels.Judge)
    with Archive(path) as archive:
        assert not len(HandColumns(archive.page(0, COLUMNS)).rows)
    assert account(path, "ruff", "ruff/2")["left_out"] == {"under way": 2}


@pytest.mark.long
@pytest.mark.usefixtures("fast")
def test_hands_judged_by_the_rules_of_another_game_are_found(tmp_path: Path) -> None:
    """Or else the comparison could not fail."""
    path = packed("ruff", 40, tmp_path)
    for rules in ("ruff/2", "ruff-2/2"):
        kernels.warm(game(rules.partition("/")[0], rules), kernels.Judge)
    own = [columns for _, columns in both_ways(path, "ruff")]
    other = [columns for _, columns in both_ways(path, "ruff", "ruff-2/2")]
    assert len(own) > len(other) > 3
    assert any(one not in own for one in other)


def kings_take(hand: Any, trick: list[int]) -> tuple[int, str]:
    """The first card takes the trick if it is a high one, else the highest of its suit as always."""
    return (0 if trick[0] % 13 > 10 else highest_of(hand.laid & hand.led, trick)), "trick.led-suit"


def odd_edition() -> Any:
    """Return an edition of the drawing game with another taker and other duties."""
    draw = game("diamonds-draw")
    play = TrickPlay(
        first_lead=left_of_dealer, lead_rule="lead.left-of-dealer", follow=(Duty("follow.suit", follow_suit),),
        taker=kings_take, next_rule="lead.taker", between=Draws(due, draw_rule="draw.winner", end_rule="hand.end"),
        claims=None,
    )  # fmt: skip
    return replace(draw, book=draw.book.revised(9), phases=(draw.phases[0], play))


@pytest.mark.long
@pytest.mark.usefixtures("fast")
@pytest.mark.parametrize("id", CHOSEN)
def test_what_if_by_columns_is_what_if_at_the_live_table(
    id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = packed(id, many(40, 4_000), tmp_path)
    asked = [*editions()[id]][-many(1, 9) :]
    if id == "diamonds-draw":
        monkeypatch.setitem(editions()[id], "diamonds-draw/9", odd_edition())
        asked.append("diamonds-draw/9")
    for rules in asked:
        kernels.warm(game(id, rules), kernels.Judge)
    share = next(iter(of_archives([path]).shares()))
    assert isinstance(share, ArchiveShare)
    with share.columns(COLUMNS) as page:
        assert len(Compared(HandColumns(page), id, asked[-1]).matches) > 5
    quick = [account(path, id, rules) for rules in asked]
    monkeypatch.setenv(kernels.SWITCH, "0")
    slow = [account(path, id, rules) for rules in asked]
    assert quick == slow
    assert slow[0]["hands"] > 15
    assert slow[0]["problems"] > 1
    if id == "diamonds-draw":
        assert len(slow[-1]["otherwise"]) > 10
        assert any(not found["stops"] for found in slow[-1]["otherwise"])
