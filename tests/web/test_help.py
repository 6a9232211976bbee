"""The pages of help: every document of the tree, readable in a browser, with links that lead somewhere."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from cardledger_web.views.documents import DOCUMENTS
from cardledger_web.views.help_search import sections_with
from tests import documents


def test_every_document_of_the_program_has_a_page(app: Flask) -> None:
    with_page = {document.path for document in DOCUMENTS}
    without = {
        "README.md", "tests/README.md", "tests/bench/README.md", "samples/deploy/README.md", "samples/phone-app/README.md",
        "samples/open-data/CODEBOOK.md", "samples/open-data/REPORT.md",
    }  # fmt: skip
    assert with_page == set(documents.DOCUMENTS) - without
    shown = app.test_client().get("/help").text
    for document in DOCUMENTS:
        assert f'/help/{document.name}"' in shown


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_a_document_shows_its_text_and_its_links_lead_somewhere(app: Flask, document: object) -> None:
    client = app.test_client()
    page = client.get(f"/help/{document.name}")  # type: ignore[attr-defined]
    assert page.status_code == 200
    assert "<h1 id=" in page.text
    assert "&lt;!--" not in page.text
    article = page.text.partition("<article")[2].partition("</article>")[0]
    for path, anchor in re.findall(r'<a href="([^"#]*)#?([^"]*)"', article):
        if path.startswith("http"):
            continue
        target = client.get(path) if path else page
        assert target.status_code == 200, path
        assert not anchor or f'id="{anchor}"' in target.text, f"{path}#{anchor}"


def test_an_unknown_document_is_not_found(app: Flask) -> None:
    assert app.test_client().get("/help/nothing").status_code == 404


@pytest.mark.parametrize(
    ("text", "document", "title"),
    [
        ("erasing a person", "people", "Erasing a person"),
        ("whist drive", "evenings", "A progressive drive"),
        ("BACKUP", "backup", "Backup, restore, doctor"),
    ],
)
def test_a_search_in_the_help_leads_to_the_section(app: Flask, text: str, document: str, title: str) -> None:
    first = sections_with(text, 1)[0]
    assert (first.document, first.title) == (document, title)
    shown = app.test_client().get("/search", query_string={"q": text}).text
    assert f"/help/{document}#{first.anchor}" in shown
    assert f'id="{first.anchor}"' in app.test_client().get(f"/help/{document}").text


def test_every_section_that_a_search_finds_has_its_anchor(app: Flask) -> None:
    client = app.test_client()
    pages = {document.name: client.get(f"/help/{document.name}").text for document in DOCUMENTS}
    found = sections_with("the", 10_000)
    assert len(found) > 50
    for section in found:
        assert f'id="{section.anchor}"' in pages[section.document], section.title


def test_small_words_alone_and_words_that_nobody_says_find_what_there_is(app: Flask) -> None:
    assert sections_with("", 5) == []
    assert sections_with("xylophone of the whist", 5) == []
    assert sections_with("how to", 5)
