"""Diamonds, the bidding game: diamonds are trump, and every player bids how many tricks to take."""
