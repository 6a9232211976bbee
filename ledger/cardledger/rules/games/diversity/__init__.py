"""Diversity: nobody has to follow suit, and every trick taken counts against its taker."""
