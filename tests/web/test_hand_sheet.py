"""The score sheet of a match: results only, a row for each hand, recorded in one go."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from cardledger.rules.engine import events as ev
from cardledger.rules.games import games
from cardledger_web.app import ledger_of
from tests.web.test_partners import words

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.test import TestResponse

FOUR = ("ana", "ben", "chloe", "dev")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """An application whose clients are an admin's, for all tests of the sheet."""
    from tests.web.conftest import opened

    yield from opened(tmp_path_factory.mktemp("sheets") / "club.db")


def begun(app: Flask, game: str, *events: ev.Event, **options: Any) -> str:
    return ledger_of(app).record(None, [ev.Open(game=game, players=FOUR, options=options), *events], 0).match


def sent(app: Flask, match: str, button: str = "record", **typed: Any) -> TestResponse:
    """Send the sheet; `bid_0=["1", "2"]` are the bids of the first seat in the typed hands."""
    form = {name.replace("_", "-") if name[-1].isdigit() else name: values for name, values in typed.items()}
    form = {"seq": ledger_of(app).stream(match).seq, button: "", "first": "0"} | form
    return app.test_client().post(f"/matches/{match}/sheet", data=form)


def stored(app: Flask, match: str) -> list[tuple[str, Any]]:
    """Return what is recorded after the opening, each event with its numbers or its word."""
    found = ledger_of(app).events(match)[1:]
    told = ("tricks", "scores", "amount", "call", "dealer")
    return [(ev.type_of(event), next((getattr(event, key) for key in told if hasattr(event, key)), None)) for event in found]  # fmt: skip


def standing(text: str) -> list[list[str]]:
    """Return the rows of totals: by hand, the total of each side with the points of the hand."""
    rows = re.findall(r'<tr class="standing">(.*?)</tr>', text, re.S)
    found = [[words(cell) for cell in re.findall(r"<td.*?</td>", row, re.S)] for row in rows]
    return [row for row in found if any(row)]


def remarks(text: str) -> list[str]:
    return [unescape(said) for said in re.findall(r'role="status">([^<]+)</td>', text)]


def test_four_hands_of_hearts_are_recorded_in_one_go_with_the_standing_after_each(app: Flask) -> None:
    match = begun(app, "hearts")
    hands = {"points_0": ["0", "5", "26", "1"], "points_1": ["26", "5", "0", "2"]}
    hands |= {"points_2": ["26", "3", "0", "3"], "points_3": ["26", "13", "0", "20"]}
    shown = standing(sent(app, match, "check", **hands).text)
    assert shown[:2] == [["0 0", "26 +26", "26 +26", "26 +26"], ["5 +5", "31 +5", "29 +3", "39 +13"]]
    assert stored(app, match) == []
    answer = sent(app, match, first="2", as_written="yes", **hands)
    assert answer.status_code == 303
    assert stored(app, match)[:2] == [("deal", 2), ("score", (0, 26, 26, 26))]
    assert ledger_of(app).stream(match).table.totals == [32, 33, 32, 59]
    assert standing(app.test_client().get(answer.location).text)[-1] == ["32 +1", "33 +2", "32 +3", "59 +20"]


def test_the_sheet_asks_what_the_game_has(app: Flask) -> None:
    for game, options, fields in (
        ("hearts", {}, ["points-0", "points-1", "points-2", "points-3"]),
        ("euchre", {}, ["points-0", "points-1"]),
        ("whist", {}, ["tricks-0", "tricks-1"]),
        ("whist", {"honours": True}, ["points-0", "points-1"]),
        ("spades", {}, [*(f"bid-{seat}" for seat in (0, 2, 1, 3)), *(f"tricks-{seat}" for seat in (0, 2, 1, 3))]),
        ("oh-hell", {}, [*(f"bid-{seat}" for seat in range(4)), *(f"tricks-{seat}" for seat in range(4))]),
    ):
        text = app.test_client().get(f"/matches/{begun(app, game, **options)}/sheet").text
        row = re.search(r'<tbody id="hand-1".*?</tbody>', text, re.S)
        assert row is not None
        assert re.findall(r'<input name="([^"]+)"', row[0]) == fields, game


@pytest.mark.parametrize("game", games())
def test_every_game_has_a_sheet_whose_first_hand_can_be_recorded(app: Flask, game: str) -> None:
    match = begun(app, game)
    text = app.test_client().get(f"/matches/{match}/sheet").text
    names = list(dict.fromkeys(re.findall(r'<input name="([a-z]+-\d)"', text)))
    numbers = {name.replace("-", "_"): ["1"] for name in names}
    answer = sent(app, match, as_written="yes", **numbers)
    if any(name.startswith("tricks") for name in names):
        assert "tricks, not" in remarks(answer.text)[0]
        bids = {name: ["1"] for name in numbers if name.startswith("bid")}
        total = int(re.findall(r"a hand has (\d+)", answer.text, re.I)[0])
        rest = [name for name in numbers if name.startswith("tricks")]
        answer = sent(app, match, **bids, **{name: ["0"] for name in rest[1:]}, **{rest[0]: [str(total)]})
    assert answer.status_code == 303, remarks(answer.text)
    assert len(ledger_of(app).stream(match).table.hands) == 1


def test_tricks_of_partners_are_one_number_and_the_last_number_is_the_rest(app: Flask) -> None:
    match = begun(app, "whist")
    assert sent(app, match, tricks_0=["8", ""], tricks_1=["", "13"]).status_code == 303
    assert stored(app, match) == [
        ("deal", 0), ("claim", (4, 3, 4, 2)), ("deal", 1), ("claim", (0, 7, 0, 6)),
    ]  # fmt: skip
    assert ledger_of(app).stream(match).table.totals == [2, 7, 2, 7]


def test_spades_takes_tricks_of_a_side_in_one_field_but_those_of_a_nil_by_partner(app: Flask) -> None:
    match = begun(app, "spades")
    bids = {"bid_0": ["4"], "bid_1": ["3"], "bid_2": ["0"], "bid_3": ["3"]}
    answer = sent(app, match, tricks_0=["6"], **bids)
    assert remarks(answer.text) == ["The side of chloe bid nil: write the tricks of each partner."]
    assert sent(app, match, tricks_0=["6"], tricks_2=["0"], tricks_1=["7"], **bids).status_code == 303
    assert stored(app, match)[-1] == ("claim", (6, 4, 0, 3))
    assert stored(app, match)[1:5] == [("bid", 3), ("call", "nil"), ("bid", 3), ("bid", 4)]
    assert ledger_of(app).stream(match).table.totals == [142, 61, 142, 61]


def test_a_blind_nil_is_typed_as_two_noughts(app: Flask) -> None:
    match = begun(app, "spades", ev.Deal(dealer=0, hands=None), ev.Score(scores=(0, 200, 0, 200)))
    bids = {"bid_0": ["4"], "bid_1": ["3"], "bid_2": ["00"], "bid_3": ["3"]}
    assert sent(app, match, tricks_0=["6"], tricks_2=["0"], tricks_1=["7"], **bids).status_code == 303
    assert ("call", "blind nil") in stored(app, match)


@pytest.mark.parametrize(
    ("game", "typed", "said"),
    [
        ("hearts", {"points_0": ["10"], "points_1": ["9"]}, "19 together so far."),
        ("hearts", {"points_0": ["x"]}, "“x” is no whole number."),
        ("whist", {"tricks_0": ["9"], "tricks_1": ["5"]}, "A hand has 13 tricks, not 14."),
        ("oh-hell", {"tricks_0": ["4"], "tricks_1": ["2"]}, "6 of 10 tricks."),
        ("diversity", {f"tricks_{seat}": ["", "3"] for seat in range(4)}, "This hand is empty, and a later one is not."),
    ],
)  # fmt: skip
def test_a_hand_that_is_not_right_is_said_beside_its_row_and_nothing_is_stored(
    app: Flask, game: str, typed: dict[str, list[str]], said: str
) -> None:
    match = begun(app, game)
    assert said in remarks(sent(app, match, "check", **typed).text)
    answer = sent(app, match, **typed)
    assert answer.status_code == 400
    assert "Nothing is recorded yet" in answer.text
    assert stored(app, match) == []


def test_the_barred_bid_of_the_dealer_is_refused_in_words(app: Flask) -> None:
    match = begun(app, "oh-hell")
    bids = {f"bid_{seat}": [str(bid)] for seat, bid in enumerate((1, 3, 3, 3))}
    answer = sent(app, match, tricks_0=["1"], tricks_1=["3"], tricks_2=["3"], **bids)
    assert "may not bid 1" in remarks(answer.text)[0]
    assert remarks(answer.text)[0].endswith("the number of tricks.")


def test_impossible_points_are_recorded_only_if_the_sheet_says_so(app: Flask) -> None:
    match = begun(app, "hearts")
    points = {f"points_{seat}": ["5"] for seat in range(4)}
    answer = sent(app, match, **points)
    assert remarks(answer.text) == ["Hearts and the queen make 26 points together, not 20."]
    assert 'id="as-written">' in answer.text
    assert stored(app, match) == []
    assert sent(app, match, as_written="yes", **points).status_code == 303


def test_hands_are_added_later_and_the_match_may_end_with_them(app: Flask) -> None:
    match = begun(app, "hearts", ev.Deal(dealer=3, hands=None), ev.Score(scores=(26, 0, 0, 0)))
    text = app.test_client().get(f"/matches/{match}/sheet").text
    assert standing(text) == [["26 +26", "0 0", "0 0", "0 0"]]
    assert 'name="first"' not in text
    points = {"points_0": ["26"], "points_1": ["0"], "points_2": ["0"], "points_3": ["0"]}
    answer = sent(app, match, ends="yes", as_written="yes", **points)
    assert answer.location == f"/matches/{match}"
    assert [kind for kind, _ in stored(app, match)] == ["deal", "score", "deal", "score", "end"]
    assert "The match is over" in app.test_client().get(f"/matches/{match}/sheet").text


def test_no_hand_is_typed_after_the_end_of_the_match_or_while_one_is_played(app: Flask) -> None:
    match = begun(app, "diversity", hands=1)
    tricks = {"tricks_0": ["1", "4"], "tricks_1": ["4", "4"], "tricks_2": ["4", "4"], "tricks_3": ["4", "1"]}
    assert remarks(sent(app, match, **tricks).text) == ["The match is over after hand 1."]
    playing = begun(app, "hearts", ev.Deal(dealer=0, hands=None))
    assert "Hand 1 is being played" in app.test_client().get(f"/matches/{playing}/sheet").text


def test_a_sheet_sent_twice_is_recorded_once(app: Flask) -> None:
    match = begun(app, "diversity")
    tricks = {"tricks_0": ["1"], "tricks_1": ["4"], "tricks_2": ["4"], "tricks_3": ["4"]}
    assert sent(app, match, seq="1", **tricks).status_code == 303
    assert "something was recorded meanwhile" in sent(app, match, seq="1", **tricks).text
    assert len(ledger_of(app).stream(match).table.hands) == 1


def test_more_rows_keep_what_was_typed(app: Flask) -> None:
    match = begun(app, "hearts")
    text = sent(app, match, "more", points_0=["5", "", "", ""]).text
    assert text.count("<tbody") == 8
    assert 'value="5"' in text


def test_a_match_is_opened_for_its_results_only(app: Flask) -> None:
    form = {"game": "hearts", "player": [*FOUR], "policy": "record", "sheet": "yes"}
    answer = app.test_client().post("/matches/new", data=form, headers={"Origin": "http://localhost"})
    assert answer.location.endswith("/sheet")


@pytest.mark.parametrize(
    ("game", "options", "typed", "follows"),
    [
        ("hearts", {}, ["3", "5", "13", ""], "5"),
        ("hearts", {}, ["26", "26", "26", ""], "0"),
        ("hearts", {"moon": "self"}, ["0", "0", "0", ""], "\u221226"),
        ("hearts", {}, ["0", "0", "0", ""], None),
        ("hearts", {}, ["8", "", "13", ""], None),
        ("hearts", {}, ["20", "20", "6", ""], None),
        ("ruff", {}, ["3", "", "2", "4"], "3"),
        ("diversity", {}, ["3", "", "2", "4"], "4"),
        ("whist", {}, ["9", ""], "4"),
        ("whist", {"honours": True}, ["2", ""], None),
    ],
)
def test_the_last_number_follows_from_the_others_by_the_sums_of_the_game(
    app: Flask, game: str, options: dict[str, Any], typed: list[str], follows: str | None
) -> None:
    """It is proposed in grey: nothing is recorded that nobody has seen."""
    match = begun(app, game, **options)
    blank = sent(app, match, "check").text
    names = dict.fromkeys(re.findall(r'name="((?:points|tricks)-\d)"', blank))
    page = sent(
        app, match, "check", **{name.replace("-", "_"): [text] for name, text in zip(names, typed, strict=True)}
    ).text
    assert re.findall(r'placeholder="(.?\d+)"', page) == ([follows] if follows else [])
    assert "placeholder" not in blank
    assert stored(app, match) == []


@pytest.mark.parametrize(("moon", "points"), [("others", (26, 0, 26, 26)), ("self", (0, -26, 0, 0))])
def test_one_tap_on_a_name_writes_a_hand_in_which_this_player_takes_everything(
    app: Flask, moon: str, points: tuple[int, ...]
) -> None:
    match = begun(app, "hearts", moon=moon)
    first = {f"points_{seat}": [text] for seat, text in enumerate(["3", "5", "13", "5"])}
    page = (
        app.test_client()
        .post(
            f"/matches/{match}/sheet",
            data={"all": "1"} | {name.replace("_", "-"): texts for name, texts in first.items()},
        )
        .text
    )
    fields = dict(re.findall(r'name="(points-\d)" value="([^"]+)"', page))
    assert "Hand 3, one player takes everything" in page
    assert [int(fields[f"points-{seat}"]) for seat in range(4)] == [*points]
    assert stored(app, match) == []


@pytest.mark.parametrize(("game", "options"), [("hearts", {"jack": True}), ("diversity", {}), ("ruff", {})])
def test_where_nobody_takes_everything_or_the_points_stay_open_no_name_is_offered(
    app: Flask, game: str, options: dict[str, Any]
) -> None:
    assert 'name="all"' not in sent(app, begun(app, game, **options), "check", all="1").text


def test_the_scoring_page_is_told_the_number_that_follows_for_the_hand_under_way(app: Flask) -> None:
    match = begun(app, "ruff", ev.Deal(dealer=0, hands=None))
    client = app.test_client()
    asked = f"/matches/{match}/score/follows?points="
    assert client.get(asked + "3&points=&points=2&points=4").json == {"points": [3, 3, 2, 4]}
    assert client.get(asked + "3&points=&points=&points=4").json == {"points": [3, None, None, 4]}
    assert client.get(asked + "x").json == {"points": [None]}
