"""The strength of players, estimated from their points, with honest intervals where groups seldom meet."""
