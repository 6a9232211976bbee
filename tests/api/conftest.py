"""The API's tests use the same ledgers as those of the pages."""

from tests.web.conftest import app, client, empty

__all__ = ["app", "client", "empty"]
