"""Plug-ins: what packages offer by entry points. A broken one of another package is named and left out; all else works."""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib.metadata import EntryPoint
from typing import Any, Final, TypeVar

from cardledger.installation import whole_installation

Made = TypeVar("Made")

broken: dict[str, str] = {}
"""The plug-ins that failed so far, by name and package, with the reason."""

BROKEN: Final = "plugin.broken"
"""The code of the warning about a plug-in that is left out."""

_OURS: Final = "cardledger"
"""The distribution that this is a part of."""
_LOG = logging.getLogger("cardledger.plugins")


def loaded(point: EntryPoint, use: Callable[[Any], Made]) -> Made | None:
    """Load an entry point and return `use` of it; None, with a warning, if anything of another package fails.

    Raises StoreError `store.extra` if this installation is too small for one of our own.
    """
    if point.dist is not None and point.dist.name == _OURS:
        with whole_installation():
            return use(point.load())
    try:
        return use(point.load())
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it is another author's code
        called = f"{point.name} of the package {point.dist.name}" if point.dist else point.name
        broken[called] = why = " ".join(f"{type(error).__name__}: {error}".split())
        _LOG.warning("%s: %s is left out: %s", BROKEN, called, why)
        return None
