"""Rules of addresses, compiled once in a process: each application of it takes them from here."""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar

from werkzeug.routing import Rule


class CompiledRule(Rule):
    """A rule that takes over what compiling an equal one has left; as many are kept as the program has rules."""

    _known: ClassVar[dict[object, dict[str, Any]]] = {}

    def compile(self) -> None:
        """Compile the rule, unless an equal one was compiled for a map of the same kind."""
        assert self.map is not None
        of_map = self.map.host_matching, self.map.sort_parameters, frozenset(self.map.converters.items())
        defaults = frozenset((self.defaults or {}).items())
        key = self.rule, self.host, self.subdomain, defaults, self.strict_slashes, self.merge_slashes, of_map
        known = self._known.get(key)
        if known is None:
            before = {name: copy(value) for name, value in vars(self).items() if name != "map"}
            super().compile()
            known = {name: value for name, value in vars(self).items() if name != "map" and before.get(name) != value}
            self._known[key] = known
        vars(self).update(known)
