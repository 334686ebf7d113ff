/** The cache of answers: keyed by known parameters only, bounded in bytes, and counted. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HttpNode } from '@netd/testkit/http-node';
import { byChain, byHeight, noStore, type CachePolicy } from './cache-policy.ts';
import { DocumentCache } from './document-cache.ts';
import { encodeContent, EncodedDocument } from './encoded-document.ts';

let node: HttpNode;
/** Number of rendered documents, each of which takes a snapshot. */
let made = 0;

before(async () => {
  node = await HttpNode.start();
  await Promise.all(Array.from({ length: 20 }, (_, i) => node.join(`agent-${i}`)));
  const { store, backgroundVerifier } = node.running.node;
  backgroundVerifier.stop();
  const snapshot = store.snapshot.bind(store);
  store.snapshot = () => {
    made++;
    return snapshot();
  };
});
after(() => node.stop());

async function madeBy(paths: string[], encoding = 'identity'): Promise<number> {
  const start = made;
  for (const path of paths) {
    const answer = await node.get(path, { 'accept-encoding': encoding });
    assert.equal(answer.status, 200, path);
  }
  return made - start;
}

describe('one document is made once at a height', () => {
  test('whatever unknown parameters its URL has', async () => {
    const paths = Array.from({ length: 50 }, (_, i) => `/v1/agent-directory?limit=1000&x=${i}`);
    assert.equal(await madeBy(paths), 1);
  });
  test('whatever the order and the spelling of its parameters', async () => {
    const paths = [
      '/v1/agents?limit=3',
      '/v1/agents?limit=%33',
      '/v1/%61gents?limit=3',
      '/v1/agents?limit=3&',
      '/v1/agents?&limit=3&limits=4',
    ];
    assert.equal(await madeBy(paths), 1);
    const filters = [
      '/v1/discovery?agentId=agent-1&limit=3&protocol=p',
      '/v1/discovery?protocol=p&limit=3&agentId=agent-1',
      '/v1/discovery?limit=3&agentId=agent%2D1&protocol=p',
    ];
    assert.equal(await madeBy(filters), 1);
  });
  test('whether its defaults are written out or not', async () => {
    assert.equal(await madeBy(['/v1/blocks', '/v1/blocks?limit=20', '/v1/blocks?a=b']), 1);
  });
  test('and again for other parameters', async () => {
    assert.equal(await madeBy(['/v1/agents?limit=5', '/v1/agents?limit=6', '/v1/agents']), 3);
  });
});

test('the bytes that are kept are counted', async () => {
  await node.join('counted');
  const { bytes } = await node.get('/v1/agents');
  await node.get('/v1/agents', { 'accept-encoding': 'br' });
  const { documents, held } = await figures();
  assert.equal(documents.get('latest'), 1, 'those of the height before are dropped');
  const latest = held.get('latest') ?? 0;
  assert.ok(latest > bytes.length && latest < 2 * bytes.length + 2_048, String(latest));
});

/** Returns the gauges of /metrics by cache. */
async function figures(): Promise<{ documents: Map<string, number>; held: Map<string, number> }> {
  const { text } = await node.get('/metrics');
  const read = (name: string): Map<string, number> =>
    new Map(
      [...text.matchAll(new RegExp(`^${name}\\{cache="(\\w+)"\\} (\\d+)$`, 'gm'))].map(
        ([, cache = '', value]) => [cache, Number(value)],
      ),
    );
  return { documents: read('netd_cached_documents'), held: read('netd_cached_bytes') };
}

describe('a cache of few bytes', () => {
  const MAX_BYTES = 64 * 1_024;
  const put = (cache: DocumentCache, url: string, policy: CachePolicy, height = 1): void => {
    cache.keep(url, height, {
      document: new EncodedDocument(encodeContent({ text: 'x'.repeat(8_000) })),
      policy,
    });
  };
  for (const policy of [byHeight, byChain]) {
    test(`never holds more: ${policy.keep}`, () => {
      const cache = new DocumentCache(MAX_BYTES);
      for (let i = 0; i < 1_000; i++) {
        put(cache, `/v1/agents?agentId=${i}`, policy);
        const { latest, lasting } = cache.figures();
        assert.ok(latest.bytes <= MAX_BYTES && lasting.bytes <= MAX_BYTES);
        assert.ok(latest.documents + lasting.documents <= 7);
      }
      assert.ok(cache.find('/v1/agents?agentId=999', 1), 'the newest is there');
      assert.equal(cache.find('/v1/agents?agentId=0', 1), undefined, 'the oldest is not');
    });
  }
  test('keeps what is read', () => {
    const cache = new DocumentCache(MAX_BYTES);
    put(cache, '/kept', byChain);
    for (let i = 0; i < 100; i++) {
      put(cache, `/${i}`, byChain);
      assert.ok(cache.find('/kept', i));
    }
  });
  test('counts the compressed forms too', async () => {
    const cache = new DocumentCache(MAX_BYTES);
    const document = new EncodedDocument(encodeContent({ text: 'x'.repeat(8_000) }));
    cache.keep('/', 1, { document, policy: byHeight });
    const { bytes } = cache.figures().latest;
    const { body } = await document.representationFor('gzip');
    cache.keep('/', 1, { document, policy: byHeight });
    assert.deepEqual(cache.figures().latest, { documents: 1, bytes: bytes + body.length });
  });
  test('answers for one height only, except with what lasts', () => {
    const cache = new DocumentCache(MAX_BYTES);
    put(cache, '/latest', byHeight, 5);
    put(cache, '/lasting', byChain, 5);
    put(cache, '/never', noStore, 5);
    const found = (height: number): boolean[] =>
      ['/latest', '/lasting', '/never'].map((url) => cache.find(url, height) !== undefined);
    assert.deepEqual(found(5), [true, true, false]);
    assert.deepEqual(found(6), [false, true, false]);
    // An answer that was still being compressed when the next block came.
    put(cache, '/other', byHeight, 6);
    put(cache, '/latest', byHeight, 5);
    assert.deepEqual(found(6), [false, true, false]);
    assert.deepEqual(found(5), [false, true, false]);
  });
});
