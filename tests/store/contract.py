"""What every event store promises; a store's test module inherits this and says how to open one."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardledger.errors import ConflictError, ErasedError
from cardledger.record.people.names import Named, mark, new_pseudonym
from cardledger.record.people.people import STREAM
from cardledger.record.store import Append, EventStore
from cardledger.record.store.chain import START, chain
from cardledger.record.store.missing_names import MissingNames


def naming(*names: Named) -> list[tuple[str, bytes]]:
    """Return an opening as stored, with its hash."""
    return chain(
        START, [f'{{"type":"open","players":{json.dumps([named.pseudonym for named in names])}}}'.replace(", ", ",")]
    )


def erasing(groups: list[list[str]]) -> list[tuple[str, bytes]]:
    """Return the event that erases pseudonyms as stored, with its hash."""
    return chain(START, [f'{{"type":"erase","player":"{groups[0][0]}","names":{json.dumps(groups)}}}'])


LINES = st.text(st.characters(codec="utf-8", exclude_characters="\0\n"), min_size=1, max_size=5)
"""What a line may hold: canonical JSON has something in it, but no line break and no NUL."""


def lines(n: int, mark: str = "") -> list[tuple[str, bytes]]:
    """Return `n` lines with their hashes, as a match of their own."""
    return chain(START, [f'{{"type":"note","text":"{mark}{i}"}}' for i in range(n)])


class StoreContract:
    """Tests every store passes; a subclass offers the fixture `store`, and `fresh()` for property tests."""

    def fresh(self) -> EventStore:
        raise NotImplementedError

    def test_appended_events_are_read_in_order(self, store: EventStore) -> None:
        store.append([Append("a", 0, lines(3))])
        rows = store.read("a")
        assert [(row.seq, row.line, row.hash) for row in rows] == [
            (seq, line, digest) for seq, (line, digest) in enumerate(lines(3), 1)
        ]

    def test_reading_goes_on_after_a_seq(self, store: EventStore) -> None:
        store.append([Append("a", 0, lines(5))])
        assert [row.seq for row in store.read("a", after=3)] == [4, 5]

    def test_names_are_kept_with_the_events_that_use_them(self, store: EventStore) -> None:
        ana, ben = new_pseudonym("player", "ana"), new_pseudonym("text", 'b\0"e\n\\')
        store.append([Append("a", 0, naming(ana, ben), {ana, ben}, fresh=True), Append("b", 0, naming(ana), [ana])])
        (row,) = store.read("b")
        assert store.names.clear(row.line) == '{"type":"open","players":["ana"]}'
        assert store.names.lines([row.line for row in store.read("a")])[0].endswith(f'["ana",{ben.text}]}}')
        assert [*store.named("player")] == [ana]
        assert store.names.shared("player", "ana") == ana
        assert store.names.find([row.line]) == [ana]
        assert [row.match for row in store.holding([ben.pseudonym])] == ["a"]
        assert sorted(row.match for row in store.holding([ana.pseudonym, "nothing"])) == ["a", "b"]
        assert [*store.holding(["%", "_", "x'"])] == []

    def test_names_of_refused_events_are_not_stored(self, store: EventStore) -> None:
        ana = new_pseudonym("player", "ana")
        store.append([Append("a", 0, lines(1))])
        with pytest.raises(ConflictError):
            store.append([Append("a", 0, naming(ana), [ana])])
        assert [*store.named("player")] == []

    def test_erased_data_is_gone_once_the_erasure_is_recorded(self, store: EventStore) -> None:
        ana, other, ben = new_pseudonym("player", "ana"), new_pseudonym("player", "ana"), new_pseudonym("player", "ben")
        store.append([Append("a", 0, naming(ana, other, ben), [ana, other, ben])])
        store.append([Append(STREAM, 0, erasing([[ana.pseudonym, other.pseudonym]]))])
        (row,) = store.read("a")
        left = f'{{"type":"open","players":["{ana.pseudonym}","{ana.pseudonym}","ben"]}}'
        assert store.names.clear(row.line) == left
        store.learn([ana, other])
        store.append([Append("b", 0, naming(other), [other])])
        assert [*store.named("player")] == [ben]
        assert store.names.clear(row.line) == left
        assert store.names.without(row.line)
        assert store.names.find([row.line]) == [ben]
        assert store.names.shared("player", "ana") not in (ana, other)
        with pytest.raises(ErasedError):
            store.append([Append("c", 0, naming(ana), [ana], fresh=True)])
        assert store.read("c") == []

    def test_missing_names_are_distinguished_from_erased_ones_and_those_left_out(self, store: EventStore) -> None:
        ana, ben, chloe, dev = (new_pseudonym("player", name) for name in ("ana", "ben", "chloe", "dev"))
        store.append([Append("a", 0, naming(ana, ben, chloe, dev), [ana, ben, mark(chloe.pseudonym)])])
        store.append([Append(STREAM, 0, erasing([[ben.pseudonym]]))])
        names = MissingNames(store.names)
        names.take(store.read_all())
        assert {*names.all()} == {dev.pseudonym}
        assert (names.used, names.left_out) == (4, 1)
        (row,) = store.read("a")
        assert store.names.carried([row.line]) == sorted([ana, mark(ben.pseudonym), mark(chloe.pseudonym)])
        store.learn([dev, chloe])
        names.look_again()
        assert (names.all(), names.left_out) == ({}, 0)
        assert store.names.clear(row.line) == f'{{"type":"open","players":["ana","{ben.pseudonym}","chloe","dev"]}}'

    def test_a_name_erased_before_it_arrives_is_not_stored(self, store: EventStore) -> None:
        ana = new_pseudonym("player", "ana")
        store.append([Append(STREAM, 0, erasing([[ana.pseudonym]]))])
        store.append([Append("a", 0, naming(ana), [ana])])
        assert [*store.named("player")] == []

    def test_other_events_of_people_and_damaged_ones_erase_nothing(self, store: EventStore) -> None:
        ana = new_pseudonym("player", "ana")
        store.append([Append("a", 0, erasing([[ana.pseudonym]])), Append("b", 0, naming(ana), [ana])])
        odd = ['{"type":"erase"', '{"type":"erase","names":7}', '{"type":"erase","player":"x","names":[[]]}']
        store.append([Append(STREAM, 0, chain(START, odd))])
        assert [*store.named("player")] == [ana]

    def test_an_unknown_match_has_no_events(self, store: EventStore) -> None:
        store.append([Append("a", 0, lines(1))])
        for match in ("nobody", "", "a\0", "\0", "a" * 10_000, "é\n"):
            assert store.read(match) == []
        assert store.ids("\0", 5) == store.ids("a\0", 5) == []

    def test_a_stale_expected_seq_is_a_conflict_that_names_the_current_one(self, store: EventStore) -> None:
        store.append([Append("a", 0, lines(3))])
        with pytest.raises(ConflictError) as caught:
            store.append([Append("a", 2, lines(1))])
        assert (caught.value.code, caught.value.current) == ("store.conflict", 3)
        assert "event 3" in caught.value.message

    def test_an_append_of_several_matches_is_all_or_nothing(self, store: EventStore) -> None:
        store.append([Append("b", 0, lines(1))])
        with pytest.raises(ConflictError):
            store.append([Append("a", 0, lines(2)), Append("b", 0, lines(2))])
        assert store.read("a") == []
        assert len(store.read("b")) == 1
        assert store.last_position() == store.read("b")[-1].position

    def test_reading_all_follows_the_order_of_the_ledger(self, store: EventStore) -> None:
        for match, expected in (("b", 0), ("a", 0), ("b", 1)):
            store.append([Append(match, expected, lines(1, match))])
        rows = list(store.read_all())
        assert [(row.match, row.seq) for row in rows] == [("b", 1), ("a", 1), ("b", 2)]
        assert [row.position for row in rows] == sorted(row.position for row in rows)
        assert [row.match for row in store.read_all(after=rows[0].position)] == ["a", "b"]

    def test_news_returns_the_next_events_in_the_order_of_the_ledger(self, store: EventStore) -> None:
        store.append([Append("z", 0, lines(2))])
        middle = store.last_position()
        store.append([Append("a", 0, lines(1))])
        [last] = store.append([Append("z", 2, lines(1))])
        assert [match for _, match in store.news(0, 10)] == ["z", "z", "a", "z"]
        assert [match for _, match in store.news(middle, 1)] == ["a"]
        assert store.news(last, 10) == []
        assert store.news(0, 10)[-1][0] == last == store.last_position()

    def test_an_append_returns_the_first_position_of_each_match(self, store: EventStore) -> None:
        store.append([Append("a", 0, lines(2))])
        firsts = store.append([Append("z", 0, lines(3)), Append("a", 2, lines(1)), Append("b", 0, lines(1))])
        assert firsts == [store.read("z")[0].position, store.read("a")[2].position, store.read("b")[0].position]
        assert firsts == sorted(firsts)
        assert store.append([]) == []

    def test_one_append_may_hold_a_match_in_several_pieces(self, store: EventStore) -> None:
        new = lines(3)
        store.append([Append("a", 0, new[:1]), Append("b", 0, lines(1)), Append("a", 1, new[1:])])
        assert [(row.match, row.seq) for row in store.read_all()] == [("a", 1), ("b", 1), ("a", 2), ("a", 3)]
        with pytest.raises(ConflictError) as caught:
            store.append([Append("c", 0, new[:1]), Append("c", 2, new[1:])])
        assert (caught.value.match, caught.value.expected) == ("c", 2)
        assert store.read("c") == []

    def test_an_append_beyond_the_end_is_a_conflict(self, store: EventStore) -> None:
        store.append([Append("a", 0, lines(1))])
        for match, current in (("a", 1), ("b", 0)):
            with pytest.raises(ConflictError) as caught:
                store.append([Append(match, 2, lines(1))])
            assert caught.value.current == current
        assert len([*store.read_all()]) == 1

    def test_lines_and_hashes_come_back_byte_for_byte(self, store: EventStore) -> None:
        texts = ['{"text":"Zoë \\u0000 \\n ‘♠’ 🂡 \u2028"}', " ", "\t,{}\\"]
        store.append([Append("a", 0, chain(START, texts))])
        assert [(row.line, row.hash) for row in store.read("a")] == chain(START, texts)

    def test_the_matches_between_two_positions_are_those_with_events_there(self, store: EventStore) -> None:
        store.append([Append("z", 0, lines(2))])
        middle = store.last_position()
        store.append([Append("a", 0, lines(1)), Append("z", 2, lines(1))])
        assert store.between(0, middle) == {"z"}
        assert store.between(middle, store.last_position()) == {"a", "z"}
        assert store.between(middle, middle) == set()

    def test_the_length_of_a_match_is_the_number_of_its_events(self, store: EventStore) -> None:
        store.append([Append("a", 0, lines(3)), Append("b", 0, lines(1)), Append("c", 0, lines(1))])
        assert store.lengths(["a", "b", "nobody"]) == {"a": 3, "b": 1}
        assert store.lengths([]) == {}

    def test_recordings_may_be_those_of_a_share_and_up_to_a_position(self, store: EventStore) -> None:
        store.append([Append(match, 0, lines(2, match)) for match in "abcd"])
        upto = store.last_position()
        store.append([Append("b", 2, lines(1)), Append("e", 0, lines(1))])
        found = [(recording.match, len(recording.lines)) for recording in store.recordings("b", "c", upto)]
        assert found == [("b", 2), ("c", 2)]
        assert [recording.match for recording in store.recordings(upto=upto)] == [*"abcd"]

    def test_ids_go_on_after_one(self, store: EventStore) -> None:
        store.append([Append(match, 0, lines(1)) for match in ("aa1", "aa2", "aa3", "b")])
        assert store.ids("aa", 5, "aa1") == ["aa2", "aa3"]
        assert store.ids("", 2, "aa2") == ["aa3", "b"]

    def test_no_reader_has_seen_an_event_after_the_last_position_given_out(self, store: EventStore) -> None:
        assert store.last_given() == store.last_position() == 0
        store.append([Append("z", 0, lines(2))])
        assert store.last_given() >= store.last_position() > 0

    def test_matches_come_in_the_order_of_their_openings(self, store: EventStore) -> None:
        store.append([Append("z", 0, lines(1)), Append("a", 0, lines(1))])
        store.append([Append("z", 1, lines(1))])
        assert store.matches() == ["z", "a"]

    def test_ids_are_found_by_their_beginning(self, store: EventStore) -> None:
        for match in ("aa1", "aa2", "b"):
            store.append([Append(match, 0, lines(1))])
        assert store.ids("aa", 5) == ["aa1", "aa2"]
        assert store.ids("a", 1) == ["aa1"]
        assert store.ids("c", 5) == []

    def test_recordings_hold_every_match_whole(self, store: EventStore) -> None:
        store.append([Append("b", 0, lines(2, "b")), Append("a", 0, lines(1, "a"))])
        store.append([Append("a", 1, lines(1, "c"))])
        found = {recording.match: recording for recording in store.recordings()}
        assert [*found] == ["a", "b"]
        assert found["a"].lines == [lines(1, "a")[0][0], lines(1, "c")[0][0]]
        assert found["b"].hash == lines(2, "b")[-1][1]
        assert found["b"].position == store.read("b")[0].position

    # Every store runs it, each by itself.
    @settings(max_examples=25, suppress_health_check=[HealthCheck.differing_executors])
    @given(
        st.lists(
            st.tuples(st.sampled_from("abc"), st.integers(0, 6), st.lists(LINES, min_size=1, max_size=3)),
            max_size=12,
        )
    )
    def test_a_store_behaves_like_a_dict_of_lists(self, appends: list[tuple[str, int, list[str]]]) -> None:
        store = self.fresh()
        model: dict[str, list[str]] = {}
        for match, expected, texts in appends:
            new = [(text, bytes(32)) for text in texts]
            if expected == len(model.get(match, [])):
                store.append([Append(match, expected, new)])
                model.setdefault(match, []).extend(texts)
            else:
                with pytest.raises(ConflictError):
                    store.append([Append(match, expected, new)])
        assert {r.match: r.lines for r in store.recordings()} == model
        assert [row.line for row in store.read_all()] != [] or not model
        store.close()
