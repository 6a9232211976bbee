"""Diversity with the Hectoedra cards: collect seven cards that all differ in colour and value, then close."""
