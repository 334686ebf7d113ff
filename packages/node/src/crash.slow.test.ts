import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BlockExecutor, Chain, SoloSigner, Store, verifyDatabase } from '@netd/engine';
import { plays } from '@netd/protocol/testing';
import { type Failpoint, FAILPOINTS, statementOf } from '@netd/engine/testing';
import { openDataDir } from './data-dir.ts';
import { NetNode } from './node.ts';
import { validateChain } from '@netd/testkit/validate-chain';
import { giftBytes, registrationBytes } from '@netd/testkit/envelopes';
import { hasProcessNamespaces, OWN_PROCESS_IDS } from '@netd/testkit/own-process-ids';
import { tempDir } from '@netd/testkit/temp-dir';

const CHILD = fileURLToPath(import.meta.resolve('@netd/testkit/crash-child'));

interface Run {
  /** Heights by acknowledged transition hash. */
  acknowledged: Map<string, number>;
  others: string[];
  signal: string | null;
}

/** Runs the child until it dies or `until` says to kill it. */
async function run(
  command: string,
  args: string[],
  environment: NodeJS.ProcessEnv,
  until: (run: Run, child: ChildProcess) => boolean,
): Promise<Run> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...environment },
  });
  const result: Run = { acknowledged: new Map(), others: [], signal: null };
  // Kills a child that hangs. The limit is long enough for a child that only waits for others.
  const guard = setTimeout(() => child.kill('SIGKILL'), 120_000);
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, hash, height] = line.split(' ');
    if (word === 'ack') result.acknowledged.set(String(hash), Number(height));
    else result.others.push(line);
    if (until(result, child)) child.kill('SIGKILL');
  }
  const [code, signal] = (await closed) as [number | null, string | null];
  clearTimeout(guard);
  result.signal = signal ?? String(code);
  return result;
}

const runNode = (
  dataDir: string,
  environment: NodeJS.ProcessEnv,
  until: (run: Run) => boolean,
): Promise<Run> => run(process.execPath, [CHILD, dataDir], environment, until);

/** Opens the dead process's data directory, and checks all its promises. */
async function reopen(dataDir: string, acknowledged: ReadonlyMap<string, number>): Promise<void> {
  const node = await NetNode.start({ dataDir, blockTime: 1 });
  try {
    const snapshot = node.store.snapshot();
    for (const [hash, height] of acknowledged) {
      assert.equal(snapshot.receipt(hash)?.height, height, `acknowledged ${hash}`);
    }
    snapshot.close();
    assert.deepEqual(validateChain(node.store), []);
    const directory = node.dataDir.checkpointsPath;
    assert.deepEqual(
      readdirSync(directory).filter((name) => !/^[a-f0-9]{64}$/.test(name)),
      [],
      'no draft is left',
    );
    await node.admission.submit('registration', registrationBytes('alice'), 'y').catch(() => {});
    const gift = giftBytes(node.dataDir.operator, 'alice', 'after', node.chain.height + 100);
    await node.admission.submit('intent', gift, 'y').catch((error: unknown) => {
      // A second reopening sends the same nonce.
      assert.match(String(error), /NONCE_REPLAYED/);
    });
    assert.ok(await node.checkpoints.latest());
  } finally {
    await node.stop();
  }
  const report = await verifyDatabase(join(dataDir, 'chain'), {});
  assert.deepEqual(report.fault, null);
}

/** The failpoints that a build runs: before and after a block is on disk, and in a checkpoint. */
const FEW: readonly Failpoint[] = ['block.writing', 'block.durable', 'checkpoint.chunk'];

describe('a node that is killed loses nothing it has acknowledged', () => {
  for (const name of plays(FEW, Object.keys(FAILPOINTS) as Failpoint[])) {
    test(`at ${name}`, async (t) => {
      const dataDir = join(tempDir(t), 'data');
      // Checkpoints may be made at any height; blocks die in the middle of the load.
      const plan = name.startsWith('checkpoint') ? name : `${name}@7`;
      const result = await runNode(dataDir, { NET_FAILPOINT: plan }, () => false);
      assert.equal(result.signal, 'SIGKILL');
      assert.ok(result.acknowledged.size > 0);
      await reopen(dataDir, result.acknowledged);
    });
  }

  test('at random moments, again and again on the same directory', async (t) => {
    const dataDir = join(tempDir(t), 'data');
    const acknowledged = new Map<string, number>();
    for (let life = 0; life < plays(2, 4); life++) {
      const enough = 1 + Math.floor(Math.random() * 200);
      const result = await runNode(dataDir, {}, (so) => so.acknowledged.size >= enough);
      assert.equal(result.signal, 'SIGKILL');
      assert.ok(result.acknowledged.size >= enough);
      for (const [hash, height] of result.acknowledged) acknowledged.set(hash, height);
    }
    await reopen(dataDir, acknowledged);
  });
});

test('a full disk is answered, survived, and costs nothing that was acknowledged', async (t) => {
  if (process.platform !== 'linux') return t.skip('file sizes are limited by the shell of Linux');
  const dataDir = join(tempDir(t), 'data');
  // No file may grow beyond so many blocks of 1 KiB, so the database fails under load.
  const limited = 'ulimit -f 1200; exec "$0" "$@"';
  const result = await run(
    'bash',
    ['-c', limited, process.execPath, CHILD, dataDir],
    {},
    ({ others }) => others.filter((line) => line.startsWith('refused')).length >= 8,
  );
  assert.equal(result.signal, 'SIGKILL', 'the process lived until it was killed');
  assert.ok(result.acknowledged.size > 0);
  assert.ok(result.others.some((line) => line.startsWith('failure ')));
  assert.deepEqual(
    result.others.filter(
      (line) => line.startsWith('error') && !/ENOSPC|EFBIG|too large/i.test(line),
    ),
    [],
  );
  assert.ok(result.others.includes('refused STORAGE_UNAVAILABLE'));
  await reopen(dataDir, result.acknowledged);
});

test('a node stops when another process writes to its database, and says so', async (t) => {
  const dataDir = join(tempDir(t), 'data');
  const child = spawn(process.execPath, [CHILD, dataDir, '0', '1000'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const closed = once(child, 'close');
  let errors = '';
  child.stderr.on('data', (data) => (errors += String(data)));
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('ack')) break;
  }
  const { genesis, validator, storePath } = openDataDir(dataDir, { now: Date.now });
  const store = Store.open(storePath);
  t.after(() => store.close());
  const signer = new SoloSigner(validator.actorId, validator.privateKey);
  const certifyGenesis = (): never => assert.fail('block 0 is there');
  const chain = await Chain.open({ store, genesis, certifyGenesis, committer: store });
  const executor = BlockExecutor.load(chain.identity, store, chain.head);
  const { hash, write } = executor.seal(executor.open(chain.head, Date.now()));
  const statement = statementOf(write.header, hash);
  const certificate = signer.certify(statement, chain.validatorSetAt(0));
  await chain.commit({ ...write, certificate }, () => {});
  const [code] = (await closed) as [number | null];
  assert.equal(code, 1);
  assert.match(errors, /UnexpectedHeadError: the database stands at block .* another process/);
  assert.equal(store.headHeight(), chain.height, 'it has written nothing after that');
});

test('two containers on one volume: one node runs, the other says which, and only its own end lets another in', async (t) => {
  if (!hasProcessNamespaces()) return t.skip('no namespaces here');
  const [command, ...args] = [...OWN_PROCESS_IDS, process.execPath, CHILD];
  const dataDir = join(tempDir(t), 'data');
  const contain = (until: (run: Run, child: ChildProcess) => boolean): Promise<Run> =>
    run(command, [...args, dataDir], {}, until);
  const refusals: string[] = [];
  let second: Promise<void> | null = null;
  let acknowledgedBefore = 0;
  const first = await contain(({ acknowledged }) => {
    second ??= (async () => {
      const { stderr } = await promisify(execFile)(command, [...args, dataDir]).catch(
        (error: unknown) => error as { stderr: string },
      );
      refusals.push(stderr);
      acknowledgedBefore = acknowledged.size;
    })();
    return refusals.length > 0 && acknowledged.size > acknowledgedBefore + 10;
  });
  assert.match(String(refusals), /another netd \(process 1 on .*\) is running/);
  const third = await contain(({ acknowledged }) => acknowledged.size > 10);
  await reopen(dataDir, new Map([...first.acknowledged, ...third.acknowledged]));
});
