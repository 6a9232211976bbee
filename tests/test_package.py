"""The distribution: three packages, each a folder of the tree, and no other name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = {"ledger": "cardledger", "api": "cardledger_api", "web": "cardledger_web"}


def test_every_folder_says_what_it_is_for_in_one_sentence() -> None:
    for top in PACKAGES:
        for init in (ROOT / top).rglob("__init__.py"):
            first = init.read_text(encoding="utf-8").partition("\n")[0]
            assert first.startswith('"""'), init


def test_every_folder_with_code_is_a_package() -> None:
    for top, package in PACKAGES.items():
        assert [path.name for path in (ROOT / top).iterdir()] == [package]
        for path in (ROOT / top).rglob("*.py"):
            assert (path.parent / "__init__.py").exists() or path.parent.name == "static", path


@pytest.mark.long
def test_wheel_and_source_are_whole_and_put_only_the_three_packages_into_site_packages(tmp_path: Path) -> None:
    for module in ("build", "twine"):
        pytest.importorskip(module)
    subprocess.run([sys.executable, "-m", "build", "-o", tmp_path, ROOT], check=True, capture_output=True)
    wheel, source = *tmp_path.glob("*.whl"), *tmp_path.glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", wheel, source], check=True, capture_output=True)
    with ZipFile(wheel) as packed:
        names = packed.namelist()
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == set(PACKAGES.values())
    catalogues = [f"translations/{language}/LC_MESSAGES/messages.po" for language in ("de", "fr")]
    for package, needed in {
        "cardledger": ("py.typed", "record/store/postgres.sql", "README.md", "testing/test_game.py"),
        "cardledger_api": ("py.typed", "static/docs.css", "README.md"),
        "cardledger_web": ("py.typed", "templates/base.html", "samples/README.md", "README.md", *catalogues),
    }.items():
        assert {f"{package}/{name}" for name in needed} <= {*names}
