"""Test networks with a controllable clock.

``start_network(agents=["ada"])`` runs a laboratory until the ``with`` block or the process ends. For pytest, use the
fixtures ``network`` and ``start_network`` of :mod:`netsdk.testing.plugin`.
"""

from .lab_key import DEFAULT_SEED, lab_key
from .lab_process import NetworkStartError
from .liar import Liar, Lie, start_liar
from .model import ModelQuestionError, RecordedModel, ScriptedAnswer, ScriptedModel, recorded_model, scripted_model
from .network import Network, start_network

__all__ = [
    "DEFAULT_SEED",
    "Liar",
    "Lie",
    "ModelQuestionError",
    "Network",
    "NetworkStartError",
    "RecordedModel",
    "ScriptedAnswer",
    "ScriptedModel",
    "lab_key",
    "recorded_model",
    "scripted_model",
    "start_liar",
    "start_network",
]
