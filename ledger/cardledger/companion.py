"""Companions: one object for each other object, found from it, and gone with it.

A companion may refer to its owner. In a dictionary with weak keys such a value keeps its key alive for good.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class Companion(Generic[Value]):
    """A kind of companion; it is kept in the attributes of its owner."""

    def __init__(self, name: str) -> None:
        """`name` tells this kind from all others."""
        self._name = f"companion {name}"

    def get(self, owner: Any) -> Value | None:
        """Return the companion of an object, None if it has none."""
        found: Value | None = vars(owner).get(self._name)
        return found

    def put(self, owner: Any, value: Value) -> Value:
        """Give an object its companion, in place of the one it had."""
        vars(owner)[self._name] = value
        return value

    def of(self, owner: Any, make: Callable[[], Value]) -> Value:
        """Return the companion of an object, a new one if it has none; threads that come at once get the same."""
        found: Value | None = self.get(owner)
        return vars(owner).setdefault(self._name, make()) if found is None else found
