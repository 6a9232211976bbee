"""Luck and review as pages show them: what is kept by now, and what is still to be computed, in words."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ledger.games import games
from ledger.stats import accounts
from ledger.stats.deals import WHY
from ledger.stats.kept import Kept
from ledger.stats.reviews import kept_review
from ledger.stats.shelf import Shelf
from ledger.stats.worth_seeing import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ledger.ledger import Ledger

Answer = TypeVar("Answer")
_BEHIND = 10_000
"""Events that a page takes in while it is waited for; more are taken in meanwhile."""
_AT_ONCE = 1_500
"""Hands of a game up to which a page computes an account while it is waited for."""
_SIGHTS = 5


@dataclass(frozen=True, slots=True)
class PlayerLuck:
    """What luck did to a player in a game, and what was given up; None where nothing is computed yet."""

    adjusted: Mapping[str, Any] | None
    review: Mapping[str, Any] | None
    told: str
    notes: list[str]
    pending: int
    reviews_pending: int


def player_luck(ledger: Ledger, player: str, game: str) -> PlayerLuck:
    """Return luck and review of a player in a game, as far as they are kept."""
    account = luck_of(ledger, game)
    if account is None:
        return PlayerLuck(None, None, "This is being put together: look again in a moment.", [], 0, 0)
    adjusted = next((one for one in account["players"] if one["player"] == player), None)
    review = next((one for one in account["reviews"] if one["player"] == player), None)
    return PlayerLuck(
        adjusted, review, told(account), account["notes"], account["pending"] or account["reviews_pending"],
        account["reviews_pending"],
    )  # fmt: skip


def luck_of(ledger: Ledger, game: str) -> dict[str, Any] | None:
    """Return the account of luck of a game, None as long as it is being put together for the first time."""
    with _caught_up(ledger) as kept:
        (hands,) = kept.file.reader.execute("SELECT count(*) FROM hands WHERE game = ?", (game,)).fetchone()
        return _asked(ledger, kept, ("luck", game), hands, lambda kept: accounts.of_game(kept, game))


def told(account: Mapping[str, Any]) -> str:
    """Say what an account rests on, and what it leaves out."""
    left_out = [f"{number} {WHY[why]}" for why, number in account["left_out"].items()]
    basis = account["basis"]
    return (
        f"Computed from {account['hands']:,} hands played out, events up to number {basis['position']:,} of the ledger, under"
        f" {', '.join(basis['rules'])}, {basis['bots']} and {basis['review']}. To be computed: the luck of"
        f" {account['pending']:,} hands, the review of {account['reviews_pending']:,}."
        f" Left out: {', '.join(left_out) or 'none'}."
    )


def sights(ledger: Ledger, game: str | None, kind: str | None, limit: int = _SIGHTS) -> dict[str, Any] | None:
    """Return hands worth seeing, None as long as they are looked for for the first time."""
    ids = [*games()] if game is None else [game]
    kinds = [*KINDS] if kind is None else [kind]
    with _caught_up(ledger) as kept:
        (hands,) = kept.file.reader.execute("SELECT count(*) FROM hands").fetchone()
        return _asked(
            ledger,
            kept,
            ("sights", game, kind, limit),
            hands,
            lambda kept: accounts.worth_seeing(kept, ids, kinds, limit),
        )


def reviewed_hand(ledger: Ledger, match: str, number: int) -> dict[str, Any] | None:
    """Return what is kept of the review of a hand with its outcome; None for a hand that cannot be reviewed."""
    with _caught_up(ledger) as kept:
        for hand in kept.hands("match = ? AND hand = ? AND why IS NULL", (match, number)):
            return accounts.of_hand(kept_review(hand, kept))
    return None


def same_deals(ledger: Ledger, game: str | None, limit: int) -> list[dict[str, Any]]:
    """Return deals that were played at several tables, those at most tables first."""

    def found(kept: Kept) -> list[dict[str, Any]]:
        rows = kept.file.reader.execute(
            "SELECT deal, game, count(*) AS tables FROM hands WHERE deal IS NOT NULL AND scores IS NOT NULL"
            " AND (?1 IS NULL OR game = ?1) GROUP BY deal HAVING tables > 1 ORDER BY tables DESC, deal LIMIT ?2",
            (game, limit),
        )
        return [{"deal": deal, "game": of, "tables": tables} for deal, of, tables in rows]

    with _caught_up(ledger) as kept:
        (hands,) = kept.file.reader.execute("SELECT count(*) FROM hands").fetchone()
        return _asked(ledger, kept, ("deals", game, limit), hands, found) or []


def deal_of(ledger: Ledger, deal: str) -> dict[str, Any]:
    """Return every table at which a deal was played; raises StoreError `store.unknown`."""
    with _caught_up(ledger) as kept:
        return accounts.of_deal(kept, deal)


@contextmanager
def _caught_up(ledger: Ledger) -> Iterator[Kept]:
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
    ledger: Ledger, kept: Kept, question: tuple[Any, ...], hands: int, make: Callable[[Kept], Answer]
) -> Answer | None:
    """Return an answer of what is kept: of a few hands at once, of many as it was, while it is made anew."""
    shelf, stamp = Shelf.of(ledger.views), kept.stamp
    if ledger.store.last_position() - kept.position > _BEHIND:
        return cast("Answer | None", shelf.found(question))  # worth making when all is taken in
    if hands <= _AT_ONCE:
        return cast("Answer", shelf.get(question, stamp, partial(make, kept)))

    def anew() -> Answer:
        with Kept(ledger) as other:
            return make(other)

    return cast("Answer | None", shelf.soon(question, stamp, anew))
