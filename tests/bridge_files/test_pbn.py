"""PBN: every dialect and every pitfall, with what comes of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.record.matches.matchfile import MatchInFile, Problem
from tests.bridge_files.made import BASE, DEAL, items_of, pbn, random_games, seen


class Case(NamedTuple):
    """A file, and what is expected of its games, in their order."""

    what: str
    text: str | bytes
    games: tuple[dict[str, Any], ...]


def case(what: str, text: str | bytes, *games: dict[str, Any], **game: Any) -> Case:
    """Return a case of one game, or of several."""
    return Case(what, text, games or (game,))


PLAYS = ["EAH", "S2D", "W2C", "N2S", "NAS", "E2H", "S3D", "W3C"]
FULL = " ".join(f"{suit}{rank}" for rank in "AKQJT98765432" for suit in "HDCS")
TWO = pbn() + "\n" + pbn(Board="2", Dealer="E", Vulnerable="NS", Auction="E\nPass Pass Pass 4S AP", Play=None)
TABLES = [
    ("matchpoints", "Score_NS;MP_NS;MP_EW", "620 4 0\n170 1 3\n170 1 3", []),
    ("matchpoints of 1 and a half", "Score_NS;MP_NS;MP_EW", "620 2 0\n170 0.5 1.5\n170 0.5 1.5", []),
    ("wrong matchpoints", "Score_NS;MP_NS;MP_EW", "620 4 0\n170 1 3\n170 2 2", ["pbn.table"]),
    ("matchpoints by how often", "Multiplicity;Score_EW;MP_EW", "1 -620 0\n3 -170 4", []),
    ("wrong matchpoints by how often", "Multiplicity;Score_EW;MP_EW", "1 -620 0\n3 -170 3", ["pbn.table"]),
    ("percentages", "Score_NS;Percentage_NS", "620 100\n170 33.3\n170 16.7\n170 16.7", ["pbn.table"]),
    ("right percentages", "Score_NS;Percentage_NS", "620 100\n170 33.3\n170 33.3\n170 33.3", []),
    ("a row without points", "Score_NS;MP_NS", "620 9\n- 2", []),
    ("more rows than are compared", "Multiplicity;Score_NS;MP_NS", "400 620 0\n400 170 3", []),
]
HEAD = r"Rank\3R;Contract\5L;Declarer\1R;Result\2R;Score_NS\5R"
CASES = [
    case("a plain game", pbn(), players=["Nora", "Eli", "Sam", "Wu"], contract="4S", declarer=0, made=13, score=510,
         calls=["4S", "pass", "pass", "pass"], plays=PLAYS, claims=[[11, 0, 0, 0]], codes=[], event="Spring cup",
         place="Lyon", date="2026-03-14", board=1, extras=[("tag", "Scoring", "MP")], status="complete"),
    case("lines that begin with % are kept", "% PBN 2.1\n% EXPORT\n%Creator: me\n" + pbn(), codes=[],
         extras=[("escape", "", "%Creator: me"), ("tag", "Scoring", "MP")]),
    case("a % within a section", pbn(Auction="N\n%here\n4S AP"), codes=[], calls=["4S", "pass", "pass", "pass"],
         extras=[("tag", "Scoring", "MP"), ("escape", "Auction", "%here")]),
    case("comments anywhere", pbn(Auction="N\n4S {strong,\n% no escape} Pass ; weak\nPass Pass"), codes=[], contract="4S",
         extras=[("tag", "Scoring", "MP"), ("comment", "Auction 1", "strong,\n% no escape"), ("comment", "Auction 2", "weak")]),
    case("a comment behind a tag", pbn().replace('[Site "Lyon"]', '[Site "Lyon"] {in the hall} ; upstairs'), codes=[], place="Lyon",
         extras=[("comment", "Site", "in the hall"), ("comment", "Site", "upstairs"), ("tag", "Scoring", "MP")]),
    case("several tags on a line", pbn().replace('"]\n[', '"] [', 9), contract="4S", codes=[], made=13),
    case("quotes and backslashes in a value", pbn(Event=r"The \"Big\" Cup \\ 1"), event='The "Big" Cup \\ 1'),
    case("Latin-1", pbn(North="Jos\u00e9 M\u00fcller").encode("latin-1"), players=["José Müller", "Eli", "Sam", "Wu"]),
    case("UTF-8", pbn(North="Łukasz"), players=["Łukasz", "Eli", "Sam", "Wu"]),
    case("UTF-8 with a mark", b"\xef\xbb\xbf" + pbn(North="Zoë").encode(), players=["Zoë", "Eli", "Sam", "Wu"], line=1),
    case("UTF-16", pbn(North="Zoë").encode("utf-16"), players=["Zoë", "Eli", "Sam", "Wu"]),
    case("lines end with CRLF", pbn().replace("\n", "\r\n"), plays=PLAYS, codes=[]),
    case("lines end with CR", pbn().replace("\n", "\r"), plays=PLAYS, codes=[]),
    case("the end of a file of DOS", pbn() + "\x1a", plays=PLAYS, codes=[]),
    case("import order: tags as they come", pbn(Event=None, Deal=None) + f'[Deal "{DEAL}"]\n[Event "x"]\n', codes=[], event="x", plays=PLAYS),
    case("tags in small letters", pbn().replace("[Contract", "[contract"), contract="4S", codes=["pbn.case"]),
    case("a second auction is kept, the first counts", pbn() + '[Auction "E"]\n1C AP\n', codes=["pbn.repeated"], contract="4S",
         extras=[("tag", "Scoring", "MP"), ("again", "Auction", "E", "1C AP")]),
    case("two games", TWO, {"game": 1, "line": 1, "plays": PLAYS}, {"game": 2, "line": 23, "made": 13, "plays": [], "vulnerable": "ns"}),
    case("a second board without an event", pbn() + pbn(Event=None, Site=None, Date=None, Board="2", Dealer="E", Vulnerable="NS", Auction=None, Play=None),
         {"board": 1}, {"board": 2, "event": None, "made": 13}),
    case("a tag again after a blank line", pbn(Event=None, Board=None) + "\n" + pbn(Event=None, Board=None), {"plays": PLAYS}, {"plays": PLAYS}),
    case("values as in the game before", pbn() + "\n" + pbn(Event="#", North="#", Board="5", Vulnerable="#"),
         {"event": "Spring cup"}, {"event": "Spring cup", "players": ["Nora", "Eli", "Sam", "Wu"], "vulnerable": "none", "codes": ["board.number"]}),
    case("values that hold on", pbn(Event="##League") + "\n" + pbn(Event=None) + "\n" + pbn(Event="#") + "\n" + pbn(Event="Cup") + "\n" + pbn(Event=None),
         {"event": "League"}, {"event": "League"}, {"event": "League"}, {"event": "Cup"}, {"event": None}),
    case("# in the first game", pbn(Site="#"), codes=["pbn.inherit"], place=None),
    case("a board with a name", pbn(Board="Open 7"), board=None, codes=["pbn.board"], extras=[("tag", "Board", "Open 7"), ("tag", "Scoring", "MP")]),
    case("neither number nor dealer", pbn(Board="?", Dealer="?", Vulnerable="?"), error="pbn.board", line=4),
    case("dealer and vulnerability from the number", pbn(Board="3", Dealer=None, Vulnerable=None, Auction="S\nP P 4S AP"), dealer=2, vulnerable="ew", codes=[]),
    case("another dealer than that of the number", pbn(Dealer="E", Auction="E\nP P P 4S AP"), dealer=1, codes=["board.number"], lines=[9]),
    case("both are vulnerable, in any words", pbn(Board="4", Dealer="W", Vulnerable="Both", Auction="W\nP 4S AP"), vulnerable="both", codes=[], score=710),
    case("Love all", pbn(Vulnerable="Love"), vulnerable="none", codes=[]),
    case("a day that is not known", pbn(Date="1998.08.??"), date="1998-08", extras=[("tag", "Date", "1998.08.??"), ("tag", "Scoring", "MP")]),
    case("names missing", pbn(North="", East="?", South=None), players=["North", "East", "South", "Wu"], codes=["names.missing"]),
    case("one name twice", pbn(North="Ann", South="Ann"), players=["Ann", "Eli", "Ann (2)", "Wu"]),
    case("names are made tidy", pbn(North="  Ann   Lee "), players=["Ann Lee", "Eli", "Sam", "Wu"]),
    case("the deal begins with another seat", pbn(Deal="S:..AKQJT98765432. ...AKQJT98765432 AKQJT98765432... .AKQJT98765432.."), plays=PLAYS, codes=[]),
    case("hands not known", pbn(Deal="N:AKQJT98765432... - - -"), hands=None, plays=PLAYS, codes=[],
         extras=[("tag", "Scoring", "MP"), ("tag", "Deal", "N:AKQJT98765432... - - -")]),
    case("no deal", pbn(Deal=None), hands=None, plays=PLAYS, made=13),
    case("a card twice", pbn(Deal=DEAL.replace("...AKQ", "...AAQ")), hands=None, codes=["pbn.deal"], lines=[11], plays=PLAYS),
    case("a hand of twelve", pbn(Deal=DEAL.replace("AKQJT98765432...", "KQJT98765432...")), hands=None, codes=["pbn.deal"]),
    case("ten written as 10", pbn(Deal=DEAL.replace("T", "10")), codes=[], plays=PLAYS),
    case("calls in all their words", pbn(Auction="N\n1c P 1H X\nXX pass 1n d\nR 4S AP", Declarer="E", Play=None, Result="10"), codes=[], declarer=1,
         calls=["1C", "pass", "1H", "double", "redouble", "pass", "1NT", "double", "redouble", "4S", "pass", "pass", "pass"]),
    case("signs and notes at calls", pbn(Auction="N\n4S! =1= Pass $2 Pass $17 Pass=2=", Note="1:to play"), codes=[], alerts=["to play", ""],
         extras=[("tag", "Scoring", "MP"), ("mark", "Auction 1", "!"), ("mark", "Auction 2", "?"), ("mark", "Auction 3", "$17")]),
    case("an auction not known in part, with its contract", pbn(Auction="N\n1S - - Pass"), calls=[], contract="4S", made=13, codes=["pbn.auction"],
         extras=[("tag", "Scoring", "MP"), ("tag", "Auction", "N"), ("section", "Auction", "1S - - Pass")]),
    case("an auction under way", pbn(Auction="N\n1S Pass +", Contract=None, Declarer=None, Result=None, Play=None), calls=["1S", "pass"], contract=None, status="open"),
    case("an auction that begins elsewhere", pbn(Auction="E\n4S AP"), calls=[], contract="4S", codes=["pbn.auction"]),
    case("an auction to another contract", pbn(Contract="5S"), calls=[], contract="5S", codes=["pbn.contract"], score=510),
    case("an insufficient bid with a contract", pbn(Auction="N\n4S 1H Pass Pass Pass"), calls=[], contract="4S", codes=["pbn.contract"]),
    case("an insufficient bid alone", pbn(Auction="N\n4S 1H Pass Pass Pass", Contract=None, Declarer=None, Result=None, Play=None), contract="1H",
         declarer=1, violations=["call.sufficient"], codes=[]),
    case("a declarer by irregularity", pbn(Declarer="^S", Play="W\nC2 S2 HA D2\n*"), declarer=2, calls=[], codes=["pbn.contract"],
         plays=["W2C", "N2S", "EAH", "S2D"]),
    case("passed out", pbn(Contract="Pass", Declarer="", Result="", Auction="N\nAP", Play=None), contract="pass", score=0, calls=["pass"] * 4, codes=[]),
    case("passed out, not written down", pbn(Contract="PAS", Declarer=None, Result=None, Auction=None, Play=None), contract="pass", score=0, codes=[]),
    case("a word that is no call", pbn(Auction="N\n4S Pas Bla Pass"), calls=[], codes=["pbn.call", "pbn.auction"], contract="4S"),
    case("contract and result alone", pbn(Auction=None, Play=None, Contract="4SX", Result="9"), calls=[], contract="4SX", score=-100, claims=[[9, 4, 0, 0]], codes=[]),
    case("a contract without a declarer", pbn(Auction=None, Play=None, Declarer="?"), contract=None, codes=["pbn.contract"], status="open"),
    case("a declarer that the lead tells", pbn(Auction=None, Declarer=None), contract="4S", declarer=0, plays=PLAYS),
    case("cards not known at the end", pbn(Play="E\nHA D2 C2 S2\nH2 - - SA\n- - - -", Result="13"), plays=[*PLAYS[:5], "E2H"], codes=[], made=13),
    case("cards behind one not known", pbn(Play="E\nHA D2 C2 S2\nH2 D3 C3 -\nH3 D4 C4 SK\n*"), plays=PLAYS[:4], codes=["pbn.gap"], made=13,
         extras=[("tag", "Scoring", "MP"), ("tag", "Play", "E"), ("section", "Play", "HA D2 C2 S2\nH2 D3 C3 -\nH3 D4 C4 SK\n*")]),
    case("play under way", pbn(Play="E\nHA D2 C2 S2\n+", Result="?"), plays=PLAYS[:4], status="open", made=None),
    case("all thirteen tricks", pbn(Play=f"E\n{FULL}"), made=13, claims=[], codes=[]),
    case("cards in small letters, rows in any lines", pbn(Play="E\nha d2\nc2 s2 h2 d3 c3 sa *"), plays=PLAYS, codes=[]),
    case("an irregular card with a note", pbn(Play="E\n^RHA D2=1= C2! S2\n*", Note="1:a slow signal"), plays=PLAYS[:4], codes=[],
         notes=[("^R", "play"), ("a slow signal", "play")], extras=[("tag", "Scoring", "MP"), ("mark", "Play 3", "!")]),
    case("a lead from the wrong seat", pbn(Play="W\nC2 S2 HA D2\n*"), plays=["W2C", "N2S", "EAH", "S2D"], violations=["lead.left-of-declarer"], declarer=0, made=13),
    case("a card not held", pbn(Play="E\nHA D2 C2 H3\n*"), plays=PLAYS[:3], codes=["table.holding"], lines=[18], made=13),
    case("a word that is no card", pbn(Play="E\nHA D2 C2 S2\nH2 D3 C3 1Z"), plays=PLAYS[:4], codes=["pbn.card"], made=13),
    case("a result that the play rules out", pbn(Result="1", Play="E\nHA D2 C2 S2\nH2 D3 C3 SA\n*"), codes=["pbn.result"], adjusted=True, claims=[], score=-450),
    case("another result than that of thirteen tricks", pbn(Play=f"E\n{FULL}", Result="9"), codes=["pbn.result"], adjusted=True, score=-50),
    case("a result by a ruling", pbn(Play=f"E\n{FULL}", Result="^9"), codes=[], adjusted=True, score=-50),
    case("the tricks of the other side", pbn(Result="EW 4"), made=9, codes=[]),
    case("the tricks of both sides", pbn(Result="NS 9 EW 4"), made=9, codes=[]),
    case("a result that is none", pbn(Result="15"), codes=["pbn.result"], made=None, extras=[("tag", "Scoring", "MP"), ("tag", "Result", "15")]),
    case("points that fit", pbn(Score="NS 510"), codes=[], score=510),
    case("points of the declarer", pbn(Score="510"), codes=[], score=510),
    case("points that do not fit", pbn(Score="EW 510"), codes=["pbn.score"], score=510, extras=[("tag", "Scoring", "MP"), ("tag", "Score", "EW 510")]),
    case("points alone", pbn(Contract=None, Declarer=None, Result=None, Auction=None, Play=None, Score="EW 620"), score=-620, codes=[]),
    case("a table", pbn(ScoreTable=HEAD + "\n1 4S N 13 510\n2 \"3NT; doubled\" N 9 400\n"), codes=[],
         extras=[("tag", "Scoring", "MP"), ("tag", "ScoreTable", HEAD), ("section", "ScoreTable", '1 4S N 13 510\n2 "3NT; doubled" N 9 400')]),
    case("a table whose points do not follow", pbn(ScoreTable=HEAD + "\n1 4S N 13 510\n2 3NT N 9 40\n"), codes=["pbn.table"], lines=[22], score=510),
    *(case(f"a table of {what}", pbn(ScoreTable=f"{columns}\n{rows}\n"), codes=codes)
      for what, columns, rows, codes in TABLES),
    case("tags that nobody knows", pbn(ScoreIMP="NS 3", Annotator="Ben", Strange="-"), codes=[],
         extras=[("tag", "Scoring", "MP"), ("tag", "ScoreIMP", "NS 3"), ("tag", "Annotator", "Ben"), ("tag", "Strange", "-")]),
    case("an empty game", '[Event "x"]\n[Board "1"]\n\n' + pbn(), {"error": "pbn.empty", "line": 1}, {"plays": PLAYS, "game": 2}),
    case("a line that is nothing", pbn().replace('[Site "Lyon"]', "Lyon") + "\n" + pbn(Board="5"), {"error": "pbn.tag", "line": 2}, {"board": 5, "plays": PLAYS}),
    case("a tag without its end", pbn().replace('"Lyon"]', '"Lyon') + "\n" + pbn(Board="5"), {"error": "pbn.tag", "line": 2}, {"board": 5}),
    case("a comment without its end", pbn().replace('"Lyon"]', '"Lyon"] {so') + "\n" + pbn(Board="5"), {"error": "pbn.tag", "line": 2}, {"board": 5}),
    case("bytes that are no text", pbn(Site="a\0b") + "\n" + pbn(), {"error": "pbn.encoding", "line": 2}, {"board": 1}),
    case("letters that only look like those of cards", pbn(Play="E\nH\u212a D2 C2 S2"), codes=["pbn.card"], plays=[]),
    case("letters that only look like those of calls", pbn(Auction="N\n4\u017f AP"), codes=["pbn.call"], contract="4S", calls=[]),
    case("comments in an auction that is kept", pbn(Contract="5S", Auction="N\n4S {strong} Pass Pass\n% here\nPass"), codes=["pbn.contract"],
         extras=[("tag", "Scoring", "MP"), ("comment", "Auction 1", "strong"), ("escape", "Auction 3", "% here"),
                 ("tag", "Auction", "N"), ("section", "Auction", "4S\nPass Pass\nPass")]),
    case("notes of an auction that is kept", pbn(Contract="5S", Auction='N\n4S =1= AP\n[Note "1:a \\"gambit\\""]'), codes=["pbn.contract"],
         extras=[("tag", "Scoring", "MP"), ("tag", "Auction", "N"), ("section", "Auction", '4S =1= AP\n[Note "1:a \\"gambit\\""]')]),
    case("notes of a play that is kept in part", pbn(Play='E\nHA =1= D2 C2 H3\n*\n[Note "1:good lead"]'), codes=["table.holding"],
         notes=[("good lead", "play")], plays=PLAYS[:3]),
    case("a comment behind the rest that is not recorded", pbn(Play="E\nHA D2 C2 S2\n* {claimed}"), codes=[], plays=PLAYS[:4],
         extras=[("tag", "Scoring", "MP"), ("comment", "Play 5", "claimed")]),
    case("notes that belong to no section", pbn(Annotator="Ben\n[Note \"1:one\"]\n[Note \"2:two\"]"), codes=[],
         extras=[("tag", "Scoring", "MP"), ("tag", "Annotator", "Ben"), ("tag", "Note", "1:one"), ("tag", "Note", "2:two")]),
    case("a note that no call names", pbn(Auction='N\n4S =1= AP\n[Note "1:strong"]\n[Note "2:weak"]'), codes=[], alerts=["strong"],
         extras=[("tag", "Scoring", "MP"), ("tag", "Note", "2:weak")]),
    case("letters that only some count as the end of a line", pbn(Event="a\x85b\u2028c"), event="a\x85b\u2028c", codes=[]),
    case("words before any tag", "Dear friends,\nsee below\n" + pbn(), {"error": "pbn.tag", "line": 1}, {"board": 1}),
]  # fmt: skip


@pytest.mark.parametrize("each", CASES, ids=[each.what for each in CASES])
def test_every_dialect_and_pitfall_of_pbn(each: Case) -> None:
    items = [item for item in map(seen, items_of(each.text)) if item.get("error") != "format.mended"]
    assert len(items) == len(each.games), items
    for item, expected in zip(items, each.games, strict=True):
        if expected.get("codes") and "error" in item:
            pytest.fail(str(item))
        assert {key: item.get(key) for key in expected} == expected


def test_a_game_reads_the_same_at_once_and_line_by_line() -> None:
    text = "".join(random_games(40))
    at_once = [seen(item) for item in items_of(text)]
    line_by_line = [seen(item) for item in items_of(text.replace('"]\n', '"] ;\n'))]
    for one, other in zip(at_once, line_by_line, strict=True):
        assert {**one, "extras": 0} == {**other, "extras": 0}


def test_random_boards_are_folded_as_they_were_played() -> None:
    for item in items_of("".join(random_games(60, seed=3))):
        assert isinstance(item, MatchInFile)
        found = seen(item)
        assert found["status"] == "complete"
        assert (found["codes"], found["violations"]) == ([], [])


def test_a_strict_reading_refuses_what_is_not_as_the_standard_has_it() -> None:
    [problem] = items_of(pbn(Result="1"), strict=True)
    assert isinstance(problem, Problem)
    assert (problem.error.code, problem.line) == ("pbn.result", 15)
    [violation] = items_of(pbn(Play="W\nC2 S2 HA D2\n*"), strict=True)
    assert isinstance(violation, Problem)
    assert violation.error.code == "lead.left-of-declarer"
    assert isinstance(items_of(pbn(), strict=True)[0], MatchInFile)


WHOLE = (TWO + "{a comment}\n" + pbn(Note="1:x", Result="^3")).encode()


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(0, len(WHOLE)), st.integers(0, 40), st.binary(max_size=8)), min_size=1, max_size=4)
)
def test_no_damage_to_a_file_is_more_than_an_error_with_a_line(changes: list[tuple[int, int, bytes]]) -> None:
    content = WHOLE
    for at, length, new in changes:
        content = content[:at] + new + content[at + length :]
    for item in items_of(content):
        if isinstance(item, Problem):
            assert item.error.message
            assert 1 <= item.line <= content.count(b"\n") + content.count(b"\r") + 1


LINES = WHOLE.decode().splitlines()


@settings(max_examples=50)
@given(st.permutations(range(len(LINES))))
def test_lines_in_any_order_give_boards_or_errors(order: list[int]) -> None:
    items_of("\n".join(LINES[place] for place in order))


HOSTILE = {
    "a long line": b'[Event "' + b"x" * 3_000_000 + b'"]\n' + pbn().encode(),
    "a long line of cards": b'[Event "x"]\n[Board "1"]\n[Play "N"]\n' + b"SA " * 1_000_000 + b"\n" + pbn().encode(),
    "many tags": "".join(f'[T{number} "x"]\n' for number in range(100_000)).encode() + pbn().encode(),
    "many boards": b'[Board "1"]' * 20_000 + b"\n" + pbn().encode(),
    "many comments": b'[Event "x"]\n[Auction "N"]\n' + b"{a}1C" * 100_000 + b"\n" + pbn().encode(),
    "braces": b"{" * 300_000 + b"\n" + pbn().encode(),
    "nothing but zeros": b'[Event "x"]\n' + b"\0" * 3_000_000 + b"\n" + pbn().encode(),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end_in_an_error_and_the_next_board_comes_in(name: str) -> None:
    items = [*map(seen, items_of(HOSTILE[name]))]
    assert items[0]["error"] in ("format.size", "format.json", "pbn.tag", "pbn.encoding", "pbn.empty")
    if name != "braces":
        assert items[-1]["plays"] == PLAYS


def test_the_base_of_these_tests_is_a_whole_game() -> None:
    assert len(BASE) == 17
