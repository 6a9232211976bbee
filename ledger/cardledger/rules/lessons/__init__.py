"""Questions about recorded hands and who answered them, and lessons that a class follows: streams beside the matches."""
