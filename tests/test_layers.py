"""The direction of imports: the domain knows no web, and within it modules import only what lies below them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from subprocess import run
from typing import TYPE_CHECKING

import pytest

from cardledger import rules

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PACKAGES = {"cardledger": "ledger", "cardledger_api": "api", "cardledger_web": "web"}
"""Each package and the folder it is in, from the ground up: a package imports from those before it."""
FLOORS = [
    {
        "apart",
        "count_of",
        "companion",
        "crew",
        "errors",
        "listed",
        "page_file",
        "installation",
        "plugins",
        "progress",
        "pseudonyms",
        "sentence",
        "settings",
    },
    {"rules"},
    {"codes"},
    {"record"},
    {"formats"},
    {"study"},
    {"cli", "public_api"},
]
"""The floors of the domain: a module imports from its own line and the lines above."""
ROOMS = [
    *FLOORS[:1],
    {"rules.engine"},
    {"rules"},
    {"rules.games"},
    {"rules.stream", "rules.kernel", "codes"},
    {"rules.evenings", "rules.lessons", "rules.questions"},
    {"rules.knowledge"},
    {"rules.bots"},
    {"record.people"},
    {"record.store", "record.matches"},
    {"record.readmodels"},
    {"record.recording"},
    {"formats.markup", "formats.encoding"},
    {"formats.recognition", "formats.mending"},
    {"record.proofs", "formats.spreadsheets", "formats.bridge_files"},
    {"study.stats"},
    {"record.backup", "study.archive", "record.doctor", "study.analyse", "study.open_data"},
    *FLOORS[-1:],
]
"""The same within the floors, room by room."""
BESIDE = {"__init__", "__main__", "testing"}
"""What stands beside the floors: the package itself, and the tests that authors of games run."""


def of_domain() -> list[tuple[Path, str]]:
    """Return the modules of the domain that are on a floor, with their names inside of the package."""
    top = ROOT / "ledger" / "cardledger"
    named = ((path, ".".join(path.relative_to(top).with_suffix("").parts)) for path in top.rglob("*.py"))
    return [(path, name) for path, name in named if name.partition(".")[0] not in BESIDE]


def level(heights: list[set[str]], name: str) -> int | None:
    """Return how high a module is: that of the longest name in a line that it begins with."""
    words = name.split(".")
    for end in range(len(words), 0, -1):
        for height, line in enumerate(heights):
            if ".".join(words[:end]) in line:
                return height
    return None


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text())


def statements(block: list[ast.stmt], typing_too: bool) -> Iterator[ast.stmt]:
    """Yield the statements of a block and of those in it, without those under TYPE_CHECKING if they are not wanted.

    Imports are statements, and most nodes of a tree are none: to walk through all of it takes ten times as long.
    """
    for one in block:
        yield one
        if isinstance(one, ast.If) and getattr(one.test, "id", "") == "TYPE_CHECKING" and not typing_too:
            continue
        for part in ("body", "orelse", "finalbody"):
            yield from statements(getattr(one, part, []), typing_too)
        for part in ("handlers", "cases"):
            for each in getattr(one, part, []):
                yield from statements(each.body, typing_too)


@cache
def imported(path: Path, typing_too: bool = True) -> set[str]:
    """Return the dotted names a file imports; those under TYPE_CHECKING only on demand."""
    names = set()
    for one in statements(tree_of(path).body, typing_too):
        if isinstance(one, ast.Import):
            names |= {alias.name for alias in one.names}
        elif isinstance(one, ast.ImportFrom):
            assert one.level == 0, f"{path}: imports are absolute"
            names |= {f"{one.module}.{alias.name}" for alias in one.names}
    return names


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_import_downwards_only(package: str) -> None:
    names = list(PACKAGES)
    above = set(names[names.index(package) + 1 :])
    for path in (ROOT / PACKAGES[package]).rglob("*.py"):
        if "testing" not in path.parts:
            assert not above & {name.partition(".")[0] for name in imported(path)}, path


def test_the_domain_imports_no_web_library() -> None:
    web = {"flask", "marshmallow", "plotly", "waitress", "werkzeug", "jinja2"}
    for path, _ in of_domain():
        assert not web & {name.partition(".")[0] for name in imported(path)}, path


@pytest.mark.parametrize("heights", [FLOORS, ROOMS], ids=["floors", "rooms"])
def test_modules_of_the_domain_import_from_the_layers_below(heights: list[set[str]]) -> None:
    for path, module in of_domain():
        own = level(heights, module)
        assert own is not None or module in (
            "rules.__init__",
            "record.__init__",
            "formats.__init__",
            "study.__init__",
        ), f"{module} is in no line"
        for name in imported(path, typing_too=False):
            if name.startswith("cardledger.") and own is not None:
                below = level(heights, name.removeprefix("cardledger."))
                assert below is not None, f"{module} imports {name}, which is in no line"
                assert below <= own, f"{module} imports {name}"


def sources() -> dict[str, Path]:
    """Return the modules of the three packages by name; a package by the name of its folder."""
    found = {}
    for package, root in PACKAGES.items():
        for path in (ROOT / root / package).rglob("*.py"):
            words = path.relative_to(ROOT / root).with_suffix("").parts
            if "testing" not in words:
                found[".".join(words[:-1] if words[-1] == "__init__" else words)] = path
    return found


def arrows(typing_too: bool) -> dict[str, set[str]]:
    """Return for each module the modules that it imports, anywhere in its text: at the top, or in a function."""
    modules = sources()

    def module_of(name: str) -> str | None:
        words = name.split(".")
        tried = (".".join(words[:end]) for end in range(len(words), 0, -1))
        return next((each for each in tried if each in modules), None)

    found = {name: {module_of(each) for each in imported(path, typing_too)} for name, path in modules.items()}
    return {name: {each for each in others if each and each != name} for name, others in found.items()}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return the largest sets within which each leads to each: what remains when ends and beginnings are taken away, split.

    >>> circles({"a": {"b"}, "b": {"a", "c"}, "c": set()})
    [['a', 'b']]
    """

    def reached(start: str, edges: dict[str, set[str]]) -> set[str]:
        seen, next_ones = set[str](), {start}
        while next_ones:
            seen |= next_ones
            next_ones = {other for one in next_ones for other in edges.get(one, ())} - seen
        return seen

    back: dict[str, set[str]] = {}
    for one, others in graph.items():
        for other in others:
            back.setdefault(other, set()).add(one)
    found, left = [], set(graph)
    while left:
        start = min(left)
        circle = reached(start, graph) & reached(start, back)
        left -= circle
        if len(circle) > 1:
            found.append(sorted(circle))
    return found


def test_no_module_leads_back_to_itself_by_imports_at_any_depth() -> None:
    assert circles(arrows(typing_too=False)) == []


def room_of(module: str) -> str:
    """Return the room of a module: a folder of a floor, a folder of the API or the pages, or a module beside them.

    >>> room_of("cardledger.record.readmodels.tables.plays"), room_of("cardledger_api.auth.tokens")
    ('cardledger.record.readmodels', 'cardledger_api.auth')
    """
    words = module.split(".")
    floors = {
        floor for line in FLOORS for floor in line if (ROOT / "ledger/cardledger" / floor / "__init__.py").exists()
    }
    return ".".join(words[: 3 if words[0] == "cardledger" and words[1:2] and words[1] in floors else 2])


def test_no_two_rooms_import_each_other_not_even_for_their_types() -> None:
    rooms: dict[str, set[str]] = {}
    for module, others in arrows(typing_too=True).items():
        if module not in PACKAGES:  # a package itself offers what is in its rooms
            own = room_of(module)
            rooms.setdefault(own, set()).update({room_of(other) for other in others} - {own, *PACKAGES})
    assert circles(rooms) == []


def test_games_import_what_authors_of_games_may_rely_on() -> None:
    games = ROOT / "ledger/cardledger/rules/games"
    for path in [*games.glob("*/*.py"), *(ROOT / "tests/plugin" / name for name in ("declarer.py", "high_card.py"))]:
        for name in imported(path):
            if name.startswith("cardledger."):
                module, _, what = name.rpartition(".")
                assert module in ("cardledger.errors", "cardledger.rules") or name.startswith(
                    "cardledger.rules.games."
                ), path
                assert module != "cardledger.rules" or what in rules.__all__, f"{path} imports {name}"


def test_rules_and_tables_need_no_third_party_package_but_the_event_declarations() -> None:
    domain = ROOT / "ledger" / "cardledger"
    engine = ("cards", "rulebook", "hidden", "state", "match")
    for module in ("errors", *(f"rules/engine/{name}" for name in engine)):
        tops = {name.partition(".")[0] for name in imported(domain / f"{module}.py")}
        assert not tops & {"msgspec", "click", "portalocker"}, module
    for path in (domain / "rules" / "games").glob("*.py"):
        assert "msgspec" not in {name.partition(".")[0] for name in imported(path)}, path


TOLD_TWICE = {"Checkpoint"}
"""The program that checks receipts stands alone, so it has the ledger's checkpoint a second time."""


def test_no_class_name_stands_for_two_things() -> None:
    places: dict[str, list[str]] = {}
    for path in (path for root in PACKAGES.values() for path in (ROOT / root).rglob("*.py")):
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
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("cardledger"):
            found |= {node.value} if "._" in node.value and "__" not in node.value else set()
    return found


PUBLIC = ("_replace", "_asdict", "_fields", "_repr_html_", "_repr_svg_")
"""Names that Python made public in spite of the underscore."""
LIBRARIES = (
    "server._map",
    "listening._map",
    "pool._processes",
    "Rule._compile_builder",
    "rule._trace",
    "re._compile",
    "_compile",
)
"""What only waitress, a pool of processes, werkzeug and re can tell or do."""


def test_no_test_looks_at_private_names() -> None:
    found = {
        str(path.relative_to(ROOT)): names
        for path in (ROOT / "tests").rglob("*.py")
        if (names := {name for name in private(path) if not name.endswith(PUBLIC + LIBRARIES)})
    }
    assert found == {}


LONGEST = 400
"""The most lines of a file of the program."""
ALONE = ROOT / "web/cardledger_web/static/check_receipt.py"
"""What people download to check a receipt, and run without anything beside it."""


def test_a_file_can_be_read_at_a_sitting() -> None:
    files = (path for folder in PACKAGES.values() for path in (ROOT / folder).rglob("*.py"))
    long = {str(path): len(path.read_text().splitlines()) for path in files if path != ALONE}
    assert {path: lines for path, lines in long.items() if lines > LONGEST} == {}


TOP = {"LICENSE", "README.md", "api", "ledger", "pyproject.toml", "samples", "tests", "web"}


def test_nothing_else_lies_at_the_top_of_the_project() -> None:
    listed = run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("the files are not from git")
    top = {name.partition("/")[0] for name in listed.stdout.split("\0") if name}
    assert {name for name in top if not name.startswith(".")} == TOP
