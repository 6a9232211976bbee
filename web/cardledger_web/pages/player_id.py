"""Player ids in addresses: any characters, slashes and dots included, in one part of the path."""

from __future__ import annotations

from urllib.parse import unquote

from werkzeug.routing import BaseConverter, ValidationError


class PlayerId(BaseConverter):
    """A player id, its slashes and percent signs percent-encoded once more than the path itself.

    A server removes one encoding before it looks for slashes, and browsers resolve `.` and `..` even if encoded once;
    two encodings arrive intact.
    """

    def to_python(self, value: str) -> str:
        """Return the player id; an address that is not text does not exist."""
        try:
            return unquote(value, errors="strict")
        except UnicodeDecodeError:
            raise ValidationError from None

    def to_url(self, value: str) -> str:
        """Return the part of an address for a player id."""
        text = value.replace("%", "%25").replace("/", "%2F")
        if not text.strip("."):
            text = text.replace(".", "%2E")
        return super().to_url(text)
