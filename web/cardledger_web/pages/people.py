"""The page of people: people with a name or several ids, every change, and a way to reverse it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app, g, redirect, render_template, request, url_for

from cardledger.errors import ConflictError, LedgerError
from cardledger.record.people.people import Erase, Merge, Name, Posed, PublishedName, Sat, Split
from cardledger.record.people.shown import HOW_SHOWN
from cardledger.record.people.spelling import typed_names
from cardledger.record.recording.erasing import erase, examine
from cardledger_api.current import current_access, current_ledger, people_of
from cardledger_api.http.problems import status_of
from cardledger_web.languages import _
from cardledger_web.pages.blueprint import pages
from cardledger_web.views.form import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from werkzeug.wrappers import Response

    from cardledger.record.people.shown import HowShown
    from cardledger.record.recording.erasing import Erasure
    from cardledger.record.recording.ledger import Ledger
    from cardledger.rules.engine.events import Event
    from cardledger_api.auth.access import Access


def page(wrong: str | None = None, asked: Erasure | None = None) -> str:
    ledger = current_ledger()
    people, admin = people_of(ledger), current_access().role() == "admin"
    persons = sorted({*people.named(), *map(people.person, people.merged())})
    return render_template(
        "people.html",
        persons=[(id, people.ids(id)) for id in persons],
        # What is decided of whose name only admins see.
        changes=[row for row in _changes(people.events) if admin or not isinstance(row["event"], PublishedName)],
        deciding=people.deciding() if admin else {},
        rule=people.rule if admin else None,
        seq=people.seq,
        wrong=wrong,
        asked=asked,
    )


@pages.get("/people")
def people() -> str:
    return page()


@pages.post("/people")
def change_people() -> Response | tuple[str, int]:
    ledger = current_ledger()
    wrong, status = changed(ledger, request.form)
    if wrong is None:
        return redirect(url_for("pages.people"), 303)
    g.pop("people", None)
    return page(wrong), status


@pages.post("/people/erase")
def erase_person() -> Response | str | tuple[str, int]:
    ledger = current_ledger()
    _require_admin()
    player, sure = request.form.get("player", "").strip(), request.form.get("sure")
    try:
        erasure = examine(ledger, player, typed_names(request.form.get("also", "")))
        # Only what was shown and confirmed: another admin may have merged more ids since.
        if sure != erasure.mark:
            return page(asked=erasure)
        erase(ledger, erasure, g.recorder)
    except LedgerError as error:
        g.pop("people", None)
        return page(sentence(error)), status_of(error)
    return redirect(url_for("pages.people"), 303)


def changed(ledger: Ledger, form: Mapping[str, str]) -> tuple[str | None, int]:
    """Record the change of an admin's form; return its error, None if there is none, and the status.

    Access control (api/cardledger_api/auth/users.py) has checked that the form is ours.
    """
    _require_admin()
    try:
        event, expected = _event(form), int(form.get("expected", ""))
        ledger.record_people([event], expected, g.recorder)
    except (KeyError, ValueError):
        return _("The form is not complete. Fill in every field and send it again."), 400
    except ConflictError:
        return _("Another admin has just changed this list. Check it, then send the form again."), 409
    except LedgerError as error:
        return sentence(error), status_of(error)
    return None, 200


def _require_admin() -> None:
    access: Access = current_app.extensions["cardledger.access"]
    access.require("admin")


def _event(form: Mapping[str, str]) -> Event:
    """Return the event of a form; raises KeyError, ValueError."""
    texts = {name: text.strip() for name, text in form.items()}
    reason = texts.get("reason") or None
    match form["change"]:
        case "name":
            return Name(player=form["player"], name=texts["name"] or None)
        case "merge":
            return Merge(player=form["player"], into=texts["into"], reason=reason)
        case "split":
            return Split(player=form["player"], reason=reason)
        case "sat":
            return Sat(match=form["match"], seat=int(form["seat"]), player=texts["sat"] or None, reason=reason)
        case "posed":
            return Posed(player=form["player"], posed=form.get("posed") == "yes")
        case "shown":
            return PublishedName(player=form["player"].strip(), shown=how_shown(form))
        case "rule":
            return PublishedName(player=None, shown=how_shown(form))
    raise ValueError(form["change"])


def how_shown(form: Mapping[str, str]) -> HowShown | None:
    """Return how much of a name a form shows, None for what the rule says; raises KeyError, ValueError."""
    chosen = form["shown"]
    if chosen == "rule":
        return None
    return HOW_SHOWN[HOW_SHOWN.index(chosen)]


def _changes(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return the changes, the latest first, each with the event that reverses it.

    None for a change that a later one has overtaken.
    """
    rows: list[dict[str, Any]] = []
    names: dict[str, str | None] = {}
    sat: dict[tuple[str, int], str | None] = {}
    decided: dict[str | None, str | None] = {}
    latest: dict[tuple[Any, ...], int] = {}
    for number, event in enumerate(events):
        back: dict[str, Any]
        match event:
            case Name(player=player, name=name):
                about: tuple[Any, ...] = ("name", player)
                back = {"change": "name", "player": player, "name": names.get(player) or ""}
                names[player] = name
            case Merge(player=player):
                about, back = ("merge", player), {"change": "split", "player": player}
            case Split(player=player):
                into = next(
                    earlier.into
                    for earlier in reversed(events[:number])
                    if isinstance(earlier, Merge) and earlier.player == player
                )
                about, back = ("merge", player), {"change": "merge", "player": player, "into": into}
            case Posed(player=player, posed=posed):
                about, back = (
                    ("posed", player),
                    {"change": "posed", "player": player, "posed": "no" if posed else "yes"},
                )
            case Sat(match=match, seat=seat, player=sitter):
                about = ("sat", match, seat)
                back = {"change": "sat", "match": match, "seat": seat, "sat": sat.get((match, seat)) or ""}
                sat[match, seat] = sitter
            case PublishedName(player=of, shown=shown):
                about = ("shown", of)
                change = {"change": "rule"} if of is None else {"change": "shown", "player": of}
                back = change | {"shown": decided.get(of) or "rule"}
                decided[of] = shown
            case Erase(names=groups):
                # The old names are gone: there is nothing to go back to.
                gone = {pseudonym for group in groups for pseudonym in group}
                for (kind, *what), at in latest.items():
                    if kind == "name" and what[0] in gone:
                        rows[at]["back"] = None
                rows.append({"event": event, "type": "erase", "back": None})
                continue
            case _:
                raise AssertionError(event)
        if about in latest:
            rows[latest[about]]["back"] = None
        latest[about] = number
        rows.append({"event": event, "type": about[0] if not isinstance(event, Split) else "split", "back": back})
    return rows[::-1]
