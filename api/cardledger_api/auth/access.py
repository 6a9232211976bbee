"""Access: what the users of a ledger may do, at which of its matches and evenings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger_api.auth.scopes import Scope
from cardledger_api.auth.users import Users

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from cardledger.record.recording.ledger import Ledger
    from cardledger_api.acts.acts import Acts
    from cardledger_api.auth.known_scorers import KnownScorers
    from cardledger_api.auth.token import Token
    from cardledger_api.auth.tokens import Tokens
    from cardledger_api.hooks.hooks import Hooks


class Access(Users):
    """The users of a ledger.

    The `stream` of a question is the match or evening it is about: there an invitation is a scorer's.
    """

    def __init__(
        self,
        tokens: Tokens,
        hooks: Hooks,
        acts: Acts,
        ledger: Ledger,
        *,
        open_reading: bool = True,
        known: KnownScorers | None = None,
    ) -> None:
        super().__init__(tokens, open_reading=open_reading, known=known)
        self.hooks, self.acts = hooks, acts
        self._ledger = ledger

    def covers(self, token: Token) -> Container[str | None]:
        """Return the streams that an invitation covers, as they are now."""
        return Scope(self._ledger, token.scope) if token.scope else ()

    def lasting(self, stream: str | None = None) -> Callable[[], bool]:
        """Return a function that tells, at any later time, whether the user still has the present rights."""
        asking = self.asking()
        token, session = asking.token, asking.session
        if token is None:
            return lambda: True
        digest, scope = token.digest, self.covers(token)
        covered = stream in scope

        def lasts() -> bool:
            if session is not None and self.sessions.find(session, using=False) != digest:
                return False
            return self.find(digest) is not None and (not covered or stream in scope)

        return lasts

    def holder(self, stream: str | None = None) -> str:
        """Return the name of the session or token that gives the user's rights, for an invitation to a stream.

        Empty without one.
        """
        asking = self.asking()
        holder = asking.session or (asking.token.digest.hex() if asking.token else "")
        return f"{holder} {stream}" if asking.token and asking.token.scope and stream else holder

    def close(self) -> None:
        """Release the files of tokens, webhooks and acts."""
        self.tokens.close()
        self.hooks.close()
        self.acts.close()
