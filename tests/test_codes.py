"""Every code that a message may carry is explained: what it means and what to do next."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.codes import CODES, explained
from cardledger.rules.engine.rulebook import COMMON
from cardledger.rules.games import games

ROOT = Path(__file__).parent.parent
FAMILIES = {code.partition(".")[0] for code in CODES}
RULES = {rule.id for rules in (COMMON, *(game.book.rules for game in games().values())) for rule in rules}


def written() -> set[str]:
    """Return all texts of the source that look like a code."""
    texts = {
        node.value
        for room in ("ledger", "api", "web")
        for file in (ROOT / room).rglob("*.py")
        if file.name != "codes.py"
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {
        text
        for text in texts
        if re.fullmatch(r"[a-z]+\.[a-z][a-z-]*", text)
        and text.partition(".")[0] in FAMILIES
        and not text.endswith(".html")
        and text != "backup.json"
    }


def test_every_code_in_the_source_is_explained_and_no_other() -> None:
    assert written() - RULES == CODES.keys()


@pytest.mark.parametrize("code", ["store.conflict", "follow.suit", "table.turn"])
def test_a_code_is_explained_on_the_command_line(code: str) -> None:
    found = explained(code)
    assert found is not None
    printed = CliRunner().invoke(main, ["explain", code])
    assert (printed.exit_code, printed.output) == (0, f"{found.meaning}\n{found.remedy}\n")


def test_only_a_rule_that_can_be_broken_is_offered_the_policy_that_records_it() -> None:
    for code, offered in {"follow.suit": True, "table.phase": False, "table.turn": False}.items():
        found = explained(code)
        assert found is not None
        assert ("policy `record`" in found.remedy) is offered


def test_an_unknown_code_is_refused() -> None:
    printed = CliRunner().invoke(main, ["explain", "store.nonsense"])
    assert printed.exit_code != 0
    assert "store.unknown" in printed.output


def test_explanations_are_sentences() -> None:
    for code, found in CODES.items():
        for text in found:
            assert re.fullmatch(r"[A-Z`].*\.", text), code
