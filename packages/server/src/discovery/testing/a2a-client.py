"""The official Python client of A2A, as its default is: finds the card, asks, and follows orders as tasks.

    python a2a-client.py <url of the node> <JSONRPC | HTTP+JSON> <order> <order that ends> <agent>

Prints a line of JSON for each thing it was told, so that the test which started it knows when to go on.
"""

import asyncio
import json
import sys
import urllib.request

from a2a.client import ClientConfig, ClientFactory
from a2a.helpers.proto_helpers import (
    get_data_parts,
    get_message_text,
    new_data_message,
    new_text_message,
)
from a2a.types.a2a_pb2 import (
    AgentCard,
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
    TaskState,
)
from a2a.utils.errors import A2AError
from a2a.utils.signing import InvalidSignaturesError, create_signature_verifier
from google.protobuf.json_format import MessageToDict
from jwt.api_jwk import PyJWK


def tell(what: str, **facts: object) -> None:
    print(json.dumps({"what": what, **facts}), flush=True)


def key_of(kid: str | None, jku: str | None) -> PyJWK:
    with urllib.request.urlopen(jku or "", timeout=60) as answer:
        keys = json.load(answer)["keys"]
    return PyJWK(next(key for key in keys if key["kid"] == kid))


async def refusal_of(call: object) -> str:
    try:
        await call  # type: ignore[misc]
    except A2AError as error:
        return type(error).__name__
    return "none"


def state_of(task: object) -> str:
    return TaskState.Name(task.status.state)  # type: ignore[attr-defined]


async def main(url: str, binding: str, order: str, ending: str, agent: str) -> None:
    verify = create_signature_verifier(key_of, ["EdDSA"])
    verified: list[AgentCard] = []

    def check(card: AgentCard) -> None:
        verify(card)
        verified.append(card)

    # The client speaks JSONRPC by default, so it needs no configuration.
    config = None if binding == "JSONRPC" else ClientConfig(supported_protocol_bindings=[binding])
    client = await ClientFactory(config).create_from_url(url, signature_verifier=check)
    (card,) = verified
    changed = AgentCard()
    changed.CopyFrom(card)
    changed.description = "another"
    try:
        verify(changed)
        forged = "taken"
    except InvalidSignaturesError:
        forged = "refused"
    tell("card", skills=[skill.id for skill in card.skills], forged=forged)

    async with client:
        question = new_text_message("status", role=Role.ROLE_USER)
        answers = [it async for it in client.send_message(SendMessageRequest(message=question))]
        (answer,) = answers
        data = get_data_parts(answer.message.parts)
        tell("answer", text=get_message_text(answer.message), topics=data[0]["topics"])

        page = await client.list_tasks(ListTasksRequest())
        tell("tasks", ids=[task.id for task in page.tasks])
        tell("task", state=state_of(await client.get_task(GetTaskRequest(id=order))))
        tell(
            "refusals",
            missing=await refusal_of(client.get_task(GetTaskRequest(id="none"))),
            cancel=await refusal_of(client.cancel_task(CancelTaskRequest(id=order))),
        )

        payload = {"orderId": order, "agentId": agent}
        wish = {"actorId": agent, "action": "acceptWork", "payload": payload}
        message = new_data_message(wish, task_id=order, role=Role.ROLE_USER)
        async for event in client.send_message(SendMessageRequest(message=message)):
            (asked,) = get_data_parts(event.task.status.message.parts)
            tell("sign", state=state_of(event.task), bytes=asked["bytes"])
            break

        for task_id in (order, ending):
            has_artifact = False
            async for event in client.subscribe(SubscribeToTaskRequest(id=task_id)):
                (kind,) = MessageToDict(event)
                value = getattr(event, event.WhichOneof("payload"))
                has_state = kind != "artifactUpdate"
                tell("event", id=task_id, kind=kind, state=state_of(value) if has_state else None)
                # A delivery's artifact comes before its status update.
                if has_artifact and kind == "statusUpdate":
                    break
                has_artifact = kind == "artifactUpdate"
            tell("end", id=task_id)


asyncio.run(main(*sys.argv[1:]))
