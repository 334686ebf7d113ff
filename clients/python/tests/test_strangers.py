"""Addresses that strangers name: which are asked, and that the others tell nothing."""

from __future__ import annotations

import asyncio
import http.server
import threading
from collections.abc import Iterator

import httpx
import pytest

from netsdk.blobs import BlobApi, find
from netsdk.errors import NetError
from netsdk.flow import Answer, AsyncDriver, Flow, Request, SyncDriver, send
from netsdk.protocol.hashes import sha256
from netsdk.strangers import Reach, Way, is_public_address, may_stranger_name

#: The JavaScript client has the same list.
PUBLIC = """1.1.1.1 168.63.129.17 192.0.1.1 198.20.0.1 2001:200::1 2620:4f:8001::1 ::ffff:1.1.1.1 64:ff9b::101:101
    2606:4700::1111""".split()
NEVER = """127.0.0.1 127.8.8.8 0.0.0.0 169.254.169.254 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1
    ::127.0.0.1 ::ffff:0:0 64:ff9b::7f00:1 64:ff9b::a00:1 fe80::1 fe80::1%eth0 ff02::1 ff0e::1 fec0::1 2002:7f00:1::
    192.0.0.9 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1
    198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 168.63.129.16 ::ffff:168.63.129.16 100.100.100.200 64:ff9b:1::1
    100::1 2001::1 2001:2::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2620:4f:8000::1 3fff::1 5f00::1 fd00:ec2::254
    fd20:ce::254 4000::1 2130706433 0x7f.1 localhost blobs.example""".split()
PRIVATE = "10.1.2.3 172.16.2.3 172.31.2.3 192.168.2.3 100.64.2.3 ::ffff:10.1.2.3 fc00::1 fd12::1:2:3:4".split()
BLOB = b"a blob"
HASH = sha256(BLOB).hex()


def test_a_stranger_names_public_addresses_and_those_of_the_private_network_of_the_node() -> None:
    near = ["127.0.0.1", "::1", "169.254.0.1", "192.0.2.7", "1.1.1.1", "nowhere"]
    for address in PUBLIC:
        assert may_stranger_name(address), address
        assert is_public_address(address), address
    for address in [*NEVER, *PRIVATE]:
        assert not may_stranger_name(address, near), address
        assert not is_public_address(address), address
    for address in NEVER:
        assert not may_stranger_name(address, ["100.100.100.1", "fd00:ec2::1", "fd20:ce::1"]), address
    for address in PRIVATE:
        assert may_stranger_name(address, [address]), address
    assert not may_stranger_name("127.0.0.1", ["127.0.0.1"])
    assert may_stranger_name("192.168.2.9", ["192.168.2.3"])
    assert not may_stranger_name("192.168.3.9", ["192.168.2.3"])
    assert may_stranger_name("fd12::9", ["10.0.0.1", "fd12::3"])
    assert not may_stranger_name("fd12:0:0:1::9", ["fd12::3"])


class Store(http.server.ThreadingHTTPServer):
    """Answers as it is told, and counts."""

    def __init__(self, status: int, content: bytes) -> None:
        self.hosts: list[str | None] = []
        hosts = self.hosts

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hosts.append(self.headers["host"])
                self.send_response(status)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(content)

            do_HEAD = do_GET

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def driver() -> Iterator[SyncDriver]:
    with httpx.Client(trust_env=False) as client:
        yield SyncDriver(client)


def test_loopback_of_a_stranger_is_never_asked_and_looks_like_a_store_without_the_blob(driver: SyncDriver) -> None:
    with Store(200, BLOB) as store:
        reach = Reach("http://127.0.0.1:8420", frozenset())
        hosts = "127.0.0.1 2130706433 0x7f.1 0177.0.0.1 localhost [::1] [::ffff:127.0.0.1] 0.0.0.0 no-such-host.invalid"
        for host in hosts.split():
            origin = f"http://{host}:{store.server_port}"
            assert driver.run(find(HASH, [origin], 5, reach)) == "absent", origin
            assert driver.run(BlobApi(origin, reach=reach).has(HASH)) is False
        assert store.hosts == []
        trusting = Reach("http://127.0.0.1:8420", frozenset([store.url]))
        assert driver.run(find(HASH, [store.url], 5, trusting)) == BLOB
        store.shutdown()


class Hidden(Reach):
    """A reach for which every address is private, but allowed."""

    def way(self, origin: str) -> Flow[Way | None]:
        yield from ()
        return Way(["127.0.0.1"], is_hidden=True)


def test_at_a_private_address_everything_but_the_blob_is_its_absence(driver: SyncDriver) -> None:
    hidden = Hidden("http://127.0.0.1:8420", frozenset())
    for status, content in [(503, b""), (302, b""), (200, b"another page"), (404, b"")]:
        with Store(status, content) as store:
            assert driver.run(find(HASH, [store.url], 5, hidden)) == "absent"
            assert driver.run(BlobApi(store.url, reach=hidden).has(HASH)) is False
            store.shutdown()
    assert driver.run(find(HASH, ["http://127.0.0.1:1"], 5, hidden)) == "absent"
    with Store(200, BLOB) as store:
        assert driver.run(find(HASH, [f"http://store.example:{store.server_port}"], 5, hidden)) == BLOB
        assert store.hosts == [f"store.example:{store.server_port}"]
        store.shutdown()


def test_a_request_goes_to_the_address_that_was_checked(driver: SyncDriver) -> None:
    with Store(200, BLOB) as store:
        request = Request("GET", f"http://store.example:{store.server_port}/", 5)
        # The first refuses the connection.
        answer = driver.run(Way(["127.0.0.2", "127.0.0.1"]).send(request))
        assert (answer.status, answer.content) == (200, BLOB)

        async def go() -> Answer:
            async with httpx.AsyncClient(trust_env=False) as client:
                return await AsyncDriver(client).run(Way(["127.0.0.1"]).send(request))

        assert asyncio.run(go()).content == BLOB
        assert store.hosts == [f"store.example:{store.server_port}"] * 2
        with pytest.raises(NetError):
            driver.run(send(request))
        store.shutdown()
