"""The broadcasters of a server: one for each of its ledgers that somebody follows."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from cardledger_web.serving.broadcaster import Broadcaster

if TYPE_CHECKING:
    import socket

    from cardledger_api.http.streams import LiveStream, Streams
    from cardledger_web.serving.broadcaster import Body


class Broadcasters:
    """Hands each live stream to the broadcaster of its ledger, which begins with the first one."""

    def __init__(self) -> None:
        self._of: dict[int, Broadcaster] = {}  # by the streams' identity
        self._lock = threading.Lock()
        self._stopped = False

    def take(self, connection: socket.socket, stream: LiveStream, body: Body, chunked: bool) -> None:
        """Send a stream from now on; its headers have been sent."""
        with self._lock:
            found = self._of.get(id(stream.streams))
            if found is None and not self._stopped:
                found = self._of[id(stream.streams)] = Broadcaster(stream.streams)
        if found is not None:
            found.take(connection, stream, body, chunked)
            return
        connection.close()
        body.close()

    def forget(self, streams: Streams) -> None:
        """End the streams of a ledger that is being closed."""
        with self._lock:
            found = self._of.pop(id(streams), None)
        if found is not None:
            found.stop()

    def stop(self) -> None:
        """Send all recorded events, and end all streams; calling it twice does no harm."""
        with self._lock:
            self._stopped = True
            every, self._of = [*self._of.values()], {}
        for each in every:
            each.stop()
