"""Analysing whole archives: many workers fold shares of them into the tables of the read models, and one writes these down."""
