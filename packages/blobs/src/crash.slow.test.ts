/**
 * Kills the service at every failpoint, and fills its disk: no partial blob is visible, and no stored blob is
 * lost.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sha256Hex } from '@netd/protocol';
import { firstLine, plays } from '@netd/protocol/testing';
import { BlobClient, BlobServiceError } from './client/client.ts';
import { FAILPOINTS } from './failpoints.ts';
import { BlobFloor, signerOf } from './testing/blob-floor.ts';

const CHILD = fileURLToPath(new URL('testing/crash-child.ts', import.meta.url));
const ada = signerOf('ada');

interface Life {
  child: ChildProcess;
  client: BlobClient;
}

async function start(
  t: TestContext,
  floor: BlobFloor,
  { failpoint = '', shell = '' } = {},
): Promise<Life> {
  const args = [CHILD, join(floor.home, 'crashing'), floor.node.url];
  const [command, ...rest] =
    shell === '' ? [process.execPath, ...args] : ['bash', '-c', shell, process.execPath, ...args];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NET_FAILPOINT: failpoint },
  });
  t.after(() => child.kill('SIGKILL'));
  return { child, client: new BlobClient(await firstLine(child)) };
}

async function kill({ child }: Life): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const content = (seed: number): Uint8Array => new Uint8Array(300_000).map((_, i) => i * seed);

function left(floor: BlobFloor, folder: string): string[] {
  const root = join(floor.home, 'crashing', folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

async function health({ client }: Life): Promise<{ blobs: number; bytes: number }> {
  const answer = await fetch(`${client.origin}/health`);
  const { blobs, bytes } = (await answer.json()) as { blobs: number; bytes: number };
  return { blobs, bytes };
}

/** A build runs every other failpoint. */
const all = Object.keys(FAILPOINTS);
const moments = all.filter((_name, index) => index % 2 === 1);

for (const failpoint of plays(moments, all)) {
  test(`killed at ${failpoint}`, async (t) => {
    const floor = await BlobFloor.start(t);
    const first = await start(t, floor);
    const kept = await first.client.put(content(3), ada);
    await kill(first);

    const second = await start(t, floor, { failpoint });
    const ended = once(second.child, 'exit');
    const wanted = content(5);
    const hash = sha256Hex(wanted);
    const removal = failpoint.startsWith('removal');
    if (removal) await second.client.put(wanted, ada);
    const interrupted = removal ? second.client.delete(hash, ada) : second.client.put(wanted, ada);
    await assert.rejects(interrupted, TypeError);
    const [, signal] = (await ended) as [number | null, string | null];
    assert.equal(signal, 'SIGKILL');

    const third = await start(t, floor);
    assert.deepEqual(await third.client.get(kept), content(3));
    const there = await third.client.get(hash);
    const whole = failpoint === 'upload.recorded';
    assert.deepEqual(there, whole ? wanted : null);
    assert.deepEqual(left(floor, 'incoming'), []);
    assert.deepEqual(left(floor, 'blobs').toSorted(), (whole ? [kept, hash] : [kept]).toSorted());
    assert.deepEqual(await health(third), {
      blobs: whole ? 2 : 1,
      bytes: whole ? 600_000 : 300_000,
    });
    await third.client.put(wanted, ada);
    assert.deepEqual(await third.client.get(hash), wanted);
    await kill(third);
  });
}

test('a full disk is answered with 507, and nothing that was stored is lost', async (t) => {
  if (process.platform !== 'linux') return t.skip('file sizes are limited by the shell of Linux');
  const floor = await BlobFloor.start(t);
  // No file may grow beyond so many blocks of 1 KiB.
  const life = await start(t, floor, { shell: 'ulimit -f 1024; exec "$0" "$@"' });
  const kept = await life.client.put(content(3), ada);
  const large = new Uint8Array(2_000_000).fill(7);
  await assert.rejects(life.client.put(large, ada), (error) => {
    assert.ok(error instanceof BlobServiceError);
    assert.deepEqual([error.status, error.code], [507, 'STORAGE_FULL']);
    return true;
  });
  assert.equal(await life.client.get(sha256Hex(large)), null);
  assert.deepEqual(await life.client.get(kept), content(3));
  assert.deepEqual(left(floor, 'incoming'), []);
  assert.deepEqual(await health(life), { blobs: 1, bytes: 300_000 });
  await life.client.put(content(5), ada);
  assert.equal((await health(life)).blobs, 2);
  await kill(life);
});
