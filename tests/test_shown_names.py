"""How much of a name is published: decided in the ledger, kept through merges, splits, new names and erasures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import cardledger
from cardledger.cli.main import main
from cardledger.errors import LedgerError, RuleError, StoreError
from cardledger.record.people.people import Merge, Name, People, PublishedName, Split
from cardledger.record.people.shown import HOW_SHOWN, least
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.secrecy import public_people_line
from cardledger.record.store import needs
from cardledger.rules.engine import events as ev
from tests.test_people import changes, players

if TYPE_CHECKING:
    from pathlib import Path

    from cardledger.rules.engine.events import Event


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A ledger with a match of ana, ben and chloe, and one of ann and two others, scored by zoe."""
    with Ledger(tmp_path / "club.db") as ledger:
        for names in (("ana", "ben", "chloe"), ("ann", "eva", "finn")):
            opening = ev.Open(game="ruff", players=names, options={"rounds": 1}, date="2026-11-21")
            ledger.record(None, [opening, ev.Deal(dealer=0, hands=None), ev.Score(scores=(5, 1, 2))], 0, "zoe")
    return tmp_path / "club.db"


def told(ledger: Ledger, *events: Event) -> People:
    return ledger.record_people(events, ledger.people().seq, "desk")


def test_the_person_decides_else_the_club_else_whole_names_are_shown() -> None:
    people = People()
    assert (people.shown("ana"), people.decided("ana"), people.rule, people.shows_all) == ("full", None, None, True)
    people.append(PublishedName(player=None, shown="first"))
    people.append(PublishedName(player="ana", shown="none"))
    people.append(PublishedName(player="ben", shown="full"))
    assert [people.shown(one) for one in ("ana", "ben", "chloe")] == ["none", "full", "first"]
    assert people.deciding() == {"ana": "none", "ben": "full"}
    people.append(PublishedName(player="ana", shown=None))
    assert (people.shown("ana"), people.decided("ana")) == ("first", None)
    people.append(PublishedName(player=None, shown=None))
    assert (people.rule, people.shows_all) == (None, True)


def test_of_two_who_become_one_the_stricter_decision_counts_and_a_split_gives_each_their_own_back() -> None:
    people = People([PublishedName(player="ann", shown="none"), PublishedName(player="ana", shown="full")])
    people.append(Merge(player="ann", into="ana"))
    assert people.shown("ana") == people.shown("ann") == "none"
    people.append(Split(player="ann"))
    assert (people.shown("ana"), people.shown("ann")) == ("full", "none")


def test_what_one_person_decided_holds_for_both_whom_a_split_makes_of_them() -> None:
    people = People([Merge(player="ann", into="ana"), PublishedName(player="ana", shown="none"), Split(player="ann")])
    assert people.shown("ana") == people.shown("ann") == "none"
    again = People(
        [
            PublishedName(player="ann", shown="none"),
            Merge(player="ann", into="ana"),
            PublishedName(player="ana", shown="full"),
        ]
    )
    assert again.shown("ann") == "full", "a later decision of the whole person corrects it"


decisions = st.lists(
    st.builds(PublishedName, player=st.none() | players, shown=st.none() | st.sampled_from(HOW_SHOWN)), max_size=8
)


@given(changes, decisions, changes)
def test_no_merge_and_no_split_ever_shows_more_of_a_person_than_any_id_decided(
    first: list[Event], decided: list[Event], then: list[Event]
) -> None:
    people = People()
    own: dict[str, str | None] = {}
    for event in (*first, *decided, *then):
        ids = people.ids(event.player) if isinstance(event, PublishedName) and event.player else []
        try:
            people.append(event)
        except RuleError:
            continue
        own |= dict.fromkeys(ids, event.shown if isinstance(event, PublishedName) else None)
    for id in "abcdef":
        theirs = [how for each in people.ids(id) if (how := own.get(each))]
        assert people.decided(id) == (least(theirs) if theirs else None)  # type: ignore[arg-type]
        assert people.shows_all <= (people.shown(id) == "full")


def test_a_decision_stays_with_whoever_gets_another_name_or_is_erased(club: Path) -> None:
    with Ledger(club) as ledger:
        told(ledger, Name(player="ana", name="Ana Lima"), PublishedName(player="ana", shown="none"))
        assert told(ledger, Name(player="ana", name="Ana Costa")).shown("ana") == "none"
        left = erase(ledger, examine(ledger, "ana"), "desk")
        assert ledger.people().shown(left) == "none"
        assert ledger.people().shown("ana") == "full", "the same name again is a new person"
        with pytest.raises(RuleError, match="no one has played"):
            told(ledger, PublishedName(player="ana", shown="first"))


def test_a_name_that_somebody_got_after_an_erasure_can_be_erased_too(club: Path) -> None:
    with Ledger(club) as ledger:
        left = erase(ledger, examine(ledger, "ana"), "desk")
        with pytest.raises(RuleError, match="already erased"):
            examine(ledger, left)
        told(ledger, Name(player=left, name="Zorblatt"))
        assert erase(ledger, examine(ledger, left), "desk") == left
        assert ledger.people().name(left).startswith("erased player")
        assert not ledger.store.names.spoken("Zorblatt", "name")
        with pytest.raises(RuleError, match="already erased"):
            examine(ledger, left)
        assert [error for _, error in ledger.verify() if error] == []
    with Ledger(club) as ledger:
        assert ledger.people().name(left).startswith("erased player")


def test_only_somebody_known_decides_also_one_who_only_scored(club: Path) -> None:
    with Ledger(club) as ledger:
        assert told(ledger, PublishedName(player="zoe", shown="none")).shown("zoe") == "none"
        for nobody in ("anna", ""):
            with pytest.raises(LedgerError) as refused:
                told(ledger, PublishedName(player=nobody, shown="none"))
            assert refused.value.code == "people.unknown"


def test_streams_say_nothing_of_a_decision_nor_of_who_made_it(club: Path) -> None:
    with Ledger(club) as ledger:
        told(ledger, Name(player="ben", name="Benno"), PublishedName(player="ana", shown="none"))
        named, decided = (ledger.store.names.clear(row.line) for row in ledger.store.read("people"))
    assert public_people_line(named) == named
    assert {"ana", "none", "desk"}.isdisjoint(json.loads(public_people_line(decided)).values())


def test_a_program_of_an_earlier_form_does_not_open_a_ledger_in_which_it_would_publish_a_name(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger(club) as ledger:
        told(ledger, PublishedName(player="ana", shown="none"))
    monkeypatch.setattr(needs, "FORM", 10)
    with pytest.raises(StoreError) as refused:
        Ledger(club)
    assert refused.value.code == "store.version"


def run(club: Path, *words: str) -> str:
    done = CliRunner().invoke(main, ["people", "shown", *words, "--db", str(club)])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_by_command_and_in_python(club: Path) -> None:
    assert "no name of ana" in run(club, "ana", "none")
    assert "the first name of everybody else" in run(club, "--others", "first")
    assert json.loads(run(club, "--json")) == {
        "rule": "first",
        "people": [{"player": "ana", "name": "ana", "shown": "none"}],
    }
    assert run(club).splitlines()[-1].split() == ["everybody", "else", "first"]
    with cardledger.open(club) as ledger:
        assert ledger.shown_names() == ("first", {"ana": "none"})
        ledger.show_name("ana", None)
        ledger.show_name(None, None)
        ledger.show_name("ben", "first")
        assert ledger.shown_names() == (None, {"ben": "first"})
    assert "no rule says" in run(club)
    assert "what the rule says" in run(club, "ben", "rule")
    for wrong in (["ana"], ["ana", "none", "--others", "full"], ["ana", "secret"], ["anna", "none"]):
        assert CliRunner().invoke(main, ["people", "shown", *wrong, "--db", str(club)]).exit_code == 2
