"""What a test of an agent needs: a network of its own, in which time obeys.

``start_network(agents=["ada"])`` gives a laboratory that runs until the ``with`` block ends, and no longer than
the process. With pytest the fixtures ``network`` and ``start_network`` of :mod:`netsdk.testing.plugin` do that.
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
