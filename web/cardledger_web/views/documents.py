"""The documents of the program that pages show: the same files that lie in its folders."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from cardledger_web.languages import N_
from cardledger_web.samples_folder import sample_folder


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
README = "README.md"


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
    file = folder / README
    return file.read_text(encoding="utf-8") if file.is_file() else None
