/** Moves memory between machines, and refuses replicas and machines that lie. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { BlobClient } from '@netd/blobs/client';
import {
  encryptionKeyOf,
  portableMemory,
  writeMemory,
  type EncryptionKey,
  type MemoryFacts,
} from '@netd/formats';
import { utf8Bytes } from '@netd/protocol';
import { AgentKey } from '../agent-key.ts';
import type { Actor } from '../client.ts';
import { Agent, type AgentOptions } from './agent.ts';
import { slowStore } from './testing/slow-store.ts';
import { stage } from './testing/staged.ts';

const staged = stage();
const CHAIN = 'net-devnet-1';

async function open(t: TestContext, agentId: string, options: AgentOptions = {}): Promise<Agent> {
  const agent = await Agent.open(agentId, staged.world.options(options));
  t.after(() => agent.stop());
  return agent;
}

const homeOf = (machine: string): string => join(staged.world.home, machine);
const statePath = (machine: string, agentId: string): string =>
  join(homeOf(machine), 'agents', CHAIN, agentId);
/** Machines are directories: one has keys below it, and state beside them. */
const on = (machine: string): AgentOptions => ({ keys: join(homeOf(machine), 'keys') });

/** The key files, carried to another machine. */
function carryKeys(from: string, to: string): AgentOptions {
  cpSync(join(homeOf(from), 'keys'), join(homeOf(to), 'keys'), { recursive: true });
  return on(to);
}

async function actorOf(machine: string, agentId: string): Promise<Actor> {
  const path = join(homeOf(machine), 'keys', CHAIN, `${agentId}.json`);
  const key = await AgentKey.fromPem(JSON.parse(readFileSync(path, 'utf8')) as never);
  return { actorId: agentId, key };
}

async function checkpointOf(agentId: string) {
  const { checkpoints } = await staged.world.client.read('/v1/memory/checkpoints', { agentId });
  return checkpoints;
}

/** The blobs of the latest checkpoint: its manifest, then its chunks. */
async function blobsOf(agentId: string): Promise<string[]> {
  const [latest] = await checkpointOf(agentId);
  const hash = latest!.checkpointHash;
  const manifest = portableMemory.read((await staged.world.fetch(hash))!, hash);
  return [hash, ...manifest.chunks.map((chunk) => chunk.hash)];
}

async function remove(owner: Actor, hash: string, stores: number[]): Promise<void> {
  const signer = { keyId: owner.actorId, sign: (bytes: Uint8Array) => owner.key.signBytes(bytes) };
  for (const store of stores) {
    await new BlobClient(staged.world.origins[store]!).delete(hash, signer);
  }
}

test('a memory is checkpointed to two stores and taken up on another machine', async (t) => {
  const here = await open(t, 'ada', on('here'));
  here.memory.set('seen', 1);
  here.memory.set('list', [{ deep: null }, 'ß 📜']);
  here.memory.set('gone', true);
  here.memory.delete('gone');
  await here.memory.commit();
  await here.memory.commit();
  here.memory.set('seen', 2);
  await here.stop();
  const [second, first, ...none] = await checkpointOf('ada');
  assert.equal(none.length, 0);
  assert.deepEqual([first!.generation, second!.generation], [1, 2]);
  assert.equal(second!.parentCheckpointHash, first!.checkpointHash);
  assert.equal(new Set(second!.storageReplicas.map(({ providerId }) => providerId)).size, 2);
  const there = await open(t, 'ada', carryKeys('here', 'there'));
  assert.deepEqual(there.memory.entries(), [
    ['list', [{ deep: null }, 'ß 📜']],
    ['seen', 2],
  ]);
  assert.equal(there.memory.get('gone'), undefined);
  assert.equal(there.memory.get('toString'), undefined);
  const value = there.memory.get('list') as unknown[];
  value.push('not in the memory');
  assert.equal((there.memory.get('list') as unknown[]).length, 2);
  for (const bad of [undefined, () => 1, Number.NaN, 1n]) {
    assert.throws(() => there.memory.set('bad', bad), { code: 'MEMORY_VALUE_INVALID' });
  }
  assert.equal(there.memory.generation, 2);
});

test('does not open without the key that the memory is sealed to, and names its file', async (t) => {
  const here = await open(t, 'anna', on('anna-here'));
  here.memory.set('seen', 1);
  await here.stop();
  const moved = carryKeys('anna-here', 'anna-there');
  rmSync(join(homeOf('anna-there'), 'keys', CHAIN, 'anna.encryption.json'));
  const refused = { code: 'ENCRYPTION_KEY_MISSING', message: /anna\.encryption\.json/ };
  for (let i = 0; i < 2; i++) await assert.rejects(open(t, 'anna', moved), refused);
  await open(t, 'anna', { ...moved, memory: false });
});

test('keeps uncommitted changes across a restart on the same machine', async (t) => {
  const machine = on('restarted');
  const first = await open(t, 'rest', machine);
  first.memory.set('draft', 'unfinished');
  await first.memory.flush();
  const copy = readFileSync(join(statePath('restarted', 'rest'), 'memory.json'), 'utf8');
  await first.stop();
  // As if the process had been killed before its last checkpoint, on a chain that has none.
  assert.match(copy, /"draft":"unfinished"/);
  const second = await open(t, 'rest', machine);
  assert.equal(second.memory.get('draft'), 'unfinished');
  assert.equal((await checkpointOf('rest')).length, 1);
});

test('refuses to commit with one store, and has no memory if it is off', async (t) => {
  const [one] = staged.world.origins;
  const agent = await open(t, 'poor', { ...on('poor'), blobs: [one!] });
  agent.memory.set('seen', 1);
  await assert.rejects(agent.memory.commit(), { code: 'MEMORY_NEEDS_REPLICAS' });
  assert.equal((await checkpointOf('poor')).length, 0);
  const without = await open(t, 'without', { ...on('poor'), memory: false });
  assert.throws(() => without.memory, { code: 'MEMORY_OFF' });
});

test('skips a replica that has lost or changed a chunk, and restores nothing if all have', async (t) => {
  const here = await open(t, 'torn', on('torn'));
  here.memory.set('long', 'x'.repeat(1_200_000));
  await here.stop();
  const [manifest = '', chunk = '', ...more] = await blobsOf('torn');
  assert.equal(more.length, 1);
  const owner = await actorOf('torn', 'torn');
  // Missing at one, and other bytes under its name at the other: still there after the first.
  await remove(owner, chunk, [0]);
  const there = await open(t, 'torn', carryKeys('torn', 'torn-2'));
  assert.equal((there.memory.get('long') as string).length, 1_200_000);
  await there.stop();
  const file = staged.world.blobFile(chunk, 1);
  const bytes = readFileSync(file);
  const broken = Buffer.from(bytes);
  broken[100] = broken[100]! ^ 1;
  writeFileSync(file, broken);
  const third = carryKeys('torn', 'torn-3');
  // Other bytes are not the word of a store that it has none.
  await assert.rejects(open(t, 'torn', third), { code: 'BLOB_UNAVAILABLE' });
  writeFileSync(file, bytes);
  await remove(owner, manifest, [0, 1]);
  await assert.rejects(open(t, 'torn', third), { code: 'MEMORY_REPLICA_LOST' });
  const [only] = await checkpointOf('torn');
  assert.equal(only!.generation, 1, 'nothing was written over');
  const blind = await open(t, 'torn', { ...third, memory: false });
  assert.equal(blind.agentId, 'torn');
});

test('busy places have not lost a memory', async (t) => {
  const stores = await Promise.all(staged.world.origins.map((origin) => slowStore(t, origin)));
  for (const store of stores) store.isSlow = false;
  const blobs = stores.map(({ url }) => url);
  const here = await open(t, 'kept', { ...on('kept'), blobs });
  here.memory.set('seen', 1);
  await here.stop();
  const kept = stores.flatMap((store) => [...store.kept.keys()]);
  for (const { busyAt } of stores) for (const path of kept) busyAt.add(path);
  const elsewhere = { ...carryKeys('kept', 'kept-2'), blobs };
  await assert.rejects(open(t, 'kept', elsewhere), { code: 'BLOB_UNAVAILABLE' });
  for (const { busyAt } of stores) busyAt.clear();
  assert.equal((await open(t, 'kept', elsewhere)).memory.get('seen'), 1);
});

/** Commits a checkpoint with the key of the agent, as another program of its owner might. */
async function commitForged(
  machine: string,
  agentId: string,
  facts: Partial<MemoryFacts>,
  members: { stateRoot?: string } = {},
): Promise<void> {
  const { world } = staged;
  const owner = await actorOf(machine, agentId);
  const file = join(homeOf(machine), 'keys', CHAIN, `${agentId}.encryption.json`);
  const { x } = JSON.parse(readFileSync(file, 'utf8')) as EncryptionKey;
  const [latest] = await checkpointOf(agentId);
  const next = {
    agentId,
    generation: (latest?.generation ?? 0) + 1,
    parentCheckpointHash: latest?.checkpointHash ?? null,
  };
  const plaintext = utf8Bytes('{"entries":{},"schema":"NET-AGENT-MEMORY/1"}');
  const made = await writeMemory(
    plaintext,
    { ...next, ...facts },
    [encryptionKeyOf(x)],
    async ({ bytes }) => void (await world.storeAs(owner, bytes)),
  );
  await world.act(owner, 'commitMemoryCheckpoint', {
    ...next,
    checkpointId: `forged-${agentId}-${next.generation}`,
    checkpointHash: made.bundleHash,
    stateRoot: members.stateRoot ?? made.manifest.stateRoot,
    chunksRoot: made.manifest.chunksRoot,
    serializer: 'NET-PORTABLE-MEMORY/1',
    encryption: 'AES-256-GCM',
    byteLength: made.manifest.byteLength,
    chunkCount: made.manifest.chunks.length,
    barrier: { lastInputSequence: 0, lastOutputSequence: 0 },
    storageReplicas: ['one', 'two'].map((providerId) => ({
      providerId,
      uri: `https://${providerId}.example/blobs/${made.bundleHash}`,
      bundleHash: made.bundleHash,
    })),
  });
}

test('a checkpoint whose manifest is of another generation, agent or state is not taken up', async (t) => {
  for (const [name, facts, members, code] of [
    ['other-generation', { generation: 7 }, {}, 'MEMORY_WRONG_GENERATION'],
    ['other-agent', { agentId: 'ada' }, {}, 'MEMORY_WRONG_AGENT'],
    ['other-state', {}, { stateRoot: '0'.repeat(64) }, 'MEMORY_REPLICA_LOST'],
  ] as const) {
    const agent = await open(t, name, on('forged'));
    await agent.stop();
    await commitForged('forged', name, facts, members);
    await assert.rejects(open(t, name, on('forged')), { code }, name);
  }
});

test('two machines that both go on from one checkpoint: the second is told, and keeps what it has', async (t) => {
  const one = await open(t, 'twin', on('twin-1'));
  one.memory.set('who', 'both');
  await one.memory.commit();
  const two = await open(t, 'twin', carryKeys('twin-1', 'twin-2'));
  two.memory.set('who', 'two');
  await two.memory.commit();
  one.memory.set('who', 'one');
  await assert.rejects(one.memory.commit(), { code: 'MEMORY_GENERATION_MISMATCH' });
  await one.stop();
  const file = join(statePath('twin-1', 'twin'), 'memory.json');
  const before = readFileSync(file);
  await assert.rejects(open(t, 'twin', on('twin-1')), { code: 'MEMORY_FORKED' });
  assert.deepEqual(readFileSync(file), before);
  assert.equal((await checkpointOf('twin')).length, 2);
  // Moved away, as the advice says: the memory of the chain is taken up.
  rmSync(file);
  const again = await open(t, 'twin', on('twin-1'));
  assert.equal(again.memory.get('who'), 'two');
  await again.stop();
  await two.stop();
  // A machine without changes of its own just follows.
  const follower = await open(t, 'twin', on('twin-2'));
  follower.memory.set('who', 'two again');
  await follower.stop();
  const behind = await open(t, 'twin', on('twin-1'));
  assert.equal(behind.memory.get('who'), 'two again');
});

test('refuses a local copy that is ahead of the chain or is not JSON', async (t) => {
  const agent = await open(t, 'lost', on('lost'));
  agent.memory.set('seen', 1);
  await agent.stop();
  const file = join(statePath('lost', 'lost'), 'memory.json');
  const copy = JSON.parse(readFileSync(file, 'utf8')) as { base: { generation: number } };
  copy.base.generation = 9;
  writeFileSync(file, JSON.stringify(copy));
  await assert.rejects(open(t, 'lost', on('lost')), { code: 'MEMORY_UNKNOWN_GENERATION' });
  writeFileSync(file, '{"schema"');
  await assert.rejects(open(t, 'lost', on('lost')), { code: 'STATE_INVALID' });
});

test('one process runs an agent', async (t) => {
  await open(t, 'single', on('single'));
  await assert.rejects(open(t, 'single', on('single')), { code: 'AGENT_RUNNING' });
});

test(
  'a node that goes away at each step of a checkpoint is waited for',
  { timeout: 600_000 },
  async (t) => {
    const outages = staged.world.outagesAt([
      'memory.sealed',
      'act.signed',
      'act.recorded',
      'memory.committed',
    ]);
    const agent = await open(t, 'patient', { ...on('patient'), reach: outages.reach });
    outages.arm();
    agent.memory.set('waited', true);
    await agent.memory.commit();
    await outages.over();
    await agent.stop();
    assert.equal((await checkpointOf('patient')).length, 1);
    const again = await open(t, 'patient', on('patient'));
    assert.equal(again.memory.get('waited'), true);
  },
);

test('what a process that was killed has left behind is one checkpoint, however much is changed next', async (t) => {
  const agent = await open(t, 'crashed', on('crash'));
  agent.memory.set('seen', 0);
  await agent.memory.commit();
  await agent.stop();
  const file = join(statePath('crash', 'crashed'), 'memory.json');
  const copy = JSON.parse(readFileSync(file, 'utf8')) as { version: number };
  writeFileSync(file, JSON.stringify({ ...copy, version: copy.version + 1 }));
  const again = await open(t, 'crashed', on('crash'));
  for (let i = 1; i <= 24; i++) {
    again.memory.set('seen', i);
    await setTimeout(30);
  }
  assert.equal(again.memory.generation, 1, 'they wait for quiet');
  await again.memory.commit();
  assert.equal(again.memory.generation, 2);
});

test('stores that are busy are asked again, and it says that it waits', async (t) => {
  let refusals = 2;
  const blobs = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const isPut = request.method === 'PUT';
      const isBusy = isPut && refusals-- > 0;
      if (isPut && !isBusy) blobs.set(request.url ?? '', body);
      response.writeHead(isBusy ? 503 : isPut ? 201 : 404).end();
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const agent = await open(t, 'unhurried', { blobs: [url], beacon: false, memory: false });
  const said: string[] = [];
  agent.on('waiting', ({ for: what }) => void said.push(what));
  const hash = await agent.store('some bytes');
  assert.ok(blobs.has(`/blobs/${hash}`));
  assert.deepEqual(said, ['stores that are busy or away', 'stores that are busy or away']);
});
