"""Open data: an anonymous edition of a ledger for others, with descriptions that other programs read."""
