"""The commands that correct a match of a ledger: `cardledger amend` and `cardledger void`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click
import msgspec

from cardledger.cli.notices import known_names, tell_doubts, tell_if_similar
from cardledger.cli.options import by_option, db_option
from cardledger.cli.output import json_option, print_json, tell
from cardledger.errors import FormatError, RuleError, StoreError
from cardledger.record.matches.describe import event_in_words
from cardledger.record.matches.matchfile import printable
from cardledger.record.matches.shape import event_of, read_json
from cardledger.record.recording.ledger import Ledger
from cardledger.record.store.address import Where
from cardledger.rules.engine import events as ev
from cardledger.rules.stream import unroll
from cardledger.sentence import advising

_SIGNATURE = frozenset(ev.Event.__struct_fields__)
"""The keys that every event has: a correction is an event with such keys of its own."""


@click.command()
@click.argument("match")
@click.argument("seq", type=click.IntRange(1))
@click.argument("changes", nargs=-1, required=True, metavar="KEY=VALUE... | EVENT")
@click.option("--reason", metavar="TEXT", help="The reason, for people who read the record later.")
@by_option
@json_option("The match, its number of events, and its totals.")
@db_option
def amend(
    match: str, seq: int, changes: tuple[str, ...], reason: str | None, by: str, as_json: bool, path: Where
) -> None:
    """Correct event SEQ of MATCH: change some of its keys, or give the whole new event as JSON.

    The match is replayed with the amended event; the correction is refused if it makes a later event impossible. The
    old event stays in the record. Separate the parts of a list by commas; a key without a value is removed.

    \b
    Examples:
      cardledger amend 5 4 card=TD --reason "misread" --db club.db
      cardledger amend 5 1 date=2026-03-01 players=ana,ben,chloe,dana --db club.db
      cardledger amend 5 5 '{"type":"play","seat":3,"card":"7C"}' --db club.db
    """
    with Ledger(path, create=False) as ledger:
        match = ledger.resolve(match)
        stream = ledger.stream(match)
        if seq > stream.seq:
            raise RuleError("table.range", f"SEQ is {seq}, but the match has events 1 to {stream.seq}")
        old = dict(unroll(stream.heads[-1])).get(seq, stream.events[seq - 1])
        new = changed(old, changes)
        if ev.bare(new) == ev.bare(old):
            raise StoreError("store.empty", advising(f"event {seq} already says that: there is nothing to amend"))
        names = known_names(ledger)
        recorded = ledger.record(match, [ev.Amend(about=seq, event=new, reason=reason)], stream.seq, by)
        if isinstance(new, ev.Open):
            tell_if_similar(f"{match}:{seq}", new.players, names)
        tell_doubts(match, recorded)
        table = ledger.stream(match).table
        if as_json:
            print_json({"match": match, "seq": recorded.seq, "totals": [*table.totals]})
            return
        click.echo(printable(f"Event {seq} now reads: {event_in_words(new, table.players)}."))
        for line in _differences(old, new):
            click.echo(printable(line))
        if table.totals != stream.table.totals:
            points = (f"{who} {total}" for who, total in zip(table.players, table.totals, strict=True))
            click.echo(printable(f"Totals are now:  {', '.join(points)}."))


def _differences(old: ev.Event, new: ev.Event) -> Iterator[str]:
    """Yield the keys that differ, with the old and the new value."""
    before, after = (msgspec.to_builtins(ev.bare(event)) for event in (old, new))
    for key in dict.fromkeys((*before, *after)):
        if before.get(key) != after.get(key):
            yield f"  {key}: {before.get(key, 'nothing')} → {after.get(key, 'nothing')}"


def changed(event: ev.Event, changes: tuple[str, ...]) -> ev.Event:
    """Return an event with some keys changed, or the event that a JSON object describes; raises FormatError."""
    if len(changes) == 1 and changes[0].lstrip().startswith("{"):
        return event_of(read_json(changes[0].encode()))
    kinds = {field.encode_name: field.type for field in msgspec.structs.fields(type(event))}
    values: dict[str, Any] = msgspec.to_builtins(ev.bare(event))
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals:
            raise FormatError("format.value", f"{change!r} is neither KEY=VALUE nor an event as JSON")
        if key in _SIGNATURE:
            raise FormatError(
                "format.value", f"{key} cannot be amended: it says which event this is, or who recorded it and when"
            )
        if not text:
            values.pop(key, None)
        elif key in kinds:
            values[key] = _value(text, kinds[key])
        else:
            values[key] = text  # `event_of` says that there is no such key
    return event_of(values)


def _value(text: str, kind: Any) -> Any:
    """Read a text as a value of a type, as JSON or plain; return the text itself if that fails."""
    try:
        if text[0] in "[{":
            return json.loads(text)
        if "tuple" in str(kind):
            return msgspec.to_builtins(msgspec.convert(text.split(","), kind, strict=False))
        return msgspec.convert(text, kind, strict=False)
    except (ValueError, msgspec.ValidationError):
        return text


@click.command()
@click.argument("match")
@click.option("--reason", metavar="TEXT", help="The reason, for people who read the record later.")
@click.option("--undo", is_flag=True, help="Bring a void match back, unchanged.")
@by_option
@json_option("The match, its number of events, and whether it is void.")
@db_option
def void(match: str, reason: str | None, undo: bool, by: str, as_json: bool, path: Where) -> None:
    """Declare MATCH void: it counts nowhere, and lists mark it as void.

    It can still be replayed, and be brought back with --undo.

    \b
    Examples:
      cardledger void 5 --reason "recorded twice" --db club.db
      cardledger void 5 --undo --db club.db
    """
    if reason is None and not undo:
        raise click.UsageError("add --reason TEXT: why should the match not count?")
    with Ledger(path, create=False) as ledger:
        match = ledger.resolve(match)
        stream = ledger.stream(match)
        event: ev.Event = ev.Void(reason=reason)
        if undo:
            if not stream.void:
                raise RuleError("table.phase", f"match {match} is not void: there is nothing to bring back")
            event = ev.Retract(to=stream.void - 1, reason=reason)
        ledger.record(match, [event], stream.seq, by)
    sentence = f"Match {match} counts again." if undo else f"Match {match} is void and counts nowhere."
    tell(as_json, sentence, match=match, seq=stream.seq + 1, void=not undo)
