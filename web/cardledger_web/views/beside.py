"""Players beside another one on a page: who is meant, and what is known of the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.pseudonyms import is_pseudonym
from cardledger.record.people.spelling import fold, similar_names
from cardledger.record.readmodels.questions.searches import players
from cardledger.study.stats.forecasts import chance_ahead
from cardledger.study.stats.head_to_head import head_to_head
from cardledger_api.current import people_of
from cardledger_web.languages import _, ngettext
from cardledger_web.views import stats

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cardledger.record.recording.ledger import Ledger

MOST_BESIDE = 2
"""The most players beside another one: pictures of more are hard to read."""
_LOOKED_AT = 5_000
"""Among so many players of the most matches a misspelled name is looked for."""
_OFFERED = 4


class Refused(NamedTuple):
    """A name that nobody can be compared by: why, and the players who may be meant."""

    name: str
    why: str
    meant: Sequence[str]


class Peers(NamedTuple):
    """The players to show beside another one, and the names that were refused."""

    players: tuple[str, ...]
    refused: tuple[Refused, ...]


NOBODY = Peers((), ())


class Versus(NamedTuple):
    """What is known of a player and another: the chance to be ahead in their next match, and how they did so far."""

    other: str
    chance: float | None
    met: str


def peers_of(ledger: Ledger, player: str, game: str, names: Sequence[str]) -> Peers:
    """Return the players of a game who are meant by names or ids, each once; a name that fits nobody is refused."""
    people = people_of(ledger)
    found: dict[str, None] = {}
    refused = []
    for name in dict.fromkeys(filter(None, (one.strip() for one in names))):
        meant = [people.person(name)] if _plays(ledger, people.person(name), game) else _called(ledger, name, game)
        if len(meant) != 1:
            why = _("Several players have this name.") if meant else _("No player of this game has this name.")
            refused.append(Refused(name, why, meant[:_OFFERED] or _similar(ledger, name, game, {player, *found})))
        elif meant[0] == player:
            refused.append(Refused(name, _("This is the same player."), ()))
        elif meant[0] not in found and len(found) == MOST_BESIDE:
            refused.append(
                Refused(
                    name,
                    ngettext(
                        "At most %(num)s player can stand beside another.",
                        "At most %(num)s players can stand beside another.",
                        MOST_BESIDE,
                    ),
                    (),
                )
            )
        else:
            found[meant[0]] = None
    return Peers(tuple(found), tuple(refused))


def versus(ledger: Ledger, player: str, others: Sequence[str], game: str, seats: int) -> list[Versus]:
    """Return what is known of a player and each of some others in a game, at tables of so many seats if they never met."""
    told = []
    for other in others:
        met = [
            row
            for row in head_to_head(ledger, player, other).rows
            if (row["how"], row["game"]) == ("against", game) and row["hands"]
        ]
        row = max(met, key=lambda one: one["hands"], default=None)
        if row is None:
            chance = chance_ahead(ledger.views.reader, game, seats, player, other)
            told.append(Versus(other, chance, _("They have not played against each other.")))
        else:
            told.append(Versus(other, row["chance"], _met(row)))
    return told


def _met(row: dict[str, Any]) -> str:
    """Say how two players did against each other."""
    chance = _("That may be chance.")
    points = stats.number(row["a_hand"])
    if row["low"] is None:
        said = ngettext(
            "In %(num)s match against each other the difference is %(points)s points a hand.",
            "In %(num)s matches against each other the difference is %(points)s points a hand.",
            row["matches"],
            points=points,
        )
        return f"{said} {chance}"
    values = {"points": points, "span": stats.interval(row["low"], row["high"])}
    said = ngettext(
        "In %(num)s match against each other the difference is %(points)s points a hand (95%% interval %(span)s).",
        "In %(num)s matches against each other the difference is %(points)s points a hand (95%% interval %(span)s).",
        row["matches"],
        **values,
    )
    return f"{said} {chance}" if row["low"] <= 0 <= row["high"] else said


def _plays(ledger: Ledger, player: str, game: str) -> bool:
    query = "SELECT 1 FROM standings WHERE player = ? AND game = ? LIMIT 1"
    return ledger.views.reader.execute(query, (player, game)).fetchone() is not None


def _called(ledger: Ledger, name: str, game: str) -> list[str]:
    """Return the players of a game whose name is this one, without regard to capitals and accents."""
    people, wanted = people_of(ledger), fold(name)
    some = [one.name for one in players(ledger) if wanted == fold(people.name(one.name))]
    return [one for one in some if not is_pseudonym(one) and _plays(ledger, one, game)]


def _similar(ledger: Ledger, name: str, game: str, without: Collection[str]) -> list[str]:
    """Return the players of a game whose names are like one, or contain it, `without` some."""
    people, wanted = people_of(ledger), fold(name)
    named: dict[str, str] = {}
    for one in players(ledger)[:_LOOKED_AT]:
        if not is_pseudonym(one.name) and one.name not in without:
            named.setdefault(people.name(one.name), one.name)
    alike = [*similar_names(name, named), *(one for one in named if wanted and wanted in fold(one))]
    return [named[one] for one in dict.fromkeys(alike) if _plays(ledger, named[one], game)][:_OFFERED]
