"""Blobs: stored and released with signatures, read from any origin, accepted for their hash alone."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from netsdk import (
    Actor,
    AgentKey,
    AsyncBlobClient,
    BlobClient,
    NetClient,
    NetError,
    fetch_blob,
    fetch_blob_async,
)
from netsdk.blobs import (
    MAX_BLOB_BYTES,
    blob_url,
    clock_fault,
    normalize_origin,
    sign_request,
)
from netsdk.protocol.hashes import sha256
from tests.node import RunningBlobs, RunningNode
from tests.proxy import Proxy

Join = Callable[..., NetClient]
DATA = b"0123456789"
HASH = sha256(DATA).hex()


@pytest.fixture(scope="module")
def store(net: RunningNode, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBlobs]:
    running = RunningBlobs(tmp_path_factory.mktemp("blobs"), net.url)
    yield running
    running.stop()


@pytest.fixture
def ada(join: Join) -> Actor:
    actor = join("ada").actor
    assert actor
    return actor


def test_the_form_of_the_signature_is_that_of_the_documentation() -> None:
    key = AgentKey.generate()
    created, nonce = 1_800_000_000, "b3a1f0c2d4e5"
    headers = sign_request(Actor("ada", key), "PUT", "127.0.0.1:8421", HASH, created=created, nonce=nonce)
    text = (Path(__file__).parents[3] / "docs/formats.md").read_text("utf-8")
    assert f"Content-Digest: {headers['content-digest']}\n" in text
    assert f"Signature-Input: {headers['signature-input']}\n" in text
    assert "content-digest" not in sign_request(
        Actor("ada", key), "DELETE", "127.0.0.1:8421", HASH, created=created, nonce=nonce
    )
    with pytest.raises(ValueError, match="no actor id"):
        sign_request(Actor('a";x="', key), "PUT", "h", HASH, created=1, nonce=nonce)


def test_an_origin_is_scheme_host_and_port() -> None:
    assert normalize_origin("https://Blobs.example:443/") == "https://blobs.example"
    assert normalize_origin("http://[::1]:8421") == "http://[::1]:8421"
    for wrong in ("blobs.example", "ftp://x", "https://", "https://a:b@c"):
        with pytest.raises(ValueError, match="is no origin"):
            normalize_origin(wrong)
    with pytest.raises(ValueError, match="https://\\*\\*\\*@c"):
        normalize_origin("https://a:secret@c/?secret")
    with pytest.raises(ValueError, match="64 lowercase hex"):
        blob_url("https://blobs.example", "../x")


@pytest.mark.scenario
def test_bytes_are_stored_read_and_given_up(store: RunningBlobs, ada: Actor) -> None:
    with BlobClient(store.url, actor_id=ada.actor_id, key=ada.key) as blobs:
        assert blobs.get(HASH) is None
        assert not blobs.has(HASH)
        assert blobs.put(DATA) == HASH
        assert blobs.put(DATA) == HASH
        assert blobs.has(HASH)
        assert blobs.get(HASH) == DATA
        blobs.delete(HASH)
        assert blobs.get(HASH) is None
        with pytest.raises(NetError) as caught:
            blobs.put(b"x" * (MAX_BLOB_BYTES + 1))
        assert caught.value.code in {"BLOB_TOO_LARGE", "UNREACHABLE"}
        assert blobs.put(b"") == sha256(b"").hex()


def test_a_stranger_stores_nothing(store: RunningBlobs, ada: Actor) -> None:
    for actor_id, key in ((ada.actor_id, AgentKey.generate()), ("nobody", ada.key)):
        with BlobClient(store.url, actor_id=actor_id, key=key) as blobs, pytest.raises(NetError) as caught:
            blobs.put(b"spam")
        assert caught.value.code in {"SIGNATURE_INVALID", "SIGNER_UNKNOWN"}
    with BlobClient(store.url) as blobs, pytest.raises(TypeError, match="there is no signer"):
        blobs.put(b"spam")


def test_a_signature_that_a_wrong_clock_has_dated_is_refused_with_how_far_the_clock_is_off(
    store: RunningBlobs, ada: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time
    for seconds, off in ((3_600, r"36\d\d s ahead"), (-3_600, r"3[56]\d\d s behind")):
        monkeypatch.setattr(time, "time", lambda: now() + seconds)  # noqa: B023
        refused = pytest.raises(NetError, match=f"clock of this machine is {off}")
        with BlobClient(store.url, actor_id=ada.actor_id, key=ada.key) as blobs, refused as caught:
            blobs.put(b"late")
        assert caught.value.code == "SIGNATURE_EXPIRED"
    date = "Fri, 15 Jan 2027 08:00:00 GMT"
    for seconds, fault in ((30, None), (-330, None), (31, "31 s ahead"), (-331, "331 s behind")):
        monkeypatch.setattr(time, "time", lambda: 1_800_000_000 + seconds)  # noqa: B023
        assert clock_fault(date) == fault


def test_an_origin_that_lies_is_not_believed_and_the_next_one_is_asked(store: RunningBlobs, ada: Actor) -> None:
    with BlobClient(store.url, actor_id=ada.actor_id, key=ada.key) as blobs:
        blobs.put(DATA)
    liar = Proxy(store.url)
    try:
        liar.change = lambda path, status, content: (200, {}, b"something else")
        assert fetch_blob(HASH, [liar.url]) is None
        assert fetch_blob(HASH, ["http://127.0.0.1:1", "nonsense", liar.url, store.url]) == DATA
        liar.change = lambda path, status, content: (200, {}, b"x" * (MAX_BLOB_BYTES + 1))
        assert fetch_blob(HASH, [liar.url]) is None
        liar.change = lambda path, status, content: (503, {"retry-after": "5"}, b"")
        with BlobClient(liar.url) as blobs, pytest.raises(NetError) as caught:
            blobs.get(HASH)
        assert caught.value.retry_after == 5
    finally:
        liar.close()


@pytest.fixture
def silent() -> Iterator[str]:
    """An origin that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def test_an_origin_that_never_answers_holds_the_next_one_up_for_a_second(
    store: RunningBlobs, ada: Actor, silent: str
) -> None:
    with BlobClient(store.url, actor_id=ada.actor_id, key=ada.key) as blobs:
        blobs.put(DATA)
    begun = time.monotonic()
    assert fetch_blob(HASH, [silent, store.url], timeout=30) == DATA
    assert time.monotonic() - begun < 15
    begun = time.monotonic()
    assert fetch_blob(HASH, [silent, silent, silent, silent], timeout=3) is None
    assert time.monotonic() - begun < 11


@pytest.mark.anyio
async def test_in_asyncio_it_holds_nothing_up_either(store: RunningBlobs, ada: Actor, silent: str) -> None:
    async with AsyncBlobClient(store.url, actor_id=ada.actor_id, key=ada.key) as blobs:
        await blobs.put(DATA)
    begun = time.monotonic()
    assert await fetch_blob_async(HASH, [silent, store.url], timeout=30) == DATA
    assert time.monotonic() - begun < 15


@pytest.mark.anyio
async def test_asyncio_does_the_same(store: RunningBlobs, ada: Actor) -> None:
    async with AsyncBlobClient(store.url, actor_id=ada.actor_id, key=ada.key) as blobs:
        name = await blobs.put(b"in asyncio")
        assert await blobs.has(name)
        assert await blobs.get(name) == b"in asyncio"
        assert await fetch_blob_async(name, ["http://127.0.0.1:1", blobs.origin]) == b"in asyncio"
        await blobs.delete(name)
        assert await blobs.get(name) is None
