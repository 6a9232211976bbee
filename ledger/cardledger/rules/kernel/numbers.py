"""What the kernels of all games stand on: ints as sets of cards, in numba. Only a kernel imports this."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload_method

__all__ = [
    "BYTES", "INTS", "SHORTS", "boolean", "entry", "float64", "int8", "int16", "int64", "njit", "np", "record", "uint64",
]  # fmt: skip

njit = numba.njit(nogil=True, cache=True, forceinline=True)
float64, int64, uint64 = numba.float64, numba.int64, numba.uint64
boolean, int8, int16 = numba.boolean, numba.int8, numba.int16
BYTES, SHORTS, INTS = (types.Array(kind, 1, "C", readonly=True) for kind in (int8, numba.int32, int64))
"""Columns that a kernel reads."""


def entry(*kinds: Any) -> Any:
    """Return the decorator of a function that Python calls.

    It is compiled for these types as the module is imported.
    """
    return numba.njit(numba.void(*kinds), nogil=True, cache=True)


def record(dtype: Any) -> Any:
    """Return the type of an array of records."""
    return numba.from_dtype(dtype)[::1]


@intrinsic
def _count(typing: Any, cards: Any) -> Any:
    def make(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), make


@intrinsic
def _length(typing: Any, cards: Any) -> Any:
    def make(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(args[0].type, 64), zeros)

    return types.int64(types.int64), make


@overload_method(types.Integer, "bit_count", inline="always")
def _bit_count(cards: Any) -> Any:
    def bit_count(cards: Any) -> Any:
        return _count(cards)

    return bit_count


@overload_method(types.Integer, "bit_length", inline="always")
def _bit_length(cards: Any) -> Any:
    def bit_length(cards: Any) -> Any:
        return _length(cards)

    return bit_length


@overload_method(types.Array, "index", inline="always")
def _index(array: Any, value: Any) -> Any:
    def index(array: Any, value: Any) -> int:
        for place in range(array.shape[0]):
            if array[place] == value:
                return place
        return -1

    return index
