"""Figures: pure functions from rows to what Plotly draws."""

from __future__ import annotations

import json

from web.figures import running_totals


def test_lines_start_at_nought_and_follow_the_totals() -> None:
    figure = json.loads(running_totals(["ana", "ben"], [[1, -20], [3, -15]]).to_json())
    assert [line["x"] for line in figure["data"]] == [[0, 1, 2]] * 2
    assert [line["y"] for line in figure["data"]] == [[0, 1, 3], [0, -20, -15]]


def test_names_are_text_and_keep_their_direction_to_themselves() -> None:
    figure = running_totals(["<b>x</b>&", "\u202e" + "n" * 64], [[1, 2]])
    first, second = (line.name for line in figure.data)
    assert first == "\u2068&lt;b&gt;x&lt;/b&gt;&amp;\u2069"
    assert (second[0], second[-1], len(second)) == ("\u2068", "\u2069", 26)


def test_a_figure_is_small() -> None:
    assert len(running_totals(list("abcd"), [[1, 2, 3, 4]] * 10).to_json()) < 3000


def test_lines_can_be_told_apart_without_colour() -> None:
    figure = running_totals(list("abcdefgh"), [[0] * 8])
    assert len({line.marker.symbol for line in figure.data}) == 8
