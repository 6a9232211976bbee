"""Help: the documents of the program as pages, the same files that lie in its folders."""

from __future__ import annotations

import posixpath
import re
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from flask import abort, render_template, url_for
from markdown_it import MarkdownIt
from markupsafe import Markup

from cardledger_web.languages import N_
from cardledger_web.pages.blueprint import pages
from cardledger_web.samples_folder import sample_folder

if TYPE_CHECKING:
    from markdown_it.token import Token


class Document(NamedTuple):
    """A document: its name in the address, its title, and its package (None: the samples)."""

    name: str
    purpose: str
    package: str | None

    @property
    def folder(self) -> str:
        """Its folder in the tree: the package's path below its source root."""
        if self.package is None:
            return "samples"
        roots = {"cardledger": "ledger", "cardledger_api": "api", "cardledger_web": "web"}
        root = roots[self.package.partition(".")[0]]
        return f"{root}/{self.package.replace('.', '/')}"


DOCUMENTS = (
    Document("pages", N_("Browse, score, and run a server"), "cardledger_web"),
    Document("commands", N_("The command line"), "cardledger.cli"),
    Document("match-files", N_("Write and read match files"), "cardledger.record.matches"),
    Document("samples", N_("The samples, and where they come from"), None),
    Document("statistics", N_("Statistics, luck and review"), "cardledger.study.stats"),
    Document("people", N_("Names of people, and erasing a person"), "cardledger.record.people"),
    Document("api", N_("The REST API, roles and tokens"), "cardledger_api"),
    Document("tables", N_("The tables behind the pages"), "cardledger.record.readmodels"),
    Document("evenings", N_("A club's evening"), "cardledger.rules.evenings"),
    Document("bridge-files", N_("Files of bridge clubs"), "cardledger.formats.bridge_files"),
    Document("spreadsheets", N_("Evenings from paper and spreadsheets"), "cardledger.formats.spreadsheets"),
    Document("backup", N_("Backup, restore, doctor"), "cardledger.record.backup"),
    Document("proofs", N_("Checkpoints, proofs and receipts"), "cardledger.record.proofs"),
    Document("stores", N_("PostgreSQL, and many servers"), "cardledger.record.store"),
    Document("archives", N_("Archives: the packed form"), "cardledger.study.archive"),
    Document("analysis", N_("Analysing whole archives"), "cardledger.study.analyse"),
    Document("open-data", N_("Publishing data for others"), "cardledger.study.open_data"),
    Document("games", N_("Adding a game"), "cardledger.rules.games"),
    Document("engine", N_("The engine: state, rules, hidden hands, editions"), "cardledger.rules.engine"),
    Document("kernels", N_("Kernels: compiled rules and bots"), "cardledger.rules.kernel"),
    Document("code", N_("The map of the code"), "cardledger"),
)
_BY_FOLDER = {document.folder: document.name for document in DOCUMENTS}
_README = "README.md"


def anchor(title: str) -> str:
    """Return the anchor of a heading, as hosts of repositories make it.

    >>> anchor("Luck and review")
    'luck-and-review'
    """
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@cache
def source(package: str | None) -> str | None:
    """Return the text of a package's document, None if it is not installed."""
    folder = sample_folder() if package is None else files(package)
    if folder is None:
        return None
    file = folder / _README
    return file.read_text(encoding="utf-8") if file.is_file() else None


def as_html(text: str, folder: str) -> Markup:
    """Return a document as HTML: headings with anchors, links to other documents as links to their pages."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    said, *comments = text.split("<!--")
    tokens = markdown.parse(said + "".join(comment.partition("-->")[2] for comment in comments))
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", anchor(inline.content))
    for token in tokens:
        _link(token.children or [], folder)
    return Markup(markdown.renderer.render(tokens, markdown.options, {}))  # noqa: S704 - our own text, HTML in it is off


def _link(tokens: list[Token], folder: str) -> None:
    """Turn links between files into links between pages; a link to a file without a page loses its target."""
    for token in tokens:
        if token.type != "link_open":
            continue
        path, _, part = str(token.attrs["href"]).partition("#")
        if path.startswith(("http:", "https:")) or not path:
            continue
        target = posixpath.normpath(posixpath.join(folder, path))
        name = _BY_FOLDER.get(target.removesuffix(f"/{_README}"))
        if name is None:
            del token.attrs["href"]
        else:
            token.attrs["href"] = url_for("pages.help_page", name=name) + (f"#{part}" if part else "")


@pages.get("/help")
def help_list() -> str:
    return render_template("help.html", documents=[item for item in DOCUMENTS if source(item.package)])


@pages.get("/help/<name>")
def help_page(name: str) -> str:
    document = next((document for document in DOCUMENTS if document.name == name), None) or abort(404)
    text = source(document.package) or abort(404)
    return render_template("help.html", document=document, text=as_html(text, document.folder))
