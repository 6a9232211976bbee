"""Lines of new events: however many are recorded at once, each is stored as it would be alone."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.record.matches.shape import parse
from cardledger.record.people.names import Names
from cardledger.record.people.recorders import Recorder
from cardledger.record.recording.loaded_match import id_by_content
from cardledger.record.recording.signing import Signed, signed_by
from cardledger.rules.engine import events as ev
from tests.tables import SIZES, any_match
from tests.test_matchfile import EVENTS, needed, whole

NOW = datetime(2026, 3, 4, 20, 15, tzinfo=UTC)
ID = "7c1d6a52-5c0e-8f2c-9a39-{:012x}"


def signed(events: list[ev.Event], by: str, *, one_by_one: bool) -> Signed:
    """Return events as they are stored from number 5 on, signed together or one by one; salts are always the same."""
    names = Names(lambda words: ())
    names.salt = Random(1).randbytes
    ids = [ID.format(5 + index) for index in range(len(events))]
    if not one_by_one:
        return signed_by(Recorder(by), NOW, events, ids, 4, names)
    parts = [
        signed_by(Recorder(by), NOW, [event], [id], 4 + index, names)
        for index, (event, id) in enumerate(zip(events, ids, strict=True))
    ]
    lines = [line for part in parts for line in part.lines]
    return Signed(lines, frozenset().union(*(part.names for part in parts)), parts[0].first, parts[-1].last)


@given(st.data())
@settings(max_examples=100)
def test_events_signed_together_are_stored_as_one_by_one(data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from(sorted(EVENTS)), min_size=3, max_size=12))
    events = [
        parse(ev.encode(parse(msgspec.json.encode(data.draw(st.sampled_from([needed, whole]))(kind)))))
        for kind in kinds
    ]
    keys = data.draw(st.lists(st.sampled_from([{}, {}, {"by": "ben"}, {"at": "2026-01-02T03:04:05Z"}]), min_size=12))
    events = [msgspec.structs.replace(event, **some) for event, some in zip(events, keys, strict=False)]
    by = data.draw(st.sampled_from(["import", "ana", 'a "quoted" person']))
    assert signed(events, by, one_by_one=False) == signed(events, by, one_by_one=True)


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
@settings(max_examples=40)
def test_matches_of_every_game_are_signed_together_as_one_by_one(game: tuple[str, int], seed: int) -> None:
    rng = Random(seed)
    events = any_match(*game, rng, policy="record", wild=0.2, events=rng.randrange(3, 60))
    assert signed(events, "import", one_by_one=False) == signed(events, "import", one_by_one=True)


@pytest.mark.parametrize("key", ["seq", "id", "at", "by"])
def test_the_id_of_a_match_follows_from_its_content_alone(key: str) -> None:
    events = [parse(msgspec.json.encode(needed(kind))) for kind in ("open", "deal", "play")]
    stated = {"seq": 2, "id": ID.format(2), "at": "2026-01-02T03:04:05Z", "by": "ana"}[key]
    other = [events[0], msgspec.structs.replace(events[1], **{key: stated}), events[2]]
    copies: Counter[bytes] = Counter()
    ids = [id_by_content(each, copies) for each in (events, other, events)]
    assert len({*ids}) == 3  # the second and third time it is another copy
    assert id_by_content(other, Counter()) == ids[0]
    assert id_by_content(events[:2], Counter()) != ids[0]
