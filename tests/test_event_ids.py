"""Ids of events: those that follow from the id of a match behave as the list of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardledger.errors import StoreError
from cardledger.record.recording.event_ids import OwnIds, extended_by, ids_of
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.web.club import opened

MATCH = "7c1d6a52-5c0e-4f2c-9a39-2f8a6c4b1d10"
OTHER = "0b0e7f3c-9d5a-4b7e-8a53-6f1d2c3b4a59"


def listed(length: int, match: str = MATCH) -> list[str]:
    return [ids_of(match)(seq) for seq in range(1, length + 1)]


@given(st.sampled_from([MATCH, f"session-{MATCH}"]), st.integers(0, 40), st.data())
def test_own_ids_are_the_list_of_them(match: str, length: int, data: st.DataObject) -> None:
    ids, known = OwnIds(match, length), listed(length, match)
    assert [*ids] == known
    assert len(ids) == length
    part = data.draw(st.slices(length))
    assert ids[part] == known[part]
    others = ["", "x", "zz", MATCH[:-1], ids_of(OTHER)(2), OTHER, ids_of(match)(2).upper(), ids_of(match)(1)]
    for id in [*listed(length + 2, match), *others]:
        assert (id in ids) == (id in known)
        if id in known:
            assert ids.index(id) == known.index(id)
        else:
            with pytest.raises(ValueError, match="is not"):
                ids.index(id)
    with pytest.raises(IndexError):
        ids[length]


@given(st.integers(0, 5), st.lists(st.sampled_from(["own", OTHER]), max_size=4))
def test_ids_are_listed_only_if_one_does_not_follow_from_the_match(length: int, kinds: list[str]) -> None:
    new = [ids_of(MATCH)(length + 1 + index) if kind == "own" else kind for index, kind in enumerate(kinds)]
    found = extended_by(OwnIds(MATCH, length), new)
    assert [*found] == [*listed(length), *new]
    assert isinstance(found, OwnIds) == (OTHER not in kinds)


def test_an_id_of_the_match_itself_is_refused_a_second_time(ledger: Ledger) -> None:
    match = ledger.record(None, [opened(), ev.Note(text="one"), ev.Note(text="two")], 0).match
    for id in (match, ids_of(match)(2)):
        with pytest.raises(StoreError) as refused:
            ledger.record(match, [ev.Note(id=id, text="three")], 3)
        assert refused.value.code == "store.duplicate"
    assert ledger.record(match, [ev.Note(id=ids_of(match)(3), text="two")], 2).seq == 3, "it is stored already"
    assert ledger.record(match, [ev.Note(id=OTHER, text="three"), ev.Note(text="four")], 3).seq == 5
    with pytest.raises(StoreError) as refused:
        ledger.record(match, [ev.Note(id=OTHER, text="five")], 5)
    assert refused.value.code == "store.duplicate"
