"""Help: the documents of the program as pages, the same files that lie in its folders."""

from __future__ import annotations

import posixpath
from itertools import pairwise
from typing import TYPE_CHECKING

from flask import abort, render_template, url_for
from markdown_it import MarkdownIt
from markupsafe import Markup

from cardledger_web.pages.blueprint import pages
from cardledger_web.views.documents import DOCUMENTS, SECTIONS, anchor, source

if TYPE_CHECKING:
    from markdown_it.token import Token

_BY_PATH = {document.path: document.name for document in DOCUMENTS}


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
        if token.type == "table_open":
            token.attrSet("tabindex", "0")  # on a phone it scrolls: by keyboard too
    html = markdown.renderer.render(tokens, markdown.options, {}).replace("<pre>", '<pre tabindex="0">')
    return Markup(html)  # noqa: S704 - our own text, HTML in it is off


def _link(tokens: list[Token], folder: str) -> None:
    """Turn links between files into links between pages; a link to a file without a page loses its target."""
    for token in tokens:
        if token.type != "link_open":
            continue
        path, _, part = str(token.attrs["href"]).partition("#")
        if path.startswith(("http:", "https:")) or not path:
            continue
        target = posixpath.normpath(posixpath.join(folder, path))
        name = _BY_PATH.get(target)
        if name is None:
            del token.attrs["href"]
        else:
            token.attrs["href"] = url_for("pages.help_page", name=name) + (f"#{part}" if part else "")


@pages.get("/help")
def help_list() -> str:
    return render_template("help.html", sections=SECTIONS, documents=[item for item in DOCUMENTS if source(item)])


@pages.get("/help/<name>")
def help_page(name: str) -> str:
    document = next((document for document in DOCUMENTS if document.name == name), None) or abort(404)
    text = source(document) or abort(404)
    return render_template("help.html", document=document, text=as_html(text, posixpath.dirname(document.path)))
