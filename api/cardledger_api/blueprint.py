"""The API under /api/v1: its blueprint, and the operations that the modules of resources declare.

Any number of applications can have it, each with its own ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from cardledger_api.auth.visible import expect_open, still_open
from cardledger_api.current import current_access, current_ledger
from cardledger_api.http.addresses import PREFIX, add_converters
from cardledger_api.http.operations import Operations

if TYPE_CHECKING:
    from cardledger_api.http.operations import Role


def _allow(role: Role, stream: str | None) -> None:
    """Refuse, by raising, those who may not do something, and what others have yet to play."""
    current_access().require(role, stream)
    expect_open(current_ledger(), stream)


api = Blueprint("api", "cardledger_api", url_prefix=PREFIX, template_folder="templates")
api.after_request(lambda answer: still_open(current_ledger(), answer))
add_converters(api)
operations = Operations(api, _allow)
