"""The table of an agent's own refusals: stable code, meaning and remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..errors import NetsdkError
from ..protocol.amount import amount_hint

#: Title and advice by code, for the codes of ``packages/sdk/src/agent/agent-error.ts`` that this SDK raises.
AGENT_ERRORS: Final[dict[str, tuple[str, str]]] = {
    "AGENT_ID_INVALID": (
        "This cannot be the name of an agent",
        "Take 2 to 64 letters, digits, dots, underscores or hyphens, the first a letter or digit.",
    ),
    "AGENT_RUNNING": ("The agent is running already", "Stop it first: two at once would do the same work twice."),
    "AGENT_STOPPED": (
        "The agent has stopped, or is stopping",
        "Open it again: what is under way is on disk and on the chain, and goes on. Call stop() last.",
    ),
    "HANDLER_TOO_LATE": (
        "The agent works already, and would never call this handler",
        "Add all handlers before run().",
    ),
    "HANDLER_TWICE": (
        "The agent has a handler for this already, which a second one would replace",
        "Add one handler, and let it decide by what it is given.",
    ),
    "NOT_A_NODE": (
        "What answers at this address is not a netd node",
        "Give the url of a node, as netd dev prints it: often it is the port that is another one.",
    ),
    "URL_INVALID": (
        "This cannot be the address of a node",
        "Write scheme, host and port, for example http://127.0.0.1:8420, without /v1 and without a query.",
    ),
    "ARGUMENT_INVALID": (
        "The call does not take this argument",
        "Nothing was sent. Correct the argument that is named.",
    ),
    "OPTION_UNKNOWN": (
        "The call has no option of this name",
        "Nothing was sent. Correct the name, or leave it out.",
    ),
    "STATE_INVALID": (
        "The state that the agent keeps on this machine cannot be read",
        "Put the file back from a copy, or move it away: what the chain knows is read again.",
    ),
    "LAB_KEY_REFUSED": (
        "This is the key that the agent has in each laboratory: everybody can make it",
        "Nothing was signed. Give another keys directory, or move the key file away: a fresh key is made.",
    ),
    "CHAIN_REPLACED": (
        "The node serves another chain now: its genesis is not the one known here",
        "Nothing was done on the new chain, and the keys serve on both. Open the agent again, or read events from 0.0 "
        "on.",
    ),
    "ENCRYPTION_KEY_MISSING": (
        "The key that others seal to is not here, though the key of this agent is: a new one takes its place",
        "Stop the agent, and replace the new file by the named one: copy it from the machine on which the agent ran, "
        "with all other files of its name. If it is lost, content sealed to it stays sealed.",
    ),
    "ENCRYPTION_KEY_OUTDATED": (
        "It is sealed to a newer key of this agent than is here",
        "Carry the newest key file here (<agent>.encryption-….json), or grant a new session; who has that key will "
        "open it.",
    ),
    "ANSWER_NOT_PROVEN": (
        "What the node answered does not follow from what the chain has certified",
        "Nothing was done because of it. Give the url of another node, and show this one to its operator.",
    ),
    "ANSWER_MISMATCHED": (
        "The node answered with something else than what it was asked for",
        "Nothing was done because of it. Give the url of another node.",
    ),
    "ORDER_CHANGED": (
        "The node tells other terms of the order than before",
        "Nothing was accepted. Terms of an order never change: give the url of another node.",
    ),
    "ORDER_UNSUITABLE": (
        "The order does not suit this agent",
        "It is left to others; the options of on_work say which orders are taken.",
    ),
    "BOND_NOT_AGREED": (
        "The order asks for another bond than was agreed to",
        "Nothing was accepted. Agree to the bond of the order by the option worker_bond, or leave the order.",
    ),
    "NODE_UNREACHABLE": (
        "No node answers at this address",
        "Start it, for example with npx netd dev, or give the url of another one.",
    ),
    "CHAIN_ID_INVALID": (
        "The node names its chain by what cannot be a chain id",
        "Give the url of another node: this one is not to be trusted.",
    ),
    "AGENT_ID_TAKEN": (
        "The name belongs to another key on this chain",
        "Take another name, or put the key file of this agent back.",
    ),
    "AGENT_INACTIVE": ("The agent is suspended or retired on this chain", "Ask the operator of the network why."),
    "VALUE_NOT_JSON": (
        "JSON cannot carry this value exactly",
        "Nothing was sent. Write strings, numbers, booleans, None, lists and dicts with string keys.",
    ),
    "ACT_ID_USED": (
        "The id names another act",
        "Take a new id for what is new; the same one only to do the same again.",
    ),
    "BLOB_ORIGIN_UNKNOWN": (
        "No store for blobs is known",
        "Start netd blobs and give its origin as the option blobs; netd dev announces two.",
    ),
    "BLOB_NOT_STORED": (
        "Too few stores took the bytes",
        "Look at the reasons named; the bytes are stored again at the next attempt.",
    ),
    "CLOCK_WRONG": (
        "The clock of this machine is so far off that stores refuse what it signs",
        "Set the clock. Until it is right, the agent takes no orders, which it could not deliver.",
    ),
    "BLOB_NOT_FOUND": (
        "No known store has bytes with this hash",
        "Ask their owner for the origin that has them, and pass it as the option blobs.",
    ),
    "BLOB_UNAVAILABLE": (
        "A store that may have the bytes of this hash does not give them now",
        "Try again later: a store that is busy or does not answer has not said that they are gone.",
    ),
    "AMOUNT_INVALID": ("This is not an amount", amount_hint(None)),
    "SCOPE_MISSING": (
        "No known store has the scope of the order",
        "Nothing to do: it is asked for again for a while.",
    ),
    "SCOPE_SEALED_TO_OTHERS": (
        "The scope is sealed, and not to this agent for this order",
        "Nothing to do: the order is left to others.",
    ),
    "REQUESTER_HAS_NO_KEY": (
        "The result must be sealed, and the requester has published no key for it",
        "Ask the requester to publish a beacon with its metadata.",
    ),
    "RESULT_INVALID": (
        "The handler returned nothing that can be delivered",
        "Return a string, bytes or a JSON value; at least one byte, at most what the scope takes.",
    ),
    "RESULT_UNMET": (
        "The result does not meet the acceptance of the scope",
        "Look at the conditions named; verifiers would reject it.",
    ),
    "JOB_FAILED": (
        "The handler raised each time",
        "The order is returned to the market if that is possible. Otherwise it waits for a corrected handler until its "
        "deadline.",
    ),
    "REVIEW_NEEDS_A_MIND": (
        "The acceptance asks a question, and the verifiers of this network are programs",
        "Nothing was paid. Say by json-schema, sha256 or chain-replay what a program can judge, or insist with the "
        "option review_anyway: programs vote UNJUDGEABLE, the funding comes back, their fee does not.",
    ),
    "ORDER_UNVERIFIABLE": (
        "No committee of this network could accept a result of this order, so it would never be paid",
        "Nothing was signed. Ask for fewer accepts or for conditions that programs can judge, or wait until more "
        "verifiers join. A requester can insist with the option unverified_anyway.",
    ),
    "INPUT_MISSING": (
        "No known store has an input that the scope declares",
        "Nothing was signed. Its requester stores the input first, with agent.store.",
    ),
    "NOT_YOUR_ORDER": (
        "The order is that of another requester",
        "Take the id of an order that this agent has created.",
    ),
    "ORDER_UNPAID": (
        "The order has ended without a result that was accepted",
        "The refund came back. agent.findings(order_id) has what the verifiers said.",
    ),
    "ORDER_DISPUTED": (
        "The order is disputed, and an operator decides by the deadline named",
        "Ask for the result again once it is decided: then the order is paid, or its funding has come back.",
    ),
    "RESULT_TIMEOUT": (
        "There is no accepted result yet",
        "Ask again, with a longer timeout or without one: the order stays as it is.",
    ),
    "DELIVERABLE_UNMET": (
        "What was delivered does not meet the acceptance, whatever the verifiers have voted",
        "Call dispute(reason) within the dispute window: an operator decides.",
    ),
    "INPUT_UNKNOWN": ("The scope names no input of this name", "Take one of job.scope['inputs']."),
    "RECIPIENT_UNKNOWN": (
        "No agent of this name is registered on this chain",
        "Look at the name, upper and lower case too. Nothing was sent.",
    ),
    "RECIPIENT_HAS_NO_KEY": (
        "The recipient has published no key to seal to",
        "Ask it to publish a beacon whose metadata (NET-AGENT-METADATA/1) can be fetched.",
    ),
    "ANSWER_TIMEOUT": (
        "No answer came in time",
        "Ask again with a longer timeout; the question stays until it expires.",
    ),
    "MESSAGE_REJECTED": (
        "The recipient rejected the message",
        "If there is a code, it says why. Otherwise ask its owner.",
    ),
    "RECIPIENT_KEY_CHANGED": (
        "The recipient does not have the key any more that the message was sealed to",
        "Send it again: it is sealed to the key that is published now.",
    ),
    "MEMORY_OFF": (
        "The agent was opened without memory",
        "Leave the option memory out. A session needs commitMemoryCheckpoint among its actions,"
        " and the key that opens sealed content.",
    ),
    "MEMORY_VALUE_INVALID": (
        "The memory holds JSON only",
        "Keep strings, numbers, booleans, None, lists and dicts with string keys.",
    ),
    "MEMORY_NEEDS_REPLICAS": (
        "A memory is kept by at least two stores, and fewer are known",
        "Give two origins as the option blobs; netd dev announces two.",
    ),
    "MEMORY_FORKED": (
        "Another machine has committed a memory that this one does not know",
        "Stop the other one; then move memory.json of this agent away to take up the memory of the chain, or keep it "
        "and open the agent without memory.",
    ),
    "MEMORY_UNKNOWN_GENERATION": (
        "The memory on this machine is of a generation that the chain does not have",
        "Check that this is the chain it was committed to; nothing was written over.",
    ),
    "MEMORY_REPLICA_LOST": (
        "No replica has the memory that the chain names",
        "Give an origin that has it as the option blobs, or open the agent without memory: nothing was written over.",
    ),
    "MEMORY_MOVING": (
        "The memory is being handed over, and must not change meanwhile",
        "Call memory.hand_over again to go on with it, or memory.keep() to give it up.",
    ),
    "MEMORY_ELSEWHERE": (
        "The memory was handed over, and is written by another runtime now",
        "Open the agent there with that name as the option runtime, or here with memory=False. Opening it with the "
        "name here takes the memory back.",
    ),
    "HANDOVER_OPEN": (
        "A handover to another runtime is open",
        "Finish it by the same call as before, or give it up with memory.keep().",
    ),
    "HANDOVER_ABORTED": (
        "The handover has ended before the target had restored the memory",
        "Nothing was switched. Ask the provider whether its runtime is up, and try again.",
    ),
    "HANDOVER_TIMEOUT": (
        "The target has not restored the memory in time",
        "Nothing was switched. Ask the provider, give a longer timeout, or take another one.",
    ),
    "KEY_FILE_READABLE": (
        "Others than its owner may read or write the key file",
        "Run chmod 600 on it, and rotate the key if others could reach it.",
    ),
    "SESSION_FILE_INVALID": (
        "This is not a session file, or there is none",
        "Name the file that the grant has written.",
    ),
    "SESSION_ENDED": (
        "The session has expired, or was revoked",
        "Grant a new one with the key of the agent.",
    ),
    "SESSION_READS_NOTHING": (
        "The session does not have the key that opens content sealed to the agent",
        "Grant one with reads_sealed=True, or leave messages to the agent itself.",
    ),
    "SESSION_CANNOT_GRANT": ("A session cannot grant another one", "Open the agent with its own key."),
    "SESSION_CANNOT_ROTATE": (
        "A session cannot change the key of its agent",
        "Open the agent with its own key.",
    ),
    "CHAIN_MISMATCH": (
        "The node serves another chain",
        "Give the url of a node of the chain that the file names.",
    ),
}


class AgentError(NetsdkError):
    """A refusal by the agent itself: branch on ``code``, show the message.

    :ivar code: of :data:`AGENT_ERRORS`
    :ivar detail: the object at fault
    :ivar data: further facts, for example the ``path`` of the invalid member
    """

    def __init__(self, code: str, detail: str = "", data: Mapping[str, Any] | None = None) -> None:
        title, advice = AGENT_ERRORS[code]
        super().__init__(f"{title}{f' ({detail})' if detail else ''}. {advice}")
        self.code = code
        self.detail = detail
        self._data = dict(data or {})

    @property
    def data(self) -> dict[str, Any]:
        """Further facts; the members depend on the code."""
        return self._data


def code_of(error: BaseException) -> str:
    """Returns the code of an error of this package, ``UNEXPECTED`` for others."""
    return error.code if isinstance(error, NetsdkError) else "UNEXPECTED"
