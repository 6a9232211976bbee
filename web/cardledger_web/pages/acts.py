"""The page of what admins did that is no event, for admins."""

from __future__ import annotations

from flask import render_template, request

from cardledger_api.current import current_access
from cardledger_web.pages.blueprint import pages

_MOST = 100


@pages.get("/acts")
def acts() -> str:
    access = current_access()
    access.require("admin")
    found = access.acts.all(before=request.args.get("before"), most=_MOST + 1)
    return render_template("acts.html", acts=found[:_MOST], more=found[_MOST - 1].last if len(found) > _MOST else None)
