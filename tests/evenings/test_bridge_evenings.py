"""Bridge at several tables: the boards of the matches become the ranking, as a small separate program computes it."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import RuleError
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as match_events
from cardledger.rules.evenings.imps import imps, victory_points
from tests.evenings.bridge import Played, begun, board, open_round, pairs, play, score_table, words_of
from tests.evenings.night import record

SCALE = {
    0: (0, 10), 1: (20, 40), 2: (50, 80), 3: (90, 120), 4: (130, 160), 5: (170, 210), 6: (220, 260), 7: (270, 310),
    8: (320, 360), 9: (370, 420), 10: (430, 490), 11: (500, 590), 12: (600, 740), 13: (750, 890), 14: (900, 1090),
    15: (1100, 1290), 16: (1300, 1490), 17: (1500, 1740), 18: (1750, 1990), 19: (2000, 2240), 20: (2250, 2490),
    21: (2500, 2990), 22: (3000, 3490), 23: (3500, 3990), 24: (4000, 7600),
}  # fmt: skip
"""The scale of Law 78B as it is printed: IMPs, and the differences from and to."""
SIXTEEN = {0: "10.00", 1: "10.31", 5: "11.48", 10: "12.80", 20: "15.00", 40: "18.09", 60: "20.00"}
"""Victory points of the winner of a match of 16 boards (World Bridge Federation), by IMPs."""


# --- a small separate program: scores and comparisons from the results alone


def points(number: int, made: tuple[str, int, int]) -> int:
    """Return the score for north-south, from Law 77 as it is printed."""
    contract, declarer, tricks = made
    if contract == "pass":
        return 0
    vulnerable = (
        ("", "n", "e", "ne", "n", "e", "ne", "", "e", "ne", "", "n", "ne", "", "n", "e")[(number - 1) % 16]
        .count("ne"[declarer % 2])
    )  # fmt: skip
    level, strain, times = int(contract[0]), contract[1:].rstrip("X"), contract.count("X")
    over = tricks - level - 6
    if over < 0:
        plain = [50, 100][vulnerable]
        if not times:
            total = plain * over
        else:
            steps = [200, *[300] * 12] if vulnerable else [100, 200, 200, *[300] * 10]
            total = -sum(steps[:-over]) * times
    else:
        each = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}[strain]
        below = (each * level + 10 * (strain == "NT")) * [1, 2, 4][times]
        more = [each, *([200, 400] if vulnerable else [100, 200])][times]
        total = below + more * over + 50 * times + ([300, 500][vulnerable] if below >= 100 else 50)
        total += {6: [500, 750], 7: [1000, 1500]}.get(level, [0, 0])[vulnerable]
    return total if declarer % 2 == 0 else -total


def in_imps(difference: int) -> int:
    (steps,) = (step for step, (least, most) in SCALE.items() if least <= abs(difference) <= most)
    return steps if difference > 0 else -steps


def by_board(played: Played) -> dict[int, list[tuple[int, int, int]]]:
    """Return for each board its lines: round, table, score."""
    lines = defaultdict(list)
    for (round, table, number), made in sorted(played.items()):
        lines[number].append((round, table, points(number, made)))
    return lines


def compared(kind: str, scores: list[int], mine: int) -> Fraction:
    """Return the points of the result at place `mine`, for north-south."""
    others = scores[:mine] + scores[mine + 1 :]
    if kind == "matchpoints":
        return Fraction(sum(2 * (scores[mine] > other) + (scores[mine] == other) for other in others))
    if kind == "cross_imps":
        return Fraction(sum(in_imps(scores[mine] - other) for other in others), max(1, len(others)))
    kept = sorted(scores)[1:-1] if len(scores) > 2 else scores
    mean = sum(kept) / len(kept)
    datum = math.copysign(math.floor(abs(mean) / 10 + 0.5) * 10, mean)
    return Fraction(in_imps(scores[mine] - int(datum)))


def expected(kind: str, played: Played, sides: Any) -> dict[int, Fraction]:
    """Return the total of each entry; `sides` gives the entries of both lines at a table of a round."""
    totals: defaultdict[int, Fraction] = defaultdict(Fraction)
    for lines in by_board(played).values():
        scores = [score for *_, score in lines]
        for place, (round, table, _) in enumerate(lines):
            gained = compared(kind, scores, place)
            back = 2 * (len(scores) - 1) - gained if kind == "matchpoints" else -gained
            for line, won in zip(sides(round, table), (gained, back), strict=True):
                for entry in line:
                    totals[entry] += won
    return totals


def sides_of(ledger: Ledger, session: str) -> Any:
    state = ledger.evenings.stream(session).state
    return lambda at, table: (state.tables(at)[table].seats[::2], state.tables(at)[table].seats[1::2])


# --- from the matches to the ranking


@pytest.mark.parametrize("kind", ["matchpoints", "cross_imps", "butler"])
def test_pairs_rank_as_a_separate_program_computes_it_from_the_boards(kind: str, ledger: Ledger) -> None:
    session = pairs(ledger, 3, 2, scoring={"kind": kind})
    played = play(ledger, session, Random(kind))
    standings = ledger.evenings.rankings.standings(session)
    assert {each.entry: each.total for each in standings} == expected(kind, played, sides_of(ledger, session))
    if kind == "matchpoints":
        assert sum(each.percent or 0 for each in standings) == 6 * 50


def test_single_players_rank_by_the_boards_they_played_with_every_partner(ledger: Ledger) -> None:
    session = begun(ledger, 8, {"kind": "individual", "entries": 8}, size=1)
    played = play(ledger, session, Random(8))
    assert {len(lines) for lines in by_board(played).values()} == {2}
    totals = expected("matchpoints", played, sides_of(ledger, session))
    standings = {each.entry: each for each in ledger.evenings.rankings.standings(session)}
    assert {n: each.total for n, each in standings.items()} == totals
    assert {n: each.percent for n, each in standings.items()} == {n: 100 * total / 14 for n, total in totals.items()}


def test_teams_play_each_board_at_two_tables_for_imps_and_victory_points(ledger: Ledger) -> None:
    movement = {"kind": "howell", "entries": 4, "boards": 4, "rounds": 2}
    session = begun(ledger, 4, movement, size=4, scoring={"kind": "teams"})
    state = ledger.evenings.stream(session).state
    (at_one, at_two) = (state.by_seat(1, state.tables(1)[table]) for table in (1, 2))
    home, visitors = state.tables(1)[1].seats
    assert at_one == (f"a{home}", f"c{visitors}", f"b{home}", f"d{visitors}"), "two of each team sit at each table"
    assert at_two == (f"a{visitors}", f"c{home}", f"b{visitors}", f"d{home}")
    played = play(ledger, session, Random(4))
    won: defaultdict[int, float] = defaultdict(float)
    for at in (1, 2):
        tables = state.tables(at)
        for table in (1, 3):
            one, other = tables[table].seats
            margin = sum(
                in_imps(points(number, played[at, table, number]) - points(number, played[at, table + 1, number]))
                for number in tables[table].boards
            )
            golden = (math.sqrt(5) - 1) / 2
            gain = min(10.0, 10 * (1 - golden ** (3 * abs(margin) / (15 * math.sqrt(4)))) / (1 - golden**3))
            more = math.floor(100 * (10 + gain) + 0.5) / 100
            won[one if margin >= 0 else other] += more
            won[other if margin >= 0 else one] += 20 - more
    standings = ledger.evenings.rankings.standings(session)
    assert {each.entry: round(float(each.total), 2) for each in standings} == {n: round(vp, 2) for n, vp in won.items()}


def test_the_imp_scale_is_that_of_law_78b_and_victory_points_those_of_the_federation() -> None:
    for steps, (least, most) in SCALE.items():
        assert {imps(least), imps(most), -imps(-least), -imps(-most)} == {steps}
    for margin, more in SIXTEEN.items():
        winner, loser = victory_points(margin, 16)
        assert f"{float(winner):.2f}" == more
        assert winner + loser == 20


# --- tables, boards and what is not played yet


def test_opening_a_round_opens_one_match_a_table_whose_boards_are_its_results(ledger: Ledger) -> None:
    session = pairs(ledger, 3, 2)
    matches = open_round(ledger, session)
    assert ledger.stream(matches[2]).table.players == ("a2", "a5", "b2", "b5")
    assert ledger.stream(matches[2]).table.options["boards"] == 2
    results = ledger.evenings.stream(session).state.results
    assert {at: result.match for at, (_, result) in results.items() if at[1] == 2} == {
        (1, 2, number): matches[2] for number in (3, 4)
    }
    again = ledger.evenings.rounds.open(session, "tests", round=1)
    assert {each.number: each.match for each in again} == matches, "the same call again opens nothing new"
    assert not ledger.evenings.rankings.travellers(session), "a board that nobody has finished has no line"
    score_table(ledger, matches[2], {3: ("4S", 0, 10)})
    (traveller,) = ledger.evenings.rankings.travellers(session)
    assert (traveller["board"], len(traveller["lines"])) == (3, 1)
    score_table(ledger, matches[2], {4: ("pass", 0, 0)})
    assert ledger.stream(matches[2]).table.status == "complete"


def test_a_hand_with_a_vulnerability_of_its_own_is_scored_with_it(ledger: Ledger) -> None:
    session = pairs(ledger, 3, 1)
    match = open_round(ledger, session)[1]
    ledger.record(match, board(1, ("4S", 0, 10), vulnerable="ns"), 1, "tests")
    ((traveller,), *_) = (each["lines"] for each in ledger.evenings.rankings.travellers(session))
    assert traveller["ns_award"] == {"scores": [{"weight": "100.00", "score": 620}]}


# --- rulings


def ruled(ledger: Ledger, *rulings: dict[str, Any], kind: str = "matchpoints") -> dict[int, str]:
    """Play a board at three tables, with rulings at the first; return the total of each entry."""
    session = pairs(ledger, 3, 1, scoring={"kind": kind, "session_average": False})
    for round in (1, 2, 3):
        for table, match in open_round(ledger, session).items():
            (number,) = ledger.evenings.stream(session).state.tables(round)[table].boards
            if number == 1:
                score_table(ledger, match, {1: [("4S", 0, 10), ("4S", 0, 9), ("3S", 0, 9)][round - 1]})
            if rulings and (round, number) == (1, 1):
                seq = ledger.stream(match).seq
                adjusts = [match_events.Adjust(law="12C1", **{"hand": 1, **one}) for one in rulings]
                ledger.record(match, adjusts, seq, "director")
    rows = ledger.evenings.rankings.standings(session)
    lines = ledger.evenings.rankings.travellers(session)[0]["lines"]
    assert len(lines) == 3
    return {each["ns"][0]: f"{each['ns_points']} {each['ew_points']}" for each in lines} if rows else {}


def test_an_assigned_score_is_compared_with_the_field_and_weights_weigh_matchpoints(ledger: Ledger) -> None:
    down = {"contract": "4S", "declarer": 0, "tricks": 9}
    made = down | {"tricks": 10}
    both = [match_events.Weighted(weight=100, **down)]
    plain = ruled(ledger, {"kind": "assigned", "ns": tuple(both), "ew": tuple(both)})
    assert sorted(plain.values()) == ["1.00 3.00", "1.00 3.00", "4.00 0.00"], "420 became -50, like the second table"
    weighted = tuple(match_events.Weighted(weight=w, **one) for w, one in ((60, made), (40, down)))
    mixed = ruled(ledger, {"kind": "assigned", "ns": weighted, "ew": tuple(both)})
    # North-south: 60 % of 4 matchpoints and 40 % of 1; east-west: 3 for the contract down.
    assert "2.80 3.00" in mixed.values()


def test_artificial_scores_give_their_percentages_which_may_differ_for_the_sides(ledger: Ledger) -> None:
    assert "2.40 1.60" in ruled(ledger, {"kind": "artificial", "ns": 60, "ew": 40}).values()
    assert "2.40 2.40" in ruled(ledger, {"kind": "artificial", "ns": 60, "ew": 60}).values()
    assert "2.00 -2.00" in ruled(ledger, {"kind": "artificial", "ns": 60, "ew": 40}, kind="cross_imps").values()


def test_a_penalty_in_the_unit_of_the_scoring_is_taken_from_the_side_alone(ledger: Ledger) -> None:
    before, after = ruled(ledger), ruled(ledger, {"kind": "penalty", "side": "ns", "percent": 25})
    assert [before, after] == [{**before, 1: "4.00 0.00"}, {**before, 1: "3.00 0.00"}]
    assert ruled(ledger, {"kind": "penalty", "side": "ew", "imps": 3}, kind="cross_imps")[1].endswith(" -11.50")


def test_a_correction_of_a_board_ranks_again_beside_the_published_ranking(ledger: Ledger) -> None:
    session = pairs(ledger, 3, 1)
    play(ledger, session, Random(5))
    record(ledger, session, {"type": "publish"})
    (line, *_) = ledger.evenings.rankings.travellers(session)[0]["lines"]
    worst, best = ({"score": score, "weight": 100} for score in (-7600, 7600))
    before = ledger.store.last_position()
    low = line["ns_points"] == "4.00"
    result = (match_events.Weighted(**(worst if low else best)),)
    ruling = match_events.Adjust(kind="assigned", law="12C1b", ns=result, ew=result, reason="a hesitation")
    ledger.record(line["match"], [ruling], ledger.stream(line["match"]).seq, "director")
    compared = ledger.evenings.rankings.compared(session, before)
    assert {row.entry for row in compared.rows} >= {*line["ns"], *line["ew"]}
    assert all(later.event.law == "12C1b" for row in compared.rows for later in row.events)
    assert all(row.events for row in compared.rows)
    (published,) = ledger.evenings.rankings.published(session)
    assert published.fits
    assert published.ranking.rows != compared.now.rows


def test_a_board_ruled_on_before_it_was_played_counts_with_its_percentages(ledger: Ledger) -> None:
    session = pairs(ledger, 3, 1)
    open_round(ledger, session)
    record(ledger, session, {"type": "adjust", "round": 1, "table": 1, "board": 1, "ns": 60, "ew": 40, "law": "12C2"})
    ((line,),) = (each["lines"] for each in ledger.evenings.rankings.travellers(session))
    assert (line["ns_award"], line["ew_award"]) == ({"percent": "60.00"}, {"percent": "40.00"})


# --- travellers and cards


def test_a_traveller_has_contract_lead_and_tricks_and_counts_equal_results(ledger: Ledger) -> None:
    session = pairs(ledger, 3, 1)
    for number in (1, 2, 3):
        for table, match in open_round(ledger, session).items():
            (this,) = ledger.evenings.stream(session).state.tables(number)[table].boards
            deal, claim = board(this, ("4S", 0, 10) if number < 3 else ("3NT", 1, 9))
            lead = match_events.Play(seat=1 if number < 3 else 2, card="QH")
            ledger.record(match, [deal, lead, claim], 1, "tests")
    (first, *_) = ledger.evenings.rankings.travellers(session)
    assert [(line["contract"], line["declarer"], line["lead"], line["tricks"], line["score"]) for line in first["lines"]] == [
        ("4S", 0, "QH", 10, 420), ("4S", 0, "QH", 10, 420), ("3NT", 1, "QH", 9, -400),
    ]  # fmt: skip
    assert [(line["ns_points"], line["ns_percent"], line["ew_percent"]) for line in first["lines"]] == [
        ("3.00", "75.00", "25.00"), ("3.00", "75.00", "25.00"), ("0.00", "0.00", "100.00"),
    ]  # fmt: skip
    assert [(each["times"], each["ns_award"]["scores"][0]["score"], each["ns_points"]) for each in first["frequencies"]] == [
        (2, 420, "3.00"), (1, -400, "0.00"),
    ]  # fmt: skip


def test_the_same_score_with_and_without_a_penalty_are_two_results(ledger: Ledger) -> None:
    session = pairs(ledger, 3, 1)
    for number in (1, 2, 3):
        for table, match in open_round(ledger, session).items():
            (this,) = ledger.evenings.stream(session).state.tables(number)[table].boards
            score_table(ledger, match, {this: ("3NT", 0, 9)})
            if (number, this) == (1, 1):
                fine = match_events.Adjust(kind="penalty", hand=1, side="ns", percent=10, law="90B2")
                ledger.record(match, [fine], ledger.stream(match).seq, "director")
    (first, *_) = ledger.evenings.rankings.travellers(session)
    assert sorted((each["times"], each["ns_points"]) for each in first["frequencies"]) == [(1, "1.60"), (2, "2.00")]


def test_the_card_of_a_pair_adds_up_to_its_percentage(ledger: Ledger) -> None:
    session = pairs(ledger, 3, 2)
    played = play(ledger, session, Random(3))
    for standing in ledger.evenings.rankings.standings(session):
        card = ledger.evenings.rankings.card(session, standing.entry)
        assert card["lines"][-1]["running"] == f"{float(standing.percent or 0):.2f}"
        ns = standing.entry <= 3
        for line in card["lines"]:
            at = line["round"], line["table"], line["board"]
            assert line["score"] == points(line["board"], played[at]) * (1 if ns else -1)
            assert (line["line"], line["ruled"]) == ("ns" if ns else "ew", False)
    with pytest.raises(RuleError, match="no entry 9"):
        ledger.evenings.rankings.card(session, 9)


def test_travellers_and_cards_are_printed_on_the_command_line(ledger: Ledger) -> None:
    session = pairs(ledger, 3, 1)
    for table, match in open_round(ledger, session).items():
        score_table(ledger, match, {table: ("4SX", 2, 8)})
    path = str(ledger.store.file.path)
    told = CliRunner().invoke(main, ["evening", "boards", session, "--board", "1", "--db", path])
    assert told.output.splitlines()[2].split() == ["1", "4", "4SX", "S", "8", "-300", "0.00", "0.00"]
    told = CliRunner().invoke(main, ["evening", "card", session, "1", "--db", path])
    assert told.output.startswith("1: a1 and b1, place ")
    assert "4SX S" in told.output


def test_an_evening_of_pairs_is_opened_and_its_rounds_played_from_the_command_line(ledger: Ledger) -> None:
    path = str(ledger.store.file.path)

    def run(*arguments: str) -> str:
        told = CliRunner().invoke(main, ["evening", *arguments, "--db", path])
        assert told.exit_code == 0, told.output
        return told.output

    pairs = [word for n in range(1, 5) for word in ("--entry", f"ann {n}, bob {n}")]
    run("new", *words_of("Pairs", "matchpoints", "howell", "--boards", "3", *pairs))
    opened = run("round", "Pairs", "--open")
    assert opened.count("boards 7, 8, 9") == 2, "four pairs share their boards"
    assert opened.count("match ") == 2
    session = ledger.evenings.ids("session")[0]
    assert ledger.evenings.stream(session).state.opening.unit == "pair"
    teams = [word for n in (1, 2) for word in ("--entry", f"a{n}, b{n}, c{n}, d{n}")]
    run("new", *words_of("Teams", "teams", "swiss", "--boards", "8", *teams))
    assert run("round", "Teams", "--open").count("boards 1, 2, 3, 4, 5, 6, 7, 8") == 2
    singles = ", ".join(f"player {n}" for n in range(8))
    run("new", *words_of("Singles", "matchpoints", "individual", "--here", singles))
    assert run("round", "Singles", "--open").count("match ") == 2
