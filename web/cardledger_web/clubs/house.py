"""A house of clubs: one server for many ledgers, each below a path of its own, `/c/CLUB/`."""

from __future__ import annotations

import logging
import re
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from werkzeug.exceptions import HTTPException, NotFound, ServiceUnavailable
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.utils import redirect

from cardledger.errors import LedgerError
from cardledger_api.http.streams import streams_of
from cardledger_web.clubs.club import HouseClub
from cardledger_web.clubs.places import NAME, ClubPlace
from cardledger_web.serving.broadcasters import Broadcasters
from cardledger_web.serving.garbage import search_everything
from cardledger_web.serving.hosts import host_in
from cardledger_web.serving.logs import log_event
from cardledger_web.serving.server_parts import ServerParts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment
    from flask import Flask


IDLE = 300.0
"""Seconds after which a ledger is closed that nobody asks for."""
MOST_AWAKE = 64
"""Ledgers that are open at once; another one takes the place of the one that rests for longest."""
LOOK_SECONDS = 5.0
FREED_AFTER = 8
"""Ledgers that are closed before their memory is freed, which takes a tenth of a second, at most."""
_PATH = re.compile(rf"/c/(?P<club>{NAME.pattern})(?P<rest>/.*)?", re.DOTALL)
FAILED = "cardledger.club-failed"
"""Key in the WSGI environment for the error that the front tells of."""


class _ClubIndex(NamedTuple):
    """The clubs by their names, and those with a host of their own by its name; neither is ever changed in place."""

    clubs: dict[str, HouseClub]
    of_host: dict[str, HouseClub]


class House:
    """The clubs of a server, and what answers for them.

    `make` makes the application of a ledger with what all share; `front` answers everything that is no club's, and
    tells of what went wrong before a club could answer. `find` returns the place of a club that has come since.
    `proxies` is the number of proxies in front, whose headers name the client, the host and the path.
    """

    def __init__(
        self,
        clubs: Mapping[str, ClubPlace],
        make: Callable[[HouseClub, ServerParts], Flask],
        front: WSGIApplication,
        *,
        find: Callable[[str], ClubPlace | None] = lambda name: None,
        shared: ServerParts | None = None,
        proxies: int = 0,
        idle: float = IDLE,
        most_awake: int = MOST_AWAKE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.shared, self.broadcasters = shared or ServerParts(), Broadcasters()
        self._make, self.front = make, front
        self._idle, self._most, self._clock = idle, most_awake, clock
        self._waking = threading.Lock()
        self._closed_lately = 0
        self._owing: dict[str, None] = {}
        self._stopped = threading.Event()
        self._find, self._adding = find, threading.Lock()
        self._known = _ClubIndex({}, {})
        for name, place in clubs.items():
            self.add(name, place)
        # Before a club is found: its host, and what stands in front of its path, are in those headers.
        fixed = ProxyFix(self._answer, x_for=proxies, x_proto=proxies, x_host=proxies, x_prefix=proxies)
        self._asked = fixed if proxies else self._answer
        self._tidier = threading.Thread(target=self._tidy, name="clubs", daemon=True)

    @property
    def clubs(self) -> Mapping[str, HouseClub]:
        """The clubs by their names, as they are now."""
        return self._known.clubs

    @property
    def places(self) -> dict[str, ClubPlace]:
        """Where the ledgers of all clubs are."""
        return {name: club.place for name, club in self.clubs.items()}

    def add(self, name: str, place: ClubPlace) -> HouseClub:
        """Add a club, which answers from now on, and return it; one that is there stays as it is."""
        with self._adding:
            known = self._known
            if name not in known.clubs:
                club = HouseClub(name, place, self._opened, self._closed, self._clock)
                of_host = {} if place.host is None else {place.host: club}
                # Both in one step: other threads look at them meanwhile.
                self._known = known = _ClubIndex({**known.clubs, name: club}, {**known.of_host, **of_host})
            return known.clubs[name]

    def club(self, name: str) -> HouseClub | None:
        """Return a club, also one that has come since the start; None if there is none of that name."""
        known = self.clubs.get(name)
        if known is None and (place := self._find(name)) is not None:
            return self.add(name, place)
        return known

    def renew(self, name: str) -> None:
        """Close the ledger of a club whose settings have changed, now or as soon as nobody asks for it.

        Its live streams end, and their clients come again.
        """
        if (club := self.clubs[name]).awake:
            club.outdated = True
            club.end_streams()
            self._put_to_sleep(club)

    def start(self) -> None:
        """Close ledgers that rest, from now on, and look at each once for what an earlier run has left to be sent."""
        self._owing = dict.fromkeys(self.clubs)
        self._tidier.start()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request: the club's application if it is for one, else the front."""
        return self._asked(environ, start_response)

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        of_host = self._known.of_host
        own = of_host.get(host_in(environ) or "") if of_host else None
        found = _PATH.fullmatch(environ["PATH_INFO"])
        try:
            if own is not None:
                return self._answered(own, environ, start_response)
            if found is None:
                return self.front(environ, start_response)
            club = self.club(found["club"])
            if club is None:
                raise NotFound(f"There is no club {found['club']} here.")
            if found["rest"] is None:
                return redirect(f"{environ.get('SCRIPT_NAME', '')}/c/{club.name}/", 308)(environ, start_response)
            # In place: the server finds there what the application has left for it.
            environ["SCRIPT_NAME"], environ["PATH_INFO"] = (
                f"{environ.get('SCRIPT_NAME', '')}/c/{club.name}",
                found["rest"],
            )
            return self._answered(club, environ, start_response)
        except (HTTPException, LedgerError) as error:
            environ[FAILED] = error
            return self.front(environ, start_response)

    def party(self, path: str, host: str) -> str:
        """Return the name of the club that a request is for, empty for the front."""
        of_host = self._known.of_host
        own = of_host.get(host.partition(":")[0].lower()) if of_host else None
        found = _PATH.fullmatch(path)
        return own.name if own is not None else found["club"] if found is not None else ""

    def _answered(self, club: HouseClub, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self._make_room(club)
        return club.answer(environ, start_response)

    def awake(self) -> list[HouseClub]:
        """Return the clubs whose ledgers are open, those that were asked for longest ago first."""
        return sorted((club for club in self.clubs.values() if club.awake), key=lambda club: club.last_asked)

    def look(self) -> None:
        """Close the ledgers that rest for long enough, and open one that something may have to be sent from."""
        for club in self.awake():
            if club.outdated:
                self._put_to_sleep(club)
            elif club.rests() and self._clock() - club.last_asked >= self._idle and not club.owes():
                club.sleep()
        if self._closed_lately:
            self._free()
        if self._owing and len(self.awake()) < self._most // 2:
            club = self.clubs[next(iter(self._owing))]
            del self._owing[club.name]
            with suppress(LedgerError):  # the next request says what is wrong
                club.wake()
            if not club.owes():
                club.sleep()

    def stop(self) -> None:
        """Open no new streams, and end the open ones."""
        self._stopped.set()
        for club in self.awake():
            club.end_streams()

    def close(self) -> None:
        """Close all ledgers."""
        self._stopped.set()
        if self._tidier.is_alive():
            self._tidier.join()
        for club in self.clubs.values():
            club.close()

    def _make_room(self, club: HouseClub) -> None:
        """Close another ledger if too many are open; raises ServiceUnavailable if all are asked for just now."""
        with self._waking:
            if self._closed_lately >= FREED_AFTER:
                self._free()
            while not club.awake and len(open := self.awake()) >= self._most:
                if not any(each.rests() and self._put_to_sleep(each) for each in open):
                    raise ServiceUnavailable("Too many clubs are open at once. Try again in a minute.", retry_after=60)

    def _put_to_sleep(self, club: HouseClub) -> bool:
        """Close a ledger for another one; what it has to send is sent later."""
        if club.owes():
            self._owing[club.name] = None
        return club.sleep()

    def _opened(self, club: HouseClub) -> Flask:
        app = self._make(club, self.shared)
        log_event(logging.INFO, "club opened", club=club.name)
        return app

    def _closed(self, app: Flask) -> None:
        self.broadcasters.forget(streams_of(app))
        self._closed_lately += 1

    def _free(self) -> None:
        self._closed_lately = 0
        search_everything()

    def _tidy(self) -> None:
        while not self._stopped.wait(LOOK_SECONDS):
            try:
                self.look()
            except Exception:  # noqa: BLE001 - after any error the other clubs must be looked after
                log_event(logging.ERROR, "unexpected", exc_info=True)
