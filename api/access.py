"""Access: who is asking, by a bearer token or the signed session of a browser, and who may do what."""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import g, request, session
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Forbidden, Unauthorized

from api.operations import ROLES, Role
from api.tokens import Token, digest_of, new_text, utc_now, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed.wsgi import WSGIEnvironment

    from api.tokens import Tokens

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
ASKING = "cardledger.asking"
"""Where in its environment a request says who was asking."""
_IN_SESSION = "token"


class TokenWanted(Unauthorized):
    """Nobody knows who is asking."""

    problem = "access.token"

    def __init__(self, detail: str) -> None:
        super().__init__(detail, www_authenticate=WWWAuthenticate("bearer", {"realm": "this ledger"}))


class RoleWanted(Forbidden):
    """Whoever is asking may not do this."""

    problem = "access.role"


class OriginWanted(Forbidden):
    """A browser was made to ask by a page of somebody else."""

    problem = "access.origin"


@dataclass(frozen=True, slots=True)
class Asking:
    """Who is asking: the token, if there is a valid one; whether one was given that is not; and where it came from."""

    token: Token | None = None
    invalid: bool = False
    by_cookie: bool = False


NOBODY = Asking()


class Access:
    """Decides for the request under way; everything is looked up afresh with each, so what is revoked ends at once.

    With `open_reading` those without a token are readers.
    """

    def __init__(self, tokens: Tokens, *, open_reading: bool = True) -> None:
        self.tokens = tokens
        self.open_reading = open_reading
        self._lent: list[Token] = []

    def lend(self, name: str, role: Role) -> str:
        """Return the text of a new token that is known to this program only, and only as long as it runs."""
        text = new_text()
        self._lent.append(Token(digest_of(text), name, role, written(utc_now()), None))
        return text

    def role(self) -> Role | None:
        """Return the role of whoever is asking, None for one who may not even read."""
        asking = self._asking()
        if asking.token is not None:
            return asking.token.role
        return ROLES[0] if self.open_reading and not asking.invalid else None

    def name(self) -> str | None:
        """Return the name of the token with which somebody is asking."""
        token = self._asking().token
        return token.name if token else None

    def lasting(self) -> Callable[[], bool]:
        """Return what tells, at any later time, whether whoever is asking may still do what they may now."""
        token = self._asking().token
        return lambda: token is None or self._find(token.digest) is not None

    def client(self) -> str:
        """Return by what to tell clients apart: the token, or else the address; a made-up token does not count."""
        token = self._asking().token
        return token.digest.hex() if token else request.remote_addr or ""

    def require(self, role: Role) -> None:
        """Refuse, by raising what becomes problem details, unless whoever is asking has the role.

        From then on `g.role` says which role they have, for what is shown to some and not to others, and `g.recorder`
        by whom events are recorded.
        """
        asking = self._asking()
        if asking.invalid:
            # Also where reading is open: who believes to be signed in is to learn that it is over.
            raise TokenWanted("This token is not known here, has expired, or was revoked.")
        if asking.token is None:
            if not (self.open_reading and role == ROLES[0]):
                raise TokenWanted(f"This takes a token of a {role}, as the header 'Authorization: Bearer TOKEN'.")
            g.role, g.recorder = role, None
            return
        if asking.by_cookie and request.method not in SAFE and not same_origin():
            raise OriginWanted("A signed-in browser may change something only from a page of this server.")
        if ROLES.index(asking.token.role) < ROLES.index(role):
            raise RoleWanted(f"This takes a token of a {role}; {asking.token.name} is a {asking.token.role}.")
        g.role, g.recorder = asking.token.role, asking.token.name

    def sign_in(self, text: str) -> None:
        """Let the browser that is asking ask by a signed cookie from now on; raises TokenWanted."""
        token = self._find(digest_of(text))
        session.clear()
        if token is None:
            request.environ[ASKING] = Asking(invalid=True)
            raise TokenWanted("The token in this link is not known here, has expired, or was revoked.")
        # The digest is enough to look the token up, and of no use to whoever reads the cookie.
        session[_IN_SESSION] = token.digest.hex()

    def sign_out(self) -> None:
        """Forget the browser that is asking."""
        session.clear()

    def close(self) -> None:
        """Release the file of tokens."""
        self.tokens.close()

    def _asking(self) -> Asking:
        asking: Asking | None = g.get("asking")
        if asking is None:
            asking = g.asking = self._identified()
        return asking

    def _identified(self) -> Asking:
        environ = request.environ
        scheme, _, text = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
        # Other schemes are not meant for us: a proxy that asks for a password passes its header on.
        if scheme.lower() == "bearer":
            token = self._find(digest_of(text.strip()))
            return _told(environ, Asking(token, invalid=token is None))
        held = session.get(_IN_SESSION) if "HTTP_COOKIE" in environ else None
        if held is None:
            return NOBODY
        # A browser whose token is over is one without: its user did nothing wrong, and reading may be open.
        return _told(environ, Asking(self._find(bytes.fromhex(held)), by_cookie=True))

    def _find(self, digest: bytes) -> Token | None:
        found = [token for token in self._lent if compare_digest(token.digest, digest)]
        return found[0] if found else self.tokens.find(digest)


def _told(environ: WSGIEnvironment, asking: Asking) -> Asking:
    """Let the request say who was asking; a sign-in that was refused stays one."""
    environ.setdefault(ASKING, asking)
    return asking


def same_origin() -> bool:
    """Tell whether a browser asks for a page of ours; one that says nothing of where from is not believed.

    SameSite alone would let in whatever else this computer serves: sites know no ports. Sec-Fetch-Site is only sent
    over https and to this computer, Origin with everything that changes something.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    # The scheme is left out: behind a proxy ours is not the browser's.
    try:
        return urlsplit(request.headers.get("Origin", "")).netloc == request.host
    except ValueError:  # no address at all
        return False
