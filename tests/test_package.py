"""The package: one import name with every folder inside, and no other top-level name."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_folder_with_code_is_a_package_by_its_import_name() -> None:
    wanted = {"cardledger.web.samples", "cardledger.testing"}
    for top, name in (("ledger", "cardledger"), ("api", "cardledger.api"), ("web", "cardledger.web")):
        for init in (ROOT / top).rglob("__init__.py"):
            wanted.add(".".join([name, *init.parent.relative_to(ROOT / top).parts]))
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == wanted


def test_every_folder_says_what_it_is_for_in_one_sentence() -> None:
    for top in ("ledger", "api", "web"):
        for init in (ROOT / top).rglob("__init__.py"):
            first = init.read_text(encoding="utf-8").partition("\n")[0]
            assert first.startswith('"""'), init


@pytest.mark.long
def test_wheel_and_source_are_whole_and_put_only_cardledger_into_site_packages(tmp_path: Path) -> None:
    for module in ("build", "twine"):
        pytest.importorskip(module)
    subprocess.run([sys.executable, "-m", "build", "-o", tmp_path, ROOT], check=True, capture_output=True)
    wheel, source = *tmp_path.glob("*.whl"), *tmp_path.glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", wheel, source], check=True, capture_output=True)
    with ZipFile(wheel) as packed:
        names = packed.namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"cardledger"}
    catalogues = [f"web/translations/{language}/LC_MESSAGES/messages.po" for language in ("de", "fr")]
    for needed in (
        "py.typed", "store/postgres.sql", "web/templates/base.html", "web/samples/README.md", "README.md", *catalogues,
    ):  # fmt: skip
        assert f"cardledger/{needed}" in names
