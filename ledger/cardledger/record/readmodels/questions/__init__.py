"""Queries on the read models: lists, searches, seasons."""
