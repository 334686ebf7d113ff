"""An agent that joins, keeps its beacon current, works, talks and remembers.

Each act on the chain is executed once, despite crashes. The JavaScript agent uses the same files for keys and state.
"""

from .agent import AsyncAgent
from .agent_events import (
    AcceptedEvent,
    AnswerEvent,
    CheckpointEvent,
    DeliveredEvent,
    FailedEvent,
    HireAcceptedEvent,
    HireCancelledEvent,
    HireDeliveredEvent,
    HireDisputedEvent,
    HirePaidEvent,
    HireRejectedEvent,
    HireReopenedEvent,
    HireTimedOutEvent,
    HireUnjudgedEvent,
    HireVerifiedEvent,
    HireVotedDownEvent,
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
    StepEvent,
    VotedDownEvent,
    WaitingEvent,
    WarningEvent,
)
from .blocking import Agent
from .blocking_hired import Hired
from .errors import AgentError
from .handover import HandedOver
from .hired import AsyncHired, HireResult
from .job import AsyncJob, Job, JobSignal
from .lifecycle import Ticked
from .memory import Memory
from .messages import Message, SentMessage
from .retry import RetryPolicy
from .runtime_worker import RestoredMemory
from .service import Service, define_service
from .telemetry import Telemetry
from .work_offer import WorkOffer

__all__ = [
    "AcceptedEvent",
    "Agent",
    "AgentError",
    "AnswerEvent",
    "AsyncAgent",
    "AsyncHired",
    "AsyncJob",
    "CheckpointEvent",
    "DeliveredEvent",
    "FailedEvent",
    "HandedOver",
    "HireAcceptedEvent",
    "HireCancelledEvent",
    "HireDeliveredEvent",
    "HireDisputedEvent",
    "HirePaidEvent",
    "HireRejectedEvent",
    "HireReopenedEvent",
    "HireResult",
    "HireTimedOutEvent",
    "HireUnjudgedEvent",
    "HireVerifiedEvent",
    "HireVotedDownEvent",
    "HireVotedEvent",
    "Hired",
    "Job",
    "JobSignal",
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
    "RetryPolicy",
    "SentMessage",
    "Service",
    "SkippedEvent",
    "StepEvent",
    "Telemetry",
    "Ticked",
    "VotedDownEvent",
    "WaitingEvent",
    "WarningEvent",
    "WorkOffer",
    "define_service",
]
