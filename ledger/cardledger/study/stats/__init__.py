"""Statistics of players: measures with intervals, honest comparison, ratings. They read the read models.

No web here.
"""

from cardledger.study.stats.query import DIMENSIONS, Query
from cardledger.study.stats.stats_table import StatsTable
from cardledger.study.stats.tables import Statistics

__all__ = ["DIMENSIONS", "Query", "Statistics", "StatsTable"]
