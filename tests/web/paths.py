"""Addresses of the pages, made from their rules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from werkzeug.routing import Rule

ANY_ID = "11111111-1111-4111-8111-111111111111"


def path_of(rule: Rule, **known: str) -> str:
    """Return an address that a rule serves: with what is known in its place, and any number or id elsewhere.

    - rule: the rule of an application.
    - known: values of its arguments by name.
    """
    text = rule.rule
    for name in rule.arguments:
        text = re.sub(rf"<int:{name}>", known.get(name, "1"), text)
        text = re.sub(rf"<(?:\w+:)?{name}>", known.get(name, ANY_ID), text)
    return text
