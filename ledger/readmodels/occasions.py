"""The tables of occasions: the club nights, tables and places that matches name, each text once."""

from ledger.readmodels.matches import MATCHES
from ledger.readmodels.summary import Summary

OCCASIONS = tuple(
    Summary(
        f"named_{column}s",
        about,
        MATCHES,
        {column: (f"coalesce({{row}}.{column}, '')", meaning)},
        {"matches": ("1", "matches that say so")},
    )
    for column, about, meaning in (
        ("event", "Club nights and tournaments by name.", "as written; empty where a match names none"),
        ("board", "Tables by name.", "as written; empty where a match names none"),
        ("place", "Places by name.", "as written; empty where a match names none"),
    )
)
