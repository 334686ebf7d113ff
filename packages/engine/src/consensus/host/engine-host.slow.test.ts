/** A host whose engine has its own thread, when the process exits or the thread ends. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test, type TestContext } from 'node:test';
import type { Submission } from '@netd/ledger';
import { submissionOf } from '@netd/ledger/testing';
import { registrationOf, signEnvelope, testKey } from '@netd/protocol/testing';
import { SoloSigner } from '../../chain/signer.ts';
import { openCertifiedChain } from '../solo/open-solo-engine.ts';
import { Mempool } from '../../mempool/mempool.ts';
import { Store } from '../../store/store.ts';
import { HARNESS_GENESIS } from '@netd/testkit/chain-harness';
import { tempDir } from '@netd/testkit/temp-dir';
import { validateChain } from '@netd/testkit/validate-chain';
import { producerThread } from '../solo/producer-thread.ts';
import { EngineHost } from './engine-host.ts';

/** Ends a test that would otherwise wait forever. */
const LIMIT = { timeout: 600_000 };

const urlOf = (path: string): string => JSON.stringify(import.meta.resolve(path));

/** Registers agents as fast as blocks come, and exits in the middle of it. */
const PROGRAM = `
  import { NetNode } from ${urlOf('@netd/node')};
  import { registrationBytes } from ${urlOf('@netd/testkit/envelopes')};
  const [dataDir, name, milliseconds] = process.argv.slice(1);
  const node = await NetNode.start({ dataDir, blockTime: 1 });
  const join = async (i) => {
    for (let j = 0; ; j++) {
      const bytes = registrationBytes(name + 'a' + i + 'b' + j);
      const { receipt } = await node.admission.submit('registration', bytes, 'x');
      if (i + j === 0) {
        console.log(receipt.height);
        setTimeout(() => {
          const exitedAt = performance.now();
          process.on('exit', () => console.log(performance.now() - exitedAt));
          process.exit(7);
        }, Number(milliseconds));
      }
    }
  };
  for (let i = 0; i < 200; i++) void join(i);`;

test('a process that exits in the middle of blocks ends as it was told to, and loses nothing it has answered', (t) => {
  const dataDir = tempDir(t);
  const waits: number[] = [];
  // Chance decides the moment within a block, so try several times.
  for (let life = 0; life < 6; life++) {
    const args = ['--input-type=module', '-e', PROGRAM, dataDir, `life-${life}`, `${life * 7}`];
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
    });
    assert.deepEqual([status, signal, stderr], [7, null, '']);
    const [height, waited] = stdout.split('\n').map(Number);
    waits.push(Number(waited));
    const store = Store.open(`${dataDir}/chain`, { readOnly: true });
    assert.ok((store.headHeight() ?? 0) >= Number(height), `${store.headHeight()} ${stdout}`);
    void store.close();
  }
  // It waits two seconds for the thread. A busy machine may delay the answer, but not each time.
  assert.ok(Math.min(...waits) < 1_900, waits.join());
  const store = Store.open(`${dataDir}/chain`);
  assert.deepEqual(validateChain(store), []);
  void store.close();
});

/** Exits while the thread is inside the database and still has work to do there. */
const EXIT = `
  import { tmpdir } from 'node:os';
  import { EngineHost } from ${urlOf('./engine-host.ts')};
  import { producerThread } from ${urlOf('../solo/producer-thread.ts')};
  import { Mempool } from ${urlOf('../../mempool/mempool.ts')};
  const mempool = new Mempool({ total: 1, perAddress: 1 });
  const thread = new EngineHost({ mempool }, producerThread({}, new URL(process.argv[1])), {});
  thread.start();
  void mempool.submit({ kind: 'intent', encoded: { text: '' } });
  setInterval(() => thread.status.issues.length > 0 && process.exit(7), 5);`;
const STAYS_INSIDE = `
  import { writeSync } from 'node:fs';
  import { parentPort, workerData } from 'node:worker_threads';
  import { enterGate, leaveForGood } from ${urlOf('../../database-gate.ts')};
  const { gate } = workerData;
  enterGate(gate);
  parentPort.postMessage({ is: 'status', status: { issues: ['it is inside'] } });
  parentPort.on('message', ({ is }) => {
    if (is !== 'exit') return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    writeSync(1, 'it came out');
    leaveForGood(gate);
  });`;

test('a process that exits asks the thread to come out of the database, and waits until it has', () => {
  const worker = `data:text/javascript,${encodeURIComponent(STAYS_INSIDE)}`;
  const args = ['--input-type=module', '-e', EXIT, worker];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.deepEqual([status, stdout, stderr], [7, 'it came out', '']);
});

/** A thread with its own chain, and its reports. */
async function openThread(t: TestContext, worker?: URL) {
  const storePath = `${tempDir(t)}/chain`;
  const store = Store.open(storePath);
  t.after(() => store.close());
  const { privateKeyPem } = testKey('validator');
  const signer = new SoloSigner('validator-1', privateKeyPem);
  const genesis = HARNESS_GENESIS;
  const chain = await openCertifiedChain({ store, genesis, signer });
  const mempool = new Mempool({ total: 10, perAddress: 10 });
  const halts: unknown[] = [];
  const data = {
    storePath,
    genesis,
    head: chain.head,
    validatorId: 'validator-1',
    validatorKey: privateKeyPem,
    failpoint: undefined,
    blockTime: 1,
    idleBlockTime: 10_000,
  };
  const thread = new EngineHost({ chain, mempool, store }, producerThread(data, worker), {
    onHalt: (error) => halts.push(error),
    onBlockFailure: () => assert.fail('no block was to fail'),
  });
  const join = (actorId: string) => mempool.submit(joining(actorId));
  return { thread, chain, mempool, halts, join };
}

function joining(actorId: string): Submission {
  const key = testKey(actorId);
  const signed = signEnvelope(key, registrationOf({ actorId, key }, { nonce: actorId }));
  return submissionOf('registration', signed);
}

test('answers once the head has moved, and commits pending envelopes when stopped', async (t) => {
  const { thread, chain, halts, join } = await openThread(t);
  const early = join('alice');
  thread.start();
  const first = await early;
  assert.ok(first.status === 'committed');
  assert.equal(chain.head.blockHash, first.receipt.blockHash);
  const late = join('bob');
  const stopped = thread.stop();
  assert.equal((await late).status, 'committed');
  await stopped;
  assert.equal(chain.height, 2);
  assert.equal((await join('carol')).status, 'unavailable');
  assert.deepEqual(halts, []);
});

test('ends at once if it is stopped before it has begun', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { thread, chain, halts } = await openThread(t);
  thread.start();
  t.mock.timers.tick(1_000);
  await thread.stop();
  await thread.stop();
  assert.equal(chain.height, 0);
  assert.deepEqual(halts, []);
});

test('it begins with the first write, or a moment after the start', LIMIT, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const says = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ is }) => is === 'stop' && parentPort.close());
    parentPort.postMessage({ is: 'status', status: { issues: ['it has begun'] } });`;
  const worker = new URL(`data:text/javascript,${encodeURIComponent(says)}`);
  const open = async () => {
    const { thread, join } = await openThread(t, worker);
    t.after(() => thread.stop());
    thread.start();
    return { thread, join };
  };
  const hasBegun = async (thread: EngineHost): Promise<void> => {
    while (thread.status.issues.length === 0) await new Promise(setImmediate);
  };
  const stopped = await open();
  await stopped.thread.stop();
  const idle = await open();
  const written = await open();
  const answer = written.join('alice');
  await hasBegun(written.thread);
  await written.thread.stop();
  assert.equal((await answer).status, 'unavailable');
  assert.deepEqual(idle.thread.status.issues, []);
  t.mock.timers.tick(1_000);
  await hasBegun(idle.thread);
  assert.deepEqual(stopped.thread.status.issues, []);
});

test(
  'passes on together the envelopes that are ready together, then reports that all have arrived',
  LIMIT,
  async (t) => {
    const notes = `
    import { parentPort } from 'node:worker_threads';
    const issues = [];
    parentPort.on('message', ({ is, envelopes }) => {
      if (is === 'stop') return parentPort.close();
      if (is === 'start') return;
      if (is === 'start') return;
      issues.push({ text: envelopes ? is + ' ' + envelopes.length : is });
      if (issues.length === 1) parentPort.postMessage({ is: 'awaits-arrivals' });
      parentPort.postMessage({ is: 'status', status: { issues } });
    });`;
    const worker = new URL(`data:text/javascript,${encodeURIComponent(notes)}`);
    const { thread, mempool, join } = await openThread(t, worker);
    thread.start();
    const one = mempool.reserve('an address', 1)!;
    const answers = ['alice', 'bob', 'carol'].map(join);
    const heard = async (count: number): Promise<string[]> => {
      while (thread.status.issues.length < count) await new Promise(setImmediate);
      return thread.status.issues.map(({ text }) => text);
    };
    assert.deepEqual(await heard(1), ['envelopes 3']);
    // The last awaited envelope becomes ready just as the engine hears that all have arrived.
    await new Promise((resolve) => setTimeout(resolve, 50));
    answers.push(one.submit(joining('dave')));
    assert.deepEqual(await heard(3), ['envelopes 3', 'envelopes 1', 'arrived']);
    await thread.stop();
    for (const answer of answers) assert.equal((await answer).status, 'unavailable');
  },
);

test('if the thread fails, halts the chain with the reason and answers pending requests', async (t) => {
  const dies = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => { throw new RangeError('a defect'); });`;
  const worker = new URL(`data:text/javascript,${encodeURIComponent(dies)}`);
  const { thread, halts, join } = await openThread(t, worker);
  thread.start();
  assert.equal((await join('alice')).status, 'unavailable');
  assert.match(String(halts), /^RangeError: a defect$/);
  assert.equal((await join('bob')).status, 'unavailable');
  await thread.stop();
});
