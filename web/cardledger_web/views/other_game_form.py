"""The part of the form of an evening that names a game without rules: what it is called, who wins, who partners whom."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from cardledger.record.people.spelling import fold, tidy_name
from cardledger.record.readmodels.questions.evening_list import list_evenings
from cardledger.rules.evenings.other_game import ANY_SIZE, LONGEST_GAME, MOST_AT_TABLE
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.games.names import game_called
from cardledger_web.languages import N_, _, translated

if TYPE_CHECKING:
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.evenings import evening_events as ev
    from cardledger_web.views.evening_opening import EveningOpening

OTHER: Final = "other"
"""The choice of a game without rules that is named in the form."""
_KNOWN: Final = f"{OTHER}:"
"""The choice of one that was played before begins so; its name follows."""
WINS: Final = {"most": N_("Most points win"), "least": N_("Fewest points win")}
"""Who wins at a game without rules."""
_LOOK_BACK: Final = 8
"""The evenings of a game among which one of single players is looked for: it says who partners whom."""
_NUMBERS: Final = re.compile(r"(\d{1,2})(?:\s*(?:-|–|to|bis|à)\s*(\d{1,2}))?")


def is_other(choice: str) -> bool:
    """Tell whether the choice of a game is one without rules."""
    return choice == OTHER or choice.startswith(_KNOWN)


def choice_of(name: str) -> str:
    """Return the choice of a game without rules that was played before."""
    return f"{_KNOWN}{name}"


def named_by(choice: str) -> str:
    """Return the name of the game without rules that a choice is."""
    return choice.removeprefix(_KNOWN)


def played_as(ledger: Ledger, name: str) -> ev.Session | None:
    """Return the opening of the last evening at which a game without rules was played; None if there is none.

    One of single players goes before one of pairs.
    """
    rows = list_evenings(ledger, _LOOK_BACK, other_game=name).evenings
    states = [ledger.evenings.stream(row["evening"]).state for row in rows]
    openings = [state.opening for state in states if isinstance(state, SessionState)]
    return next((opening for opening in openings if opening.unit == "player"), next(iter(openings), None))


def keys_of_other_game(opening: EveningOpening, ledger: Ledger) -> dict[str, Any]:
    """Return the keys of an evening's game without rules, and note what is wrong; none for a game with rules.

    One that was played before is as it was on its last evening.
    """
    if not is_other(opening.game):
        return {}
    if opening.game != OTHER:
        known = played_as(ledger, named_by(opening.game))
        if known is None:
            opening.wrong["game"] = _("Choose one of the games, or any.")
            return {}
        return {name: getattr(known, name) for name in ("other_game", "sizes", "partners")}
    name = tidy_name(opening.texts.get("other_game", ""))
    if not name:
        opening.wrong["other_game"] = _("Write the name of the game.")
    elif len(name) > LONGEST_GAME:
        opening.wrong["other_game"] = _("Write at most %(most)s characters.", most=LONGEST_GAME)
    elif (ruled := game_called(name)) is not None:
        opening.wrong["other_game"] = _(
            "There are rules for %(game)s here: choose it in the list of games.", game=translated(ruled.title)
        )
    if opening.texts.get("wins") not in WINS:
        opening.wrong["wins"] = _("Say whether most or fewest points win.")
    partners = "partners" in opening.texts
    return {"other_game": name, "sizes": _sizes(opening, partners=partners), "partners": partners}


def fewest_wins(opening: EveningOpening, ledger: Ledger) -> bool:
    """Tell whether the fewest points win, where no game with rules says so."""
    if opening.game == OTHER:
        return opening.texts.get("wins") == "least"
    if is_other(opening.game):
        known = played_as(ledger, named_by(opening.game))
        return known is not None and known.scoring.fewest
    return "fewest" in opening.texts


def fill_in(opening: EveningOpening, last: ev.Session) -> None:
    """Choose the game without rules of the last evening."""
    if last.other_game is not None:
        opening.game = choice_of(last.other_game)


def same_choice(choice: str, name: str) -> bool:
    """Tell whether a choice is a game of this name, whatever capitals and accents it has."""
    return choice.startswith(_KNOWN) and fold(named_by(choice)) == fold(name)


def _sizes(opening: EveningOpening, *, partners: bool) -> tuple[int, ...]:
    """Return the numbers of players at a table: `4`, or `2-6`; none if nothing is said."""
    text = opening.texts.get("sizes", "")
    if not text:
        return ()
    found = _NUMBERS.fullmatch(text)
    least = int(found[1]) if found else 0
    most = int(found[2] or found[1]) if found else 0
    sizes = (*range(least, most + 1),)
    if not 2 <= least <= most <= MOST_AT_TABLE:
        opening.wrong["sizes"] = _("Write numbers from 2 to %(most)s, such as 4 or 2-6.", most=MOST_AT_TABLE)
    elif partners and not any(n > 2 and n % 2 == 0 for n in sizes):
        opening.wrong["sizes"] = _("Partners need tables of 4, 6 or another even number.")
    return () if sizes == ANY_SIZE else sizes
