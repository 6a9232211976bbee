"""Clients that generators make of the description: they are built, and the Python one plays, follows, corrects and imports.

The tools are in `.clients` (`.ci/long` installs them), or in the folder that CLIENT_TOOLS names.
"""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.record.recording.ledger import Ledger
from cardledger_api.auth.tokens import Tokens
from cardledger_api.http.open_sets import KNOWN
from tests.web.server import command, running

if TYPE_CHECKING:
    from flask.testing import FlaskClient

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
TOOLS = Path(os.environ.get("CLIENT_TOOLS", ROOT / ".clients"))
PYTHON, MODULES = TOOLS / "bin" / "python", TOOLS / "node_modules"
CONFIG = """content_type_overrides:
  application/x-ndjson: application/octet-stream
  text/csv: application/octet-stream
"""
"""Files of lines are sent as they are."""
pytestmark = pytest.mark.long


def expect_tools() -> None:
    """Skip without the tools, unless REQUIRE_CLIENTS says that they must be there."""
    wanted = (TOOLS / "bin" / "openapi-python-client", MODULES / "openapi-typescript", MODULES / "typescript")
    if missing := [path.name for path in wanted if not path.exists()]:
        if os.environ.get("REQUIRE_CLIENTS") == "1":
            pytest.fail(f"REQUIRE_CLIENTS is set, but {TOOLS} has no {', '.join(missing)}", pytrace=False)
        pytest.skip(f"no {', '.join(missing)} in {TOOLS}")


LATER = ("store.conflict", "ended", "scorer", "diversity")
"""A code, a status, a role and a game that a server of these tests answers."""


def without_what_came_later(document: Any) -> Any:
    """Return a description as an earlier version gave it: without some values and types of events that are answered now."""
    if isinstance(document, list):
        return [without_what_came_later(each) for each in document if each != {"$ref": "#/components/schemas/Amend"}]
    if not isinstance(document, dict):
        return document
    found = {key: without_what_came_later(each) for key, each in document.items() if key != "discriminator"}
    for key in found.keys() & {KNOWN, "enum"}:
        found[key] = [value for value in found[key] if value not in LATER]
    return found


@pytest.fixture
def description(tmp_path: Path, client: FlaskClient) -> Path:
    """The description of the API as a file."""
    expect_tools()
    file = tmp_path / "openapi.json"
    file.write_text(client.get("/api/v1/openapi.json").text)
    return file


def run(*words: str | Path, at: Path) -> str:
    """Run a program to its end and return what it printed; it must not fail."""
    environment = os.environ | {"PATH": f"{TOOLS / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(at)}
    done = subprocess.run([*map(str, words)], cwd=at, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("version", ["now", "earlier"])
def test_a_generated_python_client_plays_follows_corrects_and_imports(
    version: str, tmp_path: Path, description: Path
) -> None:
    if version == "earlier":  # a client that was generated before codes, games and types of events were added
        described = without_what_came_later(json.loads(description.read_text()))
        description.write_text(json.dumps(described))
    (tmp_path / "config.yaml").write_text(CONFIG)
    told = run(
        TOOLS / "bin" / "openapi-python-client", "generate", "--path", description, "--config", "config.yaml",
        "--meta", "none", "--output-path", "client", at=tmp_path,
    )  # fmt: skip
    assert "removal" not in told and "will not be generated" not in told, told
    db = tmp_path / "club.db"
    Ledger(db).close()
    with closing(Tokens(db)) as tokens:
        token = tokens.create("app", "scorer", 1)
    with running(command("serve", "--db", str(db), "--port", "0")) as (address, _):
        run(
            PYTHON, HERE / "generated_client.py", address, token, ROOT / "samples" / "diversity-corrections.jsonl", at=tmp_path
        )  # fmt: skip


def test_a_generated_typescript_client_knows_the_types(tmp_path: Path, description: Path) -> None:
    node = (MODULES / ".bin" / "openapi-typescript", MODULES / ".bin" / "tsc")
    run(node[0], description, "-o", "schema.ts", at=tmp_path)
    (tmp_path / "app.ts").write_text((HERE / "generated_client.ts").read_text())
    run(node[1], "--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--moduleResolution", "bundler", "--module", "esnext",
        "--lib", "es2022,dom", "app.ts", "schema.ts", at=tmp_path)  # fmt: skip
