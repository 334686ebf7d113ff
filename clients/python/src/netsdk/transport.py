"""HTTP connections that obey proxy and certificate variables, but never use a proxy for loopback.

Loopback and other addresses have separate httpx clients, so an invalid variable fails only connections that need it.
"""

from __future__ import annotations

import asyncio
import os
import ssl
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies

import httpx

from .control_token import is_loopback
from .errors import EnvironmentVariableError

#: ``plain`` is HTTP to this machine. ``near`` is TLS to this machine, which needs certificates. ``far`` may need a
#: proxy too.
Way = Literal["plain", "near", "far"]
#: Closing a client does not close connections that are still being opened. The request that opened one closes it.
CLOSED_MEANWHILE = "the client was closed before the answer came"
HttpClient = TypeVar("HttpClient", httpx.Client, httpx.AsyncClient)


class Transport(httpx.BaseTransport):
    """Sends each request through the client for its address.

    :param urls: URLs known in advance
    :raises EnvironmentVariableError: if one of them needs an invalid variable
    """

    def __init__(self, urls: Iterable[str]) -> None:
        self._lock = threading.Lock()
        self._clients: dict[Way, httpx.Client] = {way: _open(httpx.Client, way) for way in {*map(_way_to, urls)}}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends one request. Raises EnvironmentVariableError if it needs an invalid variable."""
        way = _way_to(str(request.url))
        with self._lock:
            client = self._clients.get(way)
            if client is None:
                client = self._clients[way] = _open(httpx.Client, way)
        response = client.send(request, stream=True)
        if client.is_closed:
            response.close()
            raise httpx.ReadError(CLOSED_MEANWHILE, request=request)
        return response

    def close(self) -> None:
        """Closes the connections."""
        for client in self._clients.values():
            client.close()


class AsyncTransport(httpx.AsyncBaseTransport):
    """Like :class:`Transport`, in asyncio. Each event loop has its own connections."""

    def __init__(self, urls: Iterable[str]) -> None:
        self._lock = threading.Lock()
        self._unused: dict[Way, httpx.AsyncClient] = {
            way: _open(httpx.AsyncClient, way) for way in {*map(_way_to, urls)}
        }
        self._clients: dict[asyncio.AbstractEventLoop, dict[Way, httpx.AsyncClient]] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends one request. Raises EnvironmentVariableError if it needs an invalid variable."""
        client = self._client_for(_way_to(str(request.url)))
        response = await client.send(request, stream=True)
        if client.is_closed:
            await response.aclose()
            raise httpx.ReadError(CLOSED_MEANWHILE, request=request)
        return response

    def _client_for(self, way: Way) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        with self._lock:
            if loop not in self._clients:
                self._drop_closed()
            clients = self._clients.setdefault(loop, {})
            if way not in clients:
                unused = self._unused.pop(way, None)
                clients[way] = unused or _open(httpx.AsyncClient, way)
            return clients[way]

    async def aclose(self) -> None:
        """Closes the connections of this loop."""
        with self._lock:
            self._drop_closed()
            clients = self._clients.pop(asyncio.get_running_loop(), {})
        for client in clients.values():
            await client.aclose()

    def _drop_closed(self) -> None:
        """Forgets connections of closed loops, which can no longer be closed."""
        self._clients = {loop: kept for loop, kept in self._clients.items() if not loop.is_closed()}


def _way_to(url: str) -> Way:
    if not is_loopback(url):
        return "far"
    return "near" if urlsplit(url).scheme == "https" else "plain"


def _open(kind: type[HttpClient], way: Way) -> HttpClient:
    if way == "plain":
        # An empty context is twenty times faster to create than one with certificates.
        return kind(trust_env=False, verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    certificates = _certificates()
    if way == "near":
        return kind(trust_env=False, verify=certificates)
    try:
        return kind(verify=certificates)
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        raise _unusable_proxy() from error


def _certificates() -> ssl.SSLContext:
    """Loads the trusted certificates that the environment names.

    :raises EnvironmentVariableError: SSL_CERT_FILE, SSL_CERT_DIR, SSLKEYLOGFILE
    """
    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    if file:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
        except (OSError, ValueError) as error:
            reason = "it names no file with certificates that can be read"
            raise EnvironmentVariableError("SSL_CERT_FILE", reason) from error
    elif folder and not Path(folder).is_dir():
        raise EnvironmentVariableError("SSL_CERT_DIR", "it names no folder")
    try:
        return httpx.create_ssl_context()
    except OSError as error:
        if not os.environ.get("SSLKEYLOGFILE"):
            raise
        raise EnvironmentVariableError("SSLKEYLOGFILE", "the file cannot be written") from error


def _unusable_proxy() -> EnvironmentVariableError:
    """Returns an error that names the invalid proxy variable, but not its value, which may contain a password."""
    given = getproxies()
    for scheme in ("http", "https", "all"):
        url = given.get(scheme)
        if not url:
            continue
        try:
            httpx.HTTPTransport(
                proxy=url if "://" in url else f"http://{url}", verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            ).close()
        except ImportError:
            return EnvironmentVariableError(
                _variable(scheme), "a SOCKS proxy needs one more package, by pip install 'httpx[socks]'"
            )
        except (ValueError, httpx.InvalidURL):
            return EnvironmentVariableError(
                _variable(scheme), "it is no address of a proxy, such as http://proxy.example:3128"
            )
    return EnvironmentVariableError(
        _variable("no"), "it lists hosts with commas between them, and IPv6 addresses without brackets"
    )


def _variable(scheme: str) -> str:
    wanted = f"{scheme}_proxy"
    names = [name for name, value in os.environ.items() if value and name.lower() == wanted]
    return max(names, default="a setting of the system for proxies", key=lambda name: name == wanted)
