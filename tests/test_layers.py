"""The direction of imports: the domain knows no web, and within it modules import only what lies below them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# From the ground up: a module may import from its own line and the lines above.
LAYERS = [
    {"count_of", "crew", "errors", "listed", "plugins", "progress", "settings"},
    {"engine", "games"},
    {"kernel"},
    {"bots", "codes", "evenings"},
    {"store", "people", "readmodels", "matches"},
    {"recording"},
    {"proofs", "spreadsheets", "bridge_files"},
    {"stats"},
    {"backup", "archive", "doctor", "analyse"},
    {"cli", "public_api"},
]
ALLOWED = {"ledger": {"ledger"}, "api": {"ledger", "api"}, "web": {"ledger", "api", "web"}}


def room(name: str) -> str | None:
    """Return the top folder of a dotted name: `ledger` for the domain; None for foreign packages."""
    first, second, *_ = [*name.split("."), ""]
    if first in ALLOWED:
        raise AssertionError(f"{name}: the import name is cardledger")
    if first != "cardledger":
        return None
    return second if second in ("api", "web") else "ledger"


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text())


def imported(path: Path, typing_too: bool = True) -> set[str]:
    """Return the dotted names a file imports; those under TYPE_CHECKING only on demand."""
    tree = tree_of(path)
    skipped = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and getattr(block.test, "id", "") == "TYPE_CHECKING" and not typing_too
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
    for path in (ROOT / package).rglob("*.py"):
        assert {room(name) for name in imported(path)} - {None} <= ALLOWED[package], path


def test_the_domain_imports_no_web_library() -> None:
    web = {"flask", "marshmallow", "plotly", "waitress", "werkzeug", "jinja2"}
    for path in (ROOT / "ledger").rglob("*.py"):
        assert not web & {name.partition(".")[0] for name in imported(path)}, path


def test_modules_of_the_domain_import_from_the_layers_below() -> None:
    level = {module: height for height, layer in enumerate(LAYERS) for module in layer}
    for path in (ROOT / "ledger").rglob("*.py"):
        parts = path.relative_to(ROOT / "ledger").with_suffix("").parts
        if parts[0] in ("__init__", "__main__"):
            continue
        for name in imported(path, typing_too=False):
            words = name.split(".")
            if words[0] == "cardledger" and len(words) > 1:
                below = words[1]
                assert level[below] <= level[parts[0]], f"{'/'.join(parts)} imports {name}"


def test_rules_and_tables_need_no_third_party_package_but_the_event_declarations() -> None:
    for module in ("errors", "engine/cards", "engine/rulebook", "engine/hidden", "engine/state", "engine/match"):
        tops = {name.partition(".")[0] for name in imported(ROOT / "ledger" / f"{module}.py")}
        assert not tops & {"msgspec", "click", "sqlite_utils", "portalocker"}, module
    for path in (ROOT / "ledger" / "games").glob("*.py"):
        assert "msgspec" not in {name.partition(".")[0] for name in imported(path)}, path


TOLD_TWICE = {"Checkpoint"}
"""The program that checks receipts stands alone, so it has the ledger's checkpoint a second time."""


def test_no_class_name_stands_for_two_things() -> None:
    places: dict[str, list[str]] = {}
    for path in (path for package in ALLOWED for path in (ROOT / package).rglob("*.py")):
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and node.name not in TOLD_TWICE:
                places.setdefault(node.name, []).append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def private(path: Path) -> set[str]:
    """Return the private names of the program that a file of tests uses: attributes, imports, and names to patch."""
    tree, found = tree_of(path), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__"):
            base = ast.unparse(node.value)
            if base not in ("self", "cls", "os", "sys", "signal"):
                found.add(f"{base}.{node.attr}")
        elif isinstance(node, ast.ImportFrom) and str(node.module).startswith("cardledger"):
            found |= {name.name for name in node.names if name.name.startswith("_") and not name.name.startswith("__")}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setattr"):
            names = [arg.value for arg in node.args[1:2] if isinstance(arg, ast.Constant)]
            found |= {str(name) for name in names if str(name).startswith("_") and not str(name).startswith("__")}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("cardledger."):
            found |= {node.value} if "._" in node.value and "__" not in node.value else set()
    return found


PUBLIC = ("_replace", "_asdict", "_fields", "_repr_html_", "_repr_svg_")
"""Names that Python made public in spite of the underscore."""
LIBRARIES = ("server._map", "listening._map", "pool._processes", "Rule._compile_builder", "rule._trace")
"""What only waitress, a pool of processes and werkzeug can tell or do."""


def test_no_test_looks_at_private_names() -> None:
    found = {
        str(path.relative_to(ROOT)): names
        for path in (ROOT / "tests").rglob("*.py")
        if (names := {name for name in private(path) if not name.endswith(PUBLIC + LIBRARIES)})
    }
    assert found == {}
