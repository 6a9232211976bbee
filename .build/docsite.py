"""Build the site of documents: the documents of `/help` in the same order, and a reference made from the program itself."""

from __future__ import annotations

import argparse
import inspect
import posixpath
import re
import shutil
import tempfile
from collections import defaultdict
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardledger.cli import main as cli
from cardledger_api import blueprint
from cardledger_api.resources.docs import described
from cardledger_web.views.documents import DOCUMENTS, REFERENCE, SECTIONS, anchor, source

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
SOURCE = "https://github.com/cardledger/cardledger"
MADE = {
    "command-reference": "Every command",
    "api-reference": "Every operation of the API",
    "python-reference": "Python",
    "rules-reference": "Python for games",
}
"""The pages that are made from the program, by name: they end the reference."""
_PAGES = {document.path: f"{document.name}.md" for document in DOCUMENTS} | {"README.md": "index.md"}
_PICTURES = (".jpg", ".png", ".svg")
_FENCE = re.compile(r"(^ *```.*?^ *```$)", re.M | re.S)
_LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(#[^)]*)?\)")
_PLACE = re.compile(r" at 0x[0-9a-f]+")
"""Where something lies in memory, which is elsewhere each time."""
_ITEM = re.compile(r" *(?:[*-]|\d+\.) ")


def page_of(text: str, path: str, folder: Path) -> str:
    """Return a document as the site shows it: its links lead to pages, else to the source; its pictures are copied."""

    def link(found: re.Match[str]) -> str:
        part = found[2] or ""
        if not found[1]:
            return f"]({part})"
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), found[1]))
        if target.endswith(_PICTURES):
            (folder / "pictures").mkdir(exist_ok=True)
            shutil.copy(ROOT / target, folder / "pictures")
            return f"](pictures/{posixpath.basename(target)})"
        page = _PAGES.get(target)
        if page is not None:
            return f"]({page}{part})"
        return f"]({SOURCE}/{'tree' if (ROOT / target).is_dir() else 'blob'}/main/{target}{part})"

    parts = _FENCE.split(text)
    return "".join(part if number % 2 else _apart(_LINK.sub(link, part)) for number, part in enumerate(parts))


def _apart(text: str) -> str:
    """Return a text with a blank line before each list: this dialect of Markdown wants one."""
    lines: list[str] = []
    for line in text.split("\n"):
        before = lines[-1] if lines else ""
        if _ITEM.match(line) and before.strip() and not _ITEM.match(before) and not before.startswith(" "):
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def commands() -> str:
    """Return the help of every command, a heading for each."""
    return "# Every command\n\n" + "".join(_command(cli.main, click.Context(cli.main, info_name="cardledger")))


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    context.terminal_width = 100
    yield f"## {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from _command(found, click.Context(found, context, name))


def operations() -> str:
    """Return every operation of the API, from its OpenAPI document."""
    by_tag = defaultdict(list)
    for path, item in described(blueprint.operations)["paths"].items():
        for method, operation in item.items():
            by_tag[(operation.get("tags") or ["others"])[0]].append("\n".join(_operation(method, path, operation)))
    return "# Every operation of the API\n\n" + "\n".join(
        f"## {tag}\n\n" + "\n".join(parts) for tag, parts in by_tag.items()
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> Iterator[str]:
    yield f"### `{method.upper()} {path}`\n\n{operation.get('summary', '')}\n\n{operation.get('description', '')}\n"
    rows = [
        (one["name"], one["in"], "yes" if one.get("required") else "", one.get("description", ""))
        for one in operation.get("parameters", ())
    ]
    if rows:
        yield "| parameter | in | required | meaning |\n|---|---|---|---|"
        yield from ("| `{}` | {} | {} | {} |".format(*(str(cell).replace("|", "\\|") for cell in row)) for row in rows)
        yield ""
    yield "Answers: " + ", ".join(f"`{status}`" for status in operation["responses"]) + "\n"


def python(module: str, title: str) -> str:
    """Return the docstrings of the names that a module lists as stable."""
    listed = import_module(module)
    parts = [f"# {title}\n\n```text\n{inspect.getdoc(listed)}\n```\n"]
    for name in listed.__all__:
        value = getattr(listed, name)
        parts += _named(f"{module}.{name}", value)
        if inspect.isclass(value) and module == "cardledger":
            for inner, method in vars(value).items():
                if not inner.startswith("_") and inspect.getdoc(method):
                    parts += _named(f"{name}.{inner}", getattr(method, "__func__", method), "###")  # of a class method
    return "\n".join(parts)


def _named(name: str, value: object, level: str = "##") -> Iterator[str]:
    """Yield the heading, the arguments and the docstring of a name; of a constant its value."""
    signature = ""
    if callable(value):
        with suppress(TypeError, ValueError):  # written in C, or declared in a way that has none
            signature = str(inspect.signature(value))
    described = callable(value) or inspect.ismodule(value) or isinstance(value, property | cached_property)
    about = inspect.getdoc(value) if described else repr(value)
    text = f"{name.rpartition('.')[2]}{signature}\n\n{about or ''}".rstrip()
    yield f"{level} `{name}`\n\n```text\n{_PLACE.sub('', text)}\n```\n"


def write(folder: Path) -> list[dict[str, Any]]:
    """Write the pages of the site as Markdown, and return its navigation."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"index.md": page_of((ROOT / "README.md").read_text("utf-8"), "README.md", folder)}
    for document in DOCUMENTS:
        pages[f"{document.name}.md"] = page_of(source(document) or "", document.path, folder)
    made = (commands(), operations(), python("cardledger", "Python"), python("cardledger.rules", "Python for games"))
    pages |= {f"{name}.md": text for name, text in zip(MADE, made, strict=True)}
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    navigation: list[dict[str, Any]] = [{"Home": "index.md"}]
    for section in SECTIONS:
        listed = [{each.purpose: f"{each.name}.md"} for each in DOCUMENTS if each.section == section]
        if section == REFERENCE:
            listed += [{title: f"{name}.md"} for name, title in MADE.items()]
        navigation.append({section: listed})
    return navigation


def build(site: Path) -> None:
    """Build the site; a warning is an error. Its pages load nothing from other people's servers."""
    from mkdocs.commands.build import build as make
    from mkdocs.config import load_config

    with tempfile.TemporaryDirectory(prefix="cardledger-") as scratch:
        documents = Path(scratch) / "documents"
        settings = Path(scratch) / "mkdocs.yml"
        settings.write_text("site_name: cardledger\n")
        make(
            load_config(
                str(settings),
                site_name="cardledger",
                site_dir=str(site.absolute()),
                nav=write(documents),
                docs_dir=str(documents),
                strict=True,
                theme={
                    "name": "material",
                    "font": False,  # theirs would come from elsewhere
                    "features": ["navigation.sections", "navigation.top", "search.suggest", "content.code.copy"],
                },
                plugins=["search"],
                markdown_extensions=[
                    "tables",
                    "pymdownx.superfences",
                    {"toc": {"slugify": lambda text, _: anchor(text), "toc_depth": 3}},
                ],
                validation={"links": {"anchors": "warn", "not_found": "warn", "unrecognized_links": "warn"}},
            )
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, help="the folder to write, which is emptied first")
    build(parser.parse_args().site)
