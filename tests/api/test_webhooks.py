"""Webhooks: each receives its events once taken, in order and signed, whatever fails; a restart goes on where it was."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import IPv6Address, IPv6Network
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from cardledger.cli.main import main
from cardledger.errors import LedgerError
from cardledger.record.store.streams import is_match
from cardledger.rules.engine import events as ev
from cardledger_api.hooks import delivering
from cardledger_api.hooks.delivering import Deliveries
from cardledger_api.hooks.hooks import Hooks
from cardledger_api.hooks.public_address import expect_public, is_public
from cardledger_api.hooks.sending import Answer, post
from cardledger_web.app import access_of, ledger_of
from tests.api.recording import as_role, match_of
from tests.documents import DOCUMENTS
from tests.waiting import LIMIT, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask import Flask

    from cardledger.record.recording.ledger import Ledger

API = "/api/v1"
verified: dict[str, Any] = {}
exec(
    re.search(r"```python\n(import base64\n.*?)```", DOCUMENTS["api/cardledger_api/README.md"], re.DOTALL)[1], verified
)  # type: ignore[index]


class Receiver:
    """A program that webhooks are sent to: its statuses in turn, then 200; what it took."""

    def __init__(self, *statuses: int) -> None:
        self.statuses = [*statuses]
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.messages: list[dict[str, Any]] = []
        self.taken: list[dict[str, Any]] = []

    def take(self, headers: dict[str, str], body: bytes) -> int:
        status = self.statuses.pop(0) if self.statuses else 200
        self.requests.append((headers, body))
        if status == 200:
            self.messages.append(json.loads(body))
            self.taken += self.messages[-1]["data"]["events"]
        return status

    def __call__(self, url: str, body: bytes, headers: dict[str, str], *, private: bool) -> Answer:
        return Answer(self.take(headers, body))

    @contextmanager
    def serving(self) -> Iterator[str]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver.take({key.lower(): value for key, value in self.headers.items()}, body)
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        with HTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_port}/hook"
            finally:
                server.shutdown()
                thread.join()


class Clock:
    """The time, moved by the test."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def key(stream: str) -> str:
    """Return the key of a stream's id: other streams than matches have events with a key `match` of their own."""
    return "match" if is_match(stream) else "stream"


def expected(ledger: Ledger, after: int = 0) -> list[dict[str, Any]]:
    rows = ledger.cleared([*ledger.store.read_all(after)])
    return [{"position": row.position, key(row.match): row.match} | json.loads(row.line) for row in rows]


def look(deliveries: Deliveries) -> bool:
    """Send the next batch to each webhook that is due; tell whether one was taken."""
    return sum(deliveries.deliver(hook) for hook in deliveries.due()) > 0


def made(app: Flask, url: str, **more: Any) -> dict[str, Any]:
    answer = as_role(app, "admin").post(f"{API}/webhooks", json={"name": "board", "url": url, "after": 0} | more)
    assert answer.status_code == 201, answer.text
    hook: dict[str, Any] = answer.json
    return hook


def shown(app: Flask) -> dict[str, Any]:
    (hook,) = as_role(app, "admin").get(f"{API}/webhooks").json["webhooks"]
    return dict(hook)


def test_a_receiver_that_fails_twice_gets_every_event_once_in_order_and_signed(empty: Flask) -> None:
    ledger, clock, receiver = ledger_of(empty), Clock(), Receiver(500, 302)
    access_of(empty).hooks.private = True
    match = ledger.record(None, match_of("diversity"), 0)
    with receiver.serving() as url:
        hook = made(empty, url, role="scorer")
        deliveries = Deliveries(ledger, access_of(empty).hooks, clock)
        assert not look(deliveries) and not look(deliveries)  # the second waits for its pause
        clock.now += 2
        ledger.record(match.match, [ev.Note(text="meanwhile")], match.seq)
        assert not look(deliveries)
        clock.now += 3
        assert not look(deliveries)
        clock.now += 1
        assert look(deliveries) and look(deliveries)
        assert not look(deliveries)
    assert receiver.taken == expected(ledger)
    first, second, third, fourth = receiver.requests
    assert first[0]["webhook-id"] == second[0]["webhook-id"] == third[0]["webhook-id"] != fourth[0]["webhook-id"]
    for headers, body in receiver.requests:
        assert verified["verify"](hook["secret"], headers, body, clock.now)
        assert not verified["verify"](hook["secret"], headers, body + b" ", clock.now)
    log = as_role(empty, "admin").get(f"{API}/webhooks/{hook['id']}/deliveries").json["deliveries"]
    assert [one["status"] for one in log] == [200, 200, 302, 500]
    assert shown(empty)["position"] == ledger.store.last_position()
    assert "secret" not in shown(empty)


def test_messages_are_as_the_description_of_the_api_says(empty: Flask) -> None:
    described = empty.test_client().get(f"{API}/openapi.json").json
    hooks = {type: hook["post"] for type, hook in described["webhooks"].items()}
    bodies = {type: hook["requestBody"]["content"]["application/json"]["schema"] for type, hook in hooks.items()}
    ledger, receiver = ledger_of(empty), Receiver()
    access_of(empty).hooks.private = True
    with receiver.serving() as url:
        hook = made(empty, url)
        deliveries = Deliveries(ledger, access_of(empty).hooks)
        begun = ledger.record(None, match_of("ruff", hands=1)[:8], 0)
        while look(deliveries):
            pass
        ledger.record(begun.match, [ev.Score(scores=(1, 2, 3))], begun.seq)
        while look(deliveries):
            pass
        as_role(empty, "admin").post(f"{API}/webhooks/{hook['id']}/test")
    assert {message["type"] for message in receiver.messages} == {*hooks} == {"events", "shown", "test"}
    for (headers, _), message in zip(receiver.requests, receiver.messages, strict=True):
        schema = bodies[message["type"]] | {"components": described["components"]}
        Draft202012Validator(schema).validate(message)
        assert {"type", "timestamp", "data"} == {*message}
        assert {one["name"] for one in hooks[message["type"]]["parameters"]} <= {*headers}


def test_a_restart_goes_on_where_it_was(empty: Flask) -> None:
    ledger, receiver = ledger_of(empty), Receiver()
    match = ledger.record(None, match_of("diversity"), 0)
    made(empty, "https://example.org/", role="scorer")
    seq = match.seq
    for text in ("one", "two", "three"):
        with closing(Hooks(ledger.store.file.path)) as hooks:
            while look(Deliveries(ledger, hooks, send=receiver)):
                pass
        seq = ledger.record(match.match, [ev.Note(text=text)], seq).seq
    assert receiver.taken == expected(ledger)[:-1]


def test_a_webhook_sees_what_its_role_and_filter_let_through(empty: Flask) -> None:
    ledger = ledger_of(empty)
    ledger.record(None, match_of("poison-hearts")[:6], 0)
    ledger.record(None, match_of("diversity")[:6], 0)
    for role in ("reader", "scorer"):
        receiver = Receiver()
        hook = made(empty, "https://example.org/", role=role, types=["deal"], game="poison-hearts")
        while look(Deliveries(ledger, access_of(empty).hooks, send=receiver)):
            pass
        (deal,) = receiver.taken
        assert deal["type"] == "deal" and (deal["hands"] is None) == (role == "reader")
        gone = as_role(empty, "admin").delete(f"{API}/webhooks/{hook['id']}")
        assert gone.json["position"] == ledger.store.last_position()


def test_a_webhook_that_fails_for_days_is_disabled_with_a_reason(empty: Flask) -> None:
    ledger, clock = ledger_of(empty), Clock()
    receiver = Receiver(*[503] * 1000)
    ledger.record(None, [*match_of("diversity")[:1]], 0)
    made(empty, "https://example.org/")
    hooks = access_of(empty).hooks
    deliveries = Deliveries(ledger, hooks, clock, receiver)
    began, tries = clock.now, []
    while hooks.all()[0].disabled is None:
        look(deliveries)
        tries.append(clock.now - began)
        clock.now = hooks.all()[0].due
    assert tries[:5] == [0, 2, 6, 14, 30]
    assert {after - before for before, after in zip(tries[-20:], tries[-19:], strict=False)} == {3600}
    assert 3 <= tries[-1] / 86_400 < 3.1
    assert shown(empty)["reason"] == "it failed for 3 days: status 503"
    count = len(receiver.requests)
    clock.now += 1e6
    assert not look(deliveries) and len(receiver.requests) == count
    log = as_role(empty, "admin").get(f"{API}/webhooks/{shown(empty)['id']}/deliveries").json["deliveries"]
    assert len(log) == min(count, 100)


def test_a_receiver_that_is_gone_ends_its_webhook(empty: Flask) -> None:
    ledger = ledger_of(empty)
    ledger.record(None, [*match_of("diversity")[:1]], 0)
    made(empty, "https://example.org/")
    look(Deliveries(ledger, access_of(empty).hooks, send=Receiver(410)))
    assert shown(empty)["state"] == "disabled" and "410" in shown(empty)["reason"]


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "http://[::1]:80/", "http://10.1.2.3/", "http://169.254.169.254/", "http://[::ffff:10.0.0.1]/",
     "http://[fe80::1]/", "http://0.0.0.0/", "ftp://example.org/", "https://a:b@example.org/", "file:///etc/passwd",
     "https://", "http://example.org:99999/", "http://exa mple.org/"],
)  # fmt: skip
def test_only_addresses_of_the_web_outside_the_network_are_sent_to(empty: Flask, url: str) -> None:
    refused = as_role(empty, "admin").post(f"{API}/webhooks", json={"name": "board", "url": url})
    assert (refused.status_code, refused.json["code"]) == (422, "webhook.address")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "224.0.0.1",
        "240.0.0.1",
        "0.0.0.0",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::ffff:0:7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::8.8.8.8",
        "64:ff9b:1::a00:1",
        "2002:7f00:1::",
        "2002:808:808::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "fec0::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "2001:db8::1",
        "2606:4700::5efe:7f00:1",
        "2606:4700::200:5efe:a00:1",
        "2606:4700::1%1",
        "100::1",
        "4000::1",
        "nonsense",
        "",
    ],
)
def test_an_address_that_may_lead_into_the_network_is_refused(address: str) -> None:
    with pytest.raises(LedgerError, match=r"webhook\.address"):
        expect_public(address, private=False)
    expect_public(address, private=True)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001:80e::200e"])
def test_an_address_of_the_web_is_taken(address: str) -> None:
    expect_public(address, private=False)


@pytest.mark.parametrize("block", ["2000::/3"])
def test_no_address_that_holds_a_private_one_is_public(block: str) -> None:
    """Whatever the standard library unwraps from an address, it is refused."""
    rng = Random(1)
    for _ in range(20_000):
        ip = IPv6Address(rng.getrandbits(128))
        if is_public(ip):
            assert ip in IPv6Network(block) and not (ip.ipv4_mapped or ip.sixtofour or ip.teredo or ip.is_site_local)


def test_a_receiver_that_answers_byte_by_byte_has_no_more_time_than_others() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def drip() -> None:
            connection, _ = server.accept()
            with closing(connection), suppress(OSError):
                while True:
                    connection.send(b"H")
                    time.sleep(0.02)

        thread = threading.Thread(target=drip)
        thread.start()
        answer = post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {}, private=True, limit=0.2)
        assert answer == Answer(None, "no answer within 0.2 seconds")
        thread.join(LIMIT)
        assert not thread.is_alive(), "it is hung up on"


def test_a_name_of_the_own_network_is_refused_when_events_are_sent(empty: Flask) -> None:
    ledger, receiver = ledger_of(empty), Receiver()
    ledger.record(None, [*match_of("diversity")[:1]], 0)
    with receiver.serving() as url:
        hook = made(empty, url.replace("127.0.0.1", "localhost"))
        assert not look(Deliveries(ledger, access_of(empty).hooks))
    assert not receiver.requests
    (log,) = as_role(empty, "admin").get(f"{API}/webhooks/{hook['id']}/deliveries").json["deliveries"]
    assert log["status"] is None and "its network" in log["error"]


def test_webhooks_are_for_admins_and_their_names_are_free_once(empty: Flask) -> None:
    body = {"name": "board", "url": "https://example.org/"}
    for role in ("reader", "scorer"):
        assert as_role(empty, role).post(f"{API}/webhooks", json=body).status_code == 403
        assert as_role(empty, role).get(f"{API}/webhooks").status_code == 403
    assert as_role(empty, "admin").get(f"{API}/webhooks").json == {"webhooks": []}
    assert as_role(empty, "admin").post(f"{API}/webhooks", json=body).status_code == 201
    again = as_role(empty, "admin").post(f"{API}/webhooks", json=body)
    assert (again.status_code, again.json["code"]) == (409, "webhook.name")
    unknown = as_role(empty, "admin").delete(f"{API}/webhooks/none")
    assert (unknown.status_code, unknown.json["code"]) == (404, "webhook.unknown")


def test_a_receiver_that_is_slow_holds_up_no_other(empty: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivering, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(delivering, "CLAIM_SECONDS", 10 * LIMIT)
    ledger, answering, quick, slow = ledger_of(empty), threading.Event(), Receiver(), Receiver()
    access_of(empty).hooks.private = True

    def send(url: str, body: bytes, headers: dict[str, str], *, private: bool) -> Answer:
        if "slow" in url:
            answering.wait(LIMIT)
            return slow(url, body, headers, private=private)
        return quick(url, body, headers, private=private)

    match = ledger.record(None, match_of("diversity"), 0)
    for name in ("slow", "quick"):
        made(empty, f"https://{name}.example.org/", name=name, role="scorer")
    Deliveries(ledger, Hooks(ledger.store.file.path), send=send).start()
    try:
        for text in ("one", "two"):
            match = ledger.record(match.match, [ev.Note(text=text)], match.seq)
            wait_until(lambda: quick.taken == expected(ledger))
        assert not slow.taken
    finally:
        answering.set()
    wait_until(lambda: slow.taken == expected(ledger))


def test_a_server_that_was_stopped_for_longer_than_its_claim_stores_nothing_more(empty: Flask) -> None:
    ledger, clock, receiver = ledger_of(empty), Clock(), Receiver()
    ledger.record(None, match_of("diversity"), 0)
    made(empty, "https://example.org/", role="scorer")
    other = Deliveries(ledger, access_of(empty).hooks, clock, receiver)

    def stopped(url: str, body: bytes, headers: dict[str, str], *, private: bool) -> Answer:
        assert not look(other), "another server waits for the claim"
        clock.now += 61
        assert look(other)
        return Answer(500)

    assert not look(Deliveries(ledger, access_of(empty).hooks, clock, stopped))
    assert shown(empty)["position"] == ledger.store.last_position()
    assert shown(empty)["failures"] == 0
    assert receiver.taken == expected(ledger)


def cli(*words: str, status: int = 0) -> Any:
    """Return the JSON that a command prints."""
    result = CliRunner().invoke(main, ["webhook", *words, "--json"])
    assert result.exit_code == status, result.output
    return json.loads(result.stdout) if result.stdout else None


def test_the_command_line_manages_the_webhooks_of_the_api(empty: Flask) -> None:
    ledger, receiver = ledger_of(empty), Receiver()
    ledger.record(None, [*match_of("diversity")[:2]], 0)
    path, admin = str(ledger.store.file.path), as_role(empty, "admin")
    hooks = access_of(empty).hooks
    hooks.private = True
    with receiver.serving() as url:
        made = cli("create", "board", url, "--type", "open", "--after", "0", "--private-webhooks", "--db", path)
        assert receiver.requests == []
        assert cli("test", "board", "--private-webhooks", "--db", path)["status"] == 200
        assert admin.post(f"{API}/webhooks/{made['id']}/test").json["status"] == 200
        receiver.statuses = [503]
        assert cli("test", "board", "--private-webhooks", "--db", path, status=1)["status"] == 503
        assert "its network" in cli("test", "board", "--db", path, status=1)["error"]
        assert [message["type"] for message in receiver.messages] == ["test", "test"]
        for headers, body in receiver.requests:
            assert verified["verify"](made["secret"], headers, body)
        assert look(Deliveries(ledger, hooks))
    listed = cli("list", "--db", path)
    assert listed == admin.get(f"{API}/webhooks").json
    assert listed["webhooks"] == [{name: made[name] for name in made if name != "secret"} | {"position": 2}]
    (delivery,) = cli("deliveries", "board", "--db", path)["deliveries"]
    assert delivery["status"] == 200 and "secret" not in delivery
    assert cli("delete", "board", "--db", path)["position"] == 2
    assert admin.get(f"{API}/webhooks").json == {"webhooks": []}
    assert cli("deliveries", "board", "--db", path, status=2) is None


def test_only_admins_test_webhooks(empty: Flask) -> None:
    hook = made(empty, "https://example.org/")
    for role in ("reader", "scorer"):
        assert as_role(empty, role).post(f"{API}/webhooks/{hook['id']}/test").status_code == 403
