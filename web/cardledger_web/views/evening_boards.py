"""The boards of an evening as its pages show them: travellers, frequencies, the card of an entry, and who met whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from cardledger.rules.engine.cards import standard_pack
from cardledger.rules.evenings.wording import own_percentage
from cardledger.rules.games import game
from cardledger.rules.games.bridge.scoring import VULNERABLE, board_dealer, board_vulnerable
from cardledger_web.languages import N_, _, decimal, joined, minus, translated
from cardledger_web.views.cards import drawn
from cardledger_web.views.wording import wording

if TYPE_CHECKING:
    from cardledger_web.views.evening import EveningView

_MET = 40
"""The most that a table of meetings shows; a larger one cannot be read."""
_BRIDGE = game("bridge")
_VULNERABLE = {
    "none": N_("nobody vulnerable"), "ns": N_("north-south vulnerable"), "ew": N_("east-west vulnerable"), "both": N_("all vulnerable"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class MadeContract:
    """What a table made of a board.

    Contract, declarer and lead as players write them, and the tricks as `+1`, `=` or `-2`.
    """

    contract: str = ""
    by: str = ""
    lead: str = ""
    tricks: str = ""


class ShownHand(NamedTuple):
    """Where the hand of a result is shown: no match if there is none, or while the reader may not see it (`later`)."""

    match: str | None
    number: int | None = None
    later: bool = False


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A line of a traveller.

    Where, who, the contract, the score in the column of the line that has it, the points of both lines.

    `said` is what a ruling gave in place of a score, `events` are those of the evening.
    """

    round: int
    table: int
    ns: tuple[int, ...]
    ew: tuple[int, ...]
    made: MadeContract
    scores: tuple[str, str]
    said: str
    points: tuple[str, str]
    percents: tuple[str, str]
    hand: ShownHand
    events: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Frequency:
    """One of the results of a board.

    The score in the column of the line that has it, how often, the points of both lines.
    """

    scores: tuple[str, str]
    said: str
    times: int
    points: tuple[str, str]
    percents: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Traveller:
    """The traveller of a board; `dealt` says its dealer and who is vulnerable."""

    board: int
    dealt: str
    lines: list[BoardLine]
    frequencies: list[Frequency]

    @property
    def bridge(self) -> bool:
        """Whether contracts are known."""
        return any(line.made.contract for line in self.lines)


@dataclass(frozen=True, slots=True)
class CardLine:
    """A board on the card of an entry: numbers as printed, the score for its side; `ruled` is what a ruling gave it."""

    round: int
    table: int
    board: int | None
    line: str
    partners: tuple[int, ...]
    opponents: tuple[int, ...]
    made: MadeContract
    score: str
    ruled: str
    points: str
    percent: str
    running: str
    hand: ShownHand


def boards(view: EveningView) -> dict[int, Traveller]:
    """Return the traveller of each board."""
    if not view.on_boards or view.refusal:
        return {}
    return {each["board"]: _traveller(view, each) for each in view.rankings.travellers(view.id, view.position)}


def card_lines(view: EveningView, entry: int) -> list[CardLine]:
    """Return the card of an entry; raises RuleError `session.seats`."""
    lines = view.rankings.card(view.id, entry, view.position)["lines"]
    return [
        CardLine(
            line["round"], line["table"], line["board"], _LINES.get(line.get("line", ""), ""),
            line.get("partners", ()), line["opponents"], _made(line), _number(line.get("score")),
            award_said(line["award"], line["percent"]) if line.get("ruled") else "", _number(line["points"]), _number(line["percent"]), _number(line["running"]),
            _shown(view, line),
        )
        for line in lines
    ]  # fmt: skip


_LINES = {"ns": N_("NS"), "ew": N_("EW")}


def _shown(view: EveningView, line: dict[str, Any]) -> ShownHand:
    match = line.get("match")
    return ShownHand(None, later=True) if match in view.secret else ShownHand(match, line.get("hand"))


def _traveller(view: EveningView, result: dict[str, Any]) -> Traveller:
    number = result["board"]
    dealt = _(
        "%(seat)s deals, %(vulnerable)s",
        seat=wording(_BRIDGE).seat(board_dealer(number))[0],
        vulnerable=translated(_VULNERABLE[VULNERABLE[board_vulnerable(number)]]),
    )
    lines = [
        BoardLine(
            line["round"], line["table"], line["ns"], line["ew"], _made(line), *_scores(line), *_values(line),
            _shown(view, line), line["events"],
        )
        for line in result["lines"]
    ]  # fmt: skip
    frequencies = [Frequency(*_scores(each), each["times"], *_values(each)) for each in result["frequencies"]]
    return Traveller(number, dealt, lines, frequencies)


def _made(line: dict[str, Any]) -> MadeContract:
    contract, declarer, tricks = line.get("contract"), line.get("declarer"), line.get("tricks")
    if contract is None:
        return MadeContract()
    words = wording(_BRIDGE)
    if declarer is None:
        return MadeContract(_("passed out"))
    over = None if tricks is None else tricks - int(contract[0]) - 6
    lead = drawn(standard_pack())[line["lead"]].text if line.get("lead") else ""
    made = "" if over is None else "=" if over == 0 else f"+{over}" if over > 0 else str(minus(over))
    return MadeContract(words.call(contract), words.seat(declarer)[1], lead, made)


def _scores(line: dict[str, Any]) -> tuple[tuple[str, str], str]:
    """Return the score in the column of the line that has it, or the words of a ruling."""
    ns, ew = line["ns_award"], line["ew_award"]
    plain = ns.get("scores", ())
    if ns != ew or len(plain) != 1:
        said = [award_said(ns, line["ns_percent"])]
        return ("", ""), joined(
            [*said, *([] if ns == ew and "percent" not in ns else [award_said(ew, line["ew_percent"])])]
        )
    score = plain[0]["score"]
    return (str(score), "") if score > 0 else ("", str(-score)) if score else ("0", "0"), ""


def _values(line: dict[str, Any]) -> tuple[tuple[str, str], tuple[str, str]]:
    points, percents = (
        (_number(line[f"ns_{key}"]), _number(line[f"ew_{key}"])) for key in ("points", "percent")
    )  # fmt: skip
    return points, percents


def _number(number: object) -> str:
    return "" if number is None else minus(str(number))


def award_said(award: dict[str, Any], counts: str | None) -> str:
    """Return what a ruling gives a side; where another percentage counts, the law that makes it so."""
    if "percent" in award:
        given, own = f"{_share(award['percent'])} %", own_percentage(award, counts)
        if own is None:
            return given
        return _("%(given)s (%(own)s %% as on its other boards, Law 12C2)", given=given, own=_share(own))
    return _(" and ").join(
        minus(each["score"]) if len(award["scores"]) == 1
        else _("%(share)s %% of %(score)s", share=_share(each["weight"]), score=minus(each["score"]))
        for each in award["scores"]
    )  # fmt: skip


def _share(percent: str) -> str:
    return decimal(f"{float(percent):g}")


def meetings(view: EveningView) -> tuple[list[tuple[str, ...]], list[list[int]]]:
    """Return who competed, and how often each two met at a table; nothing if that is too many to read."""
    entries = sorted(view.state.entries)
    if not 2 < len(entries) <= _MET:
        return [], []
    met: Counter[tuple[int, int]] = Counter()
    for round in view.state.rounds:
        for seated in view.state.tables(round).values():
            if seated.plays:
                met.update(combinations(sorted({*seated.seats}), 2))
    return [view.persons(entry) for entry in entries], [
        [met[min(one, other), max(one, other)] for other in entries] for one in entries
    ]
