"""Poison Hearts: every card is a point, unless you took the most of its suit; tied tricks go back to the hands."""
