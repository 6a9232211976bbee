"""Rules and bots compiled from their own source: the same results, many times as fast."""
