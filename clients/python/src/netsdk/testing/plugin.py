"""Fixtures for pytest, which discovers them itself.

``network`` starts a network; ``@pytest.mark.network(agents=["ada"], house=True)`` passes arguments of
:func:`netsdk.testing.start_network`. ``start_network`` starts any number.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, suppress
from typing import Any

import pytest

from . import network as networks


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker."""
    config.addinivalue_line(
        "markers", "network(**options): what the fixture network has, see netsdk.testing.start_network"
    )


_STARTED = pytest.StashKey[list[networks.Network]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Adds the story of the orders to the report of a test that fails."""
    report = yield
    if report.failed:
        for network in item.stash.get(_STARTED, []):
            # The network itself may have failed.
            with suppress(Exception):
                report.sections.append(("Orders", network.story()))
    return report


@pytest.fixture
def start_network(request: pytest.FixtureRequest) -> Iterator[Callable[..., networks.Network]]:
    """Starts networks that end with the test. If the test fails, its report has the story of their orders."""
    started = request.node.stash.setdefault(_STARTED, [])
    with ExitStack() as stack:

        def start(**options: object) -> networks.Network:
            network = stack.enter_context(networks.start_network(**options))  # type: ignore[arg-type]
            started.append(network)
            return network

        yield start


@pytest.fixture
def network(request: pytest.FixtureRequest, start_network: Callable[..., networks.Network]) -> networks.Network:
    """A network that ends with the test."""
    marker = request.node.get_closest_marker("network")
    return start_network(**(marker.kwargs if marker else {}))
