"""Ours beside others, in one run on one machine: open_spiel, python-chess, PokerKit, eventsourcing, bare sqlite3."""
