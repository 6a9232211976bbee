"""The catalogue of read models: every table, the schema of their file, and its version."""

from __future__ import annotations

from cardledger.record.readmodels.model import DerivedView, Described, ReadModel
from cardledger.record.readmodels.summary import Summary
from cardledger.record.readmodels.tables import boards, kept_sheets, ratings
from cardledger.record.readmodels.tables.arrivals import ARRIVALS, DEALT
from cardledger.record.readmodels.tables.boards import BOARDS
from cardledger.record.readmodels.tables.calls import CALLS
from cardledger.record.readmodels.tables.company import COMPANY
from cardledger.record.readmodels.tables.counts import COUNTS
from cardledger.record.readmodels.tables.deals import DEALS
from cardledger.record.readmodels.tables.doubts import DOUBTS
from cardledger.record.readmodels.tables.evenings import EVENING_BOARDS, EVENING_PLAYERS, EVENING_RESULTS, EVENINGS
from cardledger.record.readmodels.tables.hands import HANDS
from cardledger.record.readmodels.tables.matches import MATCHES
from cardledger.record.readmodels.tables.occasions import OCCASIONS
from cardledger.record.readmodels.tables.people import PEOPLE
from cardledger.record.readmodels.tables.players import CAREERS, PLAYERS
from cardledger.record.readmodels.tables.plays import PLAYS
from cardledger.record.readmodels.tables.ratings import RATINGS
from cardledger.record.readmodels.tables.rulings import RULES, RULINGS
from cardledger.record.readmodels.tables.seats import SEATS
from cardledger.record.readmodels.tables.standings import STANDINGS
from cardledger.record.readmodels.tables.tricks import TRICKS
from cardledger.record.readmodels.tables.violations import VIOLATIONS

MODELS: tuple[ReadModel, ...] = (
    MATCHES, PLAYERS, HANDS, DEALS, ARRIVALS, CALLS, BOARDS, SEATS, COMPANY, TRICKS, RULINGS, VIOLATIONS, DOUBTS, COUNTS,
)  # fmt: skip
"""The tables of matches."""
EVENING_MODELS: tuple[ReadModel, ...] = (EVENINGS, EVENING_PLAYERS, EVENING_RESULTS, EVENING_BOARDS)
"""The tables of clubs, sessions and leagues."""
SUMMARIES: tuple[Summary, ...] = (CAREERS, STANDINGS, *OCCASIONS.values(), RULES)
VIEWS: tuple[DerivedView, ...] = (PLAYS, DEALT)
"""The tables that are not stored: what they show follows from those of matches."""
_EVERY_TABLE: tuple[Described, ...] = (*MODELS, *VIEWS, PEOPLE, *EVENING_MODELS, *SUMMARIES, RATINGS)
TABLES = {table.name: table for table in _EVERY_TABLE}
"""All tables for readers, by name."""
KIND = 0x76696577
"""Marks a SQLite file as read models (the ASCII letters "view")."""
VERSION = 27
"""Raised whenever a table or its fold changes: a file of another version is dropped and rebuilt."""
EMPTY = (
    # `due` is the position of the last erasure after which old pages of the file may still hold the name, though no row
    # has it; 0 if none does.
    "CREATE TABLE checkpoint (position INTEGER NOT NULL, due INTEGER NOT NULL DEFAULT 0)",
    "INSERT INTO checkpoint (position) VALUES (0)",
    *(model.schema for model in MODELS),
    *(model.schema for model in EVENING_MODELS),
    PEOPLE.schema,
    *(view.schema for view in VIEWS),
    *(summary.schema for summary in SUMMARIES),
    *ratings.SCHEMA,
    *boards.SCHEMA,
    *kept_sheets.SCHEMA,
)
"""The statements that make the tables, empty."""
UPKEEP = (
    *(trigger for summary in SUMMARIES for trigger in summary.triggers),
    "CREATE UNIQUE INDEX matches_position ON matches (position)",
    "CREATE INDEX matches_game ON matches (game, position)",
    "CREATE INDEX matches_event ON matches (event, position) WHERE event IS NOT NULL",
    "CREATE INDEX matches_table ON matches (table_name, position) WHERE table_name IS NOT NULL",
    "CREATE INDEX matches_venue ON matches (venue, position) WHERE venue IS NOT NULL",
    "CREATE INDEX matches_date ON matches (date, position)",
    "CREATE INDEX matches_status ON matches (status, position)",
    "CREATE INDEX matches_players ON matches (players, event, table_name, date, position)",
    "CREATE INDEX matches_beginning ON matches (beginning, position) WHERE beginning IS NOT NULL",
    "CREATE INDEX matches_violations ON matches (position) WHERE violations > 0",
    "CREATE INDEX matches_corrections ON matches (position) WHERE corrections > 0",
    "CREATE INDEX players_position ON players (player, position)",
    "CREATE INDEX players_player ON players (player, date, position, game, seats, place)",
    "CREATE INDEX deals_cards ON deals (cards_hash)",
    "CREATE INDEX seats_player ON seats (player, match)",
    "CREATE INDEX evening_players_player ON evening_players (recorded_as)",
    "CREATE INDEX evening_boards_match ON evening_boards (match)",
    "CREATE INDEX evening_boards_board ON evening_boards (evening, board)",
    "CREATE INDEX evening_results_match ON evening_results (match) WHERE match IS NOT NULL",
    "CREATE INDEX violations_rule ON violations (rule)",
    "CREATE INDEX violations_player ON violations (player)",
)
"""Those that make what keeps summaries up to date, and finds rows; a rebuild runs them once the tables are full."""
SCHEMA = (*EMPTY, *UPKEEP)
