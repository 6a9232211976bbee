"""Events and their lines from columns. Packing uses the same code, to find the lines that columns cannot restore."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from cardledger.rules.engine import events as ev
from cardledger.study.archive.columns import OPENING, Spec, event_of

encode_json = msgspec.json.Encoder().encode
_options = msgspec.json.Decoder(dict[str, Any]).decode


class Common(NamedTuple):
    """The keys of any event; a time or an author of None is absent."""

    seq: int
    id: str
    at: str | None
    by: str | None


@lru_cache(maxsize=65_536)
def beginning(spec: Spec) -> str | None:
    """Return the line of an event without the keys of every event; None if the lists alone do not hold its content."""
    event = event_of(spec)
    return None if event is None else ev.encode(event)[:-1].decode()


def line_of(event: str | ev.Event, common: Common) -> str:
    """Return the line of an event from its beginning, or from the event without the keys of every event."""
    if not isinstance(event, str):
        return ev.encode(msgspec.structs.replace(event, **common._asdict())).decode()
    seq, id, at, by = common
    when = "" if at is None else f',"at":"{at}"'
    who = "" if by is None else f',"by":{quoted(by)}'
    return f'{event},"seq":{seq},"id":{quoted(id)}{when}{who}}}'


@lru_cache(maxsize=1024)
def quoted(text: str) -> str:
    """Return a text as written in a line."""
    return encode_json(text).decode()


def _open(
    game: str | None, players: tuple[str, ...], options: str, policy: str, rules: str | None, event: str | None,
    board: str | None, place: str | None, date: str | None,
) -> ev.Event | None:  # fmt: skip
    if game is None:
        return None
    return ev.Open(
        game=game, players=players, options=_options(options),
        policy="record" if policy == "record" else "strict",  # the exact default, because only that is left out of lines
        rules=rules, event=event, table=board, place=place, date=date,
    )  # fmt: skip


def _deal(
    dealer: int | None, starter: int | None, deal: tuple[tuple[str, ...], ...] | None, aside: tuple[str, ...] | None,
    upcard: str | None, stock: tuple[str, ...] | None,
    board: int | None, vulnerable: Any, contract: str | None, declarer: int | None,
) -> ev.Event | None:  # fmt: skip
    up = msgspec.UNSET if upcard is None else upcard
    return ev.Deal(
        dealer=dealer, starter=starter, hands=deal, aside=aside, upcard=up, stock=stock,
        board=board, vulnerable=vulnerable, contract=contract, declarer=declarer,
    )  # fmt: skip


def _claim(claim: tuple[int, ...] | None) -> ev.Event | None:
    return None if claim is None else ev.Claim(tricks=claim)


def _score(score: tuple[int, ...] | None) -> ev.Event | None:
    return None if score is None else ev.Score(scores=score)


COMPOSED: dict[str | None, tuple[tuple[str, ...], Callable[..., ev.Event | None]]] = {
    "open": (OPENING, _open),
    "deal": (
        ("dealer", "starter", "deal", "aside", "upcard", "stock", "deal_board", "vulnerable", "contract", "declarer"),
        _deal,
    ),
    "claim": (("claim",), _claim),
    "score": (("score",), _score),
}
"""Events held by columns with one value a row: the columns, and the function that makes the event from them, if they
hold it."""
