"""Fields of state: their declaration in a hand or an account, and copying by field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields
from functools import cache
from typing import Any, TypeVar

S = TypeVar("S")


def by_seat(start: int = 0) -> Any:
    """Declare a field with one int for each seat."""
    return field(default_factory=list, metadata={"start": start})


def from_option(start: int = 0) -> Any:
    """Declare a field with the value of the option of that name.

    A number (0 for none), a bool, or the index of a choice.

    `start` is False for a bool, because a compiled field keeps its declared type.
    """
    return field(default=start, metadata={"option": True})


def growing(most: int) -> Any:
    """Declare a list of at most `most` ints that grows in the course of a hand."""
    return field(default_factory=list, metadata={"most": most})


@cache
def _copier(cls: Any) -> Callable[[Any, Any], None]:
    """Return the function that copies every field.

    It is generated once for each class, like a dataclass's `__init__`.
    """
    lines = [
        f"new.{f.name} = old.{f.name}{'[:]' if f.default_factory is list else ''}"  # lists are copied
        for f in fields(cls)
    ]
    namespace: dict[str, Any] = {}
    exec("def take_over(old, new):\n " + "\n ".join(lines), namespace)  # noqa: S102 # names of our own fields
    take_over: Callable[[Any, Any], None] = namespace["take_over"]
    return take_over


def duplicate(state: S) -> S:
    """Return a copy that can change without changing this one.

    Fields that begin as lists are copied; everything else is shared, and replaced when it changes.
    """
    cls = type(state)
    other = cls.__new__(cls)
    _copier(cls)(state, other)  # type: ignore[arg-type] # classes do hash
    return other


def fill_seats(state: Any) -> None:
    """Set the fields with one int for each seat to their start values; `state.n` is the number of seats."""
    for name, start in seat_fields(type(state)):  # type: ignore[arg-type] # classes do hash
        setattr(state, name, [start] * state.n)


@cache
def seat_fields(cls: Any) -> tuple[tuple[str, int], ...]:
    """Return the fields with one int for each seat, and their start values."""
    return tuple((f.name, f.metadata["start"]) for f in fields(cls) if "start" in f.metadata)


@cache
def option_fields(cls: Any) -> tuple[str, ...]:
    """Return the fields that have the value of an option."""
    return tuple(f.name for f in fields(cls) if "option" in f.metadata)
