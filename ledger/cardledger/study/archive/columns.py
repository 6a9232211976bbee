"""The columns of a packed archive, declared once for packing, unpacking and the README.

With the fields of events that they hold.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import UNSET

from cardledger.record.people.names import Named
from cardledger.record.readmodels.arrow_tables import arrow
from cardledger.rules.engine import events as ev

VERSION = 4
"""The version of the form. Every later release reads the archives of this one."""
ROWS = {
    "match": ("text", "id of the match; `people` for the events about people"),
    "hand": ("int32", "hands begun so far: 0 before the first deal"),
    "first_seq": ("int32", "number of the row's first event in the match"),
    "position": ("int64", "position of the match's opening in the ledger"),
    "game": ("text", "id of the game; this and the next columns come from the opening, in every row of the match"),
    "players": ("text[]", "player ids by seat"),
    "options": ("text", "JSON object of the options that were given"),
    "policy": ("text", "strict or record"),
    "rules": ("text", "edition of the rulebook"),
    "event": ("text", "club night or tournament"),
    "board": ("text", "which table"),
    "place": ("text", "where"),
    "date": ("text", "day of play as the opening has it: a day, a month, a year, or unknown"),
    "corrections": ("int32", "retracts, amends and voids in the match; without any, all recorded events count"),
    "hash": ("text", "SHA-256 of the match's latest event, which covers all before it"),
    "dealer": ("int8", "seat of the dealer"),
    "starter": ("int8", "seat of the starter, in a game of turns"),
    "deal": ("letters[]", "cards dealt by seat; null if the deal was not recorded, or is not in this row"),
    "aside": ("letters", "cards left over"),
    "upcard": ("text", "card turned up"),
    "stock": ("letters", "cards of the stock, top first"),
    "deal_board": ("int32", "number of the board (bridge)"),
    "vulnerable": ("text", "who is vulnerable, if the deal says so (bridge)"),
    "contract": ("text", "contract of an auction that was not written down (bridge)"),
    "declarer": ("int8", "seat of the declarer of that contract"),
    "claim": ("int32[]", "tricks agreed on by seat, if a claim ended the hand"),
    "score": ("int64[]", "points by seat, if a score sheet ended the hand"),
}
"""Columns with one value for each row: type and meaning by name."""
EVENTS = {
    "types": ("letters", "event types; letter k of this and of the next columns is event `first_seq` + k, from 0"),
    "seats": ("letters", "who acts"),
    "cards": ("letters", "card played, discarded, given …; `&` for several cards, drawn or passed on"),
    "amounts": ("letters", "tricks bid; this and the next four are null in a row without such events"),
    "calls": ("letters", "calls: `nil`, `order up`, `1NT`"),
    "others": ("letters", "seat collected from, asked, or given to"),
    "piles": ("letters", "drawn from the stock or the discards"),
    "suits": ("letters", "suit asked for"),
    "times": ("time[]", "when each event was recorded (UTC)"),
    "recorders": ("text[]", "by whom it was recorded"),
    "ids": ("text[]", "event ids that do not follow from match and number; null in a row where all do"),
}
"""Lists with an item, or texts with a letter, for each event of the row."""
SPARSE = ("amounts", "calls", "others", "piles", "suits", "ids")
"""The lists that are null if they would hold only nulls."""
REST = {
    "several": ("text[]", "the cards of each `&` in `cards`, with blanks between them"),
    "digits": ("int8", "decimals of the seconds, as written"),
    "rest": ("said[]", "`seq` and `line` of the events that the other columns cannot restore byte for byte"),
    "names": (
        "named[]",
        "in the first row of a match, the names behind its pseudonyms: `kind`, `text` as JSON, `salt`",
    ),
}
"""Columns that restore the lines to the byte."""
COLUMNS = ROWS | EVENTS | REST
OPENING = ("game", "players", "options", "policy", "rules", "event", "board", "place", "date")
"""The columns of an opening; `board` is its key `table`, which is a reserved word in SQL."""
PLAYED = ("types", "seats", "amounts", "calls", "others", "piles", "suits", "cards")
"""The columns with the content of events, for the types of `SAID`."""
SAID: dict[type[ev.Event], dict[str, str]] = {
    ev.Bid: {"seats": "seat", "amounts": "amount"},
    ev.Call: {"seats": "seat", "calls": "call"},
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
"""Events that lists alone can hold: the field of each column. Several cards of a give are its field `cards`."""
ADDED = {"names": 2, "deal_board": 3, "vulnerable": 3, "contract": 3, "declarer": 3, "calls": 3, "several": 4}
"""The version of the form in which a column came in."""
ALPHABETS = {
    "types": "types", "seats": "seats", "others": "seats", "amounts": "amounts", "calls": "calls", "piles": "piles", "suits": "suits",
    **dict.fromkeys(("cards", "deal", "aside", "stock"), "cards"),
}  # fmt: skip
"""The columns of letters, each with its alphabet (`cardledger.study.archive.letters`)."""
LETTERED = 4
"""The first version with letters: before it, these columns were lists."""
LISTS = {
    "deal": "text[][]", "amounts": "int32[]", "seats": "int8[]", "others": "int8[]",
    **dict.fromkeys(("aside", "stock", "types", "cards", "calls", "piles", "suits"), "text[]"),
}  # fmt: skip
"""The types of columns in archives before letters, where they were others."""
NAMES = tuple(f"names.list.element.{name}" for name in Named._fields)
"""The paths of the parts of names in the file."""
LIMITS = {"int8": 2**7, "int32": 2**31, "int64": 2**63}
"""Bounds of the types of numbers."""


class Spec(NamedTuple):
    """The values of one event in the columns of `PLAYED`."""

    types: str | None = None
    seats: int | None = None
    amounts: int | None = None
    calls: str | None = None
    others: int | None = None
    piles: str | None = None
    suits: str | None = None
    cards: str | None = None


def spec_of(event: ev.Event) -> Spec:
    """Return an event's values for the columns, as far as possible."""
    kind = ev.type_of(event)
    by_column: dict[str, Any] = {}
    for column, field in SAID.get(type(event), {}).items():
        value = getattr(event, field)
        if isinstance(event, ev.Give) and field == "card" and event.card is UNSET:
            value = event.cards or None
        by_column[column] = " ".join(value) if isinstance(value, tuple) else None if value is UNSET else value
    return Spec(kind, **{column: value for column, value in by_column.items() if fits(value, LISTS[column])})


@lru_cache(maxsize=65_536)
def event_of(spec: Spec) -> ev.Event | None:
    """Return the event that columns hold, without number, id, time and author; None if it is not complete."""
    cls = ev.TYPES.get(spec.types or "")
    fields = SAID.get(cls) if cls else None
    if cls is None or fields is None:
        return None
    values = {field: getattr(spec, column) for column, field in fields.items()}
    if None in values.values():
        return None
    if cls is ev.Draw:
        values["cards"] = tuple(values["cards"].split(" "))
    elif cls is ev.Give and " " in values["card"]:
        values["cards"] = tuple(values.pop("card").split(" "))
    return cls(**values)


def fits(value: object, kind: str) -> bool:
    """Tell whether a number, or a list of numbers, can stand in a column of a type; other values always can."""
    limit = LIMITS.get(kind.removesuffix("[]"))
    if limit is None:
        return True
    values = value if isinstance(value, list | tuple) else [value]
    return all(isinstance(one, int) and -limit <= one < limit for one in values)


def kinds(version: int = VERSION) -> dict[str, str]:
    """Return the types of the columns that a version has, by name."""
    older = LISTS if version < LETTERED else {}
    return {name: older.get(name, kind) for name, (kind, _) in COLUMNS.items() if ADDED.get(name, 1) <= version}


def schema(version: int = VERSION) -> Any:
    """Return the schema of Arrow, without the columns that came in later."""
    pa = arrow()
    simple = {
        "text": pa.string(),
        "letters": pa.string(),
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

    return pa.schema([(name, of(kind)) for name, kind in kinds(version).items()])


def leaves(version: int = VERSION) -> dict[str, str]:
    """Return the path of the values of every column in the file, by type: the names Parquet needs for encodings."""
    return {
        f"{name}{'.list.element' * kind.count('[]')}{'.line' if name == 'rest' else ''}": kind.replace("[]", "")
        for name, kind in kinds(version).items()
        if name != "names"
    }
