"""Analysing whole archives.

Many workers fold shares into the tables of the read models, and one process writes them.
"""
