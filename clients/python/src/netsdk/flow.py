"""Flows: generators of steps, which a driver runs, blocking or in asyncio.

The blocking client and the asyncio client run the same flows. Only the drivers use sockets and clocks.
"""

from __future__ import annotations

import asyncio
import inspect
import queue
import socket
import threading
import time
import zlib
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import anyio
import httpx

from .arguments import SHORTEST, require_seconds
from .errors import NetError

#: Limit in bytes of a decompressed answer. The checkpoint of a 50 GiB state is smaller.
MAX_ANSWER_BYTES = 16 * 1024 * 1024
#: Limit in bytes of an answer about a block, with its receipts and events.
MAX_BLOCK_ANSWER_BYTES = 32 * 1024 * 1024
#: Only encodings that _Bounded decompresses, because httpx decompresses without a limit.
ACCEPTED = {"accept-encoding": "gzip"}
#: Seconds beyond the request timeout, which httpx applies to each chunk and not to the whole answer. httpx reports its
#: own error first.
GRACE = 0.5
#: Seconds.
RESOLVE_TIMEOUT = 5.0
_UNKNOWN_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """One HTTP request. ``timeout`` is in seconds, for the whole answer."""

    method: str
    url: str
    timeout: float
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    max_bytes: int = MAX_ANSWER_BYTES
    #: IP address to connect to, instead of resolving the host.
    address: str | None = None


def answer_limit(path: str) -> int:
    """Returns the limit in bytes of a node's answer at this path."""
    return MAX_BLOCK_ANSWER_BYTES if path.startswith("/v1/blocks/") else MAX_ANSWER_BYTES


@dataclass(frozen=True)
class Answer:
    """A response. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class Sleep:
    """A wait in seconds."""

    seconds: float


@dataclass(frozen=True)
class Parallel:
    """Flows to run concurrently. The result is the list of their results, in the order of the flows."""

    flows: Sequence[Generator[Step, Any, Any]]


@dataclass(frozen=True)
class Staggered:
    """Flows to start one after the other. The next starts if one ends with an unwanted result, or takes longer than
    ``pause`` seconds.

    The result is the list of results in order of completion, up to the first ``wanted`` one. The rest is abandoned.
    """

    flows: Sequence[Generator[Step, Any, Any]]
    pause: float
    wanted: Callable[[Any], bool]


@dataclass(frozen=True)
class Call:
    """A call of the caller's function. Only the asyncio driver awaits coroutines."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Resolve:
    """A host to resolve. The result is its IP addresses; none if the name does not exist."""

    host: str


Step = Request | Resolve | Sleep | Parallel | Staggered | Call
Flow = Generator[Step, Any, T]


def send(request: Request) -> Flow[Answer]:
    """Sends one request.

    :raises NetError: UNREACHABLE if no answer comes in time, or the answer is too long
    """
    answer: Answer = yield request
    return answer


def resolve(host: str) -> Flow[list[str]]:
    """Resolves a host to its IP addresses; none if the name does not exist.

    :raises NetError: UNREACHABLE if the name cannot be resolved now
    """
    addresses: list[str] = yield Resolve(host)
    return addresses


def sleep(seconds: float) -> Flow[None]:
    """Waits this many seconds."""
    yield Sleep(seconds)


def gather(flows: Sequence[Flow[T]]) -> Flow[list[T]]:
    """Runs flows concurrently. Raises the first exception."""
    results: list[T] = yield Parallel(flows)
    return results


def staggered(flows: Sequence[Flow[T]], pause: float, wanted: Callable[[T], bool]) -> Flow[list[T]]:
    """Runs flows as :class:`Staggered` does. A wanted result is the last of the list."""
    results: list[T] = yield Staggered(flows, pause, wanted)
    return results


def call(function: Callable[..., Any], *arguments: Any) -> Flow[Any]:
    """Calls a function that the application passed, and returns its result."""
    result = yield Call(function, arguments)
    return result


class LateError(NetError):
    """No answer came in time. A retry may succeed."""


def _unreachable(error: Exception, url: str) -> NetError:
    kind = LateError if isinstance(error, httpx.TimeoutException) else NetError
    return kind(0, None, detail=f"no answer from {_origin(url)}: {str(error) or type(error).__name__}")


def _late(url: str) -> NetError:
    return LateError(0, None, detail=f"the answer of {_origin(url)} takes longer than it may")


def _require_open(http: httpx.Client | httpx.AsyncClient) -> None:
    if http.is_closed:
        raise NetError(0, None, detail="the client is closed: open another one")


def _origin(url: str) -> str:
    """Returns scheme, host and port only, because a path may be secret."""
    return "/".join(url.split("/")[:3])


def _addresses_in(found: Sequence[tuple[Any, ...]]) -> list[str]:
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _unresolved(error: OSError, host: str) -> list[str]:
    """Returns no addresses if the name does not exist. Raises NetError if it cannot be resolved now."""
    if isinstance(error, socket.gaierror) and error.errno in _UNKNOWN_NAME:
        return []
    raise _unreachable(error, host) from error


def _target(request: Request) -> dict[str, Any]:
    """Returns the httpx arguments. With an explicit address, the Host header keeps the URL's name."""
    headers = {**ACCEPTED, **request.headers}
    if request.address is None:
        return {"url": request.url, "headers": headers}
    url = httpx.URL(request.url)
    headers["host"] = url.netloc.decode("ascii")
    # TLS must verify the certificate against the name, not the address.
    extensions = {"sni_hostname": url.host}
    return {"url": url.copy_with(host=request.address), "headers": headers, "extensions": extensions}


class _Bounded:
    def __init__(self, request: Request, response: httpx.Response) -> None:
        self._request = request
        packing = response.headers.get("content-encoding", "identity").lower()
        # A HEAD response has no body, whatever its headers say.
        if packing not in ("identity", "gzip") and request.method != "HEAD":
            raise NetError(0, None, detail="the answer is packed in a way that was not asked for")
        self._unpacker = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS) if packing == "gzip" else None
        self._until = time.monotonic() + request.timeout
        self._parts: list[bytes] = []
        self._length = self._received = 0

    def take(self, part: bytes) -> None:
        self._received += len(part)
        if self._unpacker is not None:
            try:
                # Decompress at most one byte past the limit, because a kilobyte may decompress to gigabytes.
                part = self._unpacker.decompress(part, self._request.max_bytes - self._length + 1)
            except zlib.error as error:
                raise NetError(0, None, detail=f"the answer cannot be unpacked: {error}") from error
        self._length += len(part)
        # Check both counts: bytes after the end of the compressed data count only as received.
        if max(self._length, self._received) > self._request.max_bytes:
            raise NetError(0, None, detail="the answer is longer than it may be")
        if time.monotonic() > self._until:
            raise _late(self._request.url)
        self._parts.append(part)

    def answer(self, response: httpx.Response) -> Answer:
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status_code, headers, b"".join(self._parts))


def _in_thread(do: Callable[[], Any], outcomes: queue.SimpleQueue[tuple[Any, BaseException | None]]) -> None:
    def run() -> None:
        try:
            outcomes.put((do(), None))
        except BaseException as error:
            outcomes.put((None, error))

    threading.Thread(target=copy_context().run, args=(run,), daemon=True).start()


class _Limit:
    """The end of one call."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._until = time.monotonic() + timeout

    def left(self) -> float:
        """Returns the seconds that are left. Raises CALL_TIMEOUT if there are none."""
        left = self._until - time.monotonic()
        if left > 0:
            return left
        raise self.error()

    def error(self) -> Exception:
        # Avoids a circular import.
        from .agent.errors import AgentError

        return AgentError("CALL_TIMEOUT", f"{self._timeout} s")


def _limit_of(timeout: float | None) -> _Limit | None:
    if timeout is None:
        return None
    require_seconds("timeout", timeout, least=SHORTEST)
    return _Limit(timeout)


class SyncDriver:
    """Runs flows with a blocking client."""

    def __init__(self, http: httpx.Client) -> None:
        self.http = http

    def run(self, flow: Flow[T], timeout: float | None = None) -> T:
        """Runs a flow to its result.

        :param timeout: seconds for the whole flow; then CALL_TIMEOUT is raised in the flow
        """
        limit = _limit_of(timeout)
        try:
            step = next(flow)
            while True:
                try:
                    result = self._do(step) if limit is None else self._in_time(step, limit)
                except BaseException as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as stop:
            value: T = stop.value
            return value

    def _in_time(self, step: Step, limit: _Limit) -> Any:
        left = limit.left()
        if isinstance(step, Request):
            step = replace(step, timeout=min(step.timeout, left))
        elif isinstance(step, Sleep):
            step = Sleep(min(step.seconds, left))
        try:
            result = self._do(step, left)
        except NetError:
            limit.left()
            raise
        if isinstance(step, Sleep):
            limit.left()
        return result

    def _do(self, step: Step, left: float | None = None) -> Any:
        run = partial(self.run, timeout=left)
        if isinstance(step, Request):
            return self._send(step)
        if isinstance(step, Resolve):
            return self._resolve(step.host)
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        if isinstance(step, Parallel):
            if not step.flows:
                return []
            with ThreadPoolExecutor(max_workers=min(len(step.flows), 16)) as pool:
                return list(pool.map(run, step.flows))
        if isinstance(step, Staggered):
            return self._staggered(step, run)
        result = step.function(*step.arguments)
        if inspect.isawaitable(result):
            if inspect.iscoroutine(result):
                result.close()
            raise TypeError("a coroutine function needs the asynchronous class")
        return result

    def _staggered(self, step: Staggered, run: Callable[[Any], Any]) -> list[Any]:
        outcomes: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        left, running = list(step.flows), 0
        results: list[Any] = []
        while left or running:
            if left:
                _in_thread(partial(run, left.pop(0)), outcomes)
                running += 1
            try:
                result, error = outcomes.get(timeout=step.pause if left else None)
            except queue.Empty:
                continue
            if error is not None:
                raise error
            running -= 1
            results.append(result)
            if step.wanted(result):
                break
        return results

    def _resolve(self, host: str) -> list[str]:
        outcomes: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        _in_thread(partial(socket.getaddrinfo, host, None, type=socket.SOCK_STREAM), outcomes)
        try:
            found, error = outcomes.get(timeout=RESOLVE_TIMEOUT)
        except queue.Empty:
            raise _late(host) from None
        if isinstance(error, OSError):
            return _unresolved(error, host)
        if error is not None:
            raise error
        return _addresses_in(found)

    def _send(self, request: Request) -> Answer:
        """Sends in a separate thread, so that the whole exchange has a timeout even if the server keeps sending."""
        outcomes: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        _in_thread(partial(self._exchange, request), outcomes)
        try:
            answer, error = outcomes.get(timeout=request.timeout + GRACE)
        except queue.Empty:
            raise _late(request.url) from None
        if error is not None:
            raise error
        received: Answer = answer
        return received

    def _exchange(self, request: Request) -> Answer:
        _require_open(self.http)
        try:
            with self.http.stream(
                request.method,
                **_target(request),
                content=request.body,
                timeout=request.timeout,
            ) as response:
                bounded = _Bounded(request, response)
                for part in response.iter_raw():
                    bounded.take(part)
                return bounded.answer(response)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(error, request.url) from error


class AsyncDriver:
    """Runs flows in asyncio."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def run(self, flow: Flow[T], timeout: float | None = None) -> T:  # noqa: ASYNC109
        """Runs a flow to its result.

        :param timeout: seconds for the whole flow; then CALL_TIMEOUT is raised in the flow
        """
        limit = _limit_of(timeout)
        try:
            step = next(flow)
            while True:
                try:
                    result = await self._do(step) if limit is None else await self._in_time(step, limit)
                except BaseException as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as stop:
            value: T = stop.value
            return value

    async def _in_time(self, step: Step, limit: _Limit) -> Any:
        with anyio.move_on_after(limit.left()):
            return await self._do(step)
        raise limit.error()

    async def _do(self, step: Step) -> Any:
        if isinstance(step, Request):
            return await self._send(step)
        if isinstance(step, Resolve):
            return await self._resolve(step.host)
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        if isinstance(step, Parallel):
            return list(await asyncio.gather(*(self.run(flow) for flow in step.flows)))
        if isinstance(step, Staggered):
            return await self._staggered(step)
        result = step.function(*step.arguments)
        return await result if inspect.isawaitable(result) else result

    async def _staggered(self, step: Staggered) -> list[Any]:
        left = list(step.flows)
        running: set[asyncio.Task[Any]] = set()
        results: list[Any] = []
        try:
            while left or running:
                if left:
                    running.add(asyncio.create_task(self.run(left.pop(0))))
                done, running = await asyncio.wait(
                    running, timeout=step.pause if left else None, return_when=asyncio.FIRST_COMPLETED
                )
                for result in (task.result() for task in done):
                    results.append(result)
                    if step.wanted(result):
                        return results
            return results
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    async def _resolve(self, host: str) -> list[str]:
        loop = asyncio.get_running_loop()
        try:
            with anyio.fail_after(RESOLVE_TIMEOUT):
                return _addresses_in(await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM))
        except TimeoutError:
            raise _late(host) from None
        except OSError as error:
            return _unresolved(error, host)

    async def _send(self, request: Request) -> Answer:
        try:
            # Before Python 3.12, asyncio.wait_for may swallow a cancellation.
            with anyio.fail_after(request.timeout + GRACE):
                return await self._exchange(request)
        except TimeoutError:
            raise _late(request.url) from None

    async def _exchange(self, request: Request) -> Answer:
        _require_open(self.http)
        try:
            async with self.http.stream(
                request.method,
                **_target(request),
                content=request.body,
                timeout=request.timeout,
            ) as response:
                bounded = _Bounded(request, response)
                async for part in response.aiter_raw():
                    bounded.take(part)
                return bounded.answer(response)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(error, request.url) from error
