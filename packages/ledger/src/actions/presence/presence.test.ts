import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type JsonObject } from '@netd/protocol';
import { beaconOf, hashOfDigit } from '@netd/protocol/testing';
import { COLLECTIONS } from '../../collections.ts';
import { accepted, refused, verdictOf } from '../../testing/index.ts';
import { standardChain } from '../../testing/refusals/case.ts';
import { heartbeatOf } from '../../testing/refusals/presence.ts';
import { bySession, granted } from '../../testing/sessions.ts';
import { type TestChain } from '../../testing/test-chain.ts';

const many = (count: number): string[] => Array.from({ length: count }, (_, i) => `item ${i}`);

/** @param length of the whole URI */
const uriOf = (length: number): string => 'https://a.example/'.padEnd(length, 'x');

/** Valid and invalid values, by member. */
const BEACON_LIMITS: Record<string, { fits: unknown[]; breaks: unknown[] }> = {
  schema: { fits: ['NET-AGENT-BEACON/1'], breaks: ['NET-AGENT-BEACON/2', '', null] },
  indexable: { fits: [true], breaks: [false, 1, 'true', null] },
  capabilities: {
    fits: [many(1), many(31), many(32), ['x'], ['x'.repeat(128)], ['🦊'.repeat(128)], ['a', 'A']],
    breaks: [[], many(33), ['a', 'a'], [''], ['x'.repeat(129)], ['🦊'.repeat(129)], [1], 'a', null],
  },
  protocols: {
    fits: [many(1), many(15), many(16), ['x'.repeat(128)]],
    breaks: [[], many(17), ['a', 'b', 'a'], [''], ['x'.repeat(129)], {}, null],
  },
  metadataHash: {
    fits: ['0123456789abcdef'.repeat(4)],
    breaks: ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), 'g'.repeat(64), `${'a'.repeat(64)}\n`],
  },
  sequence: {
    fits: [1, 2, Number.MAX_SAFE_INTEGER],
    breaks: [0, -1, 1.5, '1', null],
  },
  expiresAtHeight: { fits: [], breaks: [-1, 1.5, '10', null, Number.MAX_SAFE_INTEGER + 1] },
  endpoint: {
    fits: [
      'https://a.example',
      'https://a.example/',
      'https://a.example:8443/a2a?x=1&y=%20',
      'https://127.0.0.1/',
      'https://xn--bcher-kva.example/',
      'https://a?q',
      uriOf(511),
      uriOf(512),
    ],
    breaks: [
      uriOf(513),
      'http://a.example/',
      'HTTPS://a.example/',
      'Https://a.example/',
      'javascript:alert(1)',
      'https:a.example',
      'https://',
      'https:///a',
      'https://user@a.example/',
      'https://user:secret@a.example/',
      'https://a.example/#part',
      'https://a.example/\n',
      '\nhttps://a.example/',
      ' https://a.example/',
      'https://a.example/ b',
      'https://bücher.example/',
      'https://a.example/ü',
      'https://-a.example/',
      'https://a..example/',
      'https://a.example:123456/',
      'https://a.example/%2',
      'https://a.example/\\',
      'https://[::1]/',
      '',
      null,
      1,
    ],
  },
};

describe('publishBeacon takes', () => {
  for (const [member, { fits, breaks }] of Object.entries(BEACON_LIMITS)) {
    test(`a ${member} within its limits and none outside`, () => {
      const chain = standardChain();
      for (const value of breaks) {
        const beacon = beaconOf('alice', chain.height, { [member]: value } as JsonObject);
        refused(chain, chain.intent('alice', 'publishBeacon', beacon), 'PAYLOAD_INVALID');
      }
      fits.forEach((value, i) => {
        const members = { sequence: i + 1, [member]: value } as JsonObject;
        const beacon = beaconOf('alice', chain.height, members);
        assert.equal(verdictOf(chain.act('alice', 'publishBeacon', beacon)), 'accepted', `${i}`);
      });
    });
  }
  test('no further members, and needs all its own', () => {
    const chain = standardChain();
    const beacon = beaconOf('alice', chain.height);
    refused(
      chain,
      chain.intent('alice', 'publishBeacon', { ...beacon, note: '' }),
      'PAYLOAD_INVALID',
    );
    for (const member of Object.keys(beacon)) {
      const { [member]: _, ...rest } = beacon;
      refused(chain, chain.intent('alice', 'publishBeacon', rest), 'PAYLOAD_INVALID');
    }
  });
  test('an expiry from current + 1 to current + 5,000', () => {
    const chain = standardChain();
    const publish = (distance: number, sequence: number): string => {
      const expiresAtHeight = chain.height + distance;
      const beacon = beaconOf('alice', chain.height, { expiresAtHeight, sequence });
      return verdictOf(chain.act('alice', 'publishBeacon', beacon));
    };
    assert.equal(publish(0, 1), 'BEACON_EXPIRED');
    assert.equal(publish(1, 1), 'accepted');
    assert.equal(publish(5_000, 2), 'accepted');
    assert.equal(publish(5_001, 3), 'BEACON_EXPIRY_TOO_FAR');
  });
});

describe('a beacon', () => {
  test('is kept as signed and listed under capabilities and protocols until it expires', () => {
    const chain = standardChain();
    const beacon = beaconOf('alice', chain.height, {
      capabilities: ['a', 'B_c', 'b-c'],
      sequence: 3,
    });
    assert.deepEqual(accepted(chain.act('alice', 'publishBeacon', beacon)), [
      {
        type: 'BeaconPublished',
        data: { agentId: 'alice', sequence: 3, expiresAtHeight: beacon['expiresAtHeight'] },
      },
    ]);
    const record = chain.record('beacon', 'alice')!;
    const position = { height: chain.height, index: 0 };
    assert.deepEqual(record, {
      agentId: 'alice',
      lastSequence: 3,
      ownMetadataHash: chain.record('beacon', 'alice')?.beacon?.['metadataHash'],
      beacon,
      expired: false,
      publishedAt: position,
    });
    const entries = COLLECTIONS.beacon.lists(record);
    assert.deepEqual(
      entries.map(({ list, value }) => `${list} ${value}`),
      [
        'beacons ',
        'beacons-by-capability a',
        'beacons-by-capability b-c',
        'beacons-by-protocol a2a/1.0',
      ],
    );
    for (const entry of entries) assert.deepEqual(entry.position, position);
    const due = { queue: 'expireBeacon:HEIGHT', at: Number(beacon['expiresAtHeight']) + 1 };
    assert.deepEqual(COLLECTIONS.beacon.queue!(record), due);
    const ended = { ...record, expired: true };
    assert.deepEqual(
      [COLLECTIONS.beacon.lists(ended), COLLECTIONS.beacon.queue!(ended)],
      [[], null],
    );
  });
  test('may skip sequences, and counts on after withdrawal', () => {
    const chain = standardChain();
    const publish = (sequence: number) =>
      chain.act('alice', 'publishBeacon', beaconOf('alice', chain.height, { sequence }));
    accepted(publish(1));
    accepted(publish(50));
    assert.deepEqual(accepted(chain.act('alice', 'withdrawBeacon', { agentId: 'alice' })), [
      { type: 'BeaconWithdrawn', data: { agentId: 'alice', sequence: 50 } },
    ]);
    const withdrawn = chain.record('beacon', 'alice')!;
    assert.equal(withdrawn.beacon, null);
    assert.equal(withdrawn.lastSequence, 50);
    assert.deepEqual(COLLECTIONS.beacon.lists(withdrawn), []);
    assert.equal(verdictOf(publish(50)), 'BEACON_SEQUENCE_STALE');
    accepted(publish(51));
  });
});

describe('submitNodeHeartbeat', () => {
  const beat = (chain: TestChain, members: JsonObject) =>
    chain.act('alice', 'submitNodeHeartbeat', heartbeatOf(chain, 'alice', members));

  test('keeps to its limits', () => {
    const chain = standardChain();
    for (const members of [
      { sequence: 0 },
      { observedHeight: -1 },
      { observedStateRoot: 'A'.repeat(64) },
      { nodeVersion: '' },
      { nodeVersion: 'v'.repeat(65) },
      { endpoint: 'http://a.example' },
      { region: '' },
      { region: 'r'.repeat(65) },
      { countryCode: 'de' },
      { countryCode: 'DEU' },
      { countryCode: 'DE\n' },
      { faultDomain: '' },
      { faultDomain: 'f'.repeat(65) },
      { uptime: 1 },
    ]) {
      const payload = heartbeatOf(chain, 'alice', members);
      refused(chain, chain.intent('alice', 'submitNodeHeartbeat', payload), 'PAYLOAD_INVALID');
    }
  });
  test('records what the node has verified, and counts the node once', () => {
    const chain = standardChain();
    const { height } = chain;
    const root = chain.ledger.tip.stateRoot;
    const outcome = beat(chain, {
      nodeVersion: 'v'.repeat(64),
      region: 'r'.repeat(64),
      countryCode: 'DE',
      endpoint: 'https://a.example',
    });
    assert.deepEqual(accepted(outcome), [
      {
        type: 'NodeHeartbeatReceived',
        data: { agentId: 'alice', sequence: 1, observedHeight: height, observedStateRoot: root },
      },
    ]);
    assert.deepEqual(chain.record('node-heartbeat', 'alice'), {
      agentId: 'alice',
      sequence: 1,
      observedHeight: height,
      observedStateRoot: root,
      nodeVersion: 'v'.repeat(64),
      endpoint: 'https://a.example',
      region: 'r'.repeat(64),
      countryCode: 'DE',
      faultDomain: null,
      receivedAt: { height: height + 1, index: 0 },
      transitionHash: chain.ledger.blocks.at(-1)?.transitionHashes[0],
    });
    accepted(beat(chain, { sequence: 9 }));
    assert.equal(chain.record('node-heartbeat', 'alice')?.endpoint, null);
    assert.equal(chain.record('counter', 'node-heartbeats'), 1);
  });
  test('may name any of the last 1,024 predecessors of blocks with transitions, and no other', () => {
    const chain = standardChain();
    const old = { observedHeight: chain.height, observedStateRoot: chain.ledger.tip.stateRoot };
    const pay = () => chain.does('bob', 'faucet', { amount: 1 });
    pay();
    chain.ledger.advance(3);
    const idle = chain.height - 1;
    pay();
    accepted(beat(chain, { ...old, sequence: 1 }));
    assert.equal(
      verdictOf(
        beat(chain, {
          observedHeight: idle,
          observedStateRoot: old.observedStateRoot,
          sequence: 2,
        }),
      ),
      'HEARTBEAT_ROOT_MISMATCH',
    );
    // The ring overwrites a place 1,024 heights later.
    chain.ledger.advance(old.observedHeight + 1_022 - chain.height);
    pay();
    accepted(beat(chain, { ...old, sequence: 2 }));
    pay();
    assert.equal(verdictOf(beat(chain, { ...old, sequence: 3 })), 'HEARTBEAT_ROOT_MISMATCH');
  });
});

test("a session publishes only metadata that the agent's own key has named, even after a withdrawal", () => {
  const chain = granted(standardChain(), 'alice', 's-1', { actions: ['publishBeacon'] });
  const publish = (sequence: number, members: JsonObject = {}) =>
    chain.submit(
      bySession(chain, ['alice', 's-1'], 'publishBeacon', {
        ...beaconOf('alice', chain.height, { sequence }),
        ...members,
      }),
    );
  const [own, other] = [hashOfDigit('1'), hashOfDigit('2')];
  assert.equal(verdictOf(publish(1, { metadataHash: own })), 'BEACON_METADATA_NOT_OWN');
  const first = beaconOf('alice', chain.height, { sequence: 1, metadataHash: own });
  chain.does('alice', 'publishBeacon', first);
  const elsewhere = { metadataHash: own, endpoint: 'https://elsewhere.example/' };
  assert.equal(verdictOf(publish(2, elsewhere)), 'accepted');
  assert.equal(verdictOf(publish(3, { metadataHash: other })), 'BEACON_METADATA_NOT_OWN');
  chain.does('alice', 'withdrawBeacon', { agentId: 'alice' });
  assert.equal(verdictOf(publish(3, { metadataHash: own })), 'accepted');
  const changed = beaconOf('alice', chain.height, { sequence: 4, metadataHash: other });
  chain.does('alice', 'publishBeacon', changed);
  assert.equal(verdictOf(publish(5, { metadataHash: own })), 'BEACON_METADATA_NOT_OWN');
});
