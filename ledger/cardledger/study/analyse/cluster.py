"""The workers of a Dask cluster as a crew: Dask hands the work of a lost worker to others."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from cardledger.crew import Work
from cardledger.errors import LedgerError, StoreError
from cardledger.sentence import advising

PROGRAM = version("cardledger")
"""The version of this program, which the cluster must have too."""
PATIENCE = 30
"""Seconds to wait for a cluster, for its first worker, and for results."""


def _dask() -> Any:
    """Return the Dask client library; raises StoreError `store.extra` if it is not installed."""
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise StoreError("store.extra", "a cluster needs Dask: pip install 'cardledger[cluster]'") from None


class Cluster:
    """The workers of a Dask cluster, each of them with this very program."""

    def __init__(self, work: Work, address: str) -> None:
        """Find the cluster; raises LedgerError `workers.reach`, `workers.version`, StoreError `store.extra`."""
        dask = _dask()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are reported in one line
        self._work = work
        try:
            self._client = dask.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise LedgerError("workers.reach", f"there is no Dask scheduler at {address}: {error}") from None
        try:
            self._expect_the_same_program()
        except BaseException:
            self.close()
            raise

    def _expect_the_same_program(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise LedgerError(
                "workers.reach", advising("the cluster has no workers: start one with dask worker")
            ) from None
        try:
            versions = self._client.run(version, "cardledger")
            versions["of the scheduler"] = self._client.run_on_scheduler(version, "cardledger")
        except Exception as error:  # noqa: BLE001 - any error there, since the program is missing
            raise LedgerError(
                "workers.version", advising(f"the cluster does not have cardledger {PROGRAM}: {error}")
            ) from None
        for worker, theirs in sorted(versions.items()):
            if theirs != PROGRAM:
                raise LedgerError(
                    "workers.version", advising(f"worker {worker} has cardledger {theirs}, not {PROGRAM}")
                )

    @property
    def ahead(self) -> int:
        """Enough for all present workers."""
        with _in_reach():
            threads: int = sum(self._client.nthreads().values())
        return 2 * threads + 2

    def give(self, *task: Any) -> Any:
        """Start a piece of work."""
        with _in_reach():
            return self._client.submit(self._work, *task, pure=False)

    def wait(self, given: Any) -> Any:
        """Return the result of a piece of work; raises LedgerError `workers.lost`."""
        while True:
            with _in_reach():
                try:
                    return given.result(timeout=PATIENCE)
                except TimeoutError:
                    if not self._client.nthreads():
                        raise LedgerError("workers.lost", "the cluster has no workers left") from None

    def close(self) -> None:
        """Leave the cluster."""
        self._client.close()


@contextmanager
def _in_reach() -> Iterator[None]:
    """Turn every error of Dask (killed too often, cancelled, out of reach) into LedgerError `workers.lost`."""
    try:
        yield
    except LedgerError:
        raise
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - there are too many kinds
        raise LedgerError("workers.lost", f"the cluster gave up: {type(error).__name__}: {error}") from None
