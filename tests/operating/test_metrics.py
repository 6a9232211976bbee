"""Metrics: what Prometheus reads says what happened, to those who may read it."""

from __future__ import annotations

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as exposition

from cardledger.record.people.people import Name
from cardledger.rules.engine import events as ev
from cardledger_web.app import access_of, create_app, ledger_of
from tests.web.club import opened


def samples(app, **headers: str) -> dict[tuple[str, frozenset], float]:
    answer = app.test_client().get("/metrics", headers=headers)
    assert answer.status_code == 200
    read = openmetrics if answer.mimetype == "application/openmetrics-text" else exposition
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in read(answer.text)
        for sample in family.samples
    }


def value(found, name: str, **labels: str) -> float:
    return found[name, frozenset(labels.items())]


def test_requests_are_counted_by_method_route_and_status(app) -> None:
    client = app.test_client()
    for path in ("/api/v1/games", "/api/v1/games", "/games", "/nothing", "/other"):
        client.get(path)
    client.open("/games", method="BREW")
    found = samples(app)
    total = "cardledger_http_requests_total"
    assert value(found, total, method="GET", route="/api/v1/games", status="200") == 2
    assert value(found, total, method="GET", route="/games", status="200") == 1
    assert value(found, total, method="GET", route="-", status="404") == 2
    assert value(found, total, method="other", route="-", status="405") == 1
    seconds = "cardledger_http_request_duration_seconds"
    assert value(found, f"{seconds}_count", method="GET", route="/api/v1/games") == 2
    assert value(found, f"{seconds}_sum", method="GET", route="/api/v1/games") > 0
    assert value(found, f"{seconds}_bucket", method="GET", route="/api/v1/games", le="+Inf") == 2


def test_request_paths_cannot_make_metrics_grow(app) -> None:
    client = app.test_client()

    def ask(number: int) -> int:
        client.get(f"/{number}/nothing")
        client.open("/0", method=f"M{number}")
        return len(samples(app))

    ask(0)
    before = ask(1)
    assert [ask(number) for number in range(2, 30)] == [before] * 28


def test_events_conflicts_and_refused_sign_ins_are_counted(app) -> None:
    ledger, client = ledger_of(app), app.test_client()
    match = ledger.record(None, [opened(), ev.Note(text="a")], 0).match
    headers = {"Authorization": f"Bearer {access_of(app).lend('ana', 'scorer')}"}
    note = {"events": [{"type": "note", "text": "b"}]}
    for expected, status in ((1, 412), (2, 201), (7, 412)):
        said = client.post(
            f"/api/v1/matches/{match}/events", json=note, headers=headers | {"If-Match": f'"{expected}"'}
        )
        assert said.status_code == status
    client.get("/?token=wrong")
    found = samples(app)
    assert value(found, "cardledger_events_appended_total") == 3
    assert value(found, "cardledger_problems_total", code="store.conflict") == 2
    assert value(found, "cardledger_sign_ins_refused_total") == 1


def test_people_are_events_too(app) -> None:
    ledger = ledger_of(app)
    ledger.record(None, [opened()], 0)
    ledger.record_people([Name(player="a", name="Ana")], 0, "test")
    assert value(samples(app), "cardledger_events_appended_total") == 2


def test_positions_lag_and_rebuilds_are_measured(app) -> None:
    ledger = ledger_of(app)
    ledger.record(None, [opened(), ev.Note(text="a")], 0)
    found = samples(app)
    lag = value(found, "cardledger_ledger_position") - value(found, "cardledger_read_models_position")
    assert value(found, "cardledger_ledger_position") == 2
    assert value(found, "cardledger_read_models_lag_events") == lag
    [*ledger.rebuild()]
    found = samples(app)
    assert value(found, "cardledger_read_models_rebuilds_total") == 1
    assert value(found, "cardledger_read_models_lag_events") == 0


def test_open_streams_are_counted(app) -> None:
    with app.test_client().get("/api/v1/live", buffered=False) as answer:
        next(iter(answer.response))
        assert value(samples(app), "cardledger_streams_open") == 1
    assert value(samples(app), "cardledger_streams_open") == 0


def test_the_process_and_the_program_are_shown(app) -> None:
    found = samples(app)
    assert {"process_cpu_seconds_total", "process_resident_memory_bytes", "cardledger_build_info"} <= {
        name for name, _ in found
    }


def test_openmetrics_is_sent_on_request(app) -> None:
    found = samples(app, Accept="application/openmetrics-text; version=1.0.0")
    assert value(found, "cardledger_events_appended_total") == 0


def test_names_follow_the_conventions(app) -> None:
    app.test_client().get("/api/v1/nothing")
    for family in exposition(app.test_client().get("/metrics").text):
        assert family.documentation
        assert family.name.startswith(("cardledger_", "process_", "python_"))
        if family.type == "counter":
            assert all(sample.name.endswith("_total") for sample in family.samples)


@pytest.mark.parametrize(
    ("readers", "here", "elsewhere", "reader", "admin"),
    [
        ("local", 200, 401, 403, 200),
        ("admin", 401, 401, 403, 200),
        ("all", 200, 200, 200, 200),
        ("off", 404, 404, 404, 404),
    ],
)
def test_metrics_are_only_for_configured_readers(tmp_path, readers, here, elsewhere, reader, admin) -> None:
    app = create_app(tmp_path / "club.db", metrics=readers, hosts=None)
    client, far = app.test_client(), {"REMOTE_ADDR": "192.0.2.7"}
    tokens = {role: {"Authorization": f"Bearer {access_of(app).lend(role, role)}"} for role in ("reader", "admin")}
    assert client.get("/metrics").status_code == here
    assert client.get("/metrics", environ_base=far).status_code == elsewhere
    assert client.get("/metrics", environ_base=far, headers=tokens["reader"]).status_code == reader
    assert client.get("/metrics", environ_base=far, headers=tokens["admin"]).status_code == admin
    access_of(app).close()
    ledger_of(app).close()


@pytest.mark.parametrize("proxies", [0, 1])
def test_requests_through_a_local_proxy_are_not_local(tmp_path, proxies) -> None:
    app = create_app(tmp_path / "club.db", proxies=proxies, hosts=None)
    client = app.test_client()
    assert client.get("/metrics", headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 401
    assert client.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1, 192.0.2.7"}).status_code == 401
    access_of(app).close()
    ledger_of(app).close()
