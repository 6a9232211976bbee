"""The part of Python that rules and policies are written in, and what of a function is outside of it, by file and line."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from cardledger.rules.engine.game import Game
from cardledger.rules.engine.phases import Bids, Calls, Exchange, TrickPlay

NODES = (
    ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.If, ast.IfExp, ast.For,
    ast.While, ast.Break, ast.Continue, ast.Raise, ast.Expr, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Subscript,
    ast.Slice, ast.Attribute, ast.Call, ast.Name, ast.Constant, ast.Tuple, ast.List, ast.expr_context, ast.operator,
    ast.unaryop, ast.boolop, ast.cmpop,
)  # fmt: skip
CALLS = {"len", "range", "min", "max", "abs", "enumerate", "divmod", "round", "cards_in", "AssertionError"}
METHODS = {"bit_count", "bit_length", "index"}
NUMBERS: dict[Any, str] = {"int": "int", int: "int", "bool": "bool", bool: "bool"}
"""Types of fields that are numbers, written or as they are."""
LISTED = ("trick", "seats", "acts_for")
"""Lists of a hand that are not by seat."""


def play_of(game: Game[Any]) -> TrickPlay | None:
    """Return the last phase of a game, if it is the play of tricks."""
    last = game.phases[-1]
    return last if isinstance(last, TrickPlay) else None


def before_play(game: Game[Any]) -> Bids | Exchange | Calls | None:
    """Return the phase between the deal and the play that a kernel has.

    None if there is none, or if it is left to the live table.
    """
    bot, between = game.study.bot, game.phases[1:-1]
    if len(between) != 1 or bot is None:
        return None
    match between[0]:
        case Bids() as bids if bot.bid is not None:
            return bids
        case Exchange() as exchange if bot.give is not None:
            return exchange
        case Calls() as calls if (
            bot.call is not None and calls.in_numbers is not None and "calls" in growing_fields(game.hand)
        ):
            return calls
    return None


def rules_of(game: Game[Any]) -> tuple[Callable[..., Any], ...]:
    """Return the functions of a game that are written in the subset: its rules, and what its bot chooses."""
    play, bot = play_of(game), game.study.bot
    found = game.rules() if bot is None else (*game.rules(), *bot.rules())
    if play is None or play.first_lead is None or before_play(game) is None:
        return found
    return *found, play.first_lead


def outside(game: Game[Any]) -> list[str]:
    """Say what in a game's rules and in the cards its bot chooses is outside the subset."""
    looking = Outside(game.hand)
    for rule in rules_of(game):
        looking.look(rule)
    return looking.found


def numbers_of(hand: type) -> dict[str, str]:
    """Return the fields of a hand that rules may use, and whether each is an `int`, a `bool` or a list (`ints`)."""
    kinds = {}
    for f in fields(hand):
        if "start" in f.metadata or "most" in f.metadata or f.name in LISTED:
            kinds[f.name] = "ints"
        elif f.type in NUMBERS:
            kinds[f.name] = NUMBERS[f.type]
    return kinds


def growing_fields(hand: type) -> dict[str, int]:
    """Return the lists of a hand that grow, and the most numbers each may have."""
    return {f.name: f.metadata["most"] for f in fields(hand) if "most" in f.metadata}


class Outside:
    """Looks through a rule and the functions it calls; `found` says what of them is outside the subset.

    `hand` is the type of the game's hands: a rule reads and writes fields of it that are ints, bools or lists of ints.
    """

    def __init__(self, hand: type) -> None:
        self.known = {*numbers_of(hand)}
        self.seen: set[Any] = set()
        self.found: list[str] = []

    def look(self, function: Callable[..., Any]) -> None:
        """Look through a function."""
        if function in self.seen:
            return
        self.seen.add(function)
        module, tree = sys.modules.get(getattr(function, "__module__", None) or ""), tree_of(function)
        where = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', function)}"
        if isinstance(tree, str):
            self.found.append(f"{where} {tree}")
            return
        assert module is not None
        for line, what in self.outside(tree, module):
            self.found.append(f"{where}:{line} {what}")

    def outside(self, tree: ast.FunctionDef, module: ModuleType) -> Iterator[tuple[int, str]]:
        """Yield the lines outside the subset."""
        declared = {
            id(node)
            for part in (tree.returns, *(a.annotation for a in tree.args.args), *declared_types(tree))
            if part is not None
            for node in ast.walk(part)
        }
        for node in ast.walk(tree):
            line = getattr(node, "lineno", tree.lineno)
            if id(node) in declared:
                continue
            if not isinstance(node, NODES):
                yield line, f"uses {type(node).__name__}"
            elif isinstance(node, ast.Constant):
                if not isinstance(node.value, int | float | str):
                    yield line, f"has the constant {node.value!r}"
            elif isinstance(node, ast.Attribute):
                yield from self.attribute(node, module)
            elif isinstance(node, ast.Call):
                yield from self.call(node, module)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                value = getattr(module, node.id, None)
                if isinstance(value, set | frozenset) or isinstance(value, dict) and not small_ints(value):
                    yield line, f"uses {node.id}, a {type(value).__name__}"

    def attribute(self, node: ast.Attribute, module: ModuleType) -> Iterator[tuple[int, str]]:
        """A field of the hand, a table of a card order, or a method of a number."""
        if node.attr in METHODS:
            return
        if isinstance(node.value, ast.Name):
            if node.value.id == "hand":
                if node.attr not in self.known:
                    yield node.lineno, f"reads hand.{node.attr}, which is no int, bool or list of ints"
                return
            if isinstance(getattr(module, node.value.id, None), tuple) and node.attr in ("suit", "kin", "power"):
                return
        yield node.lineno, f"reads {ast.unparse(node)}"

    def call(self, node: ast.Call, module: ModuleType) -> Iterator[tuple[int, str]]:
        """Another rule, a method of a number, or one of a few functions of Python."""
        name = node.func
        if node.keywords:
            yield node.lineno, f"calls {ast.unparse(name)} with names of arguments"
        if isinstance(name, ast.Attribute):
            if name.attr not in METHODS:
                yield node.lineno, f"calls {ast.unparse(name)}"
            return
        if not isinstance(name, ast.Name):
            yield node.lineno, f"calls {ast.unparse(name)}"
            return
        called = getattr(module, name.id, None)
        if isinstance(called, FunctionType | BuiltinFunctionType) and name.id not in CALLS:
            self.look(called)
        elif name.id not in CALLS:
            yield node.lineno, f"calls {name.id}"


def declared_types(tree: ast.FunctionDef) -> list[ast.expr]:
    """Return what variables of a function are declared as."""
    return [node.annotation for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)]


def small_ints(value: dict[Any, Any]) -> bool:
    """Say whether a dict is a table with small numbers as keys."""
    return all(isinstance(key, int) for key in value)


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text())


def tree_of(function: Callable[..., Any]) -> ast.FunctionDef | str:
    """Return the syntax tree of a function, from its source file; a text says why it has none that a kernel can use.

    The source of a compiled module lies beside it.
    """
    name = getattr(function, "__qualname__", "")
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    if module is None or module.__file__ is None:
        return "is no function of a source file"
    if "<lambda>" in name:
        return "has no name: rules are functions, not lambdas"
    if "<locals>" in name:
        return "is made by another function: rules stand in a module"
    path = Path(module.__file__)
    for node in parsed(path if path.suffix == ".py" else path.with_name(path.name.partition(".")[0] + ".py")).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    return "is not found in its file"
