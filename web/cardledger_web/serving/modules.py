"""Scripts put together: a module and all that it imports as one script, so that a page asks for one file.

Our modules are written in one way, which needs no parser: `import { a, b as c } from "./file.js";` on a line, and
`export` before a function, a class or a constant. Anything else is an error. A module runs once on a page, in whichever
script it comes first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

Read = Callable[[str], str]
"""Returns the text of a module by its name."""
_IMPORT = re.compile(r'^import \{ ([\w$, ]+) \} from "\./([\w.-]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) ([\w$]+))", re.MULTILINE)
_LEFT = re.compile(r"(?:import|export)\b|.*\bimport ?(?:\(|\.meta)")
_MODULES = "globalThis.cardledgerModules"


def together(names: Iterable[str], read: Read) -> str:
    """Return one script of some modules and those that they import, each after what it imports.

    Raises ValueError for a module that is written in another way, and for modules that import each other.
    """
    parts: dict[str, str] = {}
    for name in names:
        _add(name, read, parts, ())
    return f"{_MODULES} ??= {{}};\n" + "".join(parts.values())


def _add(name: str, read: Read, parts: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add a module to the parts of a script, after those that it imports."""
    if name in importers:
        raise ValueError(f"{' imports '.join((*importers, name))}: modules cannot import each other")
    if name in parts:
        return
    text = read(name)
    for _, other in _IMPORT.findall(text):
        _add(other, read, parts, (*importers, name))
    parts[name] = _wrapped(name, text)


def _wrapped(name: str, text: str) -> str:
    """Return a module as a function that is called once, with what it exports."""
    exported = [found[2] for found in _EXPORT.finditer(text)]
    body = _EXPORT.sub(r"\1", _IMPORT.sub(lambda found: _taken(found[1], found[2]), text))
    if left := next((line for line in map(str.strip, body.splitlines()) if _LEFT.match(line)), None):
        raise ValueError(f"{name}: {left!r} is not written as web/cardledger_web/serving/modules.py reads it")
    return f"{_MODULES}[{json.dumps(name)}] ??= (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();\n"


def _taken(names: str, module: str) -> str:
    """Return the line that takes names of a module which ran before."""
    return f"const {{ {names.replace(' as ', ': ')} }} = {_MODULES}[{json.dumps(module)}];"
