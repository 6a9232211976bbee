"""The API against its own description: every answer is one that the OpenAPI document promises."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode

from cardledger.record.recording.ledger import Ledger
from cardledger_api.auth.limits import Limits
from cardledger_api.http.streams import streams_of
from cardledger_web.app import access_of, create_app, ledger_of
from tests.api import lines as lines
from tests.evenings.night import made
from tests.thorough import THOROUGH, many
from tests.web.club import fill
from tests.web.server import ROOT, program, running

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENT = "/api/v1/openapi.json"
SERVER = """
import sys
from cardledger_api.auth.limits import Limits
from cardledger_api.http.streams import streams_of
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.serving.server import listen, run, stopping_on_signals
app = create_app(sys.argv[1], limits=Limits.of(0))
streams_of(app).lifetime = 0.01
with stopping_on_signals():
    server = listen(app, 0)
    print(access_of(app).lend("tests", "admin"), flush=True)
    print(f"at http://127.0.0.1:{server.effective_port}/", flush=True)
    run(server)
"""
CONFIG = Path(__file__).with_name("schemathesis.toml")
SEED = os.environ.get("SCHEMATHESIS_SEED", "1")
"""What the long test sends follows from it, the same every time; anybody may ask for another."""
QUICK = settings(max_examples=10, suppress_health_check=[*HealthCheck], database=None, derandomize=True)


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, dict[str, str]]]:
    """The API of an application within this process, and the headers of an admin."""
    app = create_app(tmp_path_factory.mktemp("schemathesis") / "club.db", limits=Limits.of(0))
    fill(ledger_of(app))
    made(ledger_of(app))
    streams_of(app).lifetime = 0.01
    headers = {"Authorization": f"Bearer {access_of(app).lend('tests', 'admin')}"}
    config = schemathesis.Config.from_path(CONFIG)
    yield schemathesis.openapi.from_wsgi(DOCUMENT, app, config=config), headers
    access_of(app).close()
    ledger_of(app).close()


@pytest.mark.long
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_answers_are_as_described(described: tuple[Any, dict[str, str]], mode: GenerationMode) -> None:
    """Some requests that fit the description of each operation, and some that do not."""
    schema, headers = described
    for found in schema.get_all_operations():
        operation = found.ok()
        if mode is GenerationMode.NEGATIVE and not (operation.query or operation.body):
            continue  # there is nothing to get wrong
        if mode is GenerationMode.POSITIVE and re.search("/(clubs|leagues)", operation.path):
            continue  # answered by the views of sessions; the server below is asked for them too

        @given(case=operation.as_strategy(generation_mode=mode))
        @QUICK
        def answered(case: schemathesis.Case) -> None:
            case.call_and_validate(headers=headers)

        answered()


@pytest.mark.long
def test_answers_are_as_described_along_the_links(described: tuple[Any, dict[str, str]]) -> None:
    schema, headers = described

    @schema.auth()
    class Admin:
        """Not just a header of each call, which would be taken for a wrong token that the API lets in."""

        def get(self, *_: Any) -> dict[str, str]:
            return headers

        def set(self, case: schemathesis.Case, data: dict[str, str], _: Any) -> None:
            case.headers.update(data)

    schema.as_state_machine().run(settings=settings(QUICK, stateful_step_count=6))


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_a_server_answers_as_described(tmp_path: Path) -> None:
    """Thousands of requests to a server that is a process of its own, along links too."""
    with Ledger(tmp_path / "club.db") as ledger:
        fill(ledger)
        made(ledger)
    with running(program("-c", SERVER, str(tmp_path / "club.db"))) as (address, said):
        run = subprocess.run(
            [
                Path(sys.executable).with_name("schemathesis"), "--config-file", CONFIG, "run", address + DOCUMENT,
                "-H", f"Authorization: Bearer {said[-2].strip()}", "--max-examples", str(many(50, 150)), "--no-color",
                "--phases", "examples,coverage,fuzzing,stateful" if THOROUGH else "fuzzing,stateful", "--seed", SEED,
                "--continue-on-failure", "--generation-database", "none",
                "--report", "json", "--report-json-path", tmp_path / "report.json",
            ],
            cwd=tmp_path, env=os.environ | {"SCHEMATHESIS_HOOKS": "tests.api.lines", "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
