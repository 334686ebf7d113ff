"""Messages between agents: sealing, sending, opening and acknowledging."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from ..arguments import require_facts
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

#: A dict or a list becomes canonical JSON.
MessageContent = str | bytes | dict[str, Any] | list[Any]
MessageKind = Literal["REQUEST", "RESPONSE", "EVENT"]

#: Heights.
MESSAGE_LIFETIME = 2_000
#: Seconds between polls for an answer if no event comes.
ANSWER_LOOK = 5.0


class Message(NamedTuple):
    """An opened message. Its data is untrusted content, never instructions to a model.

    :ivar reply_to: id of the message that it answers, or None
    """

    message_id: str
    conversation_id: str
    from_agent_id: str
    kind: MessageKind
    reply_to: str | None
    data: bytes

    @property
    def text(self) -> str:
        """Content as text. Invalid UTF-8 becomes U+FFFD."""
        return self.data.decode("utf-8", "replace")

    def json(self) -> Any:
        """Returns the content as JSON.

        :raises ValueError: if it is not JSON
        """
        return json.loads(self.data)


class SentMessage(NamedTuple):
    """A sent message."""

    message_id: str
    conversation_id: str
    content_hash: str


def content_bytes(content: MessageContent) -> bytes:
    """Returns the bytes to seal.

    :raises AgentError: VALUE_NOT_JSON with the path of a value that JSON cannot represent exactly
    """
    if isinstance(content, str):
        return content.encode("utf-8")
    return bytes(content) if isinstance(content, (bytes, bytearray)) else canonical_bytes(exact_value(content))


async def open_message(parts: Parts, facts: Mapping[str, Any]) -> Message:
    """Fetches and unseals a message.

    :raises AgentError: BLOB_NOT_FOUND if no store has the content, BLOB_UNAVAILABLE if a store failed or is busy,
        ENCRYPTION_KEY_OUTDATED if it is sealed to a newer key than this machine has
    """
    content_hash = facts["contentHash"]
    near = await parts.origins.find(content_hash, [origin_of_uri(facts.get("envelopeUri"), content_hash)])
    data = near
    if isinstance(data, str):
        data = await parts.origins.find(content_hash, await parts.peers.origins_of(facts["fromAgentId"]))
    if isinstance(data, str):
        # A store that is busy or silent may still have it.
        gone = near == "absent" and data == "absent"
        raise AgentError("BLOB_NOT_FOUND" if gone else "BLOB_UNAVAILABLE", content_hash)
    try:
        plain = open_content(data, parts.require_keyring(), _context(parts, facts), content_hash)
    except FormatError as error:
        if error.code != "SEALED_NOT_FOR_KEY":
            raise
        # A session or a copy of the keys may be older than the last rotation.
        newest = ((await parts.peers.metadata_of(parts.agent_id)) or {}).get("encryptionKey", {}).get("kid")
        if newest is None or newest not in recipients_of(data):
            raise
        raise AgentError("ENCRYPTION_KEY_OUTDATED", newest) from error
    return Message(
        facts["messageId"], facts["conversationId"], facts["fromAgentId"], facts["kind"], facts.get("replyTo"), plain
    )


async def seal_message(parts: Parts, ids: Mapping[str, Any], content: bytes) -> bytes | None:
    """Seals content to the recipient's current key. Returns None if the recipient has published none."""
    metadata = await parts.peers.metadata_of(ids["toAgentId"])
    if metadata is None:
        return None
    return seal_content(content, [metadata["encryptionKey"]], _context(parts, ids)).data


def _context(parts: Parts, facts: Mapping[str, Any]) -> JsonObject:
    names = ("fromAgentId", "toAgentId", "conversationId", "messageId", "sequence")
    return {"chainId": parts.chain_id} | {name: facts[name] for name in names}


async def next_sequence(parts: Parts, conversation_id: str, agent_id: str) -> int:
    """Returns the sequence of the next message. The chain counts on after it deletes messages."""
    place = hash_value({"conversationId": conversation_id, "fromAgentId": agent_id})
    record = await parts.client.state(f"conversation/{place}")
    return int((record or {}).get("lastSequence", 0)) + 1


def receipt_hash(facts: Mapping[str, Any], code: str | None) -> str:
    """Returns the hash of an acknowledgement.

    :param code: reason of a rejection, None for a delivered message
    """
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
    """Returns the payload that commits sealed content."""
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


#: Longest seconds to wait for a recipient's key, which agents publish some seconds after they join.
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
    """Seals, stores and commits a message; see :meth:`AsyncAgent.send`."""
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
            # Only a registered agent may still publish a key.
            raise AgentError("RECIPIENT_UNKNOWN", to_agent_id)
        registered = True
        # Stop before the timeout of the whole call, so that the caller gets a more precise error.
        if time.monotonic() + LOOK_FOR_KEY < look_until:
            await asyncio.sleep(LOOK_FOR_KEY)
            # A new store may have the recipient's metadata.
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
    """Returns the sealed message, None if the recipient has no key, or BLOB_UNAVAILABLE as a value."""
    try:
        return await seal_message(parts, ids, content)
    except AgentError as error:
        if error.code != "BLOB_UNAVAILABLE":
            raise
        return error


def require_sound_facts(facts: object) -> None:
    """Raises NetError without a problem if a node's facts of a message lack members."""
    try:
        require_facts(facts)
    except AgentError as error:
        raise NetError(200, None, detail=f"a message of the answer is malformed: {error.detail}") from None


async def await_answer(parts: Parts, sent: SentMessage, to_agent_id: str, timeout: float) -> Message:
    """Waits up to ``timeout`` seconds for the answer of the asked agent, opens it, and acknowledges it."""
    until = time.monotonic() + timeout
    while True:
        wakes = parts.poller.wakes
        told = await parts.client.read("/v1/agent-messages", conversationId=sent.conversation_id)
        for facts in told["messages"]:
            require_sound_facts(facts)
            is_answer = facts["kind"] == "RESPONSE" and facts.get("replyTo") == sent.message_id
            if is_answer and facts["fromAgentId"] == to_agent_id:
                await parts.client.prove_message(facts)
                try:
                    message = await open_message(parts, facts)
                except AgentError as error:
                    if error.code == "BLOB_UNAVAILABLE" and time.monotonic() < until:
                        continue
                    raise
                if facts["status"] == "PENDING":
                    try:
                        await acknowledge(parts, facts, None)
                    except NetError as error:
                        parts.events.warn(error, facts["messageId"])
                return message
            if facts["messageId"] == sent.message_id and facts["status"] == "REJECTED":
                raise _rejection(facts)
        left = until - time.monotonic()
        if left <= 0:
            raise AgentError("ANSWER_TIMEOUT", f"{timeout} s")
        await parts.poller.wait(min(left, ANSWER_LOOK), wakes)


#: Known reasons. A receipt contains only the hash of its reason.
_REASONS = ("HANDLER_FAILED", "BLOB_NOT_FOUND", *contract("formats")["errors"])


def _rejection(facts: Mapping[str, Any]) -> AgentError:
    message_id, said = facts["messageId"], (facts.get("acknowledgement") or {}).get("receiptHash")
    code = next((each for each in _REASONS if receipt_hash(facts, each) == said), None)
    if code == "SEALED_NOT_FOR_KEY":
        return AgentError("RECIPIENT_KEY_CHANGED", message_id)
    return AgentError("MESSAGE_REJECTED", message_id if code is None else f"{message_id}, {code}")


async def acknowledge(parts: Parts, facts: Mapping[str, Any], code: str | None) -> None:
    """Acknowledges a message once. Does nothing if it was acknowledged before.

    :param code: reason of a rejection, None for a delivered message
    """
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
    parts.outbox.forget(f"ack/{message_id}")
