"""What a ledger needs of a program: the oldest form of events that may write to it, and the oldest that may read it.

The form is a number in the program. It grows with every release that stores what programs before cannot fold: a new
type of event, a new key, another meaning. A program writes it into each ledger that it records in; one that knows only
earlier forms may then show the ledger, but neither record in it nor rebuild tables from it, or not even show it.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import NamedTuple

from cardledger.errors import StoreError, UnusableError
from cardledger.sentence import Sentence

FORM = 11
"""The form of what this program stores. A test holds the declarations of events against it."""
READABLE = 11
"""The oldest form whose programs can show what this one stores."""
TABLE = "needs"


class Needs(NamedTuple):
    """What a ledger needs of a program, and the program that said so last."""

    writes: int
    reads: int
    program: str

    @classmethod
    def of_this_program(cls) -> Needs:
        """Return what a ledger needs once this program has recorded in it."""
        return cls(FORM, READABLE, version("cardledger"))

    def expect_readable(self, name: object) -> None:
        """Raise StoreError `store.version` if this program cannot show the ledger."""
        if self.reads > FORM:
            raise StoreError("store.version", self._said(_TO_READ, name, self.reads))

    def refusal(self, name: object) -> StoreError | None:
        """Return why this program may not record in the ledger, None if it may."""
        if self.writes <= FORM:
            return None
        return UnusableError("store.version", self._said(_TO_RECORD, name, self.writes))

    def raised(self) -> Needs | None:
        """Return what the ledger needs from now on, None if that is no more than before."""
        more = max(self.writes, FORM), max(self.reads, READABLE)
        # The program's version is looked for in files, so only when it is written down.
        return None if more == self[:2] else Needs(*more, version("cardledger"))

    def _said(self, said: Sentence, name: object, form: int) -> Sentence:
        return Sentence(said.template, name=str(name), program=self.program, form=form, known=FORM)


_TO_READ = Sentence(
    "{name} was recorded in by cardledger {program}, and needs a program that knows form {form} to read it; this one knows "
    "forms up to {known}: update it"
)
_TO_RECORD = Sentence(
    "{name} was recorded in by cardledger {program}, and needs a program that knows form {form} to record in it; this one "
    "knows forms up to {known}: update it"
)
