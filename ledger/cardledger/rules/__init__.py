"""What is played, and by which rules: cards, games, evenings; no file, no network."""
