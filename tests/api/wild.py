"""Values that nobody means well by: texts, numbers, headers and bodies that have broken programs before, and slips of the hand."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

HUGE = (2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**18, 10**30, -1, 0)
TEXTS: tuple[bytes, ...] = (
    b"", b" ", b"\0", b"a\0b", b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"%", b"%00", b"%zz", b"_", b"*", b"..",
    b"../../etc/passwd", b"..%2f..%2f", b"//evil.example/", b"\\evil", b"http://[", b"'", b'"', b"' OR 1=1 --", b'"; DROP TABLE events;',
    b"{{7*7}}", b"${7*7}", b"<script>alert(1)</script>", b"a\r\nSet-Cookie: x=1", b"a\nb", b"\x1b[31m", b"\x7f", b"\x85",
    "\u202e\u2066abc".encode(), "\u2028".encode(), "💥".encode() * 300, "é".encode(), "e\u0301".encode(), "ß".encode(), "İ".encode(),
    "١٢".encode(), "²".encode(), "½".encode(), "１２".encode(), b"NaN", b"Infinity", b"-Infinity", b"1e400", b"1e5", b"1.5", b"-0",
    b"0x10", b"1_000", b"+1", b" 1", b"1 ", b"007", b"true", b"null", b"None", b"[]", b"{}", b"[1", b"2026-02-30", b"0000-00-00",
    b"9999-12-31", b"10000-01-01", b"-2026-01-01", b"2026-W01-1", b"20260101", b"2026-01-01T00:00:00Z", b"1" * 5000, b"a" * 20_000,
    b"AND", b"a OR", b"NEAR(", b"a*", b"^a", b"-a", b"a:b", b"0.0", b"1-1", b"999999999999999999-999999999999999999",
    b"999999999999999999.999999999", *(str(number).encode() for number in HUGE),
)  # fmt: skip
METHODS = ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "POST", "GET", "get", "FOO", "")
HEADERS: dict[str, tuple[str, ...]] = {
    "Accept": ("", "*/*;q=0", "text/plain", "application/*;q=abc", "text/html;q=1e999", ",,,;;=", "a" * 5000, "image/png"),
    "Accept-Language": ("x" * 2000, ";;;", "de;q=-1"),
    "Accept-Encoding": ("gzip;q=0, identity;q=0", "*;q=0", "\xff"),
    "Content-Encoding": ("gzip", "br", "identity", "gzip, gzip", "x" * 100),
    "Content-Length": ("-1", "abc", "1e3", "", "10737418240", "9" * 400, "\xb2", "0", "3, 3"),
    "Content-Type": (
        "", "text/plain", "application/json; charset=\xff", "application/json;charset=utf-16", "application/json; a=b; a=b",
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\xff", "multipart/form-data; boundary=" + "b" * 500,
        "application/x-www-form-urlencoded; charset=utf-7", "application/x-ndjson", "/", ";", "APPLICATION/JSON", "application/problem+json",
    ),
    "Cookie": ("cardledger=", "cardledger=.eJ.x.y", "cardledger=" + "A" * 4000, "=;=;", "cardledger=\xff", 'cardledger="\\400"', "a" * 9000),
    "Expect": ("100-continue", "teapot"),
    "Host": ("", "evil.example", "127.0.0.1:99999", "127.0.0.1:abc", "[", "[::1", "[::1]:80", "[zz]", "localhost:", "a b", "\xff", "a" * 3000, "127.0.0.1, x", "user@localhost", "[v1.x]", "[1:2]", "a" * 64 + ".b", ".."),
    "Idempotency-Key": ("", " ", "k", "\xff\xfe", "a" * 10_000, '"k"', "a\tb"),
    "If-Match": ("", "*", '"*"', '"1"', "1", 'W/"1"', '"1", "2"', '"' + "9" * 5000 + '"', '"-1"', '"²"', '"\xff"', ",", '"', '"99999999999999999999"'),
    "If-Modified-Since": ("yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Mon, 99 Abc 99999 99:99:99 GMT", "9" * 400),
    "If-None-Match": ("*", '"x"', 'W/"x"', ",,,", "\xff", "a" * 5000),
    "If-Range": ("x", "Thu, 99 Jan"),
    "Last-Event-ID": ("", "0", "-1", "1e3", "9" * 30, "\xff", "²", "abc", "999999999999999999"),
    "Origin": ("null", "http://[", "http://evil.example", "http://localhost:1", "", "//", "http://\xff", "[::1", "http://[zz]/"),
    "Range": ("bytes=0-", "bytes=-1", "bytes=5-2", "bytes=0-0,1-1,2-2", "bytes=" + "9" * 400 + "-", "items=0-5", "bytes=abc", "bytes=" + "0-1," * 2000),
    "Referer": ("http://[", "\xff"),
    "Sec-Fetch-Site": ("same-origin", "cross-site", "\xff", ""),
    "Transfer-Encoding": ("chunked", "gzip, chunked", "identity", "\xff"),
    "X-Forwarded-For": ("1.2.3.4", "a" * 3000, "\xff"),
    "X-Forwarded-Host": ("evil.example", "[", "\xff"),
    "X-Http-Method-Override": ("DELETE", "\xff"),
    "X-Request-Id": ("a b", "\xff", "a" * 500, "ok-1", "<script>"),
    "Authorization": ("", "Bearer", "Bearer ", "Bearer \xff", "Basic eDp5", "Bearer a b c", "Bearer " + "x" * 9000, "\xff", "Digest x"),
}  # fmt: skip
"""Values to send by header, as in WSGI: bytes as Latin-1."""
BOMBS: tuple[bytes, ...] = (
    b"", b"\0", b"\xef\xbb\xbf{}", b"[" * 100_000, b'{"a":' * 50_000, b'{"events":' + b"[" * 5_000, b"[" * 500 + b"]" * 500, b"{" * 10,
    b'{"events": [' + b"{}," * 20_000 + b"{}]}", b"1" * 6_000, b'{"events":' + b"9" * 6_000 + b"}", b'{"events": [1e999]}', b"NaN", b"nul",
    b'{"events": NaN}', b'{"events": [{"type": "note", "text": "\\ud800"}]}', b'{"events": [{"type": "note", "text": "\\u0000"}]}',
    b'{"events": [{"type": "note", "text": "\xff"}]}', b'{"events": [], "events": []}', b'"' + b"\\" * 1_001 + b'"', b"\n" * 5_000,
    gzip.compress(b"0" * 1_000_000), "{}".encode("utf-16"), b"PK\x03\x04" + b"\0" * 40, b"a=b&" * 3_000, b"&&&===;%%%",
    b"\x80" * 1_000, b'{"events": [{"type": "open"}]}\n' * 500, b'{"type":"open"}\r\r\n\x0b\x0c\x1c\x85{"type":"open"}',
)  # fmt: skip
_KEYS = (
    "events",
    "type",
    "seat",
    "card",
    "hands",
    "about",
    "event",
    "to",
    "text",
    "player",
    "into",
    "name",
    "match",
    "seq",
    "id",
)


def nearly(text: bytes, rng: Random) -> bytes:
    """Return a text with a slip in it: a byte changed, doubled, lost, or two texts in one."""
    at = rng.randrange(len(text) + 1)
    match rng.randrange(6):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + bytes([rng.randrange(256)]) + text[at:]
        case 2:
            return text[:at] + bytes([rng.randrange(256)]) + text[at + 1 :]
        case 3:
            return text + text
        case 4:
            return text[:at] + rng.choice(TEXTS)[:200] + text[at:]
        case _:
            return text.upper() if rng.random() < 0.5 else text[:at]


def wild_json(rng: Random, depth: int = 0) -> Any:
    """Return any JSON value."""
    kind = rng.randrange(8 if depth < 4 else 6)
    if kind == 6:
        return [wild_json(rng, depth + 1) for _ in range(rng.randrange(5))]
    if kind == 7:
        return {rng.choice(_KEYS): wild_json(rng, depth + 1) for _ in range(rng.randrange(5))}
    return (
        None, rng.random() < 0.5, rng.choice(HUGE), rng.choice((0.5, -1e300, 1e-300, 3.0)), rng.choice(TEXTS).decode(errors="replace"),
        rng.randrange(-3, 60),
    )[kind]  # fmt: skip


def broken(value: Any, rng: Random) -> Any:
    """Return JSON data with something changed, missing or added."""
    if isinstance(value, dict) and value:
        key = rng.choice(sorted(value))
        match rng.randrange(5):
            case 0:
                return {name: kept for name, kept in value.items() if name != key}
            case 1:
                return value | {key: wild_json(rng)}
            case 2:
                return value | {rng.choice(_KEYS): wild_json(rng)}
            case _:
                return value | {key: broken(value[key], rng)}
    if isinstance(value, list) and value:
        at = rng.randrange(len(value))
        match rng.randrange(4):
            case 0:
                return [*value, *value]
            case 1:
                return value[:at]
            case _:
                return [*value[:at], broken(value[at], rng), *value[at + 1 :]]
    if isinstance(value, str) and rng.random() < 0.5:
        return nearly(value.encode(), rng).decode(errors="replace")
    return wild_json(rng)


def text_of(value: Any) -> bytes:
    """Return JSON data as bytes; what JSON has no words for is written all the same."""
    return json.dumps(value).encode()
