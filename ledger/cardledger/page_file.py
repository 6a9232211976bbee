"""A match as one file of HTML, which the pages make: this package knows no pages, and finds them by an entry point."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from cardledger.errors import StoreError
from cardledger.sentence import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardledger.record.recording.ledger import Ledger

GROUP = "cardledger.page_files"
QUIZ_CARDS = 50_000_000
"""So many cards are played at most to find out what the choices of a quiz cost, unless somebody says otherwise."""


def page_file(
    ledger: Ledger,
    match: str,
    language: str = "en",
    *,
    small: bool = False,
    quiz_cards: int | None = None,
    told: Callable[[Sentence], object] | None = None,
) -> str:
    """Return a match as one file of HTML: what every reader may see, without a server.

    Args:
        ledger: where the match is recorded.
        match: its id.
        language: that of the pages: `en`, `de` or `fr`.
        small: whether to leave out the rules, with which a reader tries other moves, asks what a seat can know, and
            takes the quiz of a hand.
        quiz_cards: how many cards are played at most to find out what the choices of its quiz cost, `QUIZ_CARDS` if it
            is None, 0 for no quiz. The same match with the same limit is the same file on every machine.
        told: called with a sentence if that is not enough for every hand: then the file has no quiz of the last ones.

    Raises StoreError `store.unknown` for a match that the ledger does not have, `store.withheld` while readers may not
    see it, `store.extra` without the pages.
    """
    for point in entry_points(group=GROUP, name="match"):
        made: str = point.load()(ledger, match, language, small=small, quiz_cards=quiz_cards, told=told)
        return made
    raise StoreError("store.extra", Sentence("the package was installed without its pages: install cardledger again"))
