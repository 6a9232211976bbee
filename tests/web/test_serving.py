"""Who may do what with a real server: the link it prints, other addresses, and what the options say."""

from __future__ import annotations

import http.client
import http.cookiejar
import re
import socket
import urllib.error
import urllib.request
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from cardledger_web.commands.options import Serving
from cardledger_web.commands.serve import serve
from cardledger_web.serving.hosts import is_loopback
from cardledger_web.serving.server import reachable
from tests.waiting import ended
from tests.web.server import command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from subprocess import Popen


class Served:
    """A server as a process, with the two lines it prints."""

    def __init__(self, process: Popen[str]) -> None:
        assert process.stdout is not None
        while not (line := process.stdout.readline()).startswith("Serving "):
            assert line, process.communicate()
        self.link = re.findall(r"http://\S+", process.stdout.readline())[0]
        self.address = re.findall(r"http://\S+", line)[0]
        self.token = self.link.partition("?token=")[2]


@pytest.fixture
def serving(tmp_path: Path) -> Iterator:
    started = []

    def start(*words: str) -> Served:
        started.append(command("serve", "--db", str(tmp_path / "club.db"), "--port", "0", *words))
        return Served(started[-1])

    yield start
    for process in started:
        process.kill()
        process.communicate()


def status(address: str, **headers: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.long
def test_the_link_signs_a_browser_in_under_a_cookie_of_this_port(serving) -> None:
    served = serving("--no-open-reading")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=cl_[\w-]{43}", served.link)
    assert status(served.address) == 401
    jar = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    with browser.open(served.link) as answer:
        assert (answer.status, answer.url) == (200, served.address)
    assert [cookie.name for cookie in jar] == [f"cardledger-{served.address.split(':')[-1].strip('/')}"]
    with browser.open(f"{served.address}games") as answer:
        assert answer.status == 200


@pytest.mark.long
def test_the_token_of_a_demo_is_stored_nowhere_and_ends_with_it(serving, tmp_path: Path) -> None:
    first, second = serving("--no-open-reading"), serving("--no-open-reading")
    assert first.token != second.token
    assert status(first.address, Authorization=f"Bearer {first.token}") == 200
    assert status(second.address, Authorization=f"Bearer {first.token}") == 401
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert first.token.encode() not in held
    assert not (tmp_path / "club.access.db").exists()


@pytest.mark.long
def test_on_this_computer_reading_is_open_but_not_under_foreign_host_names(serving) -> None:
    served = serving()
    assert status(served.address) == 200
    assert status(served.address, Host="evil.example") == 400
    assert status(served.address, Host=f"localhost:{served.address.split(':')[-1].strip('/')}") == 200


@pytest.mark.long
def test_at_other_addresses_reading_needs_a_token_unless_configured_otherwise(serving) -> None:
    for words, wanted in (((), 401), (("--open-reading",), 200)):
        served = serving("--host", "0.0.0.0", *words)
        assert served.link.startswith("http://127.0.0.1:")
        assert status(served.address, Host="cards.club.example") == wanted
        assert status(served.address, Authorization=f"Bearer {served.token}") == 200


@pytest.mark.long
def test_behind_a_proxy_others_come_in_through_this_computer(serving) -> None:
    served = serving("--proxy", "1")
    named = {"X-Forwarded-Host": "cards.club.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.1"}
    assert status(served.address, **named) == 401
    assert status(served.address, **named, Authorization=f"Bearer {served.token}") == 200


@pytest.mark.long
def test_ipv6_is_an_address_too(serving) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this computer has no IPv6")
    served = serving("--host", "::1")
    assert served.address.startswith("http://[::1]:")
    assert status(served.address) == 200


@pytest.mark.long
def test_the_rate_is_the_configured_one(serving) -> None:
    """One request at a time, and the next after a hundred seconds."""
    served = serving("--rate", "0.01")
    port = int(served.address.split(":")[-1].strip("/"))
    connection = http.client.HTTPConnection("127.0.0.1", port)
    seen = []
    for _ in range(3):
        connection.request("GET", "/api/v1/games")
        answer = connection.getresponse()
        answer.read()
        seen.append((answer.status, answer.headers["RateLimit-Policy"]))
    connection.close()
    policy = '"reads";q=1;w=100'
    assert seen[0] == (200, policy)
    assert seen[-1] == (429, policy)


def test_cors_takes_origins_only() -> None:
    for text in ("example.org", "https://example.org/", "https://example.org/x", "null", "", "http://[", "http://[zz]"):
        result = CliRunner().invoke(serve, ["--cors", text])
        assert result.exit_code == 2
        assert "is not an origin" in result.output


@pytest.mark.long
def test_an_unavailable_address_gives_one_line_and_status_2(tmp_path: Path) -> None:
    process = command("serve", "--db", str(tmp_path / "club.db"), "--port", "0", "--host", "192.0.2.1")
    status, _, errors = ended(process)
    assert status == 2
    assert "cannot be used at 192.0.2.1" in errors
    assert "Traceback" not in errors


def test_an_unknown_host_gives_one_line_and_status_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    words = ["--db", str(tmp_path / "club.db"), "--port", "0", "--host", "no.such.host.invalid"]
    result = CliRunner().invoke(serve, words)
    assert result.exit_code == 2
    assert "cannot be used at no.such.host.invalid: Name or service not known" in result.output


@pytest.mark.parametrize(
    ("host", "local"),
    [("127.0.0.1", True), ("127.1.2.3", True), ("::1", True), ("localhost", True), ("LocalHost", True),
     ("0.0.0.0", False), ("::", False), ("192.168.1.5", False), ("cards.local", False)],
)  # fmt: skip
def test_only_local_addresses_count_as_local(host: str, local: bool) -> None:
    assert is_loopback(host) == local
    settings = Serving(host, 0, None, (), 1).settings()
    assert settings["open_reading"] == local
    assert (settings["hosts"] is not None) == local


def test_links_lead_to_an_address_that_can_be_opened() -> None:
    shown = [reachable(host) for host in ("0.0.0.0", "::", "::1", "192.168.1.5")]
    assert shown == ["127.0.0.1", "[::1]", "[::1]", "192.168.1.5"]


def test_every_option_of_serving_is_explained() -> None:
    assert all(option.help for option in serve.params if isinstance(option, click.Option))
