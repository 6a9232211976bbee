"""What people are refused is a sentence that pages can say in their language: a kind of errors, not a list of texts."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cardledger import errors

if TYPE_CHECKING:
    from collections.abc import Iterator

DOMAIN = Path(__file__).parent.parent / "ledger" / "cardledger"
ROOMS = ("rules/evenings", "record/recording", "record/people")
"""The rooms of evenings, rounds, directors, drives, members, names of people, and of recording them."""
ERRORS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
WITH_OWN_WORDS = {"NoLedgerError", "OtherProgramError", "BehindError", "ErasedError", "ConflictError"}
"""Errors that take no message: their class says it."""
OF_SENTENCES = ("Sentence", "Sentence.counted", "as_sentence", "choosing", "in_one")
PROGRAMS_ONLY = {
    "rules/evenings/shape.py:event_of": "the shape of JSON, in the words of its reader",
    "rules/evenings/shape.py:_refuse_null": "null in JSON: no form has it",
    "rules/evenings/shape.py:refuse_shape": "keys of JSON that do not go together: forms fill them in",
    "rules/evenings/shape.py:_expect_one_form": "keys of JSON that do not go together: forms fill them in",
    "rules/evenings/shape.py:_expect_one_ruling": "keys of JSON that do not go together: forms fill them in",
    "rules/evenings/shape.py:_expect_layout": "keys of JSON that do not go together: pages make the layout",
    "record/recording/discussions.py:_record": "the shape of JSON, in the words of its reader",
}
"""Functions that refuse what only programs send, each with its reason."""


def modules() -> dict[str, ast.Module]:
    """Return the modules of the rooms by their paths."""
    paths = (path for room in ROOMS for path in sorted((DOMAIN / room).rglob("*.py")))
    return {path.relative_to(DOMAIN).as_posix(): ast.parse(path.read_text()) for path in paths}


def unsaid(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield where errors are made whose message is no sentence: the function and the line."""
    within = {id(node): function.name for function in functions(tree) for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in ERRORS - WITH_OWN_WORDS:
            given = [*node.args, *(each.value for each in node.keywords if each.arg == "message")]
            one = name in ("BusyError", "LostError", "ReadOnlyError", "UnreadyError")
            if not is_sentence(given[0 if one else 1], tree, within.get(id(node))):
                yield within.get(id(node), ""), node.lineno


def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """Return the functions of a module, those within others last."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def is_sentence(value: ast.expr, tree: ast.Module, function: str | None) -> bool:
    """Tell whether a value can only be a sentence: one that is made there, of a name that holds one, or of an error."""
    match value:
        case ast.IfExp(body=one, orelse=other):
            return is_sentence(one, tree, function) and is_sentence(other, tree, function)
        case ast.Call(func=ast.Name("advising"), args=[said]):
            return is_sentence(said, tree, function)
        case ast.Call():
            return ast.unparse(value.func) in OF_SENTENCES
        case ast.Attribute(attr="message"):
            return True  # of an error that was caught: it is judged where it is made
        case ast.Name(id=name):
            return all(found) if (found := [*held(name, tree, function)]) else False
    return False


def held(name: str, tree: ast.Module, function: str | None) -> Iterator[bool]:
    """Yield for all that a name is given in a function whether it is a sentence."""
    for each in functions(tree):
        if each.name == function:
            for node in ast.walk(each):
                match node:
                    case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                        yield is_sentence(value, tree, function)
                    case ast.arg(arg=target, annotation=ast.Name(id=kind)) if target == name:
                        yield kind == "Sentence"


def test_what_evenings_and_people_refuse_is_said_in_sentences() -> None:
    found = {f"{path}:{function}": line for path, tree in modules().items() for function, line in unsaid(tree)}
    assert {place: line for place, line in found.items() if place not in PROGRAMS_ONLY} == {}
    assert PROGRAMS_ONLY.keys() <= found.keys(), "an exception that nothing needs"


@pytest.mark.parametrize(
    ("said", "fine"),
    [
        ('Sentence("no")', True),
        ('advising(Sentence("no"))', True),
        ('Sentence("no") if 1 else Sentence("yes")', True),
        ("error.message", True),
        ('"no"', False),
        ('f"no {one}"', False),
        ('advising("no")', False),
        ('"no" + one', False),
        ('Sentence("no") if 1 else "yes"', False),
        ("words", False),
    ],
)
def test_the_kind_is_recognised(said: str, fine: bool) -> None:
    tree = ast.parse(f'def refuse(one, words: str):\n    raise RuleError("a.b", {said})')
    assert bool([*unsaid(tree)]) is not fine
