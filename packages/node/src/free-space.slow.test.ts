/** A small disk of its own, where the machine lets a user mount one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { tempDir } from '@netd/testkit/temp-dir';
import { requireFreeSpace } from '@netd/engine/testing';

const NODE = new URL('./node.ts', import.meta.url).pathname;
const UNSHARE = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'] as const;
const MOUNTED = 'mount -t tmpfs -o size="$0"k tmpfs "$1" && shift && exec "$@"';

test('what is free is compared with what is wanted, where the disk says', (t) => {
  const path = tempDir(t);
  requireFreeSpace(path, 1);
  assert.throws(() => requireFreeSpace(path, Number.MAX_SAFE_INTEGER), { code: 'ENOSPC' });
});

test('a chain is not begun on a disk that has no room for a block, and the process says so', (t) => {
  const path = tempDir(t);
  const on = (kibibytes: number, ...command: string[]) => {
    const [program, ...options] = UNSHARE;
    const args = [...options, MOUNTED, String(kibibytes), path, ...command];
    return spawnSync(program, args, { encoding: 'utf8' });
  };
  if (on(100, 'true').status !== 0) return t.skip('no disk can be mounted here');
  const script = `
    import { NetNode } from ${JSON.stringify(NODE)};
    import { readdirSync } from 'node:fs';
    const dataDir = ${JSON.stringify(path)};
    const node = await NetNode.start({ dataDir }).catch((error) => {
      process.stdout.write('left: ' + readdirSync(dataDir).join(' '));
      throw error;
    });
    await node.stop();
    console.log('begun');`;
  const begin = [process.execPath, '--input-type=module', '-e', script];
  const [tight, roomy] = [on(40_000, ...begin), on(120_000, ...begin)];
  assert.match(tight.stderr, /DataDirError: .* lies on a disk that is full: make room/);
  assert.equal(tight.status, 1);
  assert.match(tight.stdout, /^left: (?:node\.lock)?$/, 'neither keys nor a genesis');
  assert.deepEqual([roomy.status, roomy.stdout], [0, 'begun\n'], roomy.stderr);
});
