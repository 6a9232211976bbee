"""Backups: verified copies of a ledger, made while others write, continued in the background, and restored."""
