"""What a client that openapi-python-client generated can do: a program for its own Python, `client` being what was generated.

Its arguments are the address of a server, a token, and a match file.
"""

from __future__ import annotations

import importlib
import io
import json
import pkgutil
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import client
from client import AuthenticatedClient
from client.api.import_ import import_file
from client.api.matches import append_events, open_match, read_events, read_match, read_table
from client.api.me import read_me
from client.models import Events, Problem
from client.types import File

_PATIENCE = 120.0


def main(address: str, token: str, file: Path) -> None:
    """Play a match, follow it, correct it, and import another."""
    for module in pkgutil.walk_packages(client.__path__, "client."):
        importlib.import_module(module.name)
    server = AuthenticatedClient(base_url=address, token=token, timeout=_PATIENCE)
    assert read_me.sync(client=server).role == "scorer"
    match = play(server)
    follow(server, match)
    correct(server, match)
    take_in(server, file)


def play(server: AuthenticatedClient) -> str:
    """Open a match, play a hand with no rules but the choices of the table, and end it."""
    opening = {"type": "open", "game": "diversity", "players": ["ana", "ben", "chloe", "dev"]}
    opened = open_match.sync_detailed(client=server, body=Events.from_dict({"events": [opening]}))
    match, tag = opened.parsed.match, opened.headers["ETag"]
    dealt = 0
    while (table := read_table.sync(match, client=server)).status == "open":
        choice = table.choices[0]
        event: dict[str, Any] = {"type": choice.type_}
        if choice.type_ == "deal" and dealt:
            event = {"type": "end"}
        elif choice.type_ == "deal":
            dealt += 1
            cards = iter(choice.dealing.cards)
            hands = [[*islice(cards, size)] for size in choice.dealing.hand_sizes]
            event |= {choice.dealing.first: choice.seat or 0, "hands": hands}
        else:
            event |= {"seat": choice.seat, "card": choice.cards[0]}
        answer = append_events.sync_detailed(
            match, client=server, body=Events.from_dict({"events": [event]}), if_match=tag
        )
        assert answer.status_code == 201, answer.content
        tag = answer.headers["ETag"]
    shown = read_match.sync_detailed(match, client=server)
    assert shown.parsed.status == "ended" and shown.parsed.hands_complete == 1
    again = read_match.sync_detailed(match, client=server, if_none_match=shown.headers["ETag"])
    assert again.status_code == 304
    return match


def follow(server: AuthenticatedClient, match: str) -> None:
    """Read the stream of a match up to its last event: all events, in order."""
    recorded = read_events.sync(match, client=server)
    seen = []
    with server.get_httpx_client().stream(
        "GET", f"/api/v1/matches/{match}/live", headers={"Last-Event-ID": "0"}
    ) as stream:
        for line in stream.iter_lines():
            if line.startswith("data:"):
                seen.append(json.loads(line.removeprefix("data:"))["seq"])
                if len(seen) == recorded.seq:
                    break
    assert seen == [event.seq for event in recorded.events]


def correct(server: AuthenticatedClient, match: str) -> None:
    """Take the last trick back, and be refused when somebody else was faster."""
    seq = read_match.sync(match, client=server).seq
    body = Events.from_dict({"events": [{"type": "retract", "to": seq - 4, "reason": "misread"}]})
    assert append_events.sync_detailed(match, client=server, body=body, if_match=f'"{seq}"').status_code == 201
    assert read_match.sync(match, client=server).status == "open"
    late = append_events.sync(match, client=server, body=body, if_match=f'"{seq}"')
    assert isinstance(late, Problem) and late.code == "store.conflict" and late.current == seq + 1


def take_in(server: AuthenticatedClient, file: Path) -> None:
    """Import a match file, read its events, whatever their types, and append a line of events."""
    report = import_file.sync(client=server, body=File(payload=io.BytesIO(file.read_bytes())))
    (imported,) = report.matches
    assert imported.new == imported.events == len(file.read_text().splitlines())
    recorded = read_events.sync(imported.match, client=server)
    assert [event.to_dict()["type"] for event in recorded.events] == [
        json.loads(line)["type"] for line in file.read_text().splitlines()
    ]
    line = File(payload=io.BytesIO(b'{"type":"note","text":"imported"}\n'))
    answer = append_events.sync_detailed(imported.match, client=server, body=line, if_match="*")
    assert answer.parsed.seq == imported.events + 1


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
