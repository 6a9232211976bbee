"""Reports of a process about its work, one JSON line each, to compare with the ledger afterwards."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from cardledger.record.recording.results import Recorded


def tell(*words: Any) -> None:
    """Say something: in one piece, and past the end of a process that is killed the moment after."""
    os.write(1, f"{json.dumps(words)}\n".encode())


@dataclass(slots=True)
class Teller:
    """Reports what is intended, and what was acknowledged; by default with `tell`."""

    tell: Callable[..., object] = tell

    def intend(self, *ends: tuple[str, int]) -> None:
        """Report that matches will be stored together, up to a seq each: all of them or none."""
        group = secrets.token_hex(8)
        for match, end in ends:
            self.tell("intend", group, match, end)

    def recorded(self, done: Recorded) -> None:
        """Say that events were acknowledged, the last of them with its id and hash."""
        self.tell("stored", done.match, done.seq, done.ids[-1], done.hash.hex())


@dataclass(slots=True)
class Said:
    """The reports of one or more processes that worked on one ledger."""

    stored: dict[str, dict[int, tuple[str, str]]] = field(default_factory=dict)
    """Acknowledged events: id and hash by match and seq."""
    groups: dict[str, dict[str, int]] = field(default_factory=dict)
    """Matches to be stored together, with their last seq."""
    sealed: list[tuple[int, str]] = field(default_factory=list)
    """Checkpoints: how many events, and their root."""
    copies: list[tuple[str, int]] = field(default_factory=list)
    """Backups and restored ledgers: path, and how many events at least."""
    tokens: list[str] = field(default_factory=list)
    struck: tuple[int, str] = (0, "")
    """How many calls there were, and the one that failed first."""
    steps: list[tuple[str, str]] = field(default_factory=list)
    """Steps of a life (tests/trouble/lives.py): which, and what came of it."""

    def take(self, lines: Iterable[str]) -> None:
        """Take in what a process said."""
        for line in lines:
            match json.loads(line):
                case ["intend", group, name, end]:
                    self.groups.setdefault(group, {})[name] = end
                case ["stored", name, seq, id, hash]:
                    self.stored.setdefault(name, {})[seq] = id, hash
                case ["sealed", size, root]:
                    self.sealed.append((size, root))
                case ["copied", path, events]:
                    self.copies.append((path, events))
                case ["token", text]:
                    self.tokens.append(text)
                case ["struck", calls, call]:
                    self.struck = calls, call
                case ["step", name, outcome]:
                    self.steps.append((name, outcome))

    @property
    def acknowledged(self) -> int:
        """The number of acknowledged events, including those before the reported ones."""
        return sum(max(seqs) for seqs in self.stored.values())
