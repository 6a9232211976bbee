"""Matches: reading and writing match files, replaying them, and describing them in words."""
