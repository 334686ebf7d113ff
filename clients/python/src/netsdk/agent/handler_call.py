"""Calls of handlers and listeners, and their end."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Collection
from contextvars import copy_context
from typing import Any, TypeVar

T = TypeVar("T")


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Runs a blocking function on a daemon thread, which does not delay the end of the process."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is None:
            done.set_result(result)  # type: ignore[arg-type]
        else:
            done.set_exception(error)

    def run() -> None:
        result: T | None = None
        failure: BaseException | None = None
        try:
            result = function(*arguments)
        except StopIteration as error:  # a future cannot hold StopIteration
            failure = RuntimeError(f"StopIteration: {error}")
        except BaseException as error:
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:
            pass

    # The function sees its caller's context variables, such as the active span.
    threading.Thread(target=copy_context().run, args=(run,), daemon=True, name="netsdk-handler").start()
    return await done


async def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a handler: a coroutine function in the event loop, any other function on a thread."""
    if inspect.iscoroutinefunction(function):
        return await function(*arguments)
    result = await in_thread(function, *arguments)
    return await result if inspect.isawaitable(result) else result


async def cancel(tasks: Collection[asyncio.Future[Any]]) -> None:
    """Cancels tasks, and waits for their ends."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
