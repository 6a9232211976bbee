"""A club of a house: its ledger opens at the first request, and closes when nobody has asked for it for a while."""

from __future__ import annotations

import secrets
import threading
from typing import TYPE_CHECKING

from werkzeug.wsgi import ClosingIterator

from cardledger.errors import LedgerError
from cardledger_api.auth.sessions import Sessions
from cardledger_api.http.streams import STREAM, streams_of
from cardledger_web.app import access_of, findings_of, ledger_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from flask import Flask

    from cardledger_web.clubs.places import ClubPlace


class HouseClub:
    """A club by its name in addresses, and the place of its ledger.

    `open` makes the application, and `closed` gets it when it closes. Users stay signed in meanwhile: sessions are the
    club's, not the application's.
    """

    def __init__(
        self,
        name: str,
        place: ClubPlace,
        open: Callable[[HouseClub], Flask],
        closed: Callable[[Flask], object],
        clock: Callable[[], float],
    ) -> None:
        self.name, self.place = name, place
        self._open, self._closed, self._clock = open, closed, clock
        self._sessions, self._key = Sessions(), secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._app: Flask | None = None
        self._inside = 0
        self.outdated = False
        """Whether its settings have changed since its ledger was opened."""
        self.last_asked = clock()

    @property
    def awake(self) -> bool:
        """Whether its ledger is open."""
        return self._app is not None

    def answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request; raises LedgerError if the ledger cannot be opened."""
        app = self.enter()
        try:
            body = app(environ, start_response)
        except BaseException:
            self.leave()
            raise
        if STREAM in environ:  # from here on it is one of the open streams
            self.leave()
            return body
        return ClosingIterator(body, self.leave)

    def findings(self) -> int | None:
        """Return the number of open findings, None while its ledger is closed."""
        app = self._app
        return None if app is None else len(findings_of(app).all)

    def rests(self) -> bool:
        """Tell whether nobody asks for it now, or follows it."""
        app = self._app
        return app is not None and not self._inside and not streams_of(app).listeners

    def owes(self) -> bool:
        """Tell whether something waits to be sent to its webhooks."""
        app = self._app
        if app is None:
            return False
        try:
            last = ledger_of(app).store.last_position()
            return any(hook.disabled is None and hook.position < last for hook in access_of(app).hooks.all())
        except LedgerError:
            return False  # the ledger cannot be reached: opening it again may help

    def wake(self) -> None:
        """Open the ledger; raises LedgerError."""
        self.enter()
        self.leave()

    def sleep(self) -> bool:
        """Close the ledger unless somebody asks for it just now; return whether it is closed."""
        with self._lock:
            app = self._app
            if app is None:
                return True
            if not self.rests():
                return False
            self._app = None
            self._close(app)
        return True

    def end_streams(self) -> None:
        """End the live streams, and open no new ones."""
        if (app := self._app) is not None:
            streams_of(app).stop()

    def close(self) -> None:
        """Close the ledger, even if somebody asks for it."""
        with self._lock:
            app, self._app = self._app, None
            if app is not None:
                self._close(app)

    def enter(self) -> Flask:
        """Return the application, which stays open until `leave`; others who come while it opens wait."""
        with self._lock:
            if self._app is None:
                self.outdated = False
                app = self._open(self)
                app.secret_key, access_of(app).sessions = self._key, self._sessions
                self._app = app
            self._inside += 1
            self.last_asked = self._clock()
            return self._app

    def leave(self) -> None:
        """End a request."""
        with self._lock:
            self._inside -= 1
            self.last_asked = self._clock()

    def _close(self, app: Flask) -> None:
        streams_of(app).stop()
        self._closed(app)
        ledger_of(app).close()
        access_of(app).close()
