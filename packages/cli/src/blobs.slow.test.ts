import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Command } from './testing/command.ts';

interface Facts {
  url: string;
  httpsUrl: string | null;
  certificateFingerprint: string | null;
}

async function startBlobs(
  t: TestContext,
  home: string,
  more: string[] = [],
): Promise<[Command, Facts]> {
  const command = new Command(['blobs', '--port', '0', '--data-dir', 'store', ...more], home);
  t.after(() => command.child.kill('SIGKILL'));
  const file = join(home, 'store', 'blobs.json');
  while (!command.stdout.includes('Ctrl-C') || !existsSync(file)) {
    if (command.child.exitCode !== null) throw new Error(command.stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [command, JSON.parse(readFileSync(file, 'utf8')) as Facts];
}

test('netd blobs starts, says where, keeps others out, and stops', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'netd-blobs-cli-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));

  const help = await new Command(['blobs', '--help'], home).ended;
  assert.equal(help.code, 0, help.stderr);
  for (const option of ['--port', '--data-dir', '--node-url', '--bucket', '--max-mib']) {
    assert.ok(help.stdout.includes(option), option);
  }
  const unkeyed = await new Command(['blobs', '--bucket', 'https://s3.example/b'], home).ended;
  assert.deepEqual([unkeyed.code, unkeyed.stdout], [1, '']);
  assert.match(unkeyed.stderr, /^netd: --bucket needs NET_BLOBS_BUCKET_KEY_ID/m);

  const [first, facts] = await startBlobs(t, home);
  const health = await fetch(`${facts.url}/health`);
  assert.equal(health.status, 200);
  assert.equal(facts.httpsUrl, facts.url.replace('http:', 'https:'));
  assert.match(facts.certificateFingerprint ?? '', /^[a-f0-9]{64}$/);

  const second = await new Command(['blobs', '--port', '0', '--data-dir', 'store'], home).ended;
  assert.equal(second.code, 1);
  assert.match(second.stderr, /^netd: another netd \(process \d+ on \S+\) is running on /m);

  first.child.kill('SIGTERM');
  const { code, stderr } = await first.ended;
  assert.deepEqual([code, stderr.replaceAll(/^npm warn.*\n/gm, '')], [0, '']);
  assert.ok(!existsSync(join(home, 'store', 'blobs.json')));
  assert.ok(!existsSync(join(home, 'store', 'lock')));
});
