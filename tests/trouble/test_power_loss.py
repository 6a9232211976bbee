"""The power fails before any sync: no acknowledged event is lost, whatever other data has reached the disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from shutil import rmtree

import pytest

from cardledger.errors import LedgerError
from tests.trouble.disk import Disk, spilt
from tests.trouble.lives import LIVES
from tests.trouble.look import expect_fits
from tests.trouble.nursery import Nursery
from tests.trouble.said import Said
from tests.trouble.shim import MARK, SYNC, Done, read_log

_LOST = "is lost|is damaged|in part only|half of something|is another"
"""What is found out first depends on when the threads of the program wrote."""


def written_down(fragile: Nursery, folder: Path, name: str) -> list[Done]:
    """Return the calls on files in a course of work."""
    club, log = folder / "club", folder / "log"
    club.mkdir()
    child = fragile.born("write_down", name, club, log)
    assert child.ended() == 0, child.wrong.read_text()
    return [*read_log(log)]


def lose_power(folder: Path, log: Sequence[Done], name: str, every: int, times: int) -> tuple[int, int]:
    """Let the power go before every so many syncs, so many times each; return how many that were, and states looked at."""
    disk, said, syncs, looked = Disk(), Said(), 0, 0
    for number, done in enumerate([*log, None]):
        if done is None or done.op == SYNC:
            syncs += 1
            for time in range(times if syncs % every == 0 or done is None else 0):
                rng = Random(f"{name} {number} {time}")
                after = folder / f"{number}-{time}"
                after.mkdir()
                spilt(after, disk.found(rng), rng)
                try:
                    expect_fits(after / "club.db", said)
                except BaseException as error:
                    error.add_note(f"{name}, before call {number} of {len(log)}, seed {time}: {said.steps[-1:]}")
                    raise
                rmtree(after)
                looked += 1
        if done is not None and done.op == MARK:
            said.take([done.data.decode()])
        elif done is not None:
            disk.take(done)
    return syncs, looked


@pytest.mark.long
@pytest.mark.parametrize("name", LIVES)
def test_acknowledged_events_survive_a_power_failure(fragile: Nursery, quick: Path, name: str) -> None:
    """A sample of moments."""
    log = written_down(fragile, quick, name)
    lose_power(quick, log, name, every=13, times=1)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", LIVES)
def test_acknowledged_events_survive_a_power_failure_at_any_moment(fragile: Nursery, quick: Path, name: str) -> None:
    """Before every sync."""
    log = written_down(fragile, quick, name)
    syncs, looked = lose_power(quick, log, name, every=1, times=24)
    print(f"{name}: {syncs} moments, {looked} states of the disk, nothing lost")  # noqa: T201 - figures for the README


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "ending", "lost"),
    [
        ("recording", "club.db-wal", _LOST),
        ("recording", "club", _LOST),  # the folder: without its syncs files have no names
        ("sealing", "club.checkpoints", f"a checkpoint that was shown is lost|{_LOST}"),
        ("copying", "second.db-wal", f"a backup has lost something|{_LOST}"),
    ],
)
def test_a_disk_that_does_not_sync_is_found_out(
    fragile: Nursery, quick: Path, name: str, ending: str, lost: str
) -> None:
    """The proof that all this can fail."""
    log = written_down(fragile, quick, name)
    forgetful = [done for done in log if not (done.op == SYNC and done.path.endswith(ending))]
    assert len(forgetful) < len(log)
    with pytest.raises((AssertionError, LedgerError), match=lost):
        lose_power(quick, forgetful, name, every=1, times=4)
