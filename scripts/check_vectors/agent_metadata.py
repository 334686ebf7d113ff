"""NET-AGENT-METADATA/1."""

from netsdk.formats import agent_metadata as metadata_format

from .documents import check_texts


def agent_metadata(topic):
    check_texts(topic, metadata_format.read)
