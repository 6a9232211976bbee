"""The documents: what they leave out, a test finds; what they show, runs."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from importlib import import_module

import click
import pytest

from cardledger.cli import main as cli
from cardledger.record.matches.shape import parse
from cardledger.record.readmodels import TABLES
from tests.documents import DOCUMENTS, ROOT, SAVED

MATCHES = DOCUMENTS["ledger/cardledger/record/matches/README.md"]


def read_model_tables() -> str:
    """Return the read models as the README shows them."""
    parts = []
    for model in TABLES.values():
        rows = [
            f"| `{name}` | {kind.partition(' ')[0].lower()} | {meaning} |"
            for name, (kind, meaning) in model.columns.items()
        ]
        parts.append(
            "\n".join([f"`{model.name}`: {model.about}", "", "| column | type | meaning |", "|---|---|---|", *rows])
        )
    return "\n\n".join(parts)


def test_the_read_models_are_documented_column_by_column() -> None:
    shown = (
        DOCUMENTS["ledger/cardledger/record/readmodels/README.md"]
        .partition("<!-- read models: begin -->\n")[2]
        .partition("\n<!-- read models: end -->")[0]
    )
    assert shown == read_model_tables()


@pytest.mark.parametrize("name", cli.main.list_commands(click.Context(cli.main)))
def test_every_command_is_in_the_table_of_commands(name: str) -> None:
    assert re.search(rf"`(\w+ ?\w*`, `)*{name}\b", DOCUMENTS["ledger/cardledger/cli/README.md"])


def test_the_match_file_shown_is_one() -> None:
    block = next(part for part in MATCHES.split("```") if part.startswith('\n{"type":"open"'))
    events = [parse(line.encode()) for line in block.strip().splitlines()]
    assert next(event.__struct_config__.tag for event in events) == "open"


def test_the_replay_result_shown_is_json() -> None:
    block = next(part for part in MATCHES.split("```") if part.startswith('\n{"game"'))
    assert set(json.loads(block)) == {
        "game", "players", "options", "status", "hands", "totals", "winners", "violations",
    }  # fmt: skip


def anchors(text: str) -> set[str]:
    """Return the anchors that headings of a document get."""
    titles = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_all_links_work(name: str) -> None:
    for path, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", DOCUMENTS[name]):
        target = (ROOT / name).parent / path if path else ROOT / name
        assert target.exists(), path
        if anchor:
            assert anchor in anchors(target.read_text()), f"{path}#{anchor}"


PATH = re.compile(r"\b(?:ledger/cardledger|api/cardledger_api|web/cardledger_web)/[\w/.-]*\w")
DOTTED = re.compile(r"`(cardledger(?:_api|_web)?(?:\.[A-Za-z_]\w*)+)`")


def named() -> dict[str, str]:
    """Return every text that names files and modules: documents and sources."""
    sources = (path for top in ("ledger", "api", "web", "tests", ".build") for path in (ROOT / top).rglob("*.py"))
    return DOCUMENTS | {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sources}


def test_every_file_that_a_text_names_is_there() -> None:
    missing = {
        f"{name}: {path}"
        for name, text in named().items()
        for path in PATH.findall(text)
        if not (ROOT / path.partition("/LANGUAGE")[0]).exists()  # the word in capitals stands for any
    }
    assert missing == set()


def test_every_script_that_a_document_names_by_its_last_part_is_there() -> None:
    there = [f"/{name}" for name in named()]
    missing = {
        f"{name}: {path}"
        for name, text in DOCUMENTS.items()
        for path in re.findall(r"`/?([\w/]+\.py)`", text)
        if path not in {file for file, _ in SAVED.findall(text)}
        and not any(each.endswith(f"/{path}") for each in there)
    }
    assert missing == set()


def exists(dotted: str) -> bool:
    """Tell whether a dotted name leads to a module, or to something in one."""
    words = dotted.split(".")
    for end in range(len(words), 0, -1):
        with suppress(ModuleNotFoundError):
            found: object = import_module(".".join(words[:end]))
            try:
                for word in words[end:]:
                    found = getattr(found, word)
            except AttributeError:
                return False
            return True
    return False


def test_every_module_that_a_text_names_is_there() -> None:
    others = {
        "cardledger.games",
        "cardledger.commands",
        "cardledger.page_files",
        "cardledger.db",
        "cardledger.toml",
    }  # groups of entry points; files
    names = {(name, dotted) for name, text in named().items() for dotted in DOTTED.findall(text)}
    missing = {f"{name}: {dotted}" for name, dotted in names if dotted not in others and not exists(dotted)}
    assert missing == set()


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= 8 * 1024
