"""The direction of imports: the domain knows no web, and within it modules import only what lies below them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# From the ground up: a module may import from its own line and the lines above.
LAYERS = [
    {"errors", "cards", "rulebook", "progress", "turns", "outcomes"},
    {"events"},
    {"people"},
    {"unseen", "hand", "game", "choice"},
    {"parts"},
    {"table"},
    {"tricks"},
    {"plays"},
    {"measures"},
    {"games"},
    {"corrections"},
    {"matchfile", "replay", "changes", "steps"},
    {"store"},
    {"personal"},
    {"register"},
    {"readmodels"},
    {"live"},
    {"memory"},
    {"intake"},
    {"ledger"},
    {"erasing"},
    {"proofs"},
    {"words", "bots", "settings"},
    {"cli"},
    {"backup", "copying", "doctor", "people_command", "proofs_command", "stats", "archive"},
    {"analyse"},
    {"__main__"},
]
ALLOWED = {"ledger": {"ledger"}, "api": {"ledger", "api"}, "web": {"ledger", "api", "web"}}


def imported(path: Path, typing_too: bool = True) -> set[str]:
    """Return the dotted names a file imports; those under TYPE_CHECKING only on demand."""
    tree = ast.parse(path.read_text())
    skipped = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING" and not typing_too
        for node in ast.walk(block)
    }
    names = set()
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("package", ALLOWED)
def test_packages_import_downwards_only(package: str) -> None:
    ours = set(ALLOWED)
    for path in (ROOT / package).rglob("*.py"):
        tops = {name.partition(".")[0] for name in imported(path)}
        assert tops & ours <= ALLOWED[package], path


def test_the_domain_imports_no_web_library() -> None:
    web = {"flask", "marshmallow", "plotly", "waitress", "werkzeug", "jinja2"}
    for path in (ROOT / "ledger").rglob("*.py"):
        assert not web & {name.partition(".")[0] for name in imported(path)}, path


def test_modules_of_the_domain_import_from_the_layers_below() -> None:
    level = {module: height for height, layer in enumerate(LAYERS) for module in layer}
    for path in (ROOT / "ledger").rglob("*.py"):
        parts = path.relative_to(ROOT / "ledger").with_suffix("").parts
        if parts == ("__init__",):
            continue
        for name in imported(path, typing_too=False):
            words = name.split(".")
            if words[0] == "ledger" and len(words) > 1:
                below = words[1]
                assert level[below] <= level[parts[0]], f"{'/'.join(parts)} imports {name}"


def test_rules_and_tables_need_no_third_party_package_but_the_event_declarations() -> None:
    for module in ("errors", "cards", "rulebook", "unseen", "game", "tricks", "corrections"):
        tops = {name.partition(".")[0] for name in imported(ROOT / "ledger" / f"{module}.py")}
        assert not tops & {"msgspec", "click", "sqlite_utils", "portalocker"}, module
    for path in (ROOT / "ledger" / "games").glob("*.py"):
        assert "msgspec" not in {name.partition(".")[0] for name in imported(path)}, path
