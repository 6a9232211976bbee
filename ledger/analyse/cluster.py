"""The workers of a Dask cluster as a crew: Dask gives to others what one that is lost had to do."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from ledger.analyse.crew import Work
from ledger.errors import LedgerError, StoreError

PROGRAM = version("cardledger")
"""The version of this program; the cluster is to have the same."""
_PATIENCE = 30
"""Seconds to wait for a cluster, for its first worker, and for news of work."""


def _dask() -> Any:
    """Return what works on clusters; raises StoreError `store.extra` where it is not installed."""
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise StoreError("store.extra", "a cluster needs Dask: pip install 'cardledger[cluster]'") from None


class Cluster:
    """The workers of a Dask cluster, each of them with this very program."""

    def __init__(self, work: Work, address: str) -> None:
        """Find the cluster; raises LedgerError `workers.reach`, `workers.version`, StoreError `store.extra`."""
        dask = _dask()
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what goes wrong is told in one line
        self._work = work
        try:
            self._client = dask.Client(address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise LedgerError("workers.reach", f"there is no Dask scheduler at {address}: {error}") from None
        try:
            self._expect_the_same_program()
        except BaseException:
            self.close()
            raise

    def _expect_the_same_program(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise LedgerError("workers.reach", "the cluster has no workers") from None
        try:
            found = self._client.run(version, "cardledger")
            found["of the scheduler"] = self._client.run_on_scheduler(version, "cardledger")
        except Exception as error:  # noqa: BLE001 - what was raised there, for want of the program
            raise LedgerError("workers.version", f"the cluster lacks cardledger {PROGRAM}: {error}") from None
        for worker, theirs in sorted(found.items()):
            if theirs != PROGRAM:
                raise LedgerError("workers.version", f"worker {worker} has cardledger {theirs}, not {PROGRAM}")

    @property
    def ahead(self) -> int:
        """Enough for all who are there by now."""
        with _in_reach():
            threads: int = sum(self._client.nthreads().values())
        return 2 * threads + 2

    def give(self, *task: Any) -> Any:
        """Have a piece of work done."""
        with _in_reach():
            return self._client.submit(self._work, *task, pure=False)

    def wait(self, given: Any) -> Any:
        """Return what came of a piece of work; raises LedgerError `workers.lost`."""
        while True:
            with _in_reach():
                try:
                    return given.result(timeout=_PATIENCE)
                except TimeoutError:
                    if not self._client.nthreads():
                        raise LedgerError("workers.lost", "the cluster has no workers left") from None

    def close(self) -> None:
        """Leave the cluster."""
        self._client.close()


@contextmanager
def _in_reach() -> Iterator[None]:
    """Whatever Dask has to say - killed too often, cancelled, out of reach - is LedgerError `workers.lost`."""
    try:
        yield
    except LedgerError:
        raise
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - there is no end of them
        raise LedgerError("workers.lost", f"the cluster gave up: {type(error).__name__}: {error}") from None
