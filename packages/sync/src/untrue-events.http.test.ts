/** Origins with valid blocks and wrong events are named and banned, and count as no fork. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { serveFollower } from '@netd/node';
import { HttpNode } from '@netd/testkit/http-node';
import { TamperingProxy } from '@netd/testkit/tampering-proxy';
import { tempDir } from '@netd/testkit/temp-dir';
import { urlSource } from './verify-url.ts';
import { Replay } from '@netd/engine/testing';
import { historyOfExpected, Store, VerifierPool } from '@netd/engine';
import { Origin } from './origin.ts';

type Event = { id: string; type: string; transitionIndex: number; data: Record<string, unknown> };

const LIES: [string, (events: Event[]) => unknown[]][] = [
  ['another type', ([first, ...rest]) => [{ ...first, type: 'AgentPraised' }, ...rest]],
  [
    'another value',
    ([first, ...rest]) => [{ ...first, data: { ...first?.data, actorId: 'mallory' } }, ...rest],
  ],
  [
    'a member more',
    ([first, ...rest]) => [{ ...first, data: { ...first?.data, more: 1 } }, ...rest],
  ],
  ['a member less', ([first, ...rest]) => [{ ...first, data: {} }, ...rest]],
  ['another transition', ([first, ...rest]) => [{ ...first, transitionIndex: 7 }, ...rest]],
  ['one event less', (events) => events.slice(0, -1)],
  ['none at all', () => []],
  ['one event more', (events) => [...events, { ...events.at(-1), id: `3.${events.length}` }]],
  ['an id that is not its own', ([first, ...rest]) => [{ ...first, id: '3.9' }, ...rest]],
];

describe('behind a writer that changes its events', () => {
  let writer: HttpNode;
  before(async () => {
    writer = await HttpNode.start();
    for (const name of ['alice', 'bob', 'carol']) await writer.join(name);
  });
  after(() => writer.stop());

  const liarWith = async (lie: (events: Event[]) => unknown[]): Promise<TamperingProxy> => {
    const liar = await TamperingProxy.before(writer.url);
    liar.tamper = (path, document) => {
      const { events } = document as unknown as { events: Event[] };
      return path.startsWith('/v1/blocks/3')
        ? { ...(document as object), events: lie(events) }
        : document;
    };
    return liar;
  };

  for (const [name, lie] of LIES) {
    test(`replay rejects false events: ${name}`, async (t) => {
      const liar = await liarWith(lie);
      t.after(() => liar.close());
      const scratch = Store.open(tempDir(t), { scratch: true });
      const verifier = new VerifierPool(1);
      t.after(async () => {
        await verifier.close();
        await scratch.close();
      });
      const replay = new Replay(await urlSource(liar.url), scratch, verifier, () => {});
      await assert.rejects(replay.run(), {
        name: /Error$/,
        height: 3,
        message: /^the events are /,
      });
    });

    test(`the history download rejects false events: ${name}`, async (t) => {
      const liar = await liarWith(lie);
      t.after(() => liar.close());
      const { blockHash } = (await writer.document('/v1/blocks/3')) as { blockHash: string };
      const { validatorSetAt } = writer.running.node.chain;
      const expected = { height: 3, blockHash };
      const keep = async (url: string): Promise<unknown> =>
        historyOfExpected(await new Origin(url).block(3), expected, validatorSetAt);
      await assert.rejects(keep(liar.url), {
        name: /^(OriginFault|InvalidChain)Error$/,
        message: /events are/,
      });
      await keep(writer.url);
    });
  }

  test('bans an origin that sends unrequested events, and reports no fork', async (t) => {
    const liar = await liarWith(([first]) => [
      first ?? { id: '3.0', type: 'AgentPraised', transitionIndex: 0, data: {} },
    ]);
    t.after(() => liar.close());
    const late = await TamperingProxy.before(writer.url);
    t.after(() => late.close());
    const banned: string[] = [];
    // Answers nothing until the liar is banned.
    late.tamper = (_path, document) => (banned.length === 0 ? null : document);
    const follower = await serveFollower({
      host: '127.0.0.1',
      port: 0,
      dataDir: tempDir(t),
      origins: [liar.url, late.url],
      from: 'genesis',
      onBan: (url, reason) => banned.push(`${url} ${reason}`),
    });
    t.after(() => follower.stop());
    while (follower.node.chain.height < writer.height) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.deepEqual(banned, [`${liar.url} block 3: the events are not those of the header`]);
    assert.ok(!follower.node.faults().some((fault) => fault.includes('contradict')));
  });

  test('a follower is served by a node that cannot leave them out, and has the same events', async (t) => {
    const told: string[] = [];
    const old = await TamperingProxy.before(writer.url);
    t.after(() => old.close());
    old.tamper = async (path, document) => {
      if (!path.startsWith('/v1/blocks/')) return document;
      told.push(path);
      return writer.document(path.replace(/\?.*/, ''));
    };
    const follower = await serveFollower({
      host: '127.0.0.1',
      port: 0,
      dataDir: tempDir(t),
      origins: [old.url],
      from: 'genesis',
    });
    t.after(() => follower.stop());
    const { height } = writer;
    while (follower.node.chain.height < height) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.ok(told.includes(`/v1/blocks/${height}?events=none`), told.join(' '));
    assert.deepEqual(follower.node.faults(), []);
    const ofFollower = (await (
      await fetch(`${follower.url}/v1/blocks/${height}`)
    ).json()) as object;
    assert.deepEqual(ofFollower, await writer.document(`/v1/blocks/${height}`));
  });
});
