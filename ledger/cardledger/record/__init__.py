"""The record of what was played: events, judged and stored, and what is read from them."""
