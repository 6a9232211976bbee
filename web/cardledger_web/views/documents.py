"""The documents of the program that pages show: the same files that lie in its folders."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from cardledger_web.languages import N_
from cardledger_web.samples_folder import sample_folder

README = "README.md"
TUTORIALS, HOW_TO, REFERENCE, EXPLANATION = N_("Tutorials"), N_("How to"), N_("Reference"), N_("Explanation")
SECTIONS = (TUTORIALS, HOW_TO, REFERENCE, EXPLANATION)
"""What a reader comes for: to learn, to get something done, to look something up, to understand."""


class Document(NamedTuple):
    """A document: its name in the address, its title, what a reader comes for, its package (None: the samples), its file."""

    name: str
    purpose: str
    section: str
    package: str | None
    file: str = README

    @property
    def path(self) -> str:
        """Its path in the tree: below its package's path, that below its source root."""
        if self.package is None:
            return f"samples/{self.file}"
        roots = {"cardledger": "ledger", "cardledger_api": "api", "cardledger_web": "web"}
        root = roots[self.package.partition(".")[0]]
        return f"{root}/{self.package.replace('.', '/')}/{self.file}"


DOCUMENTS = (
    Document("first-evening", N_("Your first evening"), TUTORIALS, "cardledger_web", "tutorials/first-evening.md"),
    Document("first-analysis", N_("Your first analysis"), TUTORIALS, "cardledger_web", "tutorials/first-analysis.md"),
    Document("first-game", N_("Your first game"), TUTORIALS, "cardledger_web", "tutorials/first-game.md"),
    Document("pages", N_("Browse, score, and run a server"), HOW_TO, "cardledger_web"),
    Document("people", N_("Names of people, and erasing a person"), HOW_TO, "cardledger.record.people"),
    Document("evenings", N_("A club's evening"), HOW_TO, "cardledger.rules.evenings"),
    Document("bridge-files", N_("Files of bridge clubs"), HOW_TO, "cardledger.formats.bridge_files"),
    Document("spreadsheets", N_("Evenings from paper and spreadsheets"), HOW_TO, "cardledger.formats.spreadsheets"),
    Document("backup", N_("Backup, restore, doctor"), HOW_TO, "cardledger.record.backup"),
    Document("stores", N_("PostgreSQL, and many servers"), HOW_TO, "cardledger.record.store"),
    Document("analysis", N_("Analysing whole archives"), HOW_TO, "cardledger.study.analyse"),
    Document("open-data", N_("Publishing data for others"), HOW_TO, "cardledger.study.open_data"),
    Document("games", N_("Adding a game"), HOW_TO, "cardledger.rules.games"),
    Document("commands", N_("The command line"), REFERENCE, "cardledger.cli"),
    Document("match-files", N_("Write and read match files"), REFERENCE, "cardledger.record.matches"),
    Document("samples", N_("The samples, and where they come from"), REFERENCE, None),
    Document("api", N_("The REST API, roles and tokens"), REFERENCE, "cardledger_api"),
    Document("tables", N_("The tables behind the pages"), REFERENCE, "cardledger.record.readmodels"),
    Document("archives", N_("Archives: the packed form"), REFERENCE, "cardledger.study.archive"),
    Document("statistics", N_("Statistics, luck and review"), EXPLANATION, "cardledger.study.stats"),
    Document("proofs", N_("Checkpoints, proofs and receipts"), EXPLANATION, "cardledger.record.proofs"),
    Document("engine", N_("The engine: state, rules, hidden hands, editions"), EXPLANATION, "cardledger.rules.engine"),
    Document("kernels", N_("Kernels: compiled rules and bots"), EXPLANATION, "cardledger.rules.kernel"),
    Document("code", N_("The map of the code"), EXPLANATION, "cardledger"),
)
"""Each document of the program once, section by section: the pages of help and the site of documents follow this list."""


def anchor(title: str) -> str:
    """Return the anchor of a heading, as hosts of repositories make it.

    >>> anchor("Luck and review")
    'luck-and-review'
    """
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@cache
def source(document: Document) -> str | None:
    """Return the text of a document, None if it is not installed."""
    folder = sample_folder() if document.package is None else files(document.package)
    if folder is None:
        return None
    file = folder.joinpath(*document.file.split("/"))
    return file.read_text(encoding="utf-8") if file.is_file() else None
