/** `netd keys rotate` replaces the operator's key. A start with the wrong key explains itself. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { operatorKeyFault } from '@netd/node';
import { generateKeyFile, readKeyFile } from '@netd/node/keys';
import { startDevnet, writeDevJson } from './testing/devnet.ts';
import { done, runHere } from './testing/run-here.ts';

test('the operator gets another key, even if the first try was interrupted', async (t) => {
  const devnet = await startDevnet();
  t.after(() => devnet.stop());
  writeDevJson(devnet);
  const { dataDir, operatorKeyPath, node } = devnet;
  const before = readKeyFile(operatorKeyPath);
  const fault = (): string | null => {
    const operator = readKeyFile(operatorKeyPath);
    return operatorKeyFault({ ...node.node.dataDir, operator }, node.node.store);
  };
  assert.equal(fault(), null);
  const told = JSON.parse(await done(['keys', 'rotate', '-d', dataDir, '--json'])) as {
    path: string;
    oldPath: string;
    publicKeyHash: string;
  };
  const after = readKeyFile(operatorKeyPath);
  assert.equal(after.publicKeyHash, told.publicKeyHash);
  assert.notEqual(after.publicKeyHash, before.publicKeyHash);
  assert.deepEqual(readKeyFile(told.oldPath), before);
  assert.equal(fault(), null);
  const pay = ['act', 'operator', 'transfer', 'to=net-escrow', 'amount=1', '-d', dataDir];
  assert.equal((await runHere([...pay, '--key', told.oldPath])).code, 1, 'the old key is over');

  // This is the state after a kill between the chain and the disk.
  renameSync(operatorKeyPath, join(dataDir, 'keys', 'operator.next.json'));
  copyFileSync(told.oldPath, operatorKeyPath);
  assert.match(String(fault()), /takes nothing that it signs: a rotation was interrupted/);
  assert.match(
    await done(['keys', 'rotate', '-d', dataDir]),
    /had the new key of operator already/,
  );
  assert.equal(readKeyFile(operatorKeyPath).publicKeyHash, told.publicKeyHash);
  assert.ok(!existsSync(join(dataDir, 'keys', 'operator.next.json')));

  copyFileSync(told.oldPath, operatorKeyPath);
  assert.match(String(fault()), /it was rotated, or is another chain's .*put the newer one there/);
  const { code, stderr } = await runHere(['keys', 'rotate', '-d', dataDir]);
  assert.deepEqual([code, /the chain knows operator by another key/.test(stderr)], [1, true]);
  const strange = JSON.stringify(generateKeyFile('net-other', 'operator'));
  writeFileSync(operatorKeyPath, strange, { mode: 0o600 });
  assert.match(String(fault()), /it was made for net-other, and this is net-devnet-1/);
  assert.equal(readFileSync(operatorKeyPath, 'utf8'), strange);
});
