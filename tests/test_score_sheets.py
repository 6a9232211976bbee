"""Score sheets are checked: impossible points cause a warning and are listed, but count as written."""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.cli.main import main
from cardledger.record.matches.matchfile import write
from cardledger.record.matches.replay import result
from cardledger.record.matches.results_only import doubtful_totals
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.engine.score_sheet import doubt, doubts
from cardledger.rules.games import games
from cardledger.rules.stream import Stream

NAMES = tuple("abcdefgh")


@cache
def dealt(game: str, n: int) -> ev.Deal:
    """A deal that nobody saw."""
    _, deal, *_ = simulate(game, n, Random(1), ["random"], players=NAMES[:n], max_hands=1)
    assert isinstance(deal, ev.Deal)
    return msgspec.structs.replace(deal, hands=None, aside=None, stock=None)


def sheet(
    game: str, *scores: int, bids: tuple[int, ...] = (), options: dict[str, object] | None = None
) -> list[ev.Event]:
    """A match with one hand: bids and points, no cards."""
    n = len(scores)
    deal = dealt(game, n)
    opening = ev.Open(game=game, players=NAMES[:n], options=options or {})
    seats = [((deal.dealer or 0) + 1 + turn) % n for turn in range(len(bids))]
    return [opening, deal, *(said(game, seat, bids[seat]) for seat in seats), ev.Score(scores=scores)]


def said(game: str, seat: int, bid: int) -> ev.Event:
    """A bid; in spades nil is a word."""
    return ev.Call(seat=seat, call="nil") if game == "spades" and not bid else ev.Bid(seat=seat, amount=bid)


def why(*match: object, **more: object) -> str | None:
    """The objection to the points of a match of one hand."""
    found = [*doubts(Stream.of(sheet(*match, **more)).table)]  # type: ignore[arg-type]
    assert len(found) <= 1
    return found[0].why if found else None


# --- possible points


@pytest.mark.parametrize("game", games())
@settings(max_examples=30)
@given(data=st.data())
def test_points_of_hands_that_were_played_are_never_doubted(game: str, data: st.DataObject) -> None:
    """Every hand that bots play, however foolishly, is written on a sheet with its bids, and fits."""
    n = data.draw(st.sampled_from(games()[game].players), "players")
    options = {
        option.name: data.draw(st.sampled_from(option.choices or (True, False)))
        for option in games()[game].options
        if option.choices or isinstance(option.default, bool)
    }
    if options.get("scoring") == "all" and game == "whist":
        options |= {"hands": 4, "rubber": False}
    bot = data.draw(st.sampled_from(("random", "cautious")))
    played = simulate(game, n, Random(data.draw(st.integers(0, 10**6))), [bot], options, players=NAMES[:n], max_hands=1)
    table = Stream.of(played).table
    hand = table.hands[0]
    if hand.scores is not None:
        hand.agreed = True
        assert doubt(table, hand) is None


@pytest.mark.long
def test_thirteen_tricks_make_thirteen_points_of_diversity() -> None:
    fitting = [scores for scores in product(range(-1, 15), repeat=4) if why("diversity", *scores) is None]
    assert fitting == [scores for scores in product(range(14), repeat=4) if sum(scores) == 13]


@pytest.mark.parametrize(("game", "n", "tricks"), [("ruff", 3, 15), ("ruff", 4, 12), ("ruff-2", 5, 10)])
def test_points_of_ruff_are_its_tricks(game: str, n: int, tricks: int) -> None:
    assert why(game, tricks - 1, 1, *(0,) * (n - 2)) is None
    assert f"a hand has {tricks} tricks" in str(why(game, tricks - 1, *(0,) * (n - 1)))
    assert why(game, tricks + 1, -1, *(0,) * (n - 2)) == "nobody scores below 0"


def test_bids_and_tricks_must_be_able_to_make_the_points() -> None:
    """Of four bids 3 is made, 3 is made with one more, 5 is missed by two, and 2 is made, with one more or not."""
    tricks = "the 13 tricks of a hand cannot give these points"
    assert why("diamonds-bid", 30, 31, 10, 21, bids=(3, 3, 5, 2)) is None
    assert why("diamonds-bid", 30, 31, 10, 20, bids=(3, 3, 5, 2)) == tricks
    assert why("diamonds-bid", 30, 31, 10, 7, bids=(3, 3, 5, 2)) == "no number of tricks gives 7 points with a bid of 2"
    # Bids that are not recorded may be any.
    assert why("diamonds-bid", 30, 31, 10, 21) is None
    assert why("diamonds-bid", 30, 31, -135, 21) == "no number of tricks gives -135 points with any bid"
    assert why("diamonds-bid", 130, 130, 130, 130) == tricks


def test_the_closer_of_hecto_diversity_scores_minus_the_others_penalties() -> None:
    for scores in ((-30, 10, 20), (-50, 10, 20), (0, 0, 0), (5, -5, 0), (-40, 20, 0)):
        assert why("hecto-diversity", *scores) is None, scores
    for scores in ((-29, 10, 20), (10, 10, 20), (-30, -10, 40), (-61, 61, 0)):
        assert why("hecto-diversity", *scores) is not None, scores
    assert why("hecto-diversity", -49, 49, options={"layout": "10x8"}) == "a penalty is at most 48"


def test_the_ranges_of_the_other_games() -> None:
    assert why("poison-hearts", 30, 30, 0) is None
    assert why("poison-hearts", 31, 20, 0) is not None
    assert why("poison-hearts", 35, 20, 0, options={"double_suits": True}) is None
    assert why("poison-hearts", 25, 25, 11) is not None
    assert why("poison-hearts", 25, 25, -1) == "nobody scores below 0"
    assert why("diamonds-draw", 14, 20) is None
    assert why("diamonds-draw", 15, 20) == "the cards left in a hand make at most 34 points together, not 35"
    assert why("diamonds-draw", 5, 5, 5, 6) is not None
    assert why("diamonds-draw", 5, -1) == "nobody scores below 0"


def test_hearts_and_the_queen_are_26_points_or_a_moon() -> None:
    for scores in ((13, 13, 0, 0), (25, 1, 0, 0), (0, 26, 26, 26), (16, 5, 5, 0)):
        assert why("hearts", *scores) is None, scores
    for scores in ((26, 0, 0, 0), (-26, 0, 0, 0), (12, 12, 1, 1), (13, 12, 0, 0), (3, 13, 0, 10), (27, -1, 0, 0)):
        assert (why("hearts", *scores) is None) == (scores == (3, 13, 0, 10)), scores
    assert why("hearts", 20, 7, 0, 0) == "hearts and the queen make 26 points together, not 27"
    moon = "26 points of hearts and the queen are one player's: that is a moon, and the player gets "
    assert why("hearts", 0, 26, 0, 0) == f"{moon}0 and the others 26 each"
    assert why("hearts", 0, 26, 0, 0, options={"moon": "self"}) == f"{moon}-26 and the others 0"
    queen = "the player who takes the queen of spades has at least 13 points, and nobody has more than 12"
    assert why("hearts", 12, 12, 1, 1) == queen
    assert why("hearts", -26, 0, 0, 0, options={"moon": "self"}) is None
    assert why("hearts", 0, 26, 26, 26, options={"moon": "self"}) is not None
    assert why("hearts", 3, 13, 0, 0, options={"jack": True}) is None
    assert why("hearts", 0, 16, 26, 26, options={"jack": True}) is None
    assert why("hearts", 13, 13, 0, 0, options={"jack": True}) is not None
    assert why("hearts", 13, 13, 0, -5, options={"no_trick_bonus": True}) is None
    assert why("hearts", 13, 13, -5, -5, options={"no_trick_bonus": True}) is None
    assert why("hearts", 13, 13, 0, -5) is not None


def test_points_of_sides() -> None:
    assert [points for points in range(9) if why("whist", points, 0, points, 0) is None] == [1, 2, 3, 4, 5, 6, 7]
    assert why("whist", 1, 1, 1, 1) == "the 13 tricks of a hand cannot give 1 and 1 points"
    assert why("whist", 9, 4, 9, 4, options={"scoring": "all", "hands": 4}) is None
    assert why("whist", 5, 0, 5, 0, options={"honours": True}) is None
    assert why("whist", 0, 11, 0, 11, options={"honours": True}) is None
    assert why("whist", 0, 12, 0, 12, options={"honours": True}) is not None
    assert [points for points in range(6) if why("euchre", points, 0, points, 0) is None] == [0, 1, 2, 4]
    assert why("euchre", 1, 2, 1, 2) == "only one side scores in a hand"


def test_bids_of_spades_and_oh_hell_must_be_able_to_make_the_points() -> None:
    assert why("spades", 71, 50, 71, 50, bids=(4, 3, 3, 2)) is None  # eight tricks and five
    assert why("spades", 71, 51, 71, 51, bids=(4, 3, 3, 2)) is not None  # fourteen tricks
    assert why("spades", -29, 50, -29, 50, bids=(4, 3, 3, 2)) is None  # the tenth bag
    assert why("spades", -28, 50, -28, 50, bids=(4, 3, 3, 2)) is not None
    assert why("spades", 151, -80, 151, -80, bids=(0, 5, 5, 3)) is None  # nil
    assert why("spades", 251, -80, 251, -80, bids=(0, 5, 5, 3)) is None  # blind nil
    assert why("spades", 251, -80, 251, -80, bids=(0, 5, 5, 3), options={"blind_nil": False}) is not None
    assert why("spades", 0, 0, 0, 0) is None  # the bids are unknown
    assert why("oh-hell", 13, 0, 10, 0, bids=(3, 2, 0, 1), options={"most": 10}) is None
    assert why("oh-hell", 12, 0, 10, 0, bids=(3, 2, 0, 1)) == "no number of tricks gives 12 points with a bid of 3"
    assert why("oh-hell", 13, 12, 10, 11, bids=(3, 2, 0, 1)) == "the tricks of a hand of 10 cannot give these points"


def test_tricks_that_were_recorded_before_the_sheet_count_as_well() -> None:
    opening, *played = simulate("diversity", 4, Random(2), ["random"], {"hands": 1}, players=NAMES[:4])
    begun = [opening, *played[: 1 + 4]]
    taker = Stream.of(begun).table.hands[0].taken.index(1)
    fair = [13 if seat == taker else 0 for seat in range(4)]
    assert [*doubts(Stream.of([*begun, ev.Score(scores=tuple(fair))]).table)] == []
    unfair = [0 if seat == taker else 13 if seat == (taker + 1) % 4 else 0 for seat in range(4)]
    (found,) = doubts(Stream.of([*begun, ev.Score(scores=tuple(unfair))]).table)
    assert "fewer points than tricks recorded" in found.why


# --- warnings


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    with Ledger(tmp_path / "club.db") as opened:
        yield opened


def test_confirmed_points_are_stored_without_a_ruling(ledger: Ledger) -> None:
    recorded = ledger.record(None, sheet("diversity", 4, 4, 4, 4), 0)
    assert [(doubt.code, doubt.hand, doubt.seq) for doubt in recorded.doubts] == [("score.sum", 1, 3)]
    table = ledger.stream(recorded.match).table
    assert table.totals == [4, 4, 4, 4]
    assert table.violations == []
    assert "score.sum" not in json.dumps(result(table))
    assert ledger.views.reader.execute("SELECT count(*) FROM rulings WHERE verdict = 'broken'").fetchone() == (0,)


def test_an_amendment_takes_a_doubt_away_or_brings_one(ledger: Ledger) -> None:
    match = ledger.record(None, sheet("diversity", 4, 4, 4, 4), 0).match
    doubted = "SELECT hand, why FROM doubts"
    ledger.views.catch_up()
    assert len(ledger.views.reader.execute(doubted).fetchall()) == 1
    right = ledger.record(match, [ev.Amend(about=3, event=ev.Score(scores=(4, 3, 3, 3)))], 3)
    assert right.doubts == ()
    assert ledger.views.reader.execute(doubted).fetchall() == []
    wrong = ledger.record(match, [ev.Amend(about=3, event=ev.Score(scores=(4, 3, 3, 2)))], 4)
    assert [doubt.hand for doubt in wrong.doubts] == [1]
    # What has nothing to do with the hand warns of nothing, and a void match is in no list.
    assert ledger.record(match, [ev.Note(text="rain")], 5).doubts == ()
    assert ledger.record(match, [ev.Void(reason="a trial")], 6).doubts == ()
    assert ledger.views.reader.execute(doubted).fetchall() == []


def test_a_bid_amended_after_the_sheet_makes_it_doubtful(ledger: Ledger) -> None:
    events = sheet("diamonds-bid", 30, 31, 10, 21, bids=(3, 3, 5, 2))
    match = ledger.record(None, events, 0).match
    bid = msgspec.structs.replace(events[2], amount=7)
    amended = ledger.record(match, [ev.Amend(about=3, event=bid)], 7)
    assert [(doubt.hand, doubt.seq) for doubt in amended.doubts] == [(1, 7)]


def test_the_same_request_again_is_warned_about_as_the_first_time(ledger: Ledger) -> None:
    match = ledger.record(None, sheet("diversity", 4, 4, 4, 4)[:2], 0).match
    event = ev.Score(scores=(4, 4, 4, 4), id="00000000-0000-4000-8000-000000000001")
    first, again = ledger.record(match, [event], 2), ledger.record(match, [event], 2)
    assert (first.new, again.new) == (True, False)
    assert first.doubts == again.doubts != ()


def test_the_command_line_warns_with_file_and_line_and_stores_it(tmp_path: Path) -> None:
    file, db = tmp_path / "night.jsonl", tmp_path / "club.db"
    opening, deal, score = write(sheet("diversity", 4, 4, 4, 4)).splitlines(keepends=True)
    file.write_bytes(opening + deal + b"\n" + score)
    said = f"{file}:4: score.sum: hand 1: a hand has 13 tricks, so its points add up to 13, not to 16"
    for command in (["import", str(file), "--db", str(db)], ["replay", "--json", str(file)]):
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 0, done.output
        assert said in done.stderr
    # Stored events cause no second warning.
    again = CliRunner().invoke(main, ["import", str(file), "--db", str(db)])
    assert "stored already" in again.output
    assert "score.sum" not in again.output
    assert "doubtful: a hand has 13 tricks" in CliRunner().invoke(main, ["replay", str(file)]).stdout
    with Ledger(db) as ledger:
        assert ledger.stream(ledger.matches()[0]).table.totals == [4, 4, 4, 4]


def test_the_command_that_amends_warns(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    with Ledger(tmp_path / "club.db") as ledger:
        match = ledger.record(None, sheet("ruff", 5, 5, 5), 0).match
    done = CliRunner().invoke(main, ["amend", match, "3", "scores=5,5,6", "--db", db])
    assert done.exit_code == 0, done.output
    assert f"{match}:3: score.sum: hand 1: a hand has 15 tricks" in done.stderr
    again = CliRunner().invoke(main, ["amend", match, "3", "scores=5,5,5", "--db", db])
    assert "score.sum" not in again.output


def test_who_recorded_an_event_and_when_cannot_be_amended(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        match = ledger.record(None, sheet("ruff", 5, 5, 5), 0).match
    for change in ("by=eve", "at=2026-01-01T00:00:00Z", "id=x", "imported_by=eve"):
        done = CliRunner().invoke(main, ["amend", match, "3", change, "--db", str(tmp_path / "club.db")])
        assert done.exit_code == 2, done.output
        assert "cannot be amended" in done.stderr


def test_doctor_lists_doubtful_hands_as_a_warning(tmp_path: Path) -> None:
    db = tmp_path / "club.db"
    with Ledger(db) as ledger:
        good = ledger.record(None, sheet("ruff", 4, 4, 4), 0).match
        ledger.record(good, [ev.Amend(about=3, event=ev.Score(scores=(5, 5, 5)))], 3)
        bad = ledger.record(None, sheet("ruff", 5, 5, 6), 0).match
    done = CliRunner().invoke(main, ["doctor", "--json", "--db", str(db)])
    (found,) = (one for one in json.loads(done.stdout)["findings"] if one["name"] == "sheets")
    assert found["state"] == "warning"
    assert f"1 hand: match {bad} hand 1 (a hand has 15 tricks" in found["text"]
    assert good not in found["text"]


def test_the_doctor_reports_possible_sheets_and_stays_silent_without_sheets(tmp_path: Path) -> None:
    db = tmp_path / "club.db"
    for events, state in (
        (simulate("ruff", 3, Random(1), ["random"], max_hands=1), []),
        (sheet("ruff", 5, 5, 5), ["ok"]),
    ):
        with Ledger(db) as ledger:
            ledger.record(None, events, 0)
        done = CliRunner().invoke(main, ["doctor", "--json", "--db", str(db)])
        assert [one["state"] for one in json.loads(done.stdout)["findings"] if one["name"] == "sheets"] == state


@pytest.mark.parametrize("game", [game.id for game in games().values() if game.sheet.sums])
def test_the_sums_that_a_game_names_are_those_of_its_hands(game: str) -> None:
    """Hands played by bots prove what a sheet of totals is checked with."""
    named = games()[game]
    for n in named.sizes:
        match = Stream.of(simulate(game, n, Random(n), ["random"], players=NAMES[:n], max_hands=6)).table
        sides = match.sides or [[seat] for seat in range(n)]
        sums = {sum(hand.scores[side[0]] for side in sides) for hand in match.hands if hand.scores}
        assert named.sheet.sums is not None
        assert sums <= {*named.sheet.sums(match.options, n)}
        totals = [match.totals[side[0]] for side in sides]
        assert doubtful_totals(named, {}, totals, n) is None


@pytest.mark.parametrize(
    ("game", "options", "totals", "why"),
    [
        ("whist", {"scoring": "all", "hands": 1}, (14, 14), "a multiple of 13, not 28"),
        ("whist", {"scoring": "all", "hands": 2}, (20, 6), None),
        ("whist", {"scoring": "all", "hands": 1}, (20, 6), "a multiple of 13"),
        ("whist", {}, (0, 0), "no number of hands"),
        ("hearts", {}, (30, 20, 10, 18), None),  # a moon
        ("hearts", {}, (30, 20, 10, 19), "no number of hands of Hearts gives totals of 79"),
        ("hearts", {}, (53, 0, 0, -1), "no number"),
        ("diversity", {}, (5, 5, 5, 5), "a multiple of 13, not 20"),
        ("spades", {}, (131, 63), None),  # nearly any total can be
    ],
)
def test_totals_that_no_number_of_hands_gives_are_doubtful(
    game: str, options: dict[str, object], totals: tuple[int, ...], why: str | None
) -> None:
    found = doubtful_totals(games()[game], options, totals, 4)
    assert (why is None) == (found is None), found
    assert (why or "") in (found or "")
