/** Portable memory: checkpoints and handovers, as commitments. */
import assert from 'node:assert/strict';
import type { JsonObject } from '@netd/protocol';
import { check } from '../check.ts';
import { Skip } from '../skip.ts';
import { expectProblem, membersOf, textOf } from '../expect.ts';
import {
  ABSENT,
  checkpointOf,
  hashOf,
  memberCheck,
  replaced,
  type Sender,
  type Value,
} from './payloads.ts';
import { inRole } from './roles.ts';

/** Sends an agent's first checkpoint. A committed one uses up the agent; the next call takes a new one. */
const commit: Sender = async (net, members, without) => {
  const actor = await net.agent(`remembers-${net.count('remembered')}`);
  const payload = checkpointOf(actor.actorId, net.fresh('memory'));
  const answer = await net.tries(
    actor,
    'commitMemoryCheckpoint',
    replaced(payload, members, without),
  );
  if (answer.status === 201) net.next('remembered');
  return answer;
};
const replica = (members: JsonObject = {}): JsonObject => ({
  providerId: 'three',
  uri: 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
  bundleHash: hashOf('c'),
  ...members,
});
const two = (members: JsonObject): JsonObject[] => [
  { providerId: 'one', uri: 'https://one.example/b', bundleHash: hashOf('c') },
  replica(members),
];
const without = (name: string): JsonObject[] => [
  replica({ providerId: 'one' }),
  Object.fromEntries(Object.entries(replica()).filter(([key]) => key !== name)),
];

const HASHES: { bad: Value[] } = { bad: [ABSENT, 'a'.repeat(63), 'A'.repeat(64), 7] };

export const MEMORY_CHECKS = [
  memberCheck(['memory.agentId'], 'agentId', commit, { bad: [ABSENT, 7] }),
  memberCheck(['memory.checkpointId'], 'checkpointId', commit, { bad: [ABSENT, 7, ''] }),
  memberCheck(['memory.checkpointHash'], 'checkpointHash', commit, HASHES),
  memberCheck(['memory.stateRoot'], 'stateRoot', commit, HASHES),
  memberCheck(['memory.chunksRoot'], 'chunksRoot', commit, HASHES),
  memberCheck(['memory.serializer'], 'serializer', commit, {
    bad: [ABSENT, 'NET-PORTABLE-MEMORY/2', 7],
    good: ['NET-PORTABLE-MEMORY/1'],
  }),
  memberCheck(['memory.encryption'], 'encryption', commit, {
    bad: [ABSENT, 'NONE', 'aes-256-gcm'],
    good: ['AES-256-GCM', 'XCHACHA20-POLY1305'],
  }),
  memberCheck(['memory.byteLength', 'limit.memory-byteLength'], 'byteLength', commit, {
    bad: [ABSENT, 0, -1, '1'],
    good: [1],
  }),
  memberCheck(['memory.chunkCount', 'limit.memory-chunkCount'], 'chunkCount', commit, {
    bad: [ABSENT, 0, -1, '1'],
    good: [1],
  }),
  memberCheck(['memory.barrier'], 'barrier', commit, {
    bad: [
      ABSENT,
      {},
      { lastInputSequence: 1 },
      { lastOutputSequence: 1 },
      { lastInputSequence: '1', lastOutputSequence: 1 },
    ],
    good: [{ lastInputSequence: 3, lastOutputSequence: 2 }],
  }),
  memberCheck(
    ['memory.storageReplicas', 'memory.storageReplicas.members', 'limit.memory-replicas'],
    'storageReplicas',
    commit,
    {
      bad: [
        ABSENT,
        [],
        [replica()],
        without('providerId'),
        without('uri'),
        without('bundleHash'),
        two({ uri: 'no address' }),
        two({ bundleHash: 'A'.repeat(64) }),
      ],
      good: [two({})],
    },
  ),
  memberCheck(['memory.generation', 'limit.memory-generation'], 'generation', commit, {
    bad: [ABSENT, 0, -1, '1'],
    good: [1],
  }),
  memberCheck(['memory.parentCheckpointHash'], 'parentCheckpointHash', commit, {
    bad: [ABSENT, 'A'.repeat(64), 7],
    good: [null],
  }),

  check(
    'generations follow one another, each naming the checkpoint before it',
    [
      'memory.generation',
      'memory.parentCheckpointHash',
      'memory.generation-next',
      'limit.memory-generation',
      'get.memory.checkpoints',
      'document.memory-checkpoint-registry',
      'service.memory-as-commitments',
    ],
    async (net) => {
      const actor = await net.agent('generations');
      const { actorId: agentId } = actor;
      const at = (number: number, parent: string | null, hash: string) =>
        net.tries(
          actor,
          'commitMemoryCheckpoint',
          checkpointOf(agentId, net.fresh('memory'), {
            generation: number,
            parentCheckpointHash: parent,
            checkpointHash: hash,
          }),
        );
      expectProblem(await at(2, hashOf('1'), hashOf('2')), 409, 'MEMORY_GENERATION_MISMATCH');
      expectProblem(await at(1, hashOf('9'), hashOf('1')), 409, 'MEMORY_PARENT_MISMATCH');
      assert.equal((await at(1, null, hashOf('1'))).status, 201);
      expectProblem(await at(1, null, hashOf('1')), 409, 'MEMORY_GENERATION_MISMATCH');
      expectProblem(await at(3, hashOf('1'), hashOf('3')), 409, 'MEMORY_GENERATION_MISMATCH');
      expectProblem(await at(2, null, hashOf('2')), 409, 'MEMORY_PARENT_MISMATCH');
      expectProblem(await at(2, hashOf('9'), hashOf('2')), 409, 'MEMORY_PARENT_MISMATCH');
      assert.equal((await at(2, hashOf('1'), hashOf('2'))).status, 201);
      const registry = await net.http.document('/v1/memory/checkpoints?limit=1000');
      assert.equal(registry['schema'], 'NET-MEMORY-CHECKPOINT-REGISTRY/1');
      const own = (registry['checkpoints'] as JsonObject[]).filter(
        (checkpoint) => checkpoint['agentId'] === agentId,
      );
      assert.deepEqual(
        own.map((checkpoint) => checkpoint['generation']),
        [2, 1],
      );
      for (const [name] of membersOf(own)) assert.doesNotMatch(name, /^(data|content|key|bytes)$/i);
    },
  ),

  check(
    'in secure mode nothing unsigned is committed',
    ['auth.secure-memory', 'secure-mode.switch'],
    async (net) => {
      if ((await net.status()).open) throw new Skip('this chain is open: it takes bare payloads');
      const actor = await net.agent('unsigned');
      const payload = checkpointOf(actor.actorId, net.fresh('memory'));
      const bare = await net.http.post('/v1/memory/checkpoints', payload);
      expectProblem(bare, 403, 'SIGNED_INTENT_REQUIRED');
      const handover = await net.http.post('/v1/memory/handovers', { agentId: actor.actorId });
      expectProblem(handover, 403, 'SIGNED_INTENT_REQUIRED');
      // Genesis fixes the mode, so the other mode needs another chain.
      assert.match(textOf(bare.body['detail']), /--open\b/);
    },
  ),

  check(
    'the path of checkpoints takes the signed intent of just that action',
    ['post.memory.checkpoints'],
    async (net) => {
      const actor = await net.agent('by-path');
      const payload = checkpointOf(actor.actorId, net.fresh('memory'));
      const intent = await net.intent(actor, 'commitMemoryCheckpoint', payload);
      const answer = await net.http.post('/v1/memory/checkpoints', intent);
      assert.equal(answer.status, 201);
      const other = await net.intent(actor, 'withdrawBeacon', { agentId: actor.actorId });
      expectProblem(await net.http.post('/v1/memory/checkpoints', other), 409, 'ACTION_MISMATCH');
    },
  ),

  check(
    'handovers are on record',
    ['get.memory.handovers', 'document.memory-handover-registry'],
    async ({ http }) => {
      const registry = await http.document('/v1/memory/handovers');
      assert.equal(registry['schema'], 'NET-MEMORY-HANDOVER-REGISTRY/1');
      for (const { status } of registry['handovers'] as JsonObject[]) {
        assert.match(textOf(status), /^(PREPARED|TARGET_RESTORED|FINALIZED|ABORTED)$/);
      }
    },
  ),

  check(
    'a handover is prepared, and switches nothing before the target has restored',
    ['post.memory.handovers', 'post.memory.handovers.restore-first'],
    async (net) => {
      const provider = await inRole(net, 'provider', 'RUNTIME_PROVIDER', {
        actions: ['registerRuntimeOffer', 'attestMemoryRestore'],
        profile: { region: 'eu', faultDomain: net.run },
      });
      const runtimeId = net.fresh('runtime');
      const expiresAtHeight = (await net.height()) + 400;
      await net.does(provider, 'registerRuntimeOffer', {
        providerId: provider.actorId,
        runtimeId,
        endpoint: 'https://runtime.example/',
        serializer: 'NET-PORTABLE-MEMORY/1',
        encryptions: ['AES-256-GCM'],
        maxByteLength: 1_000,
        expiresAtHeight,
      });
      const actor = await net.agent('moves');
      const { actorId: agentId } = actor;
      await net.does(actor, 'commitMemoryCheckpoint', checkpointOf(agentId, net.fresh('memory')));
      const handoverId = net.fresh('handover');
      const payload = {
        agentId,
        handoverId,
        checkpointHash: hashOf('1'),
        targetProviderId: provider.actorId,
        targetRuntimeId: runtimeId,
        expiresAtHeight,
      };
      const intent = await net.intent(actor, 'prepareMemoryHandover', payload);
      assert.equal((await net.http.post('/v1/memory/handovers', intent)).status, 201);
      const early = await net.tries(actor, 'finalizeMemoryHandover', { agentId, handoverId });
      expectProblem(early, 409, 'MEMORY_HANDOVER_STATUS');
      await net.does(provider, 'attestMemoryRestore', {
        providerId: provider.actorId,
        handoverId,
        restoredStateRoot: hashOf('a'),
      });
      await net.does(actor, 'finalizeMemoryHandover', { agentId, handoverId });
      const { handovers } = await net.http.document(`/v1/memory/handovers?agentId=${agentId}`);
      const [done] = handovers as JsonObject[];
      assert.equal(done?.['status'], 'FINALIZED');
    },
  ),
];
