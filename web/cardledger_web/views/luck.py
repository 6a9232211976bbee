"""Luck and review as pages show them: the stored results, and in words what is still to be computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.study.stats.luck import accountant, accounts
from cardledger.study.stats.luck.deals import WHY
from cardledger.study.stats.review.habits import split
from cardledger.study.stats.review.reviews import stored_review
from cardledger_web.languages import N_, _, thousands, translated
from cardledger_web.views.choices import decision_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.record.recording.ledger import Ledger


_WHY = (
    N_("hands under way"), N_("hands ended by a claim"), N_("hands ended by a score sheet"),
    N_("hands whose deal is not known"), N_("hands whose cards another table has yet to play"),
    N_("hands of games the bots do not know"),
)  # fmt: skip
"""The reasons of the accounts for leaving hands out."""
_SITUATIONS = (
    N_("Decision"), N_("Tricks"), N_("Place in the trick"), N_("Seat from the dealer"), N_("Standing before the hand"),
    N_("Trumps dealt"), N_("Void suits dealt"), N_("High cards dealt"), N_("early"), N_("middle"), N_("late"), N_("lead"),
    N_("opening lead"), N_("follow suit"), N_("Kind of decision"), N_("lead of a trump"),
    N_("opening lead of a trump"), N_("trump"), N_("discard"), N_("lay away"), N_("bid"), N_("pass"), N_("draw"),
    N_("pass cards"), N_("collect cards"), N_("lay off"), N_("go out"), N_("ask"),
    N_("Card led"), N_("high trump"), N_("low trump"), N_("singleton"), N_("high from a short suit"),
    N_("low from a short suit"), N_("high from a long suit"), N_("low from a long suit"),
)  # fmt: skip
"""Titles and words of situations (`cardledger.study.stats.review.situations`)."""


@dataclass(frozen=True, slots=True)
class PlayerLuck:
    """A player's luck in a game, and the points given up; None if nothing is computed yet."""

    adjusted: Mapping[str, Any] | None
    review: Mapping[str, Any] | None
    basis: str
    notes: list[str]
    pending: int
    reviews_pending: int
    habits: Mapping[str, Any] | None = None
    """Costs by situation and the costliest habits; None if no hand has been reviewed."""
    split: Sequence[Mapping[str, Any]] = ()
    """The cost of decisions split as asked."""
    by: Sequence[str] = ()


def of_situation(value: str) -> str:
    """Return the word of a situation in the reader's language; a void suit is not a void match."""
    return _("no card of the suit led") if value == "void" else translated(value)


def player_luck(ledger: Ledger, player: str, game: str, by: Sequence[str] = ()) -> PlayerLuck:
    """Return the stored luck and review of a player in a game, decisions split by one or two situations."""
    account = accountant.luck(ledger, game)
    if account is None:
        return PlayerLuck(None, None, _("This is being computed: look again in a moment."), [], 0, 0)
    habits = accountant.habits(ledger, game)
    adjusted = next((one for one in account["players"] if one["player"] == player), None)
    review = next((one for one in account["reviews"] if one["player"] == player), None)
    return PlayerLuck(
        adjusted, review, basis_in_words(account), account["notes"], account["pending"] or account["reviews_pending"],
        account["reviews_pending"], habits and habits["players"].get(player),
        split(habits["decided"].get(player, ()), by, ()) if habits and by else (), by,
    )  # fmt: skip


def costly_decisions(ledger: Ledger, player: str, game: str) -> list[tuple[str, int, str]]:
    """Return the costliest decisions of a player in a game: match, event, and the sentence."""
    found = []
    for one in accountant.costly(ledger, player, game):
        table = ledger.stream(one["match"]).table
        names = [ledger.people().name(id) for id in table.players]
        found.append((one["match"], one["seq"], decision_in_words(one, table, names)))
    return found


def basis_in_words(account: Mapping[str, Any]) -> str:
    """Describe the basis of an account, and what it leaves out."""
    left_out = [f"{number} {translated(WHY[why])}" for why, number in account["left_out"].items()]
    basis = account["basis"]
    return _(
        "Computed from events up to number %(position)s of the ledger, under %(rules)s, %(bots)s and %(review)s."
        " Hands whose deal is known: %(hands)s. To be computed: "
        "luck %(pending)s, reviews %(reviews)s. Left out: %(left_out)s.",
        hands=thousands(account["hands"]),
        position=thousands(basis["position"]),
        rules=", ".join(basis["rules"]),
        bots=basis["bots"],
        review=basis["review"],
        pending=thousands(account["pending"]),
        reviews=thousands(account["reviews_pending"]),
        left_out=", ".join(left_out) or _("none"),
    )


def reviewed_hand(ledger: Ledger, match: str, number: int) -> dict[str, Any] | None:
    """Return the stored review of a hand with its result; None for a hand that cannot be reviewed."""
    with accountant.caught_up(ledger) as store:
        for hand in store.hands("match = ? AND hand = ? AND why IS NULL", (match, number)):
            found = stored_review(hand, store)
            return accounts.of_hand(found, accounts.told_of(store, found))
    return None
