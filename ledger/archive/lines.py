"""Events and their lines from what the columns say: the one way back, which packing takes too, to find what they do not say."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from ledger import events as ev
from ledger.archive.columns import OPENING, Spec, event_of

encode_json = msgspec.json.Encoder().encode
_options = msgspec.json.Decoder(dict[str, Any]).decode


class Common(NamedTuple):
    """What any event carries; a time or an author that is None is not there."""

    seq: int
    id: str
    at: str | None
    by: str | None


@lru_cache(maxsize=65_536)
def beginning(spec: Spec) -> str | None:
    """Return the line of an event up to what any event carries; None where lists alone do not say it all."""
    event = event_of(spec)
    return None if event is None else ev.encode(event)[:-1].decode()


def line_of(said: str | ev.Event, common: Common) -> str:
    """Return the line of an event: of its beginning, or of the event without what any event carries."""
    if not isinstance(said, str):
        return ev.encode(msgspec.structs.replace(said, **common._asdict())).decode()
    seq, id, at, by = common
    when = "" if at is None else f',"at":"{at}"'
    who = "" if by is None else f',"by":{quoted(by)}'
    return f'{said},"seq":{seq},"id":{quoted(id)}{when}{who}}}'


@lru_cache(maxsize=1024)
def quoted(text: str) -> str:
    """Return a text as it stands in a line."""
    return encode_json(text).decode()


def _open(
    game: str | None, players: tuple[str, ...], options: str, policy: str, rules: str | None, event: str | None,
    board: str | None, place: str | None, date: str | None,
) -> ev.Event | None:  # fmt: skip
    if game is None:
        return None
    return ev.Open(
        game=game, players=players, options=_options(options),
        policy="record" if policy == "record" else "strict",  # the very default, as only that is left out of lines
        rules=rules, event=event, table=board, place=place, date=date,
    )  # fmt: skip


def _deal(
    dealer: int | None, starter: int | None, deal: tuple[tuple[str, ...], ...] | None, aside: tuple[str, ...] | None,
    upcard: str | None, stock: tuple[str, ...] | None,
) -> ev.Event | None:  # fmt: skip
    return ev.Deal(dealer=dealer, starter=starter, hands=deal, aside=aside, upcard=upcard, stock=stock)


def _claim(claim: tuple[int, ...] | None) -> ev.Event | None:
    return None if claim is None else ev.Claim(tricks=claim)


def _score(score: tuple[int, ...] | None) -> ev.Event | None:
    return None if score is None else ev.Score(scores=score)


COMPOSED: dict[str | None, tuple[tuple[str, ...], Callable[..., ev.Event | None]]] = {
    "open": (OPENING, _open),
    "deal": (("dealer", "starter", "deal", "aside", "upcard", "stock"), _deal),
    "claim": (("claim",), _claim),
    "score": (("score",), _score),
}
"""Events that columns with one value a row say: which columns, and what makes an event of them if they say it."""
