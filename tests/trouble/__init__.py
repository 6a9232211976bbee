"""Trouble: killed processes, failing calls, and power failures; no acknowledged event may be lost."""
