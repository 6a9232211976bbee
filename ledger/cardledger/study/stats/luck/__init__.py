"""Luck: what a deal was worth to each seat, measured by replaying it many times."""
