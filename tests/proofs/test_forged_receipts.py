"""No forged receipt gets past the program that is given away: every kind of lie, alone and on top of another."""

from __future__ import annotations

import json
from base64 import b32encode, b64decode, b64encode
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from cardledger.record.proofs.log import Log
from cardledger.record.proofs.notes import sign
from cardledger.record.proofs.receipts import receipt
from cardledger.record.recording.ledger import Ledger
from cardledger.rules.engine import events as ev
from tests.proofs.club import NOW, over, record_some
from tests.proofs.older import older_receipt
from tests.proofs.verifier import verifier
from tests.thorough import THOROUGH

Told = dict[str, Any]
_MOST = {"long": 10_000, "everyday": 600}


@dataclass
class Forger:
    """The tools of a forger: receipts of a match in every version, receipts of another match, and a ledger of their own."""

    key: str
    forms: list[Told]
    other: Told
    earlier: Told
    own: Told
    own_key: str
    lines: list[str]

    def receipt(self, rng: Random) -> Told:
        """Return an honest receipt in one of the forms, some lines hidden where the form can bear it."""
        told = deepcopy(rng.choice(self.forms))
        if "path" in told and rng.random() < 0.5:
            hide(told, rng.sample(range(len(told["events"])), rng.randint(1, 3)))
        return told


@pytest.fixture(scope="module")
def forger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forger]:
    folder = tmp_path_factory.mktemp("forged")
    with Ledger(folder / "own.db") as ledger, Log(ledger) as log:
        match, _ = record_some(ledger)
        own, own_key = receipt(log, match), str(log.ring.verifier)
    with Ledger(folder / "club.db") as ledger, Log(ledger) as log:
        match, second = record_some(ledger)
        earlier = receipt(log, match)
        ledger.record(match, [ev.Note(text="the long table"), ev.Note(text="a card fell")], 6)
        over(ledger, seed=4)
        log.seal(log.signed_at(log.latest()))
        forms = [receipt(log, match), *(older_receipt(log, match, form) for form in (1, 2))]
        (lines,) = ledger.export([match])
        yield Forger(
            str(log.ring.verifier), forms, receipt(log, second), earlier, own, own_key, lines.splitlines(keepends=True)
        )


# --- what forgers do


def hide(told: Told, places: list[int]) -> None:
    for place in places:
        told["events"][place]["line"] = None
    shown = "".join(event["line"] or "" for event in told["events"])
    if "names" in told:
        told["names"] = {word: name for word, name in told["names"].items() if word in shown}


def rehash(told: Told, first: int = 0, upto: int | None = None) -> None:
    """Recompute the hashes, as far as lines are shown."""
    before = told["events"][first - 1]["hash"] if first else "00" * 32
    for event in told["events"][first:upto]:
        if event["line"] is not None:
            event["hash"] = verifier.linked(before, event["line"])
        before = event["hash"]


def shown(told: Told, rng: Random, least: int = 0) -> int:
    """Return the index of an event whose line is shown."""
    return rng.choice([place for place, event in enumerate(told["events"]) if event["line"] and place >= least])


def altered(line: str, rng: Random) -> str:
    """Return a changed line: another card, seat, time, recorder, or any other character."""
    event = json.loads(line)
    name = rng.choice([name for name in event if name not in ("type", "hands", "options")])
    value = event[name]
    event[name] = value + 1 if isinstance(value, int) else [*value[::-1]] if isinstance(value, list) else f"{value}x"
    if event == json.loads(line):
        event["seq"] += 1
    return json.dumps(event, separators=(",", ":"), ensure_ascii=False)


def line_changed(told: Told, rng: Random) -> int:
    place = shown(told, rng)
    event = told["events"][place]
    event["line"] = altered(event["line"], rng)
    return place


def character_changed(told: Told, rng: Random) -> None:
    event = told["events"][shown(told, rng)]
    line = event["line"]
    at = rng.randrange(len(line))
    event["line"] = line[:at] + rng.choice([c for c in 'aZ0~" \\}é' if c != line[at]]) + line[at + 1 :]


def line_changed_and_all_rehashed(told: Told, rng: Random) -> None:
    line_changed(told, rng)
    rehash(told)


def line_changed_rehashed_last_hidden(told: Told, rng: Random) -> None:
    """The forgery that got past the program once."""
    last = told["events"][-1]["hash"]
    place = line_changed(told, rng)
    if place == len(told["events"]) - 1:
        place = 0
        told["events"][0]["line"] = altered(told["events"][0]["line"] or '{"type":"note","seq":1}', rng)
    rehash(told)
    hide(told, [len(told["events"]) - 1])
    told["events"][-1]["hash"] = last


def line_changed_rehashed_up_to_a_hidden_one(told: Told, rng: Random) -> None:
    events = told["events"]
    hidden = rng.randrange(1, len(events))
    for place in range(hidden):
        events[place]["line"] = events[place]["line"] or '{"type":"note"}'
    place = rng.randrange(hidden)
    events[place]["line"] = altered(events[place]["line"], rng)
    rehash(told, 0, hidden)
    hide(told, [hidden])


def players_rotated(told: Told, rng: Random) -> None:
    opening = told["events"][0]
    if opening["line"] is None:
        opening["line"] = '{"type":"open","players":["a","b","c","d"]}'
    event = json.loads(opening["line"])
    event["players"] = event["players"][1:] + event["players"][:1]
    opening["line"] = json.dumps(event, separators=(",", ":"))
    rehash(told)
    if rng.random() < 0.5:
        hide(told, [rng.randrange(1, len(told["events"]))])


def deal_rotated(told: Told, rng: Random) -> None:
    deal = told["events"][1]
    event = json.loads(deal["line"] or '{"type":"deal","hands":[[1],[2]]}')
    event["hands"] = event["hands"][1:] + event["hands"][:1]
    deal["line"] = json.dumps(event, separators=(",", ":"))
    rehash(told, 1)
    hide(told, [rng.randrange(2, len(told["events"]))])


def hidden_line_made_up(told: Told, rng: Random) -> None:
    place = rng.randrange(len(told["events"]))
    told["events"][place]["line"] = '{"type":"note","text":"they agreed to it"}'


def event_dropped(told: Told, rng: Random) -> None:
    del told["events"][rng.randrange(len(told["events"]))]
    if rng.random() < 0.5:
        rehash(told)


def end_cut_off(told: Told, rng: Random) -> None:
    del told["events"][rng.randrange(1, len(told["events"])) :]


def beginning_cut_off(told: Told, rng: Random) -> None:
    del told["events"][: rng.randrange(1, len(told["events"]))]
    if rng.random() < 0.5:
        rehash(told)


def event_doubled(told: Told, rng: Random) -> None:
    place = rng.randrange(len(told["events"]))
    told["events"].insert(place, dict(told["events"][place]))
    if rng.random() < 0.5:
        rehash(told)


def events_swapped(told: Told, rng: Random) -> None:
    events = told["events"]
    one, other = rng.sample(range(len(events)), 2)
    events[one], events[other] = events[other], events[one]
    if rng.random() < 0.5:
        rehash(told)


def lines_swapped(told: Told, rng: Random) -> None:
    events = told["events"]
    one, other = rng.sample([place for place, event in enumerate(events) if event["line"]], 2)
    events[one]["line"], events[other]["line"] = events[other]["line"], events[one]["line"]
    if rng.random() < 0.5:
        rehash(told)


def event_put_in(told: Told, rng: Random) -> None:
    events = told["events"]
    new = {**rng.choice(events), "line": '{"type":"note","text":"ana won"}'}
    events.insert(rng.randrange(len(events) + 1), new)
    rehash(told)
    if rng.random() < 0.5:
        hide(told, [len(events) - 1])


def event_of_another_match(told: Told, rng: Random, forger: Forger) -> None:
    theirs = rng.choice(forger.other["events"])
    place = rng.randrange(len(told["events"]))
    told["events"][place] = {name: theirs[name] for name in told["events"][place]}


def match_of_another_receipt(told: Told, rng: Random, forger: Forger) -> None:
    told["match"] = forger.other["match"]


def events_of_another_receipt(told: Told, rng: Random, forger: Forger) -> None:
    form = {*told["events"][0]}
    told["events"] = [{name: event[name] for name in form} for event in forger.other["events"]]
    if rng.random() < 0.5:
        told["match"] = forger.other["match"]


def match_renamed(told: Told, rng: Random) -> None:
    old = told["match"]
    told["match"] = old[:-1] + rng.choice("abcdef")
    if told["match"] == old:
        told["match"] += "0"
    if opening := told["events"][0]["line"]:
        told["events"][0]["line"] = opening.replace(old, told["match"])
        rehash(told)


def name_changed(told: Told, rng: Random) -> None:
    name = told["names"][rng.choice(sorted(told["names"]))]
    name["text"] = rng.choice(["eve", name["text"] + " ", name["text"].upper() + "!", ""])


def salt_of_a_name_changed(told: Told, rng: Random) -> None:
    name = told["names"][rng.choice(sorted(told["names"]))]
    name["salt"] = rng.choice([name["salt"][::-1] + "00", "", "00" * 16, name["salt"].upper() + "0", None])


def names_swapped(told: Told, rng: Random) -> None:
    one, other = rng.sample(sorted(told["names"]), 2)
    told["names"][one], told["names"][other] = told["names"][other], told["names"][one]


def made(text: str, salt: str) -> str:
    return "~" + b32encode(sha256(bytes.fromhex(salt) + text.encode()).digest())[:26].decode()


def name_of_nobody_told(told: Told, rng: Random) -> None:
    salt = rng.randbytes(16).hex()
    told["names"][made("eve", salt)] = {"salt": salt, "text": "eve"}


def somebody_else_put_in_their_place(told: Told, rng: Random) -> None:
    """With a new pseudonym, its name and salt, and all hashes recomputed."""
    old, salt = rng.choice(sorted(told["names"])), rng.randbytes(16).hex()
    new = made("eve", salt)
    for event in told["events"]:
        event["line"] = event["line"] and event["line"].replace(old, new)
    del told["names"][old]
    told["names"][new] = {"salt": salt, "text": "eve"}
    rehash(told)
    if rng.random() < 0.5:
        told["events"][-1]["line"] = None


def hash_changed(told: Told, rng: Random) -> None:
    event = rng.choice(told["events"])
    event["hash"] = rng.choice(
        [rng.randbytes(32).hex(), event["hash"].upper() + "", event["hash"][:-2], event["hash"][::-1]]
    )
    if event["hash"].islower() and len(event["hash"]) == 64 and rng.random() < 0.5:
        event["line"] = None


def salt_changed(told: Told, rng: Random) -> None:
    holder = rng.choice(told["events"]) if "path" in told else told
    holder["salt"] = rng.choice(
        [rng.randbytes(16).hex(), holder["salt"].upper() + "0", "", holder["salt"] + " 7", None]
    )


def note_of(told: Told) -> str:
    return told.get("checkpoint") or told["proof"].partition("\n\n")[2]


def with_note(told: Told, note: str) -> None:
    if "checkpoint" in told:
        told["checkpoint"] = note
    else:
        told["proof"] = f"{told['proof'].partition(chr(10) * 2)[0]}\n\n{note}"


def root_changed(told: Told, rng: Random) -> None:
    lines = note_of(told).split("\n")
    lines[2] = b64encode(rng.choice([rng.randbytes(32), rng.randbytes(31), b64decode(lines[2])[::-1]])).decode()
    with_note(told, "\n".join(lines))


def size_changed(told: Told, rng: Random) -> None:
    lines = note_of(told).split("\n")
    lines[1] = rng.choice([str(int(lines[1]) + rng.choice([-1, 1, 256])), f"0{lines[1]}", f"+{lines[1]}", ""])
    with_note(told, "\n".join(lines))


def origin_changed(told: Told, rng: Random) -> None:
    lines = note_of(told).split("\n")
    lines[0] += rng.choice(["x", " ", "\u200b"])
    with_note(told, "\n".join(lines))


def signature_changed(told: Told, rng: Random) -> None:
    lines = note_of(told).split("\n")
    at = rng.choice([place for place, line in enumerate(lines) if line.startswith("\u2014")])
    head, _, encoded = lines[at].rpartition(" ")
    data = bytearray(b64decode(encoded))
    data[rng.randrange(4, len(data))] ^= 1 << rng.randrange(8)
    lines[at] = f"{head} {b64encode(data).decode()}"
    with_note(told, "\n".join(lines))


def signature_dropped(told: Told, rng: Random) -> None:
    lines = note_of(told).split("\n")
    del lines[rng.choice([place for place, line in enumerate(lines) if line.startswith("\u2014")])]
    with_note(told, "\n".join(lines))


def signed_by_somebody_else(told: Told, rng: Random, forger: Forger) -> None:
    """A tree of one's own over events of one's own, signed with one's own key under the name of the ledger."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    origin, (size, root) = forger.key.partition("+")[0], note_of(told).split("\n")[1:3]
    data = b64decode(root) if rng.random() < 0.5 else rng.randbytes(32)
    made = sign(origin, int(size), data, NOW, Ed25519PrivateKey.generate())
    with_note(told, made.note)
    if rng.random() < 0.5:
        told["keys"] = [forger.own_key]


def receipt_of_a_ledger_of_ones_own(told: Told, rng: Random, forger: Forger) -> None:
    told.clear()
    told.update(deepcopy(forger.own))
    if rng.random() < 0.5:
        told["keys"] = [forger.key, forger.own_key]


def checkpoint_of_another_moment(told: Told, rng: Random, forger: Forger) -> None:
    with_note(told, forger.earlier["checkpoint"])


def paths(told: Told) -> list[str]:
    return told["path"] if "path" in told else told["proof"].partition("\n\n")[0].split("\n")[2:]


def with_path(told: Told, path: list[str]) -> None:
    if "path" in told:
        told["path"] = path
    else:
        head, _, note = told["proof"].partition("\n\n")
        told["proof"] = "\n".join([*head.split("\n")[:2], *path]) + "\n\n" + note


def path_changed(told: Told, rng: Random) -> None:
    path = paths(told)
    at = rng.randrange(len(path))
    data = b64decode(path[at])
    path[at] = b64encode(rng.choice([rng.randbytes(32), data[:-1], data + b"\0", data[::-1]])).decode()
    with_path(told, path)


def path_shortened(told: Told, rng: Random) -> None:
    path = paths(told)
    del path[rng.randrange(len(path))]
    with_path(told, path)


def path_lengthened(told: Told, rng: Random) -> None:
    path = paths(told)
    path.insert(rng.randrange(len(path) + 1), rng.choice([*path, b64encode(rng.randbytes(32)).decode()]))
    with_path(told, path)


def path_moved_across_its_hashes(told: Told, rng: Random) -> None:
    """Bytes of one hash go over to the next: together they are what they were."""
    path = paths(told)
    if len(path) < 2:
        return path_shortened(told, rng)
    at = rng.randrange(len(path) - 1)
    both = b64decode(path[at]) + b64decode(path[at + 1])
    cut = rng.choice([31, 33, 1, 63])
    path[at], path[at + 1] = (b64encode(part).decode() for part in (both[:cut], both[cut:]))
    return with_path(told, path)


def index_changed(told: Told, rng: Random) -> None:
    if "path" in told:
        event = rng.choice(told["events"])
        event["index"] = rng.choice(
            [event["index"] + rng.choice([-1, 1, 10**9]), float(event["index"]), True, None, "1"]
        )
    else:
        head, _, rest = told["proof"].partition("index ")
        number, _, rest = rest.partition("\n")
        told["proof"] = f"{head}index {rng.choice([int(number) + 1, -1, 10**9, f'0{number}'])}\n{rest}"


def form_renamed(told: Told, rng: Random) -> None:
    told["receipt"] = rng.choice(["cardledger-receipt-1", "cardledger-receipt-2", "cardledger-receipt-3", "", "x", 3])


def line_hidden_in_an_older_form(told: Told, rng: Random, forger: Forger) -> None:
    told.clear()
    told.update(deepcopy(rng.choice(forger.forms[1:])))
    hide(told, rng.sample(range(1, len(told["events"])), rng.randint(1, 3)))


def hidden_in_the_form_before(told: Told, rng: Random, forger: Forger) -> None:
    """What the newest form would find out, in a form that cannot."""
    told.clear()
    told.update(deepcopy(rng.choice(forger.forms[1:])))
    line_changed_rehashed_last_hidden(told, rng)


def part_dropped_or_added(told: Told, rng: Random) -> None:
    if rng.random() < 0.5:
        del told[rng.choice(sorted(told))]
    else:
        told[rng.choice(["verdict", "proofs", "seq"])] = "Everything is as it was sealed."


def part_of_another_kind(told: Told, rng: Random) -> None:
    name = rng.choice(sorted(told))
    kind = type(told[name])  # a receipt without keys or names says less, but it is not a lie
    told[name] = rng.choice(
        [value for value in (None, 7, [], {}, "", True) if type(value) is not kind] + [[[]], {"": {}}]
    )
    if name == "keys":
        told[name] = {}


KINDS: list[Callable[..., object]] = [
    line_changed, character_changed, line_changed_and_all_rehashed, line_changed_rehashed_last_hidden,
    line_changed_rehashed_up_to_a_hidden_one, players_rotated, deal_rotated, hidden_line_made_up, event_dropped,
    end_cut_off, beginning_cut_off, event_doubled, events_swapped, lines_swapped, event_put_in,
    event_of_another_match, match_of_another_receipt, events_of_another_receipt, match_renamed, name_changed,
    salt_of_a_name_changed, names_swapped, name_of_nobody_told, somebody_else_put_in_their_place, hash_changed,
    salt_changed, root_changed, size_changed, origin_changed, signature_changed, signature_dropped,
    signed_by_somebody_else, receipt_of_a_ledger_of_ones_own, checkpoint_of_another_moment, path_changed,
    path_shortened, path_lengthened, path_moved_across_its_hashes, index_changed, form_renamed,
    line_hidden_in_an_older_form, hidden_in_the_form_before, part_dropped_or_added, part_of_another_kind,
]  # fmt: skip


def forge(kind: Callable[..., object], told: Told, rng: Random, forger: Forger) -> None:
    if kind.__code__.co_argcount == 3:
        kind(told, rng, forger)
    else:
        kind(told, rng)


def accepted(*given: str) -> bool:
    """Tell whether the program lets something pass; anything but its two refusals is an error of its own."""
    try:
        list(verifier.check(*given))
    except (verifier.WrongError, verifier.CannotCheckError, UnicodeError):
        return False
    return True


def attempts(forger: Forger, many: int) -> int:
    """Forge receipts of every kind in turn, some by two at once; return how many were tried, none of which may pass."""
    tried, rng = 0, Random(11)
    while tried < many:
        for kind in KINDS:
            told = forger.receipt(rng)
            honest = deepcopy(told)
            second = rng.choice(KINDS) if rng.random() < 0.2 else None
            try:
                for each in (kind, *([second] if second else [])):
                    forge(each, told, rng, forger)
            except (KeyError, IndexError, ValueError, TypeError, AttributeError):
                continue  # this kind does not apply, such as names in version 1
            if told == honest:
                continue
            assert not accepted(json.dumps(told), forger.key), (kind.__name__, second and second.__name__, told)
            tried += 1
    return tried


def test_every_honest_receipt_passes(forger: Forger) -> None:
    rng = Random(3)
    for _ in range(20):
        assert accepted(json.dumps(forger.receipt(rng)), forger.key)


def test_no_forged_receipt_passes(forger: Forger) -> None:
    assert len(KINDS) >= 20
    assert attempts(forger, _MOST["everyday"]) >= _MOST["everyday"]


@pytest.mark.long
def test_none_of_ten_thousand_forged_receipts_passes(forger: Forger) -> None:
    assert attempts(forger, _MOST["long"]) >= _MOST["long"]


# --- match files that claim to belong to a receipt


def file_changed(lines: list[str], rng: Random) -> list[str]:
    """Return a match file that is not that of the receipt."""
    place = rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            return [*lines[:place], altered(lines[place], rng) + "\n", *lines[place + 1 :]]
        case 1:
            return [*lines[:place], *lines[place + 1 :]]
        case 2 if place < len(lines) - 1:
            return [*lines[: place + 1], *lines[place:]]
        case 3:
            place = place or 1  # with another id it would be another match, which a file may have too
            forged = [altered(line, rng) + "\n" if at == place else line for at, line in enumerate(lines)]
            forged[0] = forged[0].replace('{"type":"open",', '{ "type":"open",')
            return [*forged, *lines] if rng.random() < 0.5 else [*lines, *forged]
        case 4:
            at = rng.randrange(len(lines[place]) - 1)
            line = lines[place]
            return [*lines[:place], line[:at] + chr(ord(line[at]) ^ 1) + line[at + 1 :], *lines[place + 1 :]]
    other = rng.choice([at for at in range(len(lines)) if lines[at] != lines[place]])
    swapped = lines.copy()
    swapped[place], swapped[other] = lines[other], lines[place]
    return swapped


@pytest.mark.parametrize("many", [25, pytest.param(1_000 if THOROUGH else 300, marks=pytest.mark.long)])
def test_no_forged_match_file_passes(forger: Forger, many: int) -> None:
    rng = Random(5)
    for told in forger.forms[::2]:
        text = json.dumps(told)
        assert accepted(text, forger.key, "".join(forger.lines))
        for _ in range(many):
            assert not accepted(text, forger.key, "".join(file_changed(forger.lines, rng)))
