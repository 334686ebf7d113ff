/** A process can exit cleanly while reader threads are using the database. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';

const directory = mkdtempSync(join(tmpdir(), 'netd-reader-pool-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const DEADLINE_MILLISECONDS = 120_000;
const ROUNDS = 3;

const module = (name: string): string => JSON.stringify(import.meta.resolve(name));

/** Exits with code 7 after this many reads. */
const script = `
  import { openPopulated } from ${module('@netd/testkit/populated-chain')};
  import { ReaderPool } from ${module('./reader-pool.ts')};
  const [path, count] = process.argv.slice(2);
  const { store } = await openPopulated({ path });
  const pool = new ReaderPool(store.path, { waitingReads: 20_000 });
  // Small ones: a thread that does them is in the database most of the time.
  const request = { name: 'NET-ACCOUNT/1', parameters: { accountId: 'alice' }, height: 0 };
  const reads = Array.from({ length: 20_000 }, () => pool.read(request));
  await reads[Number(count)];
  process.exit(7);
`;

test('a process that exits in the middle of reads ends with its own code', async () => {
  const file = join(directory, 'exit.mjs');
  writeFileSync(file, script);
  for (let round = 0; round < ROUNDS; round++) {
    const ended = promisify(execFile)(
      process.execPath,
      [file, join(directory, String(round)), String(round * 7)],
      { timeout: DEADLINE_MILLISECONDS },
    );
    await assert.rejects(ended, (error: { code?: unknown; stderr?: string }) => {
      assert.equal(error.code, 7, error.stderr);
      return true;
    });
  }
});

/** Answers while its thread is still inside the database. */
const staysInside = `
  import { writeSync } from 'node:fs';
  import { parentPort, workerData } from 'node:worker_threads';
  import { throughGate } from ${module('@netd/engine')};
  parentPort.on('message', () => throughGate(workerData.gate, () => {
    parentPort.postMessage({ status: 'made' });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    writeSync(1, 'it came out');
  }));
`;

test('a process that exits waits until a thread is out of the database', async () => {
  const file = join(directory, 'wait.mjs');
  writeFileSync(
    file,
    `import { ReaderPool } from ${module('./reader-pool.ts')};
     await new ReaderPool('', { waitingReads: 1 }, new URL(process.argv[2])).read({});
     process.exit(7);`,
  );
  const worker = `data:text/javascript,${encodeURIComponent(staysInside)}`;
  await assert.rejects(promisify(execFile)(process.execPath, [file, worker]), {
    code: 7,
    stdout: 'it came out',
  });
});
