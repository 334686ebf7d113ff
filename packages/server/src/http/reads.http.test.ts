/** Reads: tags, encodings, caching, complete pages, and exact filters. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beaconOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { withoutAdmissionTable } from '@netd/testkit/without-admission-table';
import { assertProblem, HttpNode, textOf } from '@netd/testkit/http-node';

let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
  await node.join('first-agent');
  await Promise.all(
    Array.from({ length: 7 }, (_, i) =>
      node.join(`agent-${i}`, { referrerAgentId: 'first-agent' }),
    ),
  );
  await Promise.all(
    Array.from({ length: 7 }, (_, i) =>
      node.act(
        `agent-${i}`,
        'publishBeacon',
        beaconOf(`agent-${i}`, node.height, {
          capabilities: [i % 2 === 0 ? 'even' : 'odd', 'count'],
          protocols: [`p/${i % 3}`],
        }),
      ),
    ),
  );
});
after(() => node.stop());

const LONG = '/v1/agents';
const encodings = { br: brotliDecompressSync, gzip: gunzipSync };

describe('representations', () => {
  test('each encoding has a strong tag of its own', async () => {
    const plain = await node.get(LONG);
    const tags = new Set([plain.headers.etag]);
    for (const [encoding, unpack] of Object.entries(encodings)) {
      const packed = await node.get(LONG, { 'accept-encoding': encoding });
      assert.equal(packed.headers['content-encoding'], encoding);
      assert.equal(unpack(packed.bytes).toString(), plain.text);
      tags.add(packed.headers.etag);
    }
    assert.equal(tags.size, 3);
    for (const tag of tags) assert.match(String(tag), /^"[!#-~]+"$/);
  });
  for (const [header, expected] of [
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['GZIP', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0,gzip;q=0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.9', 'gzip'],
    ['deflate', undefined],
    ['zstd', undefined],
    ['', undefined],
    ['br;q=much', undefined],
    [',,;;q=', undefined],
  ] as const) {
    test(`Accept-Encoding "${header}" gets ${expected ?? 'the plain form'}`, async () => {
      // Repeat the request, because the second answer comes from the cache.
      for (let i = 0; i < 2; i++) {
        const answer = await node.get(LONG, { 'accept-encoding': header });
        assert.equal(answer.headers['content-encoding'], expected);
        assert.equal(answer.headers['vary'], 'Accept, Accept-Encoding, Origin');
        assert.equal(Number(answer.headers['content-length']), answer.bytes.length);
      }
    });
  }
  test('a short document is sent as it is', async () => {
    const { headers } = await node.get('/v1/accounts/first-agent', { 'accept-encoding': 'br' });
    assert.equal(headers['content-encoding'], undefined);
  });
});

describe('conditional reads', () => {
  test('a current tag gets 304 without a body, in each encoding', async () => {
    for (const encoding of ['identity', 'br', 'gzip']) {
      for (const path of [
        LONG,
        '/v1/token',
        '/v1/consensus/validator-set',
        '/docs/errors',
        '/downloads/net-join.mjs',
      ]) {
        const headers = { 'accept-encoding': encoding };
        const { etag = '' } = (await node.get(path, headers)).headers;
        for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, `"x" ,${etag} , "y"`, '*']) {
          for (const method of ['GET', 'HEAD']) {
            const answer = await node.request(method, path, {
              ...headers,
              'if-none-match': condition,
            });
            assert.equal(answer.status, 304, `${method} ${path} ${condition}`);
            assert.equal(answer.bytes.length, 0);
            assert.equal(answer.headers.etag, etag);
            assert.equal(answer.headers.vary, 'Accept, Accept-Encoding, Origin');
            assert.ok(answer.headers['cache-control']);
            assert.equal(answer.headers['content-type'], undefined);
          }
        }
      }
    }
  });
  test('a download comes in parts, and what is no part of it is refused', async () => {
    const path = '/downloads/net-join.mjs';
    const whole = await node.get(path);
    const length = whole.bytes.length;
    assert.equal(whole.headers['accept-ranges'], 'bytes');
    const etag = String(whole.headers.etag);
    // Repeat the request, because the second answer comes from the cache.
    for (const headers of [{}, { 'if-range': etag }]) {
      const rest = await node.get(path, { range: `bytes=${length - 5}-`, ...headers });
      assert.equal(rest.status, 206);
      assert.deepEqual(rest.bytes, whole.bytes.subarray(-5));
      assert.equal(rest.headers['content-range'], `bytes ${length - 5}-${length - 1}/${length}`);
      assert.equal(rest.headers.etag, etag);
    }
    const changed = await node.get(path, { range: 'bytes=1-', 'if-range': '"x"' });
    assert.deepEqual([changed.status, changed.bytes.length], [200, length]);
    const beyond = await node.get(path, { range: `bytes=${length}-` });
    assertProblem(beyond, 416, 'RANGE_NOT_SATISFIABLE');
    assert.equal(beyond.headers['content-range'], `bytes */${length}`);
    const document = await node.get('/v1/token', { range: 'bytes=0-1' });
    assert.deepEqual([document.status, document.headers['accept-ranges']], [200, undefined]);
  });
  test('a name without the version leads to the one with it', async () => {
    const stable = await node.get('/downloads/net-sdk.tgz');
    assert.equal(stable.status, 302);
    assert.match(String(stable.headers.location), /^net-sdk-\d+\.\d+\.\d+\.tgz$/);
  });
  test('If-Match holds for the current one in its encoding, or nothing is sent', async () => {
    const { etag = '' } = (await node.get(LONG)).headers;
    const { etag: packed = '' } = (await node.get(LONG, { 'accept-encoding': 'br' })).headers;
    for (const condition of [etag, '*', `"x", ${etag}`]) {
      const answer = await node.get(LONG, { 'if-match': condition });
      assert.equal(answer.status, 200, condition);
    }
    for (const condition of ['"x"', `W/${etag}`, packed, '']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await node.request(method, LONG, { 'if-match': condition });
        assert.equal(answer.status, 412, `${method} ${condition}`);
        if (method === 'GET') assertProblem(answer, 412, 'PRECONDITION_FAILED');
      }
    }
    const state = node.state();
    const write = await node.post('/v1/agents/register', node.registration('conditional'), {
      'if-match': etag,
    });
    assertProblem(write, 412, 'PRECONDITION_FAILED');
    assert.deepEqual(node.state(), state);
  });
  test('another tag, or that of another encoding, gets the whole document', async () => {
    const { etag = '' } = (await node.get(LONG)).headers;
    for (const condition of ['"x"', 'x', etag.slice(1, -1), '', `${etag.slice(0, -1)}-br"`]) {
      const answer = await node.get(LONG, { 'if-none-match': condition });
      assert.equal(answer.status, 200, condition);
      assert.ok(answer.bytes.length > 0);
    }
  });
  test('a new block makes a new tag if the document changed', async () => {
    const { etag = '' } = (await node.get(LONG)).headers;
    await node.join('one-more');
    const answer = await node.get(LONG, { 'if-none-match': etag });
    assert.equal(answer.status, 200);
    assert.notEqual(answer.headers.etag, etag);
  });
  test('a problem is never answered with 304', async () => {
    assert.equal((await node.get('/v1/agents/nobody', { 'if-none-match': '*' })).status, 404);
  });
});

describe('caching', () => {
  test('content-addressed documents are immutable', async () => {
    const latest = await node.document('/v1/consensus/certificates/latest');
    const checkpoint = await node.document('/v1/state/checkpoint');
    const { transitionHash } = await node.join('cached');
    for (const path of [
      `/v1/consensus/certificates/${textOf(latest, 'certificateHash')}`,
      `/v1/state/chunks/0?checkpoint=${textOf(checkpoint, 'checkpointHash')}`,
      `/v1/transitions/${transitionHash}`,
    ]) {
      const { headers } = await node.get(path);
      assert.match(String(headers['cache-control']), /immutable/, path);
      assert.match(String(headers['cache-control']), /max-age=31536000/, path);
      assert.ok(headers.etag);
    }
  });
  test('documents that follow the chain must be revalidated', async () => {
    for (const path of [
      LONG,
      '/v1/token',
      '/v1/blocks',
      '/v1/blocks/0',
      '/v1/events',
      '/v1/genesis',
    ]) {
      const { headers } = await node.get(path);
      assert.equal(headers['cache-control'], 'public, no-cache', path);
      assert.ok(headers.etag, path);
    }
  });
  test('facts of the moment, answers to writes and problems are not stored', async () => {
    for (const path of [
      '/health',
      '/livez',
      '/readyz',
      '/metrics',
      '/v1/network',
      '/v1/chain/verify',
      '/nowhere',
      '/v1/agents/nobody',
      '/v1/agents?limit=0',
    ]) {
      assert.equal((await node.get(path)).headers['cache-control'], 'no-store', path);
    }
    const { headers } = await node.post('/v1/agents/register', node.registration('uncached'));
    assert.equal(headers['cache-control'], 'no-store');
  });
  test('a write is seen by the very next read', async () => {
    for (let i = 0; i < 20; i++) {
      await node.get('/v1/agents?limit=1');
      await node.join(`seen-${i}`);
      const { agents } = await node.document('/v1/agents?limit=1');
      assert.equal((agents as JsonObject[])[0]?.['agentId'], `seen-${i}`);
    }
  });
  test('documents at one height are the same bytes, and name that height', async () => {
    const paths = [
      '/v1/agents',
      '/v1/token',
      '/v1/discovery',
      '/v1/referrals',
      '/v1/events',
      '/v1/agents/agent-1',
      '/v1/accounts/agent-1',
    ];
    for (const path of paths) {
      const [first, second] = [
        await node.get(path, { host: 'a.example' }),
        await node.get(path, { host: 'b.example', 'x-forwarded-host': 'c.example' }),
      ];
      assert.equal(first.text, second.text, path);
      assert.equal(first.body['height'], node.height, path);
      assert.equal(first.body['chainId'], 'net-http-test');
      assert.ok(!first.text.includes('127.0.0.1'), `${path} depends on an address`);
      const { snapshot } = first.body as { snapshot?: JsonObject };
      if (!snapshot) continue;
      const latest = await node.document('/v1/consensus/certificates/latest');
      for (const name of ['height', 'stateRoot', 'blockHash', 'certificateHash']) {
        assert.equal(snapshot[name], latest[name], `${name} of ${path}`);
      }
    }
  });
});

describe('pages', () => {
  const walks: {
    list: string;
    path: string;
    items: string;
    id: (item: JsonObject) => string;
    add: (i: number) => Promise<unknown>;
  }[] = [
    {
      list: 'agents',
      path: '/v1/agents',
      items: 'agents',
      id: (item) => textOf(item, 'agentId'),
      add: (i) => node.join(`late-a-${i}`),
    },
    {
      list: 'blocks',
      path: '/v1/blocks',
      items: 'blocks',
      id: (item) => textOf(item, 'height'),
      add: (i) => node.join(`late-b-${i}`),
    },
    {
      list: 'referrals',
      path: '/v1/referrals',
      items: 'referrals',
      id: (item) => textOf(item, 'agentId'),
      add: (i) => node.join(`late-c-${i}`, { referrerAgentId: 'first-agent' }),
    },
    {
      list: 'referrals of one agent',
      path: '/v1/referrals?referrer=first-agent',
      items: 'referrals',
      id: (item) => textOf(item, 'agentId'),
      add: (i) => node.join(`late-d-${i}`, { referrerAgentId: 'first-agent' }),
    },
    {
      list: 'discovery',
      path: '/v1/discovery',
      items: 'beacons',
      id: (item) => textOf(item, 'agentId'),
      add: async (i) => {
        await node.join(`late-e-${i}`);
        await node.act(`late-e-${i}`, 'publishBeacon', beaconOf(`late-e-${i}`, node.height));
      },
    },
    {
      list: 'discovery by two filters',
      path: '/v1/discovery?capability=count&protocol=p/1',
      items: 'beacons',
      id: (item) => textOf(item, 'agentId'),
      add: (i) => node.join(`late-f-${i}`),
    },
  ];
  for (const { list, path, items, id, add } of walks) {
    const most = list === 'blocks' ? 100 : 1_000;
    for (const limit of [1, 3, most]) {
      test(`${list}, ${limit} at a time: nothing is lost or twice while blocks come in`, async () => {
        const join = path.includes('?') ? '&' : '?';
        const expected: string[] = [];
        let from: string | null = '';
        // First read everything in pages of the largest size.
        while (from !== null) {
          const page = await node.document(
            `${path}${join}limit=${most}${from ? `&cursor=${from}` : ''}`,
          );
          expected.push(...(page[items] as JsonObject[]).map(id));
          from = page['nextCursor'] as string | null;
        }
        assert.ok(expected.length > 1);
        const seen: string[] = [];
        let cursor: string | null = null;
        let pages = 0;
        do {
          const page: JsonObject = await node.document(
            `${path}${join}limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
          );
          const found = (page[items] as JsonObject[]).map(id);
          assert.ok(found.length <= limit);
          seen.push(...found);
          cursor = page['nextCursor'] as string | null;
          if (pages++ % 4 === 0) await add(1_000 * limit + pages);
          assert.ok(pages < 500, 'the list has no end');
        } while (cursor !== null);
        assert.deepEqual(seen, expected);
      });
    }
  }

  test('events, any number at a time, come in order and all of them', async () => {
    const all = (await node.document('/v1/events?limit=1000'))['events'] as JsonObject[];
    assert.ok(all.length > 10);
    for (const [limit, events] of [
      [1, all.slice(0, 12)],
      [3, all],
    ] as const) {
      const seen: JsonObject[] = [];
      let next = '';
      while (seen.length < events.length) {
        const page = await node.document(`/v1/events?limit=${limit}${next}`);
        const found = page['events'] as JsonObject[];
        assert.equal(found.length, Math.min(limit, all.length - seen.length));
        seen.push(...found);
        assert.equal(page['next'], found.at(-1)?.['id']);
        assert.equal(page['more'], seen.length < all.length);
        next = `&after=${textOf(page, 'next')}`;
      }
      assert.deepEqual(seen, events);
    }
  });

  test('a cursor fits its own list and filters only', async () => {
    const cursorOf = async (path: string): Promise<string> =>
      textOf(await node.document(path), 'nextCursor');
    const agents = await cursorOf('/v1/agents?limit=1');
    const even = await cursorOf('/v1/discovery?capability=even&limit=1');
    const wrong = [
      ['/v1/blocks', agents],
      ['/v1/referrals', agents],
      ['/v1/agents', even],
      ['/v1/discovery', even],
      ['/v1/discovery?capability=odd', even],
      ['/v1/discovery?capability=even&protocol=p/0', even],
      ['/v1/referrals?referrer=first-agent', await cursorOf('/v1/referrals?limit=1')],
      ...[
        '',
        'x',
        'null',
        '0',
        'AAAA',
        agents.slice(0, -1),
        agents.slice(1),
        `${agents}A`,
        `${agents}=`,
        `${agents}%20`,
        `%0A${agents}`,
        agents.toUpperCase(),
        '%F0%9F%A6%8A',
        'A'.repeat(200),
      ].map((cursor) => ['/v1/agents', cursor] as const),
      ['/v1/agents', Buffer.from('1.0000000000000000.5').toString('base64url')],
    ] as const;
    for (const [path, cursor] of wrong) {
      const answer = await node.get(`${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`);
      const { errors } = assertProblem(answer, 400, 'CURSOR_INVALID');
      assert.equal(errors?.[0]?.path, '/query/cursor');
    }
    assert.equal(
      (await node.get(`/v1/discovery?capability=even&cursor=${even}&limit=5`)).status,
      200,
    );
  });
});

describe('filters', () => {
  const agentsOf = async (query: string): Promise<string[]> =>
    ((await node.document(`/v1/discovery?${query}`))['beacons'] as JsonObject[]).map((beacon) =>
      textOf(beacon, 'agentId'),
    );
  test('find what fits all of them', async () => {
    assert.deepEqual(await agentsOf('capability=odd'), ['agent-5', 'agent-3', 'agent-1']);
    assert.deepEqual(await agentsOf('protocol=p/0'), ['agent-6', 'agent-3', 'agent-0']);
    assert.deepEqual(await agentsOf('capability=odd&protocol=p/0'), ['agent-3']);
    assert.deepEqual(await agentsOf('agentId=agent-3&capability=odd&protocol=p/0'), ['agent-3']);
    assert.deepEqual(await agentsOf('agentId=agent-3&capability=even'), []);
  });
  test('that match no agent get an empty list', async () => {
    const strange = [
      'nobody',
      'ODD',
      'od',
      'odd%20',
      '__proto__',
      'constructor',
      '',
      '%00',
      '%F0%9F%A6%8A',
      '%2F',
      "'",
      'x'.repeat(64),
    ];
    for (const value of strange) {
      for (const name of ['agentId', 'capability', 'protocol']) {
        assert.deepEqual(await agentsOf(`${name}=${value}`), [], `${name}=${value}`);
      }
      const { referrals } = await node.document(`/v1/referrals?referrer=${value}`);
      assert.deepEqual(referrals, []);
      for (const name of ['agent', 'order']) {
        const { events } = await node.document(`/v1/events?${name}=${value}`);
        assert.deepEqual(events, [], `${name}=${value}`);
      }
      const unknown = await node.get(`/v1/events?type=${value}`);
      assertProblem(unknown, 400, 'PARAMETER_INVALID');
    }
  });
  test('work for words of any language', async () => {
    await node.join('polyglot');
    const capabilities = [
      'übersetzen',
      '翻訳',
      '🦊'.repeat(128),
      'a b',
      'Two  Words_',
      '_',
      'x\u{0}y',
      '%',
      '__proto__',
    ];
    // Beacons of older builds may hold invisible characters.
    await withoutAdmissionTable(() =>
      node.act('polyglot', 'publishBeacon', beaconOf('polyglot', node.height, { capabilities })),
    );
    for (const capability of capabilities) {
      assert.deepEqual(await agentsOf(`capability=${encodeURIComponent(capability)}`), [
        'polyglot',
      ]);
    }
    // Only the exact word matches. The directory finds similar ones.
    for (const other of ['two-words', 'A B', '-', '']) {
      assert.deepEqual(await agentsOf(`capability=${encodeURIComponent(other)}`), [], other);
    }
  });
  test('know what a document says of each agent', async () => {
    const { agents, total, active } = (await node.document('/v1/agents?limit=1000')) as {
      agents: JsonObject[];
      total: number;
      active: number;
    };
    assert.equal(agents.length, total);
    assert.equal(agents.filter(({ status }) => status === 'active').length, active);
    for (const agent of agents) {
      const { links } = agent as { links: { self: string } };
      const document = await node.document(links.self);
      assert.deepEqual(document['agent'], agent);
      for (const link of Object.values(document['links'] as Record<string, string>)) {
        assert.equal((await node.get(link)).status, 200, link);
      }
    }
  });
});

describe('beacons leave discovery', () => {
  const found = async (agentId: string): Promise<number> =>
    ((await node.document(`/v1/discovery?agentId=${agentId}`))['beacons'] as unknown[]).length;
  const statusOf = async (agentId: string): Promise<unknown> =>
    ((await node.document(`/v1/agents/${agentId}`))['agent'] as JsonObject)['beacon'];
  test('after the last height at which they are current', async () => {
    await node.join('brief');
    // Published in the next block, current in the two after it.
    const last = node.height + 3;
    await node.act('brief', 'publishBeacon', beaconOf('brief', 0, { expiresAtHeight: last }));
    // The block of the expiry comes without a write, so judge each answer by its own height.
    let height = 0;
    while (height <= last) {
      const { beacons, ...list } = await node.document('/v1/discovery?agentId=brief');
      assert.equal((beacons as unknown[]).length, Number(list['height']) <= last ? 1 : 0);
      const document = await node.document('/v1/agents/brief');
      height = Number(document['height']);
      const { beacon } = document['agent'] as JsonObject;
      assert.equal(beacon, height <= last ? 'current' : 'expired');
      if (height < last) await node.join(`filler-${height}`);
    }
    assert.equal(await found('brief'), 0);
    assert.equal(await statusOf('brief'), 'expired');
  });
  test('when they are withdrawn, and come back with a higher sequence', async () => {
    await node.join('shy');
    await node.act('shy', 'publishBeacon', beaconOf('shy', node.height));
    assert.equal(await found('shy'), 1);
    await node.act('shy', 'withdrawBeacon', { agentId: 'shy' });
    assert.equal(await found('shy'), 0);
    assert.equal(await statusOf('shy'), 'none');
    await node.act('shy', 'publishBeacon', beaconOf('shy', node.height, { sequence: 2 }));
    assert.equal(await found('shy'), 1);
  });
  test('while their agent is suspended', async () => {
    await node.join('naughty');
    await node.act('naughty', 'publishBeacon', beaconOf('naughty', node.height));
    await node.act('operator', 'setAgentStatus', { agentId: 'naughty', status: 'suspended' });
    assert.equal(await found('naughty'), 0);
    assert.deepEqual(
      ((await node.document('/v1/discovery?limit=1000'))['beacons'] as JsonObject[]).filter(
        ({ agentId }) => agentId === 'naughty',
      ),
      [],
    );
    await node.act('operator', 'setAgentStatus', { agentId: 'naughty', status: 'active' });
    assert.equal(await found('naughty'), 1);
  });
  test('with the words of the last one only', async () => {
    await node.join('changing');
    await node.act(
      'changing',
      'publishBeacon',
      beaconOf('changing', node.height, { capabilities: ['before'] }),
    );
    await node.act(
      'changing',
      'publishBeacon',
      beaconOf('changing', node.height, { capabilities: ['after'], sequence: 7 }),
    );
    assert.deepEqual((await node.document('/v1/discovery?capability=before'))['beacons'], []);
    assert.equal(
      ((await node.document('/v1/discovery?capability=after'))['beacons'] as unknown[]).length,
      1,
    );
    assert.equal(await found('changing'), 1);
  });
});
