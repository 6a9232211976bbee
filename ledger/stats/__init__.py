"""Statistics of players: measures with intervals, honest comparison, ratings; from the read models, without a web."""

import os

# The matrices are small: threads would wait for each other longer than they help, and sum in another order each time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from ledger.stats.query import DIMENSIONS, Query
from ledger.stats.tables import Statistics, Table

__all__ = ["DIMENSIONS", "Query", "Statistics", "Table"]
