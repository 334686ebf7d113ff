/** Titles and pictures of pages, as sites read them that show a link. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { AgentKey, NetClient } from '@netd/sdk';
import { HttpNode } from '@netd/testkit/http-node';
import { withoutAdmissionTable } from '@netd/testkit/without-admission-table';
import { CardImages } from './card-images.ts';
import { svgOf } from './card.ts';

const MANIFEST = new URL('../../../explorer/dist/manifest.json', import.meta.url);
const skip = existsSync(MANIFEST) ? false : 'the explorer has not been built: npm run build';
const AGENTS = 24;
let node: HttpNode;

before(async () => {
  node = await HttpNode.start();
  const client = new NetClient({ url: node.url });
  for (let at = 0; at < AGENTS; at++) {
    await client.register({ actorId: `agent-${at}`, key: await AgentKey.generate() });
  }
  await withoutAdmissionTable(async () =>
    client.register(
      { actorId: 'hostile', key: await AgentKey.generate() },
      { description: '"><script>alert(1)</script> ❤️ \u202Eevil\uFE0F' },
    ),
  );
});
after(() => node.stop());

const page = async (path: string, host?: string): Promise<string> => {
  const { text } = await node.get(path, {
    accept: 'text/html',
    ...(host === undefined ? {} : { host }),
  });
  return text;
};

const imageOf = (html: string): string | undefined =>
  /property="og:image" content="([^"]+)"/.exec(html)?.[1];

/** Returns width and height from the header of a PNG. */
const sizeOf = (png: Buffer): [number, number] => {
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
};

describe('a link to a page', { skip }, () => {
  test('has a title, a description and a picture that exists', async () => {
    for (const [path, title] of [
      ['/', 'Agents hire agents.'],
      ['/agents/agent-1', 'agent-1 · Agent'],
      ['/blocks/3', '3 · Block'],
    ] as const) {
      const html = await page(path);
      assert.ok(html.includes(`property="og:title" content="${title}`), path);
      assert.match(html, /property="og:description" content="[^"]+"/);
      const image = imageOf(html) ?? '';
      assert.ok(image.startsWith(`${node.url}/explorer-cards/`), image);
      const answer = await fetch(image);
      assert.equal(answer.headers.get('content-type'), 'image/png');
      assert.deepEqual(sizeOf(Buffer.from(await answer.arrayBuffer())), [1_200, 630]);
    }
  });

  test('shows the same to sites that take any type, and programs learn what is missing', async () => {
    for (const [path, title] of [
      ['/', 'Agents hire agents.'],
      ['/agents/agent-1', 'agent-1 · Agent'],
    ] as const) {
      for (const headers of [{}, { accept: '*/*' }]) {
        const { status, text } = await node.get(path, headers);
        assert.equal(status, 200, path);
        assert.ok(text.includes(`property="og:title" content="${title}`), path);
      }
    }
    for (const path of ['/agents/absent', '/agents']) {
      assert.equal((await node.get(path, { accept: '*/*' })).body['code'], 'ROUTE_NOT_FOUND', path);
    }
  });

  test('leads to no host but those of the node', async () => {
    assert.equal(imageOf(await page('/', 'evil.example')), undefined);
    assert.equal(imageOf(await page('/', `127.0.0.1:${node.port + 1}`)), undefined);
    const local = `localhost:${node.port}`;
    assert.ok(imageOf(await page('/', local))?.startsWith(`http://${local}/`));
  });

  test('quotes no markup of strangers, and shows what they hide', async () => {
    const html = await page('/agents/hostile');
    assert.doesNotMatch(html, /<script>alert/);
    assert.match(html, /&quot;&gt;&lt;script&gt;alert.* ❤️ \\u202eevil\\ufe0f/);
  });

  test('has no picture if the record is missing', async () => {
    assert.equal(imageOf(await page('/agents/absent')), undefined);
    for (const path of ['agents/nobody', 'blocks/999999', 'nothing', '%00', 'work']) {
      assert.equal((await fetch(`${node.url}/explorer-cards/${path}.png`)).status, 404, path);
    }
  });
});

test('a request does not wait for pictures and pages requested before it', { skip }, async () => {
  const requests = 100;
  const floods = {
    pictures: (at: number) => `/explorer-cards/blocks/${at % AGENTS}.png`,
    pages: (at: number) => `/agents/agent-${at % AGENTS}?${at}`,
    'pages of nothing': (at: number) => `/work/none-${at}`,
  };
  for (const [kind, pathOf] of Object.entries(floods)) {
    const ahead = await answeredFirst({ url: node.url, requests, pathOf }, '/livez');
    assert.ok(ahead < requests / 2, `${ahead} ${kind} of ${requests} came first`);
  }
});

test('pages of an address do not wait for the pages of another', { skip }, async (t) => {
  const proxied = await HttpNode.start({ trustProxy: 1 });
  t.after(() => proxied.stop());
  const requests = 100;
  const pathOf = (at: number): string => `/agents?${at}`;
  const ahead = await answeredFirst({ url: proxied.url, requests, pathOf }, '/blocks');
  assert.ok(ahead < requests / 2, `${ahead} of ${requests} came first`);
});

interface Flood {
  url: string;
  requests: number;
  pathOf: (at: number) => string;
}

/** Floods from an address, and returns the number of its answers before that to another address. */
async function answeredFirst({ url, requests, pathOf }: Flood, path: string): Promise<number> {
  const many = new Agent({ keepAlive: true, maxFreeSockets: requests });
  const one = new Agent({ keepAlive: true });
  const ask = (from: string, at: string, agent: Agent): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { accept: 'text/html', 'x-forwarded-for': from };
      get(url + at, { agent, headers }, (answer) => {
        answer.resume().once('end', resolve).once('error', reject);
      }).once('error', reject);
    });
  // Open connections, so that the requests below arrive at once and in this order.
  const opened = Array.from({ length: requests }, () => ask('192.0.2.1', '/livez', many));
  await Promise.all([...opened, ask('192.0.2.2', '/livez', one)]);
  let answered = 0;
  const flood = Array.from({ length: requests }, async (_, at) => {
    await ask('192.0.2.1', pathOf(at), many);
    answered++;
  });
  await ask('192.0.2.2', path, one);
  const ahead = answered;
  await Promise.all(flood);
  many.destroy();
  one.destroy();
  return ahead;
}

test('a flood of pictures gets the static one, and other answers go on', { skip }, async (t) => {
  const over = new AbortController();
  const flood = Array.from({ length: AGENTS }, async (_, at) => {
    const answer = await fetch(`${node.url}/explorer-cards/agents/agent-${at}.png`);
    assert.equal(answer.status, 200);
    assert.deepEqual(sizeOf(Buffer.from(await answer.arrayBuffer())), [1_200, 630]);
    return answer.headers.get('cache-control') === 'no-store';
  });
  const polls: number[] = [];
  const poll = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const began = performance.now();
      assert.equal((await fetch(`${node.url}/livez`)).status, 200);
      polls.push(performance.now() - began);
    }
  };
  const polling = poll();
  const began = performance.now();
  const isStatic = await Promise.all(flood);
  const took = performance.now() - began;
  over.abort();
  await polling;
  const busy = isStatic.filter(Boolean).length;
  t.diagnostic(`${AGENTS - busy} drawn in ${Math.round(took)} ms, ${polls.length} polls`);
  t.diagnostic(`slowest poll ${Math.round(Math.max(...polls))} ms`);
  assert.ok(busy > 0 && busy < AGENTS, `${busy} of ${AGENTS} static`);
  assert.ok(polls.length > AGENTS - busy, 'pictures took longer than polls beside them');
});

test('a node that stops draws no pictures that wait for a turn', async () => {
  const images = new CardImages(false);
  const asked = ['a', 'b', 'c', 'd'].map((title) =>
    images.png(svgOf({ kind: 'Job', title, facts: [] }), title),
  );
  await images.close();
  const pictures = await Promise.all(asked);
  assert.deepEqual(
    pictures.map((png) => png !== null),
    [true, false, false, false],
  );
});
