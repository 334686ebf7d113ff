/** A laboratory makes blocks and moves time on demand, for programs of this machine. Other chains refuse. */
import assert from 'node:assert/strict';
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { workOrderOf } from '@netd/ledger/testing';
import { bytesToSign, type JsonObject } from '@netd/protocol';
import { intentOf } from '@netd/protocol/testing';
import { serve, ServeError } from '@netd/node';
import { assertProblem, HttpNode } from '@netd/testkit/http-node';
import { tempDir } from '@netd/testkit/temp-dir';
import { verifyUrl } from '@netd/sync';

interface Laboratory {
  height: number;
  timestamp: string;
  clock: string;
  mode: string;
  snapshots: { id: string; height: number }[];
  reverts: number;
}

const CALLS: [path: string, body: JsonObject][] = [
  ['/v1/lab/mine', {}],
  ['/v1/lab/time', { seconds: 1 }],
  ['/v1/lab/mode', { mode: 'none' }],
  ['/v1/lab/snapshot', {}],
  ['/v1/lab/revert', {}],
];

const DAY = 86_400;

describe('a laboratory', () => {
  let node: HttpNode;
  before(async () => {
    node = await HttpNode.start({ laboratory: true, idleBlockTime: 10_000 });
  });
  after(() => node.stop());

  const call = async (path: string, body: JsonObject): Promise<Laboratory> => {
    const answer = await node.post(`/v1/lab/${path}`, body);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body['schema'], 'NET-LABORATORY/1');
    return answer.body as unknown as Laboratory;
  };

  test('is named one wherever a network is', async () => {
    assert.equal((await node.document('/v1/network'))['laboratory'], true);
    assert.equal((await node.document('/health'))['laboratory'], true);
    assert.equal((await node.document('/v1/genesis'))['laboratory'], true);
    const { network } = await node.document('/v1/manifest');
    assert.equal((network as JsonObject)['laboratory'], true);
    const proof = await node.document('/v1/state/proof?key=chain/identity');
    assert.equal((proof['value'] as JsonObject)['laboratory'], true);
  });

  test('obeys only with the secret of its data directory, and shows itself without it', async () => {
    const { path, token } = node.running.control!;
    assert.equal(readFileSync(path, 'utf8'), `${token}\n`);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const { height } = node;
    for (const [to, body] of CALLS) {
      // A default nginx forwards a stranger's request from and for loopback, without a header about it.
      const stranger = { host: `127.0.0.1:${node.port}`, 'x-net-control': '' };
      assertProblem(await node.post(to, body, stranger), 403, 'CONTROL_TOKEN_REQUIRED');
      const guess = { 'x-net-control': token.replace(/.$/, 'x') };
      assertProblem(await node.post(to, body, guess), 403, 'CONTROL_TOKEN_REQUIRED');
    }
    assert.equal(node.height, height);
    assert.equal((await node.get('/v1/lab')).status, 200);
  });

  test('mines as many blocks as it is told', async () => {
    await call('mode', { mode: 'none' });
    const { height } = (await node.document('/v1/lab')) as unknown as Laboratory;
    assert.equal((await call('mine', {})).height, height + 1);
    assert.equal((await call('mine', { blocks: 25 })).height, height + 26);
    assert.equal(node.height, height + 26);
  });

  test('keeps what is sent until it is told to mine, and makes a block each if it is told that', async () => {
    await call('mode', { mode: 'none' });
    const joined = node.join('patient');
    let mined = 0;
    // A write that has not arrived when a block is made is in a later one.
    while (!(await settled(joined)) && mined++ < 100) await call('mine', {});
    const { height } = await joined;
    assert.ok(height <= node.height && mined > 0, `${height}, ${mined}`);
    const earlier = node.height;
    assert.equal((await call('mode', { mode: 'each' })).mode, 'each');
    await Promise.all(['a-1', 'a-2', 'a-3'].map((name) => node.join(name)));
    assert.equal(node.height, earlier + 3);
    for (const at of [1, 2, 3]) {
      const block = await node.document(`/v1/blocks/${earlier + at}`);
      assert.equal((block['transitions'] as unknown[]).length, 1);
    }
  });

  test('moves time, and what waits for it happens as it would have', async () => {
    await call('mode', { mode: 'each' });
    await node.act('a-1', 'extendAgentCapabilities', {
      agentId: 'a-1',
      actions: ['faucet', 'createWorkOrder'],
    });
    await node.act('a-1', 'faucet', { amount: 100_000_000 });
    await node.act('a-1', 'createWorkOrder', workOrderOf('w-old'));
    const earlier = await node.document('/v1/lab');
    // An order can be accepted for a day and 500 heights, whichever comes later.
    const moved = await call('time', { seconds: DAY + 1, blocks: 510 });
    const passed = Date.parse(moved.timestamp) - Date.parse(earlier['clock'] as string);
    assert.ok(passed >= DAY * 1_000, String(passed));
    assert.equal(moved.height, Number(earlier['height']) + 510);
    const { order } = await node.document('/v1/work-orders/w-old');
    const { status, reason } = order as JsonObject;
    assert.deepEqual([status, reason], ['REJECTED', 'ACCEPTANCE_TIMEOUT']);
    // The chain continues at the new time.
    await node.join('from-tomorrow');
    // A simulation uses the new time too.
    const simulated = await node.post('/v1/intents:simulate', {
      actorId: 'a-1',
      action: 'createWorkOrder',
      payload: workOrderOf('w-simulated'),
    });
    assert.equal(simulated.body['outcome'], 'accepted', simulated.text);
    const change = (simulated.body['changes'] as { key: string; value: JsonObject }[]).find(
      ({ key }) => key.endsWith('/w-simulated'),
    );
    const { deadline } = change!.value as { deadline: { time: number } };
    assert.ok(deadline.time >= Date.parse(moved.clock) + DAY * 1_000, JSON.stringify(change));
  });

  test('lives through the time as an idle chain does, with a block every ten seconds', async () => {
    const { height } = await call('mine', {});
    assert.equal((await call('time', { seconds: 45 })).height, height + 5);
    assert.equal((await call('time', { seconds: 0 })).height, height + 6);
  });

  test('moves to a time with as many blocks on the way as it is told', async () => {
    const { height, clock } = await call('mine', {});
    const to = new Date(Date.parse(clock) + 3_600_000).toISOString();
    const moved = await call('time', { to, blocks: 4 });
    assert.equal(moved.height, height + 4);
    assert.ok(moved.timestamp >= to);
    const second = await node.document(`/v1/blocks/${height + 2}`);
    const { timestamp } = second['header'] as { timestamp: string };
    const half = Date.parse(timestamp) - Date.parse(clock);
    assert.ok(half >= 1_800_000 && half < 2_700_000, String(half));
  });

  test('never moves back', async () => {
    const { clock } = await call('mine', {});
    const earlier = node.height;
    const to = new Date(Date.parse(clock) - 60_000).toISOString();
    assertProblem(await node.post('/v1/lab/time', { to }), 409, 'LAB_CLOCK_BACKWARDS');
    assert.equal(node.height, earlier);
  });

  test('goes back to a snapshot, and nothing that was kept of what came since is answered any more', async () => {
    await call('mode', { mode: 'each' });
    const { snapshots, height, reverts } = await call('snapshot', {});
    const { id } = snapshots.at(-1)!;
    assert.deepEqual(snapshots.at(-1), { id, height });
    const documents = ['/v1/network', '/v1/agents', `/v1/blocks/${height}`, '/v1/events?after=0.0'];
    const shown = await Promise.all(documents.map((path) => node.document(path)));
    for (const name of ['gone-1', 'gone-2']) {
      const { transitionHash } = await node.join(name);
      // Read twice, first from the database, then from the cache.
      for (const _ of [1, 2]) {
        assert.equal((await node.get(`/v1/blocks/${height + 1}`)).status, 200);
        assert.equal((await node.get(`/v1/agents/${name}`)).status, 200);
      }
      await node.document('/v1/agents');
      const back = await call('revert', name === 'gone-1' ? { id } : {});
      assert.equal(back.height, height);
      assert.deepEqual(back.snapshots, snapshots);
      assert.equal((await node.get(`/v1/blocks/${height + 1}`)).status, 404);
      assert.equal((await node.get(`/v1/agents/${name}`)).status, 404);
      assert.equal((await node.get(`/v1/receipts/${transitionHash}`)).status, 404);
      assert.deepEqual(await Promise.all(documents.map((path) => node.document(path))), shown);
    }
    assert.equal((await node.document('/v1/lab'))['reverts'], reverts + 2);
    // This block has the height of another one that was taken back.
    await node.join('here-instead');
    const block = await node.document(`/v1/blocks/${height + 1}`);
    assert.ok(JSON.stringify(block).includes('here-instead'), JSON.stringify(block));
  });

  test('tells streams of events that it went back, also those that come again later', async (t) => {
    await call('snapshot', {});
    const { height } = await call('mine', {});
    const controller = new AbortController();
    t.after(() => controller.abort());
    const open = async (lastEventId?: string): Promise<AsyncIterator<string>> => {
      const response = await fetch(`${node.url}/v1/events`, {
        headers: {
          accept: 'text/event-stream',
          ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
        },
        signal: controller.signal,
      });
      return response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    };
    const until = async (stream: AsyncIterator<string>, words: string): Promise<string> => {
      let text = '';
      while (!text.includes(words)) text += String((await stream.next()).value);
      return text;
    };
    const stream = await open();
    await node.join('seen-and-gone');
    await until(stream, 'seen-and-gone');
    await call('revert', {});
    const told = await until(stream, 'LaboratoryReverted');
    assert.match(told, new RegExp(`^id: ${height - 1}\\.65535$`, 'm'));
    const late = await open(`${height + 50}.0`);
    await until(late, `{"height":${height - 1},"type":"LaboratoryReverted","data":{}}`);
    const ahead = `/v1/events?after=${height + 50}.0&blockHash=${'ab'.repeat(32)}`;
    for (const accept of ['application/json', 'text/event-stream']) {
      const stale = await node.get(ahead, { accept });
      assert.equal(stale.status, 409);
      const { code, height: goOn } = JSON.parse(stale.text) as Record<string, unknown>;
      assert.equal(code, 'CURSOR_STALE');
      assert.ok(Number(goOn) < height, 'of all returns, the lowest');
    }
    await node.join('seen-after');
    await Promise.all([until(stream, 'seen-after'), until(late, 'seen-after')]);
  });

  test('ends the A2A stream of an order that it took back', { timeout: 60_000 }, async () => {
    await call('snapshot', {});
    await node.act('a-1', 'createWorkOrder', workOrderOf('w-gone'));
    const { body } = await fetch(`${node.url}/a2a/v1/tasks/w-gone:subscribe`, {
      method: 'POST',
      headers: { 'a2a-version': '1.0' },
    });
    const stream = body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    assert.match(String((await stream.next()).value), /w-gone/);
    await call('revert', {});
    while (!(await stream.next()).done);
  });

  test('believes the key of anybody in the place of each actor’s', async () => {
    await call('mode', { mode: 'each' });
    const answer = await node.post('/v1/intents', await asAnybody(node, 'operator', 'gift-1'));
    assert.equal(answer.status, 201, answer.text);
    const unknown = await node.post('/v1/intents', await asAnybody(node, 'not-here', 'gift-2'));
    assertProblem(unknown, 409, 'ACTOR_UNKNOWN');
  });

  test('takes an intent signed by the key of anybody only with the secret, as from behind a proxy', async () => {
    const { height } = node;
    const { token } = node.running.control!;
    const gift = await asAnybody(node, 'operator', 'gift-of-a-stranger');
    const order = { ...gift, action: 'createWorkOrder' };
    for (const secret of ['', `${token.slice(1)}x`]) {
      const stranger = { host: `127.0.0.1:${node.port}`, 'x-net-control': secret };
      assertProblem(await node.post('/v1/intents', gift, stranger), 403, 'CONTROL_TOKEN_REQUIRED');
      // A body that the key has not signed is refused for its signature.
      assertProblem(await node.post('/v1/intents', order, stranger), 409, 'SIGNATURE_INVALID');
    }
    assert.equal(node.height, height);
    assert.equal((await node.post('/v1/intents', gift)).status, 201);
    const repeated = await node.post('/v1/intents', gift, { 'x-net-control': '' });
    assertProblem(repeated, 409, 'NONCE_REPLAYED');
  });

  test('knows the snapshots that it has, and says of any other that there is none', async () => {
    const { snapshots } = await call('snapshot', {});
    const answer = await node.post('/v1/lab/revert', { id: 'of-yesterday' });
    assertProblem(answer, 404, 'LAB_SNAPSHOT_UNKNOWN');
    const last = snapshots.at(-1)!.id;
    const { snapshots: more } = await call('snapshot', {});
    await call('revert', { id: last });
    assertProblem(
      await node.post('/v1/lab/revert', { id: more.at(-1)!.id }),
      404,
      'LAB_SNAPSHOT_UNKNOWN',
    );
  });

  const REFUSED: [what: string, path: string, body: JsonObject | string, place: string | null][] = [
    ['no time at all', 'time', {}, ''],
    ['a time that is none', 'time', { to: 'tomorrow' }, '/to'],
    ['two times', 'time', { to: '2099-01-01T00:00:00.000Z', seconds: 1 }, '/to'],
    ['a time too far', 'time', { to: '2999-01-01T00:00:00.000Z' }, '/to'],
    ['seconds before now', 'time', { seconds: -1 }, '/seconds'],
    ['no block', 'mine', { blocks: 0 }, '/blocks'],
    ['too many blocks', 'mine', { blocks: 10_001 }, '/blocks'],
    ['an unknown mode', 'mode', { mode: 'fast' }, '/mode'],
    ['no mode', 'mode', {}, '/mode'],
    ['an id that is none', 'revert', { id: 7 }, '/id'],
    ['a name for a snapshot', 'snapshot', { id: 's9' }, '/id'],
    ['a further member', 'mine', { block: 1 }, '/block'],
    ['no JSON', 'mine', '{', null],
  ];
  for (const [what, path, body, place] of REFUSED) {
    test(`refuses ${what}`, async () => {
      const earlier = node.height;
      const answer = await node.post(`/v1/lab/${path}`, body);
      assertProblem(answer, 400, 'ENVELOPE_INVALID');
      const [error] = (answer.body['errors'] ?? []) as JsonObject[];
      if (place !== null) assert.equal(error?.['path'], place);
      assert.equal(node.height, earlier);
    });
  }

  test('gives a chain that a replay accepts, with its moved time, reverts and anybody’s key', async () => {
    const report = await verifyUrl(node.url, {});
    assert.deepEqual([report.ok, report.fault], [true, null]);
  });

  test('obeys no page of another origin, no other name of this machine, and no proxy', async () => {
    const earlier = node.height;
    const foreign: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { origin: 'http://127.0.0.1:1' },
      { origin: 'null' },
      { host: 'evil.example' },
      { 'x-forwarded-for': '192.0.2.1' },
    ];
    for (const headers of foreign) {
      for (const [path, body] of CALLS) {
        assertProblem(await node.post(path, body, headers), 403, 'LAB_CALLER_REFUSED');
      }
    }
    assertProblem(await node.get('/v1/lab', { host: 'evil.example' }), 403, 'LAB_CALLER_REFUSED');
    assert.equal(node.height, earlier);
    // The node's own page may call it.
    const own = await node.post('/v1/lab/mine', {}, { origin: `http://127.0.0.1:${node.port}` });
    assert.equal(own.status, 200, own.text);
  });
});

test('goes on at its own time after a restart', async (t) => {
  const dataDir = tempDir(t);
  const start = () =>
    serve({ host: '127.0.0.1', port: 0, dataDir, laboratory: true, blockTime: 1 });
  const first = await start();
  await first.node.lab?.run({ do: 'mine', blocks: 2, milliseconds: DAY * 1_000 });
  const { timestamp } = first.node.chain.head;
  await first.stop();
  const again = await start();
  t.after(() => again.stop());
  assert.deepEqual(again.node.faults(), []);
  await again.node.lab?.run({ do: 'mine', blocks: 1, milliseconds: 0 });
  assert.equal(again.node.chain.height, 3);
  assert.ok(again.node.chain.head.timestamp > timestamp);
});

describe('no other chain', () => {
  let node: HttpNode;
  before(async () => {
    node = await HttpNode.start();
  });
  after(() => node.stop());

  test('obeys a single lab call, or says that it would', async () => {
    const described = Object.keys((await node.description()).paths).filter((path) =>
      path.startsWith('/v1/lab'),
    );
    const calls = ['/v1/lab', '/v1/lab/trace', ...CALLS.map(([path]) => path)];
    assert.deepEqual(described.sort(), calls.sort());
    for (const [path, body] of CALLS) {
      assertProblem(await node.post(path, body), 403, 'NOT_A_LABORATORY');
      assertProblem(await node.post(path, '{'), 403, 'NOT_A_LABORATORY');
    }
    assertProblem(await node.get('/v1/lab'), 403, 'NOT_A_LABORATORY');
    const trace = await node.get(`/v1/lab/trace?transition=${'ab'.repeat(32)}`);
    assertProblem(trace, 403, 'NOT_A_LABORATORY');
    assert.equal(node.height, 0);
    assert.equal((await node.document('/v1/network'))['laboratory'], false);
    assert.equal((await node.document('/health'))['laboratory'], false);
    assert.ok(!('laboratory' in (await node.document('/v1/genesis'))));
  });

  test('believes the key of anybody', async () => {
    const answer = await node.post('/v1/intents', await asAnybody(node, 'operator', 'gift-1'));
    assertProblem(answer, 409, 'SIGNATURE_INVALID');
    assert.equal(node.height, 0);
  });

  test('becomes a laboratory, nor a laboratory another chain', async (t) => {
    const lab = tempDir(t);
    const options = { host: '127.0.0.1', port: 0 };
    await (await serve({ ...options, dataDir: lab, laboratory: true })).stop();
    await assert.rejects(serve({ ...options, dataDir: lab, laboratory: false }), /netd dev --lab/);
    const other = tempDir(t);
    await (await serve({ ...options, dataDir: other, laboratory: false })).stop();
    await assert.rejects(serve({ ...options, dataDir: other, laboratory: true }), /no laboratory/);
    const open: object[] = [
      { host: '0.0.0.0' },
      { trustProxy: 1 },
      { publicUrl: 'https://lab.example' },
    ];
    for (const more of open) {
      const reached = { ...options, ...more, dataDir: lab };
      await assert.rejects(serve({ ...reached, laboratory: true }), ServeError);
      await assert.rejects(serve(reached), /a laboratory makes blocks and moves time/);
    }
  });
});

/** Sends a gift to a-1, signed by the key that is valid for every agent of a laboratory. */
async function asAnybody(node: HttpNode, actorId: string, nonce: string): Promise<JsonObject> {
  const facts = { actorId: 'anybody', schema: 'NET-LAB-KEY/1', seed: 'netd laboratory' };
  const secret = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  const der = Buffer.from(`302e020100300506032b657004220420${secret}`, 'hex');
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const unsigned = intentOf(actorId, {
    nonce,
    chainId: (await node.document('/v1/network'))['chainId'],
    expiresAtHeight: node.height + 100,
    action: 'transfer',
    payload: { to: 'a-1', amount: 1 },
  });
  const signature = sign(null, bytesToSign(unsigned), key).toString('base64');
  return { ...unsigned, signature };
}

async function settled(work: Promise<unknown>): Promise<boolean> {
  const late = new Promise<false>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([work.then(() => true), late]);
}
