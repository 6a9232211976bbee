"""Evenings from spreadsheets."""
