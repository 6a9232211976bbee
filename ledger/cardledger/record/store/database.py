"""The `Database` of sqlite-utils, without loading pandas, which takes a second if it is installed.

sqlite-utils looks for pandas only to store its dates, which this program never does.
"""

from __future__ import annotations

import sys

_absent = "pandas" not in sys.modules
if _absent:
    sys.modules["pandas"] = None  # type: ignore[assignment] # an import of it fails at once
try:
    from sqlite_utils import Database
finally:
    if _absent:
        del sys.modules["pandas"]

__all__ = ["Database"]
