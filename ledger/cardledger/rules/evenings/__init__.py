"""A club's evening: who is here, who plays whom, what each result is worth, and who won."""
