"""Clubs: many ledgers in one server, each open while somebody asks for it."""
