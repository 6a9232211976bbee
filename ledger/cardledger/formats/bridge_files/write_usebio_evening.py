"""Writing a whole session as USEBIO.

Its pairs with their places, and the travellers with rounds, tables, points and rulings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.sax.saxutils import quoteattr

from cardledger.errors import FormatError
from cardledger.formats.bridge_files.notation import SEATS
from cardledger.formats.bridge_files.usebio_evening import POINTS, PUBLISHED, SCORINGS
from cardledger.formats.bridge_files.write_usebio import element, hands_of, line_of, ruling_element
from cardledger.formats.bridge_files.written_board import WrittenBoard, written_boards
from cardledger.rules.evenings.rounding import printed
from cardledger.rules.evenings.session import SessionState
from cardledger.rules.evenings.standings import Standing, two_winners

if TYPE_CHECKING:
    from cardledger.rules.stream import Stream

Extras = Mapping[str, list[tuple[str, str]]]


class WrittenEvening(NamedTuple):
    """An evening to write.

    Its club, its state, travellers and standings, what was kept of a file, and how players are called.

    `published` are the rows of the ranking that was published last, by entry; none before. `masterpoints` are those of
    each entry that gets any.
    """

    club: str
    state: SessionState
    travellers: list[dict[str, Any]]
    standings: list[Standing]
    extras: Iterable[tuple[str, ...]]
    stream_of: Callable[[str], Stream]
    called: Callable[[str], str]
    published: Mapping[int, Mapping[str, Any]] = {}
    masterpoints: Mapping[int, Fraction] = {}


def usebio_of_evenings(evenings: Iterable[WrittenEvening]) -> Iterator[str]:
    """Yield evenings of pairs as XML, an EVENT for each.

    Raises FormatError `format.game` for another kind of evening.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<USEBIO Version="1.2">\n'
    for place, evening in enumerate(evenings):
        if not place and evening.club:
            yield f"<CLUB>{element('CLUB_NAME', evening.club)}</CLUB>\n"
        yield from _event(evening)
    yield "</USEBIO>\n"


def _event(evening: WrittenEvening) -> Iterator[str]:
    opening = evening.state.opening
    kinds = {scoring: kind for kind, scoring in SCORINGS.items()}
    if opening.unit != "pair" or opening.scoring.kind not in kinds:
        raise FormatError(
            "format.game",
            "USEBIO is written for evenings of pairs at matchpoints, Butler or cross-IMPs: export the matches",
        )
    kept: dict[str, list[tuple[str, str]]] = {}
    for kind, where, *rest in evening.extras:
        kept.setdefault(where if kind != "tag" else "", []).append(
            (rest[0], rest[1]) if kind != "tag" else (where, rest[0])
        )
    yield f"<EVENT EVENT_TYPE={quoteattr(kinds[opening.scoring.kind])}>\n"
    yield element("EVENT_DESCRIPTION", opening.name) + element("VENUE", opening.place)
    yield element("DATE", "/".join(reversed(opening.date.split("-")))) + element(
        "WINNER_TYPE", 1 + two_winners(evening.state)
    )
    yield "".join(element(name, text) for name, text in kept.get("", ())) + "\n<PARTICIPANTS>\n"
    labels = {entry: dict(kept.get(str(entry), ())).get("PAIR_NUMBER", str(entry)) for entry in evening.state.entries}
    for standing in sorted(evening.standings, key=lambda each: each.entry):
        yield _pair(evening, standing, labels, kept)
    yield "</PARTICIPANTS>\n"
    hands: dict[int, Iterable[tuple[str, ...]]] = {}
    boards_of = cache(partial(_boards_of_match, evening))
    for board in evening.travellers:
        yield f"<BOARD>{element('BOARD_NUMBER', board['board'])}\n"
        for line in board["lines"]:
            written = boards_of(line["match"]).get(line["hand"])
            if written is not None and written.deal.hands is not None:
                hands.setdefault(board["board"], written.deal.hands)
            yield _line(evening, board["board"], line, written, labels)
        yield "</BOARD>\n"
    for number, dealt in hands.items():
        yield hands_of(number, dealt)
    yield "</EVENT>\n"


def _pair(evening: WrittenEvening, standing: Standing, labels: Mapping[int, str], kept: Extras) -> str:
    entry, decimals = standing.entry, evening.state.opening.scoring.decimals
    own = dict(kept.get(str(entry), ()))
    direction = own.get("DIRECTION") or {"ns": "NS", "ew": "EW"}.get(standing.line or "", "")
    parts = [element("PAIR_NUMBER", labels[entry]), element("DIRECTION", direction), element("PLACE", standing.place)]
    parts.append(element("TOTAL_SCORE", printed(standing.total, decimals)))
    if standing.percent is not None:
        parts.append(element("PERCENTAGE", printed(standing.percent, decimals)))
    said = {"PAIR_NUMBER", "DIRECTION"}
    if row := evening.published.get(entry):
        parts += [element(name, row[key]) for name, key in PUBLISHED.items() if row.get(key)]
        said |= PUBLISHED.keys()
    parts += [element(name, text) for name, text in own.items() if name not in said]
    if entry in evening.masterpoints:
        awarded = element("MASTER_POINTS_AWARDED", printed(evening.masterpoints[entry]))
        parts.append(f"<MASTER_POINTS>{awarded}</MASTER_POINTS>")
    for place, player in enumerate(evening.state.players(entry, evening.state.round), 1):
        more = "".join(element(name, text) for name, text in kept.get(f"{entry}/{place}", ()))
        parts.append(f"<PLAYER>{element('PLAYER_NAME', evening.called(player))}{more}</PLAYER>")
    parts += [ruling_element(ruling) for _, ruling in evening.state.rulings if ruling.entry == entry]
    return f"<PAIR>{''.join(parts)}</PAIR>\n"


def _boards_of_match(evening: WrittenEvening, match: str | None) -> dict[int, WrittenBoard]:
    """Return the boards of a match by their hands; none without a match."""
    return (
        {}
        if match is None
        else {written.hand["number"]: written for written in written_boards(evening.stream_of(match))}
    )


def _line(
    evening: WrittenEvening, board: int, line: dict[str, Any], written: WrittenBoard | None, labels: Mapping[int, str]
) -> str:
    name = POINTS[evening.state.opening.scoring.kind]
    more = {
        "ROUND_NUMBER": line["round"], "TABLE_NUMBER": line["table"],
        f"NS_{name}": line["ns_points"], f"EW_{name}": line["ew_points"],
    }  # fmt: skip
    at = line["round"], line["table"], board
    rulings = "".join(
        ruling_element(ruling)
        for _, ruling in evening.state.rulings
        if (ruling.round, ruling.table, ruling.board) == at
    )
    ns, ew = (labels[line[side][0]] for side in ("ns", "ew"))
    if written is not None:
        return line_of(written, ns, ew, more).replace("</TRAVELLER_LINE>", f"{rulings}</TRAVELLER_LINE>")
    parts = [element("NS_PAIR_NUMBER", ns), element("EW_PAIR_NUMBER", ew)]
    if line["contract"] is not None:
        parts.append(element("CONTRACT", line["contract"].upper()))
        if line["declarer"] is not None:
            parts += [element("PLAYED_BY", SEATS[line["declarer"]]), element("TRICKS", line["tricks"])]
    if line["score"] is not None:
        parts.append(element("SCORE", line["score"]))
    elif "percent" in line["ns_award"] and "percent" in line["ew_award"]:
        percents = [int(float(line[f"{side}_award"]["percent"])) for side in ("ns", "ew")]
        parts.append(element("SCORE", f"A{min(percents[0], 99):02}{min(percents[1], 99):02}"))
    parts += [element(key, value) for key, value in more.items()]
    return f"<TRAVELLER_LINE>{''.join(parts)}{rulings}</TRAVELLER_LINE>\n"
