"""Clients of a server that is killed: they record over HTTP, and send unanswered requests again once it is back."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from cardledger.rules.engine import events as ev
from tests.trouble.said import Said, Teller
from tests.trouble.writers import COURSES, batches, new_id, opened_as
from tests.waiting import LIMIT


@dataclass(slots=True)
class _Request:
    """Events to record: the match, the seq before them, and the key that identifies them when sent again."""

    path: str
    match: str
    seq: int
    events: list[ev.Event]
    key: str


class Client:
    """Records one match after the other, from one server to the next."""

    def __init__(self, seed: str) -> None:
        self.said = Said()
        self.wrong: list[str] = []
        self.answers = self.again = 0
        self._teller = Teller(lambda *words: self.said.take([json.dumps(words)]))
        self._requests = self._all(Random(seed))
        self._waiting: _Request | None = None

    def work(self, port: int, token: str) -> None:
        """Record until the server is gone."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT)
        try:
            while not self.wrong:
                self._send(connection, token)
        except (OSError, http.client.HTTPException):
            pass  # requests under way are sent again to the next server
        finally:
            connection.close()

    def _send(self, connection: http.client.HTTPConnection, token: str) -> None:
        self.again += self._waiting is not None
        asked = self._waiting = self._waiting or next(self._requests)
        body = b'{"events":[' + b",".join(ev.encode(event) for event in asked.events) + b"]}"
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "If-Match": str(asked.seq)}
        if asked.seq:
            headers["Idempotency-Key"] = asked.key
        connection.request("POST", f"/api/v1/matches{asked.path}", body, headers)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != 201:
            self.wrong.append(f"{answer.status} {said.decode()}")
            return
        done = json.loads(said)
        if done["seq"] != asked.seq + len(asked.events):
            self.wrong.append(f"recorded twice: {done}")
        self._teller.tell("stored", done["match"], done["seq"], done["ids"][-1], done["hash"])
        self._waiting = None
        self.answers += 1

    def _all(self, rng: Random) -> Iterator[_Request]:
        while True:
            match, seq = new_id(rng), 0
            for events in batches(opened_as(rng.choice(COURSES), match), rng):
                self._teller.intend((match, seq + len(events)))
                yield _Request(f"/{match}/events" if seq else "", match, seq, events, f"{match} {seq}")
                seq += len(events)


def at_work(clients: list[Client], port: int, token: str) -> list[threading.Thread]:
    """Let clients work, each in a thread of its own, until the server is gone."""
    threads = [threading.Thread(target=client.work, args=(port, token)) for client in clients]
    for thread in threads:
        thread.start()
    return threads
