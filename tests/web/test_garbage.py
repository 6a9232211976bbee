"""A busy server's full collections look at what is new; what has gone is still freed."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from cardledger_web.serving.garbage import SEARCHED, long_lives_set_aside

if TYPE_CHECKING:
    from collections.abc import Iterator


class Thing:
    """Something that may refer to itself."""

    me: object = None


@pytest.fixture(autouse=True)
def _on_demand() -> Iterator[None]:
    """Let nothing but the test collect."""
    gc.disable()
    yield
    gc.enable()


def test_what_a_full_collection_leaves_is_set_aside_until_the_server_ends() -> None:
    with long_lives_set_aside():
        kept = Thing()
        assert any(each is kept for each in gc.get_objects())
        gc.collect()
        assert not any(each is kept for each in gc.get_objects()), "the next collection would look at it again"
    assert any(each is kept for each in gc.get_objects())
    assert gc.get_freeze_count() == 0


def test_what_nobody_refers_to_is_freed_at_once_and_a_circle_when_all_is_searched() -> None:
    seconds = 0.0
    with long_lives_set_aside(clock=lambda: seconds):
        plain, circle = Thing(), Thing()
        circle.me = circle
        gone = [weakref.ref(plain), weakref.ref(circle)]
        gc.collect()
        del plain, circle
        assert gone[0]() is None
        gc.collect()
        assert gone[1]() is not None
        seconds = SEARCHED
        gc.collect()
        assert gone[1]() is None
