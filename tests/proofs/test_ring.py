"""A ring of witnesses: a neighbour finds a past that was written again, a clock set back, and a file put back, within a minute."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from cardledger.record.proofs import merkle, notes
from cardledger.record.proofs import witness as module
from cardledger.record.proofs.asking import EVERY_SECONDS, Asker, Heard
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.notes import VerifierKey
from cardledger.record.proofs.receipts import as_file, receipt
from cardledger.record.proofs.submissions import Submission
from cardledger.record.proofs.witness import Witness
from cardledger.record.proofs.witness_file import WitnessFile
from cardledger.record.recording.ledger import Ledger
from tests.proofs.club import over, rehash, tampering
from tests.proofs.verifier import verifier

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cardledger.record.proofs.witness import Reply

NOW = datetime.now(UTC)


class Neighbour:
    """A ledger that witnesses, without a network; it can be made to lose what it answers."""

    def __init__(self, path: Path) -> None:
        self.now = NOW
        self.deaf = False
        with Ledger(path) as ledger, Log(ledger) as log:
            log.seal(NOW)
            self.ring, self.file = log.ring, WitnessFile(log.witness_path)
        self.witness = Witness(self.file, lambda: self.ring, lambda: self.now)

    def post(self, url: str, body: bytes) -> Heard:
        reply = self.witness.add_checkpoint(body)
        return Heard(None, error="lost") if self.deaf else Heard(reply.status, reply.body)

    def codes(self) -> list[str]:
        return [found.code for found in self.file.found(settled=False)]


@pytest.fixture
def club(tmp_path: Path) -> Path:
    path = tmp_path / "club" / "club.db"
    path.parent.mkdir()
    with Ledger(path) as ledger:
        over(ledger)
        over(ledger, seed=2)
    return path


@pytest.fixture
def next_door(tmp_path: Path, club: Path) -> Iterator[Neighbour]:
    (tmp_path / "next").mkdir()
    neighbour = Neighbour(tmp_path / "next" / "next.db")
    with Ledger(club) as ledger, Log(ledger) as log:
        log.seal(NOW)
        neighbour.file.know(log.ring.verifier)
        own = WitnessFile(log.witness_path)
        own.ask(neighbour.ring.verifier, "https://next.example/witness")
        own.close()
    yield neighbour
    neighbour.file.close()


def a_minute(club: Path, neighbour: Neighbour, now: datetime | None = None) -> dict[str, str]:
    """Let a minute pass, at whose end the club's server asks; return the objections by witness."""
    neighbour.now += timedelta(seconds=EVERY_SECONDS)
    with Ledger(club) as ledger, Log(ledger) as log:
        file = WitnessFile(log.witness_path)
        asker = Asker(ledger, file, neighbour.post, lambda: now or neighbour.now)
        asker.look()
        file.close()
    return {name: error.code for name, error in asker.wrong.items()}


def more(club: Path, seed: int, now: datetime) -> None:
    with Ledger(club) as ledger, Log(ledger) as log:
        over(ledger, seed=seed)
        log.seal(now)


def sealed_anew(club: Path, now: datetime) -> None:
    for name in ("club.proofs.db", "club.checkpoints"):
        (club.parent / name).unlink()
    with Ledger(club) as ledger, Log(ledger) as log:
        log.seal(now)


def cosignatures(club: Path) -> list[str]:
    with Ledger(club) as ledger, Log(ledger) as log:
        last = log.checkpoints.last()
        assert last is not None
        return [name for name, *_ in log.cosigned(last).signatures if name != log.ring.origin]


def test_a_ledger_that_grows_is_signed_at_each_checkpoint(club: Path, next_door: Neighbour) -> None:
    for seed in (None, 3, None, 4, 5):
        if seed:
            more(club, seed, next_door.now)
        assert a_minute(club, next_door) == {}
        assert cosignatures(club) == [next_door.ring.origin]
    assert next_door.codes() == []


def test_a_past_that_was_written_again_is_found_in_a_minute(club: Path, next_door: Neighbour) -> None:
    a_minute(club, next_door)
    with tampering(club) as db:
        db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE seq = 7')
        rehash(db)
    for other in ("club.views.db",):
        (club.parent / other).unlink(missing_ok=True)
    sealed_anew(club, next_door.now)
    assert [*a_minute(club, next_door).values()] == ["witness.fork"]
    assert next_door.codes() == ["witness.fork"]
    found = next_door.file.found()[0]
    before, given = notes.read(found.before), notes.read(found.given)
    assert before.size == given.size and before.root != given.root, "both are signed by the club: a proof for anybody"


def test_a_rewritten_past_that_went_on_is_found_too(club: Path, next_door: Neighbour) -> None:
    a_minute(club, next_door)
    with tampering(club) as db:
        db.execute('UPDATE events SET line = replace(line, \'"by":"\', \'"by":"x\') WHERE seq = 7')
        rehash(db)
    (club.parent / "club.views.db").unlink(missing_ok=True)
    sealed_anew(club, next_door.now)
    more(club, 3, next_door.now + timedelta(seconds=9))
    assert [*a_minute(club, next_door).values()] == ["witness.unproven"]
    assert next_door.codes() == ["witness.unproven"]


def test_an_older_copy_is_found_in_a_minute(club: Path, next_door: Neighbour, tmp_path: Path) -> None:
    a_minute(club, next_door)
    shutil.copytree(club.parent, tmp_path / "copy")
    more(club, 3, next_door.now)
    a_minute(club, next_door)
    shutil.rmtree(club.parent)
    shutil.copytree(tmp_path / "copy", club.parent)
    assert [*a_minute(club, next_door).values()] == ["witness.smaller"]
    assert next_door.codes() == ["witness.smaller"]


def test_an_emptied_file_is_found_in_a_minute(club: Path, next_door: Neighbour) -> None:
    a_minute(club, next_door)
    for file in club.parent.iterdir():
        if file.name not in ("club.key", "club.witness.db"):
            file.unlink()
    with Ledger(club) as ledger, Log(ledger) as log:
        log.seal(next_door.now)
    assert [*a_minute(club, next_door).values()] == ["witness.smaller"]
    assert next_door.codes() == ["witness.smaller"]


def test_a_clock_set_back_is_found_in_a_minute(club: Path, next_door: Neighbour) -> None:
    a_minute(club, next_door)
    # The club's own program refuses to sign (proofs.clock); one that was made to sign is found by the neighbour.
    back = next_door.now - timedelta(hours=3)
    assert [*a_minute(club, next_door, back).values()] == ["proofs.clock"]
    with Ledger(club) as ledger:
        over(ledger, seed=6)
    sealed_anew(club, back)
    assert a_minute(club, next_door, back)
    assert next_door.codes() == ["witness.clock"]


def test_a_clock_that_differs_from_the_neighbours_is_found(club: Path, next_door: Neighbour) -> None:
    ahead = next_door.now + timedelta(hours=3)
    assert [*a_minute(club, next_door, ahead).values()] == ["witness.clock"]


def test_an_answer_that_was_lost_is_asked_for_again(club: Path, next_door: Neighbour) -> None:
    next_door.deaf = True
    assert a_minute(club, next_door) == {} and cosignatures(club) == []
    next_door.deaf = False
    assert a_minute(club, next_door) == {}
    assert cosignatures(club) == [next_door.ring.origin]


def submission(club: Path, old: int = 0, now: datetime = NOW) -> Submission:
    with Ledger(club) as ledger, Log(ledger) as log:
        stated = log.stated(now)
        path = log.consistency(old, stated.size).path if old else []
    return Submission(old, path, stated)


def sent(neighbour: Neighbour, what: object) -> Reply:
    return neighbour.witness.add_checkpoint(str(what).encode())


def test_the_answers_are_those_of_the_protocol(club: Path, next_door: Neighbour, tmp_path: Path) -> None:
    first = submission(club)
    size = first.checkpoint.size
    assert sent(next_door, "").status == sent(next_door, "old 01\n\nx\n1\ny\n").status == 400
    assert sent(next_door, Submission(size + 1, [], first.checkpoint)).status == 400
    assert sent(next_door, Submission(0, [bytes(32)], first.checkpoint)).status == 422
    forged = first.checkpoint.note.replace(f"\n{size}\n", f"\n{size + 1}\n")
    assert sent(next_door, f"old 0\n\n{forged}").status == 403
    stranger = forged.replace("cardledger/", "other/")
    assert sent(next_door, f"old 0\n\n{stranger}").status == 404
    reply = sent(next_door, first)
    assert reply.status == 200 and reply.body.startswith("\N{EM DASH} ") and reply.body.endswith("\n")
    signed = notes.read(first.checkpoint.note + reply.body)
    assert signed.cosigned_at(VerifierKey.read(next_door.ring.verifier.as_witness())) is not None
    more(club, 3, NOW + timedelta(seconds=1))
    assert sent(next_door, submission(club)) == (409, f"{size}\n", "text/x.tlog.size")
    assert sent(next_door, submission(club, size)).status == 200
    assert sent(next_door, first).status == 409, "an old note that is sent again is no evidence"
    assert next_door.codes() == []


def test_two_requests_at_once_never_sign_two_views(club: Path, next_door: Neighbour, tmp_path: Path) -> None:
    first = submission(club)
    with Ledger(club) as ledger, Log(ledger) as log:
        key = log.ring.signer
    other = notes.sign(first.checkpoint.origin, first.checkpoint.size, bytes(32), NOW, key)
    with ThreadPoolExecutor(8) as threads:
        both = [first, Submission(0, [], other)] * 8
        replies = [*threads.map(lambda one: (one.checkpoint.root, sent(next_door, one).status), both)]
    assert len({root for root, status in replies if status == 200}) <= 1
    assert next_door.codes() == ["witness.fork"]


def test_nothing_is_signed_before_it_is_on_disk(
    club: Path, next_door: Neighbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> str:
        raise KeyboardInterrupt

    first = submission(club)
    monkeypatch.setattr(module.notes, "cosign", stopped)
    with pytest.raises(KeyboardInterrupt):
        sent(next_door, first)
    monkeypatch.undo()
    assert WitnessFile(next_door.file.path).logs()[0].size == first.checkpoint.size
    assert sent(next_door, first).status == 409
    assert sent(next_door, Submission(first.checkpoint.size, [], first.checkpoint)).status == 200


def test_a_log_that_is_dropped_and_known_again_goes_on_where_it_was(club: Path, next_door: Neighbour) -> None:
    first = submission(club)
    assert sent(next_door, first).status == 200
    next_door.file.drop(first.checkpoint.origin)
    assert sent(next_door, first).status == 404
    with Ledger(club) as ledger, Log(ledger) as log:
        next_door.file.know(log.ring.verifier)
    assert sent(next_door, first).status == 409


def test_every_proof_of_small_trees_is_taken_and_no_other() -> None:
    leaves = [merkle.leaf_hash(bytes([number])) for number in range(20)]

    def root(span: tuple[int, int]) -> bytes:
        edge = merkle.Frontier()
        for leaf in leaves[span[0] : span[1]]:
            edge.add(leaf)
        return edge.root()

    for size in range(1, 21):
        for first in range(1, size + 1):
            path = [root(span) for span in merkle.consistency(first, size)]
            ends = (first, root((0, first))), (size, root((0, size)))
            assert merkle.goes_on(*ends, path)
            assert not merkle.goes_on(*ends, [*path, bytes(32)])
            assert not path or not merkle.goes_on(*ends, path[:-1])
            assert not merkle.goes_on((first, bytes(32)), ends[1], path)


def test_receipts_carry_what_witnesses_signed_and_the_checker_asks_for_them(
    club: Path, next_door: Neighbour, tmp_path: Path
) -> None:
    def made() -> tuple[str, str]:
        with Ledger(club) as ledger, Log(ledger) as log:
            return as_file(receipt(log, next(iter(ledger.matches())))), str(log.ring.verifier)

    (before, key), witness = made(), next_door.ring.verifier
    assert "cardledger-receipt-3" in before
    assert verifier.told(before, key, witnesses=[str(witness)])[0] == 2
    a_minute(club, next_door)
    text, key = made()
    assert "cardledger-receipt-4" in text
    for as_given in (str(witness), witness.as_witness()):
        status, lines = verifier.told(text, key, witnesses=[as_given], need=1)
        assert status == 0 and any(witness.name in line for line in lines), lines
    assert verifier.told(text, key)[0] == verifier.told(text, None)[0] == 0
    other = VerifierKey(witness.name, bytes(31) + b"\1")
    assert verifier.told(text, key, witnesses=[str(witness), str(other)])[0] == 2, "one of two is fewer than all"
    assert verifier.told(text, key, witnesses=[str(witness), str(other)], need=1)[0] == 0
    assert verifier.told(text, key, witnesses=[str(witness), witness.as_witness()], need=2)[0] == 2
    assert verifier.told(text, key, witnesses=[key])[0] == 2, "nobody is a witness of themselves"
    old = text.replace("cardledger-receipt-4", "cardledger-receipt-3")
    assert verifier.told(old, key)[0] == 0, "with a key, the third form takes them as lines of others"
