"""Backups: verified copies of a ledger made while it is written to, kept up with, and turned into ledgers again."""
