"""Tests make hundreds of applications in one process: templates and addresses are compiled once for all of them.

An application is the same without it, and takes four times as long to make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Flask
from jinja2 import BytecodeCache
from werkzeug.routing import Rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2.bccache import Bucket


class Templates(BytecodeCache):
    """The code of templates, in memory, by name and text."""

    def __init__(self) -> None:
        self.code: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self.code.get((bucket.key, bucket.checksum)):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.code[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


def compile_once() -> None:
    """Let all applications of this process share what they compile."""
    Flask.jinja_options = {"bytecode_cache": Templates()}
    built: dict[tuple[object, ...], Callable[..., Any]] = {}
    build = Rule._compile_builder

    def builder(rule: Rule, append_unknown: bool = True) -> Callable[..., Any]:
        known = (rule.rule, *rule._trace, repr(rule.defaults), append_unknown)
        return built.get(known) or built.setdefault(known, build(rule, append_unknown))

    Rule._compile_builder = builder  # type: ignore[method-assign]
