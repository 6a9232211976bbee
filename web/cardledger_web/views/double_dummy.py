"""Double-dummy results as a hand's page shows them: the table, par, and the cards that gave tricks up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardledger.study.stats.double_dummy import solver
from cardledger.study.stats.double_dummy.analysis import STRAINS, stored
from cardledger.study.stats.double_dummy.open_deal import open_deals
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger_web.languages import _, joined, minus, ngettext
from cardledger_web.views.cards import DrawnCard, drawn
from cardledger_web.views.wording import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.match import Match
    from cardledger.rules.stream import Stream
    from cardledger.study.stats.double_dummy.analysis import Analysis, CardCost
    from cardledger.study.stats.double_dummy.par import ParContract


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A card that gave tricks up: its event, who chose it, and the tricks of the declarer's side before and after."""

    seq: int
    name: str
    card: DrawnCard
    cost: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Solved:
    """The results of a hand, or in `why` a sentence instead.

    `strains` are the heads of the table, `rows` have the name of a seat in full and in short, and its tricks.
    """

    why: str = ""
    strains: tuple[str, ...] = ()
    rows: tuple[tuple[str, str, tuple[int, ...]], ...] = ()
    par: str = ""
    play: str = ""
    cards: tuple[GivenUp, ...] = ()
    partly: bool = False


def solved_hands(ledger: Ledger, stream: Stream, names: Sequence[str]) -> dict[int, Solved]:
    """Return the results of the finished hands of a match whose cards are known, by number; empty for other games."""
    deals = [*open_deals(stream)]
    if not deals:
        return {}
    if not solver.installed():
        why = _("For double-dummy tables, install %(extra)s.", extra=solver.EXTRA)
        return {deal.hand: Solved(why) for deal in deals}
    waits = Solved(_("The double-dummy table is computed while nothing is recorded."))
    with LuckStore(ledger) as store:
        found = ((deal.hand, stored(deal, store)) for deal in deals)
        return {hand: waits if one is None else _drawn(stream.table, one, names) for hand, one in found}


def _drawn(table: Match[Any], found: Analysis, names: Sequence[str]) -> Solved:
    words, cards = wording(table.game), drawn(table.pack)
    seats = sorted(range(4), key=lambda seat: (seat % 2, seat))
    points = minus(f"{found.par.score:+d}")
    contracts = joined([_contract(table, one) for one in found.par.contracts]) or words.call("pass")
    deal, play = found.deal, ""
    if deal.contract is not None:
        values = {"contract": words.call(str(deal.contract)), "name": names[deal.declarer]}
        best = found.expected or 0
        play = (
            ngettext(
                "%(contract)s by %(name)s: %(num)s trick with best play",
                "%(contract)s by %(name)s: %(num)s tricks with best play",
                best, **values,
            )
            if deal.tricks is None
            else ngettext(
                "%(contract)s by %(name)s: %(num)s trick with best play, %(taken)s taken",
                "%(contract)s by %(name)s: %(num)s tricks with best play, %(taken)s taken",
                best, taken=deal.tricks, **values,
            )
        )  # fmt: skip
    return Solved(
        "",
        tuple(words.call(f"1{strain}")[1:] for strain in STRAINS),
        tuple((*words.seat(seat), tuple(row[seat] for row in found.table)) for seat in seats),
        _("Par for North and South: %(points)s (%(contracts)s)", points=points, contracts=contracts),
        play,
        tuple(_given_up(one, cards[one.card], names) for one in found.cards if one.cost),
        sum(len(cards) for _, cards, _, _ in table.hands[deal.hand - 1].tricks) > len(deal.plays),
    )


def _given_up(one: CardCost, card: DrawnCard, names: Sequence[str]) -> GivenUp:
    return GivenUp(one.seq, names[one.player], card, one.cost, one.before, one.after)


def _contract(table: Match[Any], one: ParContract) -> str:
    """Return a contract of par as players write it: `4♠X N −1`."""
    words = wording(table.game)
    who = "".join(words.seat(seat)[1] for seat in one.declarers)
    beyond = one.tricks - int(one.contract[0]) - 6
    return minus(f"{words.call(one.contract)} {who} {f'{beyond:+d}' if beyond else '='}")
