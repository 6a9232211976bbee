"""Check the receipt of a match of card games, with nothing but Python 3.9 or later: no network, nothing to install.

    python3 check_receipt.py RECEIPT --key KEY [--match MATCHFILE] [--checkpoint NOTE [--consistency PROOF]]

RECEIPT is a receipt, or the proof that `cardledger prove` writes. KEY is the verifier key of the ledger, as it showed it
when you trusted it: on paper, in a mail, on the wall of the club. A MATCHFILE is compared with the receipt event by event,
NOTE is a checkpoint that somebody has kept; if it is not that of the receipt, PROOF is the consistency proof of the two.

Exit status: 0 if all of it fits, 1 if something does not, 2 if it cannot be checked. This shares no code with what writes
receipts. An event's hash is SHA-256 over the hash before it (32 zero bytes at first) and its line; for a name stands "~" and
26 letters of the base 32 of SHA-256 over salt and name; a leaf is "MATCH SEQ HASH SALT"; trees are those of RFC 9162.
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
from typing import Any, Iterator, NamedTuple, Optional, Tuple


class WrongError(Exception):
    """What does not fit, as a sentence."""


class UnusableError(Exception):
    """Why something cannot be checked at all, as a sentence."""


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
    found: Point = (0, 1, 1, 0)
    for bit in bin(factor)[2:]:
        found = add(add(found, found), point) if bit == "1" else add(found, found)
    return found


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
def climbed(place: int, last: int, path: list[bytes], old: bytes, new: bytes) -> tuple[bytes, bytes] | None:
    """Return the hashes that a path leads to: of the left edge only, and of the whole tree; None for a wrong length."""
    for beside in path:
        if last == 0:
            return None
        if place & 1 or place == last:
            old, new = (sha256(b"\x01" + beside + each).digest() for each in (old, new))
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new = sha256(b"\x01" + new + beside).digest()
        place, last = place >> 1, last >> 1
    return (old, new) if last == 0 else None


def includes(root: bytes, size: int, leaf: bytes, index: int, path: list[bytes]) -> bool:
    """Tell whether a proof of inclusion leads from a leaf to a root (section 2.1.3.2)."""
    return index < size and (climbed(index, size - 1, path, leaf, leaf) or (leaf, b""))[1] == root


def goes_on(first: int, second: int, first_root: bytes, second_root: bytes, path: list[bytes]) -> bool:
    """Tell whether a proof of consistency leads from one root to the other (section 2.1.4.2)."""
    if not first or first == second:
        return not path and (not first or first_root == second_root)
    hashes = path if first & (first - 1) else [first_root, *path]
    place, last = first - 1, second - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    return bool(hashes) and climbed(place, last, hashes[1:], hashes[0], hashes[0]) == (first_root, second_root)


# --- notes, c2sp.org/signed-note: a key is its name and 32 bytes
def decoded(text: str) -> bytes:
    """Return what base64 says, in the one way it may be written."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        data = b""
    if not data or base64.b64encode(data).decode() != text:
        raise WrongError(f"“{shown(text)}” is no base64")
    return data


def number(text: str) -> int:
    """Return a whole number written in digits, in the one way it may be."""
    if not re.fullmatch("0|[1-9][0-9]{0,17}", text, re.ASCII):
        raise WrongError(f"“{shown(text)}” is no whole number")
    return int(text)


def id_of(key: Key, kind: bytes) -> bytes:
    """Return what signatures of a kind name a key by."""
    return sha256(key[0].encode() + b"\n" + kind + key[1]).digest()[:4]


def key_of(text: str) -> Key:
    """Return the key a text stands for: NAME+ID+KEY."""
    name, id, encoded = [*text.split("+", 2), "", ""][:3]
    data = decoded(encoded)
    if data[:1] != b"\x01" or len(data) != 33 or id_of((name, data[1:]), b"\x01").hex() != id:
        raise WrongError("the verifier key is damaged: its id does not belong to it")
    return name, data[1:]


class Checkpoint(NamedTuple):
    """What a note says: so many events under a root; `text` is what was signed, `signatures` the lines below."""

    origin: str
    size: int
    root: bytes
    text: str
    signatures: list[str]


def checkpoint_of(note: str) -> Checkpoint:
    """Return the checkpoint that a note holds."""
    text, _, below = note.partition("\n\n")
    lines, signatures = text.split("\n"), below.split("\n")
    if len(lines) != 3 or signatures.pop():
        raise WrongError("the checkpoint is none: origin, size and root, an empty line, and signatures belong there")
    return Checkpoint(lines[0], number(lines[1]), decoded(lines[2]), text + "\n", signatures)


def expect_signed(checkpoint: Checkpoint, keys: list[Key], *, by_all: bool) -> datetime:
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


# --- receipts, proofs (c2sp.org/tlog-proof) and match files
class Sealed(NamedTuple):
    """What was sealed: parts of a leaf, its place in the tree of a checkpoint, who signed, (hash, line) of events, and names."""

    leaf: list[str]
    place: int
    path: list[bytes]
    checkpoint: Checkpoint
    keys: list[str]
    events: list[tuple[str, str | None]]
    names: dict[str, str]


def proof_of(text: str) -> Sealed:
    """Return what a proof says, which may tell the parts of its leaf."""
    head, _, note = text.partition("\n\n")
    lines = head.split("\n")
    leaf = decoded(lines.pop(1)[6:]).decode("ascii", "replace").split(" ") if "\nextra " in head else []
    if lines[0] != "c2sp.org/tlog-proof@v1" or len(lines) < 2 or lines[1][:6] != "index " or len(leaf) not in (0, 4):
        raise WrongError("the proof is not in the form of a proof")
    return Sealed(leaf, number(lines[1][6:]), [decoded(line) for line in lines[2:]], checkpoint_of(note), [], [], {})


def sealed_by(text: str) -> Sealed:
    """Return what a receipt or a proof says."""
    if text.startswith("c2sp.org/tlog-proof"):
        return proof_of(text)
    receipt = loaded(text)
    form = receipt.get("receipt") if isinstance(receipt, dict) else None
    if form not in ("cardledger-receipt-1", "cardledger-receipt-2"):
        raise UnusableError("this is no receipt that this program knows how to check")
    wanted = {"receipt": str, "match": str, "keys": list, "salt": str, "proof": str, "events": list}
    wanted.update({"names": dict} if form == "cardledger-receipt-2" else {})  # before, events told names themselves
    types = {name: type(value) for name, value in receipt.items()}
    if types != wanted or not receipt["events"] or "\nextra " in receipt["proof"]:
        raise WrongError(f"a receipt holds {', '.join(wanted)}, and nothing else")
    events: list[tuple[str, str | None]] = []
    for item in receipt["events"]:
        hash, line = (item.get("hash"), item.get("line", 0)) if isinstance(item, dict) and len(item) == 2 else ("", 0)
        if not re.fullmatch("[0-9a-f]{64}", str(hash)) or not (line is None or isinstance(line, str)):
            raise WrongError(f"event {len(events) + 1} of the receipt is not a hash and a line")
        events.append((str(hash), line))
    leaf, keys = [receipt["match"], str(len(events)), events[-1][0], receipt["salt"]], [*map(str, receipt["keys"])]
    names = names_of(receipt.get("names", {}))
    return proof_of(receipt["proof"])._replace(leaf=leaf, keys=keys, events=events, names=names)


def names_of(given: dict[str, Any]) -> dict[str, str]:
    """Return names as they stand in JSON, by their pseudonyms: each has to be what its pseudonym was made of."""
    found = {}
    for pseudonym, name in given.items():
        salt, text = (name.get("salt"), name.get("text")) if isinstance(name, dict) and len(name) == 2 else ("", "")
        data = bytes.fromhex(str(salt)) if re.fullmatch("[0-9a-f]{32}", str(salt)) else b""
        made = base64.b32encode(sha256(data + str(text).encode("utf-8", "surrogatepass")).digest())[:26].decode()
        if not data or not isinstance(text, str) or pseudonym != "~" + made:
            raise WrongError(f"the name told for {shown(pseudonym)} is not the one that was recorded")
        found[pseudonym] = json.dumps(text, ensure_ascii=False)
    return found


def loaded(text: str) -> Any:
    """Return what JSON says; what holds a key twice says nothing."""
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else None)
    except (ValueError, RecursionError):
        raise UnusableError("the file is no JSON") from None


def linked(before: str, line: str) -> str:
    """Return the hash of an event behind another."""
    return sha256(bytes.fromhex(before) + line.encode("utf-8", "surrogatepass")).hexdigest()


def compared(sealed: Sealed, text: str) -> Iterator[str]:
    """Compare a match file with what was sealed, event by event; yield what there is to say."""
    match, last, head, _ = sealed.leaf
    lines, inside = list[str](), False
    for line in filter(None, text.replace("\r\n", "\n").split("\n")):
        if line.startswith('{"type":"open"'):
            inside = (loaded(line) or {}).get("id") == match
        lines += [line] if inside else []
    if not lines:
        raise WrongError(f"the match file does not hold match {shown(match)}")
    before, wanted = "00" * 32, number(last)
    for seq, line in enumerate(lines[:wanted], 1):
        hash, stored = sealed.events[seq - 1] if sealed.events else ("", None)
        # For a name that is not told any text may stand.
        parts = enumerate(PSEUDONYM.split(stored or ""))
        told = [re.escape(sealed.names.get(part, "") if at % 2 else part) or TEXT for at, part in parts]
        before = hash if stored and re.fullmatch("".join(told), line) else linked(before, line)
        if sealed.events and before != hash:
            raise WrongError(f"event {seq} of the match file is not the one that was sealed")
    if len(lines) < wanted:
        raise WrongError(f"event {len(lines) + 1} of the match file is lacking: {wanted} were sealed")
    if before != head:
        raise WrongError(f"the first {wanted} events of the match file are not those sealed (was it --as-stored?)")
    yield f"the match file holds the same {wanted} events"
    if len(lines) > wanted:
        yield f"but the {len(lines) - wanted} later ones in the match file came after this receipt"


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
def check(receipt: str, key: Said, match: Said = None, kept: Said = None, proof: Said = None) -> Iterator[str]:
    """Check a receipt, and what else is given; yield what fits in plain words. Raises WrongError, UnusableError."""
    sealed = sealed_by(receipt)
    texts = [key] if key else sealed.keys
    if not texts or not sealed.leaf:
        raise UnusableError("who signed it, or what, is not told: say with --key who should have")
    id, seq = sealed.leaf[0], number(sealed.leaf[1])
    keys = [key_of(text) for text in [*texts, *sealed.keys]][: len(texts)]
    # What is cheap to look at comes first: whoever changed an event is told which, and not only that a hash is wrong.
    before, hidden = "00" * 32, 0
    for place, (hash, line) in enumerate(sealed.events, 1):
        if line is not None and linked(before, line) != hash:
            raise WrongError(f"event {place} of the receipt is not the one that was sealed, or not where")
        before, hidden = hash, hidden + (line is None)
    closed = {*PSEUDONYM.findall("".join(line or "" for _, line in sealed.events))} - {*sealed.names}
    opening = (sealed.events or [("", "")])[0][1] or ""
    opening = PSEUDONYM.sub(lambda found: sealed.names.get(found[1], found[0]), opening)
    yield f"match {shown(id)}" + (f": {about(opening, id)}" if opening else "")
    if sealed.events:
        yield f"its {seq} events follow one from the other; names and texts as recorded: {len(sealed.names)}"
    if closed:
        yield f"but names and texts that are not told: {len(closed)}; what stood in their place cannot be checked"
    if hidden:
        yield f"but {hidden} of them are not shown: nothing took their place, yet what they say cannot be checked"
    leaf = sha256(b"\x00" + " ".join(sealed.leaf).encode()).digest()
    ours = sealed.checkpoint
    if not includes(ours.root, ours.size, leaf, sealed.place, sealed.path):
        raise WrongError(f"event {seq} is not in the checkpoint: its hash does not lead to the root")
    yield f"event {seq} is number {sealed.place + 1:,} of the {ours.size:,} events of the ledger that were sealed"
    if any(ours.origin != name for name, _ in keys):
        raise WrongError(f"the checkpoint is one of {shown(ours.origin)}, the key one of {shown(keys[0][0])}")
    when = expect_signed(ours, keys, by_all=not key)
    yield f"they were sealed on {when:%Y-%m-%d at %H:%M:%S} UTC with the key {shown(' and '.join(texts))}"
    if match is not None:
        yield from compared(sealed, match)
    if kept is not None:
        yield from joined(ours, checkpoint_of(kept), keys, proof)
    if not key:
        yield "but only the receipt itself says that this key is your ledger's: compare it with the one you know"


def joined(ours: Checkpoint, kept: Checkpoint, keys: list[Key], consistency: str | None) -> Iterator[str]:
    """Compare the checkpoint of a receipt with one that somebody kept; yield what there is to say."""
    expect_signed(kept, keys, by_all=False)
    first, second = sorted((ours, kept), key=lambda each: each.size)
    asked = (first.size, second.size, list)
    if first.size < second.size and consistency is None:
        raise UnusableError(
            f"give the consistency proof, …/checkpoint/consistency?first={first.size}&second={second.size}"
        )
    found: Any = {"first": first.size, "second": second.size, "path": []}
    found = loaded(consistency or "") if first.size < second.size else found
    if not isinstance(found, dict) or (found.get("first"), found.get("second"), type(found.get("path"))) != asked:
        raise UnusableError(f"the consistency proof is not one between {first.size} and {second.size} events")
    path = [decoded(str(hash)) for hash in found["path"]]
    if first.origin != second.origin or not goes_on(first.size, second.size, first.root, second.root, path):
        raise WrongError("one checkpoint does not go on from the other: something that was sealed has been changed")
    yield f"the checkpoint over {second.size:,} events goes on from the one over {first.size:,}"


def main(given: list[str] | None = None) -> int:
    """Check what the command line says, and tell; return the exit status."""
    say = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    say.add_argument("receipt", metavar="RECEIPT", help="a receipt, or the proof of an event")
    say.add_argument("--key", help="the verifier key of the ledger, as you know it: NAME+ID+KEY")
    say.add_argument("--match", metavar="MATCHFILE", help="a match file to compare with the receipt")
    say.add_argument("--checkpoint", metavar="NOTE", help="a checkpoint of the ledger that was kept")
    say.add_argument("--consistency", metavar="PROOF", help="the consistency proof between the two checkpoints")
    asked = say.parse_args(given)
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        paths = (asked.receipt, asked.match, asked.checkpoint, asked.consistency)
        receipt, match, kept, consistency = (path and Path(path).read_bytes().decode() for path in paths)
        for sentence in check(receipt, asked.key and asked.key.strip(), match, kept, consistency):
            print("   " if sentence.startswith("but ") else "ok ", sentence)
    except (WrongError, UnusableError, OSError, UnicodeError) as error:
        wrong = isinstance(error, WrongError)
        print("WRONG, this is not what was sealed:" if wrong else "This cannot be checked:", error)
        return 1 if wrong else 2
    print("All of it is as it was sealed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
