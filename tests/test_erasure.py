"""Erasing a person: the name is gone from every file, and every hash, proof and result is what it was."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardledger.cli.main import main
from cardledger.errors import ConflictError, LedgerError, RuleError, StoreError
from cardledger.pseudonyms import is_pseudonym
from cardledger.record.backup.copying import transfer
from cardledger.record.backup.following import BackupFollower
from cardledger.record.backup.making import BackupSource
from cardledger.record.backup.manifest import utc_now
from cardledger.record.matches.describe import phrase
from cardledger.record.matches.matchfile import Problem, read_file
from cardledger.record.matches.replay import result
from cardledger.record.people import people
from cardledger.record.people.names import Names, new_pseudonym, pseudonym
from cardledger.record.people.people import Erase, Merge, Name, Sat, Split
from cardledger.record.people.pseudonyms import hidden
from cardledger.record.proofs import EventPlace
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.receipts import as_file, receipt
from cardledger.record.proofs.survey import survey
from cardledger.record.readmodels import MODELS, SUMMARIES
from cardledger.record.readmodels.tables import ratings
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.mentions import mentions
from cardledger.record.store.sqlite import SqliteStore
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from cardledger.rules.evenings import evening_events as evenings
from cardledger.rules.evenings.scoring import Scoring
from cardledger.study.stats.luck.luck_store import LuckStore
from cardledger.study.stats.measures.sheets import Sheets
from tests.older_lines import in_clear
from tests.proofs.older import older_receipt
from tests.proofs.verifier import verifier
from tests.waiting import LIMIT

ANA = "Annabella"
"""A name that cannot occur in a file by chance."""
FOUR = (ANA, "ben", "chloe", "dev")


def play(
    ledger: Ledger, players: tuple[str, ...] = FOUR, seed: int = 1, game: str = "diversity", by: str = "ledger"
) -> str:
    """Record a match of one hand; return its id."""
    options = {"hands": 1} if game == "diversity" else {}
    events = simulate(game, len(players), Random(seed), ["random"], options, players=players, max_hands=1)
    return ledger.record(None, [*events], 0, by).match


def tell(ledger: Ledger, *events: ev.Event) -> None:
    ledger.record_people(events, ledger.people().seq, "tests")


def gone(ledger: Ledger, player: str = ANA) -> str:
    """Erase a player; return the pseudonym that is left."""
    return erase(ledger, examine(ledger, player), "admin")


def rows(ledger: Ledger) -> dict[str, list[Any]]:
    """Return every row of the read models, ratings included."""
    ledger.views.catch_up()
    ratings.bring_up_to_date(ledger.views)
    names = [*(model.name for model in MODELS), *(summary.name for summary in SUMMARIES), "ratings"]
    return {name: sorted(ledger.views.reader.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}


def rebuilt(ledger: Ledger) -> dict[str, list[Any]]:
    for _ in ledger.rebuild():
        pass
    return rows(ledger)


def told(ledger: Ledger, word: str) -> list[str]:
    """Return the files beside a ledger, and its own, that hold a word."""
    folder = Path(ledger.store.name).parent
    return [path.name for path in sorted(folder.iterdir()) if word.lower().encode() in path.read_bytes().lower()]


def verified(ledger: Ledger) -> None:
    assert [(match, str(error)) for match, error in ledger.verify() if error] == []


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Ledger]:
    """A club where Ana played, was called and merged, scored and was written about."""
    with Ledger(tmp_path / "club.db") as ledger:
        match = play(ledger)
        ledger.record(match, [ev.Note(text=f"well led, {ANA.upper()}!")], ledger.stream(match).seq, by=ANA)
        ledger.record(match, [ev.Note(text="the window was open")], ledger.stream(match).seq)
        play(ledger, ("Annabelle", "eva", "fay", "dev"), seed=2, game="ruff")
        play(ledger, ("ben", "eva", "fay", "dev"), seed=3)
        tell(ledger, Merge(player="Annabelle", into=ANA, reason="misspelt"), Name(player=ANA, name="Ana of Porto"))
        yield ledger


# --- what lies where


def test_stored_lines_hold_no_personal_word(club: Ledger) -> None:
    # Pseudonyms are left out: among random letters there is a short word now and then.
    lines = re.sub("~[A-Z2-7]{26}", "", "".join(row.line for row in club.store.read_all()))
    assert "~" not in lines
    for word in (*FOUR, "Annabelle", "Ana of Porto", "misspelt", "window", "led", "tests"):
        assert word.lower() not in lines.lower().replace("ledger", ""), word
    opening = json.loads(club.store.read(club.matches()[0])[0].line)
    assert all(is_pseudonym(player) for player in opening["players"])
    assert club.events(club.matches()[0])[0].players == FOUR  # type: ignore[attr-defined]


def test_a_player_has_one_pseudonym_and_every_text_its_own(club: Ledger) -> None:
    match = club.matches()[0]
    for _ in range(2):
        club.record(match, [ev.Note(text="again")], club.stream(match).seq, by="ben")
    stored = [json.loads(row.line) for row in club.store.read(match)]
    assert stored[-1]["by"] == stored[-2]["by"] == stored[0]["players"][1]
    assert stored[-1]["text"] != stored[-2]["text"]


class Gossip(ev.Event, tag="gossip", frozen=True):
    """An event whose keys say nothing of themselves."""

    about: str
    to: tuple[str, ...] = ()
    more: dict[str, Any] = {}
    loud: int = 0


def test_the_texts_of_a_key_that_says_nothing_are_stored_as_pseudonyms() -> None:
    names = Names(lambda words: [])
    told = Gossip(about="Ana", to=("Ben", "Chloe"), more={"of": ["Dev", 3]}, loud=2)
    lines, used = hidden([told], names)
    assert sorted(named.plain for named in used) == ["Ana", "Ben", "Chloe", "Dev", "of"]
    assert not any(name in lines[0] for name in ("Ana", "Ben", "Chloe", "Dev"))
    assert '"loud":2' in lines[0]


def test_a_pseudonym_proves_the_name_behind_it() -> None:
    named = new_pseudonym("player", "ana")
    assert named.pseudonym == pseudonym(named.salt, "ana")
    assert is_pseudonym(named.pseudonym)
    assert len(named.pseudonym) == 27
    assert pseudonym(b"other salt", "ana") != named.pseudonym


TEXTS = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ['"', "\\", '\\"', '"~', "~" + "A" * 26, f'"~{"B" * 26}"', f'\\"~{"C" * 26}\\"', ",", "[", "\n", "\0", "~", ""]
)


@given(st.lists(TEXTS, min_size=2, max_size=4), TEXTS, TEXTS, TEXTS)
@settings(max_examples=300)
def test_everything_written_can_be_read_again(players: list[str], note: str, place: str, by: str) -> None:
    kept = {}
    names = Names(lambda words: [kept[word] for word in words if word in kept])
    opening = ev.Open(game="diversity", players=tuple(players), event=place, place=place, options={"a": [place]})
    events = [opening, ev.Note(text=note, by=by), ev.Amend(about=1, event=opening, reason=note, by=by)]
    lines, used = hidden(events, names)
    kept.update({named.pseudonym: named for named in used})
    clear = [ev.encode(event).decode() for event in events]
    assert [*names.lines(lines)] == clear
    assert [names.clear(line) for line in lines] == clear
    assert names.clear(f"[{','.join(lines)}]") == f"[{','.join(clear)}]"


def test_a_tampered_name_is_never_shown(club: Ledger, tmp_path: Path) -> None:
    match = club.matches()[0]
    with closing(sqlite3.connect(tmp_path / "club.db")) as db, db:
        db.execute("UPDATE names SET text = '\"eve\"' WHERE text = '\"ben\"'")
    with Ledger(tmp_path / "club.db") as again:
        for read in (lambda: again.events(match), lambda: [*again.export([match])], lambda: again.stream(match)):
            with pytest.raises(StoreError) as caught:
                read()
            assert caught.value.code == "store.name"
        assert "store.name: the stored name of" in doctor(tmp_path)
        assert {error.code for _, error in again.verify() if error} == {"store.name"}


# --- erasing


def test_the_data_to_be_erased_is_listed_and_nothing_else_goes(club: Ledger) -> None:
    found = examine(club, "Annabelle")
    assert (found.person, found.ids, found.called, found.texts) == (ANA, (ANA, "Annabelle"), ("Ana of Porto",), 1)
    assert "the ids Annabella, Annabelle, their names (Ana of Porto) and 1 free text" in found.in_words
    assert club.people().name(ANA) == "Ana of Porto"
    match = club.matches()[0]
    gone(club)
    texts = [event.text for event in club.events(match) if isinstance(event, ev.Note)]
    assert is_pseudonym(texts[0])
    assert texts[1] == "the window was open"
    words = ["".join(map(str, phrase(event))) for event in club.events(match) if isinstance(event, ev.Note)]
    assert words == ["note: erased", "note: the window was open"]
    assert isinstance(club.events(club.matches()[0])[0], ev.Open)


def test_every_hash_proof_and_result_is_unchanged(club: Ledger) -> None:
    with Log(club) as log:
        log.seal()
        before = [(row.position, row.line, row.hash) for row in club.store.read_all()]
        results = {match: result(club.stream(match).table) for match in club.matches()}
        models = rows(club)
        receipts = {match: as_file(receipt(log, match)) for match in club.matches()}
        left = gone(club)
        assert [(row.position, row.line, row.hash) for row in club.store.read_all()][: len(before)] == before
        verified(club)
        assert survey(log).checkpoints >= 1
        for match, text in receipts.items():
            assert [*verifier.check(text, str(log.ring.verifier))]
            assert [*verifier.check(as_file(receipt(log, match)), str(log.ring.verifier))]
            assert log.inclusion(EventPlace(match, 1)).hash
        log.seal()
    other = next(player for player in club.people().ids(left) if player != left)
    renamed = {ANA: left, "Annabelle": other}
    for match, was in results.items():
        was["players"] = [renamed.get(player, player) for player in was["players"]]
        assert result(club.stream(match).table) == was
    for name, was in models.items():
        now = json.loads(json.dumps(was).replace(ANA, left).replace("Annabelle", other))
        assert sorted(map(list, rows(club)[name]), key=repr) == sorted(now, key=repr), name


def test_read_models_equal_a_rebuild(club: Ledger) -> None:
    gone(club)
    before = rows(club)
    assert rebuilt(club) == before


def test_no_byte_of_the_name_is_left_in_any_file(club: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.study.stats.measures.sheets.WORTH_KEEPING", 1)
    sheets = Sheets(club.views)
    sheets.sheet("diversity")
    assert sheets.keeping
    sheets.keeping.done.wait(LIMIT)
    assert (
        ANA in club.views.reader.execute("SELECT * FROM kept_sheets WHERE part = 'texts/player'").fetchone()[2].decode()
    )
    with LuckStore(club) as store:
        store.catch_up()
    with Log(club) as log:
        log.seal()
    for number in range(0, 300, 50):  # so that pages of names were split, and moved about
        play(club, (f"{ANA}{number}", "ben", "chloe", "dev"), seed=number, game="ruff")
    match = club.matches()[0]
    notes = [ev.Note(text=f"{number} {ANA} {'x' * (number % 700)}") for number in range(600)]
    club.record(match, notes, club.stream(match).seq)
    rows(club)
    assert told(club, ANA)
    for number in range(0, 300, 50):
        gone(club, f"{ANA}{number}")
    gone(club)
    assert told(club, ANA) == []
    assert told(club, "Annabelle") == []
    assert told(club, "Ana of Porto") == []
    assert "~" in "".join(club.export([match]))
    verified(club)
    assert told(club, ANA) == []


def test_no_byte_is_left_of_a_name_erased_while_another_was_wiped_away(
    club: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each erasure is folded and wiped by some thread; a reader keeps the second from being wiped at once."""
    play(club, ("Zebulon", "ben", "chloe", "dev"), seed=7)
    emptied, times = club.views.file.emptied, []

    def interrupted(*, rebuild: bool = False) -> bool:
        times.append(rebuild)
        if len(times) == 2:
            return False
        done = emptied(rebuild=rebuild)
        if len(times) == 1:
            gone(club, "Zebulon")
            club.views.catch_up()
        return done

    monkeypatch.setattr(club.views.file, "emptied", interrupted)
    gone(club)
    club.views.catch_up()
    play(club, ("ben", "chloe", "dev", "eva"), seed=8)
    club.views.catch_up()
    assert len(times) > 2
    assert told(club, "Zebulon") == told(club, ANA) == []


def test_an_erasure_is_an_event_with_pseudonyms_time_and_author(club: Ledger) -> None:
    left = gone(club)
    event = club.people().events[-1]
    assert isinstance(event, Erase)
    assert event.player == left
    assert event.by == "admin"
    assert event.at
    line = club.store.read(people.STREAM)[-1].line
    assert "admin" not in line
    assert json.loads(line)["player"] == left


def test_an_erased_person_has_a_name_that_says_so_and_stays_one_person(club: Ledger) -> None:
    left = gone(club)
    known = club.people()
    assert known.name(left) == f"erased player {left[1:5]}"
    assert len(known.ids(left)) == 2
    assert {known.person(id) for id in known.ids(left)} == {left}
    assert known.erased(left)
    found = club.views.reader.execute("SELECT count(*) FROM players WHERE player = ?", (left,)).fetchone()
    assert found == (2,)


def test_after_an_erasure_the_same_name_is_a_new_person(club: Ledger) -> None:
    left = gone(club)
    match = play(club, seed=9)
    assert club.stream(match).table.players[0] == ANA
    assert club.people().person(ANA) == ANA
    assert left not in club.store.read(match)[0].line
    verified(club)
    again = gone(club)
    assert again != left
    assert told(club, ANA) == []


def test_a_scorer_who_never_played_can_be_erased(club: Ledger) -> None:
    match = play(club, ("a", "b", "c", "d"), seed=5, by="Scorer Sue")
    left = gone(club, "Scorer Sue")
    assert {event.by for event in club.events(match)} == {left}
    assert told(club, "Scorer Sue") == []
    verified(club)


def test_unmerged_people_stay_who_they_are(club: Ledger) -> None:
    tell(club, Split(player="Annabelle"))
    gone(club)
    assert club.people().person("Annabelle") == "Annabelle"
    assert examine(club, "Annabelle").ids == ("Annabelle",)
    assert rebuilt(club) == rows(club)


def test_a_person_named_as_a_substitute_can_be_erased_too(club: Ledger) -> None:
    match = club.matches()[2]
    tell(club, Sat(match=match, seat=0, player="Dorothea"))
    left = gone(club, "Dorothea")
    assert told(club, "Dorothea") == []
    found = club.views.reader.execute("SELECT player FROM players WHERE match = ? AND seat = 0", (match,)).fetchone()
    assert found == (left,)
    assert rebuilt(club) == rows(club)
    verified(club)


def test_an_amended_opening_erases_the_old_texts_too(club: Ledger) -> None:
    match = club.matches()[2]
    opening = club.stream(match).table.opening
    other = ev.Open(game=opening.game, players=("Wilhelmina", "eva", "fay", "dev"), options=opening.options)
    club.record(match, [ev.Amend(about=1, event=other)], club.stream(match).seq)
    assert "Wilhelmina" in club.views.reader.execute("SELECT group_concat(player) FROM players").fetchone()[0]
    left = gone(club, "Wilhelmina")
    assert club.stream(match).table.players[0] == left
    assert told(club, "Wilhelmina") == []
    assert rebuilt(club) == rows(club)
    verified(club)


@pytest.mark.parametrize(
    "name",
    [
        'O"Brien',
        "back\\slash",
        "ruff",
        "import",
        "J",
        "Ünïcødé 🂡",
        "%_",
        "a.b*c",
        "'; DROP TABLE names",
    ],
)
def test_names_of_any_kind_can_be_erased(tmp_path: Path, name: str) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        match = play(ledger, (name, "ben", "chloe", "dev"))
        ledger.record(match, [ev.Note(text=f"see {name}."), ev.Note(text="Just jam")], ledger.stream(match).seq)
        found = examine(ledger, name)
        assert (found.ids, found.texts) == ((name,), 1)
        left = erase(ledger, found, "admin")
        assert ledger.stream(match).table.players == (left, "ben", "chloe", "dev")
        verified(ledger)
        assert rebuilt(ledger) == rows(ledger)


def test_nobody_can_take_a_name_that_is_a_pseudonym(club: Ledger) -> None:
    stored = json.loads(club.store.read(club.matches()[0])[0].line)["players"][0]
    for name in (stored, "~" + "A" * 26):
        with pytest.raises(RuleError) as caught:
            play(club, (name, "x", "y", "z"))
        assert caught.value.code == "people.name"
    left = gone(club)
    assert left == stored
    play(club, (stored, "x", "y", "z"), game="ruff")  # by now it is their name
    assert club.views.reader.execute("SELECT count(*) FROM players WHERE player = ?", (left,)).fetchone() == (3,)


@pytest.mark.parametrize(
    ("words", "text", "found"),
    [
        ((ANA,), f"to {ANA.upper()}s table", True), (("J",), "Just", False), (("J",), "so j.", True),
        (("Jo",), "a joke", False), (("a.c",), "abc", False), (("",), "anything", False), ((" ",), "a b", False),
        (("straße",), "die STRASSE", True), ((), "", False),
    ],
)  # fmt: skip
def test_texts_mention_the_people_they_name(words: tuple[str, ...], text: str, found: bool) -> None:
    assert mentions(words)(text) is found


def test_nobody_is_erased_twice_nor_anybody_unknown(club: Ledger) -> None:
    left = gone(club)
    for player, code in (
        (left, "people.erased"),
        (ANA, "people.unknown"),
        ("\udcff", "people.unknown"),
        ("nobody", "people.unknown"),
        ("", "people.unknown"),
    ):
        with pytest.raises(RuleError) as caught:
            examine(club, player)
        assert caught.value.code == code


def test_an_erasure_examined_before_a_merge_is_refused(club: Ledger) -> None:
    found = examine(club, ANA)
    tell(club, Split(player="Annabelle"))
    with pytest.raises(ConflictError):
        erase(club, found, "admin")
    assert club.people().name(ANA) == "Ana of Porto"


def test_an_old_file_of_theirs_is_refused_and_says_why(club: Ledger, tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    old.write_text("".join(club.export(club.matches())))
    gone(club)
    before = club.count()
    found = [*club.import_matches(read_file(old, keep_going=True))]
    problems = [item for item in found if isinstance(item, Problem)]
    assert len(problems) == 2
    assert {item.error.code for item in problems} == {"store.differs"}
    assert all("a person was erased there" in item.error.message for item in problems)
    assert club.count() == before
    new = tmp_path / "new.jsonl"
    new.write_text("".join(club.export(club.matches())))
    assert [item.new for item in club.import_matches(read_file(new))] == [0, 0, 0]  # type: ignore[union-attr]


# --- others on the same ledger, and what happens in between


def test_others_on_the_same_ledger_forget_at_once(club: Ledger, tmp_path: Path) -> None:
    match = club.matches()[0]
    with Ledger(tmp_path / "club.db", views=tmp_path / "others.views.db") as other:
        assert other.stream(match).table.players[0] == ANA
        assert other.views.reader.execute("SELECT count(*) FROM players WHERE recorded_as = ?", (ANA,)).fetchone() == (
            1,
        )
        left = gone(club)
        assert other.stream(match).table.players[0] == left
        assert other.folded(match).players[0] == left
        assert ANA not in "".join(other.export([match]))
        assert other.views.reader.execute("SELECT count(*) FROM players WHERE recorded_as = ?", (ANA,)).fetchone() == (
            0,
        )
        assert other.people().name(left).startswith("erased player")
        assert rows(other) == rows(club)
        other.record(match, [ev.Note(text="later")], other.stream(match).seq, by=ANA)
        assert other.events(match)[-1].by == ANA
        assert left not in other.store.read(match)[-1].line
    assert told(club, "Annabelle") == []


def test_a_name_recorded_during_its_erasure_gets_a_new_pseudonym(club: Ledger, tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db", views=tmp_path / "others.views.db") as other:
        play(other, seed=20)  # knows the pseudonym by now
        left = gone(club)
        match = other.record(None, [ev.Open(game="ruff", players=FOUR)], 0).match
        assert left not in other.store.read(match)[0].line
        assert other.stream(match).table.players[0] == ANA
        [*other.import_matches(read_file(_file(tmp_path, 21)))]
        verified(other)


def _file(folder: Path, seed: int) -> Path:
    path = folder / f"{seed}.jsonl"
    events = simulate("ruff", 4, Random(seed), ["random"], players=FOUR, max_hands=1)
    path.write_bytes(b"".join(ev.encode(event) + b"\n" for event in events))
    return path


def test_names_are_erased_while_others_write(tmp_path: Path) -> None:
    with Ledger(tmp_path / "club.db") as ledger:
        play(ledger)
        failed: list[BaseException] = []

        def write(which: int) -> None:
            try:
                with Ledger(tmp_path / "club.db", views=tmp_path / f"views{which}.db") as mine:
                    for seed in range(12):
                        play(mine, seed=100 * which + seed)
            except BaseException as error:  # noqa: BLE001 - reported below
                failed.append(error)

        writers = [threading.Thread(target=write, args=(which,)) for which in (1, 2)]
        for writer in writers:
            writer.start()
        lefts = set()
        while any(writer.is_alive() for writer in writers):
            try:
                lefts.add(gone(ledger))
            except (RuleError, ConflictError):
                continue
        for writer in writers:
            writer.join()
        assert failed == []
        with suppress(RuleError):
            lefts.add(gone(ledger))
        ledger.views.catch_up()
        players = {player for match in ledger.matches() for player in ledger.stream(match).table.players}
        assert players <= {*lefts, "ben", "chloe", "dev"}
        verified(ledger)
    # If a reader was in the way of the last erasure, the next who opens the ledger overwrites what is left.
    Ledger(tmp_path / "club.db").close()
    assert not any(ANA.encode() in path.read_bytes() for path in tmp_path.glob("club*"))


def test_leftovers_of_a_killed_erasure_are_overwritten_by_the_next_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [sys.executable, "-c", _ERASER, str(tmp_path / "club.db"), ANA]
    with Ledger(tmp_path / "club.db") as ledger:
        play(ledger)
        rows(ledger)
    subprocess.run(words, check=False)
    assert any(ANA.encode() in path.read_bytes() for path in tmp_path.iterdir())
    with Ledger(tmp_path / "club.db") as ledger:
        assert told(ledger, ANA) == []
        verified(ledger)
        assert ledger.people().erased(ledger.people().events[-1].player)  # type: ignore[attr-defined]


_ERASER = """
import os, sys, signal
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.store.sqlite_file import SqliteFile
ledger = Ledger(sys.argv[1])
kill = lambda self, **_: os.kill(os.getpid(), signal.SIGKILL) if self.path.name == "club.views.db" else False
SqliteFile.emptied = kill
erase(ledger, examine(ledger, sys.argv[2]), "admin")
"""


@pytest.mark.long
def test_an_eraser_killed_at_any_call_leaves_all_or_nothing(tmp_path: Path) -> None:
    """At every statement of the transaction in turn the process is gone; what is there is before or after, never between."""
    with Ledger(tmp_path / "club.db") as ledger:
        play(ledger)
        events = len([*ledger.store.read_all()])
    statements = 0
    for at in range(1, 40):
        done = subprocess.run(
            [sys.executable, "-c", _KILLED, str(tmp_path / "club.db"), ANA, str(at)], check=False, capture_output=True
        )
        with closing(SqliteStore(tmp_path / "club.db")) as store:
            there = len([*store.read_all()])
            living = [*store.named("player")]
        assert (there == events) == any(named.plain == ANA for named in living)
        statements = at
        if done.returncode == 0 or there > events:
            break
    assert 3 < statements < 39


_KILLED = """
import os, sys, signal
from cardledger.record.recording.ledger import Ledger
from cardledger.record.recording.erasing import erase, examine
ledger = Ledger(sys.argv[1])
found = examine(ledger, sys.argv[2])
left = int(sys.argv[3])
def count(statement):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
ledger.store.file.writer.set_trace_callback(count)
erase(ledger, found, "admin")
"""


def doctor(folder: Path) -> str:
    return CliRunner().invoke(main, ["doctor", "--db", str(folder / "club.db")]).output


def test_old_pages_are_overwritten_after_old_readers_finish(club: Ledger, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "club.db")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM events").fetchone()
        gone(club)
        assert club.people().events[-1].player  # type: ignore[attr-defined]
        verified(club)
        assert "the file may still hold an erased name" in doctor(tmp_path)
    play(club, ("x", "y", "z", "w"))
    assert "erased" not in doctor(tmp_path)
    assert told(club, ANA) == []


def test_an_old_reader_does_not_keep_an_erased_name(club: Ledger) -> None:
    recordings = club.store.recordings()
    next(recordings)  # from now on this thread's reader is in the past
    left = gone(club)
    for recording in recordings:
        assert ANA not in "".join(club.store.names.lines(recording.lines))
    assert club.stream(club.matches()[0]).table.players[0] == left
    assert ANA not in "".join(club.export(club.matches()))


# --- copies, backups, archives


def test_names_never_come_back_in_whatever_order_things_arrive(club: Ledger, tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "before.db")) as before:
        transfer(club.store, before, club.store.last_position())
        living = [*before.named("player")]
        left = gone(club)
        # From one that still has the name, to the one it was erased in.
        transfer(before, club.store, before.last_position())
        club.store.learn(living)
        assert club.store.names.clear(f'["{left}"]') == f'["{left}"]'
        # And on: the erasure reaches the copy.
        transfer(club.store, before, club.store.last_position())
        before.learn(living)
        assert before.names.clear(f'["{left}"]') == f'["{left}"]'
        assert ANA.encode() not in (tmp_path / "before.db").read_bytes()
        assert (
            not (tmp_path / "before.db-wal").stat().st_size
            or ANA.encode() not in (tmp_path / "before.db-wal").read_bytes()
        )


def test_two_pseudonyms_of_one_text_are_one_person_before_and_after(club: Ledger, tmp_path: Path) -> None:
    with Ledger(tmp_path / "other.db") as other:
        play(other, seed=31)
        transfer(other.store, club.store, other.store.last_position())
    club.views.catch_up()
    assert len(examine(club, ANA).names[0]) == 2
    assert club.views.reader.execute("SELECT count(*) FROM players WHERE player = ?", (ANA,)).fetchone() == (3,)
    left = gone(club)
    assert club.views.reader.execute("SELECT count(*) FROM players WHERE player = ?", (left,)).fetchone() == (3,)
    assert rebuilt(club) == rows(club)
    verified(club)
    assert told(club, ANA) == ["other.db"] or told(club, ANA) == ["other.db", "other.views.db"]


def command(*words: str) -> str:
    done = CliRunner().invoke(main, [*words])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("erased", [False, True])
def test_backup_restore_pack_unpack_and_analyse_report_names_in_clear_text(tmp_path: Path, erased: bool) -> None:
    club = str(tmp_path / "club.db")
    with Ledger(club) as ledger:
        play(ledger)
        play(ledger, ("Annabelle", "eva", "fay", "dev"), seed=2, game="ruff")
        tell(ledger, Merge(player="Annabelle", into=ANA), Name(player=ANA, name="Ana of Porto"))
        left = gone(ledger) if erased else ANA
        exported = "".join(ledger.export(ledger.matches()))
    assert (ANA in exported) is not erased
    (tmp_path / "away").mkdir()
    command("backup", str(tmp_path / "away" / "b.db"), "--db", club)
    command("restore", str(tmp_path / "away" / "b.db"), str(tmp_path / "restored.db"))
    command("copy", club, str(tmp_path / "copied.db"))
    for name, more in (("with", []), ("without", ["--without-names"])):
        command("pack", str(tmp_path / f"{name}.parquet"), *more, "--db", club)
        command("unpack", str(tmp_path / f"{name}.parquet"), "--db", str(tmp_path / f"{name}.db"))
        command(
            "analyse", str(tmp_path / f"{name}.parquet"), "--out", str(tmp_path / f"{name}-tables"), "--workers", "1"
        )
    command("analyse", "--db", club, "--out", str(tmp_path / "tables"), "--workers", "1")
    for name in ("restored", "copied", "with"):
        with Ledger(tmp_path / f"{name}.db", create=False) as other:
            assert "".join(other.export(other.matches())) == exported
            assert other.people().name(left) == (f"erased player {left[1:5]}" if erased else "Ana of Porto")
            verified(other)
    with Ledger(tmp_path / "without.db", create=False) as other:
        assert not any(word in "".join(other.export(other.matches())) for word in (*FOUR, "Annabelle"))
        verified(other)
    tables = {path.name: path.read_bytes() for path in (tmp_path / "tables").glob("*.parquet")}
    assert {path.name: path.read_bytes() for path in (tmp_path / "with-tables").glob("*.parquet")} == tables
    assert (ANA.encode() in (tmp_path / "with.parquet").read_bytes()) is not erased or not erased
    holding = [path.name for path in tmp_path.rglob("*") if path.is_file() and ANA.encode() in path.read_bytes()]
    assert not holding or not erased
    assert "without.parquet" not in holding
    assert "without.db" not in holding


def test_a_second_place_forgets_with_the_next_pass(club: Ledger, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    source = BackupSource.of(tmp_path / "club.db", club.store)
    with BackupFollower(source, tmp_path / "away" / "club.db", with_key=False) as follower:
        play(club, seed=40)
        follower.step(utc_now())
        assert any(ANA.encode() in path.read_bytes() for path in (tmp_path / "away").iterdir())
        left = gone(club)
        follower.step(utc_now())
        assert not any(ANA.encode() in path.read_bytes() for path in (tmp_path / "away").iterdir())
    command("restore", str(tmp_path / "away" / "club.db"), str(tmp_path / "again.db"))
    with Ledger(tmp_path / "again.db") as again:
        assert again.people().name(left) == f"erased player {left[1:5]}"
        assert [*again.export(again.matches())] == [*club.export(club.matches())]


# --- receipts


def test_a_receipt_opens_names_until_they_are_erased(club: Ledger) -> None:
    match = club.matches()[0]
    (lines,) = club.export([match])
    with Log(club) as log:
        key = str(log.ring.verifier)
        before = as_file(receipt(log, match))
        said = "\n".join(verifier.check(before, key, lines))
        assert f"played by {', '.join(FOUR)}" in said
        left = gone(club)
        after = as_file(receipt(log, match))
        assert ANA not in after
        said = "\n".join(verifier.check(after, key, lines))
        assert f"played by {left}, ben, chloe, dev" in said
        assert "names and texts left out: 2;" in said
        assert "\n".join(verifier.check(before, key, lines))  # what somebody has in hand stays a proof
        changed = before.replace(f'"text": "{ANA}"', '"text": "Eve"')
        with pytest.raises(verifier.WrongError, match="not the one that was recorded"):
            [*verifier.check(changed, key)]
        for edited in (lines.replace('"ben"', '"eve"', 1), lines.replace("window", "door")):
            with pytest.raises(verifier.WrongError):
                [*verifier.check(after, key, edited)]


def test_an_older_receipt_still_checks(club: Ledger) -> None:
    match = club.matches()[0]
    with Log(club) as log:
        told = older_receipt(log, match, 1)
        assert [*verifier.check(json.dumps(told), str(log.ring.verifier))]


# --- ledgers of before


OLD = "aaaaaaaa-0000-4000-8000-000000000001"
OLD_NIGHT = "session-aaaaaaaa-0000-4000-8000-000000000002"


@pytest.fixture
def old(club: Ledger) -> Ledger:
    """A ledger of before: names in clear, as players and in what things are called."""
    events = [*simulate("diversity", 4, Random(1), ["random"], {"hands": 1}, players=FOUR, max_hands=1)]
    opening = msgspec.structs.replace(events[0], event=f"{ANA}'s birthday", table="1", place=f"at {ANA.upper()}")
    in_clear(club, OLD, [opening, *events[1:], ev.Note(text=f"{ANA} was late", by=ANA)])
    night = evenings.Session(
        club=None, name=f"{ANA}'s night", date="2026-01-01", game=None, unit="player", scoring=Scoring(kind="total")
    )
    in_clear(club, OLD_NIGHT, [night, evenings.Arrive(player=ANA)])
    return club


def test_old_lines_keep_a_name_and_are_listed_and_readers_get_a_pseudonym(old: Ledger, tmp_path: Path) -> None:
    before = [(row.position, row.line, row.hash) for row in old.store.read_all()]
    found = examine(old, ANA)
    assert {(stream, seq) for stream, seq, _ in found.old} == {
        (OLD, 1), (OLD, len(old.events(OLD))), (OLD_NIGHT, 1), (OLD_NIGHT, 2)
    }  # fmt: skip
    assert "4 events are older than pseudonyms, the first is event 1 of " in found.old_in_words
    assert f"“{ANA}'s birthday”" in found.in_words
    left = erase(old, found, "admin")
    assert [(row.position, row.line, row.hash) for row in old.store.read_all()][: len(before)] == before

    def nothing_of_it(ledger: Ledger) -> None:
        assert not any(ANA.lower() in line.lower() for line in ledger.export([OLD]))
        assert ANA not in str(ledger.evenings.events(OLD_NIGHT))
        opening = ledger.events(OLD)[0]
        assert isinstance(opening, ev.Open)
        assert (opening.players, opening.table) == ((left, *FOUR[1:]), "1")
        assert opening.event is not None
        assert is_pseudonym(opening.event)
        assert (ledger.events(OLD)[-1].by, ledger.evenings.events(OLD_NIGHT)[1].player) == (left, left)  # type: ignore[attr-defined]
        assert ledger.people().name(left) == f"erased player {left[1:5]}"

    nothing_of_it(old)
    verified(old)
    assert rebuilt(old) == rows(old)
    assert told(old, ANA) == ["club.db"], "old lines cannot change"
    with Ledger(tmp_path / "club.db", views=tmp_path / "others.views.db") as other:
        nothing_of_it(other)
        rows(other)
    assert told(old, ANA) == ["club.db"]
    with Ledger(tmp_path / "copy.db") as copy:
        transfer(old.store, copy.store, old.store.last_position())
        nothing_of_it(copy)
    with pytest.raises(RuleError, match="already erased"):
        examine(old, left)
    assert examine(old, "ben").old[0][2] == {"/players/1": "ben"}


def test_an_old_file_is_refused_where_an_old_line_named_them_and_says_why(old: Ledger, tmp_path: Path) -> None:
    file = tmp_path / "old.jsonl"
    file.write_text("".join(old.export([OLD])))
    gone(old)
    (problem,) = old.import_matches(read_file(file, keep_going=True))
    assert isinstance(problem, Problem)
    assert (problem.error.code, "a person was erased there" in problem.error.message) == ("store.differs", True)


def test_an_archive_with_old_lines_is_analysed_without_the_erased_name(old: Ledger, tmp_path: Path) -> None:
    gone(old)
    club = str(tmp_path / "club.db")
    command("pack", str(tmp_path / "club.parquet"), "--db", club)
    for source in (("--db", club), (str(tmp_path / "club.parquet"),)):
        out = tmp_path / f"tables{len(source)}"
        command("analyse", *source, "--out", str(out), "--workers", "1")
        told = [path.name for path in out.rglob("*") if path.is_file() and ANA.encode() in path.read_bytes()]
        assert told == [], source
    command("unpack", str(tmp_path / "club.parquet"), "--db", str(tmp_path / "again.db"))
    with Ledger(tmp_path / "again.db") as again:
        assert "".join(again.export([OLD])) == "".join(old.export([OLD]))


def test_much_that_stays_is_shown_in_part(club: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.record.recording.erasing.MOST_SHOWN", 2)
    for number in range(4):
        play(club, (f"{ANA} {number}", "eva", "fay", "dev"), seed=number)
    assert [*examine(club, ANA).staying[2:]] == ["and 2 more"]


def test_many_old_lines_are_a_case_for_a_new_ledger(old: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardledger.record.recording.erasing.MOST_OLD", 3)
    with pytest.raises(RuleError, match="import them into a new ledger") as caught:
        examine(old, ANA)
    assert caught.value.code == "people.clear"


# --- what things are called


def test_what_things_are_called_is_erased_too_and_stays_one_thing(club: Ledger) -> None:
    opening = ev.Open(
        game="ruff", players=("ben", "chloe", "dev", "eva"), event=f"The cup of {ANA}", table="A", place="Úna's"
    )
    matches = [club.record(None, [opening], 0).match for _ in range(2)]
    night = evenings.Session(
        club=None, name=f"{ANA}s Abend", date="2026-01-01", game="ruff", unit="player", scoring=Scoring(kind="total"),
        place="Porto", options={ANA: [ANA]},
    )  # fmt: skip
    evening = club.evenings.record(None, [night], 0, as_written=False).match
    of_hers = msgspec.structs.replace(night, game=None, other_game=ANA, options={})
    other = club.evenings.record(None, [of_hers], 0, as_written=False).match
    stored = "".join(row.line for match in (*matches, evening, other) for row in club.store.read(match))
    for word in (ANA, "cup", "Abend", "Porto", "Úna"):
        assert word not in re.sub("~[A-Z2-7]{26}", "", stored)
    found = examine(club, ANA)
    assert found.labels == (ANA, f"{ANA}s Abend", f"The cup of {ANA}")
    gone(club)
    rows(club)
    assert told(club, ANA) == []
    first, second = (club.events(match)[0] for match in matches)
    assert first.event == second.event, "matches of one event still are of one event"  # type: ignore[attr-defined]
    assert club.evenings.events(evening)[0].place == "Porto"  # type: ignore[attr-defined]
    verified(club)
    assert rebuilt(club) == rows(club)


@pytest.mark.parametrize(
    ("text", "goes"),
    [("ÁNNABELLA", True), ("annabellas table", True), ("Porto", False), ("Anna", False)],
)  # fmt: skip
def test_case_and_accents_do_not_hide_a_name_and_parts_of_it_are_shown_and_stay(
    club: Ledger, text: str, goes: bool
) -> None:
    opening = ev.Open(game="ruff", players=("ben", "chloe", "dev", "eva"), place=text)
    club.record(None, [opening], 0)
    found = examine(club, ANA)
    assert (text in found.labels) is goes
    assert (f"a text with a part of the name: {text!r}" in found.stays) is (text == "Porto")


def test_other_words_for_a_person_are_erased_when_named(club: Ledger) -> None:
    opening = ev.Open(game="ruff", players=("ben", "chloe", "dev", "eva"), place="Chez Nanny")
    club.record(None, [opening], 0)
    assert examine(club, ANA).labels == ()
    assert examine(club, ANA, ["Nanny"]).labels == ("Chez Nanny",)
    assert examine(club, ANA, ["Nanny"]).mark != examine(club, ANA).mark


def test_the_names_of_others_stay_and_are_shown(club: Ledger) -> None:
    play(club, (f"{ANA}'s son", "eva", "fay", "dev"), seed=5)
    assert examine(club, ANA).stays == (f'another id like it: "{ANA}\'s son"',)


# --- beside the ledger


def test_every_file_beside_the_ledger_is_searched_and_those_that_keep_the_name_are_shown(
    club: Ledger, tmp_path: Path
) -> None:
    command("backup", str(tmp_path / "club.backup.db"), "--db", str(tmp_path / "club.db"))
    (tmp_path / "club.left-20260101T000000").mkdir()
    (tmp_path / "club.left-20260101T000000" / "notes.txt").write_text(f"about {ANA.upper()}")
    (tmp_path / "club.export.json").write_text(json.dumps({"name": "Ana of Porto"}))
    (tmp_path / "club.empty.json").write_text("{}")
    (tmp_path / "other.txt").write_text(ANA)
    kept = ("club.backup.db", "club.export.json", "club.left-20260101T000000/notes.txt")
    assert examine(club, ANA).stays == tuple(f"the file {name}" for name in kept)
    gone(club)
    assert [path.name for path in tmp_path.glob("club*") if path.is_file() and ANA.encode() in path.read_bytes()] == [
        "club.backup.db"
    ]


# --- the command


def test_the_erase_command_explains_asks_and_erases(tmp_path: Path) -> None:
    db = str(tmp_path / "club.db")
    with Ledger(db) as ledger:
        play(ledger)
    words = ["people", "erase", ANA, "--db", db]
    asked = CliRunner().invoke(main, words, input="n\n")
    assert asked.exit_code == 1
    assert f"This erases for good the id {ANA}." in asked.output
    assert "This stays" not in asked.output
    done = CliRunner().invoke(main, words, input="y\n")
    assert done.exit_code == 0, done.output
    assert "Erased. The matches stay, played by ~" in done.output
    again = CliRunner().invoke(main, [*words, "--yes"])
    assert isinstance(again.exception, LedgerError | SystemExit)
    assert again.exit_code != 0


# --- any ledger


@pytest.mark.long
@given(
    st.lists(
        st.tuples(st.sampled_from(["ruff", "diversity", "diamonds-draw"]), st.permutations(range(6)), st.integers(0, 9)),
        min_size=1, max_size=4,
    ),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=3),
    st.lists(st.integers(0, 5), min_size=1, max_size=3),
)  # fmt: skip
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_anybody_can_be_erased_from_any_ledger(
    tmp_path_factory: pytest.TempPathFactory,
    matches: list[tuple[str, list[int], int]],
    merges: list[tuple[int, int]],
    erased: list[int],
) -> None:
    everybody = ["Zacharias", "Yolandita", "Xaveriana", "Wendelina", "Valentino", "Ulyssandro"]
    with Ledger(tmp_path_factory.mktemp("any") / "club.db") as ledger:
        for game, order, seed in matches:
            match = play(ledger, tuple(everybody[place] for place in order[:4]), seed, game, by=everybody[order[5]])
            if ledger.stream(match).table.status == "open":
                ledger.record(match, [ev.Note(text=f"{everybody[order[4]]} looked on")], ledger.stream(match).seq)
        for one, other in merges:
            try:
                tell(ledger, Merge(player=everybody[one], into=everybody[other]))
            except RuleError:
                continue
        results = {match: result(ledger.stream(match).table) for match in ledger.matches()}
        hashes = [row.hash for row in ledger.store.read_all()]
        lost: set[str] = set()
        for place in erased:
            ids = ledger.people().ids(everybody[place])
            try:
                gone(ledger, everybody[place])
            except RuleError:
                continue
            lost |= {*ids}
        assert [row.hash for row in ledger.store.read_all()][: len(hashes)] == hashes
        verified(ledger)
        for match, was in results.items():
            now = result(ledger.stream(match).table)
            assert [*map(is_pseudonym, now["players"])] == [player in lost for player in was["players"]]
            assert now | {"players": 0} == was | {"players": 0}
        for name in lost:
            assert told(ledger, name) == [], name
        assert rebuilt(ledger) == rows(ledger)
