"""Trees and proofs: as RFC 9162 has them, at every size, and as others verify them."""

from __future__ import annotations

import sqlite3
from hashlib import sha256
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardledger.record.proofs import ProofError, merkle, tiles
from cardledger.record.proofs.merkle import Frontier, leaf_hash
from cardledger.record.proofs.tiles import Tiles
from tests.proofs import naive
from tests.proofs.verifier import verifier

# Test vectors of the Certificate Transparency project for RFC 6962, whose trees are those of RFC 9162.
INPUTS = [
    bytes.fromhex(text)
    for text in (
        "", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f",
    )
]  # fmt: skip
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def entries(count: int) -> list[bytes]:
    return [b"%d" % number for number in range(count)]


def grown(data: list[bytes], parts: list[int] = ()) -> Tiles:  # type: ignore[assignment]
    """Return a tree of tiles over data, added in parts of these sizes and a last one of the rest."""
    db = sqlite3.connect(":memory:")
    db.execute(tiles.SCHEMA)
    tree, leaves = Tiles(db, 0), [leaf_hash(each) for each in data]
    for start, end in zip([0, *accumulate(parts)], [*accumulate(parts), len(leaves)], strict=True):
        tree.add(leaves[start:end])
    return tree


def rows(tree: Tiles) -> list[tuple[object, ...]]:
    return tree.db.execute("SELECT * FROM tiles ORDER BY level, number").fetchall()


def test_the_roots_are_those_of_the_test_vectors() -> None:
    tree, frontier = grown(INPUTS), Frontier()
    for size, root in enumerate(ROOTS):
        assert tree.root(size).hex() == frontier.root().hex() == naive.mth(INPUTS[:size]).hex() == root
        if size < len(INPUTS):
            frontier.add(leaf_hash(INPUTS[size]))


def test_every_proof_of_small_trees_is_the_one_of_the_definition_and_convinces() -> None:
    data = entries(40)
    tree = grown(data)
    for size in range(1, 41):
        root = tree.root(size)
        assert root == naive.mth(data[:size])
        for index in range(size):
            path = tree.inclusion(index, size)
            assert path == naive.path(index, data[:size])
            assert verifier.includes(root, size, [(index, leaf_hash(data[index]))], path)
        for first in range(1, size + 1):
            path = tree.consistency(first, size)
            assert path == naive.proof(first, data[:size])
            assert verifier.goes_on(first, size, tree.root(first), root, path)


@settings(max_examples=60)
@given(st.data())
def test_exactly_the_given_leaves_are_proven_at_once(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 300))
    told = entries(size)
    tree = grown(told)
    indices = sorted(data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=12)))
    leaves, path = [(index, leaf_hash(told[index])) for index in indices], tree.inclusions(indices, size)
    assert verifier.includes(tree.root(), size, leaves, path)
    assert tree.inclusions(indices[:1], size) == tree.inclusion(indices[0], size)
    wrong, at = sha256(b"wrong").digest(), data.draw(st.integers(0, len(leaves) - 1))
    for others in (
        [*leaves[:at], (indices[at], wrong), *leaves[at + 1 :]],
        [*leaves[:at], *leaves[at + 1 :]],
        [*leaves[: at + 1], *leaves[at:]],
        [*leaves[:at], (indices[at] + 1, leaves[at][1]), *leaves[at + 1 :]],
        [*leaves, (size, wrong)],
    ):
        assert not others or not verifier.includes(tree.root(), size, others, path)
    for other in (path[:-1], [*path, wrong], [wrong, *path[1:]], path[::-1]):
        assert other == path or not verifier.includes(tree.root(), size, leaves, other)


def test_no_other_proof_is_accepted() -> None:
    tree, wrong = grown(entries(21)), sha256(b"wrong").digest()
    for size in range(1, 22):
        root = tree.root(size)
        for index in range(size):
            leaf, path = tree.leaf(index), tree.inclusion(index, size)
            others = [
                path[:-1],
                [*path, wrong],
                path[::-1],
                *([*path[:n], wrong, *path[n + 1 :]] for n in range(len(path))),
            ]
            for other in others:
                assert other == path or not verifier.includes(root, size, [(index, leaf)], other)
            assert not any(verifier.includes(root, size, [(at, leaf)], path) for at in range(size + 2) if at != index)
            assert not verifier.includes(root, size, [(index, wrong)], path)
        for first in range(1, size):
            path = tree.consistency(first, size)
            for other in (path[:-1], [*path, wrong], *([*path[:n], wrong, *path[n + 1 :]] for n in range(len(path)))):
                assert not verifier.goes_on(first, size, tree.root(first), root, other)
            assert not verifier.goes_on(first, size, wrong, root, path)
            assert not verifier.goes_on(first, size, tree.root(first), wrong, path)


@settings(max_examples=40)
@given(st.data())
def test_trees_beyond_a_tile_are_those_of_the_definition_however_they_grew(data: st.DataObject) -> None:
    size = data.draw(st.sampled_from([255, 256, 257, 511, 512, 700]))
    parts = data.draw(st.lists(st.integers(1, 300), max_size=5))
    while sum(parts) > size:
        parts.pop()
    told = entries(size)
    tree, whole = grown(told, parts), grown(told)
    assert rows(tree) == rows(whole)
    upto = data.draw(st.integers(1, size))
    index, first = data.draw(st.integers(0, upto - 1)), data.draw(st.integers(1, upto))
    assert tree.root(upto) == naive.mth(told[:upto])
    assert tree.inclusion(index, upto) == naive.path(index, told[:upto])
    assert tree.consistency(first, upto) == naive.proof(first, told[:upto])


def test_a_tree_of_three_levels_of_tiles_proves_with_few_reads_and_grows_with_few_writes() -> None:
    told = entries(70_000)
    tree = grown(told)
    frontier = Frontier()
    for each in told:
        frontier.add(leaf_hash(each))
    assert tree.root() == frontier.root()
    asked: list[str] = []
    tree.db.set_trace_callback(asked.append)
    fresh = Tiles(tree.db, tree.size)
    path = fresh.inclusion(4_711, 70_000)
    assert verifier.includes(tree.root(), 70_000, [(4_711, leaf_hash(told[4_711]))], path)
    assert len([text for text in asked if text.startswith("SELECT")]) < 12
    asked.clear()
    fresh.add([leaf_hash(b"one more")])
    assert len([text for text in asked if text.startswith("INSERT")]) == 1


def test_a_damaged_tile_is_an_error_and_not_a_wrong_proof() -> None:
    for damage in (
        "DELETE FROM tiles",
        "UPDATE tiles SET hashes = substr(hashes, 1, 40)",
        "UPDATE tiles SET hashes = 7",
    ):
        tree = grown(entries(10))
        tree.db.execute(damage)
        with pytest.raises(ProofError) as caught:
            Tiles(tree.db, 10).inclusion(3, 10)
        assert caught.value.code == "proofs.tree"


def test_an_empty_tree_has_the_root_of_nothing() -> None:
    assert Frontier().root() == grown([]).root() == merkle.EMPTY == sha256(b"").digest()
