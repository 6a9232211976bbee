"""The files for the night: tasks and their timers, the containers with their proxy, and the alerts fit the program."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from cardledger.record.backup.drills import Drill, add
from cardledger.record.backup.examine import Examined
from cardledger.record.backup.manifest import Manifest, note, utc_now
from cardledger_web.commands.options import PORT
from tests.operating.test_deploy import DEPLOY, FILE, started, unit
from tests.waiting import LIMIT

if TYPE_CHECKING:
    from flask import Flask

TASKS = ("backup", "drill", "doctor")
SHARED = DEPLOY / "cardledger-.service.d" / "task.conf"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
RULES = [
    rule
    for group in yaml.safe_load((DEPLOY / "alerts.yaml").read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
]
ALERTS = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
LASTING = ("objects",)
"""What goes on all the time, without a timer."""
LOCKED = re.compile("NoNew|Protect|Private|Restrict|Lock|Memory|Capability|SystemCall|UMask|DynamicUser")


def test_there_is_a_unit_and_a_timer_for_each_task() -> None:
    services = {path.stem for path in DEPLOY.glob("cardledger-*.service")}
    assert services == {f"cardledger-{task}" for task in (*TASKS, *LASTING)}
    assert {path.stem for path in DEPLOY.glob("*.timer")} == {f"cardledger-{task}" for task in TASKS}


@pytest.mark.parametrize("task", TASKS)
def test_a_task_is_a_command_of_the_program(task: str) -> None:
    (start,) = unit((DEPLOY / f"cardledger-{task}.service").read_text())["ExecStart"]
    started(start.split())
    assert start.startswith(f"/opt/cardledger/bin/cardledger --config /etc/cardledger.toml {task}")


def test_what_copies_all_the_time_is_a_command_of_the_program() -> None:
    (start,) = unit((DEPLOY / "cardledger-objects.service").read_text())["ExecStart"]
    started(start.split())


def test_tasks_are_locked_in_as_the_server_is() -> None:
    server, shared = unit(), unit(SHARED.read_text())
    locked = {key: values for key, values in server.items() if LOCKED.match(key)}
    assert len(locked) > 15
    assert {key: shared[key] for key in locked} == locked
    assert shared["User"] == ["cardledger"], "the user of the server: its folders are theirs too"
    folders = shared["StateDirectory"][0].split()
    assert server["StateDirectory"][0] in folders
    backup = unit((DEPLOY / "cardledger-backup.service").read_text())["ExecStart"][0].split()[-1]
    assert Path(backup).parent in [Path("/var/lib") / folder for folder in folders]
    assert f"CARDLEDGER_DB={tomllib.loads(FILE)['db']}" in shared["Environment"]


def test_a_copy_is_made_before_it_is_tried_and_both_before_the_doctor_looks() -> None:
    times = [re.search(r"^OnCalendar=\*-\*-\* (\S+)$", text, re.MULTILINE) for text in map(_timer, TASKS)]
    found = [time[1] for time in times if time]
    assert found == sorted(found)
    assert len(found) == len(TASKS)


def _timer(task: str) -> str:
    return (DEPLOY / f"cardledger-{task}.timer").read_text()


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_tasks(tmp_path: Path) -> None:
    shutil.copytree(SHARED.parent, tmp_path / SHARED.parent.name)
    paths = []
    for task in TASKS:
        service, timer = tmp_path / f"cardledger-{task}.service", tmp_path / f"cardledger-{task}.timer"
        text = (DEPLOY / service.name).read_text()
        service.write_text(text.replace("/opt/cardledger/bin/cardledger", sys.executable))
        timer.write_text(_timer(task))
        paths += [str(service), str(timer)]
    found = subprocess.run(["systemd-analyze", "verify", *paths], capture_output=True, text=True, timeout=LIMIT)
    assert (found.returncode, found.stdout + found.stderr) == (0, "")


@pytest.mark.parametrize("name", [name for name, one in COMPOSE["services"].items() if "build" in one])
def test_containers_start_commands_that_exist_locked_in(name: str) -> None:
    service = COMPOSE["services"][name]
    started(["cardledger", *service["command"]])
    build = service["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).samefile(DEPLOY / "Dockerfile")
    assert (service["read_only"], service["cap_drop"], "ports" in service) == (True, ["ALL"], False)
    assert {volume.split(":")[0] for volume in service["volumes"]} <= COMPOSE["volumes"].keys()
    reached = [volume.split(":")[1] for volume in service["volumes"]]
    for path in [word for word in service["command"] if word.startswith("/")]:
        assert any(Path(path).is_relative_to(place) for place in reached), path


def test_the_proxy_leads_to_the_server_and_hides_its_metrics() -> None:
    proxy, server = COMPOSE["services"]["proxy"], COMPOSE["services"]["server"]
    assert server["environment"] == {"CARDLEDGER_SERVE_PROXY": "1"}
    assert "./Caddyfile:/etc/caddy/Caddyfile:ro" in proxy["volumes"]
    said = (DEPLOY / "Caddyfile").read_text()
    assert f"reverse_proxy server:{PORT} " in said
    assert "path /metrics\n\trespond @inside 404" in said


@pytest.mark.skipif(not shutil.which("caddy"), reason="caddy is not installed")
@pytest.mark.long
def test_caddy_reads_its_file() -> None:
    command = ["caddy", "adapt", "--validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    subprocess.run(command, check=True, capture_output=True, timeout=LIMIT)


@pytest.fixture
def measured(app: Flask) -> str:
    """What a server says to Prometheus whose copies were made and tried."""
    family = app.extensions["cardledger.copies"].family
    note(family, Path("copy.db"), Manifest.of(Examined(), "club.db", 0, utc_now()))
    add(family, Drill(at="2026-11-28T03:00:00Z", copy="copy.db"))
    return app.test_client().get("/metrics").text


@ALERTS
def test_an_alert_is_about_metrics_that_the_server_has(rule: dict[str, Any], measured: str) -> None:
    named = set(re.findall(r"\b(?:cardledger|process)_\w+(?=[\[{) ])", rule["expr"]))
    assert named or rule["expr"].startswith("up{")
    for name in named:
        assert f"# TYPE {name} " in measured, name


@ALERTS
def test_an_alert_says_what_happened_and_what_to_do(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert rule["annotations"].keys() == {"summary", "action"}
    for command in re.findall(r"cardledger (?:doctor|drill|backup|rebuild|explain)", rule["annotations"]["action"]):
        started(command.split())


@pytest.mark.skipif(not shutil.which("promtool"), reason="Prometheus is not installed")
@pytest.mark.long
def test_prometheus_reads_the_rules() -> None:
    subprocess.run(
        ["promtool", "check", "rules", str(DEPLOY / "alerts.yaml")], check=True, capture_output=True, timeout=LIMIT
    )
