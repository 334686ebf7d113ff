import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { canonicalize, utf8Bytes, type JsonObject } from '@netd/protocol';
import {
  beaconOf,
  inCampaign,
  intentOf,
  registrationOf,
  signEnvelope,
  testKey,
} from '@netd/protocol/testing';
import { open, type Database } from 'lmdb';
import { NetNode } from './node.ts';
import { serve } from './serve.ts';
import { TABLES, type TableName } from '@netd/engine/testing';
import { verifyUrl } from '@netd/sync';
import { verifyDatabase } from '@netd/engine';

const root = mkdtempSync(join(tmpdir(), 'netd-verify-test-'));
const dataDir = join(root, 'data');
const storePath = join(dataDir, 'chain');

/** Enough gifts that the events of their block make several subtrees. */
const GIFTS = 100;
/** No block may come while the gifts are submitted, because it would divide them. */
const NO_BLOCK_MILLISECONDS = 600_000;

/** A chain with entries in every table: agents, a referral, beacons, transfers, and many in one block. */
async function play(): Promise<void> {
  let node = await NetNode.start({ dataDir, blockTime: 1 });
  const bytes = (envelope: JsonObject): Uint8Array => utf8Bytes(canonicalize(envelope));
  const act = async (
    name: string,
    action: string,
    payload: JsonObject,
    nonce = action,
  ): Promise<void> => {
    const intent = intentOf(name, { nonce, expiresAtHeight: 900, action, payload });
    await node.admission.submit('intent', bytes(signEnvelope(testKey(name), intent)), 'test');
  };
  for (const [name, referrer] of [
    ['alice', undefined],
    ['bobby', 'alice'],
  ] as const) {
    const key = testKey(name);
    const registration = registrationOf(
      { actorId: name, key },
      { nonce: '1', referrerAgentId: referrer },
    );
    await node.admission.submit('registration', bytes(signEnvelope(key, registration)), 'test');
  }
  for (const name of ['alice', 'bobby']) {
    await act(name, 'extendAgentCapabilities', { agentId: name, actions: ['faucet', 'transfer'] });
    await act(name, 'faucet', { amount: 5_000_000 });
    await act(name, 'publishBeacon', beaconOf(name, 0));
  }
  await node.stop();
  const [blockTime, idleBlockTime] = [NO_BLOCK_MILLISECONDS, 2 * NO_BLOCK_MILLISECONDS];
  node = await NetNode.start({ dataDir, blockTime, idleBlockTime });
  // The first block after a start is made at once. Later envelopes wait, and stopping commits them as one block.
  await act('alice', 'transfer', { to: 'bobby', amount: 1_000_000 });
  const gifts = Array.from({ length: GIFTS }, (_, i) =>
    act('alice', 'transfer', { to: 'bobby', amount: 1 }, `gift-${i}`),
  );
  while (node.mempool.admittedCount < GIFTS) await setTimeout(5);
  await node.stop();
  await Promise.all(gifts);
}

before(play);
after(() => rmSync(root, { recursive: true, force: true }));

describe('verification of a database', () => {
  test('finds nothing in an honest one, and says what it replayed', async () => {
    const report = await verifyDatabase(storePath, {});
    assert.deepEqual(report.fault, null);
    assert.equal(report.transitions, 9 + GIFTS);
    assert.equal(report.anchored, false);
  });

  test('refuses a genesis that is not the trusted one', async () => {
    const report = await verifyDatabase(storePath, { genesisHash: 'f'.repeat(64) });
    assert.match(report.fault?.reason ?? '', /not the trusted one/);
  });

  for (const table of Object.keys(TABLES) as TableName[]) {
    test(`catches a flipped byte in the table ${table}`, async () => {
      const copy = join(root, `flip-${table}`);
      cpSync(storePath, copy, { recursive: true });
      const changed = await flipOneByte(copy, table);
      assert.ok(changed > 0, `the table ${table} holds nothing to flip`);
      const report = await verifyDatabase(copy, {});
      assert.equal(report.ok, false);
      assert.ok(report.fault?.reason);
      rmSync(copy, { recursive: true, force: true });
    });

    const some = table === 'blocks' ? {} : inCampaign;
    test(`catches an entry missing from the table ${table}`, some, async () => {
      const copy = join(root, `drop-${table}`);
      cpSync(storePath, copy, { recursive: true });
      await withTable(copy, table, async (db) => {
        const keys = [...db.getKeys({})];
        const key = keys.at(-1);
        if (key !== undefined) await db.remove(key);
      });
      // Without a head, the error says that there is no chain to verify.
      const report = await verifyDatabase(copy, {}).catch((error: unknown) => ({
        ok: false,
        fault: { reason: String(error) },
      }));
      assert.equal(report.ok, false);
      rmSync(copy, { recursive: true, force: true });
    });
  }

  test('names a page of the upper tree, which follows from those below it', async () => {
    for (const [number, upTo] of [
      [1, 1],
      [16, 31],
    ] as const) {
      const copy = join(root, `page-${number}`);
      cpSync(storePath, copy, { recursive: true });
      let page = 0;
      await withTable(copy, 'treePages', async (db) => {
        const [entry] = db.getRange({ start: number, end: upTo + 1, limit: 1 });
        assert.ok(entry);
        page = Number(entry.key);
        const value = Buffer.from(entry.value as Buffer);
        value[value.length - 1]! ^= 1;
        await db.put(entry.key, value);
      });
      const { fault } = await verifyDatabase(copy, {});
      assert.equal(
        fault?.reason,
        `table treePages: the entry ${page} differs from what replay gives`,
      );
      rmSync(copy, { recursive: true, force: true });
    }
  });

  for (const [what, expiry, verdict] of [
    ['that has expired refuses nothing, and is no fault', 1, true],
    ['that was never spent is a fault: it would refuse an intent', 900, false],
  ] as const) {
    test(`a nonce ${what}`, async () => {
      const copy = join(root, `nonce-${expiry}`);
      cpSync(storePath, copy, { recursive: true });
      await withTable(copy, 'nonces', async (db) => {
        await db.put('ab'.repeat(32) as never, Buffer.from(String(expiry)));
      });
      assert.equal((await verifyDatabase(copy, {})).ok, verdict);
      rmSync(copy, { recursive: true, force: true });
    });
  }

  test('names the height of a block whose transition was exchanged for another valid one', async () => {
    const copy = join(root, 'swap');
    cpSync(storePath, copy, { recursive: true });
    await withTable(copy, 'transitions', async (db) => {
      const entries = [...db.getRange({})];
      const [first, second] = [entries[2], entries[3]];
      assert.ok(first && second);
      await db.put(first.key, second.value);
    });
    const report = await verifyDatabase(copy, {});
    assert.equal(report.fault?.height, 3);
    rmSync(copy, { recursive: true, force: true });
  });
});

describe('verification of a node by its address', () => {
  test('replays what it downloads', async () => {
    const running = await serve({ host: '127.0.0.1', port: 0, dataDir, blockTime: 1 });
    try {
      const report = await verifyUrl(running.url, { minHeight: 9 });
      assert.equal(report.fault, null);
      assert.equal(report.transitions, 9 + GIFTS);
      const { fault } = await verifyUrl(running.url, { minHeight: 1_000 });
      assert.match(String(fault?.reason), /ends here, 1000 is asked for at least/);
    } finally {
      await running.stop();
    }
  });

  test('refuses a height that is none', async () => {
    let height: unknown;
    const liar = createServer((_request, response) => response.end(JSON.stringify({ height })));
    liar.listen(0, '127.0.0.1');
    await once(liar, 'listening');
    const { port } = liar.address() as AddressInfo;
    try {
      for (height of ['zzz', '7', -1, 1.5, null, undefined, 2 ** 53, [7]]) {
        await assert.rejects(verifyUrl(`http://127.0.0.1:${port}`, {}), /which is none/);
      }
    } finally {
      liar.close();
      liar.closeAllConnections();
    }
  });

  test('says so when no node answers', async () => {
    await assert.rejects(verifyUrl('http://127.0.0.1:9', {}), /no node answers/);
  });
});

test('what is no database is refused in a sentence, and nothing is made of it', async () => {
  const wrong = join(root, 'wrong', 'chain');
  await assert.rejects(verifyDatabase(wrong, {}), /StoreError: there is no database at .*wrong/);
  assert.ok(!existsSync(join(root, 'wrong')));
  mkdirSync(wrong, { recursive: true });
  await assert.rejects(verifyDatabase(wrong, {}), /there is no database/);
  assert.deepEqual(readdirSync(wrong), []);
});

describe('a byte flipped in the file itself', () => {
  test('inside stored text is found', async () => {
    const copy = join(root, 'raw');
    cpSync(storePath, copy, { recursive: true });
    const file = join(copy, 'data.mdb');
    const bytes = readFileSync(file);
    // Finds every stored copy of a text, in old pages too, because one of them is current.
    let at = bytes.indexOf('"action":"transfer"');
    assert.ok(at > 0);
    while (at > 0) {
      bytes[at + 12] = (bytes[at + 12] ?? 0) ^ 1;
      at = bytes.indexOf('"action":"transfer"', at + 1);
    }
    writeFileSync(file, bytes);
    const report = await verifyDatabase(copy, {});
    assert.equal(report.fault?.height, 9);
    rmSync(copy, { recursive: true, force: true });
  });
});

type AnyTable = Database<unknown, never>;

async function withTable(
  path: string,
  table: TableName,
  work: (db: AnyTable) => Promise<void>,
): Promise<void> {
  const environment = open({ path, maxDbs: 32 });
  const options = { ...TABLES[table].options, encoding: 'binary' as const };
  try {
    await work(environment.openDB<unknown, never>({ name: table, ...options }));
  } finally {
    await environment.close();
  }
}

/** Flips a bit in the middle of the last value, or of its key if the table has no values. */
async function flipOneByte(path: string, table: TableName): Promise<number> {
  let changed = 0;
  await withTable(path, table, async (db) => {
    const last = [...db.getRange({})].at(-1);
    if (!last) return;
    const value = Buffer.from(last.value as Buffer);
    if (value.length > 0) {
      const middle = value.length >> 1;
      value[middle] = (value[middle] ?? 0) ^ 1;
      await db.put(last.key, value);
    } else {
      await db.remove(last.key);
      await db.put(flipKey(last.key), value);
    }
    changed++;
  });
  return changed;
}

function flipKey(key: unknown): never {
  const parts = key as (string | number)[];
  return parts.map((part) => (typeof part === 'number' ? part + 1 : part)) as never;
}
