/** The event feed: pages, filters, and live streams that can be resumed without a gap. */
import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { Snapshot } from '@netd/engine';
import { beaconOf } from '@netd/ledger/testing';
import type { JsonObject } from '@netd/protocol';
import { EventStream } from '@netd/testkit/event-stream';
import { assertProblem, HttpNode, textOf } from '@netd/testkit/http-node';

let node: HttpNode;
before(async () => {
  node = await HttpNode.start();
  await node.join('alice');
  await node.join('bob', { referrerAgentId: 'alice' });
  await node.act('bob', 'publishBeacon', beaconOf('bob', node.height));
});
after(() => node.stop());

const page = async (query = ''): Promise<JsonObject[]> =>
  (await node.document(`/v1/events?limit=1000${query}`))['events'] as JsonObject[];
const ids = (events: readonly { id?: unknown }[]): string[] => events.map(({ id }) => String(id));
const open = (query = '', headers: Record<string, string> = {}): Promise<EventStream> =>
  EventStream.open(node.url, `/v1/events${query}`, headers);

describe('a page of events', () => {
  test('holds what happened since genesis, oldest first', async () => {
    const events = await page();
    const types = events.map(({ type }) => type);
    assert.deepEqual(types.slice(0, 4), [
      'AgentRegistered',
      'AgentRegistered',
      'ReferralRecorded',
      'BeaconPublished',
    ]);
    for (const event of events) {
      assert.ok(textOf(event, 'id').startsWith(`${textOf(event, 'height')}.`));
    }
  });
  test('goes on after an id, even if no event has it', async () => {
    const all = ids(await page());
    assert.deepEqual(ids(await page(`&after=${all[1]}`)), all.slice(2));
    assert.deepEqual(ids(await page('&after=0.0')), all);
    assert.deepEqual(
      ids(await page('&after=1.60000')),
      all.filter((id) => !id.startsWith('1.')),
    );
    assert.deepEqual(await page('&after=100000000.0'), []);
  });
  test('says where to go on although there is nothing', async () => {
    const { next, more } = await node.document(
      '/v1/events?after=100000000.7&type=MainnetGenesisSealed',
    );
    assert.deepEqual([next, more], ['100000000.7', false]);
  });
  test('is read backwards, too, from the newest to the first, with and without filters', async () => {
    const top = `${node.height + 1}.0`;
    for (const filter of [
      '',
      '&agent=bob',
      '&type=AgentRegistered',
      '&agent=bob&type=AgentRegistered',
    ]) {
      const forwards = ids(await page(filter));
      const backwards: string[] = [];
      for (let [at, more] = [top, true]; more;) {
        const document = await node.document(`/v1/events?limit=2&before=${at}${filter}`);
        backwards.push(...ids(document['events'] as JsonObject[]));
        [at, more] = [document['next'] as string, document['more'] === true];
      }
      assert.deepEqual(backwards, forwards.toReversed(), filter);
    }
    assert.deepEqual(await page('&before=0.0'), []);
  });
  test('goes one way at a time, and a stream only on', async () => {
    const headers = { accept: 'text/event-stream' };
    const both = await node.get('/v1/events?before=2.0&after=1.0');
    for (const answer of [both, await node.get('/v1/events?before=2.0', headers)]) {
      assertProblem(answer, 400, 'PARAMETER_INVALID');
    }
    assertProblem(await node.get('/v1/events?before=1.99999'), 400, 'PARAMETER_INVALID');
  });
  test('refuses a type there is not, live too', async () => {
    for (const type of ['Nothing', 'agentregistered', '']) {
      assertProblem(await node.get(`/v1/events?type=${type}`), 400, 'PARAMETER_INVALID');
      const headers = { accept: 'text/event-stream' };
      const answer = await node.get(`/v1/events?type=${type}`, headers);
      assertProblem(answer, 400, 'PARAMETER_INVALID');
    }
  });
  test('is filtered by agent and type, alone and together', async () => {
    const types = async (query: string): Promise<unknown[]> =>
      (await page(query)).map(({ type }) => type);
    assert.deepEqual(await types('&agent=alice'), [
      'AgentRegistered',
      'AgentRegistered',
      'ReferralRecorded',
    ]);
    assert.deepEqual(await types('&agent=bob'), [
      'AgentRegistered',
      'ReferralRecorded',
      'BeaconPublished',
    ]);
    assert.deepEqual(await types('&type=ReferralRecorded'), ['ReferralRecorded']);
    assert.deepEqual(await types('&type=AgentRegistered&agent=bob'), ['AgentRegistered']);
    assert.deepEqual(await types('&order=o-1'), []);
    assert.deepEqual(await types('&agent=bob&order=o-1'), []);
  });
});

describe('a stream of events', () => {
  test('shows what happens from now on, under ids of the page', async () => {
    const stream = await open();
    assert.equal(stream.status, 200);
    assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8');
    assert.equal(stream.headers['cache-control'], 'no-store');
    assert.equal(stream.headers['access-control-allow-origin'], '*');
    const receipt = await node.join('carol');
    await stream.until(({ events }) => events.length > 0);
    assert.deepEqual(stream.events, [
      {
        id: receipt.events[0]?.id,
        event: 'AgentRegistered',
        data: { height: receipt.height, type: 'AgentRegistered', data: receipt.events[0]?.data },
      },
    ]);
    await stream.close();
  });
  test('begins after the id it is given, in the query or as Last-Event-ID, which wins', async () => {
    const all = ids(await page());
    for (const [query, headers, expected] of [
      ['?after=0.0', {}, all],
      [`?after=${all[0]}`, {}, all.slice(1)],
      ['', { 'last-event-id': all[1]! }, all.slice(2)],
      ['?after=0.0', { 'last-event-id': all[2]! }, all.slice(3)],
      ['?after=0.0', { 'last-event-id': '' }, all],
    ] as [string, Record<string, string>, string[]][]) {
      const stream = await open(query, headers);
      await stream.until(({ events }) => events.length >= expected.length);
      assert.deepEqual(ids(stream.events), expected);
      await stream.close();
    }
  });
  test('refuses a Last-Event-ID that is no id, instead of beginning now', async () => {
    for (const id of ['banana', '1', '1.00']) {
      const answer = await node.get('/v1/events', {
        accept: 'text/event-stream',
        'last-event-id': id,
      });
      const { errors } = assertProblem(answer, 400, 'PARAMETER_INVALID');
      assert.equal(errors?.[0]?.path, '/headers/last-event-id');
    }
  });
  test('is filtered like a page', async () => {
    const stream = await open('?after=0.0&agent=bob&type=BeaconPublished');
    await node.act('bob', 'withdrawBeacon', { agentId: 'bob' });
    await node.act('bob', 'publishBeacon', beaconOf('bob', node.height, { sequence: 2 }));
    await stream.until(({ events }) => events.length === 2);
    assert.deepEqual(
      stream.events.map(({ event }) => event),
      ['BeaconPublished', 'BeaconPublished'],
    );
    await stream.close();
  });
  test('that is broken off again and again shows every event once while blocks come in', async () => {
    const from = ids(await page()).at(-1)!;
    const seen: string[] = [];
    const writes = Promise.all(Array.from({ length: 150 }, (_, i) => wave(i)));
    async function wave(i: number): Promise<void> {
      await new Promise((resolve) => setTimeout(resolve, i * 4));
      await node.join(`streamed-${i}`, { referrerAgentId: 'alice' });
    }
    let connections = 0;
    while (seen.length < 300) {
      const stream = await open('', { 'last-event-id': seen.at(-1) ?? from });
      connections++;
      const wanted = Math.min(300 - seen.length, 1 + ((connections * 7) % 23));
      await stream.until(({ events }) => events.length >= wanted);
      // Ignore further events that arrived meanwhile.
      seen.push(...ids(stream.events).slice(0, wanted));
      await stream.close();
    }
    await writes;
    assert.deepEqual(seen, ids(await page(`&after=${from}`)));
    assert.ok(connections > 10);
  });
  test('that joins in the middle of a burst misses nothing', async () => {
    const from = ids(await page()).at(-1)!;
    const writes = Promise.all(Array.from({ length: 100 }, (_, i) => node.join(`burst-${i}`)));
    const streams: EventStream[] = [];
    for (let i = 0; i < 8; i++) {
      streams.push(await open('', { 'last-event-id': from }));
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    await writes;
    const expected = ids(await page(`&after=${from}`));
    for (const stream of streams) {
      await stream.until(({ events }) => events.length >= expected.length);
      assert.deepEqual(ids(stream.events), expected);
      await stream.close();
    }
  });
  test('gives a sign of life although nothing happens', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const stream = await open();
    const silent = stream.comments.length;
    mock.timers.tick(15_000);
    mock.timers.reset();
    await stream.until(({ comments }) => comments.length > silent);
    assert.equal(stream.comments.at(-1), 'alive');
    await stream.close();
  });
  test('is refused with 429 if its address has 16 open, until another one ends', async () => {
    const proxied = await HttpNode.start({ trustProxy: 1 });
    const { url } = proxied;
    const openFrom = (from = '192.0.2.1'): Promise<EventStream> =>
      EventStream.open(url, '/v1/events', { 'x-forwarded-for': from });
    const streams = await Promise.all(Array.from({ length: 16 }, () => openFrom()));
    assert.ok(streams.every(({ status }) => status === 200));
    const refused = await openFrom();
    await refused.until(({ closed }) => closed);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['content-type'], 'application/problem+json');
    assert.equal((JSON.parse(refused.text) as JsonObject)['code'], 'RATE_LIMITED');
    assert.match(String(refused.headers['retry-after']), /^\d+$/);
    const asPage = await proxied.get('/v1/events', { 'x-forwarded-for': '192.0.2.1' });
    assert.equal(asPage.status, 200, 'pages go on');
    await streams.pop()?.close();
    let again = await openFrom();
    for (let i = 0; again.status !== 200 && i < 50; i++) again = await openFrom();
    assert.equal(again.status, 200);
    const local = await Promise.all(Array.from({ length: 17 }, () => openFrom('127.0.0.1')));
    assert.ok(
      local.every(({ status }) => status === 200),
      'agents of this machine share its address',
    );
    for (const stream of [...streams, again, ...local]) await stream.close();
    await proxied.stop();
  });
  test('watches several subjects at once, the past by their indexes, and names those of each event', async () => {
    const hash = textOf(await node.document('/v1/network'), 'genesisHash');
    const stream = await open(
      `?after=0.0&genesisHash=${hash}&watch=agent:bob,type:ReferralRecorded,agent:late`,
    );
    await node.join('late');
    await node.join('unwatched');
    await node.join('latest', { referrerAgentId: 'late' });
    const isLast = ({ watched }: JsonObject): boolean =>
      (watched as string[]).includes('agent:late');
    await stream.until(
      ({ events }) => events.filter(({ data }) => isLast(data as JsonObject)).length === 3,
    );
    const seen = stream.events.map(({ event, data }) => [event, data['watched']]);
    assert.deepEqual(seen.slice(0, 2), [
      ['AgentRegistered', ['agent:bob']],
      ['ReferralRecorded', ['type:ReferralRecorded', 'agent:bob']],
    ]);
    assert.deepEqual(seen.slice(-2), [
      ['AgentRegistered', ['agent:late']],
      ['ReferralRecorded', ['type:ReferralRecorded', 'agent:late']],
    ]);
    for (const { data } of stream.events.slice(-2)) {
      const block = await node.document(`/v1/blocks/${Number(data['height'])}`);
      assert.equal(data['blockHash'], block['blockHash']);
    }
    await stream.close();
    assertProblem(await node.get('/v1/events?watch=agent:bob'), 400, 'PARAMETER_INVALID');
  });
  test('reads a block once for all streams and events that name its hash', async (t) => {
    // Without sharing, eight streams would read seven times more than one.
    const hash = textOf(await node.document('/v1/network'), 'genesisHash');
    const joined = async (streams: number, prefix: string): Promise<number> => {
      const all = await Promise.all(
        Array.from({ length: streams }, () => open(`?genesisHash=${hash}`)),
      );
      const reads = t.mock.method(Snapshot.prototype, 'blockAt');
      const blocks = node.height;
      await Promise.all(['a', 'b', 'c'].map((name) => node.join(`${prefix}-${name}`)));
      for (const stream of all) {
        await stream.until(
          ({ events }) => events.filter(({ event }) => event === 'AgentRegistered').length === 3,
        );
        await stream.close();
      }
      const count = reads.mock.callCount() / (node.height - blocks);
      reads.mock.restore();
      return count;
    };
    const one = await joined(1, 'few');
    assert.ok((await joined(8, 'many')) <= one + 3, 'streams share what they read');
  });
  test('refuses a cursor of another chain or of another block, as a page does', async () => {
    const own = textOf(await node.document('/v1/network'), 'genesisHash');
    const first = await node.document(`/v1/events?limit=2&genesisHash=${own}`);
    const [next, nextBlockHash] = [textOf(first, 'next'), textOf(first, 'nextBlockHash')];
    const other = 'ab'.repeat(32);
    const headers = { accept: 'text/event-stream' };
    for (const head of [{}, headers]) {
      const replaced = await node.get(`/v1/events?after=${next}&genesisHash=${other}`, head);
      assertProblem(replaced, 409, 'CURSOR_STALE');
      assert.equal('height' in (JSON.parse(replaced.text) as JsonObject), false);
      const query = `/v1/events?after=${next}&genesisHash=${own}&blockHash=`;
      const stale = await node.get(query + other, head);
      assertProblem(stale, 409, 'CURSOR_STALE');
      assert.equal((JSON.parse(stale.text) as JsonObject)['height'], 0);
    }
    const fine = await node.get(
      `/v1/events?after=${next}&genesisHash=${own}&blockHash=${nextBlockHash}`,
    );
    assert.equal(fine.status, 200);
    const [event] = (JSON.parse(fine.text) as { events: { height: number; at: string }[] }).events;
    const block = await node.document(`/v1/blocks/${event?.height}`);
    assert.equal(event?.at, (block['header'] as JsonObject)['timestamp']);
    const ahead = await node.get(`/v1/events?after=900000.1&blockHash=${other}`);
    assert.equal(ahead.status, 200, 'a follower that is behind cannot tell');
  });
  test('is refused like a page if its parameters are wrong', async () => {
    const stream = await open('?after=x');
    assert.equal(stream.status, 400);
    for (let i = 0; i < 20; i++) {
      const failed = await open('?after=999999999999999.99999');
      assert.equal(failed.status, 400);
    }
    const fine = await open();
    assert.equal(fine.status, 200, 'refused streams take no place');
    await fine.close();
  });
});

test('if all streams are taken, the address with the most loses its newest to one with fewer', async () => {
  const other = await HttpNode.start({ trustProxy: 1, limits: { streams: 4 } });
  const streamOf = (from: string): Promise<EventStream> =>
    EventStream.open(other.url, '/v1/events', { 'x-forwarded-for': from });
  const many: EventStream[] = [];
  for (let i = 0; i < 4; i++) many.push(await streamOf('192.0.2.1'));
  const few = [await streamOf('198.51.100.7'), await streamOf('198.51.100.7')];
  assert.deepEqual(
    few.map(({ status }) => status),
    [200, 200],
  );
  for (const cut of many.splice(2)) await cut.until(({ closed }) => closed);
  assert.ok([...many, ...few].every(({ closed }) => !closed));
  const refused = [await streamOf('198.51.100.7'), await streamOf('192.0.2.1')];
  assert.deepEqual(
    refused.map(({ status }) => status),
    [503, 503],
  );
  for (const stream of [...many, ...few]) await stream.close();
  await other.stop();
});

test('streams end when the node stops, which does not wait for them', async () => {
  const other = await HttpNode.start();
  const stream = await EventStream.open(other.url, '/v1/events');
  await other.stop();
  await stream.until(({ closed }) => closed);
  assert.ok(stream.ended, 'it was torn off once the grace of requests was over');
});
