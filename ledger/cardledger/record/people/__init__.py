"""People: the players, their names, the pseudonyms in storage, and erasing a person."""
