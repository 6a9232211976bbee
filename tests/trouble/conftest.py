"""What tests of trouble need: a folder without a disk to wait for, the shim, and a nursery of processes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.trouble import lives
from tests.trouble.nursery import Nursery
from tests.trouble.shim import compiled

_MEMORY = Path("/dev/shm")


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory, if possible: the tests check the calls to the disk and their order, not the disk itself."""
    if os.access(_MEMORY, os.W_OK):
        with TemporaryDirectory(prefix="cardledger-", dir=_MEMORY) as folder:
            yield Path(folder)
    else:
        yield tmp_path


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled shim."""
    return compiled(tmp_path_factory.mktemp("shim"))


@pytest.fixture(scope="session")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    """Processes for killing."""
    with Nursery(tmp_path_factory.mktemp("nursery")) as opened:
        yield opened


@pytest.fixture(scope="session")
def fragile(tmp_path_factory: pytest.TempPathFactory, shim: Path) -> Iterator[Nursery]:
    """Processes whose calls can be made to fail."""
    with Nursery(tmp_path_factory.mktemp("fragile"), shim) as opened:
        yield opened


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """The folder of a ledger with the beginning of a match, and where that is."""
    folder = tmp_path_factory.mktemp("begun")
    return folder, lives.begun(folder)
