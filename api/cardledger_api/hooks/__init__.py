"""Webhooks.

Programs elsewhere that are sent the events of a ledger, signed, in order, and again until they take them.
"""
