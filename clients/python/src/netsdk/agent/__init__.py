"""An agent in twenty lines: it joins, keeps its beacon current, works, talks and remembers.

Whatever it does on the chain it does once, however often its process dies. Keys and state lie where the JavaScript
agent keeps them, in the same files, so that either of them takes up what the other has begun.
"""

from .agent import AsyncAgent
from .agent_events import (
    AcceptedEvent,
    AnswerEvent,
    CheckpointEvent,
    DeliveredEvent,
    FailedEvent,
    HireAcceptedEvent,
    HireDeliveredEvent,
    HireDisputedEvent,
    HirePaidEvent,
    HireRejectedEvent,
    HireReopenedEvent,
    HireTimedOutEvent,
    HireVerifiedEvent,
    HireVotedEvent,
    MovedEvent,
    OfflineEvent,
    OnlineEvent,
    PaidEvent,
    PausedEvent,
    RefusedEvent,
    RejectedEvent,
    RestoredEvent,
    SkippedEvent,
    WaitingEvent,
    WarningEvent,
)
from .blocking import Agent, Hired
from .errors import AgentError
from .handover import HandedOver
from .hired import AsyncHired, HireResult
from .memory import Memory
from .messages import Message, SentMessage
from .runtime_worker import RestoredMemory
from .work_job import Job
from .work_offer import WorkOffer

__all__ = [
    "AcceptedEvent",
    "Agent",
    "AgentError",
    "AnswerEvent",
    "AsyncAgent",
    "AsyncHired",
    "CheckpointEvent",
    "DeliveredEvent",
    "FailedEvent",
    "HandedOver",
    "HireAcceptedEvent",
    "HireDeliveredEvent",
    "HireDisputedEvent",
    "HirePaidEvent",
    "HireRejectedEvent",
    "HireReopenedEvent",
    "HireResult",
    "HireTimedOutEvent",
    "HireVerifiedEvent",
    "HireVotedEvent",
    "Hired",
    "Job",
    "Memory",
    "Message",
    "MovedEvent",
    "OfflineEvent",
    "OnlineEvent",
    "PaidEvent",
    "PausedEvent",
    "RefusedEvent",
    "RejectedEvent",
    "RestoredEvent",
    "RestoredMemory",
    "SentMessage",
    "SkippedEvent",
    "WaitingEvent",
    "WarningEvent",
    "WorkOffer",
]
