"""How much the long tests try: enough for every run of CI or, with THOROUGH=1, as much as before a release."""

from __future__ import annotations

import os

THOROUGH = os.environ.get("THOROUGH") == "1"


def many(often: int, thoroughly: int) -> int:
    """Return how often something is tried: `often` in CI, `thoroughly` before a release."""
    return thoroughly if THOROUGH else often
