import { MAX_EXPIRY_DISTANCE, type JsonObject } from '@netd/protocol';
import { beaconOf, hashOfDigit } from '@netd/protocol/testing';
import { bySession, granted } from '../sessions.ts';
import { type TestChain } from '../test-chain.ts';
import type { RefusalCase } from './case.ts';

/** Names the last committed block. */
export function heartbeatOf(
  chain: TestChain,
  agentId: string,
  members: JsonObject = {},
): JsonObject {
  return {
    agentId,
    sequence: 1,
    observedHeight: chain.height,
    observedStateRoot: chain.ledger.tip.stateRoot,
    nodeVersion: 'netd/0.13.1',
    ...members,
  };
}

function publishesOther(chain: TestChain): void {
  const metadataHash = hashOfDigit('9');
  chain.does('alice', 'publishBeacon', beaconOf('alice', chain.height, { metadataHash }));
}

export const PRESENCE_REFUSALS: RefusalCase[] = [
  {
    subject: 'publishBeacon',
    code: 'BEACON_EXPIRED',
    rule: 'a beacon is current for one height at least',
    provoke: (chain) =>
      chain.intent(
        'alice',
        'publishBeacon',
        beaconOf('alice', chain.height, { expiresAtHeight: chain.height }),
      ),
  },
  {
    subject: 'publishBeacon',
    code: 'BEACON_EXPIRY_TOO_FAR',
    rule: 'a beacon lives at most 5,000 heights beyond the current one',
    provoke: (chain) => {
      const expiresAtHeight = chain.height + MAX_EXPIRY_DISTANCE + 1;
      const beacon = beaconOf('alice', chain.height, { expiresAtHeight });
      return chain.intent('alice', 'publishBeacon', beacon);
    },
  },
  {
    subject: 'publishBeacon',
    code: 'BEACON_SEQUENCE_STALE',
    rule: 'a beacon sequence is above the last one',
    provoke: (chain) => {
      chain.does('alice', 'publishBeacon', beaconOf('alice', chain.height, { sequence: 7 }));
      const beacon = beaconOf('alice', chain.height, { sequence: 7 });
      return chain.intent('alice', 'publishBeacon', beacon);
    },
  },
  ...(
    [
      ['has published nothing', () => {}],
      ['has published something else', (chain) => publishesOther(chain)],
    ] as [string, (chain: TestChain) => void][]
  ).map(([what, before]): RefusalCase => ({
    subject: 'publishBeacon',
    code: 'BEACON_METADATA_NOT_OWN',
    rule: `a session cannot publish metadata if the agent's own key ${what}`,
    provoke: (chain) => {
      before(chain);
      granted(chain, 'alice', 's-1', { actions: ['publishBeacon'] });
      const beacon = beaconOf('alice', chain.height, { sequence: 9 });
      return bySession(chain, ['alice', 's-1'], 'publishBeacon', beacon);
    },
  })),
  {
    subject: 'publishBeacon',
    code: 'BEACON_SEQUENCE_STALE',
    rule: 'withdrawing does not give a beacon sequence back',
    provoke: (chain) => {
      chain.does('alice', 'publishBeacon', beaconOf('alice', chain.height, { sequence: 7 }));
      chain.does('alice', 'withdrawBeacon', { agentId: 'alice' });
      const beacon = beaconOf('alice', chain.height, { sequence: 6 });
      return chain.intent('alice', 'publishBeacon', beacon);
    },
  },
  {
    subject: 'withdrawBeacon',
    code: 'BEACON_NOT_FOUND',
    rule: 'there is nothing to withdraw before a beacon is published',
    provoke: (chain) => chain.intent('alice', 'withdrawBeacon', { agentId: 'alice' }),
  },
  {
    subject: 'withdrawBeacon',
    code: 'BEACON_NOT_FOUND',
    rule: 'a beacon is withdrawn once',
    provoke: (chain) => {
      chain.does('alice', 'publishBeacon', beaconOf('alice', chain.height));
      chain.does('alice', 'withdrawBeacon', { agentId: 'alice' });
      return chain.intent('alice', 'withdrawBeacon', { agentId: 'alice' });
    },
  },
  {
    subject: 'submitNodeHeartbeat',
    code: 'HEARTBEAT_SEQUENCE_STALE',
    rule: 'a heartbeat sequence is above the last one',
    provoke: (chain) => {
      chain.does('alice', 'submitNodeHeartbeat', heartbeatOf(chain, 'alice'));
      return chain.intent('alice', 'submitNodeHeartbeat', heartbeatOf(chain, 'alice'));
    },
  },
  {
    subject: 'submitNodeHeartbeat',
    code: 'HEARTBEAT_ROOT_MISMATCH',
    rule: 'a heartbeat names a root the chain had',
    provoke: (chain) =>
      chain.intent(
        'alice',
        'submitNodeHeartbeat',
        heartbeatOf(chain, 'alice', { observedStateRoot: '00'.repeat(32) }),
      ),
  },
  {
    subject: 'submitNodeHeartbeat',
    code: 'HEARTBEAT_ROOT_MISMATCH',
    rule: 'a node cannot observe the block that is being executed',
    provoke: (chain) =>
      chain.intent(
        'alice',
        'submitNodeHeartbeat',
        heartbeatOf(chain, 'alice', { observedHeight: chain.height + 1 }),
      ),
  },
  {
    subject: 'submitNodeHeartbeat',
    code: 'HEARTBEAT_ROOT_MISMATCH',
    rule: 'a height whose place in the ring another one took is too old',
    provoke: (chain) => {
      const old = heartbeatOf(chain, 'alice');
      chain.block([chain.intent('bob', 'faucet', { amount: 1 })]);
      chain.ledger.advance(1_023);
      chain.block([chain.intent('bob', 'faucet', { amount: 1 })]);
      return chain.intent('alice', 'submitNodeHeartbeat', old);
    },
  },
];
