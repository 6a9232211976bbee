"""Diamonds, the drawing game: the taker of a trick draws, and every card left in hand is a point."""
