"""Requests nobody should send: right, nearly right and wild ones for every operation and every page, from a seed."""

from __future__ import annotations

import io
import json
import re
from html import unescape
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, quote_from_bytes, unquote_to_bytes, urlencode, urlsplit

from cardledger.record.matches.matchfile import write
from cardledger.rules.engine import events as ev
from cardledger_api.http.open_sets import KNOWN
from cardledger_web.app import access_of, ledger_of
from tests.api.wild import BOMBS, HEADERS, HUGE, METHODS, TEXTS, broken, nearly, text_of, wild_json
from tests.evenings.night import FOUR, OPENINGS, made
from tests.tables import SIZES, any_match, opening, step

if TYPE_CHECKING:
    from flask import Flask

_PREFIX = "/api/v1"
_ROLES = ("admin", "scorer", "reader")
_SELDOM = {
    "read_review", "review", "read_luck", "list_of_sights", "worth_seeing", "check_integrity", "integrity",
    "documentation", "openapi", "metrics",
}  # fmt: skip
"""Operations and pages that are slow, or always give the same answer: requested less often."""
_CHANGE = ["expected", "change", "player", "into", "name", "match", "seat", "sat", "reason"]
_FORM = "application/x-www-form-urlencoded"


class Request(NamedTuple):
    """A request as it goes over the line, but for how it is cut into packets; `path` and `query` are quoted."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes


class Answer(NamedTuple):
    """What a server said."""

    status: int
    headers: dict[str, str]
    body: bytes


def ask(app: Flask, asked: Request) -> Answer:
    """Send a request to an application in this process, even one that no client would send."""
    told: list[Any] = []

    def start(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
        told[:] = [int(status[:3]), headers]
        for text in (status, *(part for header in headers for part in header)):
            assert not set(text) & set("\r\n\0"), f"a header is broken: {text!r}"
            text.encode("latin-1")

    environ = {
        "REQUEST_METHOD": asked.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(asked.path).decode("latin-1"),
        "QUERY_STRING": asked.query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(asked.body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "CONTENT_LENGTH": str(len(asked.body)),
    }
    for name, value in asked.headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
    body = app.wsgi_app(environ, start)
    try:
        said = b"".join(body)
    finally:
        if hasattr(body, "close"):
            body.close()
    return Answer(told[0], dict(told[1]), said)


class Requester:
    """Makes requests to an application: each from a random number generator, so that a seed says what was sent.

    The addresses of the pages, their arguments and the fields of their forms are those that the pages themselves link
    to; operations are as the OpenAPI document has them.
    """

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.ledger = ledger_of(app)
        self.tokens = {role: access_of(app).lend(role, role) for role in _ROLES}
        self.cookies = {role: self._cookie(token) for role, token in self.tokens.items()}
        # Matches under way, which more can be recorded of.
        for number, (game, n) in enumerate(SIZES[::3]):
            self.ledger.record(None, any_match(game, n, Random(number), "record", events=9), 0)
        night = made(self.ledger)
        self.evenings = {"club": [night.club], "session": [night.session], "league": [night.league]}
        self.matches = self.ledger.matches()
        self.document = json.loads(self._plain(f"{_PREFIX}/openapi.json"))
        self.operations = [
            (method.upper(), path, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
            for _ in range(4 if method == "post" else 1)
        ]
        self.pages = sorted(
            (str(rule.rule), method, str(rule.endpoint))
            for rule in app.url_map.iter_rules()
            if not rule.rule.startswith(_PREFIX)
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        )
        self.words: dict[str, list[str]] = {
            "deal": [],
            "id": [],
            "name": ["matches", "hands"],
            "as_of": ["1", "2026-01-01", "2026-01-06T22:30", str(self.ledger.store.last_position())],
            "since": ["2026-01-01"],
            "until": ["2026-12-31"],
            **self.evenings,
            "filename": ["style.css"],
        }
        self._look_around()

    def _plain(self, path: str, role: str = "admin") -> bytes:
        split = urlsplit(path)
        headers = {"Host": "127.0.0.1", "Authorization": f"Bearer {self.tokens[role]}"}
        return ask(self.app, Request("GET", split.path, split.query, headers, b"")).body

    def _cookie(self, token: str) -> str:
        answer = ask(self.app, Request("GET", "/games", f"token={token}", {"Host": "127.0.0.1"}, b""))
        return answer.headers["Set-Cookie"].partition(";")[0]

    def _look_around(self) -> None:
        """Learn from the pages which arguments exist, and their possible values."""
        game = self.document["paths"][f"{_PREFIX}/matches"]["get"]["parameters"][0]["schema"]["enum"]
        players = list(
            dict.fromkeys(name for match in self.matches for name in self.ledger.stream(match).table.players)
        )
        self.words |= {
            "match": self.matches, "game": game, "id": game, "player": players, "other": players, "into": players,
            "sat": players, "change": ["name", "merge", "split", "sat"], "token": [*self.tokens.values()],
        }  # fmt: skip
        starts = [
            "/",
            "/matches",
            "/players",
            "/hands",
            "/violations",
            "/games",
            "/people",
            "/integrity",
            "/season",
            "/matches/new",
        ]
        seen: set[str] = set()
        for _ in range(2):
            for start in starts:
                text = self._plain(start).decode()
                seen.add(start)
                for link in map(unescape, re.findall(r'(?:href|action)="(/[^"#]*)', text)):
                    for name, value in parse_qsl(urlsplit(link).query, keep_blank_values=True):
                        self._learn(name, value)
                    if found := re.fullmatch(r"/deals/(\w+)", urlsplit(link).path):
                        self._learn("deal", found[1])
                    if found := re.fullmatch(r"/tables/([\w-]+)\.csv", urlsplit(link).path):
                        self._learn("name", found[1])
                for field in re.findall(r"<(?:input|select|button|textarea)\b[^>]*", text):
                    kept = dict(re.findall(r'([a-z]+)="([^"]*)"', field))
                    if "name" in kept:
                        self._learn(unescape(kept["name"]), unescape(kept.get("value", "")))
            first = self.matches[0]
            starts = [
                f"/matches/{first}",
                f"/stats/{game[0]}",
                f"/games/{game[0]}/leaders",
                f"/players/{players[0]}",
                "/worth-seeing",
                f"/matches/{first}/audit",
                f"/matches/{first}/score",
            ]

    def _learn(self, name: str, value: str) -> None:
        known = self.words.setdefault(name, [])
        if value and value not in known and len(known) < 60:
            known.append(value)

    # --- parts of requests

    def text(self, name: str, schema: dict[str, Any], rng: Random) -> bytes:
        """Return a value for an argument: right, nearly right, or wild."""
        if rng.random() < 0.12:
            return rng.choice(TEXTS) if rng.random() < 0.7 else str(rng.choice(HUGE)).encode()
        right = self._right(name, schema, rng).encode()
        return nearly(right, rng) if rng.random() < 0.12 else right

    def _right(self, name: str, schema: dict[str, Any], rng: Random) -> str:
        known = self.words.get(name)
        if name == "expected":
            return str(self.ledger.people().seq)
        if values := schema.get("enum") or schema.get(KNOWN):
            return str(rng.choice(values))
        if schema.get("type") == "integer":
            return str(rng.choice([1, 2, 3, 10, 40, schema.get("minimum", 0), schema.get("maximum", 50)]))
        if schema.get("type") == "boolean":
            return rng.choice(["true", "false"])
        if schema.get("format") == "date":
            return f"20{rng.randrange(20, 30)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"
        if known:
            return rng.choice(known)
        return rng.choice(["1", "all", "spectator", "0", "1-1", "1.1", "ana", "month", "turn", "2026-01-01"])

    def _event(self, rng: Random, match: str | None = None) -> dict[str, Any]:
        if match is not None and rng.random() < 0.8:
            table = self.ledger.stream(match).table
            if table.hand.moment not in ("over", "score"):
                return json.loads(ev.encode(step(table, rng, 0.2)))
        return rng.choice(
            [
                {"type": "note", "text": "a remark"}, {"type": "retract", "to": rng.randrange(1, 9)}, {"type": "end"},
                {"type": "amend", "about": rng.randrange(1, 9), "event": {"type": "play", "seat": 0, "card": "9S"}},
                {"type": "play", "seat": rng.randrange(4), "card": "9S"}, {"type": "claim", "tricks": [1, 1, 1, 1]},
                {"type": "score", "scores": [rng.randrange(-5, 99)] * 4}, {"type": "deal", "dealer": 0, "hands": None},
            ]
        )  # fmt: skip

    def _of_evening(self, rng: Random) -> list[dict[str, Any]]:
        """Return events of a club, a session or a league; not all fit."""
        at = {"round": rng.randrange(1, 6), "table": rng.randrange(1, 3)}
        players = self.words["player"]
        known: list[dict[str, Any]] = [
            {"type": "member", "player": rng.choice(players), "number": "7"}, {"type": "note", "text": "lot: 2 1"},
            {"type": "arrive", "player": rng.choice(players)}, {"type": "leave", "player": rng.choice(FOUR)},
            {"type": "entry", "number": rng.randrange(1, 9), "players": [rng.choice(players)]},
            {"type": "movement", "kind": rng.choice(["howell", "swiss", "mitchell"]), "entries": 4, "tables": 2, "from": 4},
            {"type": "table", **at, "seats": rng.sample(players, 4)}, {"type": "table", **at, "seats": [1, 2, 3, 4]},
            {"type": "result", **at, "points": [rng.randrange(99) for _ in range(4)]},
            {"type": "result", **at, "match": rng.choice(self.matches)}, {"type": "absent", **at, "why": "bye"},
            {"type": "adjust", "entry": 1, "penalty": 2.5}, {"type": "retract", "to": rng.randrange(1, 9)},
            {"type": "amend", "about": rng.randrange(1, 9), "event": {"type": "arrive", "player": "zoe"}},
            {"type": "counts", "session": self.evenings["session"][0]}, {"type": "publish"}, {"type": "close"},
        ]  # fmt: skip
        return rng.sample(known, rng.choice([0, 1, 1, 1, 2, 4]))

    def _json(self, operation: str, match: str | None, rng: Random) -> Any:
        seq = self.ledger.people().seq
        players = self.words["player"]
        match operation:
            case "open_match":
                game, n = rng.choice(SIZES)
                return {"events": [json.loads(ev.encode(opening(game, n, "record")))]}
            case "append_events":
                return {"events": [self._event(rng, match) for _ in range(rng.choice([1, 1, 1, 2, 5]))]}
            case "what_if":
                return {"event": self._event(rng, match), "seq": rng.randrange(1, 60)}
            case "open_club" | "open_session" | "open_league":
                return {"events": [OPENINGS[operation.removeprefix("open_")], *self._of_evening(rng)]}
            case "append_club_events" | "append_session_events" | "append_league_events":
                return {"events": [*self._of_evening(rng)]}
            case "open_round":
                tables = {"tables": [rng.sample(players, 4) for _ in range(rng.randrange(1, 3))]}
                return {"round": rng.randrange(1, 6), "policy": "record", **(tables if rng.random() < 0.5 else {})}
            case "publish_session" | "publish_league":
                return rng.choice([{}, {"text": "well played"}])
            case _:
                who = rng.choice(players)
                change = rng.choice(
                    [
                        {"type": "name", "player": who, "name": rng.choice(["Ána", None])}, {"type": "split", "player": who},
                        {"type": "merge", "player": who, "into": rng.choice(players)},
                        {"type": "sat", "match": rng.choice(self.matches), "seat": rng.randrange(4), "player": who},
                    ]
                )  # fmt: skip
                return {"events": [change], "expected": seq}

    def _body(self, operation: dict[str, Any], match: str | None, rng: Random) -> tuple[str, bytes]:
        """Return the media type and the bytes of a body for an operation."""
        media = rng.choice(sorted(operation["requestBody"]["content"]))
        chance = rng.random()
        if chance < 0.15:
            return media, rng.choice(BOMBS)
        if operation["operationId"] == "import_file":
            game, n = rng.choice(SIZES)
            body = write(any_match(game, n, rng, "record", 0.2, events=rng.randrange(1, 40)))
            if media.startswith("multipart"):
                media += "; boundary=b"
                body = (
                    b'--b\r\nContent-Disposition: form-data; name="file"; filename="m.jsonl"\r\n\r\n'
                    + body
                    + b"\r\n--b--\r\n"
                )
        else:
            value = self._json(operation["operationId"], match, rng)
            if chance < 0.5:
                value = broken(value, rng)
            elif chance < 0.55:
                value = wild_json(rng)
            lines = (
                media == "application/x-ndjson" and isinstance(value, dict) and isinstance(value.get("events"), list)
            )
            body = b"\n".join(map(text_of, value["events"])) if lines else text_of(value)
        return media, nearly(body, rng) if chance > 0.9 else body

    def _headers(self, rng: Random) -> dict[str, str]:
        """Return the headers of a client: mostly one with permission, sometimes with wild headers too."""
        headers = {"Host": "127.0.0.1"}
        role = rng.choices([*_ROLES, None], [6, 2, 1, 1])[0]
        if role is not None and rng.random() < 0.8:
            headers["Authorization"] = f"Bearer {self.tokens[role]}"
        elif role is not None:
            headers["Cookie"] = self.cookies[role]
        if rng.random() < 0.3:
            name = rng.choice(sorted(HEADERS))
            headers[name] = rng.choice(HEADERS[name])
        return headers

    # --- requests

    def request(self, rng: Random) -> Request:
        """Return the next request."""
        return self._to_operation(rng) if rng.random() < 0.6 else self._to_page(rng)

    def _method(self, method: str, rng: Random) -> str:
        return rng.choice(METHODS) if rng.random() < 0.04 else method

    def _to_operation(self, rng: Random) -> Request:
        while True:
            method, path, operation = rng.choice(self.operations)
            if operation["operationId"] not in _SELDOM or rng.random() < 0.02:
                break
        headers, asked, match = self._headers(rng), [], None
        for given in operation.get("parameters", ()):
            name, schema = given["name"], given["schema"]
            if given["in"] == "path":
                value = self.text(name, schema, rng)
                match = value.decode() if value.decode("latin-1") in self.matches else match
                path = path.replace(f"{{{name}}}", quote_from_bytes(value, safe=""))
            elif given["in"] == "query":
                asked += [(name, self.text(name, schema, rng)) for _ in range(rng.choices([0, 1, 2], [70, 29, 1])[0])]
            elif rng.random() < 0.7:
                headers[name] = rng.choice(HEADERS[name])
                if name == "If-Match" and rng.random() < 0.8:
                    headers[name] = self._tag(operation["operationId"], match, rng)
        body = b""
        if "requestBody" in operation:
            media, body = self._body(operation, match, rng)
            headers.setdefault("Content-Type", media)
        elif rng.random() < 0.03:
            body = rng.choice(BOMBS)
        return Request(self._method(method, rng), path, self._query(asked, rng), headers, body)

    def _tag(self, operation: str, match: str | None, rng: Random) -> str:
        """Return a condition that holds."""
        if operation == "change_people":
            return f'"{self.ledger.people().seq}"'
        for kind, ids in self.evenings.items():
            if kind in operation and rng.random() < 0.5:
                return f'"{self.ledger.evenings.stream(ids[0]).seq}"'
        return "*" if match is None or rng.random() < 0.5 else f'"{self.ledger.stream(match).seq}"'

    def _query(self, asked: list[tuple[str, bytes]], rng: Random) -> str:
        if rng.random() < 0.04:
            asked.append((rng.choice(sorted(self.words)), rng.choice(TEXTS)))
        text = urlencode(asked)
        return quote_from_bytes(nearly(text.encode(), rng), safe="%&=+;") if rng.random() < 0.04 else text

    def _to_page(self, rng: Random) -> Request:
        while True:
            rule, method, endpoint = rng.choice(self.pages)
            if endpoint.split(".")[-1] not in _SELDOM or rng.random() < 0.02:
                break

        def part(found: re.Match[str]) -> str:
            kind, name = found[1], found[2]
            schema = {"type": "integer"} if kind == "int:" else {}
            return quote_from_bytes(self.text(name, schema, rng), safe="/" if kind == "path:" else "")

        path = re.sub(r"<(\w+:)?(\w+)>", part, rule)
        if rng.random() < 0.02:
            path = "/" + quote_from_bytes(rng.choice(TEXTS), safe="/%")
        names = sorted(self.words)
        headers = self._headers(rng)
        asked = [(name, self.text(name, {}, rng)) for name in rng.sample(names, rng.choice([0, 0, 1, 1, 2, 4]))]
        body = b""
        if method == "POST":
            # The fields of one form each, with others of all forms now and then; with and without a sign of where it stands.
            fields = [(name, self.text(name, {}, rng)) for name in self._fields(endpoint, rng)]
            body, asked = urlencode(fields).encode(), []
            headers.setdefault("Content-Type", _FORM)
            name, right = rng.choice([("Sec-Fetch-Site", "same-origin"), ("Origin", "http://127.0.0.1")])
            headers.setdefault(name, right if rng.random() < 0.7 else rng.choice(HEADERS[name]))
            if rng.random() < 0.1:
                body = rng.choice(BOMBS)
        return Request(self._method(method, rng), path, self._query(asked, rng), headers, body)

    def _fields(self, endpoint: str, rng: Random) -> list[str]:
        forms = {
            "pages.open_match": [name for name in self.words if "." in name] + ["id", "game", "policy", "event", "table", "place", "date", *["player"] * 4],
            "pages.change_people": _CHANGE, "pages.change_player": _CHANGE,
            "sign_in": ["token", "next"],
        }  # fmt: skip
        fields = list(forms.get(endpoint, ()))
        if rng.random() < 0.3:
            fields = [name for name in fields if rng.random() < 0.8]
        return [*fields, rng.choice(sorted(self.words))] if rng.random() < 0.1 else fields
