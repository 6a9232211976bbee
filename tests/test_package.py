"""The distribution: three packages, each a folder of the tree, and no other name."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest
from markdown_it import MarkdownIt

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
README = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
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


def addresses(text: str) -> list[str]:
    """Return what the links and pictures of a text in Markdown name."""
    return re.findall(r' (?:href|src)="([^"]*)"', MarkdownIt("commonmark").enable("table").render(text))


def test_on_a_package_index_every_link_of_the_readme_is_whole() -> None:
    (fragment,) = README["fragments"]
    written = (ROOT / fragment["path"]).read_text(encoding="utf-8")
    text = written
    for each in README["substitutions"]:
        text = re.sub(
            each["pattern"], each["replacement"].replace("$HFPR_VERSION", PROJECT["project"]["version"]), text
        )
    source = PROJECT["project"]["urls"]["Source"]
    named = addresses(text)
    assert len(named) == len(addresses(written)) > 20
    for address, before in zip(named, addresses(written), strict=True):
        if address == before:
            assert before.startswith("https://")
            continue
        found = re.fullmatch(rf"{source}/(blob|raw)/v{PROJECT['project']['version']}/([^#]+)(#.*)?", address)
        assert found and (ROOT / found[2]).exists(), address
        assert (found[1] == "raw") == (Path(found[2]).suffix == ".jpg"), "a picture is shown, a page is opened"


def test_the_addresses_of_the_project_are_of_one_place() -> None:
    source = PROJECT["project"]["urls"]["Source"]
    assert all(address.startswith(source) for address in PROJECT["project"]["urls"].values())
    assert all(each["replacement"].split("(")[1].startswith(f"{source}/") for each in README["substitutions"])
    cited = (ROOT / ".github" / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert {f"repository-code: {source}", f"version: {PROJECT['project']['version']}"} <= {*cited}


@pytest.mark.long
def test_wheel_and_source_are_whole_and_put_only_the_three_packages_into_site_packages(tmp_path: Path) -> None:
    for module in ("build", "twine"):
        pytest.importorskip(module)
    subprocess.run([sys.executable, "-m", "build", "-o", tmp_path, ROOT], check=True, capture_output=True)
    wheel, source = *tmp_path.glob("*.whl"), *tmp_path.glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", wheel, source], check=True, capture_output=True)
    with ZipFile(wheel) as packed:
        names = packed.namelist()
        (about,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        described = message_from_bytes(packed.read(about))
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == set(PACKAGES.values())
    assert {address.partition(":")[0] for address in addresses(described.get_payload(decode=True).decode())} == {
        "https"
    }
    catalogues = [f"translations/{language}/LC_MESSAGES/messages.po" for language in ("de", "fr")]
    for package, needed in {
        "cardledger": ("py.typed", "record/store/postgres.sql", "README.md", "testing/test_game.py"),
        "cardledger_api": ("py.typed", "static/docs.css", "README.md"),
        "cardledger_web": ("py.typed", "templates/base.html", "samples/README.md", "README.md", *catalogues),
    }.items():
        assert {f"{package}/{name}" for name in needed} <= {*names}
