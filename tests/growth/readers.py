"""Every reader of what others send. A new reader gets its shapes here; a test finds those that have none."""

from __future__ import annotations

from tests.growth.bridge import BRIDGE_FILES
from tests.growth.ledgers import LEDGERS
from tests.growth.lines import LINES
from tests.growth.shapes import Reader
from tests.growth.sheets import SHEETS

READERS: dict[str, Reader] = {**LINES, **BRIDGE_FILES, **SHEETS, **LEDGERS}
