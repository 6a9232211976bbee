"""The doctor: the state of a ledger and of all it depends on, line by line, with what to do; it only ever reads."""
