"""Persons on pages: who is meant by a player id, what they are called, and who sat at the seats of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import g

from ledger.store.naming import is_pseudonym

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from flask import Blueprint

    from ledger.ledger import Ledger
    from ledger.people import People


def people_of(ledger: Ledger) -> People:
    """Return the people as known when the page was begun."""
    if "people" not in g:
        g.people = ledger.people()
    people: People = g.people
    return people


def called(ledger: Ledger, players: Iterable[str]) -> list[str]:
    """Return what players are called."""
    people = people_of(ledger)
    return [people.name(player) for player in players]


def seated(ledger: Ledger, match: str, players: Sequence[str]) -> list[str]:
    """Return what the persons at the seats of a match are called; `players` are as recorded."""
    return called(ledger, people_of(ledger).seated(match, players))


def add_filters(pages: Blueprint, ledger: Ledger) -> None:
    """Let templates ask who is who: `called` of an id, `persons` of a row of a list of matches, `brief`ly."""

    @pages.app_template_filter("called")
    def _called(player: str) -> str:
        return people_of(ledger).name(player)

    @pages.app_template_filter("brief")
    def _brief(text: str) -> str:
        """Return a text, only the beginning of the pseudonym that is left of an erased one."""
        return f"{text[:5]}…" if is_pseudonym(text) else text

    @pages.app_template_filter("persons")
    def _persons(row: Mapping[str, Any]) -> Sequence[str]:
        return people_of(ledger).seated(row["match"], row["players"])
