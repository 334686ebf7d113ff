import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { BAD_URIS, checkpointOf, GOOD_URIS, hashOf } from '@netd/protocol/testing';
import { accepted, refused, verdictOf } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import {
  attestationOf,
  handoverOf,
  offerOf,
  prepared,
  readyToMove,
  restored,
  seedProvider,
} from '../../testing/refusals/memory.ts';
import { handoverAt } from './handover.ts';

const HASH = {
  fits: ['0123456789abcdef'.repeat(4)],
  breaks: ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), null],
};
const COUNT = { fits: [1, 2, Number.MAX_SAFE_INTEGER], breaks: [0, -1, 1.5, '1', null] };
const replica = (i: number, members: JsonObject = {}): JsonObject => ({
  providerId: `store-${i}`,
  uri: 'https://a.example/',
  bundleHash: hashOf(1),
  ...members,
});

/** Valid and invalid values, by member. */
const LIMITS: Record<string, { fits: unknown[]; breaks: unknown[] }> = {
  checkpointId: { fits: ['a', 'a'.repeat(128)], breaks: ['', 'a'.repeat(129), '.a', null] },
  generation: { fits: [1], breaks: [0, -1, 1.5, '1', null] },
  parentCheckpointHash: { fits: [null], breaks: ['', 'a'.repeat(63), 'A'.repeat(64), 0] },
  checkpointHash: HASH,
  stateRoot: HASH,
  chunksRoot: HASH,
  serializer: { fits: [], breaks: ['NET-PORTABLE-MEMORY/2', '', null] },
  encryption: {
    fits: ['AES-256-GCM', 'XCHACHA20-POLY1305'],
    breaks: ['AES-128-GCM', 'NONE', null],
  },
  byteLength: COUNT,
  chunkCount: COUNT,
  barrier: {
    fits: [{ lastInputSequence: 0, lastOutputSequence: 0 }],
    breaks: [
      {},
      { lastInputSequence: 0 },
      { lastInputSequence: '0', lastOutputSequence: 0 },
      { lastInputSequence: 0.5, lastOutputSequence: 0 },
      { lastInputSequence: 0, lastOutputSequence: 0, more: 0 },
      null,
    ],
  },
  storageReplicas: {
    fits: [
      [replica(1), replica(2)],
      [replica(1), replica(2), replica(3)],
      ...GOOD_URIS.map((uri) => [replica(1), replica(2, { uri })]),
      [replica(1, { providerId: 'p'.repeat(128) }), replica(2)],
    ],
    breaks: [
      [],
      [replica(1)],
      ...BAD_URIS.map((uri) => [replica(1), replica(2, { uri })]),
      [replica(1), replica(2, { bundleHash: 'x' })],
      [replica(1), replica(2, { providerId: '' })],
      [replica(1), replica(2, { providerId: 'p'.repeat(129) })],
      [replica(1), replica(2, { note: '' })],
      [replica(1), {}],
      null,
    ],
  },
};

describe('commitMemoryCheckpoint takes', () => {
  for (const [member, { fits, breaks }] of Object.entries(LIMITS)) {
    test(`a ${member} within its limits and none outside`, () => {
      for (const value of breaks) {
        const chain = standardChain();
        const checkpoint = checkpointOf('alice', 1, { [member]: value } as JsonObject);
        const intent = chain.intent('alice', 'commitMemoryCheckpoint', checkpoint);
        refused(chain, intent, 'PAYLOAD_INVALID');
      }
      for (const value of fits) {
        const checkpoint = checkpointOf('alice', 1, { [member]: value } as JsonObject);
        accepted(standardChain().act('alice', 'commitMemoryCheckpoint', checkpoint));
      }
    });
  }
  test('no further members, and needs all its own', () => {
    const chain = standardChain();
    const checkpoint = checkpointOf('alice', 1);
    const commit = (payload: JsonObject) =>
      chain.intent('alice', 'commitMemoryCheckpoint', payload);
    refused(chain, commit({ ...checkpoint, note: '' }), 'PAYLOAD_INVALID');
    for (const member of Object.keys(checkpoint)) {
      const { [member]: _, ...rest } = checkpoint;
      refused(chain, commit(rest), 'PAYLOAD_INVALID');
    }
  });
  test('generation after generation, each the child of the one before', () => {
    const chain = standardChain();
    for (const generation of [1, 2, 3]) {
      chain.does('alice', 'commitMemoryCheckpoint', checkpointOf('alice', generation));
    }
    assert.deepEqual(chain.record('memory', 'alice'), {
      agentId: 'alice',
      generation: 3,
      checkpointId: 'alice-3',
      checkpointHash: hashOf(3),
      openHandoverId: null,
      activeRuntime: null,
    });
    assert.deepEqual(
      chain.record('memory-checkpoint', 'alice-1')?.checkpoint,
      checkpointOf('alice', 1),
    );
    assert.equal(chain.record('counter', 'memory-checkpoints'), 3);
  });
});

describe('registerRuntimeOffer', () => {
  test('takes offers for 1 to 5,000 heights, renews them, counts a runtime once', () => {
    const chain = standardChain();
    seedProvider(chain, 'provider');
    const offer = (distance: number, members: JsonObject = {}): string => {
      const expiresAtHeight = chain.height + distance;
      const payload = offerOf(chain, 'provider', 'r', { expiresAtHeight, ...members });
      return verdictOf(chain.act('provider', 'registerRuntimeOffer', payload));
    };
    assert.equal(offer(0), 'RUNTIME_OFFER_EXPIRED');
    assert.equal(offer(1), 'accepted');
    assert.equal(offer(5_000), 'accepted');
    assert.equal(offer(5_001), 'RUNTIME_OFFER_EXPIRY_TOO_FAR');
    for (const members of [
      { encryptions: [] },
      { encryptions: ['AES-256-GCM', 'AES-256-GCM'] },
      { encryptions: ['NONE'] },
      { maxByteLength: 0 },
      { endpoint: 'http://a.example' },
      { serializer: 'other' },
      { note: '' },
    ]) {
      assert.equal(offer(1, members), 'PAYLOAD_INVALID');
    }
    assert.equal(chain.record('counter', 'runtime-offers'), 1);
  });
  test('is for runtime providers', () => {
    const chain = standardChain();
    const payload = offerOf(chain, 'alice', 'r');
    refused(chain, chain.intent('alice', 'registerRuntimeOffer', payload), 'CAPABILITY_MISSING');
  });
});

describe('a handover', () => {
  const end = { agentId: 'alice', handoverId: 'h-1' };
  test('changes the active runtime only when it is finalized', () => {
    const chain = prepared(standardChain());
    const active = () => chain.record('memory', 'alice')?.activeRuntime;
    const status = () => chain.record('memory-handover', 'h-1')?.status;
    assert.deepEqual([status(), active()], ['PREPARED', null]);
    chain.does('provider', 'attestMemoryRestore', attestationOf('provider', 'h-1'));
    assert.deepEqual([status(), active()], ['TARGET_RESTORED', null]);
    assert.equal(chain.record('memory', 'alice')?.openHandoverId, 'h-1');
    chain.does('alice', 'finalizeMemoryHandover', end);
    const since = { height: chain.height, index: 0 };
    assert.equal(status(), 'FINALIZED');
    assert.deepEqual(active(), {
      runtimeId: 'runtime-1',
      providerId: 'provider',
      handoverId: 'h-1',
      since,
    });
    // The next handover starts here, and an abort changes nothing.
    for (const [handoverId, members] of [
      ['h-2', { sourceRuntimeId: 'runtime-1' }],
      ['h-3', {}],
    ] as const) {
      const next = handoverOf(chain, 'alice', handoverId, members);
      chain.does('alice', 'prepareMemoryHandover', next);
      assert.equal(chain.record('memory-handover', handoverId)?.sourceRuntimeId, 'runtime-1');
      chain.does('alice', 'abortMemoryHandover', { agentId: 'alice', handoverId });
      assert.equal(chain.record('memory-handover', handoverId)?.abortCause, 'AGENT');
    }
    assert.equal(active()?.handoverId, 'h-1');
    assert.equal(chain.record('counter', 'memory-handovers'), 3);
    assert.equal(chain.record('counter', 'open-memory-handovers'), 0);
    assert.equal(chain.record('counter', 'finalized-memory-handovers'), 1);
  });
  test('is given up after the restore as well', () => {
    const chain = restored(standardChain());
    assert.deepEqual(accepted(chain.act('alice', 'abortMemoryHandover', end)), [
      {
        type: 'MemoryHandoverAborted',
        data: { agentId: 'alice', handoverId: 'h-1', actorId: 'provider' },
      },
    ]);
  });
  test('lasts up to its last height and is aborted after it, which makes room for another', () => {
    const chain = restored(standardChain());
    const record = chain.record('memory-handover', 'h-1')!;
    assert.equal(handoverAt(record, record.expiresAtHeight).status, 'TARGET_RESTORED');
    assert.equal(handoverAt(record, record.expiresAtHeight + 1).status, 'ABORTED');
    chain.ledger.advance(record.expiresAtHeight - chain.height);
    const next = handoverOf(chain, 'alice', 'h-2');
    chain.does('alice', 'prepareMemoryHandover', next);
    assert.equal(chain.record('memory-handover', 'h-1')?.abortCause, 'EXPIRY');
    assert.equal(chain.record('memory', 'alice')?.openHandoverId, 'h-2');
    assert.equal(chain.record('counter', 'open-memory-handovers'), 1);
  });
  test('is finalized at its last height', () => {
    const chain = restored(standardChain());
    const { expiresAtHeight } = chain.record('memory-handover', 'h-1')!;
    chain.ledger.advance(expiresAtHeight - 1 - chain.height);
    accepted(chain.act('alice', 'finalizeMemoryHandover', end));
  });
  test('may be open for 1 to 20,000 heights', () => {
    for (const [distance, verdict] of [
      [0, 'MEMORY_HANDOVER_EXPIRED'],
      [1, 'accepted'],
      [20_000, 'accepted'],
      [20_001, 'MEMORY_HANDOVER_EXPIRY_TOO_FAR'],
    ] as const) {
      const chain = readyToMove(standardChain());
      const expiresAtHeight = chain.height + distance;
      const payload = handoverOf(chain, 'alice', 'h-1', { expiresAtHeight });
      assert.equal(verdictOf(chain.act('alice', 'prepareMemoryHandover', payload)), verdict);
    }
  });
});
