"""The standings of a session: what each entry scored, its total, and its place."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from cardledger.errors import FormatError
from cardledger.rules.evenings.ranking import TableScore, rank, tie_breaks
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.score_cards import ScoreCard, lowest_first, score_cards
from cardledger.rules.evenings.scoring import COMPARED, Scoring
from cardledger.rules.evenings.season import Count, Night
from cardledger.rules.evenings.sections import sits_north_south
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.travellers import ResultOf
from cardledger.sentence import Sentence


class Standing(NamedTuple):
    """An entry in the ranking: its place as printed, its players, what it ranks by, its total and what it played.

    `percent` is None for kinds that do not compare fields; `line` is None where both lines rank together, and `section`
    where all sections do.
    """

    entry: int
    place: str
    players: tuple[str, ...]
    line: str | None
    value: Fraction
    total: Fraction
    percent: Fraction | None
    played: int
    scores: tuple[TableScore, ...]
    section: str | None = None

    @property
    def group(self) -> tuple[str | None, str | None]:
        """The section and the line within which it has its place."""
        return self.section, self.line


def standings(session: SessionState, result_of: ResultOf, lot: Sequence[int] = ()) -> list[Standing]:
    """Return the ranking now; with two winners first north-south, then east-west; so for each section that ranks apart.

    `lot` are entries in the order drawn, for that tie rule. Who played less than half of what the busiest entry played
    is listed last, without a place. Raises what `result_of` raises.
    """
    cards = score_cards(session, result_of)
    lines = {entry: line_of(session, entry) for entry in session.entries} if two_winners(session) else {}
    sections = {entry: session.section(entry) for entry in cards} if sections_rank_apart(session) else {}
    busiest = max((card.played for card in cards.values()), default=0)
    few = [entry for entry, card in cards.items() if not card.played or 2 * card.played < busiest]
    ranking = []
    for section in sorted({*sections.values()}, key=str) or (None,):
        for line in ("ns", "ew") if lines else (None,):
            mine = {
                entry: card
                for entry, card in cards.items()
                if lines.get(entry) == line and sections.get(entry) == section
            }
            ranking += [each._replace(section=section) for each in _ranked(session, mine, line, few, lot)]
    return ranking


def sections_rank_apart(session: SessionState) -> bool:
    """Tell whether each section has a ranking of its own."""
    return bool(session.movements) and session.movements[-1].rank == "section" and bool(session.movements[-1].sections)


def two_winners(session: SessionState) -> bool:
    """Tell whether north-south and east-west rank apart.

    In a Mitchell without arrow switch, or if all entries have a line.
    """
    if session.opening.unit != "pair":
        return False
    if session.movements:
        return all(event.kind == "mitchell" and not event.arrow_switch for event in session.movements)
    return bool(session.entries) and all(lineups[-1].line for lineups in session.entries.values())


def line_of(session: SessionState, entry: int) -> str:
    """Return the line of an entry: as entered, else by its number in the Mitchell."""
    line = session.entries[entry][-1].line
    north_south = bool(session.movements) and sits_north_south(session.movements[-1], entry)
    return line or ("ns" if north_south else "ew")


def _ranked(
    session: SessionState, cards: Mapping[int, ScoreCard], line: str | None, few: Collection[int], lot: Sequence[int]
) -> list[Standing]:
    scoring = session.opening.scoring
    compared = scoring.kind in COMPARED
    most = max((card.top for card in cards.values()), default=Fraction(0))
    # Results that nothing can be compared with yet are worth the average.
    shares = {
        entry: card.total / card.top if card.top else Fraction(min(card.played, 1), 2) for entry, card in cards.items()
    }
    totals = {entry: shares[entry] * most if compared else card.total for entry, card in cards.items()}
    values = {entry: 100 * shares[entry] if compared else totals[entry] for entry in cards}
    low = lowest_first(session)
    order = {entry: -value for entry, value in values.items()} if low else values
    ties = tie_breaks(scoring.ties, {entry: card.scores for entry, card in cards.items()}, lot, low)
    return [
        Standing(
            entry,
            place,
            session.everybody(entry),
            line,
            values[entry],
            totals[entry],
            values[entry] if compared else None,
            cards[entry].played,
            tuple(cards[entry].scores),
        )
        for entry, place in rank(order, ties, few)
    ]


def as_printed(ranking: Sequence[Standing], scoring: Scoring) -> list[dict[str, Any]]:
    """Return a ranking as JSON data, every number of points as it is printed."""
    rows = []
    for each in ranking:
        row = {
            "entry": each.entry,
            "place": each.place,
            "players": [*each.players],
            "played": each.played,
            "total": printed(each.total, scoring.decimals),
        }
        if each.percent is not None:
            row["percent"] = printed(each.percent, scoring.decimals)
        if each.line is not None:
            row["line"] = each.line
        if each.section is not None:
            row["section"] = each.section
        rows.append(row)
    return rows


def night(session: SessionState, id: str, ranking: Sequence[Standing], count: Count) -> Night:
    """Return an evening as a league counts it: each player has the value of the entry it played in.

    Raises FormatError `format.value` if the evening has no such value.
    """
    values = {
        player: _value(session, each, ranking, count) for each in ranking if each.played for player in each.players
    }
    won = {player for each in ranking if each.place in ("1", "1=") for player in each.players}
    return Night(id, values, won, date=session.opening.date)


def _value(session: SessionState, standing: Standing, ranking: Sequence[Standing], count: Count) -> Fraction:
    kind = session.opening.scoring.kind
    if count.value is None:
        return standing.value
    if count.value == "percent" and standing.percent is not None:
        return standing.percent
    if count.value == "vp" and kind == "teams" and session.opening.scoring.vp:
        return standing.total
    if count.value == "points":
        return standing.total
    if count.value == "place":
        # Shared places count as the mean of the places they take.
        ranked = [each for each in ranking if each.group == standing.group]
        if not standing.place:
            return Fraction(0)
        equal = sum(each.place == standing.place for each in ranked)
        place = int(standing.place.rstrip("=")) + Fraction(equal - 1, 2)
        return (len(ranked) - place) / max(1, len(ranked) - 1)
    raise FormatError(
        "format.value",
        Sentence(
            "an evening scored by {kind} has no {value}: let the league count another value",
            kind=kind,
            value=count.value,
        ),
    )
