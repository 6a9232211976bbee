"""The option of pytest that says which games are held to their promises."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--game`."""
    parser.getgroup("cardledger").addoption(
        "--game",
        action="append",
        default=[],
        metavar="ID",
        help="Hold this game to its promises; all games without it.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark of tests that take long; a package that runs the promises has no such mark."""
    config.addinivalue_line("markers", "long: takes minutes")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each promise for each selected game."""
    if "promised" in metafunc.fixturenames:
        from cardledger.rules.games import games

        wanted = metafunc.config.getoption("--game") or list(games())
        metafunc.parametrize("promised", wanted)
