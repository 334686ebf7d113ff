"""A new X25519 key: published at once, and what was sealed to those of before is still opened."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from netsdk import Agent, AgentError, AsyncAgent, KeyFileError, Message
from netsdk.formats import FormatError, generate_encryption_key, open_content, recipients_of, seal_content
from netsdk.key_file import add_encryption_key, ensure_encryption_key, ensure_keyring
from tests.at_work import at_work
from tests.child import Child
from tests.node import HANGS
from tests.world import World

pytestmark = pytest.mark.slow

FACTS = {
    "chainId": "net-test-1",
    "fromAgentId": "ada",
    "toAgentId": "bob",
    "conversationId": "c-1",
    "messageId": "m-1",
    "sequence": 1,
}


def test_a_ring_opens_what_was_sealed_to_any_of_its_keys() -> None:
    old, new, other = (generate_encryption_key() for _ in range(3))
    for recipients in ([old], [new], [other, old], [old, new]):
        sealed = seal_content(b"x", recipients, FACTS)
        assert recipients_of(sealed.data) == [each["kid"] for each in recipients]
        assert open_content(sealed.data, [new, old], FACTS) == b"x"
    with pytest.raises(FormatError) as caught:
        open_content(seal_content(b"x", [other], FACTS).data, [new, old], FACTS)
    assert caught.value.code == "SEALED_NOT_FOR_KEY"


def test_files_are_added_and_none_is_written_over(tmp_path: Path) -> None:
    first = ensure_encryption_key("ada", "chain", directory=tmp_path, passphrase="secret")
    assert ensure_keyring("ada", "chain", directory=tmp_path, passphrase="secret") == [first]
    second = add_encryption_key("ada", "chain", directory=tmp_path, passphrase="secret")
    third = add_encryption_key("ada", "chain", directory=tmp_path, passphrase="secret")
    assert [len({key["kid"] for key in ring}) for ring in (second, third)] == [2, 3]
    assert second[1] == first
    assert third[1:] == second
    names = sorted(path.name for path in (tmp_path / "chain").iterdir())
    assert names == ["ada.encryption-2.json", "ada.encryption-3.json", "ada.encryption.json"]
    with pytest.raises(KeyFileError):
        ensure_keyring("ada", "chain", directory=tmp_path)


@pytest.fixture
def options(world: World, tmp_path: Path) -> dict[str, Any]:
    return {"url": world.url, "keys": str(tmp_path / "keys"), "blobs": world.origins, "log": None}


@pytest.mark.anyio
async def test_an_agent_opens_what_is_sealed_to_either_key(world: World, options: dict[str, Any]) -> None:
    rosa = await AsyncAgent.open("rosa", **options)
    asker = await AsyncAgent.open("ravi", **options)
    before = await asker.send("rosa", "to the old key")
    rosa.memory.set("seen", 1)
    await rosa.memory.commit()
    file = await rosa.grant_session(actions=["acknowledgeAgentMessage"], budget=0)

    kid = await rosa.rotate_encryption_key()
    metadata = await asker._parts.peers.metadata_of("rosa")
    assert metadata is not None
    assert metadata["encryptionKey"]["kid"] == kid
    after = await asker.send("rosa", "to the new key")

    async def facts_of(conversation_id: str) -> Any:
        found = await asker.client.read("/v1/agent-messages", conversationId=conversation_id)
        return found["messages"][0]

    for sent, text in ((before, "to the old key"), (after, "to the new key")):
        assert (await rosa.open_message(await facts_of(sent.conversation_id))).text == text
    # A session of before leaves alone what only the newer key opens.
    session = await AsyncAgent.open_session(file, **options)
    assert (await session.open_message(await facts_of(before.conversation_id))).text == "to the old key"
    with pytest.raises(AgentError) as caught:
        await session.open_message(await facts_of(after.conversation_id))
    assert caught.value.code == "ENCRYPTION_KEY_OUTDATED"
    with pytest.raises(AgentError) as caught:
        await session.rotate_encryption_key()
    assert caught.value.code == "SESSION_CANNOT_ROTATE"
    await session.stop()
    # One of after has both.
    later = json.loads((await rosa.grant_session(actions=["acknowledgeAgentMessage"], budget=0)).read_text())
    assert later["encryptionKey"]["kid"] == kid
    assert len(later["formerEncryptionKeys"]) == 1
    later_session = await AsyncAgent.open_session(later, **options)
    for sent in (before, after):
        assert (await later_session.open_message(await facts_of(sent.conversation_id))).text.startswith("to the")
    await later_session.stop()
    await rosa.stop()

    # An agent with both keys restores the memory from before the rotation.
    shutil.rmtree(Path(options["keys"]).parent / "agents" / rosa.chain_id / "rosa")
    rosa = await AsyncAgent.open("rosa", **options)
    assert rosa.memory.get("seen") == 1
    heard: list[str] = []

    @rosa.on_message
    def keep(message: Message) -> None:
        heard.append(message.text)

    running = asyncio.ensure_future(rosa.run())
    while len(heard) < 2:
        await asyncio.sleep(0.05)
    await rosa.stop()
    await running
    assert sorted(heard) == ["to the new key", "to the old key"]

    # An agent that lost its encryption keys says so in its rejection.
    shutil.rmtree(Path(options["keys"]).parent / "agents" / rosa.chain_id / "rosa")
    for path in (Path(options["keys"]) / rosa.chain_id).glob("rosa.encryption*.json"):
        path.unlink()
    asked = asyncio.ensure_future(asker.ask("rosa", "Who are you?", timeout=HANGS))
    while not asker._lifecycle.asked:
        await asyncio.sleep(0.05)
    while not (await asker.client.read("/v1/agent-messages", agentId="rosa", status="PENDING"))["messages"]:
        await asyncio.sleep(0.05)
    told: list[str] = []
    forgetful = await AsyncAgent.open("rosa", **{**options, "log": told.append}, memory=False)
    assert any("rosa.encryption.json" in line for line in told), told
    forgetful.on_message(keep)
    running = asyncio.ensure_future(forgetful.run())
    with pytest.raises(AgentError) as caught:
        await asked
    assert caught.value.code == "RECIPIENT_KEY_CHANGED"
    await forgetful.stop()
    await running
    await asker.stop()


@pytest.mark.campaign
def test_killed_while_it_takes_a_new_key_it_publishes_it_once_and_still_opens_with_the_old(
    world: World, options: dict[str, Any], tmp_path: Path
) -> None:
    Agent.open("rotator", **options).stop()
    asker = Agent.open("curious", **options)
    answers: list[str] = []
    question = "With the old key?"
    asking = threading.Thread(
        target=lambda: answers.append(asker.ask("rotator", question, timeout=HANGS).text), daemon=True
    )
    asking.start()
    while not asker.client.read("/v1/agent-messages", agentId="rotator", status="PENDING")["messages"]:
        asking.join(0.05)
    child = Child("rotator", {key: value for key, value in options.items() if key != "log"}, tmp_path / "trace")
    child.die_at("key.kept", last="rotate")
    # The next life publishes what is on disk before it does anything else.
    for failpoint in ("act.signed@publishBeacon", "act.answered@publishBeacon"):
        child.die_at(failpoint)
    rotator = Agent.open("rotator", **options)
    rotator.on_message(lambda message: f"You said: {message.text}")
    with at_work(rotator):
        asking.join(HANGS)
        assert answers == ["You said: With the old key?"]
        assert asker.ask("rotator", "And now?", timeout=HANGS).text == "You said: And now?"
    asker.stop()
    names = sorted(path.name for path in (Path(options["keys"]) / rotator.chain_id).glob("rotator.encryption*"))
    assert names == ["rotator.encryption-2.json", "rotator.encryption.json"]
    assert len(world.events("BeaconPublished", "rotator")) == 2
