"""The doctor: the state of a ledger and of all it depends on, line by line, with advice; it only reads."""
