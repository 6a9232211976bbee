"""The events of the game of talk."""

from cardledger.rules import Event, keys


class Alert(Event, tag="alert", frozen=True):
    """What a bid means, said by the bidder's partner to the table."""

    words = "{seat} explains the bid of {bidder}: {meaning}"

    seat: keys.Seat
    bidder: keys.Seat
    meaning: keys.Spoken


class Comment(Event, tag="comment", frozen=True):
    """What somebody thinks of an event."""

    words = "on event {about}: {text}"
    counts = False
    replaces = "none"

    about: keys.Count
    text: keys.Remark


class Rumour(Event, tag="rumour", frozen=True):
    """An event without a word about itself."""

    counts = False
    replaces = "none"

    told: str
    by_whom: tuple[str, ...] = ()
