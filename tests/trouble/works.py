"""What processes from the nursery do."""

from __future__ import annotations

import json
import os
import signal
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cardledger.errors import LedgerError
from tests.trouble.lives import BEGINNING, LIVES, MATCH, Life, Step, StepError
from tests.trouble.said import Teller, tell
from tests.trouble.shim import Fault, Shim
from tests.trouble.writers import keep_backing_up, keep_recording, keep_serving

__all__ = ["keep_backing_up", "keep_recording", "keep_serving", "live", "write_down"]

DONE = "done"


def warm() -> None:
    """Load modules that are loaded on first use."""
    with TemporaryDirectory() as folder:
        life = Life(Path(folder) / "warm", Teller(lambda *_: None))
        for steps in LIVES.values():
            for step in steps:
                step(life)


def live(name: str, folder: str, seq: int, call: int, fault: dict[str, Any]) -> None:
    """Live a life, one call of which fails; what came of each step is said.

    What fails once is tried once more, and has to be done then; after an `abrupt` one the process is killed.
    """
    life, of = Life(Path(folder), seq=seq, played=seq), Fault(**fault)
    life.teller.intend((MATCH, seq))
    shim = Shim(life.folder)
    shim.strike(call, of)
    for step in LIVES[name]:
        outcome = _tried(step, life)
        if outcome != DONE and not of.onward:
            tell("step", step.__name__, outcome)
            if of.abrupt:
                tell("struck", shim.calls, shim.struck)
                os.kill(os.getpid(), signal.SIGKILL)
            outcome = _tried(step, life)
        tell("step", step.__name__, outcome)
    tell("struck", shim.calls, shim.struck)


def _tried(step: Step, life: Life) -> str:
    """Return what came of a step: done, the code it failed with, or a traceback, which nobody is ever to see."""
    try:
        step(life)
    except (StepError, LedgerError) as error:
        return error.code
    except BaseException:  # noqa: BLE001 - whatever it is, the test is to tell
        return traceback.format_exc()
    return DONE


def write_down(name: str, folder: str, log: str) -> None:
    """Live a life from its beginning while everything done to its files is written down, with what is said of it."""
    life = Life(Path(folder))
    shim = Shim(life.folder, Path(log))
    life.teller = Teller(lambda *words: shim.mark(json.dumps(words)))
    for step in (*BEGINNING, *LIVES[name]):
        step(life)
        shim.mark(json.dumps(["step", step.__name__, DONE]))
