"""Questions are asked of the applications of the pages' tests."""

from __future__ import annotations

from tests.web.conftest import app, empty

__all__ = ["app", "empty"]
