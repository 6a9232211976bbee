"""Copies in an object store: every event within the interval, immutable pieces, no erased name, nothing half."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import StoreError
from cardledger.record.backup.following import FollowPass, passes
from cardledger.record.backup.making import BackupSource
from cardledger.record.backup.objects import places
from cardledger.record.backup.objects.envelope import Objects
from cardledger.record.backup.objects.fetching import fetch
from cardledger.record.backup.objects.places import FolderPlace, ObjectAddress, object_address, place_at
from cardledger.record.backup.objects.uploading import ObjectFollower
from cardledger.record.proofs.log import Log
from cardledger.record.recording.erasing import erase, examine
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.opening import opened
from tests.backup.club import record_some, said

NOW = datetime(2026, 11, 28, 3, tzinfo=UTC)
SECRET = bytes(range(32))


@pytest.fixture
def there(tmp_path: Path) -> ObjectAddress:
    return ObjectAddress((tmp_path / "there").as_uri())


def run(*words: str) -> tuple[int, str]:
    found = CliRunner().invoke(main, words)
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.exit_code, found.output


@contextmanager
def following(club: Path, there: ObjectAddress, secret: bytes | None = None, **given: bool) -> Iterator[ObjectFollower]:
    with closing(opened(club, create=False)) as store:
        given = {"with_key": False, **given}
        yield ObjectFollower(BackupSource.of(club, store), there, Objects(place_at(there), secret), **given)


def record(club: Path, seed: int) -> None:
    with Ledger(club) as ledger:
        record_some(ledger, 1, seed)


def says(path: Path) -> object:
    with Ledger(path) as ledger:
        return said(ledger)


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def code(call: object, *given: object, **options: object) -> str:
    with pytest.raises(StoreError) as error:
        call(*given, **options)  # type: ignore[operator]
    return error.value.code


@pytest.mark.parametrize("kind", ["file", "memory"])
@pytest.mark.parametrize("secret", [None, SECRET])
def test_a_ledger_comes_back_from_its_pieces_to_any_event(
    club: Path, tmp_path: Path, there: ObjectAddress, kind: str, secret: bytes | None
) -> None:
    if kind == "memory":
        pytest.importorskip("fsspec")
        there = ObjectAddress(f"memory://{uuid4()}/club")
    objects = Objects(place_at(there), secret)
    with following(club, there, secret) as copy:
        assert copy.step(NOW) == copy.events > 0
        first = objects.names("segments")
        record(club, 11)
        assert copy.step(NOW) > 0
        assert copy.step(NOW) == 0
    names = objects.names("segments")
    assert names[:1] == first and len(names) == 2
    assert names[1] == f"segments/{first[0][-12:]}-{copy.events:012}"
    (tmp_path / "secret").write_text(SECRET.hex())
    words = ("--secret", str(tmp_path / "secret")) if secret else ()
    if kind == "file":
        status, text = run(
            "restore", there.url, str(tmp_path / "again.db"), "--key", str(tmp_path / "club.key"), *words
        )
        assert status == 0 and "match their checkpoints" in text
        assert says(tmp_path / "again.db") == says(club)
        assert run("restore", there.url, str(tmp_path / "part.db"), "--to-position", "7", *words)[0] == 0
        with closing(opened(tmp_path / "part.db")) as part, closing(opened(club)) as whole:
            assert [*part.read_all()] == [*whole.read_all()][:7]
    else:
        (tmp_path / "got").mkdir()
        assert says(fetch(objects, there, tmp_path / "got" / "club.db")) == says(club)


def test_pieces_are_written_once_and_a_new_start_goes_on_where_the_last_one_ended(
    club: Path, tmp_path: Path, there: ObjectAddress
) -> None:
    with following(club, there) as copy:
        copy.step(NOW)
    before = everything(tmp_path / "there")
    record(club, 12)
    with Ledger(club) as ledger, Log(ledger) as log:
        log.seal()
    with following(club, there) as copy:
        assert copy.step(NOW) > 0
    after = everything(tmp_path / "there")
    kept = {name: data for name, data in before.items() if name.startswith(("segments", "checkpoints"))}
    assert kept and {name: after[name] for name in kept} == kept
    assert len([name for name in after if name.startswith("checkpoints")]) == 2
    shutil.rmtree(tmp_path / "lost", ignore_errors=True)
    assert run("restore", there.url, str(tmp_path / "again.db"), "--key", str(tmp_path / "club.key"))[0] == 0
    assert (tmp_path / "again.checkpoints").read_bytes() == (tmp_path / "club.checkpoints").read_bytes()


def test_at_most_the_interval_is_lost(club: Path, there: ObjectAddress, tmp_path: Path) -> None:
    """A clock that only the test moves: what is recorded at any moment is there once the interval has passed."""
    time = 0.0

    def sleep(seconds: float) -> None:
        nonlocal time
        time += seconds

    with closing(opened(club, create=False)) as store:

        def make() -> ObjectFollower:
            return ObjectFollower(BackupSource.of(club, store), there, Objects(place_at(there)), with_key=False)

        with closing(passes(make, 60, lambda: time, sleep)) as results:
            next(results)
            for seed in (21, 22):
                recorded = time
                record(club, seed)
                passed: FollowPass = next(results)
                assert passed.new > 0 and time - recorded <= 60
                (tmp_path / f"got{seed}").mkdir()
                got = fetch(Objects(place_at(there)), there, tmp_path / f"got{seed}" / "club.db")
                assert says(got) == says(club)


def test_an_erased_name_leaves_the_place(club: Path, tmp_path: Path, there: ObjectAddress) -> None:
    def found(text: bytes) -> bool:
        objects = Objects(place_at(there))
        return any(
            text in (objects.get(name) or b"") for under in ("segments", "names") for name in objects.names(under)
        )

    with following(club, there) as copy:
        copy.step(NOW)
        assert found(b"Ana Lima")
        with Ledger(club) as ledger:
            player = ledger.stream(ledger.matches()[0]).table.players[0]
            erase(ledger, examine(ledger, player), "tests")
        copy.step(NOW)
    assert not found(b"Ana Lima")
    assert run("restore", there.url, str(tmp_path / "again.db"))[0] == 0
    assert says(tmp_path / "again.db") == says(club)


def test_another_programs_content_is_never_replaced(club: Path, tmp_path: Path, there: ObjectAddress) -> None:
    with following(club, there) as copy:
        copy.step(NOW)
        end = copy.events
        record(club, 31)
        with closing(opened(club)) as store:
            size = store.last_position()
        name = f"segments/{end:012}-{size:012}"
        Objects(place_at(there)).create(name, b"other")
        before = everything(tmp_path / "there")
        assert code(copy.step, NOW) == "store.differs"
        assert {name: data for name, data in everything(tmp_path / "there").items() if "segments" in name} == {
            name: data for name, data in before.items() if "segments" in name
        }


def test_a_copy_of_another_ledger_is_left_alone(club: Path, tmp_path: Path, there: ObjectAddress) -> None:
    with following(club, there) as copy:
        copy.step(NOW)
    before = everything(tmp_path / "there")
    (tmp_path / "other").mkdir()
    record(tmp_path / "other" / "club.db", 41)
    with pytest.raises(StoreError) as error, following(tmp_path / "other" / "club.db", there):
        pass
    assert error.value.code == "store.differs"
    assert everything(tmp_path / "there") == before


def test_a_missing_and_a_damaged_piece_are_named(club: Path, tmp_path: Path, there: ObjectAddress) -> None:
    with following(club, there) as copy:
        for seed in (51, 52):
            copy.step(NOW)
            record(club, seed)
        copy.step(NOW)
    first, second, third = sorted((tmp_path / "there" / "segments").iterdir())
    for path, wrong, expected in (
        (second, None, "store.gap"),
        (third, None, "store.manifest"),
        (first, first.read_bytes()[:-9], "store.damaged"),
        (first, second.read_bytes(), "store.damaged"),
    ):
        kept = path.read_bytes()
        path.unlink() if wrong is None else path.write_bytes(wrong)
        status, text = run("restore", there.url, str(tmp_path / "again.db"))
        assert status != 0 and expected in text and not (tmp_path / "again.db").exists()
        path.write_bytes(kept)
    assert run("restore", there.url, str(tmp_path / "again.db"))[0] == 0


def test_what_is_encrypted_says_nothing_and_opens_only_with_its_secret(
    club: Path, tmp_path: Path, there: ObjectAddress
) -> None:
    with following(club, there, SECRET, with_key=True) as copy:
        copy.step(NOW)
    assert not any(
        b"Ana Lima" in data or b"cardledger backup" in data for data in everything(tmp_path / "there").values()
    )
    name = Objects(place_at(there)).names("segments")[0]
    assert code(Objects(place_at(there)).get, name) == "store.secret"
    assert code(Objects(place_at(there), bytes(32)).get, name) == "store.secret"
    # An object under another one's name is not taken for that one.
    place = FolderPlace(tmp_path / "there")
    place.replace("manifest", place.get(name) or b"")
    assert code(Objects(place, SECRET).get, "manifest") == "store.secret"


def test_a_signing_key_is_never_copied_unencrypted(club: Path, there: ObjectAddress) -> None:
    with pytest.raises(StoreError) as error, following(club, there, with_key=True):
        pass
    assert error.value.code == "store.secret"


@pytest.mark.parametrize(
    "text", ["ftp://host/x", "s3://me:word@bucket/x", "s3://bucket/x?secret=1", "s3://", "file://"]
)
def test_addresses_that_cannot_be_one_are_refused(text: str) -> None:
    assert code(object_address, text) == "store.open"


def test_a_path_is_no_address() -> None:
    assert object_address("club.db") is None


def test_a_drill_restores_from_the_place(club: Path, there: ObjectAddress) -> None:
    assert run("backup", there.url, "--db", str(club))[0] == 0
    status, text = run("drill", "--json", "--db", str(club))
    tried = json.loads(text)
    assert status == 0 and tried["copy"] == there.url and tried["sealed"] > 0


KILLED = """
import os, signal, sys
from pathlib import Path
from cardledger.record.backup.objects import places
write = places.durably
def half(file, content):
    if b"cardledger object" in content[:20] and len(content) > 400:
        os.write(file, content[: len(content) // 2])
        os.kill(os.getpid(), signal.SIGKILL)
    write(file, content)
places.durably = half
from cardledger.cli.main import main
main(["backup", *sys.argv[1:]])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
def test_killed_in_the_middle_of_a_piece_nothing_half_is_taken(
    club: Path, tmp_path: Path, there: ObjectAddress
) -> None:
    with following(club, there) as copy:
        copy.step(NOW)
    before = says(club)
    record(club, 61)
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, there.url, "--db", str(club)], env=dict(os.environ), check=False
    )
    assert ended.returncode == -signal.SIGKILL
    assert len([*(tmp_path / "there" / "segments").iterdir()]) == 2  # the draft was left behind
    assert run("restore", there.url, str(tmp_path / "again.db"))[0] == 0
    assert says(tmp_path / "again.db") == before
    assert run("backup", there.url, "--db", str(club))[0] == 0
    assert run("restore", there.url, str(tmp_path / "whole.db"))[0] == 0
    assert says(tmp_path / "whole.db") == says(club)
    assert places.place_at(there).names("segments")[1:]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket of an S3 server in this process."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    pytest.importorskip("s3fs")
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()
    s3fs.S3FileSystem().mkdir("clubs")
    yield "s3://clubs/ours"
    server.stop()


@pytest.mark.long
def test_an_s3_service(club: Path, tmp_path: Path, bucket: str) -> None:
    address = ObjectAddress(bucket)
    (tmp_path / "secret").write_text(SECRET.hex())
    words = ("--secret", str(tmp_path / "secret"))
    assert run("backup", bucket, "--db", str(club), *words)[0] == 0
    record(club, 71)
    with following(club, address, SECRET) as copy:
        assert copy.step(NOW) > 0
    objects = Objects(place_at(address), SECRET)
    first, second = objects.names("segments")
    assert code(objects.create, second, b"other") == "store.differs"
    assert run("restore", bucket, str(tmp_path / "again.db"), *words)[0] == 0
    assert says(tmp_path / "again.db") == says(club)
    assert run("drill", "--db", str(club), *words)[0] == 0
    assert first < second
