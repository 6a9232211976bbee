"""What was noticed in a file is told by cause: what a result depends on is never hidden by what is frequent."""

from __future__ import annotations

import pytest

from cardledger.codes import CODES, OF_RESULTS
from cardledger.record.matches.matchfile import Warned
from cardledger.record.matches.noticed import FIRST, Noticed

OF_FORM = {
    "pbn.case", "pbn.empty", "pbn.encoding", "pbn.repeated", "pbn.table", "pbn.tag", "lin.command", "lin.empty",
    "usebio.convention", "usebio.entity", "usebio.xml",
}  # fmt: skip


def notice(code: str, line: int = 1) -> Warned:
    return Warned("club.pbn", line, code, "what was noticed")


@pytest.mark.parametrize("code", sorted(code for code in CODES if code.startswith(("pbn.", "lin.", "usebio."))))
def test_each_notice_of_a_bridge_file_is_of_a_result_or_of_form(code: str) -> None:
    assert (code in OF_RESULTS) != (code in OF_FORM)


def test_all_codes_of_results_exist() -> None:
    assert {*CODES} >= OF_RESULTS


def test_thousands_of_one_cause_hide_none_of_another() -> None:
    noticed = Noticed()
    noticed.extend(notice("pbn.repeated", line) for line in range(18_770))
    noticed.extend(notice("pbn.result", line) for line in range(17))
    noticed.append(notice("pbn.case"))
    noticed.extend(notice("pbn.score", line) for line in range(60))
    assert [(cause.code, cause.count, cause.of_result) for cause in noticed.causes] == [
        ("pbn.result", 17, True), ("pbn.score", 60, True), ("pbn.case", 1, False), ("pbn.repeated", 18_770, False)
    ]  # fmt: skip
    kept = [*noticed]
    assert [one.code for one in kept[:17]] == ["pbn.result"] * 17
    assert len(kept) == 17 + FIRST + 1 + FIRST
    assert noticed.more == 60 + 18_770 - 2 * FIRST
    assert [one.line for one in noticed.causes[3].first] == [*range(FIRST)]


def test_nothing_was_noticed() -> None:
    assert not Noticed()
    assert [*Noticed()] == []
