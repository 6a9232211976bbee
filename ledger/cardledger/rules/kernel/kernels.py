"""Kernels: the rules and bots of games, compiled by numba (`cardledger[fast]`) and kept on disk.

Without them all is the same, slower.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import sys
import threading
from array import array
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from cardledger.rules.engine.cards import Pack
from cardledger.rules.engine.deals import DealCounts
from cardledger.rules.engine.game import Game
from cardledger.rules.engine.match import Match
from cardledger.rules.engine.phases import Calls, Exchange, StockHand
from cardledger.rules.kernel import source
from cardledger.rules.kernel.fit import SEATS, unfit
from cardledger.rules.kernel.recorded_columns import NOT_GIVEN, Deals, Frames, Given, Plays, Rulings
from cardledger.rules.kernel.source import fields_of, module_text
from cardledger.rules.kernel.subset import before_play, growing_fields, numbers_of
from cardledger.rules.kernel.turn_kernel import TurnKernel

SWITCH = "CARDLEDGER_FAST"
"""The environment variable that does without kernels if it is 0."""
FOLDER = "CARDLEDGER_KERNELS"
"""The environment variable that names the folder of compiled kernels."""
FEW_CALLS = 32
"""Kernels go on from auctions of at most so many calls; there is room for all that may follow."""
NO_DEALS = DealCounts([], [], [])
_names: dict[tuple[Game[Any], tuple[str, ...], Sequence[str]], str | None] = {}
_kernels: dict[tuple[str | None, str, tuple[str, ...]], Any] = {}
"""By folder, by file and by the faces of the pack: packs that differ in their faces alone share a file."""
_importing: dict[str, threading.Lock] = {}


def available() -> bool:
    """Tell whether kernels can be compiled and used."""
    return os.environ.get(SWITCH) != "0" and _numba_found()


@cache
def _numba_found() -> bool:
    return importlib.util.find_spec("numba") is not None


def folder() -> Path:
    """Return where kernels are kept: the user's cache folder, unless the environment says otherwise."""
    if FOLDER in os.environ:
        return Path(os.environ[FOLDER])
    if sys.platform == "win32":
        caches = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        caches = Path.home() / "Library" / "Caches"
    else:
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "cardledger" / "kernels"


def kernel_of(match: Match[Any]) -> Kernel | TurnKernel | None:
    """Return the kernel of a match's game if it is compiled.

    None if it is not, or if the match needs more than a kernel has.
    """
    game = match.game
    if Kernel in kinds_of(game) and game.scoring.by_match(match.options):
        return None
    return kernel(game, match.pack)


def kinds_of(game: Game[Any]) -> tuple[type[TurnKernel]] | tuple[type[Kernel], type[Judge]]:
    """Return the kinds of kernels that a game has.

    One that plays hands out, and one that judges them if it is a game of tricks.
    """
    return (Kernel, Judge) if game.collecting is None else (TurnKernel,)


def kernel(game: Game[Any], pack: Pack, compiling: bool = False) -> Kernel | TurnKernel | None:
    """Return the kernel that plays hands of a game and a pack.

    None without numba, if the game has none, or if it is not compiled yet.

    Only with `compiling` does this wait for the compiler.
    """
    kind: type[Kernel | TurnKernel] = kinds_of(game)[0]
    return _kernel(game, pack, compiling, kind)


def judge(game: Game[Any], pack: Pack, compiling: bool = False) -> Judge | None:
    """Return the kernel that judges recorded hands, as `kernel` does."""
    return _kernel(game, pack, compiling, Judge) if Judge in kinds_of(game) else None


def _kernel(game: Game[Any], pack: Pack, compiling: bool, kind: type[K]) -> K | None:
    if not available():
        return None
    faces = tuple(pack.faces)
    key = game, faces, kind.entries
    if key not in _names:
        _names[key] = None if unfit(game) else name_of(game, pack, kind.entries)
    name = _names[key]
    if name is None:
        return None
    here = os.environ.get(FOLDER), name, faces
    if here not in _kernels:
        path = folder() / name
        if compiling:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, module_text(game, pack, kind.entries))
        elif not path.with_suffix(".ready").exists():
            return None
        _kernels[here] = kind(game, pack, module_of(path))
    found: K = _kernels[here]
    return found


def warm(game: Game[Any], *kinds: type[Compiled | TurnKernel]) -> list[Compiled | TurnKernel]:
    """Compile the kernels of a game for each of its packs, or load them: those of some kinds, or all.

    This waits for the compiler.
    """
    n = game.sizes[0]
    usual = game.fill({}, n)
    ways = [usual, *({**usual, one.name: not one.default_for(n)} for one in game.options if one.default is False)]
    packs = {tuple(pack.faces): pack for pack in map(game.pack, ways)}
    wanted = [kind for kind in kinds_of(game) if not kinds or kind in kinds]
    found = (_kernel(game, pack, True, kind) for pack in packs.values() for kind in wanted)
    return [one for one in found if one is not None]


def name_of(game: Game[Any], pack: Pack, entries: Sequence[str]) -> str:
    """Return the name of a kernel's file; it has a digest of all that it is made from, so it never changes."""
    text = module_text(game, pack, entries)
    made_from = (text, Path(numbers_file()).read_text(), version("numba"), sys.version, platform.machine())
    digest = hashlib.sha256("\0".join(made_from).encode()).hexdigest()[:16]
    return f"{game.id.replace('-', '_')}_{digest}.py"


def numbers_file() -> str:
    """Return the file of the primitives, which only kernels import."""
    return str(Path(source.__file__).with_name("numbers.py"))


def _write(path: Path, text: str) -> None:
    """Write a file at once: other processes see all of it or nothing."""
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(text)
    part.replace(path)


def module_of(path: Path) -> ModuleType:
    """Import a kernel, which compiles it unless it has been compiled before; other threads wait until it is whole."""
    name = f"cardledger_kernel_{path.stem}"
    with _importing.setdefault(name, threading.Lock()):
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            try:
                spec.loader.exec_module(module)
            except BaseException:
                del sys.modules[name]
                raise
            _write(path.with_suffix(".ready"), "")
        return sys.modules[name]


class Compiled:
    """A kernel: its functions, and hands of the live table as its records."""

    entries: Sequence[str]

    def __init__(self, game: Game[Any], pack: Pack, module: ModuleType) -> None:
        self.functions = [getattr(module, f"{_prefix(name)}__{name}") for name in self.entries]
        self.state = module.STATE
        self.rules: list[str] = module.RULES
        self._pack = pack
        self.before = before_play(game)
        self.suit_cards = pack.suit_masks
        self.asks = any(phase.pays is not None for phase in game.phases)
        """Whether suits are asked for before the play; `suit_cards` are the cards of each."""
        own = fields_of(game)
        singles = [name for name, size in own if size == 1 and name in numbers_of(game.hand)]
        self._numbers = attrgetter(*singles)
        self._stocked = issubclass(game.hand, StockHand)
        starts = [0]
        for _, size in own:
            starts.append(starts[-1] + size)
        self._start = dict(zip(self.state.names, starts, strict=True))
        self._size = starts[-1] + 1
        self._singles = [self._start[name] for name in singles]
        self._lists = [(name, self._start[name]) for name, size in own if size > 1 and name != "stock_order"]
        self._counted = [(name, self._start[source.COUNTED.format(name)]) for name in growing_fields(game.hand)]

    def pack(self, match: Match[Any], gone: int, known: int = -1) -> bytes:
        """Return the hand of a match as a record; `gone` are the cards of tricks taken.

        The stock is shuffled after its first `known` cards before the hand is played out, or not at all (-1).
        """
        hand: Any = match.hand
        row = [0] * self._size
        for place, value in zip(self._singles, self._numbers(hand), strict=True):
            row[place] = value
        for name, place in self._lists:
            values = getattr(hand, name)
            row[place : place + len(values)] = values
        for name, place in self._counted:
            row[place] = len(getattr(hand, name))
        start = self._start
        row[start["turn"]] = 0 if hand.turn is None else hand.turn
        row[start["before"]] = match.phase is self.before
        if isinstance(self.before, Exchange):
            row[start["step"]] = self.before.step(match, hand) or 0
        row[start["count"]], row[start["size"]] = len(hand.trick), len(hand.seats)
        row[start["playing"]] = sum(1 << seat for seat in hand.rotation[0])
        row[start["gone"]], row[start["known"]] = gone, known
        row[start["drawing"]] = hand.moment == "draw"
        if self._stocked and hand.stock_order is not None:
            cards = [self._pack.of[face][0] for face in hand.stock_order]
            row[start["ordered"]] = len(cards)
            row[start["stock_order"] : start["stock_order"] + len(cards)] = cards
        return array("q", row).tobytes()

    def begins_before_play(self, match: Match[Any]) -> bool:
        """Tell whether a match is in the phase before the play, and the kernel can go on from there."""
        phase = match.phase
        if phase is not self.before:
            return False
        if isinstance(phase, Exchange):
            return phase.step(match, match.hand) is not None
        hand: Any = match.hand
        return not isinstance(phase, Calls) or len(hand.calls) <= FEW_CALLS

    def records(self, rows: Sequence[bytes]) -> Any:
        """Return hands as an array of records."""
        return np.frombuffer(bytearray().join(rows), self.state)


class Kernel(Compiled):
    """The compiled rules and bot of a game.

    Plays hands out, from any moment at which a card is due, or a bid before the play.
    """

    entries = source.PLAY

    def play_out(self, rows: Sequence[bytes], seeds: Sequence[int], noise: Sequence[float]) -> list[list[int] | None]:
        """Play hands out, one for each seed (the only hand again and again).

        Points by seat, None if a hand does not end.
        """
        n = len(noise)
        points = np.zeros((len(seeds), SEATS + 1), np.int64)
        play, *_ = self.functions
        play(self.records(rows), np.zeros(1, self.state), np.array(seeds, np.uint64), _noise(noise), points)
        return [row[:n] if row[n] else None for row in points.tolist()]

    def trials(
        self, row: bytes, seat: int, worlds: tuple[Sequence[int], DealCounts] | None, seeds: Sequence[int],
        options: Sequence[int], noise: Sequence[float],
    ) -> list[list[int]]:  # fmt: skip
        """Return the points of the seat to act, by option and world, one world for each seed.

        Options are cards to play, or the numbers of choices before the play (`Bids.number`, `Exchange.number`).

        `worlds` is what the seat knows by hand, and the counts of the deals of the other cards; without it, the cards
        are where they are.
        """
        seen, table = worlds or ((), NO_DEALS)
        points = np.zeros((len(options), len(seeds)), np.int64)
        _, trials, _ = self.functions
        trials(
            self.records([row]), np.zeros(2, self.state), seat, worlds is not None, _by_seat(seen), *map(_numbers, table),
            np.array(seeds, np.uint64), np.array(options, np.int64), _noise(noise), points,
        )  # fmt: skip
        found: list[list[int]] = points.tolist()
        return found

    def weigh(
        self, row: bytes, seat: int, worlds: tuple[Sequence[int], DealCounts], seeds: Sequence[int],
        choices: Sequence[tuple[bytes, int, int, Sequence[int]]], passed: Sequence[int], played: Sequence[int],
        random: tuple[float, float],
    ) -> tuple[list[list[int]], list[float]]:  # fmt: skip
        """Return where the cards are in the worlds of some seeds, and the chance of earlier choices in each.

        A choice is the hand before it, its seat, its number, and the cards played from each hand since. `passed` are
        the cards passed by giver (-1: the seat has not seen them), empty if there was no exchange, `played` all cards
        played from each hand. `random` are the shares of random choices: before the play, and in it.
        """
        seen, table = worlds
        n = len(played)
        held, weights = np.zeros((len(seeds), n + 1), np.int64), np.zeros(len(seeds))
        rows, actors, numbers, left = zip(*choices, strict=True) if choices else ((), (), (), ())
        *_, weigh = self.functions
        weigh(
            self.records([row]), np.zeros(2, self.state), _by_seat(seen), *map(_numbers, table), np.array(seeds, np.uint64),
            self.records(rows), np.array(actors, np.int64), np.array(numbers, np.int64),
            np.array(left, np.int64).reshape(len(left), n), seat, np.array(passed, np.int64), np.array(played, np.int64),
            np.array(random), held, weights,
        )  # fmt: skip
        return held.tolist(), weights.tolist()


class Judge(Compiled):
    """The compiled rules of a game: judges recorded hands in columns (`cardledger.rules.kernel.recorded`)."""

    entries = source.FOLD

    def judge(
        self, frames: Frames, frame: Any, rotated: Any, plays: Plays, given: Given, rows: Any, found: Rulings
    ) -> None:
        """Judge hands into rows of the rulings.

        Each begins as its frame, with its seats moved on by `rotated` and the cards given.
        """
        fold, _ = self.functions
        *columns, begun, suits, suit_cards = plays
        first, stop, kind_of, types, seats, words, word_at, word_cards = columns
        ends = found.ends if len(found.ends) else np.zeros(0, self.state)
        fold(
            frames.starts, frames.move_at, frames.moves, frame, rotated, int(given is not NOT_GIVEN), *given, rows, begun, first, stop,
            kind_of, types, seats, words, word_at, word_cards, suits, suit_cards, np.zeros(1, self.state), *found[:-1], ends,
        )  # fmt: skip

    def judge_begun(self, starts: Any, plays: Plays) -> Rulings:
        """Judge hands that have begun, each as one of the records, with seats as they are.

        Return the hands at their end too.
        """
        hands = len(starts)
        found = Rulings.blank(hands, len(plays.types), self.state)
        none = np.zeros(0, np.int64)
        frames = Frames(starts, np.zeros(hands + 1, np.int64), np.zeros((0, 5), np.int64), none, none, none, none, none)
        self.judge(frames, np.arange(hands), np.zeros(hands, np.int64), plays, NOT_GIVEN, np.arange(hands), found)
        return found

    def deal_out(self, frames: Frames, frame: Any, dealer: Any, size: int, deals: Deals) -> tuple[Given, Any]:
        """Return the cards of recorded deals for `size` seats, and which of the deals are possible."""
        _, deal = self.functions
        given = Given(
            np.zeros((len(frame), SEATS), np.int64), np.zeros(len(frame), np.int64), deals.over_first, deals.over_last,
            np.zeros(len(deals.over), np.int8),
        )  # fmt: skip
        fits = np.zeros(len(frame), bool)
        deal(
            *frames[3:], frame, dealer, size, deals.hand_of, deals.hand_at, deals.words, *self.words(deals.word_texts),
            deals.over_first, deals.over_last, deals.over, *self.words(deals.over_texts), given.held, given.left, given.stock, fits,
        )  # fmt: skip
        return given, fits

    def words(self, texts: Sequence[str | None]) -> tuple[Any, Any]:
        """Return the cards that texts name, with blanks between them, as `Plays` has them."""
        of, sizes, cards = self._pack.of, [0], array("b")
        for text in texts:
            named = [] if text is None else text.split(" ")
            cards.extend(of[face][0] if face in of else -1 for face in named)
            sizes.append(len(cards))
        return np.array(sizes, np.int64), np.frombuffer(cards, np.int8) if cards else np.zeros(0, np.int8)


K = TypeVar("K", bound=Compiled | TurnKernel)


def _prefix(entry: str) -> str:
    """Return how the names of the functions begin that come from the module of an entry."""
    module = next(one for one in source.WRITTEN if hasattr(one, entry))
    return module.__name__.removeprefix("cardledger.rules.").replace(".", "_")


def _numbers(rows: Sequence[Sequence[int]]) -> Any:
    return np.array(rows, np.int64).reshape(len(rows), -1 if rows else 0)


def _by_seat(values: Sequence[int]) -> Any:
    return np.array([*values, *[0] * (SEATS + 1 - len(values))], np.int64)


def _noise(noise: Sequence[float]) -> Any:
    return np.array([*noise, *[0.0] * (SEATS - len(noise))], np.float64)
