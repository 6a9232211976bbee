"""Plotly's script, of it what the figures use (made by .build/plotly): served here, gzipped once, cached for good.

Plotly injects a style element, which the content security policy forbids, unless an element with its id exists:
`plotly.js-style-global`, the id of our style sheet in templates/figure_head.html.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files
from typing import Final

NAME: Final = "plotly-4.1.1.min.js"
"""The file in web/cardledger_web/static, with its version, since browsers cache it for good."""


@cache
def script() -> bytes:
    """Return the script."""
    return files("cardledger_web").joinpath("static", NAME).read_bytes()


@cache
def zipped() -> bytes:
    """Return the script gzipped: 1,026 kB become 356 kB, once a process."""
    return gzip.compress(script(), mtime=0)
