"""The columns of a packed archive, declared once for packing, unpacking and the README; and which event says what in them."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple, cast

from ledger import events as ev
from ledger.errors import StoreError
from ledger.store.naming import Named

VERSION = 2
"""Of the form. What one release has packed, every later one reads."""
ROWS = {
    "match": ("text", "id of the match; `people` for the events about people"),
    "hand": ("int32", "hands begun by then: 0 before the first deal"),
    "first_seq": ("int32", "number of the row's first event in the match"),
    "position": ("int64", "place of the match's opening in the ledger"),
    "game": ("text", "id of the game, like the following as the opening says it, in every row of the match"),
    "players": ("text[]", "player ids by seat"),
    "options": ("text", "JSON object of the options that were given"),
    "policy": ("text", "strict or record"),
    "rules": ("text", "edition of the rulebook"),
    "event": ("text", "club night or tournament"),
    "board": ("text", "which table"),
    "place": ("text", "where"),
    "date": ("text", "day of play"),
    "corrections": ("int32", "retracts and amends in the match: without any, what was recorded is what counts"),
    "hash": ("text", "SHA-256 of the match's latest event, which covers all before it"),
    "dealer": ("int8", "seat of the dealer"),
    "starter": ("int8", "seat of the starter (hecto-diversity)"),
    "deal": ("text[][]", "cards dealt by seat; null where the deal was not recorded, or is not in this row"),
    "aside": ("text[]", "cards left over"),
    "upcard": ("text", "card turned up"),
    "stock": ("text[]", "cards of the stock, the top first"),
    "claim": ("int32[]", "tricks agreed on by seat, where a claim ended the hand"),
    "score": ("int64[]", "points by seat, where a score sheet ended the hand"),
}
"""What there is once a row: type and meaning by name."""
EVENTS = {
    "types": ("text[]", "event types; item k of this list and of those below is event `first_seq` + k, from 0"),
    "seats": ("int8[]", "who acts"),
    "cards": ("text[]", "card played, discarded, given …; cards drawn, with blanks between them"),
    "amounts": ("int32[]", "tricks bid; this list and the next three are null in a row without such events"),
    "others": ("int8[]", "seat collected from, asked, or given to"),
    "piles": ("text[]", "drawn from the stock or the discards"),
    "suits": ("text[]", "suit asked for"),
    "times": ("time[]", "when it was recorded (UTC)"),
    "recorders": ("text[]", "by whom it was recorded"),
    "ids": ("text[]", "event ids, where they do not follow from match and number; null in a row where all do"),
}
"""Lists with an item for each event of the row."""
SPARSE = ("amounts", "others", "piles", "suits", "ids")
"""Of those lists, the ones that are null where they would hold nothing but nulls."""
REST = {
    "digits": ("int8", "digits after the point of the seconds, as they were written"),
    "rest": ("said[]", "`seq` and `line` of the events of which other columns do not say everything to the byte"),
    "names": (
        "named[]",
        "in the first row of a match, what pseudonyms in it stand for: `kind`, `text` as JSON, `salt`",
    ),
}
"""What makes the lines whole again."""
COLUMNS = ROWS | EVENTS | REST
OPENING = ("game", "players", "options", "policy", "rules", "event", "board", "place", "date")
"""The columns an opening is written from; `board` is its key `table`, a word SQL keeps for itself."""
PLAYED = ("types", "seats", "amounts", "others", "piles", "suits", "cards")
"""The columns that say what was done, for the types of `SAID`."""
SAID: dict[type[ev.Event], dict[str, str]] = {
    ev.Bid: {"seats": "seat", "amounts": "amount"},
    ev.Pass: {"seats": "seat"},
    ev.Play: {"seats": "seat", "cards": "card"},
    ev.Draw: {"seats": "seat", "piles": "source", "cards": "cards"},
    ev.Discard: {"seats": "seat", "cards": "card"},
    ev.Close: {"seats": "seat", "cards": "card"},
    ev.Layoff: {"seats": "seat", "cards": "card"},
    ev.Collect: {"seats": "seat", "others": "source"},
    ev.Ask: {"seats": "seat", "others": "source", "suits": "suit"},
    ev.Give: {"seats": "seat", "others": "to", "cards": "card"},
    ev.End: {},
}
"""Events that lists alone can say: the field each column holds."""
NAMES = tuple(f"names.list.element.{name}" for name in Named._fields)
"""The paths of the parts of names in the file."""
LIMITS = {"int8": 2**7, "int32": 2**31, "int64": 2**63}
"""Bounds of the types of numbers."""


class Spec(NamedTuple):
    """What the columns of `PLAYED` say of one event."""

    types: str | None = None
    seats: int | None = None
    amounts: int | None = None
    others: int | None = None
    piles: str | None = None
    suits: str | None = None
    cards: str | None = None


def spec_of(event: ev.Event) -> Spec:
    """Return what the columns say of an event, as much as they can."""
    kind = ev.type_of(event)
    found: dict[str, Any] = {}
    for column, field in SAID.get(type(event), {}).items():
        value = getattr(event, field)
        found[column] = " ".join(value) if isinstance(value, tuple) else value
    return Spec(kind, **{column: value for column, value in found.items() if fits(value, COLUMNS[column][0])})


@lru_cache(maxsize=65_536)
def event_of(spec: Spec) -> ev.Event | None:
    """Return the event that columns say, without number, id, time and author; None if they do not say it all."""
    cls = ev.TYPES.get(spec.types or "")
    fields = SAID.get(cls) if cls else None
    if cls is None or fields is None:
        return None
    said = {field: getattr(spec, column) for column, field in fields.items()}
    if None in said.values():
        return None
    if cls is ev.Draw:
        said["cards"] = tuple(said["cards"].split(" "))
    return cls(**said)


def fits(value: object, kind: str) -> bool:
    """Tell whether a number, or a list of numbers, can stand in a column of a type; other values always can."""
    limit = LIMITS.get(kind.removesuffix("[]"))
    if limit is None:
        return True
    values = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(one, int) and -limit <= one < limit for one in values)


def arrow() -> ModuleType:
    """Return pyarrow, with its Parquet; raises StoreError `store.extra` where it is not installed."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError:
        raise StoreError("store.extra", "Parquet needs pyarrow: pip install 'cardledger[analytics]'") from None
    return cast("ModuleType", pyarrow)


def schema(version: int = VERSION) -> Any:
    """Return the schema of Arrow; that of the first version had no names."""
    pa = arrow()
    simple = {
        "text": pa.string(),
        "time": pa.timestamp("us", "UTC"),
        "said": pa.struct([("seq", pa.int32()), ("line", pa.string())]),
        "named": pa.struct(
            [("pseudonym", pa.string()), ("kind", pa.string()), ("text", pa.string()), ("salt", pa.binary())]
        ),
        "int8": pa.int8(),
        "int32": pa.int32(),
        "int64": pa.int64(),
    }

    def of(kind: str) -> Any:
        return pa.list_(of(kind[:-2])) if kind.endswith("[]") else simple[kind]

    return pa.schema([(name, of(kind)) for name, (kind, _) in COLUMNS.items() if version > 1 or name != "names"])


def leaves() -> dict[str, str]:
    """Return the path of the values of every column in the file, by type: what Parquet is told about encodings."""
    return {
        f"{name}{'.list.element' * kind.count('[]')}{'.line' if name == 'rest' else ''}": kind.replace("[]", "")
        for name, (kind, _) in COLUMNS.items()
        if name != "names"
    }
