"""The site of documents: the list of the help is its list, its links lead somewhere, and it loads nothing from elsewhere."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import pytest

import cardledger
from cardledger import rules
from cardledger.cli import main as cli
from cardledger_web.views.documents import DOCUMENTS, SECTIONS
from tests.documents import ROOT
from tests.waiting import LIMIT

TOOL = ROOT / ".build" / "docsite.py"


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    return runpy.run_path(str(TOOL))


@pytest.fixture(scope="module")
def written(tool: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    folder = tmp_path_factory.mktemp("documents")
    return folder, tool["write"](folder)


def test_every_document_is_in_one_section_of_the_site(written: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, navigation = written
    by_section = {title: listed for each in navigation for title, listed in each.items() if isinstance(listed, list)}
    assert (*by_section,) == SECTIONS
    shown = [page for listed in by_section.values() for each in listed for page in each.values()]
    assert len(shown) == len({*shown}) and {*shown, "index.md"} == {path.name for path in folder.glob("*.md")}
    assert {f"{document.name}.md" for document in DOCUMENTS} < {*shown}


def test_every_link_of_the_site_leads_to_a_page_or_to_the_source(
    written: tuple[Path, list[dict[str, Any]]], tool: dict[str, Any]
) -> None:
    folder, _ = written
    for page in folder.glob("*.md"):
        prose = "".join(re.split(r"^ *```.*?^ *```$", page.read_text("utf-8"), flags=re.M | re.S))
        for address in re.findall(r"\]\(([^)#\s]+)", prose):
            inside = re.fullmatch(rf"{tool['SOURCE']}/(?:blob|tree)/main/(.+)", address)
            if inside or not address.startswith("http"):
                assert (ROOT / inside[1] if inside else folder / address).exists(), f"{page.name}: {address}"


def test_the_reference_has_every_command_operation_and_name(written: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, _ = written
    text = {
        name: (folder / f"{name}-reference.md").read_text("utf-8") for name in ("command", "api", "python", "rules")
    }
    for name in cli.main.list_commands(click.Context(cli.main)):
        assert f"## cardledger {name}\n" in text["command"]
    assert "### `POST /api/v1/matches`" in text["api"]
    assert all(f"## `cardledger.{name}`\n" in text["python"] for name in cardledger.__all__)
    assert all(f"## `cardledger.rules.{name}`\n" in text["rules"] for name in rules.__all__)
    assert " at 0x" not in "".join(text.values()), "the same program makes the same pages"


@pytest.mark.long
@pytest.mark.skipif(not find_spec("material"), reason="the extra docs builds the site")
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = subprocess.run(
        [sys.executable, str(TOOL), str(site)], capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 0, done.stderr
    pages = [*site.rglob("*.html")]
    assert len(pages) > len(DOCUMENTS)
    for page in pages:
        text = page.read_text("utf-8")
        tags = re.findall(r"<(?:script|img|iframe|source|link)\b[^>]*", text)
        loaded = [tag for tag in tags if re.search(r'(?:src|href)="?(?:https?:)?//', tag) and "canonical" not in tag]
        assert loaded == [], page
        assert 'class="mermaid"' not in text and 'data-md-component="source"' not in text, "scripts would ask elsewhere"
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(\W?(?:https?:)?//|@import", style.read_text("utf-8")), style
    assert (site / "pictures" / "replay.jpg").stat().st_size > 0
    assert "first-evening/" in (site / "search" / "search_index.json").read_text("utf-8")
