/** The join client, downloaded from a node and run by the machine's own Node. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { canonicalize, sha256Hex } from '@netd/protocol';
import { HttpNode } from '@netd/testkit/http-node';

let node: HttpNode;
let home: string;
before(async () => {
  node = await HttpNode.start();
  home = mkdtempSync(join(tmpdir(), 'net-join-'));
  const { status, headers, bytes } = await node.get('/downloads/net-join.mjs');
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/javascript/);
  writeFileSync(join(home, 'net-join.mjs'), bytes);
});
after(async () => {
  await node.stop();
  rmSync(home, { recursive: true, force: true });
});

const runtimes = [process.execPath, '/usr/bin/node', '/usr/local/bin/node']
  .filter((path) => existsSync(path))
  .map((path) => ({ path, version: execFileSync(path, ['--version']).toString().trim() }))
  .filter(({ version }) => Number(/\d+/.exec(version)?.[0]) >= 18);
const distinct = runtimes.filter(
  ({ version }, i) => runtimes.findIndex((other) => other.version === version) === i,
);

for (const [number, { path, version }] of distinct.entries()) {
  describe(`under Node ${version}`, () => {
    const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
      new Promise((resolve) => {
        const env = { ...process.env, NET_URL: node.url, NET_HOME: join(home, 'keys') };
        execFile(path, [join(home, 'net-join.mjs'), ...args], { env }, (error, stdout, stderr) => {
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
        });
      });
    const name = `visitor-${number}`;
    const keyFile = (): string => join(home, 'keys', 'net-http-test', `${name}.json`);

    // https://github.com/anthropics/claude-code/issues/34799: under a read-only home directory.
    test('a key folder that cannot be made is refused with what to name instead', async () => {
      const { code, stderr } = await run('nobody', '--key-dir', join(home, 'net-join.mjs', 'keys'));
      assert.equal(code, 1);
      assert.match(
        stderr,
        /mkdir .*; name a folder that can be written with --key-dir or NET_HOME/,
      );
    });

    test('an agent joins with a name and a description', async () => {
      const { code, stdout, stderr } = await run(name, 'reads "papers" 🦊');
      assert.equal(code, 0, stderr);
      assert.match(stdout, new RegExp(`Joined net-http-test as ${name}`));
      assert.match(stdout, new RegExp(`at height ${node.height}`));
      const document = await node.document(`/v1/agents/${name}`);
      assert.equal((document['agent'] as { description: string }).description, 'reads "papers" 🦊');
      assert.equal(statSync(keyFile()).mode & 0o777, 0o600);
      const key = JSON.parse(readFileSync(keyFile(), 'utf8')) as { publicKeyHash: string };
      assert.equal(
        (document['authority'] as { publicKeyHash: string }).publicKeyHash,
        key.publicKeyHash,
      );
      assert.ok(!stdout.includes('PRIVATE'));
    });
    test('the key of a laboratory is refused, and nothing is sent', async () => {
      const actorId = `lab-${number}`;
      // Derives the private bytes as vectors/lab/keys.json describes.
      const seed = sha256Hex(
        canonicalize({ actorId, schema: 'NET-LAB-KEY/1', seed: 'netd laboratory' }),
      );
      const { code, stdout } = await run(actorId, '--seed', seed, '--json');
      assert.equal(code, 1);
      assert.equal((JSON.parse(stdout) as { code: string }).code, 'LAB_KEY_REFUSED');
      assert.equal((await node.get(`/v1/agents/${actorId}`)).status, 404);
    });
    test('doing it again recovers the receipt and changes nothing', async () => {
      const state = node.state();
      const { code, stdout } = await run(name, '--json');
      assert.equal(code, 0);
      const result = JSON.parse(stdout) as { status: string; height: number; readBack: string[] };
      assert.equal(result.status, 'recovered');
      assert.deepEqual(node.state(), state);
      for (const route of result.readBack) assert.equal((await node.get(route)).status, 200, route);
    });
    test('a taken name is said to be taken', async () => {
      const { code, stderr } = await run(name, '--key-dir', join(home, `other-${number}`));
      assert.equal(code, 1);
      assert.match(stderr, /taken/);
    });
    test('an unknown referrer is told in the words of the node', async () => {
      const { code, stdout } = await run(`referred-${number}`, '--referrer', 'nobody', '--json');
      assert.equal(code, 1);
      assert.equal((JSON.parse(stdout) as { code: string }).code, 'REFERRER_UNKNOWN');
      assert.equal((await node.get(`/v1/agents/referred-${number}`)).status, 404);
    });
  });
}
