"""The tables of webhooks, in a file and in a database."""

from __future__ import annotations

from cardledger.record.store import sums
from cardledger_api.beside.in_file import FileForm

_WITHHELD = """CREATE TABLE withheld (
    hook TEXT NOT NULL,
    position INTEGER NOT NULL,
    stream TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (hook, position)
) WITHOUT ROWID"""
_CUT = _WITHHELD.replace("withheld", "cut")
_IN_FILE = (
    """CREATE TABLE hooks (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    role TEXT NOT NULL,
    filter TEXT NOT NULL,
    created TEXT NOT NULL,
    position INTEGER NOT NULL,
    pending INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    failing_since REAL,
    due REAL NOT NULL DEFAULT 0,
    disabled TEXT
) WITHOUT ROWID""",
    """CREATE TABLE deliveries (
    number INTEGER PRIMARY KEY,
    hook TEXT NOT NULL,
    at TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    status INTEGER,
    ms INTEGER NOT NULL,
    error TEXT
)""",
    "CREATE INDEX deliveries_of ON deliveries (hook, number)",
    _WITHHELD,
    _CUT,
    sums.TABLE,
)
FILE = FileForm(
    0x686F6F6B,  # the ASCII letters "hook"
    4,
    _IN_FILE,
    {1: (_WITHHELD,), 2: (_CUT,), 3: (sums.TABLE,)},
    ("hooks", "withheld", "cut"),
)
"""The file of webhooks."""
_CUT_TABLE = """CREATE TABLE cut (
    hook text NOT NULL,
    position bigint NOT NULL,
    stream text NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (hook, position)
)"""
_TABLES = (
    """CREATE TABLE hooks (
    id text PRIMARY KEY,
    name text NOT NULL UNIQUE,
    url text NOT NULL,
    secret text NOT NULL,
    role text NOT NULL,
    filter text NOT NULL,
    created text COLLATE "C" NOT NULL,
    position bigint NOT NULL,
    pending bigint,
    failures integer NOT NULL DEFAULT 0,
    failing_since double precision,
    due double precision NOT NULL DEFAULT 0,
    disabled text
)""",
    """CREATE TABLE deliveries (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hook text NOT NULL,
    at text COLLATE "C" NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    status integer,
    ms integer NOT NULL,
    error text
)""",
    "CREATE INDEX deliveries_of ON deliveries (hook, number)",
    """CREATE TABLE withheld (
    hook text NOT NULL,
    position bigint NOT NULL,
    stream text NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (hook, position)
)""",
    _CUT_TABLE,
)
DATABASE = {"hooks": _TABLES, "cut": (_CUT_TABLE,)}
"""The tables of webhooks; an earlier version made them without `cut`."""
