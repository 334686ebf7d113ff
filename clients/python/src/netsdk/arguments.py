"""Checks of arguments before anything is sent.

Each ``require_…`` function raises AgentError with ARGUMENT_INVALID unless its docstring names another code.
"""

from __future__ import annotations

import inspect
import math
import re
import reprlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from typing import Any, Literal, NoReturn, TypeVar, is_typeddict
from urllib.parse import urlsplit

from .protocol.hashes import is_hash

Owner = TypeVar("Owner", bound=type)

#: Shortest time limit, in seconds.
SHORTEST = 1e-9
RECORD_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}")
EVENT_ID = re.compile(r"(0|[1-9][0-9]{0,14})\.(0|[1-9][0-9]{0,4})")


def refuse(code: str, detail: str, path: str) -> NoReturn:
    """Raises AgentError with this code.

    :param path: JSON Pointer of the argument, for the data of the error
    """
    # Avoids a circular import.
    from .agent.errors import AgentError

    raise AgentError(code, detail, {"path": path})


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Returns a suggestion of up to three similar words, to append to a message; empty if none is similar."""
    known = list(words)
    begin = [each for each in known if len(word) > 2 and each.lower().startswith(word.lower())]
    near = list(dict.fromkeys([*begin, *get_close_matches(word, known)]))[:3]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def require_url(url: Any) -> str:
    """Returns a base URL without a trailing slash.

    :raises AgentError: URL_INVALID if it has no scheme, a query, a password, or /v1 at its end
    """

    def refused(why: str) -> NoReturn:
        shown = printable_url(url) if isinstance(url, str) else url
        refuse("URL_INVALID", f"{shown!r} {why}", "/url")

    if not isinstance(url, str):
        refused("is not a text")
    base = url.strip().rstrip("/")
    if "://" not in url:
        whole = f"http://{base}"
        refused(f"has no scheme: write {printable_url(whole)}" if _has_host(whole) else "is not an address")
    if not _has_host(base):
        refused("is not an address")
    parts = urlsplit(base)
    if parts.scheme not in ("http", "https"):
        refused(f"has the scheme {parts.scheme}:")
    if parts.query or parts.fragment:
        refused("has a query or a fragment")
    if "@" in parts.netloc:
        refused("has a name or password, which errors and logs could show")
    if parts.path.endswith("/v1"):
        refused(f"ends in /v1: write {base[: -len('/v1')]}")
    return base


def printable_url(url: str) -> str:
    """Returns an address without its name, password, query and fragment, which may be secret."""
    authority = re.sub(r"^([a-z][a-z\d+.-]*://)?[^\s/?#]*@", r"\1***@", url, flags=re.IGNORECASE)
    return re.sub(r"([?#]).+", r"\1***", authority, flags=re.DOTALL)


def _has_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # Reading the port raises if it is invalid.
        return bool(parts.hostname) and not re.search(r"\s", url) and parts.port != 0
    except ValueError:
        return False


def require_path(path: object) -> None:
    """Checks a path to append to a base URL."""
    if not isinstance(path, str) or not path.startswith("/"):
        refuse("ARGUMENT_INVALID", f"{path!r}: a path begins with a slash, for example /v1/agents", "/path")


def require_event_id(after: str | None) -> None:
    """Checks an event id; None is allowed."""
    if after is not None and not (isinstance(after, str) and EVENT_ID.fullmatch(after)):
        detail = f"after: {after!r} is no id of an event, such as 12.0; 0.0 begins at genesis"
        refuse("ARGUMENT_INVALID", detail, "/after")


def require_genesis_hash(genesis_hash: object) -> None:
    """Checks a trust anchor; None is allowed."""
    if genesis_hash is not None:
        _require_hash("genesis_hash", genesis_hash)


def require_record_id(record_id: object) -> None:
    """Checks the id of a new record, such as an order."""
    if not (isinstance(record_id, str) and RECORD_ID.fullmatch(record_id)):
        detail = (
            f"id: {record_id!r} is not an id: write at most 128 letters, digits and ._:-, "
            "beginning with a letter or digit"
        )
        refuse("ARGUMENT_INVALID", detail, "/id")


def require_blob_hash(blob_hash: Any) -> None:
    """Checks the hash of a blob."""
    _require_hash("hash", blob_hash)


def _require_hash(name: str, value: object) -> None:
    if not is_hash(value):
        refuse("ARGUMENT_INVALID", f"{name}: {value!r} is not a hash: write 64 digits of 0-9 and a-f", f"/{name}")


def require_handler(call: str, handler: object, *, takes: Literal[0, 1] = 1) -> None:
    """Checks that a handler can be called with ``takes`` arguments."""
    if not callable(handler):
        found = (
            "there is no handler" if handler is None else f"the handler is not a function, but {type(handler).__name__}"
        )
        refuse("ARGUMENT_INVALID", f"{call}: {found}", "/handler")
    try:
        inspect.signature(handler).bind(*[None] * takes)
    except TypeError as error:
        number = "one argument" if takes else "no argument"
        refuse("ARGUMENT_INVALID", f"{call}: the handler must take {number} ({error})", "/handler")
    except ValueError:
        pass  # Some functions that are written in C have no signature.


def require_texts(name: str, texts: object) -> None:
    """Checks a list of strings; a single string is refused."""
    if isinstance(texts, str) or not isinstance(texts, Collection) or not all(isinstance(each, str) for each in texts):
        refuse("ARGUMENT_INVALID", f"{name}: {texts!r} is no list of texts, such as ['research']", f"/{name}")


def require_lists(**lists: object) -> None:
    """Checks several lists of strings by name."""
    for name, texts in lists.items():
        require_texts(name, texts)


def require_seconds(name: str, seconds: object, *, least: float = 0.0) -> None:
    """Checks a finite number of seconds, at least ``least``."""
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if is_number and least <= float(seconds) < math.inf:  # type: ignore[arg-type]
        return
    above = " above 0" if least > 0 else ""
    refuse("ARGUMENT_INVALID", f"{name}: {seconds!r} is no number of seconds{above}, such as 30", f"/{name}")


def require_count(name: str, count: object) -> None:
    """Checks a positive integer."""
    if type(count) is not int or count < 1:
        refuse("ARGUMENT_INVALID", f"{name}: {count!r} is no whole number from 1 on, such as 2", f"/{name}")


def require_text(name: str, text: object) -> None:
    """Checks a string that is not empty."""
    if not isinstance(text, str) or not text:
        refuse("ARGUMENT_INVALID", f"{name}: {text!r} is no text", f"/{name}")


def require_mapping(name: str, value: object) -> None:
    """Checks a mapping."""
    if not isinstance(value, Mapping):
        refuse("ARGUMENT_INVALID", f"{name}: {type(value).__name__} is no mapping, such as a dict", f"/{name}")


def require_facts(facts: object) -> None:
    """Checks the facts of a message, a row of ``/v1/agent-messages``."""
    require_mapping("facts", facts)
    names = ("messageId", "conversationId", "fromAgentId", "toAgentId", "kind", "contentHash", "status")
    for name in names:
        require_text(name, facts.get(name))  # type: ignore[attr-defined]


def _all(kind: type, values: object) -> bool:
    return (
        isinstance(values, Sequence) and not isinstance(values, str) and all(isinstance(each, kind) for each in values)
    )


#: Check and its words in messages, by the annotation of a parameter.
_TYPES: dict[str, tuple[Callable[[object], bool], str]] = {
    "str": (lambda value: isinstance(value, str), "text"),
    "Mapping[str, Any]": (lambda value: isinstance(value, Mapping), "mapping, such as a dict"),
    "Sequence[str]": (lambda value: _all(str, value), "list of texts, such as ['research']"),
    "Sequence[Mapping[str, Any]]": (lambda value: _all(Mapping, value), "list of mappings, such as dicts"),
}


def _type_of(annotation: str, known: Mapping[str, Any]) -> tuple[Callable[[object], bool], str] | None:
    found = known.get(annotation)
    if isinstance(found, type) and found.__module__.startswith("netsdk.") and not is_typeddict(found):
        return (lambda value: isinstance(value, found)), annotation
    return _TYPES.get(annotation)


def _checked_method(method: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(method)
    checks = {}
    for name, parameter in signature.parameters.items():
        # Every module of the SDK postpones its annotations, so they are strings.
        kinds = str(parameter.annotation).split(" | ")
        types = [_type_of(kind, inspect.unwrap(method).__globals__) for kind in kinds if kind != "None"]
        known = [each for each in types if each is not None]
        if len(known) == len(types):
            checks[name] = (known, "None" in kinds)
    if not checks:
        return method

    def check(*arguments: Any, **options: Any) -> None:
        for name, value in signature.bind(*arguments, **options).arguments.items():
            types, optional = checks.get(name, ([], True))
            if not (value is None and optional) and types and not any(fits(value) for fits, _ in types):
                words = " or ".join(word for _, word in types)
                refuse("ARGUMENT_INVALID", f"{name}: {reprlib.repr(value)} is no {words}", f"/{name}")

    @wraps(method)
    def call(*arguments: Any, **options: Any) -> Any:
        check(*arguments, **options)
        return method(*arguments, **options)

    @wraps(method)
    async def call_async(*arguments: Any, **options: Any) -> Any:
        check(*arguments, **options)
        return await method(*arguments, **options)

    return call_async if inspect.iscoroutinefunction(method) else call


def checked(owner: Owner) -> Owner:
    """Decorates a class so that its public methods check the types of their arguments by the annotations.

    A method raises AgentError with ARGUMENT_INVALID for a string, mapping, list or object of the wrong type. Ranges,
    and annotations without an entry in ``_TYPES``, are left to the method.
    """
    for name in dir(owner):
        method = inspect.getattr_static(owner, name)
        if not name.startswith("_") and inspect.isfunction(method):
            setattr(owner, name, _checked_method(method))
    return owner


def require_options(call: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Checks that all option names are known.

    :raises AgentError: OPTION_UNKNOWN
    """
    names = list(known)
    for name in given:
        if name not in names:
            hint = did_you_mean(name, names) or (f"; there are {', '.join(names)}" if names else "")
            refuse("OPTION_UNKNOWN", f'{call}: "{name}"{hint}', f"/{name}")
