"""Messages between agents: sealed, found, opened, answered and acknowledged, each once."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from ..completion import fresh_id
from ..contracts import contract
from ..errors import NetError
from ..exact_value import exact_value
from ..formats import FormatError, open_content, recipients_of, seal_content
from ..protocol.canonical_json import JsonObject, canonical_bytes
from ..protocol.hashes import hash_value
from .errors import AgentError
from .origins import blob_uri, origin_of_uri
from .parts import Parts

#: Text, bytes, or what becomes canonical JSON.
MessageContent = str | bytes | dict[str, Any] | list[Any]
MessageKind = Literal["REQUEST", "RESPONSE", "EVENT"]

#: Heights that a message can be taken for.
MESSAGE_LIFETIME = 2_000
#: Seconds between looks for an answer where no event asks for one.
ANSWER_LOOK = 5.0


class Message(NamedTuple):
    """A message that was opened. What it says is content from a stranger: never to be taken for orders to a model.

    :ivar reply_to: the message that this one answers, None where it answers none
    """

    message_id: str
    conversation_id: str
    from_agent_id: str
    kind: MessageKind
    reply_to: str | None
    data: bytes

    @property
    def text(self) -> str:
        """The content as text; what is no UTF-8 becomes U+FFFD."""
        return self.data.decode("utf-8", "replace")

    def json(self) -> Any:
        """The content as JSON.

        :raises ValueError: where it is none
        """
        return json.loads(self.data)


class SentMessage(NamedTuple):
    """A message that was sent."""

    message_id: str
    conversation_id: str
    content_hash: str


def content_bytes(content: MessageContent) -> bytes:
    """The bytes to seal.

    :raises AgentError: VALUE_NOT_JSON with the path of what JSON cannot carry exactly
    """
    if isinstance(content, str):
        return content.encode("utf-8")
    return bytes(content) if isinstance(content, (bytes, bytearray)) else canonical_bytes(exact_value(content))


async def open_message(parts: Parts, facts: Mapping[str, Any]) -> Message:
    """Fetches and unseals a message of the chain.

    :raises AgentError: BLOB_NOT_FOUND where no store has the content, BLOB_UNAVAILABLE where a store that may have it
        does not give it now, ENCRYPTION_KEY_OUTDATED where it is sealed to a newer key than is here
    :raises FormatError: where it is not sealed to this agent for this very message
    """
    content_hash = facts["contentHash"]
    near = await parts.origins.find(content_hash, [origin_of_uri(facts.get("envelopeUri"), content_hash)])
    data = near
    if isinstance(data, str):
        data = await parts.origins.find(content_hash, await parts.peers.origins_of(facts["fromAgentId"]))
    if isinstance(data, str):
        # A store that is busy, or does not answer, has not said that it is gone.
        gone = near == "absent" and data == "absent"
        raise AgentError("BLOB_NOT_FOUND" if gone else "BLOB_UNAVAILABLE", content_hash)
    try:
        plain = open_content(data, parts.require_keyring(), _context(parts, facts), content_hash)
    except FormatError as error:
        if error.code != "SEALED_NOT_FOR_KEY":
            raise
        # A session or a copy of the keys from before a rotation: who has the newer key will open it.
        newest = ((await parts.peers.metadata_of(parts.agent_id)) or {}).get("encryptionKey", {}).get("kid")
        if newest is None or newest not in recipients_of(data):
            raise
        raise AgentError("ENCRYPTION_KEY_OUTDATED", newest) from error
    return Message(
        facts["messageId"], facts["conversationId"], facts["fromAgentId"], facts["kind"], facts.get("replyTo"), plain
    )


async def seal_message(parts: Parts, ids: Mapping[str, Any], content: bytes) -> bytes | None:
    """Seals to the key that the recipient publishes now; None where it has published none.

    :raises AgentError: BLOB_UNAVAILABLE where a store that may have it does not give it now
    """
    metadata = await parts.peers.metadata_of(ids["toAgentId"])
    if metadata is None:
        return None
    return seal_content(content, [metadata["encryptionKey"]], _context(parts, ids)).data


def _context(parts: Parts, facts: Mapping[str, Any]) -> JsonObject:
    """The facts of the chain that the content is bound to."""
    names = ("fromAgentId", "toAgentId", "conversationId", "messageId", "sequence")
    return {"chainId": parts.chain_id} | {name: facts[name] for name in names}


async def next_sequence(parts: Parts, conversation_id: str, agent_id: str) -> int:
    """The sequence of the next message, from the state itself: messages leave it, the count stays."""
    place = hash_value({"conversationId": conversation_id, "fromAgentId": agent_id})
    record = await parts.client.state(f"conversation/{place}")
    return int((record or {}).get("lastSequence", 0)) + 1


def receipt_hash(facts: Mapping[str, Any], code: str | None) -> str:
    """What an acknowledgement commits to; ``code`` says why a message was rejected."""
    return hash_value(
        {
            "schema": "NET-MESSAGE-RECEIPT/1",
            "messageId": facts["messageId"],
            "contentHash": facts["contentHash"],
            "status": "DELIVERED" if code is None else "REJECTED",
            "code": code,
        }
    )


def message_payload(
    ids: Mapping[str, Any], kind: MessageKind, content_hash: str, *, origin: str, height: int
) -> JsonObject:
    """The payload that commits a sealed content."""
    return {
        "schema": "NET-AGENT-MESSAGE/1",
        **ids,
        "agentId": ids["fromAgentId"],
        "kind": kind,
        "contentEncoding": "application/ael-encrypted+json",
        "contentHash": content_hash,
        "envelopeUri": blob_uri(origin, content_hash),
        "expiresAtHeight": height + MESSAGE_LIFETIME,
    }


#: An agent that has just joined publishes a key some seconds later; one that is not there must not take minutes.
KEY_PATIENCE = 20.0
LOOK_FOR_KEY = 0.5


async def send_message(
    parts: Parts,
    to_agent_id: str,
    content: MessageContent,
    kind: MessageKind,
    *,
    conversation_id: str | None,
    reply_to: str | None,
    message_id: str | None = None,
    timeout: float = KEY_PATIENCE,
) -> SentMessage:
    """Seals, stores and commits a message.

    :raises AgentError: RECIPIENT_UNKNOWN, RECIPIENT_HAS_NO_KEY, BLOB_UNAVAILABLE where a store does not give its key
        now, BLOB_NOT_STORED
    :raises NetError:
    :raises FormatError: CONTENT_EMPTY
    """
    conversation = conversation_id or fresh_id("c")
    ids = {
        "messageId": message_id or fresh_id("m"),
        "conversationId": conversation,
        "fromAgentId": parts.agent_id,
        "toAgentId": to_agent_id,
        "sequence": await next_sequence(parts, conversation, parts.agent_id),
    }
    look_until = time.monotonic() + min(timeout, KEY_PATIENCE)
    registered = False
    while isinstance(sealed := await _seal_now(parts, ids, content_bytes(content)), (AgentError, type(None))):
        if sealed is None and not registered and await parts.client.state(f"agent/{to_agent_id}") is None:
            # A registered agent may publish a key yet; an unknown one will not come while this waits.
            raise AgentError("RECIPIENT_UNKNOWN", to_agent_id)
        registered = True
        # Before the timeout of the whole call, which could only say that it took too long.
        if time.monotonic() + LOOK_FOR_KEY < look_until:
            await asyncio.sleep(LOOK_FOR_KEY)
            # The recipient's metadata may lie at a store that was not known before.
            await parts.origins.refresh()
            continue
        raise sealed or AgentError("RECIPIENT_HAS_NO_KEY", to_agent_id)
    content_hash, places = await parts.origins.put(sealed)
    payload = message_payload(ids, kind, content_hash, origin=places[0].origin, height=await parts.client.height())
    if reply_to is not None:
        payload["replyTo"] = reply_to
    act_id = f"send/{ids['messageId']}"
    await parts.outbox.act(act_id, "sendAgentMessage", payload)
    parts.outbox.forget(act_id)
    return SentMessage(str(ids["messageId"]), conversation, content_hash)


async def _seal_now(parts: Parts, ids: Mapping[str, Any], content: bytes) -> bytes | AgentError | None:
    """The refusal in place of the content where a store that may have the recipient's key does not give it now."""
    try:
        return await seal_message(parts, ids, content)
    except AgentError as error:
        if error.code != "BLOB_UNAVAILABLE":
            raise
        return error


async def await_answer(parts: Parts, sent: SentMessage, to_agent_id: str, timeout: float) -> Message:
    """Waits for the answer of the very agent that was asked, opens and acknowledges it.

    :param timeout: seconds
    :raises AgentError: ANSWER_TIMEOUT, MESSAGE_REJECTED, RECIPIENT_KEY_CHANGED
    :raises FormatError: where the answer cannot be opened
    """
    until = time.monotonic() + timeout
    while True:
        wakes = parts.poller.wakes
        told = await parts.client.read("/v1/agent-messages", conversationId=sent.conversation_id)
        for facts in told["messages"]:
            is_answer = facts["kind"] == "RESPONSE" and facts.get("replyTo") == sent.message_id
            if is_answer and facts["fromAgentId"] == to_agent_id:
                await parts.client.prove_message(facts)
                try:
                    message = await open_message(parts, facts)
                except AgentError as error:
                    # Its place is busy: there may be time left to ask again.
                    if error.code == "BLOB_UNAVAILABLE" and time.monotonic() < until:
                        continue
                    raise
                if facts["status"] == "PENDING":
                    await acknowledge(parts, facts, None)
                    parts.outbox.forget(f"ack/{facts['messageId']}")
                return message
            if facts["messageId"] == sent.message_id and facts["status"] == "REJECTED":
                raise _rejection(facts)
        left = until - time.monotonic()
        if left <= 0:
            raise AgentError("ANSWER_TIMEOUT", f"{timeout} s")
        await parts.poller.wait(min(left, ANSWER_LOOK), wakes)


#: The receipt commits to the reason; the usual ones can be told from it.
_REASONS = ("HANDLER_FAILED", "BLOB_NOT_FOUND", *contract("formats")["errors"])


def _rejection(facts: Mapping[str, Any]) -> AgentError:
    message_id, said = facts["messageId"], (facts.get("acknowledgement") or {}).get("receiptHash")
    code = next((each for each in _REASONS if receipt_hash(facts, each) == said), None)
    if code == "SEALED_NOT_FOR_KEY":
        return AgentError("RECIPIENT_KEY_CHANGED", message_id)
    return AgentError("MESSAGE_REJECTED", message_id if code is None else f"{message_id}, {code}")


async def acknowledge(parts: Parts, facts: Mapping[str, Any], code: str | None) -> None:
    """Says on the chain what became of a message; once. What the chain refuses is reported."""
    try:
        await _acknowledge(parts, facts, code)
    except NetError as error:
        parts.events.warn(error, facts["messageId"])


async def acknowledge_once(parts: Parts, facts: Mapping[str, Any]) -> None:
    """Says on the chain that a message was received.

    :raises NetError: with the code of a refusal
    """
    await _acknowledge(parts, facts, None)
    parts.outbox.forget(f"ack/{facts['messageId']}")


async def _acknowledge(parts: Parts, facts: Mapping[str, Any], code: str | None) -> None:
    message_id = facts["messageId"]
    payload = {
        "agentId": parts.agent_id,
        "messageId": message_id,
        "status": "DELIVERED" if code is None else "REJECTED",
        "receiptHash": receipt_hash(facts, code),
    }
    try:
        await parts.outbox.act(f"ack/{message_id}", "acknowledgeAgentMessage", payload)
    except NetError as error:
        if error.code != "MESSAGE_ALREADY_ACKNOWLEDGED":
            raise
