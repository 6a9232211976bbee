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

from cardledger.web.commands.demo import sample_folder
from cardledger.web.languages import N_

if TYPE_CHECKING:
    from flask import Blueprint
    from markdown_it.token import Token


class Document(NamedTuple):
    """A document: its name in the address, its title, its folder in the tree, and its package (None: the samples)."""

    name: str
    purpose: str
    folder: str
    package: str | None


DOCUMENTS = (
    Document("pages", N_("Browse, score, and run a server"), "web", "cardledger.web"),
    Document("commands", N_("The command line"), "ledger/cli", "cardledger.cli"),
    Document("match-files", N_("Write and read match files"), "ledger/matches", "cardledger.matches"),
    Document("samples", N_("The samples, and where they come from"), "samples", None),
    Document("statistics", N_("Statistics, luck and review"), "ledger/stats", "cardledger.stats"),
    Document("people", N_("Names of people, and erasing a person"), "ledger/people", "cardledger.people"),
    Document("api", N_("The REST API, roles and tokens"), "api", "cardledger.api"),
    Document("tables", N_("The tables behind the pages"), "ledger/readmodels", "cardledger.readmodels"),
    Document("evenings", N_("A club's evening"), "ledger/evenings", "cardledger.evenings"),
    Document("bridge-files", N_("Files of bridge clubs"), "ledger/bridge_files", "cardledger.bridge_files"),
    Document(
        "spreadsheets", N_("Evenings from paper and spreadsheets"), "ledger/spreadsheets", "cardledger.spreadsheets"
    ),
    Document("backup", N_("Backup, restore, doctor"), "ledger/backup", "cardledger.backup"),
    Document("proofs", N_("Checkpoints, proofs and receipts"), "ledger/proofs", "cardledger.proofs"),
    Document("stores", N_("PostgreSQL, and many servers"), "ledger/store", "cardledger.store"),
    Document("archives", N_("Archives: the packed form"), "ledger/archive", "cardledger.archive"),
    Document("analysis", N_("Analysing whole archives"), "ledger/analyse", "cardledger.analyse"),
    Document("games", N_("Adding a game"), "ledger/games", "cardledger.games"),
    Document("engine", N_("The engine: state, rules, hidden hands, editions"), "ledger/engine", "cardledger.engine"),
    Document("kernels", N_("Kernels: compiled rules and bots"), "ledger/kernel", "cardledger.kernel"),
    Document("code", N_("The map of the code"), "ledger", "cardledger"),
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
    tokens = markdown.parse(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))
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


def add_routes(pages: Blueprint) -> None:
    """Add the pages of help."""

    @pages.get("/help")
    def help_list() -> str:
        return render_template("help.html", documents=[item for item in DOCUMENTS if source(item.package)])

    @pages.get("/help/<name>")
    def help_page(name: str) -> str:
        document = next((document for document in DOCUMENTS if document.name == name), None) or abort(404)
        text = source(document.package) or abort(404)
        return render_template("help.html", document=document, text=as_html(text, document.folder))
