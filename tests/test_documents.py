"""The documents: what they leave out, a test finds; what they show, runs."""

from __future__ import annotations

import json
import re

import click
import pytest

from cardledger.cli import main as cli
from cardledger.record.matches import matchfile
from cardledger.record.readmodels import TABLES
from tests.documents import DOCUMENTS, ROOT

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
    events = [matchfile.parse(line.encode()) for line in block.strip().splitlines()]
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


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= 8 * 1024
