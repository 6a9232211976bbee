"""The log: one line a request, by an id that can be quoted; nothing in it that is to stay secret."""

from __future__ import annotations

import io
import logging
import signal
from typing import TYPE_CHECKING

import pytest

from cardledger.rules.engine import events as ev
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving.logs import begin, log_event
from tests.waiting import LIMIT, ended
from tests.web.club import opened
from tests.web.server import command, running

if TYPE_CHECKING:
    from collections.abc import Iterator


def requests(log) -> list[dict]:
    return [line for line in log() if line["event"] == "request"]


def test_each_request_is_one_line_with_its_outcome(app, log) -> None:
    text = access_of(app).lend("ana", "scorer")
    answer = app.test_client().get("/api/v1/matches?limit=2", headers={"Authorization": f"Bearer {text}"})
    (line,) = requests(log)
    assert line.pop("time").endswith("Z")
    assert line.pop("ms") > 0
    assert line == {
        "level": "info", "event": "request", "request": answer.headers["X-Request-Id"], "method": "GET",
        "route": "/api/v1/matches", "status": 200, "bytes": len(answer.data), "client": "127.0.0.1", "who": "ana",
        "code": None,
    }  # fmt: skip


def test_the_log_has_the_route_and_never_its_values(app, log) -> None:
    client = app.test_client()
    for path in ("/matches/my-secret", "/api/v1/matches/my-secret", "/my-secret?token=my-secret", "/players/my-secret"):
        client.get(path)
    assert [line["route"] for line in requests(log)] == [
        "/matches/<match>",
        "/api/v1/matches/<match>",
        "-",
        "/players/<player:player>",
    ]
    assert "my-secret" not in str(log())


def test_no_token_query_or_card_gets_into_the_log(app, log) -> None:
    client, text = app.test_client(), access_of(app).lend("ana", "scorer")
    client.get(f"/?token={text}")
    headers = {"Authorization": f"Bearer {text}"}
    client.post("/api/v1/matches", json={"events": [{"type": "open", "game": "ruff", "players": ["a", "b", "c"]},
        {"type": "play", "seat": 0, "card": "9S"}]}, headers=headers)  # fmt: skip
    client.get("/api/v1/games", headers={"Authorization": "Bearer cl_wrong"})
    client.post("/sign-in", data={"token": text}, headers={"Origin": "http://localhost"})
    said = str(log())
    assert len(requests(log)) == 4
    assert not any(secret in said for secret in (text, "cl_", "9S", "token="))


@pytest.mark.parametrize("id", ["a", "7f3c-22", "01JABC:x=1._", "x" * 80])
def test_a_sane_id_is_taken_over(app, log, id) -> None:
    assert app.test_client().get("/health/live", headers={"X-Request-Id": id}).headers["X-Request-Id"] == id


@pytest.mark.parametrize("id", ["", " ", "a b", "x" * 81, "<script>", "{}", "é", 'a"b', "a\tb"])
def test_any_other_id_is_replaced_by_one_of_ours(app, log, id) -> None:
    client = app.test_client()
    made = [client.get("/nothing", environ_base={"HTTP_X_REQUEST_ID": id}).headers["X-Request-Id"] for _ in range(2)]
    assert id not in made
    assert len({*made}) == 2
    assert [line["request"] for line in requests(log)] == made


def test_an_unexpected_error_is_logged_once_with_its_traceback_and_only_its_id_is_shown(app, log) -> None:
    client = app.test_client()
    page, problem = client.get("/breaks/x"), client.get("/api/v1/breaks")
    for answer in (page, problem):
        assert answer.status_code == 500
        assert not any(word in answer.text for word in ("Traceback", "roof", "RuntimeError"))
        about = [line for line in log() if line["request"] == answer.headers["X-Request-Id"]]
        assert [(line["event"], line["level"]) for line in about] == [("unexpected", "error"), ("request", "error")]
        assert "RuntimeError: the roof is on fire" in about[0]["traceback"]
    assert f"<code>{page.headers['X-Request-Id']}</code>" in page.text
    assert problem.get_json(force=True)["request_id"] == problem.headers["X-Request-Id"]


def test_a_failure_of_the_store_is_logged_with_its_code(app, log) -> None:
    answer = app.test_client().get("/api/v1/fails")
    assert answer.status_code == 503
    failed = next(line for line in log() if line["event"] == "failed")
    assert (failed["code"], failed["message"]) == ("store.write", "no space left on device")
    assert failed["request"] == answer.headers["X-Request-Id"]
    assert requests(log)[0]["code"] == "store.write"


def test_a_bad_request_gets_no_error_id(app, log) -> None:
    assert "request_id" not in app.test_client().get("/api/v1/nothing").get_json(force=True)


def test_refused_sign_ins_are_logged_with_the_client(app, log) -> None:
    client = app.test_client()
    client.get("/?token=wrong")
    client.get("/api/v1/games", headers={"Authorization": "Bearer wrong"})
    client.get("/api/v1/games")
    assert [line["client"] for line in log() if line["event"] == "sign-in refused"] == ["127.0.0.1"] * 2


def test_the_import_reports_what_is_stored(app, log) -> None:
    ledger_of(app).record(None, [opened(), ev.Note(text="late")], 0)
    assert [(line["events"], line["matches"]) for line in log() if line["event"] == "stored"] == [(2, 1)]


def test_read_models_that_do_not_catch_up_are_reported(app, log) -> None:
    views = ledger_of(app).views
    views.file.writing = lambda patience: views.file.writer.execute("no sense")  # type: ignore[method-assign]
    ledger_of(app).record(None, [opened()], 0)
    views.catch_up_or_log()
    assert next(line for line in log() if line.get("logger") == "cardledger.readmodels")["level"] == "error"
    assert views.failures
    del views.file.writing


def test_known_proxies_name_the_client(tmp_path, log) -> None:
    for proxies, client in ((0, "127.0.0.1"), (1, "192.0.2.9")):
        app = create_app(tmp_path / f"{proxies}.db", proxies=proxies, hosts=None)
        app.test_client().get("/", headers={"X-Forwarded-For": "203.0.113.5, 192.0.2.9"})
        assert requests(log)[-1]["client"] == client
        access_of(app).close()
        ledger_of(app).close()


def test_a_stream_is_logged_at_its_end_with_the_number_of_bytes(app, log) -> None:
    with app.test_client().get("/api/v1/live", buffered=False) as answer:
        assert requests(log) == []
        first = next(iter(answer.response))
    assert [(line["route"], line["bytes"]) for line in requests(log)] == [("/api/v1/live", len(first))]


def test_an_answer_that_breaks_off_is_logged_with_its_id(app, log) -> None:
    def half() -> Iterator[str]:
        yield "half"
        raise RuntimeError

    app.add_url_rule("/half", "half", lambda: app.response_class(half()))
    answer = app.test_client().get("/half", buffered=False)
    with pytest.raises(RuntimeError):
        b"".join(answer.response)
    answer.close()
    broken, line = log()
    assert (broken["event"], broken["bytes"], line["event"], line["bytes"]) == ("broken off", 4, "request", 4)
    assert broken["request"] == line["request"] == answer.headers["X-Request-Id"]


def test_supervisors_leave_no_trail_as_long_as_all_is_well(app, log) -> None:
    for path in ("/health/live", "/health/ready", "/metrics"):
        assert app.test_client().get(path).status_code == 200
    assert requests(log) == []
    app.test_client().post("/health/live")
    assert requests(log)[0]["status"] == 405


def test_nobody_can_write_a_second_line_or_field_into_the_text(app) -> None:
    stream = io.StringIO()
    end = begin("text", stream)
    log_event(logging.INFO, "request", who="eve\n2026 INFO request", client="x status=200", route="/")
    logging.getLogger("waitress").warning("a\nb\x1b[31m")
    end()
    first, second = stream.getvalue().splitlines()
    assert r'who="eve\n2026 INFO request" client="x status=200" route=/' in first
    assert "\x1b" not in second


def test_by_default_only_errors_are_logged(app) -> None:
    stream = io.StringIO()
    end = begin("errors", stream)
    app.test_client().get("/nothing")
    assert stream.getvalue() == ""
    app.test_client().get("/breaks/x")
    end()
    assert stream.getvalue().count("Traceback") == 1


@pytest.mark.long
def test_a_server_logs_its_start_its_requests_and_its_end(tmp_path) -> None:
    import json
    from urllib.request import urlopen

    process = command("serve", "--db", str(tmp_path / "club.db"), "--port", "0", "--log", "json")
    with running(process) as (address, _):
        with urlopen(f"{address}/games", timeout=LIMIT) as answer:
            id = answer.headers["X-Request-Id"]
        process.send_signal(signal.SIGTERM)
        _, _, errors = ended(process)
    lines = [
        json.loads(line) for line in errors.splitlines() if not line.startswith(("Warning", "There was no ledger"))
    ]
    assert [line["event"] for line in lines] == ["start", "request", "stop"]
    assert lines[0]["address"] == f"{address}/"
    assert (lines[1]["request"], lines[1]["route"]) == (id, "/games")
