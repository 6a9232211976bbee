"""Names in PostgreSQL: erased for every server at once, also while others write; ledgers of before have them from now on."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random

import psycopg
import pytest

from cardledger.errors import ConflictError, RuleError, StoreError
from cardledger.record.people.names import erased_by, new_pseudonym, used
from cardledger.record.people.people import Merge
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import Append
from cardledger.record.store.address import Address
from cardledger.record.store.chain import START, chain
from cardledger.record.store.meanings import EVENTS, LOG, NAMES
from cardledger.record.store.postgres import PostgresStore
from cardledger.record.store.postgres_schema import SCHEMA, STEPS, VERSION
from cardledger.rules.bots.simulation import simulate
from cardledger.rules.engine import events as ev
from tests.store.cluster import Cluster

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
        except BaseException as error:  # noqa: BLE001 - reported below
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
        # Events stored after an erasure never use an erased pseudonym: nobody could read them.
        rows = [*ledger.store.read_all()]
        for place, row in enumerate(rows):
            gone = {word for group in erased_by(row.match, [row.line]) for word in group}
            assert not gone & used(later.line for later in rows[place + 1 :] if later.match != row.match)


def test_a_ledger_of_the_first_version_gets_names_and_keeps_its_events(url: str, tmp_path: Path) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(SCHEMA)
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
        left = erase(ledger, examine(ledger, "ana"), "admin")
        assert ledger.store.read(match)[0].line == text, "an old line keeps the name, and readers get a pseudonym"
        assert (ledger.events(match)[0].players[0], ledger.events(match)[1].by) == (left, left)
        assert [error for _, error in ledger.verify() if error] == []
    PostgresStore(Address(url)).close()
    assert [*STEPS] == [1, 2, 3]


def said(url: str) -> dict[str, str | None]:
    """Return the comments on the tables and the view of a ledger in PostgreSQL, and on each of their columns."""
    with psycopg.connect(url) as db:
        rows = db.execute(
            "SELECT c.relname || coalesce('.' || a.attname, ''), d.description FROM pg_class AS c"
            " CROSS JOIN LATERAL (SELECT NULL::name AS attname, 0 AS attnum UNION ALL"
            "   SELECT attname, attnum FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) AS a"
            " LEFT JOIN pg_description AS d ON d.objoid = c.oid AND d.objsubid = a.attnum"
            " WHERE relnamespace = current_schema()::regnamespace AND relname IN ('events', 'names', 'log')"
        )
        return dict(rows.fetchall())


def meant() -> dict[str, str]:
    """Return the comments as the program means them: what SQLite's schema says too."""
    found = {}
    for name, meaning in (("events", EVENTS), ("names", NAMES), ("log", LOG)):
        found |= {name: meaning.table} | {f"{name}.{column}": words for column, words in meaning.columns.items()}
    found["events"] = f"cardledger {VERSION}: {found['events']}"
    del found["names.due"]  # is in SQLite only
    return found


def test_the_database_says_what_each_table_and_column_means(url: str, pg: PostgresStore) -> None:
    assert pg.created
    assert said(url) == meant()


def of_version_2(url: str) -> None:
    """Create a ledger as the version made it that said nothing of its tables."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(SCHEMA)
        db.execute(STEPS[1])
    assert said(url) == dict.fromkeys(meant()) | {"events": "cardledger 2"}


def test_a_ledger_that_says_nothing_of_its_tables_does_once_its_owner_has_opened_it(url: str) -> None:
    of_version_2(url)
    PostgresStore(Address(url)).close()
    assert said(url) == meant()


def test_who_does_not_own_such_a_ledger_uses_it_as_it_is(url: str, cluster: Cluster) -> None:
    of_version_2(url)
    schema = url.partition("search_path%3D")[2]
    cluster.run(
        "DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN", f"GRANT USAGE ON SCHEMA {schema} TO guest",
        "GRANT SELECT, INSERT ON events, names TO guest", "GRANT USAGE, SELECT ON positions TO guest", url=url,
    )  # fmt: skip
    guest = PostgresStore(Address(cluster.url(schema=schema, user="guest")))
    guest.append([Append("a", 0, chain(START, ["{}"]))])
    assert guest.matches() == ["a"]
    guest.close()
    assert said(url)["events"] == "cardledger 2"


def test_erasing_without_permission_is_refused_and_changes_nothing(url: str, pg: PostgresStore) -> None:
    ana = new_pseudonym("player", "ana")
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
        one.record_people([Merge(player="hana", into=ANA)], 0, "x")
        left = erase(one, examine(one, "hana"), "admin")
        assert one.folded(match).players[0] == one.folded(other).players[0] == left
