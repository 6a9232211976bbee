"""Sessions: the browsers signed in to this server; a session ended here is over, whatever a cookie says."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

IDLE = 12 * 3600.0
"""Seconds without a request after which a session ends: longer than an evening, shorter than a day."""
MOST = 10_000
"""The greatest number of sessions: beyond it, the one that was unused for longest ends."""


@dataclass(slots=True)
class SignedInBrowser:
    """A signed-in browser: the digest of its token, and the time of its last use."""

    token: bytes
    used: float


class Sessions:
    """The sessions of a server by id. Ids cannot be guessed. Safe to share between threads."""

    def __init__(self, idle: float = IDLE, clock: Callable[[], float] = time.monotonic) -> None:
        self.idle = idle
        self._clock = clock
        self._sessions: dict[str, SignedInBrowser] = {}  # the least recently used first
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """Return how many sessions there are."""
        return len(self._sessions)

    def begin(self, token: bytes) -> str:
        """Return the id of a new session."""
        id, now = secrets.token_urlsafe(24), self._clock()
        with self._lock:
            self._sessions[id] = SignedInBrowser(token, now)
            while self._sessions:
                oldest = next(iter(self._sessions))
                if now - self._sessions[oldest].used < self.idle and len(self._sessions) <= MOST:
                    break
                del self._sessions[oldest]
        return id

    def find(self, id: str, *, using: bool = True) -> bytes | None:
        """Return the digest of a session's token, None for an ended session; `using` counts as use of the session."""
        now = self._clock()
        with self._lock:
            session = self._sessions.get(id)
            if session is None or now - session.used >= self.idle:
                self._sessions.pop(id, None)
                return None
            if using:
                session.used = now
                self._sessions[id] = self._sessions.pop(id)
            return session.token

    def all(self) -> list[tuple[str, str, float]]:
        """Return all sessions, the least recently used first: id, digest in hex, and seconds since its last use."""
        now = self._clock()
        with self._lock:
            return [(id, each.token.hex(), now - each.used) for id, each in self._sessions.items()]

    def resume(self, sessions: Iterable[tuple[str, str, float]]) -> None:
        """Go on with the sessions of an earlier server, before any begins here."""
        now = self._clock()
        with self._lock:
            for id, token, idle in sessions:
                self._sessions[id] = SignedInBrowser(bytes.fromhex(token), now - idle)

    def end(self, id: str) -> None:
        """End a session; ending it twice does no harm."""
        with self._lock:
            self._sessions.pop(id, None)
