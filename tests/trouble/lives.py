"""Courses of work on a ledger, in small steps: run while calls fail, or while each call is recorded."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import LedgerError
from cardledger.record.backup.following import BackupFollower
from cardledger.record.backup.making import BackupSource
from cardledger.record.backup.manifest import utc_now
from cardledger.record.matches.matchfile import write
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger_web.app import access_of, create_app, ledger_of
from tests.trouble.said import Teller

MATCH = "0000000a-0000-4000-8000-00000000000a"
IMPORTED = ("0000000b-0000-4000-8000-00000000000b", "0000000c-0000-4000-8000-00000000000c")
_COURSE = [*simulate("diversity", 4, Random(1), ["random"], max_hands=1)]
_FILED = [[*simulate("ruff", 4, Random(seed), ["random"], max_hands=1)] for seed in (2, 3)]
_CODE = re.compile(r"(?:^|: )([a-z]+\.[a-z-]+)\b: ", re.MULTILINE)


class StepError(Exception):
    """A step did not succeed; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True)
class Life:
    """A ledger in a folder of its own, and the work on it."""

    folder: Path
    teller: Teller = field(default_factory=Teller)
    seq: int = 0
    """Where the match is."""
    played: int = 0
    """How much of its course was played."""
    numbers: Iterator[int] = field(default_factory=count)
    stack: ExitStack = field(default_factory=ExitStack)
    held: dict[str, Any] = field(default_factory=dict)
    """What stays open from one step to the next."""

    @property
    def db(self) -> Path:
        """The ledger."""
        return self.folder / "club.db"

    @property
    def ledger(self) -> Ledger:
        """The ledger, opened on first use."""
        if "ledger" not in self.held:
            ledger = self.held["ledger"] = Ledger(self.db)
            self.stack.callback(ledger.close)
            # Small as this ledger is, its log is to be written back now and then.
            ledger.store.file.writer.execute("PRAGMA wal_autocheckpoint = 12")  # type: ignore[attr-defined]
        return self.held["ledger"]

    def record(self, *events: ev.Event) -> None:
        """Record events of the match; tried again, they are answered as the first time."""
        ids = [f"{self.seq:08x}-0000-4000-9000-{number:012x}" for number in range(len(events))]
        given = [
            msgspec.structs.replace(event, id=MATCH if isinstance(event, ev.Open) else id)
            for event, id in zip(events, ids, strict=True)
        ]
        self.teller.intend((MATCH, self.seq + len(given)))
        done = self.ledger.record(MATCH, given, self.seq)
        self.seq = done.seq
        self.teller.recorded(done)

    def run(self, *words: object) -> str:
        """Run a command; raises StepError with the code that it ends with."""
        found = CliRunner().invoke(main, [str(word) for word in words])
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            raise found.exception
        if found.exit_code:
            codes = _CODE.findall(found.stderr)
            assert codes, f"status {found.exit_code}, and no code: {found.output}"
            raise StepError(codes[0])
        return found.stdout


def _play(life: Life) -> None:
    some = _COURSE[life.played : life.played + 5]
    life.record(*some)
    life.played += len(some)


def _correct(life: Life) -> None:
    """Take back the last event and enter it again, and amend it to what it was; nothing if nothing was played."""
    if not life.played:
        return
    at, last = life.seq, _COURSE[life.played - 1]
    life.record(ev.Retract(to=at - 1), last, ev.Amend(about=at + 2, event=last), ev.Note(text="x" * 6000))


def _read(life: Life) -> None:
    life.ledger.views.catch_up()
    life.ledger.views.reader.execute("SELECT count(*) FROM matches").fetchone()


def _import(life: Life) -> None:
    file = life.folder.with_name("night.jsonl")
    events = [[msgspec.structs.replace(each[0], id=id), *each[1:]] for id, each in zip(IMPORTED, _FILED, strict=True)]
    file.write_bytes(b"".join(write(each) for each in events))
    life.teller.intend(*((id, len(each)) for id, each in zip(IMPORTED, events, strict=True)))
    life.run("import", file, "--db", life.db)
    for id in IMPORTED:
        last = life.ledger.store.read(id)[-1]
        life.teller.tell("stored", id, last.seq, msgspec.json.decode(last.line)["id"], last.hash.hex())


def _rebuild(life: Life) -> None:
    life.run("rebuild", "--db", life.db)


def _seal(life: Life) -> None:
    life.run("checkpoint", "--db", life.db)
    last = Checkpoints(life.folder / "club.checkpoints").last()
    assert last is not None
    life.teller.tell("sealed", last.size, last.root.hex())


def _rotate(life: Life) -> None:
    life.run("key", "--rotate", "--db", life.db)


def _receipt(life: Life) -> None:
    life.run("receipt", MATCH, "--db", life.db)


def _token(life: Life) -> None:
    life.teller.tell("token", life.run("token", "create", f"ana {next(life.numbers)}", "--db", life.db).strip())


def _back_up(life: Life) -> None:
    events = life.ledger.store.last_position()
    life.run("backup", life.folder / "safe.db", "--with-key", "--db", life.db)
    life.teller.tell("copied", "safe.db", events)


def _follow(life: Life) -> None:
    """Copy new events to the second place, as `backup --every` does."""
    events = life.ledger.store.last_position()
    if "follower" not in life.held:
        source = BackupSource.of(life.db, life.ledger.store)
        follower = life.held["follower"] = BackupFollower(source, life.folder / "second.db", with_key=False)
        life.stack.callback(follower.close)
    try:
        life.held["follower"].step(utc_now())
    except (LedgerError, sqlite3.Error):
        life.held.pop("follower").close()  # as `follow` does
        raise
    life.teller.tell("copied", "second.db", events)


def _restore(life: Life) -> None:
    events = life.ledger.store.last_position()
    life.run("backup", life.folder / "safe.db", "--db", life.db)
    target = f"again{next(life.numbers)}.db"
    life.run("restore", life.folder / "safe.db", life.folder / target)
    life.teller.tell("copied", target, events)


def _serve(life: Life) -> None:
    """Open the ledger as `serve` does."""
    app = create_app(life.db)
    life.stack.callback(ledger_of(app).close)
    life.stack.callback(access_of(app).close)
    life.held["client"], life.held["admin"] = app.test_client(), access_of(app).lend("owner", "admin")


def _ask(life: Life, method: str, address: str, **more: Any) -> Any:
    """Ask the server; raises StepError with the code of a problem."""
    if "client" not in life.held:
        _serve(life)
    headers = {"Authorization": f"Bearer {life.held['admin']}", **more.pop("headers", {})}
    answer = life.held["client"].open(address, method=method, headers=headers, **more)
    if answer.status_code >= 400:
        assert answer.is_json, f"{answer.status_code} for {address}, and no problem: {answer.text[:300]}"
        raise StepError(answer.json["code"])
    return answer


def _post(life: Life) -> None:
    life.teller.intend((MATCH, life.seq + 1))
    done = _ask(
        life, "POST", f"/api/v1/matches/{MATCH}/events", json={"events": [{"type": "note", "text": "y" * 3000}]},
        headers={"If-Match": "*", "Idempotency-Key": f"at {life.seq}"},
    ).json  # fmt: skip
    life.seq = done["seq"]
    life.teller.tell("stored", MATCH, done["seq"], done["ids"][-1], done["hash"])


def _look(life: Life) -> None:
    of_match = (f"matches/{MATCH}", f"matches/{MATCH}/receipt")
    for address in ("matches", "players", *of_match, "stats/players?game=diversity"):
        _ask(life, "GET", f"/api/v1/{address}")


def _close(life: Life) -> None:
    life.held.clear()
    life.stack.close()


def begun(folder: Path) -> int:
    """Record the beginning of the match, and close the ledger; return where the match is then."""
    life = Life(folder, Teller(lambda *_: None))
    for step in (*BEGINNING, _close):
        step(life)
    return life.seq


Step = Callable[[Life], None]
BEGINNING: Sequence[Step] = (_play, _play)
LIVES: dict[str, Sequence[Step]] = {
    "recording": (_play, _play, _correct, _read, _play, _import, _play, _close),
    "sealing": (_play, _seal, _token, _play, _seal, _rotate, _receipt, _rebuild, _close),
    "copying": (_play, _back_up, _follow, _play, _follow, _restore, _close),
    "serving": (_serve, _post, _look, _post, _look, _close),
}
"""By name; all but the first go on with what was recorded before."""
