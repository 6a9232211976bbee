"""The commands `cardledger evening …`: a file is stored once, a ranking shows what was published beside what counts now."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardledger.cli.evening import evening
from cardledger.cli.main import main
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.evenings.session import SessionState
from tests.conftest import SAMPLES
from tests.evenings.bridge import HOWELL

TUESDAY = "samples/evenings/tuesday.jsonl"
SESSION = "session-7c1d6a52-5c0e-4f2c-8a39-2f8a6c4b1d10"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(SAMPLES, tmp_path / "samples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [*words])
    assert result.exit_code == status, (words, result.output, result.exception)
    return result


def test_every_example_runs(here: Path) -> None:
    run("evening", "open", TUESDAY, "--db", "club.db")
    Path("howell.jsonl").write_text("\n".join(map(json.dumps, HOWELL)))
    run("evening", "open", "howell.jsonl", "--db", "club.db")
    for name in evening.commands:
        shown = run("evening", name, "--help").stdout
        lines = re.findall(r"^    (cardledger .+)$", shown, re.MULTILINE)
        assert lines, name
        for line in lines:
            run(*shlex.split(line)[1:])


def test_a_file_is_stored_once_and_a_grown_one_continued(here: Path) -> None:
    first = run("evening", "open", TUESDAY, "--db", "club.db").stdout
    assert f"{SESSION}: 11 of 11 events stored" in first
    assert f"{SESSION}: 0 of 11 events stored" in run("evening", "open", TUESDAY, "--db", "club.db").stdout
    lines = Path(TUESDAY).read_text().splitlines()
    Path("grown.jsonl").write_text("\n".join([*lines[4:15], '{"type":"close"}']))
    assert f"{SESSION}: 1 of 12 events stored" in run("evening", "open", "grown.jsonl", "--db", "club.db").stdout
    assert re.search(r"closed +1  Tuesday", run("evening", "list", "--db", "club.db").stdout)
    for player, there in (("ana", True), ("nobody", False)):
        assert ("Tuesday" in run("evening", "list", "--player", player, "--db", "club.db").stdout) == there


def test_a_new_name_that_looks_like_a_known_one_is_reported(here: Path) -> None:
    run("evening", "open", TUESDAY, "--db", "club.db")
    Path("next.jsonl").write_text('{"type":"club","name":"Friday"}\n{"type":"member","player":"Anna"}\n')
    assert (
        "next.jsonl:1: people.similar: Anna is new and looks like ana"
        in run("evening", "open", "next.jsonl", "--db", "club.db").stderr
    )
    assert run("evening", "open", "next.jsonl", "--db", "club.db").stderr == ""


@pytest.mark.parametrize("content", ["", " \n\n", "\n"])
def test_a_file_without_an_evening_says_so(here: Path, content: str) -> None:
    Path("empty.jsonl").write_text(content)
    said = run("evening", "open", "empty.jsonl", "--db", "club.db", status=2)
    assert "empty.jsonl:1: store.empty: there is no club, session or league in this file" in said.stderr
    assert not Path("club.db").exists()


def test_the_first_evening_makes_the_ledger_and_a_refused_one_leaves_none(here: Path) -> None:
    words = ("evening", "new", "--name", "Friday", "--game", "hearts", "--db", "new.db", "--here")
    run("evening", "new", "--name", "Friday", "--club", "nobody", "--db", "new.db", status=2)
    assert not Path("new.db").exists()
    assert "Friday" in run(*words, "ana, ben, cem, eva").stdout
    assert "Friday" in run("evening", "list", "--db", "new.db").stdout


def test_a_sheet_that_cannot_be_opened_is_not_told_to_be_saved_otherwise(here: Path) -> None:
    Path("folder.csv").mkdir()
    Path("loop.csv").symlink_to("loop.csv")
    for name in ("folder.csv", "loop.csv", "missing.csv"):
        text = run("evening", "import", name, "--db", "new.db", status=2).output
        assert (f"{name} cannot be read" in text, "Save it as" in text, Path("new.db").exists()) == (True, False, False)


def test_a_problem_names_its_line(here: Path) -> None:
    lines = Path(TUESDAY).read_text().splitlines()
    for changed, number, code in (
        ([*lines[:6], '{"type":"leave","player":"zoe"}'], 7, "session.player"),
        ([*lines[:4], "{"], 5, "format.json"),
        (['{"type":"close"}'], 1, "format.open"),
        ([lines[0], lines[1].replace("ana", "anna")], 1, "store.differs"),
    ):
        Path("wrong.jsonl").write_text("\n".join(changed))
        said = run("evening", "open", "wrong.jsonl", "--db", "club.db", status=2).stderr
        assert any(line.startswith(f"wrong.jsonl:{number}: {code}: ") for line in said.splitlines()), said


def test_a_ranking_shows_the_published_one_beside_it_and_why_they_differ(here: Path) -> None:
    run("evening", "open", TUESDAY, "--db", "club.db")
    shown = run("evening", "show", "session-7c1d", "--db", "club.db").stdout
    assert re.search(r"^ +1 +8\.00  ana", shown, re.MULTILINE), shown
    assert re.search(r"ben  \(published: 1=?, ", shown), shown
    assert "round 2 table 1: 4.00 -> 1.00" in shown
    assert "amend (two columns were exchanged)" in shown
    found = json.loads(run("evening", "show", SESSION, "--json", "--db", "club.db").stdout)
    (published,) = found["published"]
    assert published["fits"]
    assert published["ranking"] != found["ranking"]
    assert {row["players"][0] for row in found["differences"]} >= {"ana", "ben"}
    then = json.loads(
        run("evening", "show", SESSION, "--as-of", str(published["position"]), "--json", "--db", "club.db").stdout
    )
    assert (then["ranking"], then["hash"]) == (published["ranking"], published["hash"])
    assert (then["published"], then["differences"]) == ([], [])
    early = run("evening", "show", SESSION, "--as-of", "2026-01-07T00:00", "--db", "club.db", status=2)
    assert "store.unknown" in early.stderr


def test_a_league_is_shown_by_the_same_command(here: Path) -> None:
    run("evening", "open", TUESDAY, "--db", "club.db")
    assert re.search(r"^ +1 +8\.00  ana", run("evening", "show", "league-9e", "--db", "club.db").stdout, re.MULTILINE)
    assert "published as of position" in run("evening", "publish", "league-9e", "--db", "club.db").stdout
    assert "a club has no ranking" in run("evening", "show", "club", "--db", "club.db", status=2).stderr


FRIDAY = ("evening", "new", "--club", "Tuesday Cards", "--name", "Friday", "--game", "hearts", "--db", "club.db")


def test_an_evening_is_opened_with_those_who_are_here(here: Path) -> None:
    run("evening", "open", TUESDAY, "--db", "club.db")
    run("people", "name", "ben", "Ben Lima", "--db", "club.db")
    opened = run(*FRIDAY, "--date", "2026-01-09", "--here", "Ben Lima, ana; Evva")
    session, _, said = opened.stdout.partition(": ")
    assert said == "Friday, 2026-01-09, 3 are here\n"
    assert "people.similar: Evva is new and looks like eva" in opened.stderr
    with Ledger("club.db") as ledger:
        state = ledger.evenings.stream(session).state
        assert isinstance(state, SessionState)
        assert state.here == {"ben": False, "ana": False, "Evva": True}
        assert (state.opening.club, state.opening.date) == ("club-2b8f7c1e-4a0d-4a55-9d6e-0c1f3a7b9e10", "2026-01-09")
    assert "format.value" in run(*FRIDAY, "--date", "9.1.2026", status=2).stderr


@pytest.mark.parametrize("names", ["ana, cem, ana", "Ben Lima, ana; ben", "Zoe\nana\nZoe"])
def test_one_name_for_two_people_is_refused(here: Path, names: str) -> None:
    run("evening", "open", TUESDAY, "--db", "club.db")
    run("people", "name", "ben", "Ben Lima", "--db", "club.db")
    before = run("evening", "list", "--db", "club.db").stdout
    for words in (("--here", names), ("--entry", "cem, eva", "--entry", names)):
        assert "session.player" in (said := run(*FRIDAY, *words, status=2).stderr)
        assert "is named twice: write more of the name, or leave one out" in said
    assert run("evening", "list", "--db", "club.db").stdout == before, "nothing is recorded"


def test_a_round_is_proposed_in_words_and_opened(here: Path) -> None:
    run("evening", "open", TUESDAY, "--db", "club.db")
    run(*FRIDAY, "--here", "ana, ben, cem, eva, fay, gus, hal")
    proposed = run("evening", "round", "Friday", "--db", "club.db").stdout
    assert proposed.startswith("round 1: Hearts\ntable 1: ")
    assert "sitting out: " in proposed
    assert "  cem and eva will have met 3 times: no exchange of two players is better" in proposed
    asked = ("evening", "round", "Friday", "--game", "oh-hell", "--largest", "4", "--json", "--db", "club.db")
    proposal = json.loads(run(*asked).stdout)
    opened = json.loads(run(*asked, "--open", "--by", "kim").stdout)
    assert {**proposal, "opened": opened["opened"]} == opened
    assert [len(table["players"]) for table in proposal["tables"]] == [4, 3]
    with Ledger("club.db") as ledger:
        for table, match in zip(opened["tables"], opened["opened"], strict=True):
            (opening,) = ledger.events(match["match"])
            assert (opening.by, [*opening.players]) == ("kim", table["players"])  # type: ignore[attr-defined]
    assert f"  match {opened['opened'][0]['match']}" not in run("evening", "round", "Friday", "--db", "club.db").stdout


def test_of_several_evenings_with_one_name_the_newest_is_meant_and_said(here: Path) -> None:
    run("evening", "open", TUESDAY, "--db", "club.db")
    assert SESSION in run("evening", "show", "Tuesday", "--db", "club.db").stdout
    later = run("evening", "new", "--name", "Tuesday", "--date", "2026-01-13", "--here", "ana", "--db", "club.db")
    id = later.stdout.partition(":")[0]
    shown = run("evening", "show", "Tuesday", "--db", "club.db")
    assert id in shown.stdout
    assert f"2 are called Tuesday: this is the newest, {id} of 2026-01-13" in shown.stderr
    assert "published as of" in run("evening", "publish", "Spring", "--db", "club.db").stdout
    assert (
        "there is no club, session or league wednesday"
        in run("evening", "show", "Wednesday", "--db", "club.db", status=2).stderr
    )


def howell(here: Path) -> None:
    Path("howell.jsonl").write_text("\n".join(map(json.dumps, HOWELL)))
    run("evening", "open", "howell.jsonl", "--db", "club.db")


def test_a_ruling_is_shown_with_what_it_changes_before_it_is_recorded(here: Path) -> None:
    howell(here)
    words = (
        "evening",
        "ruling",
        "Howell",
        "--board",
        "9",
        "--table",
        "2",
        "--ns",
        "A-",
        "--ew",
        "A+",
        "--db",
        "club.db",
    )
    shown = run(*words).stdout
    assert "round 1, table 2, board 9: 3 and 2" in shown
    assert "nothing is recorded yet: say it again with --yes" in shown
    assert len(run("evening", "rulings", "Howell", "--db", "club.db").stdout.splitlines()) == 2
    recorded = json.loads(run(*words, "--yes", "--json").stdout)
    assert (recorded["recorded"], recorded["events"][0]["ns"]) == (True, 40)
    seq = json.loads(run("evening", "rulings", "Howell", "--json", "--db", "club.db").stdout.splitlines()[-1])["seq"]
    run("evening", "take-back", "Howell", str(seq), "--reason", "appeal", "--yes", "--db", "club.db")
    assert "no ruling" in run("evening", "take-back", "Howell", str(seq), "--db", "club.db", status=2).stderr


@pytest.mark.parametrize(
    ("points", "wrong"),
    [("10%", "may be a part of a top or of the total"), ("10 \uff05", "may be a part"), ("two", "as a number"), ("nan", "as a number")],
)  # fmt: skip
def test_a_penalty_that_is_no_number_says_what_to_write(here: Path, points: str, wrong: str) -> None:
    howell(here)
    assert wrong in run("evening", "penalty", "Howell", "3", points, "--db", "club.db", status=2).stderr
    assert "1 event recorded" in run("evening", "penalty", "Howell", "3", "0,5", "--yes", "--db", "club.db").stdout


def test_rulings_say_which_percentage_counts_and_why(here: Path) -> None:
    howell(here)
    words = ("evening", "ruling", "Howell", "--board", "9", "--table", "2", "--db", "club.db", "--yes")
    run(*words, "--ns", "A-", "--ew", "A+")
    for table, line in (("2", "4S N 10"), ("3", "pass")):
        run("evening", "result", "Howell", table, line, "--round", "2", "--db", "club.db")
    listed = run("evening", "rulings", "Howell", "--db", "club.db").stdout.splitlines()[-1]
    counts = json.loads(run("evening", "boards", "Howell", "--json", "--db", "club.db").stdout)
    line = next(
        line for board in counts["boards"] if board["board"] == 9 for line in board["lines"] if line["table"] == 2
    )
    for side, given in (("ns", 40), ("ew", 60)):
        got = float(line[f"{side}_percent"])
        said = f"{side.upper()} {given} % ({got:g} % as on its other boards, Law 12C2)"
        assert (said in listed) == (got != given), listed
    assert "Law 12C2" in listed


def test_usebio_takes_the_beginning_of_a_name(here: Path) -> None:
    howell(here)
    whole = run("export", "--format", "usebio", "Howell", "--db", "club.db").stdout
    assert "<USEBIO" in whole
    assert run("export", "--format", "usebio", "how", "--db", "club.db").stdout == whole
    assert "whist" in run("export", "--format", "usebio", "Whist", "--db", "club.db", status=2).stderr


def test_boards_are_said_not_to_be_played(here: Path) -> None:
    howell(here)
    words = ("evening", "not-played", "Howell", "--board", "10", "--db", "club.db")
    assert run(*words, "--yes").stdout.endswith("2 events recorded\n")
    assert "was said not to be played" in run(*words, status=2).stderr
    table = run("evening", "not-played", "Howell", "--table", "3", "--db", "club.db", status=2).stderr
    assert "the table and the round of all its boards" in table


def test_a_late_pair_takes_an_empty_number(here: Path) -> None:
    howell(here)
    taken = run("evening", "late", "Howell", "3", "zoe, yan", "--sits", "now", "--db", "club.db", status=2).stderr
    assert "number 3 is no empty place: those are 6" in taken
    late = json.loads(
        run("evening", "late", "Howell", "6", "zoe, yan", "--sits", "next", "--json", "--db", "club.db").stdout
    )
    assert (late["number"], late["round"]) == (6, 2)
    assert "number 6 is no empty place: those are none" in run(
        "evening", "late", "Howell", "6", "ida, jon", "--sits", "now", "--db", "club.db", status=2
    ).stderr  # fmt: skip


def test_a_movement_cut_short_says_which_boards_compare_nobody_before_it_is_taken(here: Path) -> None:
    pairs = [word for pair in range(8) for word in ("--entry", f"a{pair}, b{pair}")]
    words = ("evening", "new", "--name", "Short", "--game", "bridge", "--scoring", "matchpoints", *pairs)
    howell = (*words, "--movement", "howell", "--rounds", "2", "--db", "club.db")
    run("evening", "open", TUESDAY, "--db", "club.db")
    assert re.search(r"\d+ of 1\d boards would be played at one table only", run(*howell, status=2).stderr)
    assert "Short" not in run("evening", "list", "--db", "club.db").stdout
    assert "note: " in run(*howell, "--yes").stderr
    assert run(*words, "--movement", "howell", "--db", "club.db").stderr == ""


def test_an_evening_of_a_game_without_rules_is_opened_once_somebody_says_who_wins(here: Path) -> None:
    run("evening", "open", TUESDAY, "--db", "club.db")
    opened = (
        "evening",
        "new",
        "--name",
        "Cards",
        "--game",
        "Canasta",
        "--here",
        "ana, ben, cem, eva",
        "--db",
        "club.db",
    )
    refused = run(*opened, status=2).stderr
    assert "there is no game 'Canasta'" in refused
    assert "--wins" in refused
    run(*opened, "--wins", "most", "--partners", "--players", "4-6")
    assert "match" not in run("evening", "round", "Cards", "--open", "--db", "club.db").stdout
    listed = run("evening", "list", "--game", "CANASTA", "--json", "--db", "club.db").stdout.splitlines()
    (row,) = map(json.loads, listed)
    assert (row["name"], row["game"], row["other_game"]) == ("Cards", None, "Canasta")
    compared = run("evening", "import", "samples/evenings/canasta.csv", "--game", "Canasta", "--wins", "most", "--partners",
                   "--yes", "--db", "club.db")  # fmt: skip
    assert "Canasta: Amara 4120" in compared.stdout
    found = run("evening", "results", "canasta", "--player", "Amara", "--db", "club.db").stdout
    assert "1 evening, 3 tables" in found
    assert re.search(r"Amara +1 +1 +1 +100%", found)
    assert "no evening is of 'Skat'" in run("evening", "results", "Skat", "--db", "club.db", status=2).stderr
    with Ledger("club.db") as ledger:
        state = ledger.evenings.stream(row["evening"]).state
        assert isinstance(state, SessionState)
        assert (state.opening.sizes, state.opening.partners) == ((4, 5, 6), True)


@pytest.mark.parametrize(
    "words",
    [("--game", "hearts", "--wins", "most"), ("--wins", "most"), ("--game", "Skat", "--wins", "most", "--players", "x"),
     ("--game", "Skat", "--wins", "most", "--players", "1-99")],
)  # fmt: skip
def test_what_a_game_without_rules_cannot_be_opens_nothing(here: Path, words: tuple[str, ...]) -> None:
    run("evening", "open", TUESDAY, "--db", "club.db")
    assert "format.value" in run("evening", "new", "--name", "X", *words, "--db", "club.db", status=2).stderr
    assert "X" not in run("evening", "list", "--db", "club.db").stdout


def test_a_penalty_is_shown_before_it_is_recorded(here: Path) -> None:
    howell(here)
    words = ("evening", "penalty", "Howell", "3", "2", "--law", "90B", "--db", "club.db")
    assert "nothing is recorded yet" in run(*words).stdout
    recorded = json.loads(run(*words, "--yes", "--json").stdout)
    assert recorded["events"] == [{"type": "adjust", "entry": 3, "penalty": 2, "law": "90B"}]
    refused = run("evening", "penalty", "Howell", "77", "2", "--db", "club.db", status=2).stderr
    assert "nobody has the number 77 this evening" in refused
