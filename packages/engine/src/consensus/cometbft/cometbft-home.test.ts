/** The files that CometBFT starts from, where something is wrong with them. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { genesisValidatorSet } from '@netd/ledger';
import { testKey } from '@netd/protocol/testing';
import { HARNESS_GENESIS } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { nodeId, writeCometbftHome, type CometbftHome } from './cometbft-home.ts';

const homeIn = (path: string): CometbftHome => ({
  path,
  chainId: HARNESS_GENESIS.chainId,
  genesisTime: HARNESS_GENESIS.genesisTime,
  validatorSet: genesisValidatorSet(HARNESS_GENESIS),
  appState: {},
  signer: { privateKeyPem: testKey('validator').privateKeyPem },
  abciSocket: '/tmp/abci',
  rpcSocket: '/tmp/rpc',
  p2pAddress: '127.0.0.1:1',
  peers: [],
});
const SIGNED = 'data/priv_validator_state.json';

test('what a validator has signed last is begun once, and never written over', (t) => {
  const path = tempDir(t);
  writeCometbftHome(homeIn(path));
  const record = '{"height": "7", "round": 0, "step": 3}';
  writeFileSync(join(path, SIGNED), record);
  writeCometbftHome(homeIn(path));
  assert.equal(readFileSync(join(path, SIGNED), 'utf8'), record);
});

test('a validator that has blocks and has lost what it signed last does not start', (t) => {
  const path = tempDir(t);
  writeCometbftHome(homeIn(path));
  mkdirSync(join(path, 'data/blockstore.db'));
  rmSync(join(path, SIGNED));
  assert.throws(() => writeCometbftHome(homeIn(path)), /is missing.* could vote twice/);
  assert.ok(!existsSync(join(path, SIGNED)));
});

test('files that are half written are named, and left as they are', (t) => {
  const path = tempDir(t);
  writeCometbftHome(homeIn(path));
  const damage = (name: string): string => {
    const file = join(path, name);
    const half = readFileSync(file, 'utf8').slice(0, 10);
    writeFileSync(file, half);
    return half;
  };
  const half = damage(SIGNED);
  assert.throws(() => writeCometbftHome(homeIn(path)), /could vote twice: put it back/);
  assert.equal(readFileSync(join(path, SIGNED), 'utf8'), half);
  // A record that says nothing would let it vote at every height again.
  for (const empty of ['{}', '{"height": null}', '']) {
    writeFileSync(join(path, SIGNED), empty);
    assert.throws(() => writeCometbftHome(homeIn(path)), /could vote twice: put it back/);
  }
  damage('config/node_key.json');
  assert.throws(() => nodeId(path), /name by which peers know this node/);
  for (const empty of ['{}', '{"priv_key": {"value": ""}}']) {
    writeFileSync(join(path, 'config/node_key.json'), empty);
    assert.throws(() => nodeId(path), /name by which peers know this node/);
  }
});

test('a path that no socket can have is refused', (t) => {
  const long = { ...homeIn(tempDir(t)), rpcSocket: `/tmp/${'a'.repeat(120)}` };
  assert.throws(() => writeCometbftHome(long), /too long for the path of a socket: use a shorter/);
});
