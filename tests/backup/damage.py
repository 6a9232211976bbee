"""What can happen to a file that no program meant to: single bits, lost ends, pages in the wrong place."""

from __future__ import annotations

from random import Random

PAGE = 4096


def damaged(content: bytes, rng: Random) -> tuple[str, bytes]:
    """Return a damaged file, and a description of the damage."""
    kind = rng.choice(["bits", "bits", "header", "bytes", "truncated", "swapped", "zeroed", "copied", "run", "grown"])
    changed = bytearray(content)
    pages = len(content) // PAGE
    one, other = rng.randrange(pages) * PAGE, rng.randrange(pages) * PAGE
    match kind:
        case "bits":
            for _ in range(rng.choice([1, 1, 1, 2, 8])):
                changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        case "header":  # where a page says what it holds, or the file what it is
            changed[(one if rng.random() < 0.8 else 0) + rng.randrange(100)] = rng.randrange(256)
        case "bytes":
            for _ in range(rng.randrange(1, 5)):
                changed[rng.randrange(len(changed))] = rng.randrange(256)
        case "truncated":
            del changed[rng.choice([one, one + PAGE // 2, rng.randrange(len(changed))]) :]
        case "swapped":
            changed[one : one + PAGE], changed[other : other + PAGE] = (
                content[other : other + PAGE],
                content[one : one + PAGE],
            )
        case "zeroed":
            changed[one : one + PAGE] = bytes(PAGE)
        case "copied":
            changed[one : one + PAGE] = content[other : other + PAGE]
        case "run":
            at, length = rng.randrange(len(changed)), rng.randrange(1, 200)
            changed[at : at + length] = rng.randbytes(length)[: len(changed) - at]
        case "grown":
            changed += rng.randbytes(rng.randrange(1, 3 * PAGE))
    return kind, bytes(changed)
