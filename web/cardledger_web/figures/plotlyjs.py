"""Plotly's script, of it what the figures use (made by .build/plotly).

Plotly injects a style element, which the content security policy forbids, unless an element with its id exists:
`plotly.js-style-global`, the id of our style sheet in templates/figure_head.html.
"""

from __future__ import annotations

from typing import Final

NAME: Final = "plotly-4.1.1.min.js"
"""The file in web/cardledger_web/static, with its version."""
