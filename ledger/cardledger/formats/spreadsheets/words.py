"""A preview in words, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardledger.formats.spreadsheets.planned_tables import PreviewTable
    from cardledger.formats.spreadsheets.preview import Preview, PreviewEvening
    from cardledger.formats.spreadsheets.recognitions import Recognition

SCORED: Final = {"total": "points are added up", "places": "points for places"}
"""How an evening without boards is scored."""


def in_words(preview: Preview, name: Callable[[str], str]) -> Iterator[str]:
    """Yield what was recognised, the evening, and its tables; `name` gives the name of a player."""
    for sheet in preview.recognised:
        yield f"{place_of(sheet)}: {sheet.text}"
        if sheet.ignored:
            yield f"{place_of(sheet)}: ignored: {', '.join(sheet.ignored)}"
    if preview.layout is not None:
        yield f"read by the layout {preview.layout} of the club"
    if preview.keeps is not None:
        yield f"kept as the layout {preview.keeps.name} of the club"
    if preview.new_players:
        yield f"new players: {', '.join(preview.new_players)}"
    for evening in preview.evenings:
        if evening.opening is not None:
            yield evening_in_words(evening)
        for table in evening.tables:
            where = "" if table.roll else f"round {table.round} table {table.number}: "
            yield f"{where}{table_in_words(table, name)}"


def place_of(sheet: Recognition) -> str:
    """Return the file and the sheet."""
    return sheet.file if sheet.sheet is None else f"{sheet.file}, sheet {sheet.sheet}"


def evening_in_words(evening: PreviewEvening) -> str:
    """Return the evening that the results belong to, or open."""
    opening = evening.opening
    assert opening is not None
    kind = "a new evening" if evening.opens else "recorded already" if not evening.new else "an evening under way"
    return f"{opening.name} ({opening.date}): {kind}, {SCORED[opening.scoring.kind]}"


def table_in_words(table: PreviewTable, name: Callable[[str], str]) -> str:
    """Return the game, the players with their points or places, and what is remarkable."""
    shown, what = (table.totals, "") if table.totals is not None else (table.places or (), "place ")
    players = ", ".join(f"{name(player)} {what}{value}" for player, value in zip(table.players, shown, strict=True))
    hands = f", {len(table.hands)} hand{'s' if len(table.hands) > 1 else ''}" if table.hands else ""
    remark = f" ({table.remark})" if table.remark else ""
    return f"{table.game or table.other_game or 'any game'}{hands}: {players}{remark}"
