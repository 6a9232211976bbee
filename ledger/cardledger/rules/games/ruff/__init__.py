"""Ruff and Ruff 2.0: every suit but the one led is trump, and players short of the quota pay with cards."""
