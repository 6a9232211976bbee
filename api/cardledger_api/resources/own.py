"""Who speaks for a player: the user whose token has the player's name, or somebody whose role lets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardledger.record.people.pseudonyms import PROGRAMS
from cardledger_api.auth.users import RoleWanted, TokenWanted
from cardledger_api.current import current_access, current_ledger
from cardledger_api.http.operations import ROLES

if TYPE_CHECKING:
    from cardledger_api.http.operations import Role


def own_player() -> str | None:
    """Return the player that the user is: the person with the name of the token.

    None without a token, for an invitation, which names a table, and for a program.
    """
    access = current_access()
    name = access.name()
    return (
        None
        if name is None or access.scope() is not None or name in PROGRAMS
        else current_ledger().people().person(name)
    )


def expect_own(player: str | None, role: Role) -> str:
    """Return the player for whom the user speaks: the one named, or the user.

    Refuse a user who is not signed in, and one who names somebody else without having the role.
    """
    access, own = current_access(), own_player()
    if access.name() is None:
        raise TokenWanted("Sign in under the player's name: without a token nothing is recorded of you.")
    known = current_ledger().people().person
    if player is None and own is None:
        raise RoleWanted("This token is no player's: say for which player it is.")
    if player is None or known(player) == own:
        return player or str(own)
    if ROLES.index(access.role() or ROLES[0]) < ROLES.index(role):
        raise RoleWanted(
            f"{access.name()} speaks for no other player: that needs the token of the player, or of a {role}."
        )
    return player
