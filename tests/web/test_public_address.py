"""Links that leave this computer lead others here: the address of the operator, or that of the network."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cardledger.rules.bots.simulation import simulate
from cardledger_web.app import access_of, create_app, ledger_of
from cardledger_web.commands.serve import serve
from cardledger_web.serving import public_address
from cardledger_web.serving.public_address import network_address, set_public_address
from tests.api.recording import as_role

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

ABSOLUTE = re.compile(r"https?://[^/\s\"'<&]+")


def links(app: Flask, path: str, host: str = "localhost") -> set[str]:
    """Return the scheme and host of absolute links on a page."""
    page = as_role(app, "admin").get(path, base_url=f"http://{host}").text
    return {link for link in ABSOLUTE.findall(page) if "schema" not in link and "w3.org" not in link}


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Flask]:
    """A server on a network, which does not know all its names."""
    app = create_app(tmp_path / "club.db", hosts=None)
    yield app
    access_of(app).close()
    ledger_of(app).close()


@pytest.fixture
def paths(hall: Flask) -> list[str]:
    match = ledger_of(hall).record(None, simulate("ruff", 3, Random(1), ["cautious"], {}, max_hands=1), 0).match
    return [f"/matches/{match}", f"/matches/{match}/hands/1", f"/matches/{match}/replay/5", "/evenings.atom"]


@pytest.mark.parametrize(
    ("said", "network", "host", "shown"),
    [
        (None, None, "localhost", "http://localhost"),
        (None, "http://192.168.1.5:8000", "localhost", "http://192.168.1.5:8000"),
        (None, "http://192.168.1.5:8000", "hall.example", "http://hall.example"),
        ("https://club.example", "http://192.168.1.5:8000", "localhost", "https://club.example"),
        ("https://club.example", None, "inner.example:8000", "https://club.example"),
    ],
)
def test_links_name_the_address_that_others_reach(
    hall: Flask, paths: list[str], said: str | None, network: str | None, host: str, shown: str
) -> None:
    set_public_address(hall, said, network)
    for path in paths:
        assert links(hall, path, host) in ({shown}, set()), path
    assert links(hall, paths[0], host) == {shown}


def test_an_invitation_says_when_no_phone_can_open_it(hall: Flask, paths: list[str]) -> None:
    match = ledger_of(hall).record(None, simulate("ruff", 3, Random(2), ["cautious"], {}, max_hands=1)[:9], 0).match
    form = {"scope": match, "name": "hall"}
    for number, (network, warned) in enumerate([(None, True), ("http://192.168.1.5:8000", False)]):
        set_public_address(hall, None, network)
        page = as_role(hall, "admin").post("/invitations", data=form | {"name": f"hall {number}"}).text
        assert ("this computer only" in page) == warned
        assert (f"{network}/matches/{match}" in page) != warned


def test_the_address_in_the_network_is_asked_for_without_a_word_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[str] = []

    class Asked:
        def __init__(self, *_: object) -> None: ...
        def __enter__(self) -> Asked:
            return self

        def __exit__(self, *_: object) -> None: ...
        def connect(self, where: tuple[str, int]) -> None:
            assert where[0] in ("192.0.2.1", "2001:db8::1")

        def getsockname(self) -> tuple[str, int]:
            return answers[-1], 1

    monkeypatch.setattr(public_address.socket, "socket", Asked)
    for own, six, told in (
        ("192.168.1.5", False, "http://192.168.1.5:80"),
        ("fd00::5", True, "http://[fd00::5]:80"),
        ("127.0.0.1", False, None),
    ):
        answers.append(own)
        assert network_address(80, six=six) == told


@pytest.mark.parametrize("wrong", ["club.example", "ftp://club.example", "https://club.example/cards", "https://"])
def test_what_is_no_address_is_refused(wrong: str) -> None:
    told = CliRunner().invoke(serve, ["--public", wrong])
    assert (told.exit_code, "as https://club.example, without a path" in told.output) == (2, True)
