"""Live streams on a real server: nothing missed, nothing twice, a share for each client, gone when it stops."""

from __future__ import annotations

import http.client
import json
import signal
import urllib.request
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger_api.auth.tokens import Tokens
from tests.waiting import LIMIT, ended, together, wait_until
from tests.web.server import program, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from subprocess import Popen

SERVER = """
import sys
from cardledger_api.http.streams import streams_of
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving import broadcaster, server
from cardledger_web.serving.server import listen, run, stopping_on_signals
app = create_app(sys.argv[1])
print(access_of(app).lend("tests", "scorer"), flush=True)
streams = streams_of(app)
streams.heartbeat, streams.lifetime = float(sys.argv[2]), float(sys.argv[3])
streams.poll = float(sys.argv[5])
# A machine that is busy may take longer than a server waits for those who hold up its end.
broadcaster._FLUSH_SECONDS = server._FLUSH_SECONDS = 600
from cardledger.rules.engine import events as ev
@app.post("/note/<match>/<int:seq>")
def note(match, seq):
    return str(ledger_of(app).record(match, [ev.Note(text="here")], seq).seq)
with stopping_on_signals():
    server = listen(app, 0)
    streams.places.count = int(sys.argv[4])
    print(f"at http://127.0.0.1:{server.effective_port}/", flush=True)
    run(server)
    ledger_of(app).close()
    print("closed", flush=True)
"""


class Listener:
    """A program that follows a stream."""

    def __init__(self, address: str, path: str, client: str = "127.0.0.1", **headers: str) -> None:
        self.connection = http.client.HTTPConnection(
            urlsplit(address).netloc, timeout=LIMIT, source_address=(client, 0)
        )  # fmt: skip
        self.connection.request("GET", f"/api/v1{path}", headers=headers)
        self.answer = self.connection.getresponse()

    def blocks(self) -> Iterator[dict[str, str]]:
        """Yield what comes between blank lines: fields by name, comments under the empty one."""
        block: dict[str, str] = {}
        while line := self.answer.readline().decode():
            if line == "\n":
                yield block
                block = {}
            else:
                name, _, value = line.rstrip("\n").partition(":")
                block[name] = value.removeprefix(" ")

    def events(self, count: int) -> list[tuple[int, dict[str, object]]]:
        """Return the next events, with their ids."""
        found: list[tuple[int, dict[str, object]]] = []
        for block in self.blocks():
            if "data" in block:
                found.append((int(block["id"]), json.loads(block["data"])))
                if len(found) == count:
                    break
        return found

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


@contextmanager
def listening(address: str, path: str, **headers: str) -> Iterator[Listener]:
    """Listen as soon as a stream is free: streams of listeners that have just left are freed after a moment."""

    def begun() -> Listener | None:
        listener = Listener(address, path, **headers)
        if listener.answer.status != 503:
            return listener
        listener.close()
        return None

    listener = wait_until(begun, "a free stream")
    assert listener is not None
    try:
        yield listener
    finally:
        listener.close()


@contextmanager
def serving(
    ledger: Ledger, heartbeat: float = 15, lifetime: float = 3600, places: int = 100, poll: float = 0.25
) -> Iterator[tuple[str, Popen[str], str]]:
    words = (heartbeat, lifetime, places, poll)
    process = program("-c", SERVER, str(ledger.store.file.path), *map(str, words))
    with running(process) as (address, said):
        yield address, process, said[0].strip()


@pytest.fixture
def match(ledger: Ledger) -> str:
    """A match of one hand."""
    return ledger.record(None, [*simulate("diversity", 4, Random(1), ["random"], {"hands": 1}, max_hands=1)], 0).match


@pytest.mark.long
def test_a_reader_follows_a_match_from_the_last_event_seen(ledger: Ledger, match: str) -> None:
    lines = [json.loads(row.line) for row in ledger.cleared(ledger.store.read(match))]
    with serving(ledger) as (address, *_):
        with listening(address, f"/matches/{match}/live?after=0") as listener:
            assert listener.answer.headers["Content-Type"] == "text/event-stream"
            assert [said for _, said in listener.events(9)] == lines[:9]
        with listening(address, f"/matches/{match}/live", **{"Last-Event-ID": "9"}) as listener:
            assert listener.events(len(lines) - 9) == [(line["seq"], line) for line in lines[9:]]


@pytest.mark.long
def test_the_ledger_is_followed_without_gap_or_repetition_while_others_record(ledger: Ledger, match: str) -> None:
    """Three hundred notes come from another process than the server's, while a listener is cut off again and again."""
    start, count = ledger.store.last_position(), 300

    def record() -> None:
        for seq in range(count):
            ledger.record(match, [ev.Note(text=str(seq))], start + seq)

    with serving(ledger) as (address, *_):
        seen: list[tuple[int, dict[str, object]]] = []

        def follow() -> None:
            last = str(start)
            while len(seen) < count:
                with listening(address, "/live", **{"Last-Event-ID": last}) as listener:
                    seen.extend(listener.events(min(37, count - len(seen))))
                last = str(seen[-1][0])

        together(record, follow)
    assert [(id, said["match"], said["text"]) for id, said in seen] == [
        (start + number + 1, match, str(number)) for number in range(count)
    ]


@pytest.mark.long
def test_a_listener_cut_off_before_the_first_event_knows_where_it_was(ledger: Ledger, match: str) -> None:
    with serving(ledger, lifetime=0.3) as (address, *_), listening(address, "/live") as listener:
        first, *later = listener.blocks()
    assert first["id"] == str(ledger.store.last_position())
    assert not any("data" in block for block in (first, *later))


@pytest.mark.long
def test_events_of_the_server_show_without_being_looked_for(ledger: Ledger, match: str) -> None:
    """The server looks for events of others once in an hour: what it writes itself is on its streams before."""
    seq = ledger.folded(match).stream.seq
    with serving(ledger, poll=3600) as (address, *_), listening(address, f"/matches/{match}/live") as listener:
        next(listener.blocks())
        for more in range(10):
            request = urllib.request.Request(f"{address}/note/{match}/{seq + more}", b"")
            urllib.request.urlopen(request).close()
            assert listener.events(1)[0][0] == seq + more + 1


@pytest.mark.long
def test_heartbeats_come_while_nothing_happens(ledger: Ledger, match: str) -> None:
    with serving(ledger, heartbeat=0.2) as (address, *_), listening(address, "/live") as listener:
        blocks = listener.blocks()
        first = next(blocks)
        assert [next(blocks) for _ in range(5)] == [{"": "still here", "id": first["id"]}] * 5


@pytest.mark.long
def test_followers_of_all_forms_and_filters_hear_of_the_same_event(ledger: Ledger, match: str) -> None:
    start = ledger.store.last_position()
    with serving(ledger, heartbeat=0.2) as (address, *_), ExitStack() as stack:
        lines, notes, ends = (
            stack.enter_context(listening(address, f"/live?type={type}", Accept=media))
            for type, media in (
                ("note", "application/x-ndjson"),
                ("note", "text/event-stream"),
                ("end", "text/event-stream"),
            )
        )
        assert json.loads(lines.answer.readline()) == {"position": start}
        ledger.record(match, [ev.Note(text="to some")], ledger.stream(match).seq)
        assert notes.events(1)[0][0] == start + 1
        while "text" not in (said := json.loads(lines.answer.readline())):
            assert said == {"position": start}
        assert (said["position"], said["text"]) == (start + 1, "to some")
        blocks = ends.blocks()
        while (block := next(blocks))["id"] != str(start + 1):
            assert "data" not in block
        assert block[""] == "still here"


@pytest.mark.long
def test_more_streams_than_may_be_are_refused_and_come_free_again(ledger: Ledger, match: str) -> None:
    with serving(ledger, places=4) as (address, *_):
        listeners = [Listener(address, "/live") for _ in range(4)]
        assert [listener.answer.status for listener in listeners] == [200] * 4
        with closing(Listener(address, f"/matches/{match}/live")) as refused:
            assert refused.answer.status == 503
            assert int(refused.answer.headers["Retry-After"]) > 0
            assert json.loads(refused.answer.read())["code"] == "http.service-unavailable"
        for _ in range(20):
            with urllib.request.urlopen(f"{address}/api/v1/matches") as answer:
                assert answer.status == 200
        for listener in listeners:
            listener.close()
        with listening(address, "/live") as again:
            assert again.answer.status == 200


@pytest.mark.long
def test_one_client_cannot_take_all_streams_from_the_others(ledger: Ledger, match: str) -> None:
    """One takes all there are; each of three others gets a share, until all have as many."""
    with serving(ledger, places=8) as (address, *_), ExitStack() as stack:
        greedy = [stack.enter_context(closing(Listener(address, "/live"))) for _ in range(8)]
        others = [
            stack.enter_context(closing(Listener(address, "/live", client=f"127.0.0.{number}")))
            for number in (2, 3, 4, 2, 3, 4)
        ]
        assert [listener.answer.status for listener in greedy + others] == [200] * 14
        for refused in range(1, 5):
            with closing(Listener(address, "/live", client=f"127.0.0.{refused}")) as listener:
                assert listener.answer.status == 503
        seq = ledger.record(match, [ev.Note(text="who hears this?")], ledger.stream(match).seq).seq
        assert {listener.events(1)[0][0] for listener in greedy[:2] + others} == {seq}
        assert [listener.events(1) for listener in greedy[2:]] == [[]] * 6


@pytest.mark.long
def test_scorers_follow_when_readers_have_taken_all_streams(ledger: Ledger, match: str) -> None:
    with serving(ledger, places=3) as (address, _, token), ExitStack() as stack:
        scorer = {"Authorization": f"Bearer {token}"}

        def another(**given: str) -> int:
            return stack.enter_context(closing(Listener(address, "/live", **given))).answer.status

        assert [another(), another(client="127.0.0.2"), another(client="127.0.0.3")] == [200] * 3
        assert [another(**scorer) for _ in range(4)] == [200] * 3 + [503]
        assert [another(), another(client="127.0.0.2")] == [503] * 2


@pytest.mark.long
def test_listeners_need_no_thread_each(ledger: Ledger, match: str) -> None:
    def threads() -> int:
        status = Path(f"/proc/{process.pid}/status").read_text()
        return int(status.partition("Threads:")[2].split()[0])

    with serving(ledger) as (address, process, _), ExitStack() as stack:
        stack.enter_context(listening(address, "/live"))
        before = threads()
        listeners = [stack.enter_context(listening(address, f"/matches/{match}/live")) for _ in range(60)]
        seq = ledger.record(match, [ev.Note(text="to all")], ledger.stream(match).seq).seq
        assert {listener.events(1)[0][0] for listener in listeners} == {seq}
        assert threads() < before + 5


@pytest.mark.long
def test_a_head_request_uses_no_stream(ledger: Ledger, match: str) -> None:
    with serving(ledger) as (address, *_):
        for _ in range(10):
            with urllib.request.urlopen(urllib.request.Request(f"{address}/api/v1/live", method="HEAD")) as answer:
                assert answer.status == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
def test_the_server_stops_with_open_streams(ledger: Ledger, match: str, number: signal.Signals) -> None:
    """It ends the streams itself: a server that waits for its followers would cut them off in the middle of a chunk."""
    with serving(ledger) as (address, process, _):
        listeners = [Listener(address, "/live?after=0") for _ in range(4)]
        for listener in listeners:
            listener.events(3)
        process.send_signal(number)
        status, said, errors = ended(process)
        assert (said, status) == ("closed\n", 0)
        assert "Traceback" not in errors
        for listener in listeners:
            assert listener.events(1000)[-1][0] == ledger.store.last_position()
            listener.close()


@pytest.mark.long
def test_an_empty_stream_is_refused(ledger: Ledger, match: str) -> None:
    with serving(ledger, lifetime=0.1) as (address, *_):
        for path, headers, status in (
            ("/matches/11111111-1111-4111-8111-111111111111/live", {}, 404),
            ("/live", {"Last-Event-ID": "x"}, 400),
            ("/live?after=-1", {}, 400),
            ("/live", {"Last-Event-ID": "999999999999"}, 200),
        ):
            with listening(address, path, **headers) as listener:
                assert listener.answer.status == status, path


@pytest.mark.long
def test_the_cards_of_a_hand_under_way_are_for_scorers(ledger: Ledger) -> None:
    events = [*simulate("diversity", 4, Random(2), ["random"], {"hands": 1}, max_hands=1)]
    match = ledger.record(None, events[:5], 0).match
    with serving(ledger) as (address, _, token):
        for path in (f"/matches/{match}/live?after=0", "/live?after=0"):
            with listening(address, path) as reader:
                said = [event for _, event in reader.events(5)]
                assert said[1]["type"] == "deal"
                assert said[1]["hands"] is None
                assert said[4]["card"] == events[4].card
            with listening(address, path, Authorization=f"Bearer {token}") as scorer:
                assert scorer.events(2)[1][1]["hands"] == [[*hand] for hand in events[1].hands]
            with listening(address, path, Authorization="Bearer wrong") as stranger:
                assert stranger.answer.status == 401
        ledger.record(match, events[5:], 5)
        with listening(address, f"/matches/{match}/live?after=1") as reader:
            assert reader.events(1)[0][1]["hands"] == [[*hand] for hand in events[1].hands]


@pytest.mark.long
def test_a_stream_ends_with_the_token_of_its_listener(ledger: Ledger, match: str) -> None:
    path = ledger.store.file.path
    with closing(Tokens(path)) as tokens, serving(ledger) as (address, *_):
        text = tokens.create("ana", "reader", 1)
        with (
            listening(address, "/live", Authorization=f"Bearer {text}") as ana,
            listening(address, f"/matches/{match}/live") as anybody,
        ):
            next(ana.blocks())
            next(anybody.blocks())
            tokens.revoke("ana")
            assert [*ana.blocks()] == []
            seq = ledger.record(match, [ev.Note(text="after")], ledger.stream(match).seq).seq
            assert anybody.events(1)[0][0] == seq
