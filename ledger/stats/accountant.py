"""Accounts of luck and review for those who wait: what is a lot to put together is answered as it was, and made anew meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ledger.games import games
from ledger.stats import accounts
from ledger.stats.kept import Kept
from ledger.stats.shelf import MOMENT, Shelf
from ledger.stats.worth_seeing import KINDS

if TYPE_CHECKING:
    from ledger.ledger import Ledger

Answer = TypeVar("Answer")
_BEHIND = 10_000
"""Events that are taken in while somebody waits; more are taken in meanwhile."""
_AT_ONCE = 1_500
"""Hands up to which an account is put together while somebody waits."""
_SIGHTS = 5


def luck(ledger: Ledger, game: str, patience: float | None = MOMENT) -> dict[str, Any] | None:
    """Return the account of luck of a game, None if putting it together for the first time takes longer than `patience`.

    Its basis says up to which event it was put together. Without limit of patience there is always an answer.
    """
    return _asked(ledger, ("luck", game), (game,), lambda kept: accounts.of_game(kept, game), patience)


def sights(
    ledger: Ledger, game: str | None, kind: str | None, limit: int = _SIGHTS, patience: float | None = MOMENT
) -> dict[str, Any] | None:
    """Return hands worth seeing, of one game and kind or of all; None if that takes longer than `patience` the first time."""
    ids = [*games()] if game is None else [game]
    kinds = [*KINDS] if kind is None else [kind]
    question = ("sights", game, kind, limit)
    return _asked(ledger, question, ids, lambda kept: accounts.worth_seeing(kept, ids, kinds, limit), patience)


def same_deals(ledger: Ledger, game: str | None, limit: int) -> list[dict[str, Any]]:
    """Return deals that were played at several tables, those at most tables first; none as long as they are looked for."""

    def found(kept: Kept) -> list[dict[str, Any]]:
        rows = kept.file.reader.execute(
            "SELECT deal, game, count(*) AS tables FROM hands WHERE deal IS NOT NULL AND scores IS NOT NULL"
            " AND (?1 IS NULL OR game = ?1) GROUP BY deal HAVING tables > 1 ORDER BY tables DESC, deal LIMIT ?2",
            (game, limit),
        )
        return [{"deal": deal, "game": of, "tables": tables} for deal, of, tables in rows]

    return _asked(ledger, ("deals", game, limit), None if game is None else (game,), found, MOMENT) or []


def deal(ledger: Ledger, deal: str) -> dict[str, Any]:
    """Return every table at which a deal was played; raises StoreError `store.unknown`."""
    with caught_up(ledger) as kept:
        return accounts.of_deal(kept, deal)


@contextmanager
def caught_up(ledger: Ledger) -> Iterator[Kept]:
    """What is kept, with all that is recorded by now; what is a lot, as after an import, comes a little later."""
    with Kept(ledger) as kept:
        last = ledger.store.last_position()
        if last - kept.position <= _BEHIND:
            kept.catch_up()
        else:
            Shelf.of(ledger.views).soon("caught up", last, partial(_catch_up, ledger))
        yield kept


def _catch_up(ledger: Ledger) -> int:
    with Kept(ledger) as kept:
        return kept.catch_up()


def _asked(
    ledger: Ledger,
    question: tuple[Any, ...],
    ids: Sequence[str] | None,
    make: Callable[[Kept], Answer],
    patience: float | None,
) -> Answer | None:
    """Return an answer of what is kept: of a few hands at once, of many as it was, while it is made anew."""

    def anew() -> Answer:
        with Kept(ledger) as other:
            other.catch_up()
            return make(other)

    with caught_up(ledger) as kept:
        shelf, stamp = Shelf.of(ledger.views), kept.stamp
        if patience is not None and ledger.store.last_position() - kept.position > _BEHIND:
            return cast("Answer | None", shelf.found(question))  # worth making when all is taken in
        if kept.number_of_hands(ids) <= _AT_ONCE:
            return cast("Answer", shelf.get(question, stamp, partial(make, kept)))
        return cast("Answer | None", shelf.soon(question, stamp, anew, patience))
