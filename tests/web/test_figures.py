"""Figures: pure functions from rows to what Plotly draws, and to pictures."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

from cardledger_web.figures import linked, records, stats
from cardledger_web.figures.figures import running_totals
from cardledger_web.figures.linked import FieldPlayer, FigureMark
from cardledger_web.figures.picture import NARROW, WIDE, colours, picture, picture_file, pictures


def test_lines_start_at_0_and_follow_the_totals() -> None:
    figure = json.loads(running_totals(["ana", "ben"], [[1, -20], [3, -15]]).to_json())
    assert [line["x"] for line in figure["data"]] == [[0, 1, 2]] * 2
    assert [line["y"] for line in figure["data"]] == [[0, 1, 3], [0, -20, -15]]


def test_names_are_text_and_their_writing_direction_stays_inside() -> None:
    figure = running_totals(["<b>x</b>&", "\u202e" + "n" * 64], [[1, 2]])
    first, second = (line.name for line in figure.data)
    assert first == "\u2068&lt;b&gt;x&lt;/b&gt;&amp;\u2069"
    assert (second[0], second[-1], len(second)) == ("\u2068", "\u2069", 26)


def test_figures_have_a_small_size() -> None:
    assert len(running_totals(list("abcd"), [[1, 2, 3, 4]] * 10).to_json()) < 3000


def test_lines_can_be_distinguished_without_colour() -> None:
    figure = running_totals(list("abcdefgh"), [[0] * 8])
    assert len({line.marker.symbol for line in figure.data}) == 8


# --- pictures

SPANS = [(1.0, 0.5, 1.5), (2.0, None, None)]
PLACES = [
    FigureMark(at, value, f"<{at}>", f"/there?a={at}&b=1") for at, value in (("2026-11-21", 2.0), ("2027-03-05", -7.5))
]
LINKED = [
    linked.standings(
        [FieldPlayer(name, f"/{name}", (3.0, 2.0, 4.0)) for name in "abc"],
        1,
        [("as scored", "circle-open", 9.0)],
        2.5,
        "points",
    ),
    linked.evenings(PLACES, "points"),
    linked.months(PLACES, SPANS, [1.0, 2.0], "points"),
    linked.nights([FigureMark(mark.at, 9, mark.text, mark.address) for mark in PLACES], "hands"),
    linked.apart(PLACES, [True, False]),
]
DRAWN = [
    running_totals(["ana", "<b>x</b>&"], [[1, -20], [3, -15]]),
    running_totals(list("abcdefgh"), [[0] * 8]),
    records.bars([*"abcdefghijklmnop"], list(range(16, 0, -1)), "violations"),
    records.by_month(["2026-11", "2016-01"], [2, 1], "violations"),
    records.form(["2026-11-21"] * 3, [1, 2, 3], [1, 1, 2]),
    records.ahead("ana", ["2026-11-21"], [-3]),
    stats.forest(["a", "b"], SPANS, [(1.0, 0.5, 1.5), None], "points a hand"),
    stats.groups(["2026-10", "2026-11"], SPANS, [1.0, None], "points", "month"),
    stats.history(["2026-11-21"] * 20, [25.0] * 20, [8.0] * 20),
    stats.spread([*range(-200, 200)], [1] * 400),
    stats.means(["1", "2"], SPANS, "points", "place from the dealer"),
    stats.worths(["A", "K"], {"♣": {0: SPANS[0], 1: SPANS[1]}, "♥": {1: SPANS[0]}}, "points"),
    *LINKED,
]


def test_every_figure_is_a_small_picture_with_every_text_in_it() -> None:
    for figure in DRAWN:
        for width in (NARROW, WIDE):
            root = ElementTree.fromstring(picture(figure.to_plotly_json(), "Totals <&>", width))
            _, _, wide, high = map(float, root.attrib["viewBox"].split())
            assert root.attrib["aria-label"] == "Totals <&>"
            places = [(float(text.attrib["x"]), float(text.attrib["y"])) for text in root.iter("text")]
            assert places
            assert all(0 <= x <= wide and 0 <= y <= high for x, y in places)
            numbers = [float(n) for path in root.iter("path") for n in re.findall(r"M(-?[\d.]+),", path.attrib["d"])]
            assert all(-1 <= x <= wide + 1 for x in numbers)
        assert len(pictures(figure, "Totals")) < 12_000


def test_lines_of_a_picture_end_at_the_totals() -> None:
    root = ElementTree.fromstring(
        picture(running_totals(["ana", "ben"], [[10, 0], [20, 0]]).to_plotly_json(), "Totals", WIDE)
    )
    ticks = {
        text.text: float(text.attrib["y"]) - 4.5
        for text in root.iter("text")
        if text.attrib.get("text-anchor") == "end"
    }
    ends = [path.attrib["d"].rpartition(",")[2] for path in root.iter("path") if path.attrib.get("fill") == "none"]
    assert [float(end) for end in ends] == [ticks["20"], ticks["0"]]


def test_a_picture_is_described_in_words_with_names_as_text() -> None:
    drawn = picture(DRAWN[0].to_plotly_json(), "Totals", WIDE)
    assert "<b>" not in drawn
    assert "ana\u2069: 3" in ElementTree.fromstring(drawn).findtext("desc")
    assert "a\u2069: 16" in ElementTree.fromstring(picture(DRAWN[2].to_plotly_json(), "Violations", WIDE)).findtext(
        "desc"
    )


def test_a_picture_of_its_own_has_the_colours_of_the_pages_for_light_and_dark() -> None:
    light, dark = colours()
    assert (len(light), len(dark)) == (8, 8)
    drawn = picture_file(DRAWN[0], "Totals")
    assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
    assert light[0] in drawn
    assert dark[0] in drawn.partition("prefers-color-scheme:dark")[2]


def test_an_interval_far_wider_than_most_runs_out_of_the_picture() -> None:
    ordinary = [(float(i), i - 1.0, i + 1.0) for i in range(8)]
    figure = stats.forest([*"abcdefghi"], [*ordinary, (3.0, -90.0, 96.0)], [*ordinary, None], "points a hand")
    low, high = figure.layout.xaxis.range
    assert (low, high) == (-1.27, 8.27), "room for all the others"
    svg = picture(figure.to_plotly_json(), "Compared", WIDE)
    (along,) = re.findall(r'data-x="\S+ \S+ (\S+) (\S+)"', svg)
    ends = [float(end) for line in re.findall(r"M([\d.-]+),[\d.-]+H([\d.-]+)(?=[M\"])", svg) for end in line]
    assert min(ends) >= float(along[0]) - 11
    assert max(ends) <= float(along[1]) + 11
