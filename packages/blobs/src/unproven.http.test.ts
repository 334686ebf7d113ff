/**
 * Names without paid or funded work share a part of a store, and their blobs without a live record go after a
 * day.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { canonicalize, sha256Hex, utf8Bytes } from '@netd/protocol';
import { beaconOf, intentOf, signEnvelope, testKey } from '@netd/protocol/testing';
import { Catalogue, type DueBlob } from './catalogue.ts';
import { Expiry } from './expiry.ts';
import { limitsFrom } from './limits.ts';
import type { BlobService } from './service.ts';
import { assertRefused, BlobFloor, freshNonce, signerOf } from './testing/blob-floor.ts';
import { NodeWorkDirectory } from './work-directory.ts';

const KIB = 1_024;
const DAY = 86_400_000;
const limits = limitsFrom({ storageBytes: 160 * KIB, unprovenBytesOfAgent: 24 * KIB });

async function openCatalogue(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'netd-catalogue-'));
  let catalogue = Catalogue.open(home, limits);
  t.after(async () => {
    await catalogue.close();
    rmSync(home, { recursive: true, force: true });
  });
  const signature = () => ({ keyId: 'x', nonce: randomUUID(), expires: 4_000_000_000 });
  return {
    get: () => catalogue,
    restart: async () => {
      await catalogue.close();
      catalogue = Catalogue.open(home, limits);
    },
    signature,
    put: async (agentId: string, hash: string, isUnproven = true, now = 0) => {
      const upload = { id: randomUUID(), hash, agentId, byteLength: 8 * KIB, isUnproven };
      const reserved = await catalogue.reserve(upload, now);
      if (reserved !== 'reserved') return reserved;
      return catalogue.commit(upload, signature(), now);
    },
  };
}

const bytesOf = (catalogue: Catalogue, ...names: string[]) =>
  [undefined, ...names].map((name) => catalogue.unprovenBytes(name) / KIB);

describe('the room of names without work', () => {
  it('is a part for each name, and a quarter for all of them', async (t) => {
    const { get, put } = await openCatalogue(t);
    for (const hash of ['1', '2', '3']) assert.equal(await put('eve', hash), 'created');
    assert.equal(await put('eve', '4'), 'unproven-full', 'the name has its part');
    for (const hash of ['5', '6']) assert.equal(await put('mallory', hash), 'created');
    assert.equal(await put('trudy', '7'), 'unproven-full', 'all of them have theirs');
    for (let i = 0; i < 15; i++) {
      assert.equal(
        await put('ada', `paid-${i}`, false),
        'created',
        'a name with work has the rest',
      );
    }
    assert.equal(await put('ada', 'paid-15', false), 'full');
    assert.deepEqual(bytesOf(get(), 'eve', 'mallory', 'ada'), [40, 24, 16, 0]);
  });

  it('is counted once for a blob that several names hold, for the first of them that is left', async (t) => {
    const { get, put, signature } = await openCatalogue(t);
    await put('eve', '1');
    assert.equal(await put('mallory', '1'), 'held');
    assert.deepEqual(bytesOf(get(), 'eve', 'mallory'), [8, 8, 0]);
    await get().drop({ id: 'a', hash: '1', agentId: 'eve' }, signature(), 0);
    assert.deepEqual(bytesOf(get(), 'eve', 'mallory'), [8, 0, 8]);
    assert.equal(await put('ada', '1', false), 'held');
    assert.deepEqual(bytesOf(get(), 'eve', 'mallory'), [0, 0, 0], 'a name with work holds it');
  });

  it('is free again once the name has work', async (t) => {
    const { get, put } = await openCatalogue(t);
    for (const hash of ['1', '2', '3']) await put('eve', hash);
    assert.equal(await put('eve', '4', false), 'created');
    assert.deepEqual(bytesOf(get(), 'eve'), [0, 0]);
    assert.deepEqual(get().due(2 * DAY, 10), []);
  });

  it('agrees with the stored blobs after a crash in an upload', async (t) => {
    const { get, put, restart } = await openCatalogue(t);
    await put('eve', '1');
    const upload = { id: 'cut', hash: '2', agentId: 'eve', byteLength: KIB, isUnproven: true };
    assert.equal(await get().reserve(upload, 0), 'reserved');
    assert.deepEqual(bytesOf(get(), 'eve'), [12, 12]);
    await restart();
    for (const { id } of get().pending()) await get().release(id);
    assert.deepEqual(bytesOf(get(), 'eve'), [8, 8]);
  });
});

describe('a due blob', () => {
  it('is not removed if it was sent again, or has another holder, since', async (t) => {
    const { get, put, signature } = await openCatalogue(t);
    await put('eve', '1');
    await put('eve', '2');
    const [first, second] = get().due(2 * DAY, 10);
    assert.ok(first && second);
    await get().renew('1', signature(), 5);
    await put('mallory', '2', true, 5);
    assert.equal(await get().expire(first, 'a', 2 * DAY), false);
    assert.equal(await get().expire(second, 'b', 2 * DAY), false);
    const [again] = get().due(2 * DAY, 10);
    assert.ok(again);
    assert.equal(await get().expire(again, 'c', 2 * DAY), true);
    assert.equal(get().blob(again.hash), null);
    assert.deepEqual(get().totals(), { bytes: 8 * KIB, blobs: 1 });
    assert.equal(get().unprovenBytes() / KIB, 8);
  });
});

describe('the expiry of a blob with many holders', () => {
  it('asks about a few names at a time, and removes the blob if none of them needs it', async (t) => {
    const { get, put } = await openCatalogue(t);
    const name = (i: number) => `name-${String(i).padStart(2, '0')}`;
    const hashes = ['a'.repeat(64), 'b'.repeat(64)] as const;
    for (let i = 0; i < 40; i++) {
      for (const hash of hashes) assert.match(await put(name(i), hash), /created|held/);
    }
    let asked = 0;
    const node = createServer(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://node');
      const key = searchParams.get('key');
      if (key?.startsWith('beacon/') === true) asked += 1;
      const value = key === `beacon/${name(39)}` ? { beacon: { metadataHash: hashes[1] } } : null;
      const isRecord = pathname === '/v1/state/proof';
      response.end(JSON.stringify(isRecord ? { key, value } : { orders: [], messages: [] }));
    }).listen(0, '127.0.0.1');
    t.after(() => node.close());
    await new Promise((resolve) => node.once('listening', resolve));
    const expired: string[] = [];
    const expire = async (due: DueBlob) => {
      expired.push(due.hash);
      return get().expire(due, due.hash, 2 * DAY);
    };
    const work = {
      hasWork: () => Promise.resolve(false),
      hasPaidName: () => Promise.resolve(true),
    };
    const parts = { catalogue: get(), now: () => 2 * DAY, work, storage: { read: () => null } };
    const service = { parts, expire } as unknown as BlobService;
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    const expiry = new Expiry(service, url, () => {});
    assert.equal(await expiry.run(), true);
    assert.equal(asked, 16);
    assert.equal(await expiry.run(), true);
    assert.equal(await expiry.run(), false);
    assert.equal(asked, 40, 'each name is asked about once');
    assert.deepEqual(expired, [hashes[0]]);
    assert.equal(get().holds(hashes[0], name(39)), false);
    assert.ok(get().blob(hashes[1]), 'the last of its holders names it');
  });
});

describe('a store beside a node', () => {
  it('counts a name without work as such if it sends bytes that the store has', async (t) => {
    const floor = await BlobFloor.start(t);
    const { catalogue } = floor.blobs.service.parts;
    const shared = new Uint8Array(8 * KIB);
    assert.equal((await floor.put(shared, signerOf('bob'))).status, 201);
    assert.equal((await floor.put(new Uint8Array(12 * KIB))).status, 201);
    assert.equal((await floor.put(shared)).status, 200);
    assert.deepEqual(bytesOf(catalogue, 'ada', 'bob'), [20, 12, 8]);
  });

  it('refuses what is beyond the part of a name, and removes what no record names', async (t) => {
    let now = Date.now();
    const floor = await BlobFloor.start(t, {
      limits: { unprovenBytesOfAgent: 24 * KIB },
      now: () => now,
    });
    const chunk = utf8Bytes('a chunk of a memory');
    const metadata = utf8Bytes(JSON.stringify({ chunks: [sha256Hex(chunk)] }));
    const spare = utf8Bytes('named by nobody');
    for (const bytes of [chunk, metadata, spare])
      assert.equal((await floor.put(bytes)).status, 201);
    assertRefused(await floor.put(new Uint8Array(13 * KIB)), 'UNPROVEN_STORAGE_FULL');
    assert.equal((await floor.put(new Uint8Array(13 * KIB), signerOf('bob'))).status, 201);
    const health = JSON.parse((await floor.send('GET', '/health')).bytes.toString()) as object;
    assert.equal((health as { unprovenBytes: number }).unprovenBytes, 25 * KIB);

    const beacon = beaconOf('ada', 0, { metadataHash: sha256Hex(metadata) });
    const intent = intentOf('ada', {
      nonce: freshNonce(),
      expiresAtHeight: 100,
      action: 'publishBeacon',
      payload: beacon,
    });
    const response = await fetch(`${floor.node.url}/v1/intents`, {
      method: 'POST',
      body: canonicalize(signEnvelope(testKey('ada'), intent)),
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(response.status, 201, await response.text());

    const { expiry, service } = floor.blobs;
    await expiry.run();
    assert.equal(service.expired, 0, 'a day is not over');
    now += DAY + 1;
    for (const nodeUrl of ['http://127.0.0.1:1', floor.blobs.url]) {
      await assert.rejects(new Expiry(service, nodeUrl, () => {}).run());
    }
    assert.equal(service.expired, 0, 'the node is away, or is none');
    await expiry.run();
    const left = await Promise.all(
      [chunk, metadata, spare].map(async (bytes) => (await floor.get(sha256Hex(bytes))).status),
    );
    assert.deepEqual(left, [200, 200, 404]);
    assert.equal(service.parts.catalogue.unprovenBytes('bob'), 0);
    const metrics = (await floor.send('GET', '/metrics')).bytes.toString();
    assert.match(metrics, /netd_blobs_class_bytes\{class="unproven"\} 8192/);
    assert.match(metrics, /netd_blobs_expired_total 2/);
  });
});

describe('the work of a name', () => {
  it('counts the orders of the least funding that it was paid for, or has paid', async (t) => {
    const records: Record<string, unknown> = {
      'policy/limits': { work: { minimumFunding: 10 } },
      'work-stats/paid': { verifiedOrders: 1, requested: { paid: 0 } },
      'work-stats/payer': { verifiedOrders: 0, requested: { paid: 2 } },
      'work-stats/miser': { verifiedOrders: 0, requested: { paid: 2 } },
      'work-stats/escrow': { verifiedOrders: 0, requested: { funded: 2, paid: 0 } },
    };
    const node = createServer(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://node');
      const key = searchParams.get('key') ?? '';
      const funding = searchParams.get('requesterId') === 'payer' ? 10 : 9;
      const answer =
        pathname === '/v1/state/proof'
          ? { key, value: records[key] ?? null }
          : { orders: [{ funding: 1 }, { funding }], nextCursor: null };
      if (key.endsWith('/broken')) response.statusCode = 503;
      response.end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    t.after(() => node.close());
    await new Promise((resolve) => node.once('listening', resolve));
    const work = new NodeWorkDirectory(`http://127.0.0.1:${(node.address() as AddressInfo).port}/`);
    for (const [name, expected] of Object.entries({
      paid: true,
      payer: true,
      miser: false,
      escrow: false,
      stranger: false,
    })) {
      assert.equal(await work.hasWork(name, '127.0.0.1'), expected, name);
    }
    await assert.rejects(work.hasWork('broken', '127.0.0.1'), { code: 'NODE_UNREACHABLE' });
    assert.equal(await work.hasPaidName('stranger', '127.0.0.1'), true);
    records['policy/limits'] = { names: { price: 'work', workBits: 20 } };
    records['agent/worker'] = { workBits: 20 };
    assert.equal(await work.hasPaidName('worker', '127.0.0.1'), true);
    records['name/hugo'] = { actorId: 'Hugo', workBits: 0 };
    assert.equal(await work.hasPaidName('Hugo', '127.0.0.1'), true);
    assert.equal(await work.hasPaidName('idler', '127.0.0.1'), false);
  });
});
