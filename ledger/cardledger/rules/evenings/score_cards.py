"""Score cards: what each entry scored at each table, and its total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from cardledger.errors import RuleError
from cardledger.rules.evenings import evening_events as ev
from cardledger.rules.evenings.awards import Artificial, Award, against
from cardledger.rules.evenings.drive_rules import in_pairs
from cardledger.rules.evenings.imps import imps, victory_points
from cardledger.rules.evenings.lineup import Seated
from cardledger.rules.evenings.places import places, scaled, shared
from cardledger.rules.evenings.ranking import TableScore
from cardledger.rules.evenings.rounding import exact
from cardledger.rules.evenings.scoring import (
    COMPARED,
    ON_BOARDS,
    BoardPoints,
    Scoring,
    artificial,
    board_points,
    with_session_average,
)
from cardledger.rules.evenings.sections import section_of_table
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.travellers import Outcome, ResultOf, TravellerLine, outcome_of, travellers
from cardledger.rules.games import games
from cardledger.sentence import Sentence, advising


@dataclass
class ScoreCard:
    """The card of an entry.

    Its scores in the order of rounds, what it played (boards, or matches), its total and the most it could have.

    `fined` are the victory points that penalties on boards take away.
    """

    scores: list[TableScore] = field(default_factory=list)
    played: int = 0
    hands: int = 0
    total: Fraction = Fraction(0)
    top: Fraction = Fraction(0)
    fined: Fraction = Fraction(0)


def score_cards(session: SessionState, result_of: ResultOf) -> dict[int, ScoreCard]:
    """Return the card of each entry; raises what `result_of` raises."""
    cards = {entry: ScoreCard() for entry in session.entries}
    scoring = session.opening.scoring
    if scoring.kind == "teams":
        _play_teams(session, result_of, cards)
    elif scoring.kind in ON_BOARDS:
        _play_boards(session, result_of, cards)
    else:
        _play_matches(session, result_of, cards)
    for entry, card in cards.items():
        card.scores.sort(key=lambda score: (score.round, score.table, score.board or 0))
        card.played = len(card.scores)
        if scoring.kind == "teams" and scoring.vp:
            won = _victory_points(session, entry, card)
            card.total, card.played = sum(won, Fraction(0)) - card.fined, len(won)
        else:
            if scoring.session_average:
                points = with_session_average([score.points for score in card.scores])
                card.scores = [score._replace(points=one) for score, one in zip(card.scores, points, strict=True)]
            card.total = sum((score.points.value for score in card.scores), Fraction(0))
        card.top = sum((score.points.top for score in card.scores), Fraction(0))
        if scoring.kind == "total" and scoring.per_hand and card.hands:
            card.total /= card.hands
    for _, ruling in session.rulings:
        if ruling.entry is not None and ruling.penalty is not None:
            cards[ruling.entry].total -= exact(ruling.penalty) * (-1 if lowest_first(session) else 1)
    return cards


def fewest(session: SessionState, game: str | None = None) -> bool:
    """Tell whether the fewest points win: as the game says, else the scoring."""
    id = game or session.opening.game
    card_game = games().get(id) if id else None
    return card_game.scoring.fewest if card_game else session.opening.scoring.fewest


def lowest_first(session: SessionState) -> bool:
    """Tell whether the lowest total ranks first: where points are added up, and the fewest win."""
    return session.opening.scoring.kind == "total" and fewest(session)


def _play_boards(session: SessionState, result_of: ResultOf, cards: dict[int, ScoreCard]) -> None:
    """Compare the results of each board with the field."""
    fields: dict[str | None, list[tuple[int, list[TravellerLine]]]] = {}
    for board, every in travellers(session, result_of).items():
        for who, lines in compared_lines(session, every).items():
            fields.setdefault(who, []).append((board, lines))
    for boards in fields.values():
        largest = max(len(lines) for _, lines in boards)
        for board, lines in boards:
            points = board_points([line.row for line in lines], largest, session.opening.scoring)
            for line, both in zip(lines, points, strict=True):
                for side, (mine, theirs) in enumerate(((line.ns, line.ew), (line.ew, line.ns))):
                    gained = less_penalties(both[side], line, side, session.opening.scoring)
                    for entry in mine:
                        cards[entry].scores.append(TableScore(line.round, line.table, board, theirs, gained))


def compared_lines(session: SessionState, lines: Sequence[TravellerLine]) -> dict[str | None, list[TravellerLine]]:
    """Return the lines of a traveller that are compared with each other: all, or those of each section by its letter."""
    fields: dict[str | None, list[TravellerLine]] = {}
    for line in lines:
        movement = session.movement(line.round)
        apart = movement is not None and movement.compare == "section"
        fields.setdefault(section_of_table(movement, line.table) if apart else None, []).append(line)
    return fields


def _play_teams(session: SessionState, result_of: ResultOf, cards: dict[int, ScoreCard]) -> None:
    """Compare the two tables of each match: each team scores where it is north-south, against where it is east-west."""
    for board, lines in travellers(session, result_of).items():
        at = {(line.round, line.ns, line.ew): line for line in lines}
        for line in lines:
            back = at.get((line.round, line.ew, line.ns))
            if back is not None:
                scoring = session.opening.scoring
                gained = less_penalties(_imps(line.row.ns, back.row.ew, scoring), line, 0, scoring)
                gained = less_penalties(gained, back, 1, scoring)
                cards[line.ns[0]].scores.append(TableScore(line.round, line.table, board, line.ew, gained))
            for penalty in line.played.penalties if line.played else ():
                if penalty.unit == "vps":
                    cards[(line.ns, line.ew)[penalty.side][0]].fined += penalty.amount


def less_penalties(points: BoardPoints, line: TravellerLine, side: int, scoring: Scoring) -> BoardPoints:
    """Return the points of a side without its procedural penalties, those in the unit of the scoring.

    A part of a top, or IMPs.
    """
    for penalty in line.played.penalties if line.played else ():
        if penalty.side == side and scoring.kind in COMPARED and penalty.unit == "percent":
            points = points._replace(value=points.value - penalty.amount * points.top / 100)
        if penalty.side == side and scoring.kind not in COMPARED and penalty.unit == "imps":
            points = points._replace(value=points.value - penalty.amount)
    return points


def _imps(ns: Award, ew: Award, scoring: Scoring) -> BoardPoints:
    """Return what a team gains on a board: its two awards, in points for north-south, compared."""
    if isinstance(ns, Artificial):
        return artificial(ns.percent, 0, scoring)
    if isinstance(ew, Artificial):
        return artificial(ew.percent, 0, scoring)
    gained = against(ns, ew, imps)
    return BoardPoints(gained, won=gained > 0, best=gained > 0)


def _victory_points(session: SessionState, entry: int, card: ScoreCard) -> list[Fraction]:
    """Return the victory points of a team: for each match, and for each round in which it had a bye."""
    scoring = session.opening.scoring
    matches: dict[tuple[int, tuple[int, ...]], list[Fraction]] = {}
    for score in card.scores:
        matches.setdefault((score.round, score.opponents), []).append(score.points.value)
    byes = sum(
        any(seated.bye == entry for seated in session.tables(round).values()) for round in range(1, session.round + 1)
    )
    won = [victory_points(sum(gained), len(gained), scoring.vp_table)[0] for gained in matches.values()]
    return [*won, *[exact(scoring.bye_vp)] * byes]


def _play_matches(session: SessionState, result_of: ResultOf, cards: dict[int, ScoreCard]) -> None:
    """Add up what the matches of the tables gave: points, or points for places."""
    scoring = session.opening.scoring
    rounds = {round: session.tables(round) for round in session.rounds}
    for (round, table, board), (_, result) in session.results.items():
        seated = rounds[round][table]
        n = len(seated.seats)
        outcome = _outcome(result, result_of, fewest(session, seated.game))
        if not outcome.hands:
            continue  # the match is open, and its first hand is not over
        if len(outcome.points) != n and (len(outcome.points), n) != (4, 2):
            raise RuleError(
                "session.seats",
                advising(
                    Sentence(
                        "match {match} has {players} players, table {table} of round {round} has {wanted}: name another",
                        match=result.match,
                        players=len(outcome.points),
                        table=table,
                        round=round,
                        wanted=n,
                    )
                ),
            )
        # Of two pairs at a table of four, the seats of the first two stand for their pairs.
        ranks = places(outcome.places[:n], low=True)
        if scoring.kind == "total":
            gained = [Fraction(points) for points in outcome.points[:n]]
        elif scoring.scaled:
            gained = scaled(ranks)
        else:
            gained = shared(ranks, [exact(points) for points in scoring.points])
        for seat, entry in enumerate(seated.seats):
            first = ranks[seat] == 1
            others = _others(session, round, seated.seats, seat)
            cards[entry].scores.append(
                TableScore(round, table, board, others, BoardPoints(gained[seat], won=first, best=first))
            )
            cards[entry].hands += outcome.hands
    _sit_out(rounds, [round for round in rounds if session.drive(round)], cards)


def _others(session: SessionState, round: int, seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """Return whom an entry meets at a table: all others, in a drive with partners the other pair."""
    drive = session.drive(round)
    paired = drive is not None and in_pairs(drive, session.opening)
    return tuple(other for at, other in enumerate(seats) if at != seat and not (paired and (at - seat) % 2 == 0))


def _sit_out(rounds: Mapping[int, Mapping[int, Seated]], driven: Sequence[int], cards: dict[int, ScoreCard]) -> None:
    """Give who sits out in a drive what the field scored in that round on average, rounded up.

    7 of the 13 tricks of whist.
    """
    gained: dict[int, list[Fraction]] = {}
    for card in cards.values():
        for score in card.scores:
            gained.setdefault(score.round, []).append(score.points.value)
    for round in driven:
        for table, seated in rounds[round].items():
            if seated.bye and (field := gained.get(round)):
                mean = BoardPoints(Fraction(ceil(sum(field, Fraction(0)) / len(field))))
                cards[seated.bye].scores.append(TableScore(round, table, None, (), mean))


def _outcome(result: ev.Result, result_of: ResultOf, low: bool) -> Outcome:
    if result.match is not None:
        return outcome_of(result, result_of)
    if result.places is not None:
        return Outcome(result.places, result.places)
    assert result.points is not None
    return Outcome(result.points, places(result.points, low))
