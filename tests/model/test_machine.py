"""After any operations in any order a ledger equals a dict of lists: states, ids, refusals, read models."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from cardledger.errors import LedgerError
from cardledger.record.backup.copying import compare, transfer
from cardledger.record.backup.making import BackupSource, back_up
from cardledger.record.backup.restoring import Cut, restore
from cardledger.record.people.people import Name
from cardledger.record.readmodels.tables import ratings
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.loaded_match import bare
from cardledger.record.store.address import Where, where
from cardledger.record.store.opening import opened
from cardledger.rules.engine import events as ev
from tests.model.plain import PEOPLE, Plain, state_of, table_of
from tests.store.conftest import cache, cluster  # noqa: F401 - a cluster for the long tier
from tests.tables import SIZES, any_options, opening, state, step
from tests.thorough import many

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.store.cluster import Cluster

CHANCE = st.integers(0, 2**32 - 1)
PICK = st.integers(0, 1000)
START = datetime(2026, 1, 1, tzinfo=UTC)
FEW, MANY = 5, 3
"""The largest number of matches, and of programs with the ledger open."""


class LedgerMachine(RuleBasedStateMachine):
    """A ledger that is opened by several programs, written to, abandoned, backed up, restored and copied."""

    place: Callable[[Path], Where]
    """Gives a new place for a ledger, with a folder for files."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cardledger-model-"))
        self.number = count()
        self.plain, self.now = Plain(), START
        self.backups: list[tuple[Path, Plain]] = []
        self.open: list[Ledger] = []
        self.abandoned: list[Ledger] = []
        self._move_to(self._new_place())

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            try:
                self.all_is_as_it_should_be(0)
            finally:
                self._close()
                rmtree(self.folder)

    # --- places and programs

    def _new_place(self) -> Where:
        return type(self).place(self.folder / str(next(self.number)))

    def _move_to(self, at: Where) -> None:
        self._close()
        self.at = at
        self.views = self.folder / f"{next(self.number)}.views.db"
        self._open()

    def _open(self) -> None:
        self.open.append(Ledger(self.at, views=self.views))

    def _close(self) -> None:
        for ledger in [*self.open, *self.abandoned]:
            ledger.close()
        self.open, self.abandoned = [], []

    def _ledger(self, pick: int) -> Ledger:
        return self.open[pick % len(self.open)]

    def _match(self, pick: int) -> str:
        return [*self.plain.matches][pick % len(self.plain.matches)]

    def _timed(self, event: ev.Event) -> ev.Event:
        return msgspec.structs.replace(event, at=self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z"))

    @rule(minutes=st.integers(-2, 9))
    def time_passes_or_a_clock_is_set_back(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    # --- recording

    def _record(self, ledger: Ledger, match: str | None, events: list[ev.Event], expected: int) -> None:
        """Record events, or see them refused as the model says."""
        events = [self._timed(event) for event in events]
        refusal = self.plain.refusal(match, events, expected)
        before = len(self.plain.matches.get(match or "", []))
        if refusal is not None:
            with pytest.raises(LedgerError) as caught:
                ledger.record(match, events, expected)
            assert caught.value.code == refusal
            assert getattr(caught.value, "current", before) == before
        else:
            recorded = ledger.record(match, events, expected)
            assert (recorded.seq, recorded.new) == (before + len(events), True)
            self.plain.record(recorded.match, events)
            match = recorded.match
        if match in self.plain.matches:
            self._same(ledger, match)

    def _same(self, ledger: Ledger, match: str) -> None:
        events, table = self.plain.matches[match], ledger.stream(match).table
        assert state(table) == state_of(events)
        assert ledger.stream(match).seq == len(events)

    @precondition(lambda self: len(self.plain.matches) < FEW)
    @rule(pick=PICK, chance=CHANCE, policy=st.sampled_from(["strict", "record"]))
    def open_a_match(self, pick: int, chance: int, policy: Any) -> None:
        rng = Random(chance)
        game, n = rng.choice(SIZES)
        self._record(self._ledger(pick), None, [opening(game, n, policy, **any_options(game, rng))], 0)

    @precondition(lambda self: self.plain.matches)
    @rule(pick=PICK, match=PICK, chance=CHANCE, number=st.integers(1, 12), wild=st.sampled_from([0.0, 0.0, 0.5]))
    def play(self, pick: int, match: int, chance: int, number: int, wild: float) -> None:
        """Events one after the other that fit, but perhaps for cards that break a rule: `strict` refuses all of them then."""
        id, rng = self._match(match), Random(chance)
        known, events = self.plain.matches[id], []
        table = table_of(known)
        while len(events) < number and table.phase not in ("over", "score"):
            events.append(step(table, rng, wild))
            try:
                table.apply(events[-1], len(known) + len(events))
            except LedgerError:
                break
        if events:
            self._record(self._ledger(pick), id, events, len(known))

    @precondition(lambda self: self.plain.matches)
    @rule(pick=PICK, match=PICK, chance=CHANCE)
    def what_may_not_be(self, pick: int, match: int, chance: int) -> None:
        """An event from another match, which fits only by chance."""
        id, rng = self._match(match), Random(chance)
        other = rng.choice([event for events in self.plain.matches.values() for event in events])
        other = msgspec.structs.replace(other, seq=None, id=None)
        self._record(self._ledger(pick), id, [ev.Note(text="before"), other], len(self.plain.matches[id]))

    @precondition(lambda self: self.plain.matches)
    @rule(pick=PICK, match=PICK, by=st.sampled_from([-2, -1, 1, 7]))
    def a_stale_or_made_up_number_is_a_conflict(self, pick: int, match: int, by: int) -> None:
        id = self._match(match)
        self._record(self._ledger(pick), id, [ev.Note(text="late")], max(0, len(self.plain.matches[id]) + by))

    @rule(pick=PICK, chance=CHANCE)
    def a_match_that_is_not_there(self, pick: int, chance: int) -> None:
        id = f"{chance:08x}-0000-4000-8000-000000000000"
        self._record(self._ledger(pick), id, [ev.Note(text="nowhere")], 3)

    @precondition(lambda self: self.plain.matches)
    @rule(pick=PICK, match=PICK, to=PICK)
    def retract(self, pick: int, match: int, to: int) -> None:
        id = self._match(match)
        seq = len(self.plain.matches[id])
        self._record(self._ledger(pick), id, [ev.Retract(to=to % (seq + 2))], seq)

    @precondition(lambda self: self.plain.matches)
    @rule(pick=PICK, match=PICK, about=PICK, chance=CHANCE)
    def amend(self, pick: int, match: int, about: int, chance: int) -> None:
        """Replace an event by another of the match, or by itself with another card."""
        id, rng = self._match(match), Random(chance)
        known = self.plain.matches[id]
        about = 1 + about % (len(known) + 1)
        old = known[min(about, len(known)) - 1]
        instead = rng.choice([old, old, rng.choice(known)])
        cards = [event.card for event in known if isinstance(event, ev.Play)]
        if isinstance(instead, ev.Play) and cards:
            instead = msgspec.structs.replace(instead, card=rng.choice(cards))
        instead = msgspec.structs.replace(instead, seq=None, id=None, at=None, by=None)
        self._record(self._ledger(pick), id, [ev.Amend(about=about, event=instead)], len(known))

    @precondition(lambda self: self.plain.matches)
    @rule(pick=PICK, match=PICK, note=st.booleans(), about=PICK)
    def note_or_end(self, pick: int, match: int, note: bool, about: int) -> None:
        id = self._match(match)
        seq = len(self.plain.matches[id])
        event = ev.Note(text="a remark", about=about % (seq + 2) or None) if note else ev.End(reason="late")
        self._record(self._ledger(pick), id, [event], seq)

    @precondition(lambda self: self.plain.matches)
    @rule(pick=PICK, match=PICK)
    def a_match_is_void_or_brought_back(self, pick: int, match: int) -> None:
        id, ledger = self._match(match), self._ledger(pick)
        known, void = self.plain.matches[id], ledger.stream(id).void
        event = ev.Retract(to=void - 1) if void else ev.Void(reason="recorded twice")
        self._record(ledger, id, [event], len(known))
        assert bool(ledger.stream(id).void) != bool(void)

    @precondition(lambda self: self.plain.matches)
    @rule(pick=PICK, match=PICK, number=st.integers(1, 4))
    def what_is_sent_again_is_answered_as_the_first_time(self, pick: int, match: int, number: int) -> None:
        ledger, id = self._ledger(pick), self._match(match)
        stored = ledger.events(id)[-number:]
        seq = len(self.plain.matches[id])
        recorded = ledger.record(id, stored, seq - len(stored))
        assert (recorded.seq, recorded.new, [*recorded.ids]) == (seq, False, [event.id for event in stored])

    @precondition(lambda self: self.plain.matches)
    @rule(pick=PICK, match=PICK, name=st.sampled_from(["Ána", "Ben", None]))
    def call_somebody(self, pick: int, match: int, name: str | None) -> None:
        ledger, player = self._ledger(pick), table_of(self.plain.matches[self._match(match)]).players[0]
        event = Name(player=player, name=name)
        if not self.plain.plays(player):  # matches that are void count nowhere
            with pytest.raises(LedgerError) as refused:
                ledger.record_people([event], len(self.plain.people), "tests")
            assert refused.value.code == "people.unknown"
            return
        ledger.record_people([event], len(self.plain.people), "tests")
        # Such events bear the time of the program's clock, long after that of any match here.
        self.plain.record(PEOPLE, [msgspec.structs.replace(event, at=datetime.now(UTC).isoformat())])

    # --- programs come and go

    @precondition(lambda self: len(self.open) < MANY)
    @rule()
    def another_program_opens_it(self) -> None:
        self._open()

    @precondition(lambda self: len(self.abandoned) < MANY)
    @rule(pick=PICK)
    def crash(self, pick: int) -> None:
        """A program stops in the middle of all: it closes nothing and is never heard of again."""
        self.abandoned.append(self.open.pop(pick % len(self.open)))
        if not self.open:
            self._open()

    @rule()
    def all_close_and_one_opens_it_again(self) -> None:
        self._close()
        self._open()

    @rule()
    def read_models_are_dropped(self) -> None:
        self._close()
        for path in self.folder.glob(f"{self.views.name}*"):
            path.unlink()
        self._open()

    # --- backups, restores and copies

    @precondition(lambda self: len(self.backups) < FEW)
    @rule(pick=PICK)
    def back_up(self, pick: int) -> None:
        target = self.folder / f"{next(self.number)}.db"
        manifest = back_up(
            BackupSource.of(self.at, self._ledger(pick).store), target, datetime.now(UTC), with_key=False
        )
        assert manifest.events == len(self.plain.log)
        self.backups.append((target, self.plain.copy()))

    @precondition(lambda self: self.backups)
    @rule(pick=PICK, how=st.sampled_from(["whole", "position", "time"]), at=PICK, goes_on=st.booleans())
    def restore(self, pick: int, how: str, at: int, goes_on: bool) -> None:
        """Restore a backup, and go on with the restored ledger or throw it away."""
        source, plain = self.backups[pick % len(self.backups)]
        kept, cut = len(plain.log), Cut()
        if how == "position":
            kept = at % (len(plain.log) + 1)
            cut = Cut(position=kept)
        elif how == "time":
            cut = Cut(time=START + timedelta(minutes=at % 60 - 5))
            kept = plain.until(cut.time)  # type: ignore[arg-type]
        self._goes_on(lambda target: restore(source, target, cut), plain.cut(kept), goes_on)

    @rule(goes_on=st.booleans())
    def copy(self, goes_on: bool) -> None:
        def copied(target: Where) -> None:
            with closing(opened(self.at, create=False)) as here, closing(opened(target)) as there:
                upto = here.last_position()
                assert transfer(here, there, upto) == len(self.plain.log)
                assert transfer(here, there, upto) == 0
                compare(here, there, upto)

        self._goes_on(copied, self.plain.copy(), goes_on)

    def _goes_on(self, make: Callable[[Where], object], plain: Plain, goes_on: bool) -> None:
        target = self._new_place()
        make(target)
        if goes_on:
            self._move_to(target)
            self.plain = plain
            self.all_is_as_it_should_be(0)
        else:
            with Ledger(target, views=self.folder / f"{next(self.number)}.views.db") as other:
                self._says(other, plain)

    # --- invariants

    @rule(pick=PICK)
    def all_is_as_it_should_be(self, pick: int) -> None:
        ledger = self._ledger(pick)
        self._says(ledger, self.plain)
        for match in self.plain.matches:
            self._same(ledger, match)
        assert [error for _, error in ledger.verify() if error] == []
        grown = self._content(ledger)
        assert [*ledger.rebuild()] or not self.plain.log
        assert self._content(ledger) == grown

    def _says(self, ledger: Ledger, plain: Plain) -> None:
        """Demand that the events of a ledger are those of the model, in this order."""
        rows = [*ledger.store.read_all()]
        assert [row.match for row in rows] == [match for match, _ in plain.log]
        assert ledger.matches() == [*plain.matches]
        for match, events in plain.matches.items():
            stored = ledger.events(match)
            assert [bare(event) for event in stored] == [bare(event) for event in events]
            assert [event.seq for event in stored] == [*range(1, len(events) + 1)]
            assert [event.at for event in stored] == [event.at for event in events]
        assert ledger.people().seq == len(plain.people)

    def _content(self, ledger: Ledger) -> dict[str, list[Any]]:
        ratings.bring_up_to_date(ledger.views)
        with closing(sqlite3.connect(self.views)) as db:
            names = [
                name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            ]
            return {name: sorted(map(repr, db.execute(f'SELECT * FROM "{name}"'))) for name in names}


def tried(place: Callable[[Path], Where], examples: int, steps: int) -> None:
    class Machine(LedgerMachine):
        pass

    Machine.place = staticmethod(place)  # type: ignore[assignment]
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, suppress_health_check=[*HealthCheck],
            database=None, derandomize=True,
        ),
    )  # fmt: skip


def in_files(name: Path) -> Where:
    return where(str(name.with_suffix(".db")))


@pytest.mark.long
def test_a_ledger_in_a_file_behaves_like_a_dict_of_lists() -> None:
    tried(in_files, 6, 20)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_ledger_in_a_file_behaves_like_a_dict_of_lists_in_long_runs() -> None:
    tried(in_files, many(40, 100), 50)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_ledger_in_postgresql_behaves_like_a_dict_of_lists(cluster: Cluster) -> None:  # noqa: F811
    tried(lambda _: where(cluster.fresh()), many(12, 25), 40)
