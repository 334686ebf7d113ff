/** Serving the explorer to browsers, with a policy and immutable files. Skipped without a build. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { request } from 'node:http';
import { MADE_ON, VERSION } from '@netd/protocol/version';
import { HttpNode } from '@netd/testkit/http-node';
import { serveExplorer } from './explorer-server.ts';

const MANIFEST = new URL('../../../explorer/dist/manifest.json', import.meta.url);
const skip = existsSync(MANIFEST) ? false : 'the explorer has not been built: npm run build';
const HTML = { accept: 'text/html,application/xhtml+xml' };

interface Manifest {
  pages: string[];
  files: { path: string; sha256: string }[];
}
let node: HttpNode;
let manifest: Manifest;
before(async () => {
  node = await HttpNode.start();
  if (skip === false) manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest;
});
after(() => node.stop());

const ask = (path: string, headers: Record<string, string> = HTML) =>
  fetch(node.url + path, { headers });

/** Returns the page's policy by directive. */
async function policy(cookie?: string): Promise<Map<string, string>> {
  const { headers } = await ask('/', cookie === undefined ? HTML : { ...HTML, cookie });
  const text = headers.get('content-security-policy') ?? '';
  return new Map(text.split('; ').map((part) => [part.split(' ')[0] ?? '', part]));
}

test(
  'browsers get the page at / and at every path of a page, programs what they always got',
  { skip },
  async () => {
    // Only the front page has a picture for links. `cards.http.test.ts` tests it.
    const tags = /\n {4}<meta (?:property="og:|name="twitter:)[^>]*>/g;
    const page = (await (await ask('/')).text()).replaceAll(tags, '');
    assert.match(page, /<div id="root">/);
    for (const path of manifest.pages) {
      for (const at of [`/${path}`, `/${path}/x`, `/${path}/a%2Fb/c?tab=d/e`]) {
        const text = await (await ask(at)).text();
        // From any page, files and links resolve from the node's root.
        const base = /<base href="([./]+)"/.exec(text)?.[1] ?? '';
        assert.equal(new URL(base, `http://node.example/net${at}`).pathname, '/net/', at);
        assert.equal(text.replace(base, './'), page, at);
      }
    }
    assert.match(
      await (await ask('/', { accept: '*/*' })).text(),
      /A devnet for autonomous agents/,
    );
    const json = await ask('/agents/x', { accept: 'application/json' });
    assert.equal(json.status, 404);
    assert.equal(((await json.json()) as { code: string }).code, 'ROUTE_NOT_FOUND');
    assert.equal((await ask('/nowhere')).status, 404);
  },
);

test('the page of a missing record answers 404 and says so', { skip }, async () => {
  const paths = ['/agents/absent', '/work/nothing', '/tokens/tok-none', '/blocks/999999'];
  const governance = ['', '/proposals/none', '/contributions/none'].map(
    (path) => `/governance${path}`,
  );
  paths.push('/transitions/none', `/transitions/${'0'.repeat(64)}`, ...governance.slice(1));
  const beyond = [
    '/agents/operator/more',
    '/run/more',
    '/blocks/0/replay',
    '/governance/proposals/a/b',
  ];
  for (const path of [...paths, ...beyond, '/governance/nothing']) {
    const answer = await ask(path);
    assert.equal(answer.status, 404, path);
    assert.match(await answer.text(), /<div id="root">/);
  }
  for (const path of [
    '/agents',
    '/agents/operator',
    '/agents/%6Fperator/',
    '/blocks/0',
    '/wallet',
    '/work?phase=open',
    ...governance.slice(0, 1),
  ]) {
    assert.equal((await ask(path)).status, 200, path);
  }
});

test('a cached 404 is never confirmed, because the record may exist by now', { skip }, async () => {
  const statusOf = async (path: string, tag: string): Promise<number> =>
    (await ask(path, { ...HTML, 'if-none-match': tag })).status;
  const etag = (await ask('/agents/absent')).headers.get('etag') ?? '';
  assert.equal(await statusOf('/agents/absent', etag), 404);
  assert.equal(await statusOf('/agents/absent', '*'), 404);
  assert.equal(await statusOf('/agents', (await ask('/agents')).headers.get('etag') ?? ''), 304);
});

test('no page has the name of something in the interface', { skip }, async () => {
  const { paths } = (await (await ask('/openapi.json', {})).json()) as { paths: object };
  const taken = new Set(Object.keys(paths).map((path) => path.split('/')[1]));
  assert.deepEqual(
    [...manifest.pages, 'explorer'].filter((page) => taken.has(page)),
    [],
  );
});

test(
  'every file matches its name and the manifest in each encoding, and is immutable',
  { skip },
  async () => {
    for (const { path, sha256 } of manifest.files) {
      if (path === 'index.html') continue;
      const answer = await ask(`/${path}`, {});
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, path);
      // The header of this worker names the stores that its reader may contact now.
      const isRunner = path.includes('runner-worker');
      const cacheControl = answer.headers.get('cache-control') ?? '';
      assert.match(cacheControl, isRunner ? /private, no-cache/ : /immutable/);
      assert.match(path, /-[\w-]{8}\.\w+$/, 'a name without a hash cannot be kept');
      const packed = await raw(`/${path}`, 'br');
      assert.deepEqual(brotliDecompressSync(packed.body), bytes, path);
      assert.equal(packed.encoding, 'br');
      const etag = answer.headers.get('etag') ?? '';
      assert.equal((await ask(`/${path}`, { 'if-none-match': etag })).status, 304);
    }
  },
);

test('the wallet releases link to the build that is served, with its day', { skip }, async () => {
  const { links } = (await (await ask('/v1/wallet/releases', {})).json()) as {
    links: { served: string };
  };
  const { version, madeOn, files } = (await (await ask(links.served, {})).json()) as {
    version: string;
    madeOn: string;
    files: { path: string }[];
  };
  assert.deepEqual([version, madeOn], [VERSION, MADE_ON]);
  assert.ok(files.some(({ path }) => path.endsWith('.js')));
});

test('nothing but what was built is handed out', { skip }, async () => {
  for (const path of [
    '/explorer/nothing.js',
    '/explorer/%2e%2e/manifest.json',
    '/explorer/..%2f..%2fpackage.json',
    '/explorer/',
  ]) {
    assert.equal((await ask(path)).status, 404, path);
  }
});

test(
  'a page may connect only to its node and to the origins that its reader has named',
  { skip },
  async () => {
    const plain = await policy();
    assert.equal(plain.get('connect-src'), "connect-src 'self'");
    assert.equal(plain.get('script-src'), "script-src 'self'");
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(await (await ask('/')).text()) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    assert.equal(plain.get('style-src'), `style-src 'self' 'sha256-${hash}'`);
    assert.ok(style.includes('.topbar'), 'the styles of the shell');
    assert.ok(plain.has('require-trusted-types-for') && plain.has('frame-ancestors'));
    const name = (origins: unknown, headers: Record<string, string>) =>
      fetch(`${node.url}/explorer-origins`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ origins }),
      });
    const ofThePage = { 'sec-fetch-site': 'same-origin' };
    const named = await name(['https://a.example', 'http://127.0.0.1:8421'], ofThePage);
    const [cookie = '', ...attributes] = (named.headers.get('set-cookie') ?? '').split('; ');
    // A proxy may serve the node below a path, so the cookie has the folder of the page's address.
    assert.ok(!attributes.some((one) => one.startsWith('Path')));
    assert.equal(
      (await policy(`x=1; ${cookie}; y=2`)).get('connect-src'),
      "connect-src 'self' https://a.example http://127.0.0.1:8421",
    );
    // A server on another port of this host can write cookies, but not seal them.
    for (const forged of [
      'netd_origins=https%3A%2F%2Fa.example',
      `${cookie}%20https%3A%2F%2Fb.example`,
      cookie.replace(/=./, '=g'),
      'netd_origins=.',
      'netd_origins=%',
      // As many characters as a seal, but more bytes.
      `netd_origins=${'é'.repeat(32)}.`,
    ]) {
      assert.equal((await policy(forged)).get('connect-src'), "connect-src 'self'", forged);
    }
    for (const [origins, headers] of [
      [['https://a.example; script-src *'], ofThePage],
      [['*'], ofThePage],
      [['https:'], ofThePage],
      [['https://a.example/path'], ofThePage],
      [["'unsafe-inline'"], ofThePage],
      [['https://*.example'], ofThePage],
      [[7], ofThePage],
      ['https://a.example', ofThePage],
      [Array.from({ length: 9 }, (_, at) => `https://${at}.example`), ofThePage],
      [['https://a.example'], { 'sec-fetch-site': 'same-site', origin: node.url }],
      [['https://a.example'], { 'sec-fetch-site': 'cross-site' }],
      [['https://a.example'], { origin: 'http://127.0.0.1:1' }],
      [['https://a.example'], {}],
    ] as const) {
      const refused = await name(origins, headers);
      assert.equal(refused.status, 400, JSON.stringify([origins, headers]));
      assert.equal(refused.headers.get('set-cookie'), null);
    }
    assert.equal((await name(['https://a.example'], { origin: node.url })).status, 204);
    const { headers } = await ask('/', { ...HTML, cookie });
    assert.match(headers.get('cache-control') ?? '', /private/);
  },
);

/** Sends a request without fetch's decoding. */
function raw(
  path: string,
  encoding: string,
): Promise<{ body: Buffer; encoding: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(node.url + path, { headers: { 'accept-encoding': encoding } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ body: Buffer.concat(parts), encoding: response.headers['content-encoding'] }),
      );
    })
      .on('error', reject)
      .end();
  });
}

test(
  'a page served for a node below a path names it whole, and may ask its origin',
  { skip },
  async () => {
    const far = 'https://net.example/net';
    const { url, stop } = await serveExplorer(far, { host: '127.0.0.1', port: 0 });
    const other = await serveExplorer('https://other.example', { host: '127.0.0.1', port: 0 });
    try {
      const page = await fetch(`${url}/work/order-1`, { headers: HTML });
      const text = await page.text();
      assert.ok(text.includes(`<meta name="netd-node" content="${far}" />`));
      assert.ok(text.includes('<base href="../" />'));
      const csp = page.headers.get('content-security-policy') ?? '';
      assert.ok(csp.includes("connect-src 'self' https://net.example;"), csp);
      const workers = manifest.files.filter((file) => /worker-/.test(file.path));
      assert.ok(workers.length > 0);
      for (const { path } of workers) {
        const { headers } = await fetch(`${url}/${path}`);
        const allowed = headers.get('content-security-policy') ?? '';
        assert.ok(allowed.includes("connect-src 'self' https://net.example;"), path);
        // The next node that is shown at this address has the same script and another policy.
        assert.match(headers.get('cache-control') ?? '', /no-cache/, path);
        const again = { 'if-none-match': headers.get('etag') ?? '' };
        const fresh = await fetch(`${other.url}/${path}`, { headers: again });
        assert.equal(fresh.status, 304, path);
        assert.match(
          fresh.headers.get('content-security-policy') ?? '',
          /https:\/\/other\.example;/,
        );
      }
      const docs = await fetch(`${url}/docs`, { redirect: 'manual' });
      assert.equal(docs.headers.get('location'), `${far}/docs`);
    } finally {
      await Promise.all([stop(), other.stop()]);
    }
  },
);

test('only readers on this machine get the reason of a failed demo', async (t) => {
  const reason = '/home/ada/.netd/dev.json cannot be read';
  const demo = { start: () => false, progress: { state: 'failed', reason } } as const;
  const devnet = await HttpNode.start({ demo });
  t.after(() => devnet.stop());
  const told = async (more: Record<string, string>): Promise<unknown> => {
    const headers = { 'sec-fetch-site': 'same-origin', ...more };
    return (await fetch(`${devnet.url}/explorer-demo`, { headers })).json();
  };
  assert.deepEqual(await told({}), { state: 'failed', reason });
  assert.deepEqual(await told({ 'x-forwarded-for': '192.0.2.1' }), {
    state: 'failed',
    reason: 'the terminal of netd dev shows why',
  });
});
