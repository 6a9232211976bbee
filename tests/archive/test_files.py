"""Archives as files: complete or absent, and either read as written or refused, however damaged."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec
import pyarrow as pa
import pytest
from pyarrow import parquet

from cardledger.errors import StoreError
from cardledger.record.people.people import STREAM
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import Append
from cardledger.record.store.codec import decode
from cardledger.study.archive import files
from cardledger.study.archive.columns import VERSION, schema
from cardledger.study.archive.files import Archive, Heads
from cardledger.study.archive.spool import Spool
from cardledger.study.archive.unpacking import lay_aside, store
from tests.archive.streams import recorded, stored
from tests.tables import opening
from tests.thorough import many

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cardledger.study.archive.unpacking import Unpacked


def unpacked(path: Path, ledger: Ledger) -> list[Unpacked]:
    with Archive(path) as archive, Spool() as spool:
        for _ in lay_aside(archive, spool):
            pass
        return list(store(spool, ledger))


def test_an_archive_returns_the_stored_events(season: Ledger, archive: Path) -> None:
    with Archive(archive) as packed:
        assert len(packed) > 3
        recordings = list(files.with_names(season.store.recordings(), season.store.names))
        assert list(packed.recordings()) == recordings
        assert packed.people() == next(each for each in recordings if each.match == STREAM)


def test_archive_pages_fold_to_the_same_as_the_ledger(season: Ledger, archive: Path) -> None:
    with Archive(archive) as packed:
        found = {course.match: course for page in range(len(packed)) for course in packed.courses(page)}
    assert sorted(found) == sorted(season.matches())
    for match, course in found.items():
        folded = season.folded(match)
        assert (course.position, course.hash) == (folded.position, folded.hash)
        assert course.stream().table.totals == folded.stream.table.totals


@pytest.mark.long
def test_unpacking_makes_the_same_ledger(season: Ledger, archive: Path, ledger: Ledger) -> None:
    outcomes = unpacked(archive, ledger)
    assert all(found.error is None and found.new == found.events for found in outcomes)
    assert list(ledger.export(ledger.matches())) == list(season.export(season.matches()))
    assert [row[1:] for row in ledger.store.read(STREAM)] == [row[1:] for row in season.store.read(STREAM)]
    assert [error for _, error in ledger.verify() if error] == []
    for table in ("seats", "tricks", "violations", "careers"):
        rows = [list(each.views.reader.query(f"SELECT * FROM {table}")) for each in (ledger, season)]
        assert rows[0] == rows[1]


@pytest.mark.long
def test_unpacking_again_stores_only_new_events(season: Ledger, archive: Path, ledger: Ledger) -> None:
    match = season.matches()[-1]
    rows = season.store.read(match)[:3]
    ledger.store.append([Append(match, 0, [(row.line, row.hash) for row in rows])])
    outcomes = {found.match: found for found in unpacked(archive, ledger)}
    assert outcomes[match].new == outcomes[match].events - 3
    assert not any(found.new or found.error for found in unpacked(archive, ledger))


def test_a_match_that_took_another_course_is_reported_and_left_alone(
    season: Ledger, archive: Path, ledger: Ledger
) -> None:
    match = season.matches()[0]
    (event, *_) = decode(row.line for row in season.store.read(match))
    ledger.record(match, [msgspec.structs.replace(event, by="somebody else")], 0)
    outcomes = {found.match: found.error for found in unpacked(archive, ledger)}
    assert [(id, error.code) for id, error in outcomes.items() if error] == [(match, "store.differs")]
    assert len(ledger.store.read(match)) == 1
    assert len(ledger.matches()) == len(season.matches())


def test_an_impossible_play_is_left_out(tmp_path: Path, ledger: Ledger) -> None:
    right, wrong = "1" * 8 + "-0000-8000-8000-000000000001", "2" * 8 + "-0000-8000-8000-000000000001"
    file = tmp_path / "crafted.parquet"
    unheard = opening("diversity", 4)
    files.pack([stored([unheard], right), stored([unheard, unheard], wrong)], file, 2)
    with Archive(file) as archive, Spool() as spool:
        *_, last = lay_aside(archive, spool)
        assert (last.match, last.error.code, last.error.index) == (wrong, "table.phase", 1)  # type: ignore[union-attr]
        assert [found.new for found in store(spool, ledger)] == [1]
    assert ledger.matches() == [right]


def test_foreign_lines_are_left_out(tmp_path: Path) -> None:
    (line,) = stored([opening("diversity", 4)]).lines
    files.pack([recorded([line.replace(",", ",\n", 1)])], tmp_path / "a.parquet", 1)
    with Archive(tmp_path / "a.parquet") as archive, Spool() as spool:
        (found,) = lay_aside(archive, spool)
        assert found.error.code == "store.line"  # type: ignore[union-attr]


def test_the_digest_of_the_heads_can_be_computed_by_anybody(season: Ledger, archive: Path) -> None:
    heads = Heads()
    for row in season.views.reader.query("SELECT match, hash FROM matches ORDER BY match"):
        heads.add(row["match"], bytes.fromhex(row["hash"]))
    with Archive(archive) as packed:
        assert packed.manifest.heads == heads.hex()
        assert packed.manifest.matches == len(season.matches())
        assert packed.manifest.events == season.store.last_position()
        assert packed.manifest.rules["diversity/2"] > 3


def test_packing_again_gives_the_same_bytes(season: Ledger, tmp_path: Path) -> None:
    for name in ("one", "other"):
        files.pack(season.store.recordings(), tmp_path / name, 1)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_a_failed_packing_leaves_existing_files(season: Ledger, tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    file.write_text("before")
    first, second, *_ = season.store.recordings()
    for wrong in ([first, second._replace(hash=first.hash)], [second, first]):
        with pytest.raises(StoreError) as refused:
            files.pack(wrong, file, 1)
        assert refused.value.code == "store.hash"
        assert file.read_text() == "before"
    with pytest.raises(StoreError) as refused:
        files.pack([first], tmp_path / "nowhere" / "a.parquet", 1)
    assert refused.value.code == "store.write"
    assert [each.name for each in tmp_path.iterdir()] == ["a.parquet"]


def test_an_empty_ledger_makes_an_empty_archive(tmp_path: Path, ledger: Ledger) -> None:
    files.pack([], tmp_path / "a.parquet", 0)
    assert unpacked(tmp_path / "a.parquet", ledger) == []


# --- files that are not archives, or no longer


def code(path: Path) -> str:
    """Return how reading an archive to its end is refused."""
    with pytest.raises(StoreError) as refused, Archive(path) as archive:
        for _ in archive.recordings():
            pass
    assert str(path) in refused.value.message
    return refused.value.code


def test_a_file_that_is_not_an_archive_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    assert code(file) == "store.missing"
    for content in (b"", b"PAR1", b'{"type":"open"}\n', bytes(10_000)):
        file.write_bytes(content)
        assert code(file) == "store.open"
    parquet.write_table(pa.table({"match": ["a"], "hand": [1]}), file)
    assert code(file) == "store.open"
    assert code(tmp_path) == "store.open"


def manifest(table: pa.Table, **changes: object) -> pa.Table:
    """Return a table with a changed manifest."""
    said = msgspec.json.decode(table.schema.metadata[b"cardledger"]) | changes
    return table.replace_schema_metadata({"cardledger": msgspec.json.encode(said)})


def test_a_newer_format_is_refused(archive: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.parquet"
    parquet.write_table(manifest(parquet.ParquetFile(archive).read(), version=VERSION + 1), file)
    assert code(file) == "store.version"


def hand(table: pa.Table) -> int:
    """Return the row of a hand of 53 events, not the last of its match."""
    matches = table["match"].to_pylist()
    return next(
        row
        for row, types in enumerate(table["types"].to_pylist())
        if len(types) == 53 and matches[row] == matches[row + 1]
    )


def changed(table: pa.Table, column: str, value: object, *, everywhere: bool = False) -> pa.Table:
    """Return a table with another value in the row of a hand."""
    values = table[column].to_pylist()
    values[hand(table)] = value
    field = schema().field(column)
    place = table.schema.get_field_index(column)
    return table.set_column(place, field, pa.array([value] * len(values) if everywhere else values, field.type))


def backwards(table: pa.Table) -> pa.Table:
    """Return a table with its matches in another order."""
    rows = [{"match": match, "row": row} for row, match in enumerate(table["match"].to_pylist())]
    return table.take([row["row"] for row in sorted(rows, key=lambda row: row["match"], reverse=True)])


ALTERED: dict[str, tuple[str, Callable[[pa.Table], pa.Table]]] = {
    "a card": ("store.hash", lambda table: changed(table, "cards", "A" * 53)),
    "a deal": ("store.hash", lambda table: changed(table, "deal", ["A"])),
    "a time": ("store.hash", lambda table: changed(table, "digits", 2)),
    "an author": ("store.hash", lambda table: changed(table, "recorders", None)),
    "the hash": ("store.hash", lambda table: changed(table, "hash", "00" * 32, everywhere=True)),
    "no hash": ("store.hash", lambda table: changed(table, "hash", "zz", everywhere=True)),
    "a text too short": ("store.hash", lambda table: changed(table, "seats", "12")),
    "a type": ("store.line", lambda table: changed(table, "types", " " * 53)),
    "a letter without a meaning": ("store.hash", lambda table: changed(table, "cards", "~" * 53)),
    "a letter that no file has": ("store.hash", lambda table: changed(table, "cards", "é" * 53)),
    "several cards that are missing": ("store.hash", lambda table: changed(table, "cards", "&" * 53)),
    "no letters": ("store.open", lambda table: manifest(table, letters={})),
    "no types": ("store.gap", lambda table: changed(table, "types", None)),
    "a number": ("store.gap", lambda table: changed(table, "first_seq", 7)),
    "no position": ("store.hash", lambda table: changed(table, "position", None, everywhere=True)),
    "rest": ("store.hash", lambda table: changed(table, "rest", [{"seq": None, "line": None}])),
    "a row less": ("store.gap", lambda table: pa.concat_tables([table[: hand(table)], table[hand(table) + 1 :]])),
    "matches less": (
        "store.hash",
        lambda table: table[: table["match"].to_pylist().index(table["match"][200].as_py())],
    ),
    "another order": ("store.hash", backwards),
    "other columns": ("store.open", lambda table: table.drop(["recorders"])),
    "other numbers": ("store.hash", lambda table: manifest(table, events=3)),
    "no manifest": ("store.open", lambda table: table.replace_schema_metadata(None)),
}


@pytest.mark.parametrize("what", ALTERED)
def test_altered_files_are_found(what: str, archive: Path, tmp_path: Path) -> None:
    """Even by somebody who knows the Parquet format."""
    expected, alter = ALTERED[what]
    file = tmp_path / "a.parquet"
    parquet.write_table(alter(parquet.ParquetFile(archive).read()), file)
    assert code(file) == expected


def damage(archive: Path, file: Path, rng: Random) -> None:
    data = bytearray(archive.read_bytes())
    place = rng.randrange(len(data))
    match rng.randrange(3):
        case 0:
            data[place] ^= 1 << rng.randrange(8)
        case 1:
            del data[place:]
        case _:
            del data[place : place + rng.randrange(1, 50)]
    file.write_bytes(data)


def expect_found_or_harmless(archive: Path, file: Path, seed: int, times: int) -> None:
    """Damage an archive many times: a reader gets an error, or the data as written."""
    whole, rng, found = list(Archive(archive).recordings()), Random(seed), 0
    for _ in range(times):
        damage(archive, file, rng)
        try:
            with Archive(file) as damaged:
                assert list(damaged.recordings()) == whole
        except StoreError:
            found += 1
    assert found > times / 2


def test_damage_is_found(archive: Path, tmp_path: Path) -> None:
    expect_found_or_harmless(archive, tmp_path / "a.parquet", 1, 15)


@pytest.mark.long
def test_any_damage_is_found(archive: Path, tmp_path: Path) -> None:
    expect_found_or_harmless(archive, tmp_path / "a.parquet", 2, many(300, 2_000))
