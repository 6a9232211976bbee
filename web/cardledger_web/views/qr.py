"""QR codes, as pictures within a page."""

from __future__ import annotations

import segno
from markupsafe import Markup

_BORDER = 4
"""Empty modules around the code, which QR readers need."""


def qr_code(text: str) -> Markup:
    """Return a QR code as an SVG that scales; dark on light in every colour scheme, so that cameras can read it."""
    code = segno.make(text, error="m", micro=False)
    return Markup(code.svg_inline(omitsize=True, border=_BORDER, light="#fff", lineclass=None, svgclass="code"))  # noqa: S704 - drawn of squares alone
