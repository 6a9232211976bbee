"""Names in PostgreSQL: erased for every server at once, also while others write; ledgers of before have them from now on."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random

import psycopg
import pytest

from ledger import events as ev
from ledger.bots.simulation import simulate
from ledger.erasing import erase, examine
from ledger.errors import ConflictError, RuleError, StoreError
from ledger.ledger import Ledger
from ledger.people import Merge
from ledger.store import Append
from ledger.store.chain import START, chain
from ledger.store.naming import anew, erased_by, used
from ledger.store.postgres import _SCHEMA, _STEPS, PostgresStore
from ledger.store.where import Address

ANA = "Annabella"


def play(ledger: Ledger, seed: int, by: str = "ledger") -> str:
    events = simulate("ruff", 4, Random(seed), ["random"], players=(ANA, "ben", "chloe", "dev"), max_hands=1)
    return ledger.record(None, [*events][:9], 0, by).match


def test_a_person_is_erased_for_every_server(url: str, tmp_path: Path) -> None:
    with Ledger(url, views=tmp_path / "one.db") as one, Ledger(url, views=tmp_path / "two.db") as two:
        match = play(one, 1, by=ANA)
        one.record(match, [ev.Note(text=f"{ANA} led")], 9)
        assert two.stream(match).table.players[0] == ANA
        two.views.catch_up()
        left = erase(one, examine(one, ANA), "admin")
        assert two.stream(match).table.players[0] == left
        assert ANA not in "".join(two.export([match]))
        for ledger in (one, two):
            ledger.views.catch_up()
            assert [error for _, error in ledger.verify() if error] == []
        assert ANA.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
        with psycopg.connect(url) as db:
            rows = db.execute("SELECT pseudonym || kind || text FROM names").fetchall()
            assert not any(ANA in row[0] for row in rows)
            assert len([row for row in rows if "erased" in row[0]]) == 2
        again = play(two, 2)
        assert left not in two.store.read(again)[0].line
        assert two.stream(again).table.players[0] == ANA


def test_names_are_erased_while_other_servers_write(url: str, tmp_path: Path) -> None:
    failed: list[BaseException] = []

    def write(which: int) -> None:
        try:
            with Ledger(url, views=tmp_path / f"views{which}.db") as mine:
                for seed in range(15):
                    play(mine, 100 * which + seed)
        except BaseException as error:  # noqa: BLE001 - told below
            failed.append(error)

    with Ledger(url, views=tmp_path / "views.db") as ledger:
        play(ledger, 1)
        writers = [threading.Thread(target=write, args=(which,)) for which in (1, 2)]
        for writer in writers:
            writer.start()
        lefts = set()
        while any(writer.is_alive() for writer in writers):
            try:
                lefts.add(erase(ledger, examine(ledger, ANA), "admin"))
            except (RuleError, ConflictError):
                continue
        for writer in writers:
            writer.join()
        assert failed == []
        players = {ledger.stream(match).table.players[0] for match in ledger.matches()}
        assert lefts
        assert players <= {ANA, *lefts}
        # What is stored after an erasure never leans on what it erased: that could be read by nobody.
        rows = [*ledger.store.read_all()]
        for place, row in enumerate(rows):
            gone = {word for group in erased_by(row.match, [row.line]) for word in group}
            assert not gone & used(later.line for later in rows[place + 1 :] if later.match != row.match)


def test_a_ledger_of_the_first_version_gets_names_and_keeps_its_events(url: str, tmp_path: Path) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(_SCHEMA.read_bytes())
        line = '{"type":"open","game":"ruff","players":["ana","ben","chloe","dev"],"seq":1,"id":"%s","at":"2026-01-01T00:00:00Z","by":"x"}'
        match = "aaaaaaaa-0000-4000-8000-000000000001"
        ((text, digest),) = chain(START, [line % match])
        db.execute("SELECT append_events(%s, '1', %s, %s, '', '', '1')", (match, text, digest))
    with Ledger(url, views=tmp_path / "views.db") as ledger:
        assert ledger.stream(match).table.players == ("ana", "ben", "chloe", "dev")
        assert ledger.store.read(match)[0].line == text
        ledger.record(match, [ev.Note(text="later")], 1, by="ana")
        assert "ana" not in ledger.store.read(match)[1].line
        assert ledger.events(match)[1].by == "ana"
        assert [error for _, error in ledger.verify() if error] == []
        with pytest.raises(RuleError) as caught:
            examine(ledger, "ana")
        assert caught.value.code == "people.clear"
    PostgresStore(Address(url)).close()
    assert [*_STEPS] == [1]


def test_who_may_not_erase_is_told_and_nothing_happens(url: str, pg: PostgresStore) -> None:
    ana = anew("player", "ana")
    pg.append([Append("a", 0, chain(START, [f'{{"players":["{ana.pseudonym}"]}}']), [ana])])
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("CREATE TRIGGER kept BEFORE DELETE ON names FOR EACH STATEMENT EXECUTE FUNCTION events_are_final()")
    line = f'{{"type":"erase","player":"{ana.pseudonym}","names":[["{ana.pseudonym}"]]}}'
    with pytest.raises(StoreError) as caught:
        pg.append([Append("people", 0, chain(START, [line]))])
    assert caught.value.code == "store.write"
    assert [*pg.named("player")] == [ana]
    assert pg.read("people") == []


def test_people_merged_by_two_servers_are_erased_together(url: str, tmp_path: Path) -> None:
    with Ledger(url, views=tmp_path / "one.db") as one:
        match = play(one, 1)
        events = simulate("ruff", 4, Random(2), ["random"], players=("hana", "eva", "fay", "gil"), max_hands=1)
        other = one.record(None, [*events][:5], 0).match
        one.register.record([Merge(player="hana", into=ANA)], 0, "x", one.views)
        left = erase(one, examine(one, "hana"), "admin")
        assert one.folded(match).players[0] == one.folded(other).players[0] == left
