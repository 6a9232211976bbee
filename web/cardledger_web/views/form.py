"""A form as filled in: what the forms of a match and of an evening have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from cardledger.errors import LedgerError
from cardledger.rules.engine.option import ByPlayers
from cardledger_web.languages import _, as_sentence, translated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardledger.record.people.known_names import KnownNames
    from cardledger.rules.engine.game import Game, Option


@dataclass(kw_only=True)
class Form:
    """Texts by the names of their fields, and errors by the same names (`""`: the whole form).

    `asked` holds names that look like those of known players, with those players.
    """

    texts: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    asked: dict[str, list[str]] = field(default_factory=dict)

    def settled(self, names: Sequence[str], known: KnownNames) -> list[str]:
        """Return names with the players that the scorer chose; ask about those that only look like names of players."""
        players = list(names)
        for place, name in enumerate(players):
            likely = known.meant(name, players) if name else []
            meant = self.meant(name)
            if meant in likely:
                players[place] = meant
            elif likely:
                self.asked[name] = likely
                if meant != name:
                    self.wrong["players"] = _(
                        "A name is new, and similar to that of a known player. Choose who is meant."
                    )
        return players

    def meant(self, name: str) -> str:
        """Return the choice for a name: a player, the name itself for a new player, or ""."""
        return self.texts.get(f"meant:{name}", "")

    def option(self, game: Game[Any], option: Option) -> str:
        """Return the text an option's field shows: as filled in, or the default."""
        given = self.texts.get(option_name(game, option))
        return _default(option) if given is None else given

    def options(self, game: Game[Any], n: int | None = None) -> dict[str, object]:
        """Return the options that differ from their defaults for `n` players, and note errors in the others.

        Without `n`, what is given for a default that depends on the number of players is kept.
        """
        options: dict[str, object] = {}
        for option in game.options:
            name = option_name(game, option)
            text = self.texts.get(name, "")
            depends = n is None and isinstance(option.default, ByPlayers)
            if depends and not text:
                continue
            try:
                value = _value(option, text, n or game.sizes[0])
            except LedgerError as error:
                self.wrong[name] = sentence(error)
                continue
            if depends or value != option.default_for(n or game.sizes[0]):
                options[option.name] = value
        return options

    def expect_short(self, longest: Mapping[str, int]) -> None:
        """Note texts that are too long."""
        for name, most in longest.items():
            if len(self.texts.get(name, "")) > most:
                self.wrong[name] = _("At most %(most)s characters.", most=most)

    def expect_day(self) -> None:
        """Note a day that is not written as one."""
        day = self.texts.get("date")
        try:
            written = date.fromisoformat(day).isoformat() if day else day
        except ValueError:
            written = None
        if day != written:
            self.wrong["date"] = _("Write the day as 2026-01-31.")


def option_name(game: Game[Any], option: Option) -> str:
    """Return the name of an option's field: every game's options are on the page."""
    return f"{game.id}.{option.name}"


def sentence(error: LedgerError) -> str:
    """Return the message of an error as a sentence; some end with one, the text of a rule."""
    return as_sentence(translated(error.message))


def _default(option: Option) -> str:
    if isinstance(option.default, bool):
        return "yes" if option.default else ""
    return option.default if isinstance(option.default, str) else ""


def _value(option: Option, text: str, n: int) -> object:
    """Return the value of a field's text; an empty text is the default. Raises like `Option.value`."""
    if option.kind == "boolean":
        return bool(text)
    if not text:
        return option.default_for(n)
    whole = option.kind == "integer" and text.isascii() and text.isdigit() and len(text) <= 12
    return option.value(int(text) if whole else text)
