"""Tests of a club's evening."""
