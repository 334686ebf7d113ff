"""Reads, envelopes and actions of a node as flows, for the asyncio client and the blocking one."""

from __future__ import annotations

import json
import math
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from .amount import unet_at
from .arguments import (
    SHORTEST,
    require_mapping,
    require_path,
    require_seconds,
    require_text,
    require_texts,
    require_url,
)
from .completion import LIFETIME, complete, fresh_id
from .control_token import HEADER, control_header, control_headers, is_loopback
from .errors import LostAnswerError, NetError
from .exact_value import exact_value
from .flow import Answer, Flow, Request, answer_limit, send, sleep
from .key import AgentKey
from .name_work import MOST_NAME_BITS, worked_nonce
from .paths import Parameter, build_path
from .protocol.canonical_json import MAX_SAFE_INTEGER, JsonObject, canonical_bytes
from .protocol.hashes import hash_value, is_hash
from .tables import AGENT_ERRORS, LISTS

if TYPE_CHECKING:
    from .documents import NetworkStatus, Receipt

#: Heights; minutes on a busy chain.
INTENT_LIFETIME = 600
SEND_ATTEMPTS = 4
#: Longest Retry-After to wait for, in seconds. With a longer one, the caller gets the error.
MAX_WAIT = 30.0
#: Seconds of a day. Later moments would be no dates any more.
MOST_RETRY_AFTER = 86_400.0
#: Seconds for which a read height is reused. Few of the INTENT_LIFETIME blocks pass in this time.
FACTS_LIFETIME = 20.0

#: First version of the rules under which envelopes may name the genesis hash of their chain.
NAMED_GENESIS = 2

#: Seconds before a node that seems to serve another chain is checked for the last time.
BEFORE_REPLACED = 0.5

_STALE = ("INTENT_EXPIRED", "EXPIRY_TOO_FAR")


class Actor(NamedTuple):
    """An actor id with its key, or with a session key."""

    actor_id: str
    key: AgentKey
    session_id: str | None = None


class Facts(NamedTuple):
    """Chain id and height, with the monotonic time in seconds at which they were read."""

    chain_id: str
    height: int
    at: float


class Api:
    """One node, identified by its base URL."""

    def __init__(
        self, url: str, timeout: float, chain_id: str | None = None, *, control_token: str | None = None
    ) -> None:
        require_seconds("timeout", timeout, least=SHORTEST)
        self.url = require_url(url)
        self.timeout = timeout
        self._control_token = control_token
        #: A chain id that the caller gave is never replaced by the node's.
        self._facts = None if chain_id is None else Facts(chain_id, 0, -math.inf)
        #: Member that envelopes carry from version 2 of the rules on; empty before.
        self._genesis: JsonObject = {}
        self._loaded_at = -math.inf

    def read(self, path: str, parameters: Mapping[str, Parameter]) -> Flow[JsonObject]:
        """Reads a document by its OpenAPI path template."""
        document = yield from self.get(build_path(path, parameters))
        _require_list(path, document)
        snapshot = document.get("snapshot")
        if isinstance(snapshot, dict):
            self._learn(snapshot)
        return document

    def get(self, path: str, *, headers: Mapping[str, str] | None = None) -> Flow[JsonObject]:
        """Reads any path, with its query."""
        require_path(path)
        request = Request("GET", self.url + path, self.timeout, headers=headers or {}, max_bytes=answer_limit(path))
        return document_of((yield from self._asked(request)))

    def text(self, path: str) -> Flow[str]:
        """Reads a text resource."""
        require_path(path)
        answer = yield from self._asked(Request("GET", self.url + path, self.timeout, max_bytes=answer_limit(path)))
        return answer.content.decode("utf-8", "replace")

    def network(self) -> Flow[NetworkStatus]:
        """Reads the network status, and updates the known height and the genesis hash to name."""
        status = yield from self.status()
        # The client never signs for a second chain, even if the node starts to serve one.
        chain_id = self._facts.chain_id if self._facts is not None else status["chainId"]
        self._facts = Facts(chain_id, status["height"], time.monotonic())
        self._loaded_at = self._facts.at
        # Once the genesis is named, it stays named, even if the node then reports an older version.
        if not self._genesis and rules_version_in(status) >= NAMED_GENESIS:
            self.name_genesis(str(status["genesisHash"]))
        return cast("NetworkStatus", status)

    def name_genesis(self, genesis_hash: str) -> None:
        """Adds this genesis hash to every envelope; see :meth:`AsyncNetClient.name_genesis`."""
        require_text("genesis_hash", genesis_hash)
        self._genesis = {"genesisHash": genesis_hash}

    def chain(self, genesis_hash: str | None) -> Flow[JsonObject]:
        """Returns the network status if the node still serves the chain of this genesis; None allows any chain.

        Retries on new connections before it reports another genesis: one misrouted answer must not end an agent.

        :raises AgentError: CHAIN_REPLACED if the node serves another chain
        """
        for again in range(3):
            if again == 2:
                yield from sleep(BEFORE_REPLACED)
            network = yield from self.status(headers={"connection": "close"} if again else None)
            found = network.get("genesisHash")
            if not is_hash(found):
                raise NetError(200, None, detail="the answer names no genesis")
            if found == genesis_hash or genesis_hash is None:
                return network
        # Avoids a circular import.
        from .agent.errors import AgentError

        raise AgentError("CHAIN_REPLACED", f"{self.url}, genesis {found}")

    def status(self, *, headers: Mapping[str, str] | None = None) -> Flow[JsonObject]:
        """Reads the network status, and checks its chain id and height.

        :raises NetError: NOT_A_NODE if the answer is not from a node
        """
        try:
            found = yield from self.get("/v1/network", headers=headers)
        except NetError as error:
            if error.code not in ("HTTP_200", "HTTP_404"):
                raise
            what = "what is no JSON document" if error.status == 200 else "status 404"
            raise self._not_a_node(what, error.status) from error
        if "chainId" not in found and "height" not in found:
            names = ", ".join(list(found)[:5])
            raise self._not_a_node(f"JSON that has {names}" if names else "an empty object")
        require_height(found.get("height"))
        if not isinstance(found.get("chainId"), str):
            raise NetError(200, None, detail="the answer names no chain")
        return found

    def _not_a_node(self, found: str, status: int = 200) -> NetError:
        title, advice = AGENT_ERRORS["NOT_A_NODE"]
        detail = f"{title} ({self.url}/v1/network answers with {found}). {advice}"
        return NetError(status, None, detail=detail, code="NOT_A_NODE")

    def facts(self, *, fresh: bool = False) -> Flow[Facts]:
        """Returns chain id and height. Reads them again if they are outdated, or while the genesis is not named yet."""
        known = self._facts
        oldest = min(-math.inf if known is None else known.at, math.inf if self._genesis else self._loaded_at)
        if fresh or time.monotonic() - oldest > FACTS_LIFETIME:
            yield from self.network()
        assert self._facts is not None
        return self._facts

    def act(self, actor: Actor, action: str, given: Mapping[str, Any]) -> Flow[Receipt]:
        """Completes, signs and submits one action."""
        require_text("action", action)
        require_mapping("payload", given)
        asked_at = time.monotonic()
        # Both attempts share a nonce, and the second expires no earlier. So the chain executes only one of them, even
        # if the first refusal was a lie. A lower height is believed only from a loopback node, which may be a restored
        # laboratory.
        nonce = secrets.token_hex(16)
        facts = yield from self.facts()
        refusal: NetError | None = None
        for _ in range(2):
            if refusal is not None:
                before, facts = facts, (yield from self.facts(fresh=True))
                if facts.height < before.height and not is_loopback(self.url):
                    raise refusal
            payload = yield from complete(self.read, actor.actor_id, action, given, height=facts.height)
            envelope = self.intent(actor, action, payload, facts, nonce=nonce)
            try:
                return (yield from self.submit("/v1/intents", envelope))
            except NetError as error:
                # Retry once if the height was cached and has become outdated.
                if error.code not in _STALE or facts.at >= asked_at:
                    raise
                refusal = error
        raise AssertionError("the second attempt returns or raises")

    def intent(
        self, actor: Actor, action: str, payload: Mapping[str, Any], facts: Facts, *, nonce: str | None = None
    ) -> JsonObject:
        """Signs an intent."""
        envelope: JsonObject = {
            "actorId": actor.actor_id,
            "nonce": nonce or secrets.token_hex(16),
            "expiresAtHeight": facts.height + INTENT_LIFETIME,
            "action": action,
            "payload": dict(payload),
            "chainId": facts.chain_id,
            **self._genesis,
        }
        if actor.session_id is not None:
            envelope["sessionId"] = actor.session_id
        return actor.key.sign(envelope)

    def simulate(self, actor_id: str, action: str, given: Mapping[str, Any], trace: bool = False) -> Flow[JsonObject]:
        """Simulates an action; commits nothing."""
        require_text("action", action)
        require_mapping("payload", given)
        facts = yield from self.facts()
        payload = yield from complete(self.read, actor_id, action, given, height=facts.height)
        body = {"actorId": actor_id, "action": action, "payload": payload}
        return (yield from self.post(f"/v1/intents:simulate{'?trace=true' if trace else ''}", body))

    def register(self, actor: Actor, description: str | None, referrer_agent_id: str | None) -> Flow[Receipt]:
        """Registers the actor as an agent, under its key."""
        members: JsonObject = {}
        if description is not None:
            members["description"] = description
        if referrer_agent_id is not None:
            members["referrerAgentId"] = referrer_agent_id
        return (yield from self._submit_worked("/v1/agents/register", actor, members))

    def _submit_worked(self, path: str, actor: Actor, members: JsonObject) -> Flow[Receipt]:
        envelope = yield from self._self_signed(actor, members)
        try:
            return (yield from self.submit(path, envelope))
        except NetError as error:
            if error.code != "NAME_WORK_MISSING":
                raise
            work_bits = (yield from self.network())["registration"]["workBits"]
            if work_bits > MOST_NAME_BITS:
                raise
        unsigned = {name: member for name, member in envelope.items() if name != "signature"}
        nonce = yield from worked_nonce(unsigned, work_bits)
        return (yield from self.submit(path, actor.key.sign(unsigned | {"nonce": nonce})))

    def apply(self, actor: Actor, application: Mapping[str, Any]) -> Flow[Receipt]:
        """Applies for a role. Does the work that a new name costs, as ``register`` does."""
        require_mapping("application", application)
        members = {"schema": "NET-OPERATOR-APPLICATION/1", **application}
        return (yield from self._submit_worked("/v1/operator-applications", actor, members))

    def claim(self, actor: Actor, invitation_id: str) -> Flow[Receipt]:
        """Claims an invitation."""
        members = {"schema": "NET-OPERATOR-INVITATION-CLAIM/1", "invitationId": invitation_id}
        envelope = yield from self._self_signed(actor, members)
        return (yield from self.submit("/v1/operator-invitations/claim", envelope))

    def rotate_key(self, actor: Actor, new_key: AgentKey) -> Flow[Receipt]:
        """Replaces the actor's key."""
        facts = yield from self.facts()
        nonce = secrets.token_hex(16)
        proof = new_key.sign(
            {
                "schema": "NET-KEY-ROTATION/1",
                "chainId": facts.chain_id,
                "actorId": actor.actor_id,
                "oldKeyHash": actor.key.public_key_hash,
                "newPublicKey": new_key.public_key,
                "nonce": nonce,
                **self._genesis,
            }
        )
        payload = {
            "agentId": actor.actor_id,
            "newPublicKey": new_key.public_key,
            "newKeySignature": proof["signature"],
            **self._genesis,
        }
        envelope = self.intent(actor, "rotateAgentKey", payload, facts, nonce=nonce)
        return (yield from self.submit("/v1/intents", envelope))

    def grant_session(
        self,
        actor: Actor,
        key: AgentKey,
        *,
        actions: Sequence[str],
        budget: str | int,
        session_id: str | None,
        expires_at_height: int | None,
        max_amount: str | int | None,
        label: str | None,
    ) -> Flow[Actor]:
        """Grants a session, and returns the actor that signs with it."""
        require_texts("actions", actions)
        facts = yield from self.facts()
        nonce, session = secrets.token_hex(16), session_id or fresh_id("session")
        proof = key.sign(
            {
                "schema": "NET-SESSION-KEY/1",
                "chainId": facts.chain_id,
                "actorId": actor.actor_id,
                "sessionId": session,
                "publicKey": key.public_key,
                "nonce": nonce,
                **self._genesis,
            }
        )
        payload: JsonObject = {
            "agentId": actor.actor_id,
            "sessionId": session,
            "publicKey": key.public_key,
            "publicKeyHash": key.public_key_hash,
            "sessionKeySignature": proof["signature"],
            **self._genesis,
            "actions": list(actions),
            "budget": unet_at("/budget", budget),
            "expiresAtHeight": facts.height + LIFETIME if expires_at_height is None else expires_at_height,
        }
        if max_amount is not None:
            payload["maxAmount"] = unet_at("/maxAmount", max_amount)
        if label is not None:
            payload["label"] = label
        envelope = self.intent(actor, "grantSession", payload, facts, nonce=nonce)
        yield from self.submit("/v1/intents", envelope)
        return Actor(actor.actor_id, key, session)

    def post(self, path: str, body: Mapping[str, Any]) -> Flow[JsonObject]:
        """Sends a document, and retries while the node is busy.

        :raises AgentError: VALUE_NOT_JSON if JSON cannot represent a value
        """
        require_path(path)
        require_mapping("body", body)
        answer = yield from self._asked(self._posted(path, exact_value(dict(body))))
        return document_of(answer)

    def submit(self, path: str, envelope: Mapping[str, Any]) -> Flow[Receipt]:
        """Sends one envelope, with retries. Returns the receipt also if the envelope was committed before.

        :raises LostAnswerError: if the outcome is unknown
        """
        require_path(path)
        require_mapping("envelope", envelope)
        return (yield from _or_lost(self._submit(path, envelope), path, envelope))

    def _submit(self, path: str, envelope: Mapping[str, Any]) -> Flow[Receipt]:
        request, is_lost = self._posted(path, envelope), False
        for attempt in range(1, SEND_ATTEMPTS + 1):
            try:
                answer = yield from send(request)
                receipt = _receipt_of(envelope, answer)
                self._learn(receipt)
                return cast("Receipt", receipt)
            except NetError as error:
                if is_receipt_of(envelope, error.receipt):
                    self._learn(cast("JsonObject", error.receipt))
                    return cast("Receipt", error.receipt)
                if error.code == "CONTROL_TOKEN_REQUIRED" and HEADER not in request.headers:
                    # The envelope is signed with the public laboratory key, which needs the control token.
                    header = control_header(self.url, self._control_token)
                    if header:
                        request = replace(request, headers={**request.headers, **header})
                        continue
                if error.is_refusal and not error.is_busy:
                    raise
                is_lost = is_lost or not error.is_busy
                if attempt == SEND_ATTEMPTS or (error.retry_after or 0) > MAX_WAIT:
                    if is_lost:
                        raise LostAnswerError(path, envelope, error) from error
                    raise
                pause = 0.5 * attempt if error.retry_after is None else error.retry_after
            yield from sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _posted(self, path: str, body: Mapping[str, Any]) -> Request:
        headers = {"content-type": "application/json"}
        headers |= control_headers(self.url, path, body, self._control_token)
        return Request("POST", self.url + path, self.timeout, canonical_bytes(dict(body)), headers)

    def _asked(self, request: Request) -> Flow[Answer]:
        """Returns a successful answer. While the node is busy, retries after the wait of its Retry-After."""
        for attempt in range(1, SEND_ATTEMPTS + 1):
            answer = yield from send(request)
            if answer.status < 300:
                return answer
            error = error_of(answer)
            wait = error.retry_after
            if error.status not in (429, 503) or wait is None or wait > MAX_WAIT or attempt == SEND_ATTEMPTS:
                raise error
            yield from sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _learn(self, receipt: Mapping[str, Any]) -> None:
        height, known = receipt.get("height"), self._facts
        if known is not None and isinstance(height, int) and height > known.height:
            self._facts = Facts(known.chain_id, height, time.monotonic())

    def _self_signed(self, actor: Actor, members: Mapping[str, Any]) -> Flow[JsonObject]:
        facts = yield from self.facts()
        return actor.key.sign(
            {
                **members,
                "actorId": actor.actor_id,
                "publicKey": actor.key.public_key,
                "publicKeyHash": actor.key.public_key_hash,
                "nonce": secrets.token_hex(16),
                "chainId": facts.chain_id,
                **self._genesis,
            }
        )


def _or_lost(sending: Flow[Receipt], path: str, envelope: Mapping[str, Any]) -> Flow[Receipt]:
    # Avoids a circular import.
    from .agent.errors import AgentError

    try:
        return (yield from sending)
    except AgentError as error:
        if error.code != "CALL_TIMEOUT":
            raise
        raise LostAnswerError(path, envelope, error) from error


def rules_version_in(status: Mapping[str, Any]) -> int:
    """Returns the rules version of a network status; 1 if the node is too old to report one."""
    rules = status.get("rules")
    version = rules.get("version") if isinstance(rules, dict) else None
    return version if type(version) is int else 1


def require_height(height: object) -> int:
    """Returns the value if it is a valid height. Raises NetError if not."""
    if type(height) is int and 0 <= height <= MAX_SAFE_INTEGER:
        return height
    raise NetError(200, None, detail="the answer tells a height that is none")


def is_receipt_of(envelope: Mapping[str, Any], receipt: object) -> bool:
    """Returns True if the receipt is the envelope's."""
    if not isinstance(receipt, dict) or type(receipt.get("height")) is not int:
        return False
    return bool(receipt.get("transitionHash") == hash_value(dict(envelope)))


def _receipt_of(envelope: Mapping[str, Any], answer: Answer) -> JsonObject:
    receipt = document_of(answer).get("receipt")
    if is_receipt_of(envelope, receipt):
        return cast("JsonObject", receipt)
    raise NetError(answer.status, None, detail="the answer is not a receipt of this envelope")


def document_of(answer: Answer) -> JsonObject:
    """Returns the JSON object of a successful answer. Raises NetError for any other answer."""
    if answer.status >= 300:
        raise error_of(answer)
    try:
        document = json.loads(answer.content)
    except (ValueError, RecursionError) as error:
        raise NetError(answer.status, None, detail="the answer is not JSON") from error
    if not isinstance(document, dict):
        raise NetError(answer.status, None, detail="the answer is not a document")
    return document


def _require_list(path: str, document: JsonObject) -> None:
    name = LISTS.get(path)
    if name is None:
        return
    items = document.get(name)
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise NetError(200, None, detail=f"the answer has no list of {name}")


def error_of(answer: Answer) -> NetError:
    """Returns the error for an unsuccessful answer."""
    return NetError(
        answer.status,
        _problem_of(answer.content),
        retry_after=_seconds_of(answer.headers.get("retry-after", "").strip()),
        request_id=answer.headers.get("x-request-id"),
    )


def _problem_of(content: bytes) -> JsonObject | None:
    """Returns the problem document; None if the body is something else, such as the page of a proxy."""
    try:
        return sound_problem(json.loads(content))
    except (ValueError, RecursionError):
        return None


def sound_problem(problem: Any) -> JsonObject | None:
    """Returns a well-formed problem document, else None."""
    try:
        places = problem.get("errors", [])
        texts = [problem["code"], problem["detail"], *(place[name] for place in places for name in ("path", "message"))]
    except (KeyError, TypeError, AttributeError):
        return None
    return problem if isinstance(places, list) and all(isinstance(text, str) for text in texts) else None


def next_cursor(page: Mapping[str, Any], seen: set[str]) -> str | None:
    """Returns the cursor of the next page, None after the last.

    :param seen: cursors read so far; the new one is added
    :raises NetError: if the cursor is not a string, or repeats, because the list would never end
    """
    cursor = page.get("nextCursor")
    if cursor is None:
        return None
    if not isinstance(cursor, str) or cursor in seen:
        raise NetError(200, None, detail="the list leads back to a page that was read before")
    seen.add(cursor)
    return cursor


class Pages:
    """A reader of one list, page by page, from the cursor in the parameters or else the newest item."""

    def __init__(self, api: Api, path: str, parameters: Mapping[str, Parameter]) -> None:
        self._api = api
        self._path = path
        self._parameters = dict(parameters)
        self._seen = {str(parameters.get("cursor"))}
        self._page: JsonObject | None = None

    def next(self) -> Flow[JsonObject | None]:
        """Reads the next page, None after the last."""
        if self._page is not None:
            cursor = next_cursor(self._page, self._seen)
            if cursor is None:
                return None
            self._parameters["cursor"] = cursor
        self._page = yield from self._api.read(self._path, self._parameters)
        return self._page


def _seconds_of(wait: str) -> float | None:
    """Parses a Retry-After header (RFC 9110 section 10.2.3) to seconds."""
    if wait.isascii() and wait.isdigit():
        return min(float(wait), MOST_RETRY_AFTER)
    try:
        return min(max(0.0, parsedate_to_datetime(wait).timestamp() - time.time()), MOST_RETRY_AFTER)
    except (TypeError, ValueError, OverflowError):
        return None
