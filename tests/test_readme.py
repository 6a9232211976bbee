"""The README: what is not in it, a test finds; what it shows, runs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

from ledger import cli, matchfile
from ledger.readmodels import MODELS, SUMMARIES
from ledger.readmodels.ratings import RATINGS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def read_model_tables() -> str:
    """Return the read models as the README shows them."""
    parts = []
    for model in (*MODELS, *SUMMARIES, RATINGS):
        rows = [
            f"| `{name}` | {kind.partition(' ')[0].lower()} | {meaning} |"
            for name, (kind, meaning) in model.columns.items()
        ]
        parts.append(
            "\n".join([f"`{model.name}`: {model.about}", "", "| column | type | meaning |", "|---|---|---|", *rows])
        )
    return "\n\n".join(parts)


def test_the_read_models_are_documented_column_by_column() -> None:
    shown = README.partition("<!-- read models: begin -->\n")[2].partition("\n<!-- read models: end -->")[0]
    assert shown == read_model_tables()


@pytest.mark.parametrize("name", cli.main.list_commands(click.Context(cli.main)))
def test_every_command_is_in_the_readme(name: str) -> None:
    assert re.search(rf"`(\w+ ?\w*`, `)*{name}\b", README)


def test_every_code_is_in_the_readme() -> None:
    sources = [path.read_text() for path in (ROOT / "ledger").rglob("*.py")]
    codes = {
        code for text in sources for code in re.findall(r'"((?:format|store|people|proofs|workers)\.[a-z]+)"', text)
    }
    assert codes == set(re.findall(r"`((?:format|store|people|proofs|workers)\.[a-z]+)`", README))


def test_the_match_file_shown_is_one() -> None:
    block = next(part for part in README.split("```") if part.startswith('\n{"type":"open"'))
    events = [matchfile.parse(line.encode()) for line in block.strip().splitlines()]
    assert next(event.__struct_config__.tag for event in events) == "open"


def test_the_replay_result_shown_is_json() -> None:
    block = next(part for part in README.split("```") if part.startswith('\n{"game"'))
    assert set(json.loads(block)) == {
        "game", "players", "options", "status", "hands", "totals", "winners", "violations",
    }  # fmt: skip


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
