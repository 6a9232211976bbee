"""What belongs to a ledger lives as long as the ledger, even if it refers to it."""

from __future__ import annotations

import ast
import gc
import weakref
from pathlib import Path

import pytest

import cardledger
import cardledger_api
import cardledger_web
from cardledger.companion import Companion

PACKAGES = [Path(each.__file__).parent for each in (cardledger, cardledger_api, cardledger_web)]


class Owner:
    pass


class Guest:
    def __init__(self, owner: Owner) -> None:
        self.owner = owner


def watched() -> weakref.ref[Owner]:
    """Return an owner, weakly, that had a companion which refers to it."""
    kind: Companion[Guest] = Companion("guest")
    owner = Owner()
    guest = kind.of(owner, lambda: Guest(owner))
    assert kind.of(owner, lambda: Guest(owner)) is guest is kind.get(owner)
    assert kind.get(Owner()) is None
    assert kind.put(owner, Guest(owner)) is kind.get(owner) is not guest
    return weakref.ref(owner)


def test_a_companion_is_the_same_each_time_and_gone_with_its_owner() -> None:
    owner = watched()
    gc.collect()
    assert owner() is None


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_no_dictionary_keeps_its_weak_keys_alive(package: Path) -> None:
    wrong = [
        f"{path.relative_to(package)}:{node.lineno}"
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.alias) and node.name == "WeakKeyDictionary"
    ]
    assert wrong == [], "take a Companion: a value that refers to its weak key keeps it for good"
