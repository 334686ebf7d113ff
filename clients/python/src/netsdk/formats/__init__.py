"""The documents in blobs: work scopes, agent metadata, sealed content, portable memory. See docs/formats.md."""

from .agent_metadata import agent_metadata
from .chain_replay import chain_replay, replay_digest
from .document import Blob, Format
from .encryption_key import (
    EncryptionKey,
    EncryptionSecret,
    Keyring,
    generate_encryption_key,
    public_encryption_key,
)
from .errors import FormatError
from .judge import Condition, Judgement, judge, judge_in_time
from .judgeable import JudgingMeans, UnjudgeableCondition, unjudgeable_conditions, why_unjudgeable
from .portable_memory import MemoryFacts, MemoryReader, open_memory, portable_memory, read_manifest, seal_memory
from .provable_acceptance import proof_of, provable_acceptance
from .sealed_content import open_content, open_sealed, recipients_of, seal_content, seal_to_recipients
from .work_scope import work_scope

__all__ = [
    "Blob",
    "Condition",
    "EncryptionKey",
    "EncryptionSecret",
    "Format",
    "FormatError",
    "Judgement",
    "JudgingMeans",
    "Keyring",
    "MemoryFacts",
    "MemoryReader",
    "UnjudgeableCondition",
    "agent_metadata",
    "chain_replay",
    "generate_encryption_key",
    "judge",
    "judge_in_time",
    "open_content",
    "open_memory",
    "open_sealed",
    "portable_memory",
    "proof_of",
    "provable_acceptance",
    "public_encryption_key",
    "read_manifest",
    "recipients_of",
    "replay_digest",
    "seal_content",
    "seal_memory",
    "seal_to_recipients",
    "unjudgeable_conditions",
    "why_unjudgeable",
    "work_scope",
]
