/** Actions that are due for a follower's agent, without a node. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BEACON_HEIGHTS, REPLICA_CAPABILITY, REPLICA_PROTOCOL } from '@netd/documents';
import type { Snapshot } from '@netd/engine';
import { dueAction } from './presence.ts';

const ENDPOINT = 'https://fay.example';
const HEIGHT = 5_000;

function snapshotOf(own: Record<string, unknown>): Snapshot {
  const records: Record<string, unknown> = {
    ...own,
    'node-heartbeat': {
      receivedAt: { height: HEIGHT },
      nodeVersion: '1',
      endpoint: ENDPOINT,
      region: null,
      countryCode: null,
      faultDomain: null,
    },
  };
  const block = { header: { timestamp: '2026-01-01T00:00:00.000Z', stateRoot: '' } };
  const snapshot = {
    height: HEIGHT,
    block,
    history: { from: 0 },
    blockAt: () => block,
    get: (collection: string) => records[collection] ?? undefined,
  };
  return snapshot as unknown as Snapshot;
}

const own = { nodeVersion: '1', declared: { endpoint: ENDPOINT } };

function dueWith(beacon: object | null): string | null {
  const snapshot = snapshotOf({ beacon: beacon && { beacon, lastSequence: 7 } });
  const due = dueAction(snapshot, 'fay', own);
  if (due?.action === 'publishBeacon')
    assert.equal(due.payload['expiresAtHeight'], HEIGHT + BEACON_HEIGHTS);
  return due?.action ?? null;
}

const beacon = {
  endpoint: ENDPOINT,
  capabilities: [REPLICA_CAPABILITY],
  protocols: [REPLICA_PROTOCOL],
  expiresAtHeight: HEIGHT + 1_001,
};

test('a beacon is published if there is none, and renewed 1,000 heights before its end', () => {
  assert.equal(dueWith(null), 'publishBeacon');
  assert.equal(dueWith(beacon), null);
  assert.equal(dueWith({ ...beacon, expiresAtHeight: HEIGHT + 1_000 }), 'publishBeacon');
  assert.equal(dueWith({ ...beacon, expiresAtHeight: HEIGHT - 1 }), 'publishBeacon');
  assert.equal(dueWith({ ...beacon, capabilities: [] }), 'publishBeacon');
});

test('a beacon with another address is not replaced while it holds', () => {
  const other = { ...beacon, endpoint: 'https://shop.example', capabilities: ['shop'] };
  assert.throws(() => dueWith(other), /an agent of its own/);
  assert.equal(dueWith({ ...other, expiresAtHeight: HEIGHT - 1 }), 'publishBeacon');
});

test('an action names the genesis hash once the next block has version 2 of the rules', () => {
  const named = (fromHeight: number): string | undefined => {
    const active = { artifactHash: null, fromHeight, previousVersion: 1, version: 2 };
    const chain = { genesisHash: 'ab' };
    return dueAction(snapshotOf({ rules: active, chain }), 'fay', own)?.genesisHash;
  };
  assert.deepEqual([named(HEIGHT + 1), named(HEIGHT + 2)], ['ab', undefined]);
  assert.equal(dueAction(snapshotOf({}), 'fay', own)?.genesisHash, undefined);
});
