/** A node with its own CometBFT: the thread that executes its blocks, and the chains that it refuses. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test, type TestContext } from 'node:test';
import { cometbftPath, defaultEngineDir, requireCometbft } from '@netd/engine/cometbft-binary';
import { registrationBytes } from '@netd/testkit/envelopes';
import { freePort } from '@netd/testkit/free-port';
import { tempDir } from '@netd/testkit/temp-dir';
import type { CometDir } from './comet-dir.ts';
import { beginChainOfMany, makeValidatorKeys } from './founders.ts';
import { NetNode } from './node.ts';

const binary = cometbftPath(defaultEngineDir());

async function start(dataDir: string): Promise<NetNode<CometDir>> {
  const p2pAddress = `127.0.0.1:${await freePort()}`;
  return NetNode.startCometNode({ dataDir, binary, p2pAddress, peers: [] });
}

/** The only validator of its own chain. */
function begin(dataDir: string): void {
  const facts = { chainId: 'net-test-1', validatorId: 'alone', faultDomain: 'here' };
  const card = makeValidatorKeys(dataDir, { ...facts, address: '127.0.0.1:1' });
  beginChainOfMany(dataDir, [{ file: 'alone.json', card }], { now: Date.now() });
}

async function isThere(t: TestContext): Promise<boolean> {
  try {
    await requireCometbft(binary);
    return true;
  } catch (error) {
    t.skip((error as Error).message);
    return false;
  }
}

/** As the kernel names them. */
const threads = (): string[] =>
  readdirSync('/proc/self/task').map((id) =>
    readFileSync(`/proc/self/task/${id}/comm`, 'utf8').trim(),
  );

test('blocks are executed in a thread, and what it has answered is there again', async (t) => {
  if (!(await isThere(t))) return;
  const dataDir = tempDir(t);
  begin(dataDir);
  const first = await start(dataDir);
  const bytes = registrationBytes('alice');
  const { receipt } = await first.admission.submit('registration', bytes, 'x');
  assert.equal(first.chain.head.blockHash, receipt.blockHash);
  if (process.platform === 'linux') assert.ok(threads().includes('cometbft'), threads().join());
  assert.deepEqual(first.faults(), []);
  await first.stop();
  if (process.platform === 'linux') assert.ok(!threads().includes('cometbft'));
  const again = await start(dataDir);
  const found = again.chain.receipt(receipt.transitionHash);
  // Stop it before removing the directory: CometBFT recreates missing files.
  await again.stop();
  assert.equal(found?.blockHash, receipt.blockHash);
});

test('the chain of a single validator is refused in a sentence', async (t) => {
  if (!(await isThere(t))) return;
  const dataDir = tempDir(t);
  await (await NetNode.start({ dataDir })).stop();
  await assert.rejects(start(dataDir), {
    name: 'DataDirError',
    message: /that of a single validator, and goes on with netd dev only/,
  });
});
