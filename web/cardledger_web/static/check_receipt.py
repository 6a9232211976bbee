"""Check the receipt of a card match with Python 3.9 or later alone: no network, nothing to install.

    python3 check_receipt.py RECEIPT --key KEY [--match MATCHFILE] [--checkpoint NOTE [--consistency PROOF]]
        [--witness KEY … --need N]

RECEIPT is a receipt, or the proof that `cardledger prove` writes. KEY is the verifier key of the ledger, as you first
saw it: on paper, in a mail, on the wall of the club; --key may be repeated, as a ledger can change its key. A MATCHFILE is compared with the receipt event by event, NOTE is
an earlier or later checkpoint; if it is not that of the receipt, PROOF is the consistency proof between the two.

With --witness, N of the witnesses whose keys are given (all of them without --need) must have signed the checkpoint of
the receipt: other ledgers, which sign no second past.

Exit status: 0 if all that is shown fits, 1 if something does not, 2 if not all of it can be checked. A receipt cannot
tell whether the match went on after its last event. This shares no code with what writes receipts. An event's hash is
SHA-256 over the hash before it (32 zero bytes at first) and its line; for a name stands "~" and 26 letters of the
base 32 of SHA-256 over salt and name; a leaf is "MATCH SEQ HASH SALT"; trees are those of RFC 9162. A receipt proves
each of its events to be a leaf; older receipts, and proofs, only the last one, to which the hashes lead as long
as no line is hidden.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
from datetime import datetime, timedelta, timezone
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any, Iterator, List, NamedTuple, Optional, Tuple


class WrongError(Exception):
    """A difference, as a sentence."""


class CannotCheckError(Exception):
    """The reason why a check is not possible, as a sentence."""


# --- Ed25519, RFC 8032: points are (x, y, z, t) with x/z, y/z and xy/z

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE = (4 * pow(5, -1, P) % P).to_bytes(32, "little")
Point = Tuple[int, int, int, int]
Key = Tuple[str, bytes]
Said = Optional[str]
PSEUDONYM, TEXT = re.compile(r'(?<!\\)"(~[A-Z2-7]{26})"'), r'"(?:[^"\\]|\\.)*"'


def add(one: Point, other: Point) -> Point:
    """Return the sum of two points."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(factor: int, point: Point) -> Point:
    """Return a point added to itself so many times."""
    product: Point = (0, 1, 1, 0)
    for bit in bin(factor)[2:]:
        product = add(add(product, product), point) if bit == "1" else add(product, product)
    return product


def point_of(data: bytes) -> Point | None:
    """Return the point that 32 bytes stand for, None if they stand for none."""
    odd, y = divmod(int.from_bytes(data, "little"), 1 << 255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or x * x % P != square or (x == 0 and odd):
        return None
    x = P - x if x & 1 != odd else x
    return (x, y, 1, x * y % P)


def signed(public: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether a signature is that of a public key over a message."""
    key, first, base = point_of(public), point_of(signature[:32]), point_of(BASE)
    scalar = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or key is None or first is None or base is None or scalar >= ORDER:
        return False
    asked = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % ORDER
    left, right = times(scalar, base), add(first, times(asked, key))
    return all((left[at] * right[2] - right[at] * left[2]) % P == 0 for at in (0, 1))


# --- trees, RFC 9162
def node(left: bytes, right: bytes) -> bytes:
    """Return the hash above two others."""
    return sha256(b"\x01" + left + right).digest()


def split(start: int, end: int) -> int:
    """Return the place at which a tree over two leaves or more is split."""
    return start + (1 << (end - start - 1).bit_length() - 1)


def above(start: int, end: int, leaves: list[tuple[int, bytes]], path: Iterator[bytes]) -> bytes:
    """Return the hash above the leaves from one place to another, of which some are given, each with its place.

    Of each half without any of them the path has the hash, behind what is in the other half: for one leaf that is the
    proof of inclusion of section 2.1.3.
    """
    if end - start == 1:
        return leaves[0][1]
    middle = split(start, end)
    halves = [each for each in leaves if each[0] < middle], [each for each in leaves if each[0] >= middle]
    left = halves[0] and above(start, middle, halves[0], path)
    right = above(middle, end, halves[1], path) if halves[1] else next(path, b"")
    return node(left or next(path, b""), right)


def includes(root: bytes, size: int, leaves: list[tuple[int, bytes]], proof: list[bytes]) -> bool:
    """Tell whether a proof of inclusion leads from leaves, each with its place, to a root."""
    places, path = [place for place, _ in leaves], iter(proof)
    within = places == sorted({*places}) and places[0] >= 0 and places[-1] < size
    return within and above(0, size, leaves, path) == root and not [*path]


def grown(first: int, size: int, old: bytes, path: Iterator[bytes]) -> tuple[bytes, bytes]:
    """Return the roots of a tree at two sizes that follow from a proof of consistency (section 2.1.4).

    `old` is the hash above the first so many leaves, if they are a tree of their own at both sizes.
    """
    if first == size:
        return (old or next(path, b""),) * 2
    middle = split(0, size)
    if first <= middle:
        before, after = grown(first, middle, old, path)
        return before, node(after, next(path, b""))
    before, after = grown(first - middle, size - middle, b"", path)
    left = next(path, b"")
    return node(left, before), node(left, after)


def goes_on(first: int, second: int, first_root: bytes, second_root: bytes, proof: list[bytes]) -> bool:
    """Tell whether a proof of consistency leads from one root to the other."""
    if not first or first == second:
        return not proof and (not first or first_root == second_root)
    path = iter(proof)
    return grown(first, second, first_root, path) == (first_root, second_root) and not [*path]


# --- notes, c2sp.org/signed-note: a key is its name and 32 bytes
def decoded(text: str) -> bytes:
    """Return what base64 says, in the one way it may be written."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        data = b""
    if not data or base64.b64encode(data).decode() != text:
        raise WrongError(f"“{shown(text)}” is not base64")
    return data


def hashes(texts: list[Any]) -> list[bytes]:
    """Return hashes written in base64; of another length they would join to what other hashes join to."""
    digests = [decoded(str(text)) for text in texts]
    if any(len(hash) != 32 for hash in digests):
        raise WrongError("a hash of the proof has the wrong length")
    return digests


def number(text: str) -> int:
    """Return a whole number written in digits, in the one way it may be."""
    if not re.fullmatch("0|[1-9][0-9]{0,17}", text, re.ASCII):
        raise WrongError(f"“{shown(text)}” is not a whole number")
    return int(text)


def id_of(key: Key, kind: bytes) -> bytes:
    """Return what signatures of a kind name a key by."""
    return sha256(key[0].encode() + b"\n" + kind + key[1]).digest()[:4]


def key_of(text: str) -> Key:
    """Return the key a text stands for: NAME+ID+KEY."""
    name, id, encoded = [*text.split("+", 2), "", ""][:3]
    data = decoded(encoded)
    if data[:1] not in (b"\x01", b"\x04") or len(data) != 33 or id_of((name, data[1:]), data[:1]).hex() != id:
        raise WrongError("the verifier key is damaged: its id does not belong to it")
    return name, data[1:]


class SignedNote(NamedTuple):
    """What a note says: so many events under a root; `text` is what was signed, `signatures` the lines below."""

    origin: str
    size: int
    root: bytes
    text: str
    signatures: list[str]


def checkpoint_of(note: str) -> SignedNote:
    """Return the checkpoint that a note holds."""
    text, _, below = note.partition("\n\n")
    lines, signatures = text.split("\n"), below.split("\n")
    if len(lines) != 3 or signatures.pop():
        raise WrongError("this is not a checkpoint: it needs origin, size and root, an empty line, and signatures")
    return SignedNote(lines[0], number(lines[1]), hashes(lines[2:])[0], text + "\n", signatures)


def expect_signed(checkpoint: SignedNote, keys: list[Key], *, by_all: bool) -> datetime:
    """Return when a checkpoint was signed by one of the keys; with `by_all` by each of them, and by nobody else."""
    plain, seconds = set(), None
    for line in checkpoint.signatures:
        dash, name, encoded = [*line.split(" ", 2), "", ""][:3]
        data, message = decoded(encoded), checkpoint.text.encode()
        for key in keys:
            if (dash, name, data[:4]) == ("\u2014", key[0], id_of(key, b"\x01")):
                plain.add(key)
                signature = data[4:]
            elif (dash, name, data[:4]) == ("\u2014", key[0], id_of(key, b"\x04")):
                seconds, signature = int.from_bytes(data[4:12], "big"), data[12:]
                message = b"cosignature/v1\ntime %d\n" % seconds + message
            else:
                continue
            if not signed(key[1], message, signature):
                raise WrongError(f"a signature of {shown(name)} does not fit: the checkpoint is not what was signed")
            break
        else:
            if by_all:
                raise WrongError("a signature of the checkpoint is by none of the keys of the receipt")
    if not plain or by_all and plain != {*keys} or seconds is None or seconds > 253402300799:
        raise WrongError("the checkpoint is not signed by this key")
    return datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)


def cosigned(checkpoint: SignedNote, witnesses: list[Key]) -> Iterator[tuple[Key, int]]:
    """Yield the witnesses that signed a checkpoint, each once, with the seconds of the time; raises WrongError."""
    for witness in witnesses:
        for line in checkpoint.signatures:
            dash, name, encoded = [*line.split(" ", 2), "", ""][:3]
            data = decoded(encoded)
            if (dash, name, data[:4]) != ("\u2014", witness[0], id_of(witness, b"\x04")):
                continue
            seconds = int.from_bytes(data[4:12], "big")
            message = b"cosignature/v1\ntime %d\n" % seconds + checkpoint.text.encode()
            if not signed(witness[1], message, data[12:]) or seconds > 253402300799:
                raise WrongError(f"the signature of the witness {shown(name)} does not fit")
            yield witness, seconds
            break


def witnessed(checkpoint: SignedNote, keys: list[Key], witnesses: list[str], need: int | None) -> Iterator[str]:
    """Tell which witnesses signed a checkpoint; raises CannotCheckError unless they are as many as asked for."""
    asked = list({key[1]: key for key in map(key_of, witnesses)}.values())
    if any(key[1] == own[1] for key in asked for own in keys):
        raise CannotCheckError("the ledger's own key was given as that of a witness")
    found = [*cosigned(checkpoint, asked)]
    wanted = len(asked) if need is None else need
    if wanted < 0 or wanted > len(asked):
        raise CannotCheckError(f"{wanted} witnesses are asked for, and the keys of {len(asked)} were given")
    for (name, _), seconds in found:
        when = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)
        yield f"the witness {shown(name)} signed it on {when:%Y-%m-%d at %H:%M:%S} UTC"
    if len(found) < wanted:
        raise CannotCheckError(f"{len(found)} of the witnesses signed it, and {wanted} are asked for")


def claims(checkpoint: SignedNote, key: Key) -> bool:
    """Tell whether a checkpoint says that a key signed it."""
    lines = (line.split(" ", 2) for line in checkpoint.signatures)
    return any(
        line[1:2] == [key[0]] and decoded(line[2])[:4] == id_of(key, b"\x01") for line in lines if len(line) == 3
    )


def expect_known(checkpoint: SignedNote, keys: list[Key]) -> None:
    """Raise CannotCheckError for a checkpoint of the ledger by keys of it that are not known."""
    if checkpoint.signatures and checkpoint.origin == keys[0][0] and not any(claims(checkpoint, key) for key in keys):
        raise CannotCheckError(
            "it says that it was signed with another key of this ledger than you gave, as before or after a change of keys."
            " Ask for all its keys (cardledger key, or the page /integrity), compare them with what was published at the"
            " time, and give each with --key; if it fits none of them, this is no receipt of the ledger"
        )


# --- receipts, proofs (c2sp.org/tlog-proof) and match files
class Sealed(NamedTuple):
    """What was sealed: leaves as (place, parts), the path from them to a checkpoint, keys, events as (hash, line), names."""

    leaves: list[tuple[int, list[str]]]
    path: list[bytes]
    checkpoint: SignedNote
    keys: list[str]
    events: list[tuple[str, str | None]]
    names: dict[str, str]
    witnessed: bool = False


def proof_of(text: str) -> Sealed:
    """Return what a proof says, which may tell the parts of its leaf."""
    head, _, note = text.partition("\n\n")
    lines = head.split("\n")
    leaf = decoded(lines.pop(1)[6:]).decode("ascii", "replace").split(" ") if "\nextra " in head else []
    if lines[0] != "c2sp.org/tlog-proof@v1" or len(lines) < 2 or lines[1][:6] != "index " or len(leaf) not in (0, 4):
        raise WrongError("the proof is not in the form of a proof")
    return Sealed([(number(lines[1][6:]), leaf)], hashes(lines[2:]), checkpoint_of(note), [], [], {})


KINDS = {
    "match": str,
    "keys": list,
    "salt": str,
    "proof": str,
    "checkpoint": str,
    "path": list,
    "names": dict,
    "events": list,
}
PARTS = {
    # Before version 2, lines held the names themselves; before the third only the last event was proven to be a leaf.
    "cardledger-receipt-1": ["match", "keys", "salt", "proof", "events"],
    "cardledger-receipt-2": ["match", "keys", "salt", "proof", "names", "events"],
    "cardledger-receipt-3": ["match", "keys", "checkpoint", "path", "names", "events"],
    # As the third, with signatures of witnesses below the checkpoint.
    "cardledger-receipt-4": ["match", "keys", "checkpoint", "path", "names", "events"],
}


def sealed_by(text: str) -> Sealed:
    """Return what a receipt or a proof says."""
    if text.startswith("c2sp.org/tlog-proof"):
        return proof_of(text)
    receipt = loaded(text)
    form = str(receipt.pop("receipt", None)) if isinstance(receipt, dict) else ""
    if form not in PARTS:
        raise CannotCheckError("this program cannot check this kind of receipt; get a newer check_receipt.py")
    kinds = {name: type(value) for name, value in receipt.items()}
    if kinds != {name: KINDS[name] for name in PARTS[form]} or not receipt["events"]:
        raise WrongError(f"a receipt of this form holds {', '.join(PARTS[form])}, and nothing else")
    keys, names = [*map(str, receipt["keys"])], names_of(receipt.get("names", {}))
    each = "path" in receipt
    events, leaves = list[Tuple[str, Said]](), list[Tuple[int, List[str]]]()
    for seq, item in enumerate(receipt["events"], 1):
        hash, line, salt, place = event_of(item, seq, each)
        events.append((hash, line))
        leaves.append((place, [receipt["match"], str(seq), hash, salt]))
    if each:
        note, more = checkpoint_of(receipt["checkpoint"]), form == "cardledger-receipt-4"
        return Sealed(leaves, hashes(receipt["path"]), note, keys, events, names, more)
    proof = proof_of(receipt["proof"])
    if proof.leaves[0][1]:
        raise WrongError("the proof of a receipt does not tell its leaf")
    parts = [*leaves[-1][1][:3], receipt["salt"]]
    return proof._replace(leaves=[(proof.leaves[0][0], parts)], keys=keys, events=events, names=names)


def event_of(item: Any, seq: int, each: bool) -> tuple[str, str | None, str, int]:
    """Return the hash and the line of an event of a receipt, and if `each` is proven to be a leaf its salt and its place."""
    wanted = ("hash", "line", "salt", "index") if each else ("hash", "line")
    if isinstance(item, dict) and {*item} == {*wanted}:
        hash, line, salt, place = [*(item[name] for name in wanted), "0" * 32, 0][:4]
        hexed = re.fullmatch("[0-9a-f]{64}", str(hash)) and re.fullmatch("[0-9a-f]{32}", str(salt))
        if hexed and type(place) is int and (line is None or isinstance(line, str)):
            return str(hash), line, str(salt), place
    raise WrongError(f"event {seq} of the receipt is not {', '.join(wanted)}, or not in their form")


def names_of(given: dict[str, Any]) -> dict[str, str]:
    """Return names as they stand in JSON, by their pseudonyms: each has to be what its pseudonym was made of."""
    names = {}
    for pseudonym, name in given.items():
        salt, text = (name.get("salt"), name.get("text")) if isinstance(name, dict) and len(name) == 2 else ("", "")
        data = bytes.fromhex(str(salt)) if re.fullmatch("[0-9a-f]{32}", str(salt)) else b""
        made = base64.b32encode(sha256(data + str(text).encode("utf-8", "surrogatepass")).digest())[:26].decode()
        if not data or not isinstance(text, str) or pseudonym != "~" + made:
            raise WrongError(f"the name given for {shown(pseudonym)} is not the one that was recorded")
        names[pseudonym] = json.dumps(text, ensure_ascii=False)
    return names


def loaded(text: str) -> Any:
    """Return what JSON says; what holds a key twice says nothing."""
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else None)
    except (ValueError, RecursionError):
        raise CannotCheckError("the file is not JSON") from None


def linked(before: str, line: str) -> str:
    """Return the hash of an event behind another."""
    return sha256(bytes.fromhex(before) + line.encode("utf-8", "surrogatepass")).hexdigest()


def followed(events: list[tuple[str, Said]], lines: list[str]) -> list[tuple[str, Said]]:
    """Return events, each of which has to follow from the one before; lines that the receipt hides come from the match file, if it has them."""
    followed_events, before = list[Tuple[str, Said]](), "00" * 32
    for seq, (hash, line) in enumerate(events, 1):
        if line is None and len(lines) >= seq and linked(before, lines[seq - 1]) == hash:
            line = lines[seq - 1]
        if line is not None and linked(before, line) != hash:
            raise WrongError(f"event {seq} of the receipt is not the one that was sealed, or not where")
        followed_events.append((hash, line))
        before = hash
    return followed_events


def lines_of(text: str, match: str) -> tuple[list[str], int]:
    """Return the lines of a match in a match file, and how many other matches there are."""
    lines, inside, others = list[str](), False, 0
    for line in filter(None, text.replace("\r\n", "\n").split("\n")):
        event = loaded(line)
        if not isinstance(event, dict):
            raise CannotCheckError("this is not a match file: a line is not an event")
        if event.get("type") == "open":
            inside = event.get("id") == match
            others += not inside
            if inside and lines:
                raise WrongError(f"the match file holds match {shown(match)} twice")
        lines += [line] if inside else []
    if not lines:
        raise WrongError(f"the match file does not hold match {shown(match)}")
    return lines, others


def compared(sealed: Sealed, lines: list[str]) -> Iterator[str]:
    """Compare the lines of a match file with what was sealed, event by event; yield the results as sentences."""
    _, last, head, _ = sealed.leaves[-1][1]
    before, wanted, said = "00" * 32, number(last), dict[str, str]()
    for seq, line in enumerate(lines[:wanted], 1):
        hash, stored = sealed.events[seq - 1] if sealed.events else ("", None)
        if sealed.events and stored is None:
            raise CannotCheckError(
                f"event {seq} is not shown in the receipt, and the match file does not have it as it was stored"
                " (cardledger export --as-stored), or has another"
            )
        before = hash if stored is not None and fits_stored(stored, sealed.names, line, said) else linked(before, line)
        if sealed.events and before != hash:
            raise WrongError(f"event {seq} of the match file is not the one that was sealed")
    if len(lines) < wanted:
        raise WrongError(f"event {len(lines) + 1} is missing from the match file: {wanted} were sealed")
    if before != head:
        raise WrongError(f"the first {wanted} events of the match file are not those sealed (was it --as-stored?)")
    yield f"the match file holds the same {wanted} events"
    if len(lines) > wanted:
        yield f"but the {len(lines) - wanted} later ones in the match file are not in the receipt, which proves nothing of them"


def fits_stored(stored: str, names: dict[str, str], line: str, said: dict[str, str]) -> bool:
    """Tell whether a line fits the stored one; for an unknown pseudonym it may say any text, but always the same one."""
    parts = PSEUDONYM.split(stored)
    wanted = [
        re.escape(names.get(part, "") if at % 2 else part) or f"({TEXT})" * (at % 2) for at, part in enumerate(parts)
    ]
    fit = re.fullmatch("".join(wanted), line)
    closed = [part for part in parts[1::2] if part not in names]
    texts = fit.groups() if fit else ()
    return fit is not None and all(said.setdefault(closed[at], text) == text for at, text in enumerate(texts))


def clear(line: str, names: dict[str, str]) -> str:
    """Return a line with the names of known pseudonyms."""
    return PSEUDONYM.sub(lambda word: names.get(word[1], word[0]), line)


def about(line: str, match: str) -> str:
    """Return what the opening of a match says, in words."""
    opening = loaded(line)
    if not isinstance(opening, dict) or opening.get("id") != match:
        raise WrongError("the receipt is for another match than its first event says")
    who, day = opening.get("players"), str(opening.get("date") or opening.get("at"))[:10]
    who = ", ".join(map(str, who)) if isinstance(who, list) else who
    return shown(f"{opening.get('game')}, {day}, played by {who}")


def shown(text: str) -> str:
    """Return a text of somebody else's without what would play tricks with a terminal."""
    return "".join(char if char.isprintable() else "?" for char in text[:500])


# --- all together
def check(
    receipt: str,
    key: Said | list[str],
    match: Said = None,
    theirs: Said = None,
    proof: Said = None,
    witnesses: list[str] | None = None,
    need: int | None = None,
) -> Iterator[str]:
    """Check a receipt, and what else is given; yield what fits in plain words. Raises WrongError, CannotCheckError."""
    sealed = sealed_by(receipt)
    given = [key] if isinstance(key, str) else key or []
    texts = given or sealed.keys
    place, leaf = sealed.leaves[-1]
    if not texts or not leaf:
        raise CannotCheckError("the proof does not name its key: give the ledger's key with --key")
    id, seq = leaf[0], number(leaf[1])
    keys = [key_of(text) for text in [*texts, *sealed.keys]][: len(texts)]
    lines, others = lines_of(match, id) if match is not None else ([], 0)
    sealed = sealed._replace(events=followed(sealed.events, lines))
    hidden = [at for at, (_, line) in enumerate(sealed.events, 1) if line is None]
    used = {*PSEUDONYM.findall("".join(line or "" for _, line in sealed.events))}
    if strange := sorted({*sealed.names} - used):
        if hidden:
            raise CannotCheckError(f"the name given for {strange[0]} is in none of the events shown: remove it")
        raise WrongError("the receipt gives a name that is in none of the events")
    ours = sealed.checkpoint
    leaves = [(at, sha256(b"\x00" + " ".join(parts).encode()).digest()) for at, parts in sealed.leaves]
    if not includes(ours.root, ours.size, leaves, sealed.path):
        raise WrongError("the events are not in the checkpoint: their hashes do not lead to the root")
    if any(ours.origin != name for name, _ in keys):
        raise WrongError(f"the checkpoint is one of {shown(ours.origin)}, the key one of {shown(keys[0][0])}")
    if given:
        expect_known(ours, keys)
    own = ours
    if sealed.witnessed:  # what others signed below is no signature of the ledger
        names = {name for name, _ in keys}
        own = ours._replace(signatures=[line for line in ours.signatures if line.split(" ", 2)[1:2] == [*names][:1]])
    when = expect_signed(own, keys, by_all=not given)
    if hidden and len(sealed.leaves) == 1 and len(hidden) < hidden[-1]:
        after = f"events {hidden[-1] + 1} to {seq}" if hidden[-1] < seq else "no other"
        raise CannotCheckError(
            f"event {hidden[-1]} is not shown. In a receipt of this old form, the events before it are not proved:"
            f" {after} can be trusted. Ask for a new receipt, or give --match a file exported with --as-stored"
        )
    opening = sealed.events[0][1] if sealed.events else None
    yield f"match {shown(id)}" + (f": {about(clear(opening, sealed.names), id)}" if opening else "")
    if sealed.events:
        yield f"its {seq} events follow one from the other; whether more came after event {seq}, a receipt cannot tell"
        yield f"names and texts as recorded: {len(sealed.names)}"
    if closed := used - {*sealed.names}:
        yield f"but names and texts left out: {len(closed)}; they cannot be checked"
    if hidden:
        yield f"but {len(hidden)} of them are not shown: none was replaced, but their content cannot be checked"
    yield f"event {seq} is number {place + 1:,} of the {ours.size:,} events of the ledger that were sealed"
    used_keys = " and ".join(text for text in texts if claims(ours, key_of(text)))
    yield f"they were sealed on {when:%Y-%m-%d at %H:%M:%S} UTC with the key {shown(used_keys)}"
    if witnesses or need is not None:
        yield from witnessed(ours, keys, witnesses or [], need)
    if match is not None:
        yield from compared(sealed, lines)
    if others:
        yield f"but {others} other matches in the match file are not in the receipt, which proves nothing of them"
    if theirs is not None:
        yield from joined(ours, checkpoint_of(theirs), keys, proof)
    if not given:
        yield "but only the receipt itself says that this key is your ledger's: compare it with the one you know"


def joined(ours: SignedNote, theirs: SignedNote, keys: list[Key], consistency: str | None) -> Iterator[str]:
    """Compare the checkpoint of a receipt with one that somebody kept; yield the results as sentences."""
    expect_known(theirs, keys)
    expect_signed(theirs, keys, by_all=False)
    first, second = sorted((ours, theirs), key=lambda each: each.size)
    asked = (first.size, second.size, list)
    if first.size < second.size and consistency is None:
        raise CannotCheckError(
            f"give the consistency proof, …/checkpoint/consistency?first={first.size}&second={second.size}"
        )
    content: Any = {"first": first.size, "second": second.size, "path": []}
    content = loaded(consistency or "") if first.size < second.size else content
    if (
        not isinstance(content, dict)
        or (content.get("first"), content.get("second"), type(content.get("path"))) != asked
    ):
        raise CannotCheckError(f"the consistency proof is not one between {first.size} and {second.size} events")
    path = hashes(content["path"])
    if first.origin != second.origin or not goes_on(first.size, second.size, first.root, second.root, path):
        raise WrongError("the larger checkpoint does not continue the smaller one: a sealed event has been changed")
    yield f"the checkpoint over {second.size:,} events continues the one over {first.size:,}"


def told(
    receipt: str,
    key: Said | list[str],
    match: Said = None,
    theirs: Said = None,
    proof: Said = None,
    witnesses: list[str] | None = None,
    need: int | None = None,
) -> tuple[int, list[str]]:
    """Check as `check` does; return the exit status and the lines to print."""
    try:
        said = [*check(receipt, key, match, theirs, proof, witnesses, need)]
    except (WrongError, CannotCheckError, UnicodeError) as error:
        wrong = isinstance(error, WrongError)
        what = "WRONG, this is not what was sealed:" if wrong else "This cannot be checked:"
        return 1 if wrong else 2, [f"{what} {error}"]
    whole = not any(sentence.startswith("but ") for sentence in said)
    verdict = "Everything is as it was sealed."
    if not whole:
        verdict = "It is as it was sealed, except for the lines that begin with “but”."
    return 0, [*(("    " if one.startswith("but ") else "ok  ") + one for one in said), verdict]


def main(given: list[str] | None = None) -> int:
    """Check what the command line says, and tell; return the exit status."""
    say = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    say.add_argument("receipt", metavar="RECEIPT", help="a receipt, or the proof of an event")
    trusted = "the ledger's verifier key, from a source you trust: NAME+ID+KEY; may be repeated"
    say.add_argument("--key", action="append", default=[], help=trusted)
    say.add_argument("--match", metavar="MATCHFILE", help="a match file to compare with the receipt")
    say.add_argument("--checkpoint", metavar="NOTE", help="another checkpoint of the ledger")
    say.add_argument("--consistency", metavar="PROOF", help="the consistency proof between the two checkpoints")
    say.add_argument("--witness", action="append", default=[], help="the key of a witness; may be repeated")
    say.add_argument("--need", type=int, metavar="N", help="how many of the witnesses must have signed; all by default")
    asked = say.parse_args(given)
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    paths = (asked.receipt, asked.match, asked.checkpoint, asked.consistency)
    try:
        receipt, match, theirs, consistency = (path and Path(path).read_bytes().decode() for path in paths)
    except (OSError, UnicodeError) as error:
        print("This cannot be checked:", error)
        return 2
    status, lines = told(
        receipt, [key.strip() for key in asked.key], match, theirs, consistency, asked.witness, asked.need
    )
    print(*lines, sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
