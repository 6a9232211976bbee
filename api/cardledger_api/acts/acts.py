"""What admins did that is no event of the ledger: who made tokens, erased somebody, read a board in play."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from cardledger.record.recording.beside import KEEPERS, Forgotten, Keeper
from cardledger.record.store.address import Where, where
from cardledger_api.beside.in_file import FileForm
from cardledger_api.beside.kept import kept_for
from cardledger_api.beside.times import utc_now, written

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from cardledger.record.recording.mentions import Mention
    from cardledger_api.beside.store import Execute

MOST = 100_000
"""Acts that are kept, the latest ones: some years of a busy club."""
LONGEST = 400
"""Letters of what an act was about, at most."""
_TABLE = """CREATE TABLE acts (
    day {text} NOT NULL,
    who {text} NOT NULL,
    what {text} NOT NULL,
    about {text} NOT NULL,
    first {text} NOT NULL,
    last {text} NOT NULL,
    times {number} NOT NULL,
    PRIMARY KEY (day, who, what, about)
)"""
_IN_FILE, _IN_DATABASE = (
    _TABLE.format(text="TEXT", number="INTEGER"),
    _TABLE.format(text='text COLLATE "C"', number="bigint"),
)
_BY_TIME = "CREATE INDEX acts_by_time ON acts (last)"
FILE = FileForm(0x61637473, 2, (_IN_FILE, _BY_TIME), {1: (_BY_TIME,)}, ())  # the ASCII letters "acts"
DATABASE = {"acts": (_IN_DATABASE, _BY_TIME)}
_COLUMNS = "who, what, about, first, last, times"


class Act(NamedTuple):
    """What somebody did on one day: how often, first and last (RFC 3339, UTC).

    `what` is the method and the address of the request, or the command; `about` is what it was about.
    """

    who: str
    what: str
    about: str
    first: str
    last: str
    times: int


class Acts:
    """The acts of a ledger's admins. The same act on one day is one row, with the number of times."""

    def __init__(self, ledger: Where | str, now: Callable[[], datetime] = utc_now) -> None:
        self._store = kept_for(where(ledger), "acts", FILE, DATABASE)
        self._now = now

    def day(self) -> str:
        """Return the day of acts that are noted now (UTC)."""
        return written(self._now())[:10]

    def note(self, who: str, what: str, about: str) -> None:
        """Note an act; raises LedgerError if it cannot be stored."""
        now = written(self._now())
        row = (now[:10], who, what, about[:LONGEST].replace("\0", "\N{REPLACEMENT CHARACTER}"), now, now)

        def work(execute: Execute) -> None:
            again = "ON CONFLICT (day, who, what, about) DO UPDATE SET last = excluded.last, times = acts.times + 1"
            execute(f"INSERT INTO acts (day, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, 1) {again}", row)
            oldest = "SELECT last FROM acts ORDER BY last DESC LIMIT 1 OFFSET ?"
            if execute(oldest, (MOST + MOST // 100,)).fetchone():  # now and then, as counting takes a while
                execute(f"DELETE FROM acts WHERE last <= ({oldest})", (MOST,))

        self._store.change(work)

    def all(self, *, before: str | None = None, most: int = 100) -> list[Act]:
        """Return acts, the latest first, `before` a time if it is given."""
        query = f"SELECT {_COLUMNS} FROM acts WHERE last < ? ORDER BY last DESC, who, what, about LIMIT ?"
        return [Act(*row) for row in self._store.rows(query, before or "9999", most)]

    def mentioning(self, mention: Mention) -> list[Act]:
        """Return the acts that name a person, as who did it or whom it was about."""
        return [act for act in self.all(most=2 * MOST) if mention(act.who) or mention(act.about)]

    def forget(self, person: Forgotten) -> None:
        """Take a person's name from the acts: they stay, of somebody erased."""
        found = self.mentioning(person.mention)
        if not found:
            return
        name = person.other_name(())

        def work(execute: Execute) -> None:
            for number, act in enumerate(found):
                who, about = (name if person.mention(text) else text for text in (act.who, act.about))
                key = (act.first, act.who, act.what, act.about)
                # The last of several that become alike stays apart by its number.
                change = "UPDATE acts SET who = ?, about = ? WHERE first = ? AND who = ? AND what = ? AND about = ?"
                execute(change, (who, f"{about} ({number + 1})" if len(found) > 1 else about, *key))

        self._store.change(work)
        self._store.empty()

    def close(self) -> None:
        """Release the store."""
        self._store.close()


def _named(at: Where, mention: Mention) -> list[str]:
    with closing(Acts(at)) as acts:
        found = acts.mentioning(mention)
    return [f"the name in {len(found)} acts of admins"] if found else []


def _forget(at: Where, person: Forgotten) -> None:
    with closing(Acts(at)) as acts:
        acts.forget(person)


KEEPERS.append(Keeper(_named, lambda at, mention: (), _forget, lambda family: [family.acts]))
