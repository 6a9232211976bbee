"""QR codes, as pictures within a page."""

from __future__ import annotations

from typing import Any

import segno
from markupsafe import Markup

_BORDER = 4
"""Empty modules around the code, which QR readers need."""


_LARGEST = 25
"""Version of the largest code that a phone reads well from paper: 117 squares a side."""


def qr_code(text: str, digits: str = "") -> Markup | None:
    """Return a QR code as an SVG that scales; dark on light in every colour scheme, so that cameras can read it.

    Digits behind a text take the least room; such a code has less to spare for dirt. None if it would be too large.
    """
    parts: Any = [text, digits] if digits else text  # its types do not know of several parts
    code = segno.make(parts, error="l" if digits else "m", micro=False, boost_error=not digits)
    if digits and int(code.version) > _LARGEST:
        return None
    return Markup(code.svg_inline(omitsize=True, border=_BORDER, light="#fff", lineclass=None, svgclass="code"))  # noqa: S704 - drawn of squares alone
