"""The anonymous edition of a ledger.

Matches and players with new numbers, days made coarse, and nothing but open columns.
"""

from __future__ import annotations

import csv
import hmac
import io
import secrets
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError, StoreError
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.survey import seal, survey
from cardledger.record.readmodels import TABLES
from cardledger.record.readmodels.questions.shared_deals import held_back
from cardledger.record.readmodels.tables.boards import secret_matches
from cardledger.sentence import Sentence, advising, choosing
from cardledger.study.archive.files import Heads
from cardledger.study.open_data.attendance import Anonymity, Days, anonymity, published_day, weeks_of
from cardledger.study.open_data.descriptions import described
from cardledger.study.open_data.open_columns import OPEN_COLUMNS, fields_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardledger.record.proofs.notes import Checkpoint
    from cardledger.record.recording.ledger import Ledger

CHECKPOINT = "CHECKPOINT.txt"
"""The file of the signed checkpoint."""
LEAST_SALT = 16
"""The fewest bytes of a salt: a shorter one can be guessed."""
LICENCES = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "ODC-BY-1.0": "https://opendatacommons.org/licenses/by/1-0/",
    "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
}
"""Licences for data, with the address of their text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionTerms:
    """What a club decides about an edition.

    `title` and `publisher` are what others cite, `licence` one of `LICENCES`. `k` is the smallest group of players with
    the same attendance that it accepts. Players with fewer matches than `regular` get no number. `salt` makes the same
    numbers again; without one they follow from a key that is thrown away. With `checkpoint` the record is sealed, and
    the signed checkpoint, which names the ledger, goes along.
    """

    title: str
    publisher: str
    licence: str
    k: int
    days: Days = "none"
    regular: int = 3
    salt: bytes | None = None
    checkpoint: bool = False


@dataclass(frozen=True, slots=True)
class PublishedEdition:
    """What was published.

    Rows by table, matches left out, the anonymity of its players, and the digest of the record.
    """

    rows: Mapping[str, int]
    left_out: int
    without_number: int
    anonymity: Anonymity
    heads: str
    position: int
    rules: tuple[str, ...]
    sealed: int | None
    """How many events the checkpoint covers; None if there is no checkpoint."""


def publish(ledger: Ledger, folder: Path, terms: EditionTerms) -> PublishedEdition:
    """Write an anonymous edition of a ledger to a new folder, all of it or nothing.

    Only matches that are over go out: none that is open, void or secret, nor one with a hand whose cards others still
    play. Raises LedgerError `publish.anonymity`, `publish.terms`, `publish.empty`, StoreError `store.write`, and with a
    checkpoint ProofError if the record differs from what was sealed before.
    """
    if terms.salt is not None and len(terms.salt) < LEAST_SALT:
        raise LedgerError("publish.terms", f"the salt has {len(terms.salt)} bytes, but {LEAST_SALT} are the least")
    if terms.licence not in LICENCES:
        raise LedgerError(
            "publish.terms",
            choosing(Sentence("there is no licence {name!r}", name=terms.licence), terms.licence, LICENCES),
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise StoreError("store.write", advising(f"{folder} is not empty: name a new folder"))
    checkpoint = _sealed(ledger) if terms.checkpoint else None
    texts, done = _edition(ledger, terms, checkpoint)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=".publishing-", dir=folder.parent))
        try:
            for name, text in texts.items():
                (part / name).write_bytes(text)
            part.chmod(0o755)
            part.replace(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        raise StoreError("store.write", f"{folder} was not written: {error}") from None
    return done


def _sealed(ledger: Ledger) -> Checkpoint:
    """Return a checkpoint over the whole record, which is checked first."""
    with Log(ledger) as log:
        survey(log)
        return seal(log)


def _edition(
    ledger: Ledger, terms: EditionTerms, checkpoint: Checkpoint | None
) -> tuple[dict[str, bytes], PublishedEdition]:
    """Return the files of an edition by name, and what is in them."""
    with ledger.views.current.snapshot():
        tables = ledger.views.current
        held = {match for match, part in held_back(ledger.views).items() if part.hands}
        hidden = held | secret_matches(tables)
        found = tables.execute("SELECT match, status, date, rules, hash FROM matches ORDER BY match").fetchall()
        going = {row[0]: row for row in found if row[1] in ("complete", "ended") and row[0] not in hidden}
        if not going:
            raise LedgerError("publish.empty", "no match of the ledger is over")
        heads = Heads()
        for match, *_, hash in going.values():
            heads.add(match, bytes.fromhex(hash))
        people = ledger.people()
        sat = [
            (match, player) for match, player in tables.execute("SELECT match, player FROM players") if match in going
        ]
        often = Counter(player for _, player in sat)
        shown = {player for player, many in often.items() if many >= terms.regular and not people.erased(player)}
        key = secrets.token_bytes(32) if terms.salt is None else terms.salt
        weeks = weeks_of(key)
        days = {match: published_day(row[2] or "", terms.days, weeks) for match, row in going.items()}
        k = anonymity((player, days[match]) for match, player in sat if player in shown)
        if k.days < terms.k:
            raise LedgerError(
                "publish.anonymity",
                f"k by attendance is {k.days}, but {terms.k} is asked for: "
                f"{k.numbered} players have a number, days: {terms.days}",
            )
        numbers = {"match": _numbered(key, "match", going), "player": _numbered(key, "player", shown)}
        texts, rows = {}, {}
        for table in OPEN_COLUMNS:
            lines = sorted(_rows(tables, table, numbers, days), key=lambda line: line[0])
            rows[table] = len(lines)
            texts[f"{table}.csv"] = _csv(table, [line for _, line in lines])
        (position,) = tables.execute("SELECT max(position) FROM checkpoint").fetchone()
    done = PublishedEdition(
        rows, len(found) - len(going), len(often) - len(shown), k, heads.hex(), position,
        tuple(sorted({row[3] for row in going.values()})), None if checkpoint is None else checkpoint.size,
    )  # fmt: skip
    if checkpoint is not None:
        texts[CHECKPOINT] = checkpoint.note.encode()
    texts |= described(terms, done, texts, LICENCES[terms.licence])
    sums = "".join(f"{sha256(texts[name]).hexdigest()}  {name}\n" for name in sorted(texts))
    return texts | {"SHA256SUMS": sums.encode()}, done


def _numbered(key: bytes, kind: str, ids: Any) -> dict[str, int]:
    """Return new numbers from 1, in the order of keyed digests: nobody without the key can tell which id has which."""
    digests = sorted((hmac.digest(key, f"{kind} {id}".encode(), "sha256"), id) for id in ids)
    return {id: number for number, (_, id) in enumerate(digests, 1)}


def _rows(
    tables: Any, table: str, numbers: Mapping[str, Mapping[str, int]], days: Mapping[str, str]
) -> Iterator[tuple[tuple[Any, ...], list[Any]]]:
    """Yield the rows of a table that go out, each with its new key."""
    fields = fields_of(table)
    names = [field.name for field in fields]
    own = TABLES[table].key
    for match, *row in tables.execute(f"SELECT match, {', '.join(names)} FROM {table}"):
        if match not in days:
            continue
        line = []
        for field, value in zip(fields, row, strict=True):
            if field.treatment == "as it is":
                line.append(bool(value) if field.type == "boolean" and value is not None else value)
            elif field.treatment == "day":
                line.append(days[match] or None)
            else:
                line.append(numbers[field.treatment].get(value))
        yield tuple(line[names.index(name)] for name in own), line


def _csv(table: str, lines: list[list[Any]]) -> bytes:
    """Return rows as CSV, the same bytes everywhere; truth values are `true` and `false`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(OPEN_COLUMNS[table])
    writer.writerows([str(cell).lower() if isinstance(cell, bool) else cell for cell in line] for line in lines)
    return text.getvalue().encode()
