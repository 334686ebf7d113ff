/** A node behind a proxy that serves it below a path. The node's links stay below that path. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '@netd/protocol';
import { HttpNode } from '@netd/testkit/http-node';
import { linkTo } from '../own-address.ts';
import { pathToRoot } from './request-head.ts';

const PUBLIC_URL = 'https://net.example/net';
const HTML = { accept: 'text/html' };
let node: HttpNode;
before(async () => {
  node = await HttpNode.start({ publicUrl: `${PUBLIC_URL}/` });
});
after(() => node.stop());

/** Resolves the links of a page as browsers do, on the node's own port and behind the proxy. */
function assertLinksStay(path: string, text: string): void {
  const links = [...text.matchAll(/ (?:href|src|data-search)="([^"#:]*)["#]/g)].map(
    ([, link = '']) => link,
  );
  assert.ok(links.length > 3, path);
  for (const root of [`${node.url}/`, `${PUBLIC_URL}/`]) {
    for (const link of links.filter((one) => one !== '')) {
      const { href } = new URL(link, root + path.slice(1));
      assert.ok(href.startsWith(root), `${link} of ${path} leads to ${href}`);
    }
  }
}

describe('a node below a path', () => {
  test('serves pages whose links stay below it', async () => {
    for (const path of ['/docs', '/docs/', '/docs/guides/hire']) {
      const { status, text } = await node.get(path, HTML);
      assert.equal(status, 200, path);
      assertLinksStay(path, text);
    }
    assertLinksStay('/', (await node.get('/')).text);
    const missing = await node.get('/nowhere/at/all', HTML);
    assert.equal(missing.status, 404);
    const [docs] = /(?<=<a href=")[^"]+/.exec(missing.text) ?? [];
    assert.equal(docs, '../../docs');
  });

  test('names whole addresses in headers, in its description and in cards', async () => {
    const joined = await node.post('/v1/agents/register', node.registration('alice'));
    assert.equal(joined.headers.location, `${PUBLIC_URL}/v1/agents/alice`);
    const { headers } = await node.get('/');
    assert.match(String(headers['link']), /<https:\/\/net\.example\/net\/docs>; rel="service-doc"/);
    assert.equal((await node.get('/v1')).headers.location, `${PUBLIC_URL}/v1/manifest`);
    const guide = await node.get('/docs/guides/hire', HTML);
    assert.match(
      String(guide.headers['link']),
      /<https:\/\/net\.example\/net\/docs\/guides\/hire\.md>/,
    );
    for (const path of ['/openapi.json', '/openapi.json?tag=work']) {
      const { servers } = (await node.get(path)).body as { servers: JsonObject[] };
      assert.deepEqual(servers, [{ description: 'This node', url: PUBLIC_URL }]);
    }
    const card = (await node.get('/.well-known/agent-card.json')).body;
    assert.ok(JSON.stringify(card).includes(`"url":"${PUBLIC_URL}/a2a`));
    assert.match((await node.get('/llms.txt')).text, /NET_URL=https:\/\/net\.example\/net /);
  });
});

test('a public URL without a path leaves links as they are', () => {
  for (const url of ['http://127.0.0.1:8420', 'https://net.example']) {
    assert.equal(linkTo(url, '/v1/manifest'), '/v1/manifest');
  }
});

test('a query has no part in the path to the root', () => {
  assert.equal(pathToRoot('/?next=/a/b'), './');
  assert.equal(pathToRoot('/work/order-1?tab=a/b'), '../');
});
