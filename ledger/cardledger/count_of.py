"""Numbers with their nouns in messages: `1 match`, `2 matches`."""


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural unless it is 1.

    >>> count_of(1, "match"), count_of(1200, "event"), count_of(0, "entry")
    ('1 match', '1,200 events', '0 entries')
    """
    if number == 1:
        return f"1 {noun}"
    if noun.endswith(("s", "x", "ch", "sh")):
        return f"{number:,} {noun}es"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("ry") else f"{number:,} {noun}s"
