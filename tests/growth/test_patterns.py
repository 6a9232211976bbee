"""No regular expression of ours takes longer than its text is long, in Python and in scripts."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cardledger.record.recording.mentions import mentions, partly
from cardledger_web.static.check_receipt import fits_stored
from cardledger_web.views.wording import calls_pattern, names_pattern
from tests.growth.patterns import Use, faults_of

ROOT = Path(__file__).parent.parent.parent
METHODS: dict[str, Use] = {
    "match": "match", "fullmatch": "fullmatch", "search": "search",
    "findall": "all", "finditer": "all", "split": "all", "sub": "all", "subn": "all", "scanner": "all",
}  # fmt: skip
USED = re.compile(rf"(\w+)\.({'|'.join(METHODS)})\b")
WORDS = ("ana", "Jo", "van der Berg", "4S", "no trump")
STORED = "~" + "A" * 26
MADE: dict[str, Callable[[], object]] = {
    "mentions.mentions": lambda: mentions(WORDS),
    "mentions.partly": lambda: partly(WORDS),
    "wording.calls_pattern": lambda: calls_pattern.__wrapped__(WORDS),
    "wording.names_pattern": lambda: names_pattern.__wrapped__(WORDS),
    "check_receipt.fits_stored": lambda: fits_stored(f'{{"a":"{STORED}","b":["{STORED}","{STORED}"]}}', {}, "", {}),
}
"""The functions that put a pattern together while the program runs, each called as an example."""
LITERAL = re.compile(
    r"[(=:,!&|?\[{};]\s*/((?![/*])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/([dgimsuvy]*)[.,;:)\]\s]"
)
"""A pattern in a script: behind a sign after which no division can stand."""
GOOD = [
    (r"a*b", "match"), (r"(a|b)*c", "match"), (r'"(?:[^"\\]|\\.)*"', "match"), (r"^a*$", "search"), (r"a*", "all"),
    (r"(\d{1,6})\D*$", "search"), (r'(?:[^{;\["]|"[^"]*"?)+', "match"), (r"(?m)^ +x*$", "all"), (r'"[^"]*"', "all"),
    (r"(?:a{1,3}b)*c", "fullmatch"), (r"[^\r\n]*[\r\n]", "match"), (r"(a*)b\1c", "match"),
]  # fmt: skip
BAD = [
    (r"(a+)+b", "match"), (r"(?:a|a)*b", "match"), (r"\s*\s*x", "match"), (r"\s+$", "search"), (r".*.*=", "match"),
    (r'(?:[^{;\["]|"[^"]*"?)+', "fullmatch"), (r"(\w+\s?)*x", "match"), (r"(x?)*y", "match"), (r"a(?:a*b)?", "all"),
    (r"(?:a|ab|b)*c", "match"), (r"(?:a{1,3})*b", "fullmatch"), (r"(?i)(?:ka|KA)*x", "match"), (r"\w*\d*x", "match"),
    (r"\s*(\d+)\s*(N|E)?\s*", "fullmatch"), (r"(?:%[^\r\n]*[\r\n]+\s*)*\[", "match"), (r"x(?=.*y)", "all"),
    (r"<!--.*?-->", "all"), (r"(a|b*)*c", "match"), (r"(a*)\1c", "match"), (r"(?m)^\s+x", "all"),
]  # fmt: skip


class Found(NamedTuple):
    """A pattern in the source."""

    place: str
    pattern: str | bytes
    flags: int
    use: Use


class Made(NamedTuple):
    """A pattern that a function puts together while the program runs."""

    place: str
    function: str
    uses: set[Use]


@cache
def sources() -> dict[Path, str]:
    return {path: path.read_text() for top in ("ledger", "api", "web") for path in ROOT.joinpath(top).rglob("*.py")}


@cache
def uses() -> dict[str, set[tuple[Path, Use]]]:
    """Return how whatever has a name is used, and where."""
    found: dict[str, set[tuple[Path, Use]]] = {}
    for path, text in sources().items():
        for name, method in USED.findall(text):
            found.setdefault(name, set()).add((path, METHODS[method]))
    return found


def uses_of(path: Path, node: ast.Call, above: dict[ast.AST, ast.AST]) -> set[Use]:
    """Return how a pattern that is compiled is used: in every way, if that cannot be seen."""
    parent = above[node]
    if isinstance(parent, ast.Attribute):
        return {METHODS[parent.attr]}
    if isinstance(parent, ast.AnnAssign | ast.Assign):
        target = parent.target if isinstance(parent, ast.AnnAssign) else parent.targets[0]
        name = getattr(target, "id", "")
        said = {use for place, use in uses().get(name, set()) if place == path or not name.startswith("_")}
        return said or {"all"}
    return {"all"}


def patterns_of(path: Path) -> Iterator[Found | Made]:
    tree = ast.parse(sources()[path])
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    names = vars(importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts[1:])))
    for node in above:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        called = f"{getattr(node.func.value, 'id', '')}.{node.func.attr}"
        if called not in ("re.compile", "validate.Regexp", *(f"re.{method}" for method in METHODS)):
            continue
        place = f"{path.relative_to(ROOT)}:{node.lineno}"
        ways = uses_of(path, node, above) if called == "re.compile" else {METHODS.get(node.func.attr, "match")}
        given = [node.args[0], *(each.value for each in node.keywords if each.arg == "flags")]
        if called != "re.sub":
            given += node.args[1:2] if called == "re.compile" else node.args[2:3]
        try:
            pattern, *flags = (eval(compile(ast.Expression(each), place, "eval"), dict(names)) for each in given)
        except NameError:
            function = node
            while not isinstance(function, ast.FunctionDef):
                function = above[function]
            yield Made(place, f"{path.stem}.{function.name}", ways)
            continue
        yield from (Found(place, pattern, int(flags[0]) if flags else 0, use) for use in ways)


def patterns_made(function: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Return the patterns that a function compiles."""
    found: list[tuple[str, int]] = []

    def seen(name: str) -> Callable[..., object]:
        before = getattr(re, name)

        def noting(pattern: object, *given: object, **more: Any) -> object:
            if isinstance(pattern, str):
                found.append((pattern, int(more.get("flags", 0))))
            return before(pattern, *given, **more)

        return noting

    with monkeypatch.context() as patch:
        for name in ("match", "fullmatch", "search", "split", "sub", "findall", "finditer"):
            patch.setattr(re, name, seen(name))
        compile = re.compile
        patch.setattr(
            re, "compile", lambda pattern, flags=0: found.append((pattern, int(flags))) or compile(pattern, flags)
        )
        function()
    return found


@pytest.mark.parametrize(("pattern", "use"), GOOD)
def test_a_pattern_that_reads_once_is_allowed(pattern: str, use: Use) -> None:
    assert faults_of(pattern, 0, use) == []


@pytest.mark.parametrize(("pattern", "use"), BAD)
def test_a_pattern_that_reads_more_than_once_is_found(pattern: str, use: Use) -> None:
    assert faults_of(pattern, 0, use)


@pytest.mark.parametrize("top", ["ledger", "api", "web"])
def test_no_pattern_takes_longer_than_its_text(top: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: list[str] = []
    for path, text in sources().items():
        if path.relative_to(ROOT).parts[0] != top or not re.search(r"\bre\b|Regexp", text):
            continue
        for each in patterns_of(path):
            if isinstance(each, Found):
                faults = faults_of(each.pattern, each.flags, each.use)
            elif each.function in MADE:
                made = patterns_made(MADE[each.function], monkeypatch)
                assert made, f"{each.function} compiles nothing: choose another example"
                faults = [
                    fault for pattern, flags in made for use in each.uses for fault in faults_of(pattern, flags, use)
                ]
            else:
                faults = ["it is put together while the program runs: add an example to MADE"]
            wrong += [f"{each.place}: {fault}" for fault in faults]
    assert not wrong, "\n".join(wrong)


def test_patterns_are_only_compiled_as_the_search_for_them_expects() -> None:
    other = re.compile(r"^(from re import|import re as|.*\bimport Regexp\b|(import|from) regex\b)", re.MULTILINE)
    assert [str(path.relative_to(ROOT)) for path, text in sources().items() if other.search(text)] == []


def test_no_pattern_of_a_script_takes_longer_than_its_text() -> None:
    wrong, seen = [], 0
    for path in [*ROOT.glob("web/cardledger_web/static/*.js"), *ROOT.glob("samples/phone-app/*.js")]:
        if path.name.endswith(".min.js"):
            continue
        text = path.read_text()
        found = [(body, "g" in flags) for body, flags in LITERAL.findall(text)]
        wrong += [
            f"{path.name} puts a pattern together: here are no examples of any" for _ in re.findall(r"\bRegExp\(", text)
        ]
        seen += len(found)
        wrong += [
            f"{path.name}: {body}: {fault}"
            for body, often in found
            for fault in faults_of(body, 0, "all" if often else "search")
        ]
    assert not wrong, "\n".join(wrong)
    assert seen >= 20
