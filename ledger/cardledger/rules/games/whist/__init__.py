"""Whist: two sides take tricks; the suit of the last card dealt is trump."""
