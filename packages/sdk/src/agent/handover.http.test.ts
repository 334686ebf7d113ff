/** Moves a memory to an offered runtime: it is restored there first, then written only there. */
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { until } from '@netd/protocol/testing';
import { Agent, type AgentOptions } from './agent.ts';
import type { RestoredMemory } from './runtime-worker.ts';
import { once, stage } from './testing/staged.ts';

const staged = stage();

async function open(t: TestContext, agentId: string, options: AgentOptions = {}): Promise<Agent> {
  const agent = await Agent.open(agentId, staged.world.options(options));
  t.after(() => agent.stop());
  return agent;
}

/** The key files, carried to another machine. */
function elsewhere(machine: string): AgentOptions {
  const keys = join(staged.world.home, machine, 'keys');
  cpSync(join(staged.world.home, 'keys'), keys, { recursive: true });
  return { keys };
}

/** A provider with a runtime, which takes what comes; run by the caller. */
async function provider(t: TestContext, name: string): Promise<Agent> {
  const agent = await open(t, name);
  await staged.world.offerRuntime(agent, `${name}-1`);
  return agent;
}

async function handoversOf(agentId: string) {
  return (await staged.world.client.read('/v1/memory/handovers', { agentId })).handovers;
}

test('a memory goes to a provider, is taken up there, and goes on there alone', async (t) => {
  const harbour = await provider(t, 'harbour');
  const taken: RestoredMemory[] = [];
  harbour.onHandover((memory) => taken.push(memory));
  void harbour.run();
  const ada = await open(t, 'ada');
  ada.memory.set('seen', 7);
  // A copy on another machine, which sleeps through all of it.
  await ada.memory.commit();
  const copy = await open(t, 'ada', elsewhere('sleeper'));
  assert.equal(copy.memory.get('seen'), 7);

  const restored = once(harbour, 'restored');
  const moved = await ada.memory.handOver({ providerId: 'harbour', runtimeId: 'harbour-1' });
  assert.deepEqual([moved.runtimeId, moved.generation], ['harbour-1', 2]);
  assert.equal((await restored).agentId, 'ada');
  const [memory] = taken;
  assert.deepEqual(memory?.entries, { seen: 7 });
  assert.deepEqual([memory?.agentId, memory?.runtimeId], ['ada', 'harbour-1']);
  assert.deepEqual(
    (await handoversOf('ada')).map(({ status }) => status),
    ['FINALIZED'],
  );

  assert.throws(() => ada.memory.set('seen', 8), { code: 'MEMORY_ELSEWHERE' });
  assert.throws(() => ada.memory.delete('seen'), { code: 'MEMORY_ELSEWHERE' });
  assert.equal(ada.memory.get('seen'), 7, 'it can still be read');
  const again = ada.memory.handOver({ providerId: 'harbour', runtimeId: 'harbour-1' });
  await assert.rejects(again, { code: 'MEMORY_ELSEWHERE' });
  await ada.stop();
  await assert.rejects(open(t, 'ada'), { code: 'MEMORY_ELSEWHERE' });
  // The copy finds out before it writes anything.
  copy.memory.set('seen', 'by the copy');
  await assert.rejects(copy.memory.commit(), { code: 'MEMORY_ELSEWHERE' });

  const there = await open(t, 'ada', { ...elsewhere('pier'), runtime: 'harbour-1' });
  there.memory.set('seen', 9);
  await there.memory.commit();
  assert.equal(there.memory.generation, 3);
  await there.stop();
  // Its owner takes it back by saying so.
  const back = await open(t, 'ada', { runtime: 'harbour-1' });
  assert.equal(back.memory.get('seen'), 9);
});

test('a memory stays with its agent if the target cannot restore it', async (t) => {
  const full = await provider(t, 'full');
  let asked = 0;
  full.onHandover(() => {
    asked++;
    throw new Error('no room');
  });
  void full.run();
  const refused = once(full, 'warning');
  const before = await open(t, 'bob');
  before.memory.set('stays', 1);
  const target = { providerId: 'full', runtimeId: 'full-1' };
  const cut = assert.rejects(before.memory.handOver(target), { code: 'AGENT_STOPPED' });
  assert.match((await refused).message, /no room/);
  assert.equal(asked, 1);
  await before.stop();
  await cut;
  // The next process resumes the handover, and times out at once.
  const bob = await open(t, 'bob');
  await assert.rejects(bob.memory.handOver({ ...target, timeout: 0 }), {
    code: 'HANDOVER_TIMEOUT',
  });
  const [handover] = await handoversOf('bob');
  assert.deepEqual([handover?.status, handover?.abortCause], ['ABORTED', 'AGENT']);
  bob.memory.set('stays', 2);
  await bob.memory.commit();
});

test('refuses a runtime without an offer and a provider without a key', async (t) => {
  const eve = await open(t, 'eve');
  const to = (providerId: string, runtimeId: string) =>
    eve.memory.handOver({ providerId, runtimeId });
  await assert.rejects(to('nobody', 'pier-1'), { code: 'RECIPIENT_HAS_NO_KEY' });
  await open(t, 'no-provider');
  await assert.rejects(to('no-provider', 'pier-1'), { code: 'RUNTIME_PROVIDER_INACTIVE' });
  await provider(t, 'other');
  await assert.rejects(to('other', 'pier-1'), { code: 'RUNTIME_OFFER_UNAVAILABLE' });
  assert.deepEqual(await handoversOf('eve'), []);
  eve.memory.set('still', 'mine');
  await eve.memory.commit();
});

test('an interrupted handover stays open until the agent keeps its memory', async (t) => {
  await provider(t, 'asleep');
  const target = { providerId: 'asleep', runtimeId: 'asleep-1' };
  const cut = await open(t, 'cut');
  const under = cut.memory.handOver(target);
  const isPrepared = once(cut, 'checkpoint');
  await isPrepared;
  await until(async () => (await handoversOf('cut')).length > 0);
  assert.throws(() => cut.memory.set('a', 1), { code: 'MEMORY_MOVING' });
  await cut.stop();
  await assert.rejects(under, { code: 'AGENT_STOPPED' });

  const again = await open(t, 'cut');
  assert.throws(() => again.memory.set('a', 1), { code: 'MEMORY_MOVING' });
  const other = { providerId: 'asleep', runtimeId: 'asleep-2' };
  await assert.rejects(again.memory.handOver(other), { code: 'HANDOVER_OPEN' });
  await again.memory.keep();
  again.memory.set('a', 1);
  await again.memory.commit();
  assert.deepEqual(
    (await handoversOf('cut')).map(({ status }) => status),
    ['ABORTED'],
  );
});

test('another machine that goes on with the memory meanwhile ends the handover', async (t) => {
  await provider(t, 'slow');
  const twin = await open(t, 'twin');
  twin.memory.set('who', 'one');
  await twin.memory.commit();
  const other = await open(t, 'twin', elsewhere('twin-2'));
  const moving = twin.memory.handOver({
    providerId: 'slow',
    runtimeId: 'slow-1',
    timeout: 600_000,
  });
  const end = assert.rejects(moving, { code: 'MEMORY_HANDOVER_STALE' });
  await until(async () => (await handoversOf('twin')).length > 0);
  await other.stop();
  // From the checkpoint of the handover, as a third machine that does not know of it.
  const third = await open(t, 'twin', elsewhere('twin-3'));
  third.memory.set('who', 'three');
  await third.memory.commit();
  const slow = await Agent.open('slow', staged.world.options({ ...elsewhere('slow-2') }));
  t.after(() => slow.stop());
  slow.onHandover(() => null);
  void slow.run();
  await end;
  const [handover] = await handoversOf('twin');
  assert.equal(handover?.status, 'ABORTED');
});

test('a memory that is not sealed to the provider is refused, and said', async (t) => {
  const strict = await provider(t, 'strict');
  strict.onHandover(() => assert.fail('there is nothing to take'));
  void strict.run();
  const warned = once(strict, 'warning');
  const odd = await open(t, 'odd');
  odd.memory.set('private', true);
  await odd.memory.commit();
  const [checkpoint] = (
    await staged.world.client.read('/v1/memory/checkpoints', { agentId: 'odd' })
  ).checkpoints;
  const { height } = await staged.world.client.network();
  await odd.act('prepareMemoryHandover', {
    agentId: 'odd',
    handoverId: 'by-hand',
    checkpointHash: checkpoint!.checkpointHash,
    targetProviderId: 'strict',
    targetRuntimeId: 'strict-1',
    expiresAtHeight: height + 100,
  });
  assert.equal((await warned).code, 'SEALED_NOT_FOR_KEY');
});
