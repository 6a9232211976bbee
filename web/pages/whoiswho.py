"""The page of people: who has a name or several ids, every change of that, and how each is reversed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import current_app, g, redirect, render_template, request, url_for

from api.problems import status_of
from ledger.erasing import erase, examine
from ledger.errors import ConflictError, LedgerError
from ledger.people import Erase, Merge, Name, Sat, Split
from web.persons import people_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flask import Blueprint
    from werkzeug.wrappers import Response

    from api.access import Access
    from ledger.erasing import Erasure
    from ledger.events import Event
    from ledger.ledger import Ledger


def add_routes(pages: Blueprint, ledger: Ledger) -> None:
    """Add the page of people."""

    def page(wrong: str | None = None, asked: Erasure | None = None) -> str:
        people = people_of(ledger)
        persons = sorted({*people.named(), *map(people.person, people.merged())})
        return render_template(
            "people.html",
            persons=[(id, people.ids(id)) for id in persons],
            changes=[*_changes(people.events)],
            seq=people.seq,
            wrong=wrong,
            asked=asked,
        )

    @pages.get("/people")
    def people() -> str:
        return page()

    @pages.post("/people")
    def change_people() -> Response | tuple[str, int]:
        wrong, status = changed(ledger, request.form)
        if wrong is None:
            return redirect(url_for("pages.people"), 303)
        g.pop("people", None)
        return page(wrong), status

    @pages.post("/people/erase")
    def erase_person() -> Response | str | tuple[str, int]:
        _require_admin()
        player, sure = request.form.get("player", "").strip(), request.form.get("sure")
        try:
            found = examine(ledger, player)
            # What was shown and agreed to, and nothing else: somebody may have said since who else that is.
            if sure != found.mark:
                return page(asked=found)
            erase(ledger, found, g.recorder)
        except LedgerError as error:
            g.pop("people", None)
            return page(_told(error)), status_of(error)
        return redirect(url_for("pages.people"), 303)


def changed(ledger: Ledger, form: Mapping[str, str]) -> tuple[str | None, int]:
    """Record the change that an admin's form says; return what is wrong with it, None if nothing is, and the status.

    That the form is one of ours is made sure of where access is decided (api/access.py).
    """
    _require_admin()
    try:
        event, expected = _event(form), int(form.get("expected", ""))
        ledger.register.record([event], expected, g.recorder, ledger.views)
    except (KeyError, ValueError):
        return "The form was not filled in as a whole.", 400
    except ConflictError:
        return "Somebody else has changed who is who meanwhile. Look again, then send the form once more.", 409
    except LedgerError as error:
        return _told(error), status_of(error)
    return None, 200


def _require_admin() -> None:
    access: Access = current_app.extensions["cardledger.access"]
    access.require("admin")


def _told(error: LedgerError) -> str:
    return f"{error.message[:1].upper()}{error.message[1:]}."


def _event(form: Mapping[str, str]) -> Event:
    """Return the event that a form stands for; raises KeyError, ValueError."""
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
    raise ValueError(form["change"])


def _changes(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return the changes, the latest first, each with what would reverse it: nothing for one that is overtaken."""
    rows: list[dict[str, Any]] = []
    names: dict[str, str | None] = {}
    sat: dict[tuple[str, int], str | None] = {}
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
            case Sat(match=of, seat=seat, player=sitter):
                about = ("sat", of, seat)
                back = {"change": "sat", "match": of, "seat": seat, "sat": sat.get((of, seat)) or ""}
                sat[of, seat] = sitter
            case Erase(names=groups):
                # What they were called is gone: there is nothing to go back to.
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
