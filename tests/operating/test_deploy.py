"""The files for deployment: what they say is what the program has, so that nobody finds out on the night."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from cardledger.cli.main import main
from cardledger_web.commands.options import PORT
from cardledger_web.commands.serve import serve
from cardledger_web.serving.health import READY
from tests.operating.test_settings import run
from tests.waiting import LIMIT

ROOT = Path(__file__).parent.parent.parent
DEPLOY = ROOT / "samples" / "deploy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
UNIT = (DEPLOY / "cardledger.service").read_text()
FILE = (DEPLOY / "cardledger.toml").read_text()
DOCKER = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")


def unit(text: str = UNIT) -> dict[str, list[str]]:
    """Return what the unit says of the service, each key with all its values."""
    found: dict[str, list[str]] = {}
    for line in text.partition("[Service]")[2].partition("[Install]")[0].splitlines():
        if line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def instructions(name: str) -> list[str]:
    """Return what follows an instruction of the container file, line by line."""
    return re.findall(rf"^\s*{name}\s+(.*)$", DOCKER, re.MULTILINE)


def variables(text: str) -> dict[str, str]:
    return dict(re.findall(r"(CARDLEDGER_\w+)=(\S+)", text))


def started(words: list[str]) -> None:
    """Check that the program and every flag of a command line exist."""
    program, *rest = words
    assert Path(program).name in PROJECT["scripts"]
    context = click.Context(main)
    name = next(word for word in rest if word in main.list_commands(context))
    at = rest.index(name)
    for command, part in ((main, rest[:at]), (main.get_command(context, name), rest[at + 1 :])):
        flags = {flag for option in command.params for flag in (*option.opts, *option.secondary_opts)}
        assert {word for word in part if word.startswith("--")} <= flags


def test_the_unit_is_one() -> None:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read_string(UNIT)
    assert parser.sections() == ["Unit", "Service", "Install"]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path) -> None:
    copy = tmp_path / "cardledger.service"
    copy.write_text(UNIT.replace("/opt/cardledger/bin/cardledger", sys.executable))
    found = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, timeout=LIMIT)
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


def test_the_unit_starts_an_existing_command_in_a_sandbox() -> None:
    said = unit()
    (start,) = said["ExecStart"]
    started(start.split())
    assert "--config /etc/cardledger.toml " in start
    state = f"/var/lib/{said['StateDirectory'][0]}"
    assert said["WorkingDirectory"] == [state]
    assert Path(variables(UNIT)["CARDLEDGER_DB"]).parent == Path(state) == Path(tomllib.loads(FILE)["db"]).parent
    for key, value in (("DynamicUser", "yes"), ("NoNewPrivileges", "yes"), ("ProtectSystem", "strict"),
                       ("ProtectHome", "yes"), ("PrivateTmp", "yes"), ("CapabilityBoundingSet", "")):  # fmt: skip
        assert said[key] == [value]
    assert set(said["KillSignal"]) == {"SIGTERM"}


def test_the_settings_of_the_files_are_settings() -> None:
    for env in (variables(UNIT), {}):
        status, said = run("config", text=FILE, **env)
        assert status == 0, said
        assert tomllib.loads(said)["serve"]["port"] == PORT
    status, said = run("config", **variables(" ".join(instructions("ENV"))))
    assert status == 0, said
    assert tomllib.loads(said)["serve"] == {
        "host": "0.0.0.0", "port": PORT, "cors": [], "rate": 200.0, "proxy": 0, "log": "json", "metrics": "local",
        "reviews": True, "drill-days": 7.0, "private-webhooks": False,
    }  # fmt: skip


def test_the_container_has_a_supported_python() -> None:
    wanted = tuple(map(int, PROJECT["requires-python"].removeprefix(">=").split(".")))
    images = instructions("FROM")
    assert len(images) == 2
    for image in images:
        version = re.match(r"python:(\d+)\.(\d+)-slim\b", image)
        assert version
        assert tuple(map(int, version.groups())) >= wanted


def test_the_container_starts_an_existing_command_without_root() -> None:
    started([*json.loads(instructions("ENTRYPOINT")[0]), *json.loads(instructions("CMD")[-1])])
    assert re.search(r"useradd --uid \d{4,} .* cardledger\b", DOCKER)
    assert instructions("USER") == ["cardledger"]
    (extra,) = re.findall(r"/source\[(\w+)\]", DOCKER)
    assert extra in PROJECT["optional-dependencies"]
    assert instructions("STOPSIGNAL") == ["SIGTERM"]


def test_paths_and_ports_of_the_container_are_the_same_everywhere() -> None:
    env = variables(" ".join(instructions("ENV")))
    (volume,), (port,) = instructions("VOLUME"), instructions("EXPOSE")
    assert str(Path(env["CARDLEDGER_DB"]).parent) == volume == instructions("WORKDIR")[0]
    default = next(option.default for option in serve.params if option.name == "port")
    assert port == env["CARDLEDGER_SERVE_PORT"] == str(default)
    check = json.loads(re.search(r"CMD (\[.*urlopen.*\])", DOCKER)[1])
    assert f"http://127.0.0.1:{port}{READY}" in check[-1]
    compile(check[-1], "healthcheck", "exec")
    assert f":{port} cardledger" in DOCKER


def test_no_ledgers_or_keys_are_copied_into_the_image() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {".git", ".venv", "**/*.db", "**/*.db-*"} <= {*ignored}
