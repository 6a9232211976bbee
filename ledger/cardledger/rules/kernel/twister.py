"""Python's own chance, as kernels have it: what `Random(seed).choice` takes out of a list.

Like `tricks`, this is written into kernels.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

SIZE: Final = 624
LOW: Final = 0xFFFFFFFF


def _begun() -> list[int]:
    """Return the state of a Mersenne Twister before it has seen a seed."""
    state = [19650218]
    for place in range(1, SIZE):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + place) & LOW)
    return state


BEGUN: Final = _begun()


def python_random(seed: Any, n: int) -> int:
    """Return what `Random(seed).choice(range(n))` returns, for a seed of 64 bits and n below 100."""
    key_0, key_1 = np.int64(seed & np.uint64(LOW)), np.int64(seed >> np.uint64(32))
    state = np.zeros(SIZE, np.int64)
    for place in range(SIZE):
        state[place] = BEGUN[place]
    place = 1
    for number in range(SIZE):
        last = state[place - 1]
        second = key_1 != 0 and number % 2 == 1
        mixed = (state[place] ^ (last ^ last >> 30) * 1664525) + (key_1 + 1 if second else key_0)
        state[place] = mixed & LOW
        place += 1
        if place == SIZE:
            state[0] = state[SIZE - 1]
            place = 1
    for _ in range(SIZE - 1):
        last = state[place - 1]
        state[place] = ((state[place] ^ (last ^ last >> 30) * 1566083941) - place) & LOW
        place += 1
        if place == SIZE:
            state[0] = state[SIZE - 1]
            place = 1
    state[0] = 0x80000000
    for number in range(200):
        found = tempered(state, number) >> 32 - n.bit_length()
        if found < n:
            return found
    return 0


def tempered(state: Any, number: int) -> int:
    """Return the number of 32 bits that comes at a place, one of the first two hundred."""
    pair = state[number] & 0x80000000 | state[number + 1] & 0x7FFFFFFF
    y = state[number + 397] ^ pair >> 1 ^ (0x9908B0DF if pair & 1 else 0)
    y ^= y >> 11
    y ^= y << 7 & 0x9D2C5680
    y ^= y << 15 & 0xEFC60000
    found: int = y ^ y >> 18
    return found
