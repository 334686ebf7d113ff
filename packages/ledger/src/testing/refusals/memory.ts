import { MAX_EXPIRY_DISTANCE, type JsonObject } from '@netd/protocol';
import { checkpointOf, hashOf } from '@netd/protocol/testing';
import { OPERATOR, type TestChain } from '../test-chain.ts';
import { refuse, type RefusalCase } from './case.ts';

/** As a claim installs it. */
export function seedProvider(chain: TestChain, actorId: string, active = true): void {
  chain.seedAuthority(actorId, {
    roles: ['RUNTIME_PROVIDER'],
    capabilities: [{ action: 'registerRuntimeOffer' }, { action: 'attestMemoryRestore' }],
  });
  chain.ledger.seed('runtime-provider', actorId, {
    actorId,
    bond: 1_000_000,
    region: 'eu',
    faultDomain: `${actorId}-1`,
    bondedAtHeight: 0,
    installedAt: { height: 0, index: 0 },
    active,
  });
}

export function offerOf(
  chain: Pick<TestChain, 'height' | 'freshNonce'>,
  providerId: string,
  runtimeId: string,
  members: JsonObject = {},
): JsonObject {
  return {
    providerId,
    runtimeId,
    endpoint: `https://${providerId}.example/`,
    serializer: 'NET-PORTABLE-MEMORY/1',
    encryptions: ['AES-256-GCM'],
    maxByteLength: 4_096,
    expiresAtHeight: chain.height + 1_000,
    ...members,
  };
}

export function handoverOf(
  chain: Pick<TestChain, 'height' | 'freshNonce'>,
  agentId: string,
  handoverId: string,
  members: JsonObject = {},
): JsonObject {
  return {
    agentId,
    handoverId,
    checkpointHash: hashOf(1),
    targetProviderId: 'provider',
    targetRuntimeId: 'runtime-1',
    expiresAtHeight: chain.height + 100,
    ...members,
  };
}

/** alice has a checkpoint, and provider offers runtime-1. */
export function readyToMove(chain: TestChain): TestChain {
  seedProvider(chain, 'provider');
  return chain
    .does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1))
    .does('provider', 'registerRuntimeOffer', offerOf(chain, 'provider', 'runtime-1'));
}

/** h-1 is prepared, open for 100 heights. */
export function prepared(chain: TestChain, members: JsonObject = {}): TestChain {
  readyToMove(chain);
  const payload = handoverOf(chain, 'alice', 'h-1', members);
  return chain.does('alice', 'prepareMemoryHandover', payload);
}

export const attestationOf = (providerId: string, handoverId: string): JsonObject => ({
  providerId,
  handoverId,
  restoredStateRoot: hashOf(0xa0),
});

/** h-1 is attested. */
export function restored(chain: TestChain): TestChain {
  return prepared(chain).does('provider', 'attestMemoryRestore', attestationOf('provider', 'h-1'));
}

const commit = (chain: TestChain, generation: number, members: JsonObject = {}) =>
  chain.intent('alice', 'commitMemoryCheckpoint', checkpointOf('alice', generation, members));
const offer = (chain: TestChain, members: JsonObject) => {
  seedProvider(chain, 'provider');
  const payload = offerOf(chain, 'provider', 'runtime-1', members);
  return chain.intent('provider', 'registerRuntimeOffer', payload);
};
const prepare = (chain: TestChain, members: JsonObject = {}) =>
  chain.intent('alice', 'prepareMemoryHandover', handoverOf(chain, 'alice', 'h-1', members));
const end = (chain: TestChain, action: string, agentId = 'alice', handoverId = 'h-1') =>
  chain.intent(agentId, action, { agentId, handoverId });
const attest = (chain: TestChain, members: JsonObject = {}, actorId = 'provider') =>
  chain.intent(actorId, 'attestMemoryRestore', { ...attestationOf(actorId, 'h-1'), ...members });
const deactivate = (chain: TestChain): void => {
  const record = chain.record('runtime-provider', 'provider');
  if (record) chain.ledger.seed('runtime-provider', 'provider', { ...record, active: false });
};

export const MEMORY_REFUSALS: RefusalCase[] = [
  refuse(
    'commitMemoryCheckpoint',
    'MEMORY_CHECKPOINT_ID_USED',
    'a checkpointId is used once across all agents',
    (chain) => {
      chain.does('bob', 'commitMemoryCheckpoint', checkpointOf('bob', 1, { checkpointId: 'm' }));
      return commit(chain, 1, { checkpointId: 'm' });
    },
  ),
  refuse(
    'commitMemoryCheckpoint',
    'MEMORY_GENERATION_MISMATCH',
    'memory begins with generation 1',
    (chain) => commit(chain, 2),
  ),
  refuse(
    'commitMemoryCheckpoint',
    'MEMORY_GENERATION_MISMATCH',
    'no generation is committed twice',
    (chain) => {
      chain.does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1));
      return commit(chain, 1, { checkpointId: 'other' });
    },
  ),
  refuse(
    'commitMemoryCheckpoint',
    'MEMORY_GENERATION_MISMATCH',
    'no generation is left out',
    (chain) => {
      chain.does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1));
      return commit(chain, 3);
    },
  ),
  refuse(
    'commitMemoryCheckpoint',
    'MEMORY_PARENT_MISMATCH',
    'the first generation has no parent',
    (chain) => commit(chain, 1, { parentCheckpointHash: hashOf(9) }),
  ),
  refuse(
    'commitMemoryCheckpoint',
    'MEMORY_PARENT_MISMATCH',
    'a generation continues the previous one',
    (chain) => {
      chain.does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1));
      return commit(chain, 2, { parentCheckpointHash: hashOf(9) });
    },
  ),
  refuse(
    'commitMemoryCheckpoint',
    'MEMORY_PARENT_MISMATCH',
    'only the first generation has no parent',
    (chain) => {
      chain.does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 1));
      return commit(chain, 2, { parentCheckpointHash: null });
    },
  ),
  refuse(
    'commitMemoryCheckpoint',
    'MEMORY_REPLICAS_NOT_DISTINCT',
    'two replicas with one provider are lost together',
    (chain) => {
      const replica = {
        providerId: 'store-a',
        uri: 'https://a.example/',
        bundleHash: hashOf(1),
      };
      const storageReplicas = [replica, { ...replica, uri: 'https://b.example/' }];
      return commit(chain, 1, { storageReplicas });
    },
  ),
  refuse(
    'registerRuntimeOffer',
    'RUNTIME_PROVIDER_INACTIVE',
    'offers come from bonded providers, whatever the role',
    (chain) => {
      const payload = offerOf(chain, OPERATOR, 'runtime-1');
      return chain.intent(OPERATOR, 'registerRuntimeOffer', payload);
    },
  ),
  refuse(
    'registerRuntimeOffer',
    'RUNTIME_PROVIDER_INACTIVE',
    'a provider that is inactive offers nothing',
    (chain) => {
      seedProvider(chain, 'provider', false);
      const payload = offerOf(chain, 'provider', 'runtime-1');
      return chain.intent('provider', 'registerRuntimeOffer', payload);
    },
  ),
  refuse(
    'registerRuntimeOffer',
    'RUNTIME_OFFER_EXPIRED',
    'an offer stands for one height at least',
    (chain) => offer(chain, { expiresAtHeight: chain.height }),
  ),
  refuse(
    'registerRuntimeOffer',
    'RUNTIME_OFFER_EXPIRY_TOO_FAR',
    'an offer stands at most 5,000 heights beyond the current one',
    (chain) => offer(chain, { expiresAtHeight: chain.height + MAX_EXPIRY_DISTANCE + 1 }),
  ),
  refuse(
    'registerRuntimeOffer',
    'RUNTIME_ID_TAKEN',
    'a runtime belongs to its first provider',
    (chain) => {
      seedProvider(chain, 'other');
      chain.does('other', 'registerRuntimeOffer', offerOf(chain, 'other', 'runtime-1'));
      return offer(chain, {});
    },
  ),
  refuse(
    'prepareMemoryHandover',
    'MEMORY_HANDOVER_ID_USED',
    'a handoverId is used once, whatever became of it',
    (chain) => {
      prepared(chain).does('alice', 'abortMemoryHandover', {
        agentId: 'alice',
        handoverId: 'h-1',
      });
      return prepare(chain);
    },
  ),
  refuse(
    'prepareMemoryHandover',
    'MEMORY_CHECKPOINT_NOT_LATEST',
    'nothing moves without a checkpoint',
    (chain) => prepare(chain),
  ),
  refuse(
    'prepareMemoryHandover',
    'MEMORY_CHECKPOINT_NOT_LATEST',
    'only the latest generation moves',
    (chain) => {
      readyToMove(chain).does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 2));
      return prepare(chain);
    },
  ),
  refuse(
    'prepareMemoryHandover',
    'MEMORY_HANDOVER_OPEN',
    'an agent has one open handover',
    (chain) => prepare(prepared(chain), { handoverId: 'h-2' }),
  ),
  refuse(
    'prepareMemoryHandover',
    'MEMORY_HANDOVER_OPEN',
    'a restored handover is still open',
    (chain) => prepare(restored(chain), { handoverId: 'h-2' }),
  ),
  refuse(
    'prepareMemoryHandover',
    'MEMORY_HANDOVER_EXPIRED',
    'a handover is open for one height at least',
    (chain) => prepare(readyToMove(chain), { expiresAtHeight: chain.height }),
  ),
  refuse(
    'prepareMemoryHandover',
    'MEMORY_HANDOVER_EXPIRY_TOO_FAR',
    'a handover is open for at most 20,000 heights',
    (chain) => prepare(readyToMove(chain), { expiresAtHeight: chain.height + 20_001 }),
  ),
  refuse(
    'prepareMemoryHandover',
    'MEMORY_SOURCE_RUNTIME_MISMATCH',
    'the source is the active runtime',
    (chain) => {
      const payload = { agentId: 'alice', handoverId: 'h-1' };
      restored(chain).does('alice', 'finalizeMemoryHandover', payload);
      return prepare(chain, { handoverId: 'h-2', sourceRuntimeId: 'runtime-2' });
    },
  ),
  refuse(
    'prepareMemoryHandover',
    'RUNTIME_PROVIDER_INACTIVE',
    'the target provider is bonded and active',
    (chain) => {
      deactivate(readyToMove(chain));
      return prepare(chain);
    },
  ),
  ...(
    [
      ['the runtime is on offer', { targetRuntimeId: 'runtime-9' }, {}],
      ['the runtime is one of the target provider', { targetProviderId: 'other' }, {}],
      ['the runtime takes the encryption', {}, { encryptions: ['XCHACHA20-POLY1305'] }],
      ['the runtime takes the size', {}, { maxByteLength: 4_095 }],
    ] as [string, JsonObject, JsonObject][]
  ).map(([rule, members, offered]) =>
    refuse('prepareMemoryHandover', 'RUNTIME_OFFER_UNAVAILABLE', rule, (chain) => {
      readyToMove(chain);
      seedProvider(chain, 'other');
      const renewed = offerOf(chain, 'provider', 'runtime-1', offered);
      chain.does('provider', 'registerRuntimeOffer', renewed);
      return prepare(chain, members);
    }),
  ),
  refuse(
    'prepareMemoryHandover',
    'RUNTIME_OFFER_UNAVAILABLE',
    'an expired offer is none',
    (chain) => {
      readyToMove(chain);
      chain.ledger.advance(1_000);
      return prepare(chain);
    },
  ),
  refuse(
    'attestMemoryRestore',
    'MEMORY_HANDOVER_UNKNOWN',
    'there must be something to restore',
    (chain) => attest(readyToMove(chain)),
  ),
  refuse(
    'attestMemoryRestore',
    'NOT_HANDOVER_PROVIDER',
    'only the target provider attests',
    (chain) => {
      prepared(chain);
      seedProvider(chain, 'other');
      return attest(chain, {}, 'other');
    },
  ),
  refuse('attestMemoryRestore', 'MEMORY_HANDOVER_STATUS', 'a restore is attested once', (chain) =>
    attest(restored(chain)),
  ),
  refuse(
    'attestMemoryRestore',
    'MEMORY_HANDOVER_STATUS',
    'an expired handover is aborted',
    (chain) => {
      prepared(chain).ledger.advance(100);
      return attest(chain);
    },
  ),
  refuse(
    'attestMemoryRestore',
    'RUNTIME_PROVIDER_INACTIVE',
    'a provider that is inactive attests nothing',
    (chain) => {
      deactivate(prepared(chain));
      return attest(chain);
    },
  ),
  refuse(
    'attestMemoryRestore',
    'MEMORY_STATE_ROOT_MISMATCH',
    'the restored state is the committed state',
    (chain) => attest(prepared(chain), { restoredStateRoot: hashOf(0xa1) }),
  ),
  ...['finalizeMemoryHandover', 'abortMemoryHandover'].flatMap((action) => [
    refuse(action, 'MEMORY_HANDOVER_UNKNOWN', 'there must be something to end', (chain) =>
      end(chain, action),
    ),
    refuse(action, 'NOT_HANDOVER_AGENT', 'a handover is ended by its agent only', (chain) =>
      end(restored(chain), action, 'bob'),
    ),
    refuse(action, 'MEMORY_HANDOVER_STATUS', 'a handover ends once', (chain) => {
      const payload = { agentId: 'alice', handoverId: 'h-1' };
      return end(restored(chain).does('alice', 'finalizeMemoryHandover', payload), action);
    }),
    refuse(action, 'MEMORY_HANDOVER_STATUS', 'an expired handover has ended', (chain) => {
      restored(chain).ledger.advance(99);
      return end(chain, action);
    }),
  ]),
  refuse(
    'finalizeMemoryHandover',
    'MEMORY_HANDOVER_STATUS',
    'a handover is finalized only after an attested restore',
    (chain) => end(prepared(chain), 'finalizeMemoryHandover'),
  ),
  refuse(
    'finalizeMemoryHandover',
    'RUNTIME_PROVIDER_INACTIVE',
    'a memory cannot move to an inactive provider',
    (chain) => {
      deactivate(restored(chain));
      return end(chain, 'finalizeMemoryHandover');
    },
  ),
  refuse(
    'finalizeMemoryHandover',
    'MEMORY_HANDOVER_STALE',
    'a handover is stale after a later checkpoint',
    (chain) => {
      restored(chain).does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', 2));
      return end(chain, 'finalizeMemoryHandover');
    },
  ),
];
