"""The engine: cards, events, rules, and the folding of matches of any game; no file, no database, no network."""
