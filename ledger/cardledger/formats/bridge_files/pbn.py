"""Reading PBN 2.1, and 1.0 and 0.8 as found: one board after the other, in the memory of one board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from cardledger.formats.bridge_files.boards import Board, Broken, Notice, RefusedError, Room
from cardledger.formats.bridge_files.pbn_board import board_of
from cardledger.formats.bridge_files.pbn_game import EMPTY, FACTS, PbnGame
from cardledger.formats.bridge_files.pbn_lines import PbnLines
from cardledger.formats.bridge_files.text import blocks_of
from cardledger.formats.encoding import encoding_of


class PbnReader:
    """Reads the games of one file, line by line; values that later games inherit are remembered."""

    def __init__(self) -> None:
        self._before: dict[str, str] = {}
        self._sections_before: dict[str, list[str]] = {}
        self._lasting: dict[str, str] = {}

    def read(self, file: BinaryIO) -> Iterator[Board | Broken]:
        """Yield the boards of a file that can be read twice, and the games that cannot be taken, in their order."""
        return self.boards(blocks_of(file, encoding_of(file), '[Event "'), Room(file))

    def boards(self, blocks: Iterable[tuple[int, str]], room: Room) -> Iterator[Board | Broken]:
        """Yield the boards of a file, and the games that cannot be taken, in their order."""
        for game in PbnLines().games(blocks):
            self._inherit(game)
            if no_room := room.take(game.length, game.line, game.number):
                yield no_room
                return
            if game.wrong is not None:
                yield Broken(game.line, game.number, game.wrong)
            elif not _tells(game, "Deal") and not _tells(game, "Contract") and not game.sections.get("Auction"):
                if game.tags:
                    text = "the game has neither deal nor auction nor contract: it is left out"
                    yield Broken(game.line, game.number, Notice("pbn.empty", game.line, text), skipped=True)
            else:
                try:
                    board = board_of(game)
                except RefusedError as error:
                    yield Broken(game.line, game.number, error.notice)
                    continue
                if no_room := room.take(board.size, board.line, board.game):
                    yield no_room
                    return
                yield board

    def _inherit(self, game: PbnGame) -> None:
        """Fill in the values that a game takes from the one before."""
        tags = game.tags
        if self._lasting:
            for name, value in self._lasting.items():
                if name not in tags:
                    tags[name] = value
                    if name not in FACTS:
                        game.order.append(name)
        for name, value in tags.items():
            if value[:1] != "#":
                if name in self._lasting and value != self._lasting[name]:
                    del self._lasting[name]
                continue
            if value[:2] == "##":
                tags[name] = self._lasting[name] = value[2:]
            elif value == "#":
                if name in self._lasting or name in self._before:
                    tags[name] = self._lasting.get(name, self._before.get(name, ""))
                    if not game.sections.get(name) and name in self._sections_before:
                        game.sections[name] = self._sections_before[name]
                else:
                    text = f"{name} is that of the game before, which has none"
                    game.notices.append(Notice("pbn.inherit", game.line_of(name), text))
                    tags[name] = ""
        self._before, self._sections_before = tags, game.sections


def _tells(game: PbnGame, tag: str) -> bool:
    return game.tags.get(tag, "") not in EMPTY
