"""Measures: counts by player and hand, filtered and summed, with intervals."""
