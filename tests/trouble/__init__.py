"""Trouble: processes that are killed, calls that fail, and power that goes; nothing acknowledged may be lost."""
