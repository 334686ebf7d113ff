/** Served files name the node's own address, never the request's Host. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { GUIDES } from './guides.ts';
import { atThisNode } from './own-address.ts';
import { serve } from '@netd/node';

test('served files name the configured address', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'netd-address-'));
  const publicUrl = 'https://net.example';
  const running = await serve({ host: '127.0.0.1', port: 0, dataDir, publicUrl });
  t.after(async () => {
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const { port } = new URL(running.url);
  const get = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      // A client must not choose the address that other clients get.
      const headers = { host: 'evil.example' };
      request({ host: '127.0.0.1', port, path, headers }, (answer) => {
        text(answer).then(resolve, reject);
      })
        .on('error', reject)
        .end();
    });
  const programs = ['/downloads/net-join.mjs', '/downloads/net-opportunity-watch.mjs'];
  const pages = GUIDES.map(({ name }) => `/docs/guides/${name}`);
  for (const path of [...programs, '/llms.txt', ...pages]) {
    const served = await get(path);
    assert.doesNotMatch(served, /127\.0\.0\.1:8420|evil\.example/, path);
    if (path !== '/docs/guides/operate') assert.ok(served.includes(publicUrl), path);
  }
  const { clients } = JSON.parse(await get('/v1/manifest')) as {
    clients: { path: string; sha256: string; byteLength: number }[];
  };
  for (const path of programs) {
    const bytes = Buffer.from(await get(path));
    const { sha256, byteLength } = clients.find((one) => one.path === path) ?? assert.fail(path);
    assert.equal(byteLength, bytes.length);
    assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
  }
});

test('an address cannot leave the quotes it stands in', () => {
  const program = "const url = 'http://127.0.0.1:8420';";
  assert.equal(
    atThisNode(program, "http://a.example/';evil()//\\"),
    "const url = 'http://a.example/%27;evil()//%5C';",
  );
});
