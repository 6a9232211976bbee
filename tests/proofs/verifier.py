"""The program that is given away, loaded from its file as it stands."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

FILE = Path(__file__).parent.parent.parent / "web/cardledger_web/static" / "check_receipt.py"


def load() -> ModuleType:
    spec = spec_from_file_location("check_receipt", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["check_receipt"] = module
    spec.loader.exec_module(module)
    return module


verifier = load()
