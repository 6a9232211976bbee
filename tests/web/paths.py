"""Addresses of the pages, made from their rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from werkzeug.routing import Rule

ANY_ID = "11111111-1111-4111-8111-111111111111"


def path_of(rule: Rule, **known: str) -> str:
    """Return an address that a rule serves: with what is known in its place, and any number or id elsewhere.

    - rule: the rule of an application.
    - known: values of its arguments by name.
    """
    names = {
        name: 1 if rule._converters[name].__class__.__name__ == "IntegerConverter" else ANY_ID
        for name in rule.arguments
    }
    built = rule.build(names | known)
    assert built is not None, rule
    return built[1]
