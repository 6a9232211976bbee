"""Bombs and slow clients on a real server: slow and endless requests are cut off, and other clients notice nothing."""

from __future__ import annotations

import gzip
import io
import socket
import threading
import time
import zipfile
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from statistics import median
from typing import TYPE_CHECKING

import pytest

from tests.web.server import program, running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SERVER = """
import sys
from cardledger.api.http.limits import Limits
from cardledger.web.serving import connections, server as serving
from cardledger.web.app import access_of, create_app
app = create_app(sys.argv[1], limits=Limits(reads=None, writes=None, body=1_000_000, files=1_000_000))
serving.MOST_BYTES = 4_000_000
print(access_of(app).lend("tests", "admin"), flush=True)
@app.get("/flood")
def flood():
    return (b"x" * 65536 for _ in range(800))
with serving.stopping_on_sigterm():
    server = serving.listen(app, 0)
    connections.watch(server, server.broadcaster, float(sys.argv[2]))
    print(f"at http://127.0.0.1:{server.effective_port}/", flush=True)
    serving.run(server)
"""
ENDLESS = 8_000_000
"""Bytes after which nobody may still be listening."""


class Server:
    """A server, with a token of an admin."""

    def __init__(self, address: str, token: str) -> None:
        self.host, _, port = address.removeprefix("http://").partition(":")
        self.port, self.token = int(port), token

    def open(self, sent: bytes = b"") -> socket.socket:
        """Return a connection on which something was sent already."""
        line = socket.create_connection((self.host, self.port), timeout=10)
        line.sendall(sent)
        return line

    def answers(self, path: str = "/games") -> float:
        """Return in how many seconds an ordinary request is answered."""
        began = time.monotonic()
        with closing(HTTPConnection(self.host, self.port, timeout=10)) as line:
            line.request("GET", path)
            assert line.getresponse().status == 200
        return time.monotonic() - began

    def post(self, path: str, body: bytes, **headers: str) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {self.token}"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        with closing(HTTPConnection(self.host, self.port, timeout=20)) as line:
            line.request("POST", path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.read()


def serving(folder: Path, patience: float) -> Iterator[Server]:
    with running(program("-c", SERVER, str(folder / "club.db"), str(patience))) as (address, said):
        yield Server(address, said[-2].strip())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the usual patience."""
    yield from serving(tmp_path_factory.mktemp("patient"), 30)


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that looks at a second and not at thirty."""
    yield from serving(tmp_path_factory.mktemp("impatient"), 1)


def closed(line: socket.socket, within: float) -> bool:
    """Tell whether the other side hangs up in time."""
    line.settimeout(within)
    try:
        while line.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


# --- slow clients


def slowly(server: Server, count: int, sent: bytes, seconds: float) -> list[float]:
    """Keep a number of connections going at a byte a second; return how long ordinary requests took during that time."""
    took = []
    with ExitStack() as stack:
        lines = [stack.enter_context(closing(server.open(sent))) for _ in range(count)]
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for line in lines:
                line.send(b"a")
            took += [server.answers() for _ in range(3)]
            time.sleep(1)
        assert not closed(lines[0], 0.1), "they are there still, or this shows nothing"
    return took


@pytest.mark.long
@pytest.mark.parametrize(
    "sent",
    [b"GET /", b"POST /api/v1/import HTTP/1.1\r\nContent-Length: 1000\r\n\r\n"],
)
def test_two_hundred_slow_connections_do_not_delay_others(server: Server, sent: bytes) -> None:
    assert median(slowly(server, 200, sent, 2)) < 1


@pytest.mark.long
def test_four_hundred_lasting_slow_connections_do_not_delay_others(server: Server) -> None:
    assert median(slowly(server, 400, b"GET / HTTP/1.1\r\nHost: ", 20)) < 1


@pytest.mark.long
@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: loc", b"GET / HT",
        b"POST /sign-in HTTP/1.1\r\nContent-Length: 1000\r\n\r\na=b",
        b"POST /sign-in HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1",
    ],
)  # fmt: skip
def test_a_client_that_never_ends_its_request_is_disconnected(impatient: Server, sent: bytes) -> None:
    with closing(impatient.open(sent)) as line:
        began = time.monotonic()
        while time.monotonic() < began + 8:
            with suppress(TimeoutError, BlockingIOError):
                line.settimeout(0.2)
                try:
                    if not line.recv(100):
                        break
                except ConnectionError:
                    break
            with suppress(ConnectionError):
                line.send(b"a")
        assert time.monotonic() - began < 8


@pytest.mark.long
def test_a_client_that_never_reads_its_answer_is_disconnected(impatient: Server) -> None:
    with closing(impatient.open(b"GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n")) as line:
        time.sleep(3.5)
        taken = 0
        with suppress(ConnectionError):
            while data := line.recv(1 << 20):
                taken += len(data)
        assert taken < 800 * 65536


@pytest.mark.long
def test_a_slow_but_steady_client_is_served(impatient: Server) -> None:
    """Eight thousand bytes a second, for longer than the server's patience; a machine that is busy makes it fewer."""
    head = f"POST /api/v1/people HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {impatient.token}\r\n"
    with closing(
        impatient.open(f"{head}Content-Type: application/json\r\nContent-Length: 24000\r\n\r\n".encode())
    ) as line:
        for _ in range(30):
            time.sleep(0.1)
            line.sendall(b" " * 800)
        assert line.recv(100).startswith(b"HTTP/1.1 400 ")


@pytest.mark.long
def test_clients_that_never_read_do_not_delay_others(server: Server) -> None:
    """More of them than there are threads."""
    with ExitStack() as stack:
        for _ in range(20):
            line = stack.enter_context(closing(server.open()))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.sendall(b"GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n")
        time.sleep(1)
        assert median(server.answers() for _ in range(5)) < 1


@pytest.mark.long
def test_a_client_that_reads_gets_a_long_answer_while_others_do_not_read(server: Server) -> None:
    flood = b"GET /flood HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(12):
            stack.enter_context(closing(server.open(flood)))
        with closing(HTTPConnection(server.host, server.port, timeout=30)) as line:
            line.request("GET", "/flood")
            assert len(line.getresponse().read()) == 800 * 65536


@pytest.mark.long
def test_unread_streams_use_no_threads_of_others(server: Server) -> None:
    with ExitStack() as stack:
        for _ in range(30):
            stack.enter_context(closing(server.open(b"GET /api/v1/live HTTP/1.1\r\nHost: localhost\r\n\r\n")))
        assert median(server.answers() for _ in range(5)) < 1


# --- bombs


def endless(server: Server, head: bytes, piece: bytes) -> tuple[int, bytes]:
    """Send pieces until the server has enough; return how many bytes it took, and what it said."""
    with closing(server.open(head)) as line:
        sent = 0
        with suppress(ConnectionError):
            while sent < ENDLESS:
                line.sendall(piece)
                sent += len(piece)
        said = b""
        with suppress(OSError):
            line.settimeout(5)
            said = line.recv(1000)
        return sent, said


CHUNKED = b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "piece", "told"),
    [
        (CHUNKED, b"10000\r\n" + b"x" * 65536 + b"\r\n", b"413"),
        pytest.param(CHUNKED, b"1\r\nx\r\n" * 10_000, b"413", marks=pytest.mark.long),
        (CHUNKED + b"1;", b"x" * 65536, b""),
        (CHUNKED + b"0\r\n", b"x" * 65536, b""),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ", b"x" * 65536, b"431"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-Many: yes\r\n" * 5_000, b"431"),
        (b"GET /", b"x" * 65536, b"431"),
    ],
)
def test_an_endless_answer_is_cut_off_without_delaying_others(
    server: Server, head: bytes, piece: bytes, told: bytes
) -> None:
    took: list[float] = []
    asking = threading.Thread(target=lambda: took.extend(server.answers() for _ in range(5)))
    asking.start()
    sent, said = endless(server, head, piece)
    asking.join()
    assert sent < ENDLESS
    assert said[9:12] in (told, b""), "a client that is still sending may not read the answer"
    assert median(took) < 1


@pytest.mark.long
@pytest.mark.parametrize("length", [b"10737418240", b"9" * 300])
def test_ten_gigabytes_are_refused_before_they_are_sent(server: Server, length: bytes) -> None:
    with closing(
        server.open(b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + b"\r\n\r\n")
    ) as line:
        assert line.recv(100)[9:12] in (b"413", b"400")


@pytest.mark.long
@pytest.mark.parametrize(
    "head",
    [
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"POST /sign-in HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /sign-in HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_a_body_whose_length_is_in_doubt_is_the_end_of_the_connection(server: Server, head: bytes) -> None:
    """What one takes for a body, another takes for the next request."""
    smuggled = b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with closing(server.open(head + b"0\r\n\r\n" + smuggled)) as line:
        said = b""
        line.settimeout(5)
        with suppress(ConnectionError):
            while data := line.recv(65536):
                said += data
    assert said.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 "))
    assert b" 200 OK" not in said, "another request was heard"


@pytest.mark.long
def test_a_compressed_body_is_refused_without_unpacking(server: Server) -> None:
    packed = gzip.compress(gzip.compress(b"\0" * 50_000_000))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("matches.jsonl", b"\0" * 50_000_000)
    for body in (packed, archive.getvalue()):
        for path in ("/api/v1/import", "/api/v1/matches", "/api/v1/people"):
            for kind in ("application/json", "application/x-ndjson"):
                status, said = server.post(path, body, Content_Type=kind, Content_Encoding="gzip")
                assert (status, b"http.unsupported-media-type" in said) == (415, True)
                # Unpacked or not, it is not a match file, and the server does not unpack it.
                status, said = server.post(path, body, Content_Type=kind)
                assert status in (200, 400, 415) and len(said) < 5_000
        status, _ = server.post(
            "/sign-in", body, Content_Encoding="gzip", Content_Type="application/x-www-form-urlencoded"
        )
        assert status == 415
