/**
 * `netd explorer` serves this installation's page for another node. Each fault that prevents it has a
 * sentence.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve, type RunningNode } from '@netd/node';
import { boundPort } from './testing/bound-port.ts';
import { comes } from './testing/comes.ts';
import { Command } from './testing/command.ts';

const MANIFEST = new URL('../../explorer/dist/manifest.json', import.meta.url);
const skip = existsSync(MANIFEST) ? false : 'the explorer has not been built: npm run build';
const HTML = { accept: 'text/html' };
const home = mkdtempSync(join(tmpdir(), 'netd-explorer-command-'));
let node: RunningNode;

before(async () => {
  node = await serve({ host: '127.0.0.1', port: 0, dataDir: join(home, 'node'), blockTime: 1 });
});
after(async () => {
  await node.stop();
  rmSync(home, { recursive: true, force: true });
});

const explorer = (...args: string[]): Command =>
  new Command(['explorer', '--no-open', '--json', ...args], home);

test(
  'the page says which node it is for, and may ask that one and no other',
  { skip },
  async (t) => {
    const command = explorer('--url', node.url, '--port', '0');
    t.after(() => command.child.kill('SIGKILL'));
    const { url } = await comes(
      'the address',
      () => (command.stdout.includes('}') ? (JSON.parse(command.stdout) as { url: string }) : null),
      () => command.stderr,
    );
    const page = await fetch(url, { headers: HTML });
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, new RegExp(`connect-src 'self' ${node.url};`));
    assert.equal(page.headers.get('x-frame-options'), 'DENY');
    const text = await page.text();
    assert.ok(text.includes(`<meta name="netd-node" content="${node.url}" />`));
    // Except for this tag and those for links to a page, it serves the same files as the node.
    const linked = await (await fetch(node.url, { headers: HTML })).text();
    const own = linked.replaceAll(/\n {4}<meta (?:property="og:|name="twitter:)[^>]*>/g, '');
    assert.equal(text.replace(/\n {4}<meta name="netd-node"[^>]*>/, ''), own);
    const deeper = await (await fetch(`${url}/agents/x?tab=y`, { headers: HTML })).text();
    assert.equal(deeper.replace('<base href="../"', '<base href="./"'), text);
    const script = /src="\.(\/explorer\/[^"]+\.js)"/.exec(text)?.[1] ?? '';
    const served = await fetch(url + script);
    // Its policy names the node, and the next node may be another one.
    assert.match(served.headers.get('cache-control') ?? '', /no-cache/);
    assert.equal(await served.text(), await (await fetch(node.url + script)).text());
    // This server answers none of the node's paths.
    const docs = await fetch(`${url}/docs/errors`, { redirect: 'manual' });
    assert.deepEqual([docs.status, docs.headers.get('location')], [302, `${node.url}/docs/errors`]);
    for (const path of [
      '/nowhere',
      '/explorer/../manifest.json',
      '/explorer/%2e%2e/manifest.json',
    ]) {
      assert.equal((await fetch(url + path)).status, 404, path);
    }
    assert.equal((await fetch(`${url}/`, { method: 'POST', body: '{}' })).status, 405);
    command.child.kill('SIGINT');
    assert.equal((await command.ended).code, 0);
  },
);

test('what keeps it from being served is said in a sentence each', { skip }, async () => {
  const other = createServer((_request, response) => response.end('<h1>a shop</h1>'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const shop = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const taken = await boundPort(0);
  const cases: [args: string[], code: number, says: RegExp][] = [
    [['--url', shop], 1, /is no node/],
    [['--url', 'http://127.0.0.1:1'], 3, /no node answers at http:\/\/127\.0\.0\.1:1/],
    [['--url', `${node.url}/behind`], 1, /ROUTE_NOT_FOUND/],
    [['--url', node.url.replace('//', '//ada@')], 2, /without a name and password is needed/],
    [['--url', 'ftp://node.example'], 2, /An http or https address/],
    [['--url', node.url, '--port', String(taken.port)], 1, /is in use/],
    [['--url', node.url, '--port', '70000'], 2, /from 0 to 65535/],
  ];
  try {
    for (const [args, code, says] of cases) {
      const ended = await explorer(...args).ended;
      assert.match(ended.stdout + ended.stderr, says);
      assert.equal(ended.code, code, args.join(' '));
    }
  } finally {
    taken.close();
    other.close();
    other.closeAllConnections();
  }
});
