"""People: ids are merged, split and named in any order, and every change can be reversed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardledger.errors import RuleError
from cardledger.record.people.people import Merge, Name, People, Sat, Split

IDS = "abcdef"
players = st.sampled_from(IDS)
changes = st.lists(
    st.builds(Merge, player=players, into=players)
    | st.builds(Split, player=players)
    | st.builds(Name, player=players, name=st.none() | st.text(min_size=1)),
    max_size=30,
)


def told(events: list[Merge | Split | Name]) -> People:
    """Return people after the valid ones of some events."""
    people = People()
    for event in events:
        before = {id: people.person(id) for id in IDS}
        try:
            people.append(event)
        except RuleError:
            assert {id: people.person(id) for id in IDS} == before, "what is refused changes nothing"
    return people


def persons(people: People) -> dict[str, str]:
    return {id: people.person(id) for id in IDS}


@given(changes)
def test_every_id_is_one_person_and_a_person_is_their_own(events: list[Merge | Split | Name]) -> None:
    people = told(events)
    for id in IDS:
        person = people.person(id)
        assert people.person(person) == person
        assert id in people.ids(person)
        assert people.name(id) == people.name(person)
    assert sorted(id for person in set(persons(people).values()) for id in people.ids(person)) == sorted(IDS)


@given(changes, players, players)
def test_a_split_undoes_a_merge(events: list[Merge | Split | Name], player: str, into: str) -> None:
    people = told(events)
    before = persons(people)
    try:
        people.append(Merge(player=player, into=into))
    except RuleError:
        return
    assert people.person(player) == people.person(into)
    people.append(Split(player=player))
    assert persons(people) == before


@given(changes, changes)
def test_players_whose_person_changed_are_linked_to_the_change(
    first: list[Merge | Split | Name], then: list[Merge | Split | Name]
) -> None:
    before = persons(told(first))
    people = told(first + then)
    later = people.events[told(first).seq :]
    akin = people.linked_ids(later)
    after = persons(people)
    assert {id for id in IDS if before[id] != after[id]} <= akin


def test_a_merge_in_a_circle_is_refused() -> None:
    people = People([Merge(player="a", into="b"), Merge(player="b", into="c")])
    for player, into in (("c", "a"), ("c", "c")):
        with pytest.raises(RuleError) as refused:
            people.append(Merge(player=player, into=into))
        assert refused.value.code == "people.circle"


def test_an_id_is_merged_once_and_split_only_when_merged() -> None:
    people = People([Merge(player="a", into="b")])
    for event in (Merge(player="a", into="c"), Split(player="b")):
        with pytest.raises(RuleError) as refused:
            people.append(event)
        assert refused.value.code == "people.merged"


def test_a_substitute_has_a_seat_until_that_is_taken_back() -> None:
    people = People([Sat(match="m", seat=1, player="ben"), Merge(player="ben", into="benjamin")])
    assert people.seated("m", ("ana", "bea")) == ["ana", "benjamin"]
    assert people.seated("other", ("ana", "bea")) == ["ana", "bea"]
    people.append(Sat(match="m", seat=1, player=None))
    assert people.seated("m", ("ana", "bea")) == ["ana", "bea"]
