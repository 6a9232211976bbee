"""The tables of occasions: the club nights, tables and venues that matches name, each text once."""

from cardledger.record.readmodels.summary import Summary
from cardledger.record.readmodels.tables.matches import MATCHES

NAMED = {"event": "event", "board": "table_name", "place": "venue"}
"""The columns of matches with texts of occasions, by the names they have in the API and on the pages."""
_TABLES = {
    "event": ("named_events", "Club nights and tournaments by name."),
    "table_name": ("named_tables", "Tables by name."),
    "venue": ("named_venues", "Venues by name."),
}
OCCASIONS = {
    column: Summary(
        name,
        about,
        MATCHES,
        {
            column: (
                f"coalesce({{row}}.{column}, '')",
                f"{MATCHES.columns[column][1]}; here empty if the match names none",
            )
        },
        {
            "matches_recorded": ("1", "matches with this text"),
            "matches": ("({row}.status <> 'void')", "of these, matches that are not void"),
        },
    )
    for column, (name, about) in _TABLES.items()
}
"""The tables by that column."""
