"""Hearts: every heart taken is a point and the queen of spades thirteen, unless one player takes them all."""
