"""Copies in an object store: what is recorded goes there piece by piece, and a ledger is restored from the pieces."""
