"""Users: who asks, by bearer token or signed browser session, and what the role of their token allows."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from hmac import compare_digest
from ipaddress import IPv6Address, IPv6Network
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import request, session
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Forbidden, Unauthorized

from cardledger_api.auth.known_scorers import KnownScorers
from cardledger_api.auth.sessions import Sessions
from cardledger_api.auth.token import Token
from cardledger_api.auth.tokens import digest_of, new_text
from cardledger_api.beside.times import utc_now, written
from cardledger_api.http.operations import EVENT_STREAM, ROLES, SAFE, Role
from cardledger_api.http.passage import the_notes
from cardledger_api.http.shared_places import RANKS

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from _typeshed.wsgi import WSGIEnvironment
    from flask import Flask

    from cardledger_api.auth.tokens import Tokens

ASKING = "cardledger.asking"
"""Key in the WSGI environment for the user of a request."""
_SCORER: Role = "scorer"
_IN_COOKIE = "session"


class TokenWanted(Unauthorized):
    """The request has no valid token."""

    problem = "access.token"

    def __init__(self, detail: str) -> None:
        super().__init__(detail, www_authenticate=WWWAuthenticate("bearer", {"realm": "this ledger"}))


class RoleWanted(Forbidden):
    """The role of the user does not allow this."""

    problem = "access.role"


class OriginWanted(Forbidden):
    """The request of a browser came from another server's page."""

    problem = "access.origin"


@dataclass(frozen=True, slots=True)
class Asking:
    """The user of a request: the valid token, if any; whether an invalid one was given; the session of a browser."""

    token: Token | None = None
    invalid: bool = False
    session: str | None = None

    def client(self, address: str) -> str:
        """Return a key that identifies the client: the token, or else the address; an invalid token does not count."""
        return self.token.digest.hex() if self.token else _network(address)

    @property
    def rank(self) -> int:
        """Whether the user goes before others when places are short."""
        return RANKS["scorer" if self.token.scope else self.token.role] if self.token else 0


NOBODY = Asking()


class Users:
    """The users of a server's part, a ledger or a house of clubs, by its tokens; decides who may make the current request.

    Tokens are looked up for each request, so a revoked one ends at once. With `open_reading`, users without a token
    are readers. `whose` says of a token that is wanted whose it is, as " of this house".
    """

    def __init__(
        self, tokens: Tokens, *, open_reading: bool = True, known: KnownScorers | None = None, whose: str = ""
    ) -> None:
        self.tokens, self._whose = tokens, whose
        self.open_reading = open_reading
        self.sessions = Sessions()
        self.known = KnownScorers() if known is None else known
        self._lent: list[Token] = []

    def lend(self, name: str, role: Role, scope: str | None = None) -> str:
        """Return the text of a new token that is valid in this process only."""
        text = new_text()
        self._lent.append(Token(digest_of(text), name, role, written(utc_now()), None, scope=scope))
        return text

    def known_here(self, app: Flask) -> dict[str, Any]:
        """Return what only this process knows of its users: who is signed in, by which key, and the tokens it lent."""
        assert isinstance(app.secret_key, bytes)
        lent = [astuple(token) for token in self._lent]
        return {
            "key": app.secret_key.hex(),
            "sessions": self.sessions.all(),
            "lent": [[digest.hex(), *rest] for digest, *rest in lent],
        }

    def take_over(self, known: Mapping[str, Any], app: Flask) -> None:
        """Go on with the users of an earlier process, so that nobody has to sign in again; nothing known: no users."""
        if known:
            app.secret_key = bytes.fromhex(known["key"])
            self.sessions.resume(known["sessions"])
            self._lent += [Token(bytes.fromhex(digest), *rest) for digest, *rest in known["lent"]]

    def role(self) -> Role | None:
        """Return the role of the user, None without the right to read."""
        asking = self.asking()
        if asking.token is not None:
            return asking.token.role
        return ROLES[0] if self.open_reading and not asking.invalid else None

    def name(self) -> str | None:
        """Return the name of the user's token."""
        token = self.asking().token
        return token.name if token else None

    def scope(self) -> str | None:
        """Return the match or evening that the user is invited to score, if the token is an invitation."""
        token = self.asking().token
        return token.scope if token else None

    def expires(self) -> str | None:
        """Return the time at which the user's token ends (RFC 3339, UTC); None without a token, or if it has no end."""
        token = self.asking().token
        return token.expires if token else None

    def client(self) -> str:
        """Return a key that identifies the client, as `Asking.client` does."""
        return self.asking().client(request.remote_addr or "")

    def rank(self) -> int:
        """Return whether the user goes before others when places are short."""
        return self.asking().rank

    def require(self, role: Role, stream: str | None = None) -> None:
        """Refuse the request unless the user has the role, everywhere or at the stream that it is about.

        The error becomes problem details. Afterwards `g.role` is the user's role, `g.scope` the streams where they are
        a scorer all the same, and `g.recorder` the name for events.
        """
        asking = self.asking()
        if asking.invalid:
            # Also where reading is open: a user who believes to be signed in must learn that the token has ended.
            raise TokenWanted("This token is unknown here, has expired, or was revoked. Ask an admin for a new one.")
        if asking.token is None:
            if not (self.open_reading and role == ROLES[0]):
                raise TokenWanted(
                    f"This needs the token of {_a(role)}{self._whose}, in the header 'Authorization: Bearer TOKEN'."
                )
            notes = the_notes()
            notes.role, notes.scope, notes.recorder = role, (), None
            return
        if asking.session and request.method not in SAFE and not same_origin():
            raise OriginWanted("A signed-in browser may make changes only from a page of this server.")
        token, scope = asking.token, self.covers(asking.token)
        allowed = _SCORER if role == _SCORER and stream in scope else token.role
        if ROLES.index(allowed) < ROLES.index(role):
            limit = "was invited to score something else" if token.scope else f"is {_a(token.role)}"
            raise RoleWanted(f"This needs the token of {_a(role)}{self._whose}; {token.name} {limit}.")
        notes = the_notes()
        notes.role, notes.scope, notes.recorder, notes.required = token.role, scope, token.name, role

    def holds(self, text: str) -> bool:
        """Tell whether the user of the current request is the one of a token."""
        token = self.asking().token
        return token is not None and compare_digest(token.digest, digest_of(text))

    def sign_in(self, text: str) -> None:
        """Sign the browser in with a signed cookie; raises TokenWanted."""
        token = self.find(digest_of(text))
        self.sign_out()
        if token is None:
            request.environ[ASKING] = Asking(invalid=True)
            raise TokenWanted(
                "The token in this link is unknown here, has expired, or was revoked. Ask an admin for a new one."
            )
        session[_IN_COOKIE] = self.sessions.begin(token.digest)

    def sign_out(self) -> None:
        """End the session of the browser; copies of its cookie are then worthless."""
        if id := session.get(_IN_COOKIE):
            self.sessions.end(id)
        session.clear()

    def asking(self) -> Asking:
        """Return the user of the current request."""
        notes = the_notes()
        asking: Asking | None = notes.get("asking")
        if asking is None:
            asking = notes.asking = self._identified(request.environ)
            self.known.learn(request.environ, asking.rank >= RANKS[_SCORER])
        return asking

    def covers(self, token: Token) -> Container[str | None]:
        """Return the streams where the user of a token is a scorer whatever its role; none without a ledger."""
        return ()

    def find(self, digest: bytes) -> Token | None:
        """Return the valid token with a digest, None without one."""
        lent = [token for token in self._lent if compare_digest(token.digest, digest)]
        return lent[0] if lent else self.tokens.find(digest)

    def _identified(self, environ: WSGIEnvironment) -> Asking:
        scheme, _, text = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        # Other schemes are not ours: a proxy that asks for a password passes its header on.
        if scheme.lower() == "bearer":
            token = self.find(digest_of(text.strip()))
            return _noted(environ, Asking(token, invalid=token is None))
        id = session.get(_IN_COOKIE) if "HTTP_COOKIE" in environ else None
        if id is None:
            return _noted(environ, NOBODY)
        # A stream that a page left open reconnects without its user: that does not count as use of the session.
        digest = self.sessions.find(id, using=environ.get("HTTP_ACCEPT") != EVENT_STREAM)
        # A browser with an ended session counts as signed out: its user did nothing wrong, and reading may be open.
        return _noted(environ, Asking(None if digest is None else self.find(digest), session=id))


def _network(address: str) -> str:
    """Return an address, or its network for IPv6, as a client there has 2 to the power of 64 addresses.

    >>> _network("192.0.2.7"), _network("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '2001:db8:1:2::/64')
    """
    if ":" not in address:
        return address
    try:
        ip = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ip.ipv4_mapped or IPv6Network((int(ip) >> 64 << 64, 64)))


def _noted(environ: WSGIEnvironment, asking: Asking) -> Asking:
    """Note the user in the request; a refused sign-in stays refused."""
    environ.setdefault(ASKING, asking)
    return asking


def same_origin() -> bool:
    """Tell whether a request comes from one of our pages; without a header that says so, it does not.

    SameSite alone would let in other servers on this computer, since a site includes all its ports. Sec-Fetch-Site is
    only sent over https and to this computer, Origin with every request that makes a change.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    # The scheme is left out: behind a proxy ours is not the browser's.
    try:
        return urlsplit(request.headers.get("Origin", "")).netloc == request.host
    except ValueError:  # no address at all
        return False


def _a(role: Role) -> str:
    """Return a role with its article."""
    return f"an {role}" if role == "admin" else f"a {role}"
