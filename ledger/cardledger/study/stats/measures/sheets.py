"""The sheets of a ledger: one for each game, as current as the read models."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import json

from cardledger.record.readmodels.questions.shared_deals import held_in
from cardledger.record.readmodels.tables.boards import left_out
from cardledger.record.readmodels.tables.ratings import touched
from cardledger.rules.engine.measures import OPEN_CARDS
from cardledger.rules.games import game
from cardledger.study.stats.cache import MOMENT
from cardledger.study.stats.double_dummy.columns import solved_hands
from cardledger.study.stats.luck.dealt_luck import dealt_luck
from cardledger.study.stats.measures import kept_sheet
from cardledger.study.stats.measures.scale import has_field, on_field, scale_notes
from cardledger.study.stats.measures.shared_boards import SharedBoards, shared_boards
from cardledger.study.stats.measures.sheet import Sheet

if TYPE_CHECKING:
    from cardledger.record.readmodels import ReadModels
    from cardledger.record.readmodels.background import BackgroundJob
    from cardledger.record.store.readers import Reader
    from cardledger.study.stats.double_dummy.columns import SolvedHands

MANY = 500
_SHARE = 50
"""With more changed matches than `MANY`, and than one in `_SHARE`, the whole sheet is read again, and kept again."""
WORTH_KEEPING = 100_000
"""Sheets with this many rows of hands are kept: reading them takes half a second."""
_EVENINGS = "SELECT count(*), coalesce(sum(seq), 0) FROM evenings"
"""Changes with every event of an evening: nothing of the log is ever taken away."""


class KeptBoards(NamedTuple):
    """The shared boards, and the position in the ledger at which they last changed."""

    boards: SharedBoards
    changed: int


class Sheets:
    """The sheets of a ledger by game, read on first use and then updated match by match.

    Safe to share between threads: a sheet never changes once it is returned.
    """

    def __init__(self, views: ReadModels) -> None:
        self.views = views
        self.patience: float | None = MOMENT
        """How many seconds to wait for the luck of deals to be read; None: as long as it takes."""
        self.keeping: BackgroundJob | None = None
        """The job that writes a sheet to be kept, or did so last."""
        self._sheets: dict[str, Sheet] = {}
        self._laid: dict[str, tuple[Sheet, KeptBoards | None, Sheet]] = {}
        self._scaled: dict[tuple[str, str], tuple[Sheet, Sheet]] = {}
        self._boards: dict[str, tuple[tuple[object, ...], KeptBoards]] = {}
        """The shared boards for the sheet of a game, and the state of matches and evenings for which they were read."""
        self._unkept: dict[str, int] = {}
        """How many matches have changed since the sheet of a game was kept; missing if none was."""
        self._lock = threading.Lock()

    def sheet(self, id: str) -> Sheet:
        """Return the current sheet of a game with all that is laid over it, where it is known.

        Luck, double dummy, the field.

        Raises FormatError `format.game`.
        """
        sheet = self._plain(id)
        luck = dealt_luck(self.views, id, self.patience)
        solved = solved_hands(self.views) if OPEN_CARDS & {*sheet.names} else None
        boards = self._shared_boards(sheet) if has_field(sheet) else None
        if luck is None and solved is None and boards is None:
            return sheet
        before = self._laid.get(id)
        if (
            before is None
            or before[0] is not sheet
            or before[1] is not boards
            or before[2].luck is not luck
            or before[2].open_cards is not solved
        ):
            laid = sheet
            if luck is not None:
                laid = laid.with_luck(luck, self.views.source.store.between(luck.position, sheet.position))
            if solved is not None:
                laid = laid.with_open_cards(solved, self._changed(solved))
            if boards is not None:
                laid = laid.with_field(boards.boards)
                laid.changed = max(laid.changed, boards.changed)
            before = self._laid[id] = sheet, boards, laid
        return before[2]

    def _shared_boards(self, sheet: Sheet) -> KeptBoards:
        """Return the shared boards for a sheet: the very same ones as before, if they are equal.

        They are read again when a match of the game or an evening has changed, not with each event of the ledger.
        """
        with self._lock, self.views.reader.snapshot() as reader:
            state = (sheet.tables, sheet.changed, sheet.secret, *reader.execute(_EVENINGS).fetchone())
            before = self._boards.get(sheet.game)
            if before is not None and before[0] == state:
                return before[1]
            boards = shared_boards(reader)
            kept = KeptBoards(boards, self.views.position)
            if before is not None and before[1].boards == boards:
                kept = before[1]
            self._boards[sheet.game] = state, kept
            return kept

    def on(self, id: str, scale: str | None) -> Sheet:
        """Return the current sheet of a game on a scale of strength; None is points.

        Raises FormatError `format.game`, StoreError `store.unknown` for a game that is not compared with the field.
        """
        sheet = self.sheet(id)
        if scale is None:
            return sheet
        before = self._scaled.get((id, scale))
        if before is None or before[0] is not sheet:
            before = self._scaled[id, scale] = sheet, on_field(sheet, scale)
        return before[1]

    def notes(self, sheet: Sheet) -> tuple[str, ...]:
        """Say on which scale a sheet stands, and what the other would measure."""
        return scale_notes(sheet, self.on(sheet.game, "field") if has_field(sheet) else None)

    def _changed(self, solved: SolvedHands) -> set[str]:
        """Return the matches that have other events now than when they were analysed."""
        reader = self.views.reader
        rows = reader.execute("SELECT match, seq FROM matches WHERE match IN (SELECT value FROM json_each(?))",
                              (json.encode([*solved.seq]).decode(),))  # fmt: skip
        now = dict(rows.fetchall())
        return {match for match, seq in solved.seq.items() if now.get(match) != seq}

    def _plain(self, id: str) -> Sheet:
        """Return the current sheet of a game as recorded."""
        game(id)
        with self._lock:
            sheet = self._sheets.get(id)
            with self.views.reader.snapshot() as reader:
                upto, tables = self.views.position, kept_sheet.tables_of(reader)
                if sheet is not None and sheet.tables != tables:
                    sheet = None  # rows may have been wrong before a rebuild
                if sheet is None and (sheet := kept_sheet.find(reader, id)) is not None:
                    sheet.tables, self._unkept[id] = tables, 0
                # Matches are shown in a transaction of their own, after the one that moves the position.
                if sheet is None or sheet.position != upto or sheet.secret != left_out(reader):
                    sheet = self._caught_up(id, sheet, reader, upto)
                    sheet.tables = tables
                self._sheets[id] = sheet
            behind = self._unkept.get(id)
            if len(sheet.hands["row"]) >= WORTH_KEEPING and (behind is None or behind > _most(sheet)):
                self._unkept[id] = 0
                self.keeping = self.views.background.soon(("keep", id), partial(kept_sheet.keep, self.views, sheet))
            return sheet

    def _caught_up(self, id: str, before: Sheet | None, reader: Reader, upto: int) -> Sheet:
        changed, gone = touched(self.views, before.position, upto) if before else None, []
        held = {match: of.hands for match, of in held_in(self.views, reader).items() if of.hands}
        secret = left_out(reader)
        if changed is not None and before:
            # Play at another table can release hands of a match in which nothing happened.
            changed |= {match for match in {*held, *before.held} if held.get(match) != before.held.get(match)}
            changed |= secret ^ before.secret
        if changed is None or before is None or len(changed) > _most(before):
            sheet = Sheet(id, held)
            sheet.read(reader)
            self._unkept.pop(id, None)
        else:
            sheet = Sheet(id, held, before)
            codes = sheet.texts["match"]
            if gone := [codes[match] for match in changed if match in codes]:
                sheet.without(np.array(gone))
            sheet.read(reader, sorted(changed))
            if id in self._unkept:
                self._unkept[id] += len(changed)
        sheet.secret = secret
        sheet.position = sheet.changed = upto
        if changed is not None and before and not gone and len(sheet.matches["match"]) == len(before.matches["match"]):
            sheet.changed = before.changed
        return sheet


def _most(sheet: Sheet) -> int:
    """Return how many changed matches are read one by one."""
    return max(MANY, len(sheet.matches["match"]) // _SHARE)
