"""QR codes, as pictures within a page."""

from __future__ import annotations

from typing import Any

import segno
from markupsafe import Markup

_BORDER = 4
"""Empty modules around the code, which QR readers need."""


_LARGEST = 25
"""Version of the largest code that a phone reads well from paper: 117 squares a side."""


def qr_code(text: str) -> Markup:
    """Return a QR code as an SVG that scales; dark on light in every colour scheme, so that cameras can read it."""
    return _drawn(segno.make(text, error="m", micro=False))


def qr_code_with(text: str, digits: str) -> Markup | None:
    """Return a QR code of a text and digits behind it, which take the least room; None if it would be too large.

    It has less to spare for dirt than others.
    """
    parts: Any = [text, digits]  # its types do not know of several parts
    code = segno.make(parts, error="l", micro=False, boost_error=False)
    return _drawn(code) if int(code.version) <= _LARGEST else None


def _drawn(code: segno.QRCode) -> Markup:
    return Markup(code.svg_inline(omitsize=True, border=_BORDER, light="#fff", lineclass=None, svgclass="code"))  # noqa: S704 - drawn of squares alone
