"""Witnesses: where other logs send their checkpoints, and where the ledger sends its own."""
