"""The archive that a browser's engine runs: the modules of ours that it needs, games of packages, words and templates.

Which modules that are is found by following imports from the one that answers, so that none is forgotten. The bytes depend on the
files alone.
"""

from __future__ import annotations

import ast
import gzip
import sys
import threading
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import ZipFile, ZipInfo

from jinja2 import Environment
from jinja2.nodes import Const

from cardledger.rules.games import games
from cardledger_web.languages import add_words, compiled, compiled_name, others

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OURS = ("cardledger", "cardledger_web")
"""Our packages."""
LIBRARIES = ("jinja2", "markupsafe", "mypy_extensions")
"""Packages of others that are Python alone, or can be; msgspec lies beside the archive, as it is compiled."""
GAMES = "cardledger.rules.games"
"""The games are found by the names of their folders."""


class Start(NamedTuple):
    """What an archive is for: the module that answers in it, its class there, and the templates that this draws.

    What reads files of others may say any sentence; the others know those of their modules.
    """

    module: str
    answers: str
    templates: tuple[str, ...]
    says_anything: bool = False


SCORING = Start(
    "cardledger_web.engine.inside",
    "Inside",
    ("card_table.html", "hand_worth.html", "score_log.html", "score_main.html", "two_records.html"),
)
"""A scorer's page."""
STUDYING = Start(
    "cardledger_web.engine.studying",
    "Studying",
    ("card.html", "card_table.html", "known_part.html", "offered.html", "position.html", "quiz_part.html", "rule.html"),
)
"""A match in a file."""
TRYING = Start(
    "cardledger_web.engine.trying",
    "Trying",
    (
        "card_table.html",
        "hand_worth.html",
        "score_log.html",
        "sheet_read.html",
        "tried_events.html",
        "tried_file.html",
        "tried_matches.html",
        "tried_sheet.html",
    ),
    says_anything=True,
)
"""A page where files are tried."""
_EPOCH = (1980, 1, 1, 0, 0, 0)


_MAKING = threading.Lock()
"""Python 3.11 cannot make syntax trees in two threads at once: one fails with a SystemError if a callback of the garbage
collection lets the other go on."""


def archive(start: Start = SCORING) -> bytes:
    """Return an archive as a zip file in gzip: packed as a whole it is a quarter smaller than file by file."""
    with _MAKING:
        return packed(start)


@cache
def packed(start: Start) -> bytes:
    """Return an archive, made by one thread."""
    return _zipped(dict(_files(start)))


def _zipped(files: Mapping[str, bytes]) -> bytes:
    made = BytesIO()
    with ZipFile(made, "w") as into:
        for name, body in sorted(files.items()):
            into.writestr(ZipInfo(name, _EPOCH), body)
    return gzip.compress(made.getvalue(), mtime=0)


def modules(start: Start = SCORING) -> dict[str, Path]:
    """Return the modules of ours that the engine needs, by name."""
    found: dict[str, Path] = {}
    waiting = [start.module, *_below(GAMES)]
    while waiting:
        name = waiting.pop()
        path = _file(name)
        if name in found or path is None:
            continue
        found[name] = path
        waiting += _parents(name)
        waiting += [imported for imported in imports(path) if imported.partition(".")[0] in OURS]
    return found


def imports(path: Path) -> Iterator[str]:
    """Yield what a file imports when it runs; of `from x import y`, both x and x.y."""
    waiting: list[ast.AST] = [ast.parse(path.read_bytes())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            waiting += node.orelse
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.stmt | ast.Module | ast.excepthandler | ast.match_case):
            waiting += ast.iter_child_nodes(node)


def texts(start: Start) -> set[str]:
    """Return every text that the modules, templates and games of an archive hold: it says no sentence that is none of them.

    Games put some of theirs together when they are made. Names are said with blanks.
    """
    speaking = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    add_words(speaking)
    found: set[object] = set()
    for path in modules(start).values():
        parsed = ast.walk(ast.parse(path.read_bytes()))
        found |= {node.value for node in parsed if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    for template in start.templates:
        drawn = speaking.parse(_template(template).read_text("utf-8"))
        found |= {node.value for node in drawn.find_all(Const) if isinstance(node.value, str)}
    said = {*map(str, found), *_held(games(), set())}
    return said | {text.replace("_", " ") for text in said}


def _undocumented(name: str, body: bytes) -> bytes:
    """Return a file; of a module without its docstrings, as `python -OO` runs it, each line where it was."""
    if not name.endswith(".py"):
        return body
    lines = body.splitlines(keepends=True)
    for node in ast.walk(ast.parse(body)):
        match node:
            case ast.Expr(
                ast.Constant(str()), lineno=first, end_lineno=int(last), col_offset=start, end_col_offset=end
            ):
                behind = lines[last - 1][end:]
                lines[last - 1] = behind if last > first else lines[first - 1][:start] + b'""' + behind
                if last > first:
                    lines[first - 1 : last - 1] = [lines[first - 1][:start] + b'""\n', *[b"\n"] * (last - first - 1)]
    return b"".join(lines)


def _held(value: Any, seen: set[int]) -> Iterator[str]:
    """Yield the texts in a value of ours, and in those that it holds."""
    if isinstance(value, str):
        yield value
    elif id(value) not in seen:
        seen.add(id(value))
        inner: Iterable[Any] = ()
        if isinstance(value, Mapping):
            inner = (*value, *value.values())
        elif isinstance(value, tuple | list | set | frozenset):
            inner = (*value,)
        elif is_dataclass(value) and not isinstance(value, type):
            inner = (getattr(value, each.name) for each in fields(value))
        elif type(value).__module__.partition(".")[0] in OURS:
            inner = (
                *getattr(value, "__dict__", {}).values(),
            )  # at once: a match that is played may add to it meanwhile
        for one in inner:
            yield from _held(one, seen)


def _files(start: Start) -> Iterator[tuple[str, bytes]]:
    ours = {}
    for name, path in modules(start).items():
        inside = name.replace(".", "/")
        ours[f"{inside}/__init__.py" if path.name == "__init__.py" else f"{inside}.py"] = path
    for template in start.templates:
        ours[f"cardledger_web/templates/{template}"] = _template(template)
    yield from ((name, _undocumented(name, path.read_bytes())) for name, path in ours.items())
    said = None if start.says_anything else texts(start)
    for language in others():
        yield f"cardledger_web/translations/{compiled_name(language)}", compiled(language, said)
    for library in LIBRARIES:
        yield from ((name, _undocumented(name, body)) for name, body in _sources(library))
    yield from _games()


def _games() -> Iterator[tuple[str, bytes]]:
    """Yield the packages that bring games, each whole, with what says so: there is no list of their files if they are developed."""
    for point in entry_points(group="cardledger.games"):
        try:
            yield from _sources(point.module.partition(".")[0])
        except ModuleNotFoundError:
            continue  # a broken package is left out here as on the server, which names it (plugin.broken)
        if point.dist is not None:
            info = f"{point.dist.name.replace('-', '_')}-{point.dist.version}.dist-info"
            yield (
                f"{info}/METADATA",
                f"Metadata-Version: 2.1\nName: {point.dist.name}\nVersion: {point.dist.version}\n".encode(),
            )
            brought = [each for each in point.dist.entry_points if each.group == point.group]
            lines = [f"[{point.group}]", *(f"{each.name} = {each.value}" for each in brought)]
            yield f"{info}/entry_points.txt", "\n".join([*lines, ""]).encode()


def _sources(library: str) -> Iterator[tuple[str, bytes]]:
    origin = _origin(library)
    if origin.name != "__init__.py":
        yield origin.name, origin.read_bytes()
        return
    for path in origin.parent.rglob("*.py"):
        yield f"{library}/{path.relative_to(origin.parent)}", path.read_bytes()


def _template(name: str) -> Path:
    return _home("cardledger_web") / "templates" / name


@cache
def _home(package: str) -> Path:
    return _origin(package).parent


def _origin(name: str) -> Path:
    """Return the file of an installed module, or of a package's `__init__`."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{name} is not installed")
    return Path(spec.origin)


def _file(name: str) -> Path | None:
    """Return the file of a module of ours, None for what is no module."""
    package, *rest = name.split(".")
    path = _home(package).joinpath(*rest)
    module = path.with_suffix(".py")
    if rest and module.is_file():
        return module
    return path / "__init__.py" if (path / "__init__.py").is_file() else None


def _below(package: str) -> Iterator[str]:
    """Yield the names of all modules of a package."""
    top = _file(package)
    assert top is not None
    for path in top.parent.rglob("*.py"):
        parts = path.relative_to(top.parent).with_suffix("").parts
        yield ".".join((package, *parts)).removesuffix(".__init__")


def _parents(name: str) -> Iterator[str]:
    words = name.split(".")
    return (".".join(words[:end]) for end in range(1, len(words)))


if __name__ == "__main__":  # what every archive needs of the interpreter
    every = {name: body for start in (SCORING, STUDYING, TRYING) for name, body in _files(start)}
    Path(sys.argv[1]).write_bytes(_zipped(every))
