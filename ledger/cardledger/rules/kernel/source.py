"""Writes the kernel of a game as a module.

The source of its own rules and of its bot's card, and the play of tricks around them.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from cardledger.rules.engine.cards import Pack
from cardledger.rules.engine.fields import option_fields
from cardledger.rules.engine.game import Game
from cardledger.rules.engine.phases import Bids, Calls, Draws, Duty, Exchange, StockHand, Ties
from cardledger.rules.kernel import before, likelihood, recorded, tricks, turns, twister, worlds
from cardledger.rules.kernel.fit import SEATS
from cardledger.rules.kernel.subset import before_play, growing_fields, numbers_of, play_of, tree_of

STOCK = 64
"""Most cards of a stock."""
SIZES = {"trick": "count", "seats": "size"}
"""Lists of a hand that grow, and the fields with their lengths."""
COUNTED = "{}_count"
"""The field with the length of another list that grows."""
MORE = ("turn", "before", "step", "count", "size", "playing", "gone", "drawing", "known", "ordered", "took", "cited")
"""Numbers that the kernel adds to those of a hand: the seat due, whether the play has yet to come, by how many seats
passed cards move on, the cards in the trick, the seats of the trick, which seats play, the cards of tricks taken,
whether a draw is due, how many cards of the stock are known by place (-1: it is not shuffled again), the length of its
known order (0: none), who took the last trick, and by which rule.
"""
WRITTEN = tricks, before, worlds, likelihood, recorded, turns, twister
"""The modules that are written into kernels, around the rules of a game."""
ENTRIES = {
    "play_out": "RECORDS, RECORDS, uint64[::1], float64[::1], int64[:, ::1]",
    "trials": "RECORDS, RECORDS, int64, int64, int64[::1], int64[:, ::1], "
    "int64[:, ::1], int64[:, ::1], uint64[::1], int64[::1],"
    " float64[::1], int64[:, ::1]",
    "weigh": "RECORDS, RECORDS, int64[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], uint64[::1], RECORDS, "
    "int64[::1], int64[::1], int64[:, ::1], int64, int64[::1], int64[::1], float64[::1], int64[:, ::1], float64[::1]",
    "play_turns": "RECORDS, RECORDS, uint64[::1], float64[::1], int64[:, ::1]",
    "try_turns": "RECORDS, RECORDS, int64, int64, uint64[::1], int64[::1], float64[::1], int64[:, ::1]",
    "fold": "RECORDS, INTS, int64[:, ::1], INTS, INTS, int64, int64[:, "
    "::1], int64[::1], INTS, INTS, BYTES, INTS, INTS, INTS, INTS,"
    " INTS, SHORTS, BYTES, SHORTS, INTS, BYTES, SHORTS, INTS,"
    " RECORDS, int8[::1], int64[::1], int64[::1], int64[:, ::1], int64[:, ::1], "
    "int64[:, ::1], int8[::1], int8[::1], int16[::1], int16[::1], int64[::1],"
    " RECORDS",
    "deal_out": "INTS, INTS, INTS, INTS, INTS, INTS, INTS, int64, INTS, "
    "INTS, SHORTS, INTS, BYTES, INTS, INTS, SHORTS, INTS, BYTES,"
    " int64[:, ::1], int64[::1], int8[::1], boolean[::1]",
}
"""The functions that Python calls, with the types of what they take."""
PLAY, FOLD = ("play_out", "trials", "weigh"), ("fold", "deal_out")
"""The functions of the two kernels of a game: the one plays hands, the other judges those that were played."""


def fields_of(game: Game[Any]) -> list[tuple[str, int]]:
    """Return the fields of a hand as a record, and how many numbers each has."""
    if game.collecting is not None:
        return [*turns.FIELDS, *((name, 1) for name in option_fields(game.hand))]  # type: ignore[arg-type] # classes do hash
    growing = growing_fields(game.hand)
    own = [
        (name, growing.get(name, SEATS) if kind == "ints" else 1)
        for name, kind in sorted(numbers_of(game.hand).items())
    ]
    more = [
        *((name, 1) for name in (*MORE, *(COUNTED.format(name) for name in growing))),
        *((("stock_order", STOCK),) if issubclass(game.hand, StockHand) else ()),
    ]
    return [*own, *more]


def module_text(game: Game[Any], pack: Pack, entries: Sequence[str] = PLAY) -> str:
    """Return the text of a game's kernel with some functions that Python calls."""
    return _Writer(game, pack).text(entries)


class _Writer:
    """Collects what a kernel needs: constants and functions, each once, by the names they get there."""

    def __init__(self, game: Game[Any], pack: Pack) -> None:
        self.game = game
        self.lists: set[str] = set()
        self.sizes: dict[str, str] = {}
        self.flags: dict[str, bool] = {}
        self.parts: dict[str, str] = {}
        self.names: dict[tuple[str, str], str] = {}
        self.out: list[str] = []
        self.words = {"": 0}
        self.loops = 0
        if game.collecting is None:
            self.of_tricks(game, pack)
        else:
            self.parts = {name: self.function(part) for name, part in game.collecting._asdict().items()}
            faces = sorted(pack.faces)
            self.parts["BY_TEXT"] = self.constant("BY_TEXT", [faces.index(face) for face in pack.faces])

    def of_tricks(self, game: Game[Any], pack: Pack) -> None:
        """Write the rules of a game of tricks."""
        play, bot = play_of(game), game.study.bot
        assert play is not None
        assert bot is not None
        self.lists = {name for name, kind in numbers_of(game.hand).items() if kind == "ints"}
        self.sizes = SIZES | {name: COUNTED.format(name) for name in growing_fields(game.hand)}
        between = play.between
        pays = next((phase.pays for phase in game.phases if phase.pays is not None), None)
        parts: dict[str, Callable[..., Any] | None] = {
            "taker": play.taker, "next_lead": play.next_lead, "after_trick": play.after_trick, "opened": play.opened,
            "due": between.due if isinstance(between, Draws) else None,
            "after_tie": between.after_tie if isinstance(between, Ties) else None,
            "scores": game.scoring.scores, "score": game.scoring.points, "card_of": bot.card,
            "first_card": play.first_card,
            "may_pass": between.may_pass if isinstance(between, Ties) else None,
            "bars_pass": between.bars_pass if isinstance(between, Ties) else None,
            "may_pay": None if pays is None else pays[1],
        }  # fmt: skip
        duties = {"lead": play.leading.duties, "follow": play.following.duties}
        if play.changes:
            duties |= {"later_lead": play.leading_later.duties, "later_follow": play.following_later.duties}
        begun = before_play(game)
        if begun is not None:
            parts["first_lead"] = play.first_lead
        if isinstance(begun, Bids):
            parts |= {"highest_bid": begun.highest, "barred": begun.barred, "bid_of": bot.bid}
        if isinstance(begun, Exchange):
            parts["give_of"] = bot.give
        if isinstance(begun, Calls):
            assert begun.in_numbers is not None
            parts |= {"next_caller": begun.in_numbers.next_caller, "call_of": bot.call}
        self.flags = {
            **{name.upper(): bool(duty) for name, duty in duties.items()},
            "LATER_LEAD": play.changes and bool(play.lead), "LATER_FOLLOW": play.changes and bool(play.follow),
            "AFTER_TRICK": play.after_trick is not None, "NEXT_LEAD": play.next_lead is not None,
            "OPENED": play.opened is not None, "DRAWS": isinstance(between, Draws), "TIES": isinstance(between, Ties),
            "SCORES": game.scoring.scores is not None, "FIRST_CARD": play.first_card is not None,
            "BIDS": isinstance(begun, Bids), "EXCHANGE": isinstance(begun, Exchange), "CALLS": isinstance(begun, Calls),
            "BARRED": parts.get("barred") is not None, "FIRST_LEAD": parts.get("first_lead") is not None,
            "PASSES": isinstance(between, Ties) and between.bars_pass is not None, "PAID": pays is not None,
            "TURN": play.turn_rule is not None,
        }  # fmt: skip
        self.parts = {name: self.function(part) for name, part in parts.items() if part is not None}
        self.parts |= {name: self.joint(name, [duty.cards for duty in some]) for name, some in duties.items()}
        self.parts |= {
            "broken_lead": self.first_broken("lead", play.lead),
            "broken_follow": self.first_broken("follow", play.follow),
        }
        if isinstance(between, Ties):
            for name in ("tie_rule", "removed_rule", "pass_rule"):
                self.parts[name.upper()] = self.constant(name.upper(), getattr(between, name))
        if isinstance(begun, Bids):
            self.parts |= {
                "LOWEST": self.constant("LOWEST", begun.lowest),
                "WORDS": self.constant("WORDS", begun.words),
            }
        if isinstance(begun, Exchange):
            self.parts["COUNT"] = self.constant("COUNT", begun.count)
        if play.turn_rule is not None:
            self.parts["TURN_RULE"] = self.constant("TURN_RULE", play.turn_rule)
            self.parts["LEAD_RULE"] = self.constant("LEAD_RULE", play.lead_rule)
        if pays is not None:
            self.parts["PAY_RULE"] = self.constant("PAY_RULE", pays[0])
        self.parts["KIN"] = self.constant("KIN", game.orders.kin)
        self.parts["ALIKE"] = self.constant("ALIKE", pack.alike)

    def text(self, entries: Sequence[str]) -> str:
        """Return the whole module."""
        for name in entries:
            self.function(next(getattr(module, name) for module in WRITTEN if hasattr(module, name)))
        kinds = [
            (name, "i8") if size == 1 else (name, "i8", size) for name, size in fields_of(self.game)
        ]  # every number has 64 bits, so a hand is packed in one go
        return "\n\n".join([
            f'"""The kernel of {self.game.id}, written from the source of its rules: not to be edited."""',
            "from cardledger.rules.kernel.numbers import *",
            f"STATE = np.dtype({[*kinds, ('chance', 'u8')]!r})\nRECORDS = record(STATE)",
            *self.out,
            f"RULES = {[*self.words]!r}",
        ])  # fmt: skip

    def joint(self, name: str, duties: Sequence[Callable[..., Any]]) -> str:
        """Write one duty for several, and return its name."""
        lines = "".join(f"    legal &= {self.function(duty)}(hand, held)\n" for duty in duties)
        self.out.append(f"@njit\ndef all_{name}(hand, held):\n    legal = held\n{lines}    return legal")
        return f"all_{name}"

    def first_broken(self, name: str, duties: Sequence[Duty]) -> str:
        """Write the function that names the first duty a card breaks, and return its name."""
        binds = {"all": "", "first": "not hand.tricks_done and ", "later": "hand.tricks_done and "}
        lines = "".join(
            f"    if {binds[duty.tricks]}not {self.function(duty.cards)}(hand, held) >> card & 1:\n"
            f"        return {self.value(duty.rule)}\n"
            for duty in duties
        )
        self.out.append(f"@njit\ndef broken_{name}(hand, held, card):\n{lines}    return 0")
        return f"broken_{name}"

    def constant(self, name: str, value: Any) -> str:
        """Write a constant, and return its name: lists and tuples become arrays, texts numbers."""
        self.out.append(f"{name} = {self.value(value)}")
        return name

    def value(self, value: Any) -> str:
        """Return a constant as it is written."""
        if isinstance(value, str):
            return repr(self.words.setdefault(value, len(self.words)))
        if isinstance(value, bool | int | float):
            return repr(value)
        if isinstance(value, dict):
            return f"np.array({[value.get(key, 0) for key in range(max(value) + 1)]!r})"
        return f"np.array({value!r})"

    def function(self, function: Callable[..., Any]) -> str:
        """Write a function and what it uses, and return its name."""
        module, own = function.__module__, function.__name__
        key = (module, own)
        if key not in self.names:
            self.names[key] = f"{module.removeprefix('cardledger.rules.').replace('.', '_')}__{own}"
            tree = tree_of(function)
            assert isinstance(tree, ast.FunctionDef)
            copy = ast.parse(ast.unparse(tree)).body[0]
            written = ast.unparse(ast.fix_missing_locations(_Translator(self, sys.modules[module], copy).visit(copy)))
            entry = f"entry({ENTRIES[own]})" if sys.modules[module] in WRITTEN and own in ENTRIES else "njit"
            self.out.append(f"@{entry}\n{written}")
        return self.names[key]

    def taken(self, module: ModuleType, name: str) -> str | None:
        """Return what a name of a module is called in the kernel; None if it stays as it is."""
        if module in WRITTEN and name in self.parts:
            return self.parts[name]
        value = getattr(module, name, None)
        if value is None or isinstance(value, ModuleType | type):
            return None
        if isinstance(value, FunctionType | BuiltinFunctionType):
            return self.function(value)
        return self.named_constant(module, name, value)

    def named_constant(self, module: ModuleType, name: str, value: Any) -> str:
        """Write a constant of a module, once."""
        key = (module.__name__, name)
        if key not in self.names:
            prefix = module.__name__.removeprefix("cardledger.rules.").replace(".", "_")
            self.names[key] = self.constant(f"{prefix}__{name.replace('.', '__')}", value)
        return self.names[key]


class _Translator(ast.NodeTransformer):
    """Rewrites one function of the subset for the kernel."""

    def __init__(self, writer: _Writer, module: ModuleType, tree: Any) -> None:
        self.writer, self.module = writer, module
        stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self.local = {argument.arg for argument in tree.args.args} | stored

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:  # the names of ast
        """Drop annotations and the docstring."""
        node.name, node.returns = self.writer.names[self.module.__name__, node.name], None
        for argument in node.args.args:
            argument.annotation = None
        if ast.get_docstring(node):
            node.body = node.body[1:]
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Drop the annotation of a variable."""
        assert node.value is not None
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Name functions and constants as the kernel does."""
        if node.id in self.local or not isinstance(node.ctx, ast.Load):
            return node
        return ast.Name(self.writer.taken(self.module, node.id) or node.id, node.ctx)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Texts are numbers."""
        return ast.parse(self.writer.value(node.value), mode="eval").body

    def visit_If(self, node: ast.If) -> Any:
        """Leave out what the game does not have."""
        tests = node.test.values if isinstance(node.test, ast.BoolOp) else [node.test]
        flag = tests[0].id if self.module in WRITTEN and isinstance(tests[0], ast.Name) else ""
        if flag.isupper():
            if not self.writer.flags.get(flag) or len(tests) == 1:
                chosen = node.body if self.writer.flags.get(flag) else node.orelse
                return [found for one in chosen for found in _listed(self.visit(one))]
            node.test = tests[1]
        node.test = self.truth(node.test)
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """The truth of a list is its length."""
        node.test = self.truth(node.test)
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """The same between `and` and `or`."""
        node.values = [self.truth(value) for value in node.values]
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """The same after `not`."""
        if isinstance(node.op, ast.Not):
            node.operand = self.truth(node.operand)
        return self.generic_visit(node)

    def truth(self, node: ast.expr) -> ast.expr:
        """Return what a test asks for."""
        if field_of(node) in self.writer.sizes:
            return ast.parse(f"hand.{self.writer.sizes[str(field_of(node))]} != 0", mode="eval").body
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """A list of the hand ends with its last seat; a table of a card order is a constant."""
        name = field_of(node)
        if name in self.writer.lists:
            return ast.parse(f"hand.{name}[:hand.{self.writer.sizes.get(str(name), 'n')}]", mode="eval").body
        if name is None and isinstance(node.value, ast.Name) and node.value.id not in self.local:
            holder = getattr(self.module, node.value.id, None)
            if isinstance(holder, tuple):
                value = getattr(holder, node.attr)
                return ast.Name(
                    self.writer.named_constant(self.module, f"{node.value.id}.{node.attr}", value), ast.Load()
                )
            return node
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """One number of a list of the hand needs no end, unless it is counted from there."""
        if field_of(node.value) in self.writer.lists and not isinstance(node.slice, ast.UnaryOp | ast.Slice):
            node.slice = self.visit(node.slice)
            return node
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The length of a list of the hand is a number; a list written as an argument is a tuple."""
        if isinstance(node.func, ast.Name) and node.func.id == "len" and field_of(node.args[0]) in self.writer.sizes:
            return ast.parse(f"hand.{self.writer.sizes[str(field_of(node.args[0]))]}", mode="eval").body
        node.args = [ast.Tuple(one.elts, ast.Load()) if isinstance(one, ast.List) else one for one in node.args]
        return self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """A list with the same number for every seat is an array."""
        if isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List):
            return ast.parse(
                f"np.full({ast.unparse(self.visit(node.right))}, {ast.unparse(self.visit(node.left.elts[0]))})",
                mode="eval",
            ).body
        return self.generic_visit(node)

    def visit_List(self, node: ast.List) -> ast.AST:
        """So is any other list."""
        self.generic_visit(node)
        return ast.parse(f"np.array({ast.unparse(node)})", mode="eval").body

    def visit_For(self, node: ast.For) -> Any:
        """`for card in cards_in(cards)` becomes a loop over bits."""
        cards = node.iter
        if not (isinstance(cards, ast.Call) and isinstance(cards.func, ast.Name) and cards.func.id == "cards_in"):
            return self.generic_visit(node)
        self.writer.loops += 1
        rest = f"rest_{self.writer.loops}"
        assert isinstance(node.target, ast.Name)
        loop = ast.parse(
            f"{rest} = {ast.unparse(self.visit(cards.args[0]))}\n"
            f"while {rest}:\n"
            f"    {node.target.id} = ({rest} & -{rest}).bit_length() - 1\n"
            f"    {rest} &= {rest} - 1"
        ).body
        assert isinstance(loop[1], ast.While)
        loop[1].body += [found for one in node.body for found in _listed(self.visit(one))]
        return loop


def field_of(node: ast.AST) -> str | None:
    """Return the field of the hand that an expression reads."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "hand":
        return node.attr
    return None


def _listed(nodes: Any) -> list[Any]:
    """Return what a visit gave as a list."""
    return nodes if isinstance(nodes, list) else [nodes]
