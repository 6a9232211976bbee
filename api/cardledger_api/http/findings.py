"""Findings: the differences from the record that a server has found in its ledger."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from flask import current_app

from cardledger.record.proofs import DAMAGE, EventPlace, ProofError
from cardledger.sentence import Sentence
from cardledger_api.http.passage import passage_of
from cardledger_api.http.problems import ERROR

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask, Request, Response

    from cardledger.errors import LedgerError

CHECK, SURVEY, ANSWER = "check", "survey", "answer"
"""The sources of findings: a check, the survey before a checkpoint, and any other answer."""


class Finding(NamedTuple):
    """A difference from the record, with its match if known."""

    error: LedgerError
    match: str | None

    @classmethod
    def of(cls, error: LedgerError, match: str | None = None) -> Finding:
        """Return the finding of an error; the error or the caller names the match."""
        place = error.place if isinstance(error, ProofError) else None
        return cls(error, place.match if place else match)

    @property
    def in_words(self) -> str:
        """The finding as a sentence, with the place in front."""
        if isinstance(self.error, ProofError) or self.match is None:
            return self.error.message
        if self.error.index is None:
            return Sentence("{match}: {said}", match=self.match, said=self.error.message)
        place = EventPlace(self.match, self.error.index + 1).in_words
        return Sentence("{place}: {said}", place=place, said=self.error.message)


class Findings:
    """The differences that this server knows; each stays until a new look does not find it. Safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._found: dict[tuple[str, str | None], Finding] = {}
        self.counts: Counter[str] = Counter()
        """The number of findings by code."""

    def tell(self, by: str, error: LedgerError, match: str | None = None) -> None:
        """Add a finding; a match that cannot be read just now is not one."""
        if error.code not in DAMAGE:
            return
        finding = Finding.of(error, match)
        with self._lock:
            before = self._found.get((by, finding.match))
            if before is None or str(before.error) != str(error):
                self.counts[error.code] += 1
            self._found[by, finding.match] = finding

    def surveyed(self, wrong: LedgerError | None, *, whole: bool) -> None:
        """Add a survey's result.

        A survey of the whole ledger settles all findings except those that only a check can find.
        """
        if whole:
            self._keep(lambda by: by in (SURVEY, CHECK) if wrong else by == CHECK)
        if wrong is not None:
            self.tell(SURVEY, wrong)

    def fits(self, match: str) -> None:
        """Note that a match fits which did not fit when it was last shown."""
        with self._lock:
            self._found.pop((ANSWER, match), None)

    def checked(self) -> None:
        """Note that a full check found no difference."""
        self._keep(lambda by: False)

    def _keep(self, keeps: Callable[[str], bool]) -> None:
        with self._lock:
            self._found = {key: finding for key, finding in self._found.items() if keeps(key[0])}

    @property
    def all(self) -> list[Finding]:
        """All current findings, the first one first."""
        with self._lock:
            return [*self._found.values()]

    @property
    def first(self) -> Finding | None:
        """The first finding."""
        return next(iter(self.all), None)

    def of_match(self, match: str) -> Finding | None:
        """Return the finding in a match, or else one without a known match, or one in another match."""
        findings = self.all
        return next((one for one in findings if one.match == match), next(iter(findings), None))


def add_findings(app: Flask) -> Findings:
    """Return the findings of an application; failed answers add to them."""
    findings = app.extensions["cardledger.findings"] = Findings()

    def take_in(asked: Request, response: Response) -> Response:
        error = asked.environ.get(ERROR)
        # A writer can send wrong data; a reader cannot.
        if error is not None and asked.method in ("GET", "HEAD"):
            findings.tell(ANSWER, error, (asked.view_args or {}).get("match"))
        return response

    passage_of(app).finishes.append(take_in)
    return findings


def findings_here() -> Findings:
    """Return the findings of the current application."""
    findings: Findings = current_app.extensions["cardledger.findings"]
    return findings
