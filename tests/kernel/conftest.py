"""Kernels for tests."""

from __future__ import annotations

import os

import pytest

from cardledger.rules.kernel import kernels


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels may be compiled; where there is no numba, the test is skipped, or fails if CI wants it."""
    monkeypatch.delenv(kernels.SWITCH, raising=False)
    if not kernels.available():
        if os.environ.get("REQUIRE_FAST") == "1":
            pytest.fail("REQUIRE_FAST is set, but there is no numba", pytrace=False)
        pytest.skip("no numba")
