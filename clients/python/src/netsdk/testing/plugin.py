"""Fixtures for pytest, which discovers them itself.

``network`` starts a network; ``@pytest.mark.network(agents=["ada"], house=True)`` passes arguments of
:func:`netsdk.testing.start_network`. ``start_network`` starts any number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from . import network as networks


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker."""
    config.addinivalue_line(
        "markers", "network(**options): what the fixture network has, see netsdk.testing.start_network"
    )


@pytest.fixture
def start_network() -> Iterator[Callable[..., networks.Network]]:
    """Starts networks that end with the test."""
    with ExitStack() as stack:

        def start(**options: object) -> networks.Network:
            return stack.enter_context(networks.start_network(**options))  # type: ignore[arg-type]

        yield start


@pytest.fixture
def network(request: pytest.FixtureRequest, start_network: Callable[..., networks.Network]) -> networks.Network:
    """A network that ends with the test."""
    marker = request.node.get_closest_marker("network")
    return start_network(**(marker.kwargs if marker else {}))
