"""Limits: a client that asks too often waits, one that sends too much is refused, and the others notice nothing."""

from __future__ import annotations

import http.client
import threading
from contextlib import contextmanager
from time import thread_time
from typing import TYPE_CHECKING

import pytest
from flask import Response

from cardledger_api.auth.limits import READS, WRITES, Buckets, Limits, Rate, heavy
from cardledger_api.http.gate import gate_of
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving.server import listen
from tests.waiting import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask
    from flask.testing import FlaskClient

READ, WRITE = "/api/v1/games", "/api/v1/nothing"
NEVER = 0.0001
"""A rate that gives nothing back while a test runs, however slow the machine."""


@contextmanager
def limited(tmp_path: Path, limits: Limits, **more: object) -> Iterator[Flask]:
    app = create_app(tmp_path / "club.db", limits=limits, **more)
    yield app
    access_of(app).close()
    ledger_of(app).close()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_bucket_gives_a_burst_and_then_its_rate() -> None:
    time = 0.0
    buckets = Buckets(Rate(10, 5), lambda: time)
    assert [buckets.take("a") for _ in range(5)] == [0] * 5
    assert buckets.take("a") == pytest.approx(0.1, abs=1e-6)
    assert buckets.take("b") == 0
    taken = 0
    for _ in range(1000):
        time += 0.01
        taken += buckets.take("a") == 0
    assert taken == pytest.approx(100, abs=1)
    time += 10
    assert sum(buckets.take("a") == 0 for _ in range(50)) == 5


def test_threads_together_get_no_more_than_the_burst() -> None:
    buckets = Buckets(Rate(1, 100), lambda: 0.0)
    got: list[float] = []
    threads = [
        threading.Thread(target=lambda: got.extend(buckets.take("a") for _ in range(50))) for _ in range(8)
    ]  # fmt: skip
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(wait == 0 for wait in got) == 100


def test_idle_clients_are_forgotten() -> None:
    time = 0.0
    buckets = Buckets(Rate(10, 5), lambda: time)
    for client in range(50_000):
        time += 0.001
        buckets.take(str(client))
    assert len(buckets) <= 10_001


def test_the_defaults_are_generous_and_the_option_scales_them() -> None:
    assert (READS, WRITES) == ((200, 1000), (50, 200)) == (Limits.of(200).reads, Limits.of(200).writes)
    assert Limits.of(0).reads is Limits.of(0).writes is None
    slow = Limits.of(0.1).writes
    assert slow is not None
    assert slow.burst >= 1


def test_too_many_requests_are_a_429_that_says_when(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(Rate(NEVER, 3), Rate(NEVER, 1))) as app:
        client = app.test_client()
        assert [client.get(READ).status_code for _ in range(4)] == [200, 200, 200, 429]
        answer = client.get(READ)
        assert answer.content_type == "application/problem+json"
        assert answer.get_json(force=True)["code"] == "access.rate"
        assert 1 <= int(answer.headers["Retry-After"]) <= 1 / NEVER
        page = client.get("/")
        assert (page.status_code, page.mimetype) == (429, "text/html")
        assert "Retry-After" in page.headers


def test_reads_and_writes_are_counted_separately(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(Rate(NEVER, 2), Rate(NEVER, 1))) as app:
        client = app.test_client()
        assert [client.post(WRITE).status_code for _ in range(2)] == [404, 429]
        assert client.post(WRITE).get_json(force=True)["code"] == "access.rate"
        assert client.get(READ).status_code == 200


def test_clients_are_distinguished_by_token_or_address_and_made_up_tokens_do_not_help(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(Rate(NEVER, 1), None)) as app:
        client, access = app.test_client(), access_of(app)
        tokens = [access.lend(name, "reader") for name in ("ana", "ben")]
        for token in tokens:
            assert [client.get(READ, headers=bearer(token)).status_code for _ in range(2)] == [200, 429]
        assert [client.get(READ, headers=bearer(f"cl_{n}")).status_code for n in range(3)] == [401, 429, 429]
        elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
        assert client.get(READ, environ_base=elsewhere).status_code == 200
        assert client.get(READ, environ_base=elsewhere).status_code == 429


def test_a_body_that_is_too_large_is_a_413(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(body=1000, files=5000)) as app:
        client, headers = app.test_client(), bearer(access_of(app).lend("ana", "admin"))
        kinds = {"application/json": 1000, "application/x-ndjson": 5000}
        paths = [rule.rule for rule in app.url_map.iter_rules() if "POST" in rule.methods and not rule.arguments]
        for path in paths:
            for kind, most in kinds.items():
                fits = client.post(path, data=b"{" * most, content_type=kind, headers=headers)
                assert fits.status_code != 413
                answer = client.post(path, data=b"{" * (most + 1), content_type=kind, headers=headers)
                assert answer.status_code == 413
                if path.startswith("/api/"):
                    assert answer.get_json(force=True)["code"] == "http.request-entity-too-large"


def test_a_body_of_unknown_length_is_refused_rather_than_cut_off(tmp_path: Path) -> None:
    with limited(tmp_path, Limits()) as app:
        answer = app.test_client().post(WRITE, headers={"Transfer-Encoding": "chunked"})
        assert answer.status_code == 411


def test_a_body_in_pieces_is_taken_to_the_same_limit(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(body=1000)) as app:
        server = listen(app, 0)
        running = threading.Thread(target=server.run)
        running.start()
        try:
            for size, status in ((1000, 404), (1001, 413)):
                connection = http.client.HTTPConnection("127.0.0.1", server.effective_port, timeout=LIMIT)
                kind = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
                connection.request("POST", WRITE, iter([b"x" * size]), kind, encode_chunked=True)
                assert connection.getresponse().status == status
                connection.close()
        finally:
            server.task_dispatcher.shutdown()
            # By the thread that waits for them: it is not to find sockets closed under it.
            server.trigger.pull_trigger(lambda: server.asyncore.close_all(server._map))
            running.join(LIMIT)
            assert not running.is_alive()


def test_foreign_pages_get_nothing_unless_they_are_named(tmp_path: Path) -> None:
    ours = {"Origin": "https://scores.example"}
    ask = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    with limited(tmp_path, Limits(), open_reading=False) as app:
        client = app.test_client()
        for answer in (client.get(READ, headers=ours), client.options(READ, headers=ours | ask)):
            assert answer.status_code == 401
            assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]


def test_pages_of_named_origins_may_use_the_api_with_a_token_but_no_cookie(tmp_path: Path) -> None:
    ours, other = {"Origin": "https://scores.example"}, {"Origin": "https://scores.example.evil"}
    ask = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    with limited(tmp_path, Limits(), open_reading=False, origins=("https://scores.example",)) as app:
        client, headers = app.test_client(), bearer(access_of(app).lend("ana", "scorer"))
        ahead = client.options(READ, headers=ours | ask)
        assert ahead.status_code == 204
        assert ahead.headers["Access-Control-Allow-Origin"] == ours["Origin"]
        assert "Authorization" in ahead.headers["Access-Control-Allow-Headers"]
        for answer in (client.get(READ, headers=ours | headers), client.get(READ, headers=ours)):
            assert answer.headers["Access-Control-Allow-Origin"] == ours["Origin"]
            assert "Access-Control-Allow-Credentials" not in answer.headers
            assert "Origin" in answer.headers["Vary"]
        assert "Access-Control-Allow-Origin" not in client.get(READ, headers=other | headers).headers
        assert client.options(READ, headers=other | ask).status_code == 401
        assert "Access-Control-Allow-Origin" not in client.get("/", headers=ours | headers).headers


def test_behind_a_proxy_clients_are_distinguished_by_its_headers(tmp_path: Path) -> None:
    def asked(client: FlaskClient, said: str) -> int:
        return client.get(READ, headers={"X-Forwarded-For": said}).status_code

    with limited(tmp_path, Limits(Rate(NEVER, 1), None), proxies=1) as app:
        client = app.test_client()
        assert [asked(client, "192.0.2.1"), asked(client, "192.0.2.1")] == [200, 429]
        assert asked(client, "192.0.2.2") == 200
        assert asked(client, "198.51.100.9, 192.0.2.2") == 429  # what the client itself made up does not count


def test_without_a_proxy_forwarding_headers_are_ignored(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(Rate(NEVER, 1), None)) as app:
        client = app.test_client()
        statuses = [client.get(READ, headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in (1, 2)]
        assert statuses == [200, 429]
        assert client.get(READ, headers={"X-Forwarded-Host": "localhost", "Host": "evil.example"}).status_code == 400


# --- what an answer costs


def burning(app: Flask, path: str, seconds: float, *, expensive: bool = False) -> None:
    """Add an address whose answers take so much work."""

    def burn() -> str:
        until = thread_time() + seconds
        while thread_time() < until:
            pass
        return "done"

    app.add_url_rule(path, path, heavy(burn) if expensive else burn)


def test_work_for_a_client_has_an_end(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(work=Rate(NEVER, 0.5))) as app:
        burning(app, "/long", 0.2)
        client = app.test_client()
        assert client.get("/long").status_code == 200
        while (answer := client.get("/long")).status_code == 200:
            pass
        assert 1 <= int(answer.headers["Retry-After"]) <= 0.5 / NEVER, "no debt is for ever"
        assert client.get(READ).status_code == 429
        elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
        assert [client.get(READ, environ_base=elsewhere).status_code for _ in range(20)] == [200] * 20


def test_scorers_pay_for_requests_and_not_for_work(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(Rate(NEVER, 10), None, work=Rate(NEVER, 0.1))) as app:
        burning(app, "/long", 0.1)
        client, headers = app.test_client(), bearer(access_of(app).lend("sam", "scorer"))
        assert [client.get("/long", headers=headers).status_code for _ in range(11)] == [200] * 10 + [429]


def test_expensive_answers_are_counted_separately(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(heavy=Rate(NEVER, 0.1))) as app:
        burning(app, "/heavy", 0.2, expensive=True)
        client = app.test_client()
        assert [client.get("/heavy").status_code for _ in range(3)] == [200, 429, 429]
        assert [client.get(READ).status_code for _ in range(40)] == [200] * 40


@pytest.mark.long
def test_a_slow_request_counts_as_expensive(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(work=None, heavy=Rate(NEVER, 0.1))) as app:
        burning(app, "/slow", 0.5)
        client = app.test_client()
        statuses = [client.get("/slow").status_code for _ in range(12)]
        assert statuses[:2] == [200, 200]
        assert statuses[-1] == 429


def test_an_export_costs_by_its_size(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(heavy=Rate(NEVER / 1000, 0.0001))) as app:
        client = app.test_client()
        assert client.get("/api/v1/export").status_code == 200
        answer = client.get("/api/v1/export")
        assert (answer.status_code, answer.get_json(force=True)["code"]) == (429, "access.rate")
        assert client.get(READ).status_code == 200


def test_a_client_over_its_share_is_refused_without_waiting(tmp_path: Path) -> None:
    with limited(tmp_path, Limits.of(0)) as app:
        gate = gate_of(app)
        leaves = [gate.enter(client, 0) for client in "abc"]
        assert app.test_client().post("/api/v1/import").status_code == 401
        for leave in leaves:
            leave()


def test_an_expensive_request_ends_with_its_answer_or_failure(tmp_path: Path) -> None:
    with limited(tmp_path, Limits.of(0)) as app:
        app.testing = False

        def fails() -> str:
            raise RuntimeError

        def breaks() -> Response:
            def parts() -> Iterator[bytes]:
                yield b"begun"
                raise RuntimeError

            return Response(parts())

        app.add_url_rule("/fails", "fails", heavy(fails))
        app.add_url_rule("/breaks", "breaks", heavy(breaks))
        client = app.test_client()
        for _ in range(10):
            assert client.get("/fails").status_code == 500
            assert client.get("/api/v1/export").status_code == 200
            with client.get("/breaks") as answer, pytest.raises(RuntimeError):
                _ = answer.data
            assert client.head("/api/v1/export").status_code == 200
        assert gate_of(app).inside == 0


def test_all_addresses_of_a_network_of_ipv6_are_one_client(tmp_path: Path) -> None:
    with limited(tmp_path, Limits(Rate(NEVER, 1), None)) as app:
        client = app.test_client()
        asked = [
            "2001:db8:1:2::1",
            "2001:db8:1:2:ffff::9",
            "2001:db8:1:3::1",
            "::ffff:192.0.2.1",
            "192.0.2.1",
            "nonsense:",
        ]
        statuses = [client.get(READ, environ_base={"REMOTE_ADDR": address}).status_code for address in asked]
        assert statuses == [200, 429, 200, 200, 429, 200]
