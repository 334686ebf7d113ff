import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BlockHeader,
  blockHash,
  eventHash,
  GENESIS_PREVIOUS_HASH,
  SystemTransition,
} from './block.ts';
import { sha256Hex } from './hash.ts';
import { compileSchema } from './validation.ts';

const header: BlockHeader = {
  schema: 'NET-BLOCK/1',
  chainId: 'net-devnet-1',
  epoch: 1,
  height: 1,
  timestamp: '2026-01-01T00:00:00.000Z',
  previousBlockHash: GENESIS_PREVIOUS_HASH,
  stateRoot: sha256Hex('state'),
  transitionsRoot: sha256Hex(''),
  eventsRoot: sha256Hex(''),
  transitionCount: 0,
  proposerId: 'validator-1',
  validatorSetHash: sha256Hex('set'),
};

test('the schema refuses a missing, extra or malformed member', () => {
  const check = compileSchema(BlockHeader);
  assert.equal(check(header), null);
  for (const member of Object.keys(header)) {
    const { [member as keyof BlockHeader]: _, ...rest } = header;
    assert.deepEqual(check(rest), [{ path: `/${member}`, message: 'is required' }]);
  }
  assert.ok(check({ ...header, blockHash: sha256Hex('x') }));
  assert.ok(check({ ...header, timestamp: '2026-01-01T00:00:00Z' }));
  assert.ok(check({ ...header, timestamp: `${header.timestamp}\n` }));
  assert.ok(check({ ...header, height: -1 }));
  assert.ok(check({ ...header, stateRoot: header.stateRoot.toUpperCase() }));
});

test('blockHash covers every member, whatever their order', () => {
  const hash = blockHash(header);
  assert.equal(
    blockHash(Object.fromEntries(Object.entries(header).toReversed()) as BlockHeader),
    hash,
  );
  for (const member of Object.keys(header)) {
    assert.notEqual(blockHash({ ...header, [member]: 'changed' }), hash, member);
  }
});

test('eventHash covers type, position and data, and nothing else', () => {
  const event = { type: 'AgentRegistered', transitionIndex: 0, data: { agentId: 'alice' } };
  const hash = eventHash(event);
  assert.equal(
    hash,
    sha256Hex('{"data":{"agentId":"alice"},"transitionIndex":0,"type":"AgentRegistered"}'),
  );
  const numbered = { ...event, id: '1.0' };
  assert.equal(eventHash(numbered), hash);
  assert.notEqual(eventHash({ ...event, transitionIndex: 1 }), hash);
});

test('a system transition has four members', () => {
  const check = compileSchema(SystemTransition);
  const transition = {
    schema: 'NET-SYSTEM-TRANSITION/1',
    kind: 'drawCommittee',
    height: 1,
    subject: 'o-1',
  };
  assert.equal(check(transition), null);
  assert.ok(check({ ...transition, signature: 'x' }));
});
