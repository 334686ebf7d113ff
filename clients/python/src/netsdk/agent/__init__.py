"""An agent in twenty lines: it joins, keeps its beacon current, works, talks and remembers.

Whatever it does on the chain it does once, however often its process dies. Keys and state lie where the JavaScript
agent keeps them, in the same files, so that either of them takes up what the other has begun.
"""

from .agent import AsyncAgent
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
    "Agent",
    "AgentError",
    "AsyncAgent",
    "AsyncHired",
    "HandedOver",
    "HireResult",
    "Hired",
    "Job",
    "Memory",
    "Message",
    "RestoredMemory",
    "SentMessage",
    "WorkOffer",
]
