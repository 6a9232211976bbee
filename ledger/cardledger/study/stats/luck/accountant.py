"""Accounts of luck and review without long waits: a reader gets the last large account while a new one is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from cardledger.errors import UnreadyError
from cardledger.record.readmodels.questions.shared_deals import held_hands
from cardledger.rules.games import games
from cardledger.study.stats.cache import MOMENT, Shelf
from cardledger.study.stats.luck import accounts
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.review.answers import answered
from cardledger.study.stats.review.bad_hands import after_bad_hands
from cardledger.study.stats.review.costliest import costliest
from cardledger.study.stats.review.decision_costs import decision_costs
from cardledger.study.stats.review.habits import split
from cardledger.study.stats.review.worth_seeing import KINDS
from cardledger.study.stats.tables import Statistics

if TYPE_CHECKING:
    from datetime import date

    from cardledger.record.recording.ledger import Ledger
    from cardledger.study.stats.query import Query
    from cardledger.study.stats.stats_table import StatsTable

Answer = TypeVar("Answer")
BEHIND = 10_000
"""How many new events are read while somebody waits; a larger backlog is read in the background."""
AT_ONCE = 1_500
"""How many hands an account may cover to be made while somebody waits."""
FOLDED_AT_ONCE = 200
"""The same for an account that folds every hand again."""
_SIGHTS = 5
_PUZZLES = 20


def luck(ledger: Ledger, game: str, patience: float | None = MOMENT) -> dict[str, Any] | None:
    """Return the account of luck of a game; None if making the first one takes longer than `patience` seconds.

    Its basis gives the last event it includes. With `patience` None there is always an answer.
    """
    return _asked(ledger, ("luck", game), (game,), lambda store: accounts.of_game(store, game), patience)


def habits(ledger: Ledger, game: str, patience: float | None = MOMENT) -> dict[str, Any] | None:
    """Return what decisions cost by player and situation.

    None if making the first answer takes longer than `patience`.
    """
    make = partial(accounts.habits_of, id=game)
    return _asked(ledger, ("habits", game), (game,), make, patience, FOLDED_AT_ONCE)


def habits_of_player(
    ledger: Ledger, player: str, game: str, by: Sequence[str] = (), where: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """Return one player's account of `habits`, empty for somebody without reviewed hands.

    `split` has the cost of the decisions in the situations `where`, split by one or two others (`by`). Raises
    StoreError `store.unknown` for an unknown situation.
    """
    account = habits(ledger, game, patience=None)
    assert account is not None
    nothing: dict[str, Any] = {"hands": 0, "careful_mistakes": None, "accuracy": None, "situations": [], "habits": []}
    own = account["players"].get(player, nothing)
    rows = split(account["decided"].get(player, ()), by, where)
    return {
        "player": player, "game": game, **own, "split": rows if by or where else [], "pending": account["pending"],
        "basis": account["basis"], "costliest": costliest(ledger, account["decided"].get(player, ())),
    }  # fmt: skip


def costly(ledger: Ledger, player: str, game: str) -> list[dict[str, Any]]:
    """Return the costliest decisions of a player in a game; none while they are being computed."""
    account = habits(ledger, game)
    return costliest(ledger, account["decided"].get(player, ())) if account else []


def decisions(ledger: Ledger, game: str, query: Query, of: str = "all", patience: float | None = MOMENT) -> StatsTable:
    """Return what the decisions of a game cost by kind, or its opening leads by the card led (`decision_costs`).

    Raises UnreadyError if the first answer takes longer than `patience`.
    """
    sheet = Statistics.of(ledger.views).sheets.sheet(game)
    return decision_costs(sheet, _ready(habits(ledger, game, patience)), query, of)


def after_bad_hand(
    ledger: Ledger, game: str, query: Query, bad: str = "play", patience: float | None = MOMENT
) -> StatsTable:
    """Return how much worse players do in the hand after a bad one (`bad_hands`); `bad` tells by what a hand is bad.

    Raises UnreadyError if the first answer takes longer than `patience`, StoreError `store.unknown` for an unknown `bad`.
    """
    sheet = Statistics.of(ledger.views).sheets.sheet(game)
    return after_bad_hands(sheet, _ready(habits(ledger, game, patience)), query, bad)


def _ready(account: Answer | None) -> Answer:
    """Return an answer that is there; raises UnreadyError."""
    if account is None:
        raise UnreadyError("reviews are being added up: ask again in a few seconds")
    return account


def sights(
    ledger: Ledger, game: str | None, kind: str | None, limit: int = _SIGHTS, patience: float | None = MOMENT
) -> dict[str, Any] | None:
    """Return hands worth seeing, of one game and kind or of all.

    None if the first answer takes longer than `patience`.
    """
    ids = [*games()] if game is None else [game]
    kinds = [*KINDS] if kind is None else [kind]
    question = ("sights", game, kind, limit)
    return _asked(ledger, question, ids, lambda store: accounts.worth_seeing(store, ids, kinds, limit), patience)


def puzzles(
    ledger: Ledger, game: str | None, day: date, limit: int = _PUZZLES, patience: float | None = MOMENT
) -> dict[str, Any] | None:
    """Return the puzzles of a game, or of all, that may be shown now, without their answers, and the one of a day.

    None if the first answer takes longer than `patience`.
    """
    ids = [*games()] if game is None else [game]
    account = _asked(ledger, ("puzzles", game), ids, lambda store: accounts.puzzles(store, ids), patience)
    return None if account is None else accounts.posable(account, ledger, limit, day)


def same_deals(ledger: Ledger, game: str | None, limit: int) -> list[dict[str, Any]]:
    """Return deals that were played at several tables, most tables first; nothing until the first search is done.

    Deals that another table has yet to play are left out.
    """

    def repeated(store: LuckStore) -> list[dict[str, Any]]:
        rows = store.file.reader.execute(
            "SELECT deal, game, count(*) AS tables FROM hands WHERE deal IS NOT NULL AND scores IS NOT NULL"
            " AND deal NOT IN (SELECT deal FROM hands WHERE deal IS NOT NULL"
            " AND match || ' ' || hand IN (SELECT value FROM json_each(?3)))"
            " AND (?1 IS NULL OR game = ?1) GROUP BY deal HAVING tables > 1 ORDER BY tables DESC, deal LIMIT ?2",
            (game, limit, held_hands(ledger.views)),
        )
        return [{"deal": deal, "game": of, "tables": tables} for deal, of, tables in rows]

    return _asked(ledger, ("deals", game, limit), None if game is None else (game,), repeated, MOMENT) or []


def deal(ledger: Ledger, deal: str, *, hidden: Callable[[str, int], bool]) -> dict[str, Any]:
    """Return every table at which a deal was played; raises StoreError `store.unknown`.

    So it does if `hidden` is true of any of its hands, by match and number.
    """
    with caught_up(ledger) as store:
        return accounts.of_deal(store, deal, hidden=hidden)


@contextmanager
def caught_up(ledger: Ledger) -> Iterator[LuckStore]:
    """Open the stored results, brought up to date; a large backlog, as after an import, is read in the background."""
    with LuckStore(ledger) as store:
        last = ledger.store.last_position()
        if last - store.position <= BEHIND:
            store.catch_up()
        else:
            Shelf.of(ledger.views).get_stale("caught up", last, partial(catch_up, ledger))
        yield store


def catch_up(ledger: Ledger) -> int:
    """Read what was recorded into the stored results; return the position reached."""
    with LuckStore(ledger) as store:
        return store.catch_up()


def _asked(
    ledger: Ledger,
    question: tuple[Any, ...],
    ids: Sequence[str] | None,
    make: Callable[[LuckStore], Answer],
    patience: float | None,
    at_once: int = AT_ONCE,
) -> Answer | None:
    """Return an answer from the stored results: a new one for a few hands.

    For many the last one, while a new one is made.
    """

    def remade() -> Answer:
        with LuckStore(ledger) as other:
            other.catch_up()
            return make(other)

    with caught_up(ledger) as store:
        shelf, stamp = Shelf.of(ledger.views), (store.stamp, held_hands(ledger.views), answered(ledger.views))
        if patience is not None and ledger.store.last_position() - store.position > BEHIND:
            return cast("Answer | None", shelf.peek(question))  # a new answer is worth making once the backlog is read
        if not store.has_more_than(at_once, ids):
            return cast("Answer", shelf.get(question, stamp, partial(make, store)))
        return cast("Answer | None", shelf.get_stale(question, stamp, remade, patience))
