"""Signed notes: the formats of C2SP, and only the signed text counts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.record.proofs import ProofError, notes
from cardledger.record.proofs.handed import checkpoints_in
from cardledger.record.proofs.notes import VerifierKey
from tests.proofs.verifier import verifier

# The example of golang.org/x/mod/sumdb/note, where signed notes come from.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
SAYING = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
SIGNED = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
# RFC 8032, section 7.1, tests 1 to 3: secret, public, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]
NOW = datetime(2026, 11, 21, 19, 4, 31, tzinfo=UTC)
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
VERIFIER = VerifierKey("cardledger/club", KEY.public_key().public_bytes_raw())


def checkpoint(size: int = 3) -> notes.Checkpoint:
    return notes.sign("cardledger/club", size, bytes(range(32)), NOW, KEY)


def refused(code: str, note: str) -> None:
    with pytest.raises(ProofError) as caught:
        notes.read(note).signed_at(VERIFIER)
    assert caught.value.code == code


def test_keys_are_those_of_signed_notes() -> None:
    peter = VerifierKey.read(PETER)
    assert (peter.name, peter.id().hex(), str(peter)) == ("PeterNeumann", "c74f20a3", PETER)
    assert verifier.key_of(PETER) == ("PeterNeumann", peter.public)
    assert verifier.decoded(SIGNED)[:4] == peter.id()
    assert verifier.signed(peter.public, SAYING.encode(), verifier.decoded(SIGNED)[4:])
    assert not verifier.signed(peter.public, SAYING.encode() + b" ", verifier.decoded(SIGNED)[4:])


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_signatures_are_those_of_rfc_8032(secret: str, public: str, message: str, signature: str) -> None:
    key, told, made = bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature)
    assert Ed25519PrivateKey.from_private_bytes(bytes.fromhex(secret)).sign(told) == made
    assert verifier.signed(key, told, made)
    assert not verifier.signed(key, told + b"x", made)
    high = int.from_bytes(made[32:], "little") + verifier.ORDER  # the same signature to those who do not look
    assert not verifier.signed(key, told, made[:32] + high.to_bytes(32, "little"))


@settings(max_examples=15)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=40), st.integers(0, 511))
def test_both_sides_agree_on_signatures(secret: bytes, message: bytes, flipped: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(secret)
    public, signature = key.public_key().public_bytes_raw(), bytearray(key.sign(message))
    assert verifier.signed(public, message, bytes(signature))
    signature[flipped // 8] ^= 1 << flipped % 8
    assert not verifier.signed(public, message, bytes(signature))


def test_a_checkpoint_has_the_form_of_c2sp() -> None:
    lines = checkpoint().note.split("\n")
    assert lines[:4] == ["cardledger/club", "3", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", ""]
    assert [line.rpartition(" ")[0] for line in lines[4:6]] == ["— cardledger/club"] * 2
    assert lines[6:] == [""]


def test_both_sides_read_signer_and_time() -> None:
    made = checkpoint()
    assert notes.read(made.note) == made
    assert made.signed_at(VERIFIER) == NOW
    theirs = verifier.checkpoint_of(made.note)
    assert verifier.expect_signed(theirs, [verifier.key_of(str(VERIFIER))], by_all=True) == NOW


def test_a_note_may_be_signed_by_more_than_the_known_key() -> None:
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    made = notes.sign("cardledger/club", 3, bytes(32), NOW, other, KEY)
    assert made.signed_at(VERIFIER) == NOW
    assert made.signers([VERIFIER]) == [VERIFIER]
    with pytest.raises(ProofError):
        checkpoint().signed_at(VerifierKey("cardledger/club", other.public_key().public_bytes_raw()))


def test_every_bit_of_a_note_counts() -> None:
    whole = checkpoint(12).note.encode()
    for place in range(len(whole) * 8):
        flipped = bytearray(whole)
        flipped[place // 8] ^= 1 << place % 8
        try:
            note = flipped.decode()
        except UnicodeDecodeError:
            continue
        with pytest.raises(ProofError):
            notes.read(note).signed_at(VERIFIER)


@pytest.mark.parametrize(
    "note",
    [
        "",
        "\n\n",
        "a\n1\nAAAA\n\n",
        "a\n01\n" + "A" * 43 + "=\n\n— a AAAA\n",
        "no note at all",
        "a\n1\n2\n3\n4\n\n— a b\n",
    ],
)
def test_an_invalid_checkpoint_is_refused(note: str) -> None:
    refused("proofs.note", note)


def test_a_checkpoint_without_a_time_or_with_an_unknown_key_is_refused() -> None:
    text, first, second = checkpoint().note.partition("\n\n")[0], *checkpoint().note.splitlines()[-2:]
    for lines in (first, second, first.replace("club", "bulc")):
        refused("proofs.signature", f"{text}\n\n{lines}\n")


@pytest.mark.parametrize("text", ["", "a+b+c", "a+00000000+AAAA", PETER[:-1], PETER.replace("c7", "c8"), PETER + "\n"])
def test_an_invalid_key_is_refused(text: str) -> None:
    with pytest.raises(ProofError) as caught:
        VerifierKey.read(text)
    assert caught.value.code == "proofs.key"
    with pytest.raises(verifier.WrongError):
        verifier.key_of(text)


def test_a_checkpoint_is_found_in_any_saved_form() -> None:
    one, two = checkpoint(3), checkpoint(4)
    assert checkpoints_in(one.note) == [one]
    assert checkpoints_in(f"\n{one.note}\n\n".replace("\n", "\r\n")) == [one]
    assert checkpoints_in(f"{one.note}\n{two.note}\n") == [one, two]
    proof = f"c2sp.org/tlog-proof@v1\nindex 0\nAAAA\n\n{one.note}"
    assert checkpoints_in(proof) == [one]
    assert checkpoints_in('{"proof": ' + '"' + proof.replace("\n", "\\n") + '"}') == [one]
    for text in ("", "{", "{}", '{"proof": 7}', "c2sp.org/tlog-proof@v1", "# a text\n\nof something else\n"):
        with pytest.raises(ProofError) as caught:
            checkpoints_in(text)
        assert caught.value.code == "proofs.note"
