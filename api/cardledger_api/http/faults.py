"""The faults of a request, each with the place where it stands: a key of the body, or an argument of the address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from marshmallow import ValidationError

    from cardledger.errors import FormatError

MOST = 100
"""How many faults an answer names, and how many events are looked at after the first wrong one."""
SAID = 10
"""How many faults stand in the sentence for people."""
Part = Literal["query", "body"]


class Wrong(str):
    """A sentence about a value, with a code of its own and where in the value it is wrong.

    It says itself what it is about.
    """

    __slots__ = ("at", "code", "event")
    code: str
    at: tuple[str | int, ...]
    event: int | None

    def __new__(cls, text: str, code: str, at: tuple[str | int, ...] = (), event: int | None = None) -> Self:
        """Make a sentence; `event` is the index of the event that it is about."""
        made = super().__new__(cls, text)
        made.code, made.at, made.event = code, at, event
        return made


class Fault(NamedTuple):
    """One fault: what is wrong, and the keys that lead to it."""

    part: Part
    at: tuple[str | int, ...]
    code: str
    detail: str
    """The sentence as it stands beside its place."""
    whole: str
    """The sentence as it stands alone."""
    event: int | None = None
    """The index of the event that it is about."""

    def shown(self) -> dict[str, str]:
        """Return it as RFC 9457 has it: with a JSON pointer into the body, or the name of an argument."""
        if self.part == "query":
            return {"detail": self.detail, "code": self.code, "parameter": ".".join(map(str, self.at))}
        return {"detail": self.detail, "code": self.code, "pointer": pointer(self.at)}


def pointer(at: Sequence[str | int]) -> str:
    """Return keys and places as a JSON pointer in a fragment of an address (RFC 6901).

    >>> pointer(("events", 0, "a/b"))
    '#/events/0/a~1b'
    """
    return "#" + "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in at)


def of_error(part: Part, error: FormatError) -> Fault:
    """Return the fault of a body that cannot be read at all, or at one of its lines."""
    at = () if error.index is None else ("events", error.index)
    return Fault(part, at, error.code, error.message, error.message, error.index)


def of_validation(part: Part, error: ValidationError) -> list[Fault]:
    """Return what does not fit a schema, in the order of its fields."""
    return [*_in(part, error.messages_dict, ())]


def _in(part: Part, messages: Mapping[Any, Any], at: tuple[str | int, ...]) -> Iterator[Fault]:
    for name, texts in messages.items():
        if isinstance(texts, dict):
            yield from _in(part, texts, (*at, name))
            continue
        plain = [text for text in texts if not isinstance(text, Wrong)]
        if plain:
            where = at if name == "_schema" else (*at, name)
            said = " ".join(plain)
            yield Fault(part, where, "format.value", said, f"{'.'.join(map(str, (*at, name)))}: {said}")
        for text in texts:
            if isinstance(text, Wrong):
                yield Fault(part, (*at, name, *text.at), text.code, str(text), str(text), text.event)
