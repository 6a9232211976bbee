"""Evenings for other programs: an Atom feed of results, and a calendar of evenings."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree as ET

from cardledger.record.matches.matchfile import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ATOM = "http://www.w3.org/2005/Atom"
_LINE = 75
"""Octets of a line of a calendar, RFC 5545 section 3.1."""


class ListedEvening(NamedTuple):
    """An evening as feeds and calendars list it; `words` say who won, `updated` (RFC 3339) when that last changed."""

    id: str
    name: str
    day: str
    place: str | None
    address: str
    updated: str
    words: str
    seq: int


def atom(title: str, own: str, page: str, evenings: Iterable[ListedEvening]) -> bytes:
    """Return an Atom feed (RFC 4287); `own` is its address, `page` that of the page it follows."""
    listed = [*evenings]
    feed = ET.Element("feed", xmlns=ATOM)
    ET.SubElement(feed, "title").text = title
    ET.SubElement(feed, "id").text = own
    ET.SubElement(feed, "updated").text = max((each.updated for each in listed), default="1970-01-01T00:00:00Z")
    ET.SubElement(feed, "link", rel="self", type="application/atom+xml", href=own)
    ET.SubElement(feed, "link", rel="alternate", type="text/html", href=page)
    author = ET.SubElement(feed, "author")
    ET.SubElement(author, "name").text = title
    for each in listed:
        entry = ET.SubElement(feed, "entry")
        ET.SubElement(entry, "title").text = printable(each.name)
        ET.SubElement(entry, "id").text = f"urn:uuid:{each.id.partition('-')[2]}"
        ET.SubElement(entry, "updated").text = each.updated
        ET.SubElement(entry, "link", rel="alternate", type="text/html", href=each.address)
        ET.SubElement(entry, "summary").text = printable(each.words)
    content: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return content


def calendar(title: str, evenings: Iterable[ListedEvening]) -> bytes:
    """Return a calendar (RFC 5545): each evening lasts its day, as no hour is recorded."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//cardledger//evenings//EN", f"X-WR-CALNAME:{_text(title)}"]
    for each in evenings:
        day = date.fromisoformat(each.day)
        stamp = datetime.fromisoformat(each.updated).astimezone(UTC)
        lines += [
            "BEGIN:VEVENT", f"UID:{each.id}", f"SEQUENCE:{each.seq}", f"DTSTAMP:{stamp:%Y%m%dT%H%M%SZ}",
            f"DTSTART;VALUE=DATE:{day:%Y%m%d}", f"DTEND;VALUE=DATE:{day + timedelta(days=1):%Y%m%d}",
            f"SUMMARY:{_text(each.name)}", f"DESCRIPTION:{_text(each.words)}", f"URL:{each.address}",
        ]  # fmt: skip
        lines += [f"LOCATION:{_text(each.place)}"] if each.place else []
        lines += ["TRANSP:TRANSPARENT", "END:VEVENT"]
    lines.append("END:VCALENDAR")
    return b"".join(part + b"\r\n" for line in lines for part in _folded(line.encode()))


def _text(text: str) -> str:
    """Return a text with what separates parts of a calendar escaped."""
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return printable(text.replace("\r", "").replace("\n", "\\n"))


def _folded(line: bytes) -> Iterator[bytes]:
    """Yield the parts of a line, those after the first with a blank before them; no character is cut in two."""
    blank = b""
    while len(blank + line) > _LINE:
        end = _LINE - len(blank)
        while line[end] & 0xC0 == 0x80:
            end -= 1
        yield blank + line[:end]
        line, blank = line[end:], b" "
    yield blank + line
