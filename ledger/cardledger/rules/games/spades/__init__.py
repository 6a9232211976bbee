"""Spades: two sides bid how many tricks they will take; spades are trump."""
