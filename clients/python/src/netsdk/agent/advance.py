"""Execution of the tables in ``MACHINES``, as in the JavaScript SDK."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import NetError
from ..formats import FormatError
from ..tables import EVENT_MEMBERS
from .emitter import Emitter
from .errors import code_of

Facts = dict[str, Any]


async def advance(
    rules: Sequence[Mapping[str, Any]],
    facts: Facts,
    effects: object,
    *,
    emit: Callable[[str, Facts], Any],
    note: Callable[..., None] = lambda record, **change: None,
) -> float | None:
    """Applies rules until one waits.

    :param facts: changed in place
    :param effects: has a method ``_do_<effect>`` for each effect
    :returns: seconds until the next call, 0 for at once; None if the machine has ended
    """
    rule = _first(rules, facts)
    while rule is not None:
        on = rule.get("on", {})
        facts.update(_filled(rule.get("with", {}), facts))
        try:
            told = getattr(effects, f"_do_{rule['do']}")(facts) if "do" in rule else None
            facts.update((await told if inspect.isawaitable(told) else told) or {})
        except Exception as error:
            rule = _first([each for kind in _kinds(error) for each in on.get(kind, [])], facts)
            if rule is None:
                raise
            facts.update(error=error, code=code_of(error), reason=str(error))
            continue
        if "set" in rule:
            change = _filled(rule["set"], facts)
            facts.update(change)
            note(facts["record"], **change)
        for event in rule.get("emit", []):
            emit(event, facts)
        if "wait" in rule:
            wait = _filled(rule, facts)["wait"]
            return None if wait is None else wait / 1000
        rule = _first([*on.get("ok", []), *rules], facts)
    raise AssertionError


def _kinds(error: Exception) -> list[str]:
    refused = ["refused"] if isinstance(error, NetError) else []
    return [code_of(error), *refused, *(["unreadable"] if isinstance(error, FormatError) else []), "failed"]


def _first(rules: Sequence[Mapping[str, Any]], facts: Facts) -> Mapping[str, Any] | None:
    return next((rule for rule in rules if _is_met(rule["if"], facts)), None)


def _is_met(conditions: Mapping[str, Any], facts: Facts) -> bool:
    return all(
        facts.get(name) in (wanted if isinstance(wanted, list) else [wanted]) for name, wanted in conditions.items()
    )


def _filled(values: Mapping[str, Any], facts: Facts) -> Facts:
    return {
        name: facts.get(value[1:]) if isinstance(value, str) and value.startswith("$") else value
        for name, value in values.items()
    }


def emit_from(events: Emitter, owner: str, event: str, facts: Facts) -> tuple[str, Facts]:
    """Emits an event of an ``agent`` or a ``hire`` with its members from the facts, and returns both.

    :raises KeyError: if a member is missing, as in a malformed event of a node
    """
    name, members = _snake(event), {_snake(each): facts[each] for each in EVENT_MEMBERS[owner][event]}
    events.emit(name, **members)
    return name, members


def _snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
