"""The question which cards came into hands, as readers may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.record.readmodels.questions.shared_deals import held_hands
from cardledger.record.readmodels.tables.arrivals import DEALT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardledger.record.readmodels import ReadModels
    from cardledger.record.readmodels.model import Row

_SHOWN = f"""SELECT d.* FROM dealt AS d WHERE (:game IS NULL OR d.game = :game)
    AND d.match || ' ' || d.hand NOT IN (SELECT value FROM json_each(:held))
    ORDER BY {", ".join(f"d.{column}" for column in DEALT.key)}"""


def dealt_cards(views: ReadModels, game: str | None = None) -> Iterator[Row]:
    """Yield the rows of the table `dealt` that readers may see, of a game or of all.

    Hands whose cards another table is playing or will play are left out, as everywhere
    (`cardledger.record.recording.secrecy`). Raises BehindError.
    """
    held = held_hands(views)  # first: what has ended since then is hidden for longer, never shown too early
    yield from views.current.execute(_SHOWN, {"game": game, "held": held})
