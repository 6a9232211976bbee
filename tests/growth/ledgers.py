"""Readers of files that are stored in a ledger: imports, previews of spreadsheets, archives."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from cardledger.errors import LedgerError
from cardledger.formats.bridge_files.reading import problems_of_boards, read_file_of_matches
from cardledger.formats.bridge_files.usebio_evening import evenings_in
from cardledger.formats.bridge_files.usebio_sessions import noted, take_in_usebio
from cardledger.formats.spreadsheets.known_to_ledger import KnownToLedger
from cardledger.formats.spreadsheets.preview import preview
from cardledger.formats.spreadsheets.wishes import Wishes
from cardledger.record.matches.matchfile import MatchInFile, Problem, read_matches
from cardledger.record.recording.evening_files import read_evenings, take_in
from cardledger.record.recording.ledger import Ledger
from cardledger.study.archive import files
from cardledger.study.archive.spool import Spool
from cardledger.study.archive.unpacking import lay_aside
from tests.bridge_files.made import pbn
from tests.growth.bridge import EVENT, TRAVELLER, pair
from tests.growth.lines import CLUB, NOTE, OPEN, SESSION, SHEET, line
from tests.growth.measure import Read
from tests.growth.shapes import Reader

WISHES = Wishes(date="2026-01-06", game="hearts", names={"*": "new"})


def into_a_ledger(read: Callable[[Ledger, io.BytesIO], object]) -> Read:
    """Return a reader that begins with an empty ledger each time."""

    def reading(data: bytes) -> None:
        with TemporaryDirectory() as folder, Ledger(Path(folder) / "club.db") as ledger, suppress(LedgerError):
            read(ledger, io.BytesIO(data))

    return reading


def imported(ledger: Ledger, file: io.BytesIO) -> None:
    """Import a file as the server and the command do."""
    problems_of_boards(file, "x", None, strict=False)
    matches: dict[int, str] = {}
    found = (item for item in read_file_of_matches(file, "x", True) if isinstance(item, MatchInFile | Problem))
    for _ in noted(ledger.import_matches(found, "ana"), matches):
        pass
    file.seek(0)
    for _ in take_in_usebio(ledger, evenings_in(file), "x", matches, "ana"):
        pass


def archived(ledger: Ledger, file: io.BytesIO) -> None:
    """Pack the matches of a file, and read the archive as `unpack` does."""
    for _ in ledger.import_matches(read_matches(file, "x", True), "ana"):
        pass
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.parquet"
        files.pack(files.with_names(ledger.store.recordings(), ledger.store.names), path, ledger.store.last_position())
        with files.Archive(path) as archive, Spool() as spool:
            for _ in lay_aside(archive, spool):
                pass


def opening(number: int) -> str:
    return line({"type": "open", "game": "ruff", "players": ["ana", "ben", f"c{number}"], "event": f"e{number}"})


# fmt: off
LEDGERS = {
    "import": Reader(
        into_a_ledger(imported), ("",),
        (OPEN, opening, OPEN + SHEET, lambda i: pbn(Board=str(i + 1))),
        halves=((EVENT, pair, "<BOARD><BOARD_NUMBER>1</BOARD_NUMBER>", TRAVELLER, "</BOARD></EVENT></USEBIO>"),
                ("", opening, OPEN, NOTE + line({"type": "retract", "to": 2}), "")),
        of_text=(), size=500,
    ),
    "import of evenings": Reader(
        into_a_ledger(lambda ledger, file: list(take_in(ledger, read_evenings(file, "x"), "ana"))), (SESSION,),
        (CLUB, SESSION, NOTE, lambda i: line({"type": "member", "player": f"p{i}"}),
         lambda i: line({"type": "arrive", "player": f"p{i}"}), lambda i: line({"type": "entry", "number": i, "players": [f"p{i}"]})),
        of_text=(), size=500,
    ),
    "preview": Reader(
        into_a_ledger(lambda ledger, file: preview(KnownToLedger(ledger), [("a.csv", file.getvalue())], WISHES)),
        ("player,1,2,total\n", "table,round,hand,player,points\n"),
        ("ana,1,2,3\n", lambda i: f"p{i},1,2,3\n", lambda i: f"p{i},26,0,26\nq{i},0,0,0\nr{i},0,0,0\ns{i},0,26,26\n\n",
         lambda i: f"{i // 4},1,1,p{i},{26 * (i % 4 == 0)}\n", lambda i: f"1,1,{i},p,3\n"),
        of_text=(), size=500,
    ),
    "archive": Reader(
        into_a_ledger(archived), (OPEN,), (opening, NOTE, lambda i: line({"type": "note", "text": f"{i}" * 9})),
        of_text=(), size=500,
    ),
}
# fmt: on
