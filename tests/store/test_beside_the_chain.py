"""What stands beside the chain: checkpoints cut off and pages put back or exchanged are found, each by `verify` and `doctor`."""

from __future__ import annotations

import itertools
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardledger.cli.main import main
from cardledger.errors import StoreError
from cardledger.record.proofs import ProofError
from cardledger.record.proofs.checkpoints import Checkpoints
from cardledger.record.proofs.log import Log
from cardledger.record.proofs.sealer import Sealer
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store import sums
from cardledger_api.auth.tokens import Tokens
from tests.proofs.club import over

PAGE = 4096


def found(path: Path) -> tuple[bool, bool]:
    """Tell whether doctor and verify find something wrong."""
    doctor = CliRunner().invoke(main, ["doctor", "--json", "--db", str(path)])
    verify = CliRunner().invoke(main, ["verify", "--db", str(path)])
    assert "Traceback" not in doctor.output + verify.output
    return '"state": "problem"' in doctor.output, verify.exit_code != 0


def luck_told(club: Path) -> str:
    """Return what luck says of a game."""
    return CliRunner().invoke(main, ["luck", "diversity", "--json", "--db", str(club)]).output


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A ledger with three checkpoints and tokens on several pages."""
    path = tmp_path / "club.db"
    with Ledger(path) as ledger, Log(ledger) as log:
        for seed in range(3):
            over(ledger, seed=seed)
            log.seal()
    with closing(Tokens(path)) as tokens:
        for number in range(60):
            tokens.create(f"somebody with a long name, the {number}th of them all", "scorer", 30)
    assert found(path) == (False, False)
    return path


@pytest.mark.parametrize("left", [0, 1, 2])
def test_checkpoints_that_were_cut_off_are_missed(club: Path, left: int) -> None:
    file = club.with_name("club.checkpoints")
    notes = [one.note for one in Checkpoints(file).all()][:left]
    file.write_text("".join(f"{note}\n" for note in notes))
    assert found(club) == (True, True)
    with Ledger(club) as ledger, Log(ledger) as log:
        with pytest.raises(ProofError) as caught:
            log.seal()
        assert caught.value.code == "proofs.checkpoint"
        assert "checkpoints are missing: 3 were signed" in caught.value.message
        sealer = Sealer(ledger)
        sealer.look(0)
        assert sealer.wrong is not None
        assert sealer.wrong.code == "proofs.checkpoint"
    assert len(Checkpoints(file).all()) == left, "none is signed over the gap"


def test_a_checkpoint_whose_number_was_not_noted_is_no_finding(club: Path) -> None:
    """As after a crash between the two."""
    with Ledger(club) as ledger, Log(ledger) as log:
        with log.tree.file.writing() as db:
            db.execute("UPDATE sealed SET notes = notes - 1")
        over(ledger, seed=9)
        log.seal()
        assert log.tree.sealed.notes == 4
    assert found(club) == (False, False)


def exchanged(path: Path) -> list[bytes]:
    """Return a file with each two of its pages exchanged, the first left alone."""
    content = path.read_bytes()
    pages = [content[start : start + PAGE] for start in range(0, len(content), PAGE)]
    files = []
    for one, other in itertools.combinations(range(1, len(pages)), 2):
        swapped = [*pages]
        swapped[one], swapped[other] = pages[other], pages[one]
        files.append(b"".join(swapped))
    return [file for file in files if file != content]


def test_exchanged_pages_of_tokens_are_found(club: Path) -> None:
    path = club.with_name("club.access.db")
    files = exchanged(path)
    assert len(files) >= 3
    for content in files:
        path.write_bytes(content)
        assert sums.damage(path) is not None
        with closing(Tokens(club)) as tokens, pytest.raises(StoreError):
            tokens.all()
    assert found(club) == (True, True)


def test_a_page_of_yesterday_does_not_bring_back_a_token(club: Path) -> None:
    path = club.with_name("club.access.db")
    before = path.read_bytes()
    with closing(Tokens(club)) as tokens:
        tokens.revoke("somebody with a long name, the 7th of them all")
    after = path.read_bytes()
    changed = [
        start for start in range(0, len(after), PAGE) if before[start : start + PAGE] != after[start : start + PAGE]
    ]
    tried = 0
    for start in changed[1:]:  # the first page counts the changes
        mixed = bytearray(after)
        mixed[start : start + PAGE] = before[start : start + PAGE]
        path.write_bytes(mixed)
        assert sums.damage(path) is not None
        tried += 1
    assert tried >= 1
    path.write_bytes(after)
    assert sums.damage(path) is None


def test_tokens_of_earlier_versions_have_no_sums_yet(tmp_path: Path) -> None:
    golden = Path(__file__).parent.parent / "golden" / "v2"
    for name in ("club.db", "club.access.db"):
        shutil.copy(golden / name, tmp_path / name)
    assert sums.damage(tmp_path / "club.access.db") is None
    with closing(Tokens(tmp_path / "club.db")) as tokens:
        assert len(tokens.all()) == 1
        tokens.create("ben", "scorer", 30)
    assert sums.damage(tmp_path / "club.access.db") is None
    with closing(Tokens(tmp_path / "club.db")) as tokens:
        assert len(tokens.all()) == 2


@pytest.mark.parametrize("what", ["views", "luck"])
def test_exchanged_pages_of_derived_files_are_found(club: Path, what: str) -> None:
    path = club.with_name(f"club.{what}.db")
    told = luck_told(club)
    files = exchanged(path)
    for content in files[:: max(1, len(files) // 6)]:
        path.write_bytes(content)
        # Tables alike may change places: what is kept there is of no deal or edition then, and is computed again.
        assert any(found(club)) or (what == "luck" and luck_told(club) == told), what
