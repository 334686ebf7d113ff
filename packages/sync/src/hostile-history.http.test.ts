/** A follower completes its history behind a checkpoint, even if an origin beside an honest one lies or stalls. */
import assert from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import { inCampaign, until } from '@netd/protocol/testing';
import { systemClock, type Clock } from '@netd/engine';
import { startFollower, type RunningFollower } from '@netd/testkit/start-follower';
import { startGolden } from '@netd/testkit/golden-chain';
import type { HttpNode } from '@netd/testkit/http-node';
import { TamperingProxy, type Tamper } from '@netd/testkit/tampering-proxy';

/** The factor for the follower's timers once it has the state. */
const SPEED = 500;

const isWhole = (follower: RunningFollower): boolean => follower.node.store.history().from === 0;

describe('beside an honest writer', () => {
  let writer: HttpNode;
  before(async () => {
    writer = await startGolden();
  });
  after(() => writer.stop());

  /** Honest until the follower has the state. */
  async function liarAfterRestore(t: TestContext, lie: Tamper): Promise<[string, () => void]> {
    const liar = await TamperingProxy.before(writer.url);
    t.after(() => liar.close());
    const begin = (): void => {
      liar.tamper = (path, document) =>
        /^\/v1\/blocks\/\d/.test(path) ? lie(path, document) : document;
    };
    return [liar.url, begin];
  }

  test(
    'blocks of many small parts do not take the memory of the follower',
    { timeout: 600_000 },
    async (t) => {
      // Some 200 MB each, once parsed.
      const parts = `[${'[],'.repeat(5_000_000)}[]]`;
      const [liar, begin] = await liarAfterRestore(t, (path, document: Record<string, unknown>) => {
        const height = path.slice('/v1/blocks/'.length);
        const event = (index: number): object => ({
          id: `${height}.${index}`,
          type: 'x',
          data: {},
        });
        // Each event permits some more characters.
        const events = [{ ...event(0), data: 'PARTS' }];
        for (let index = 1; index < 1_000; index++) events.push(event(index) as (typeof events)[0]);
        return JSON.stringify({ ...document, events }).replace('"PARTS"', parts);
      });
      const banned: string[] = [];
      const halts: unknown[] = [];
      const follower = await startFollower(t, [liar, writer.url], {
        from: 'checkpoint',
        onBan: (url, reason) => banned.push(`${url} ${reason}`),
        onHalt: (error) => halts.push(error),
        onRestore: ({ phase }) => {
          if (phase === 'done') begin();
        },
      });
      await until(() => isWhole(follower) || halts.length > 0);
      assert.deepEqual(halts, []);
      assert.equal(banned.length, 1, banned.join('\n'));
      assert.match(String(banned[0]), /block \d+: the events are not those of the header/);
      assert.ok(banned[0]?.startsWith(liar));
    },
  );

  test(
    'asks an origin that withholds blocks less and less often',
    { timeout: 600_000, ...inCampaign },
    async (t) => {
      let asked = 0;
      let speed = 1;
      const [liar, begin] = await liarAfterRestore(t, () => {
        asked++;
        return new Promise(() => {});
      });
      const clock: Clock = {
        ...systemClock,
        elapsed: () => systemClock.elapsed() * SPEED,
        after: (milliseconds, callback) => systemClock.after(milliseconds / speed, callback),
      };
      const follower = await startFollower(t, [liar, writer.url], {
        from: 'checkpoint',
        originTimeout: 1_000,
        clock,
        onRestore: ({ phase }) => {
          if (phase !== 'done') return;
          speed = SPEED;
          begin();
        },
      });
      await until(() => isWhole(follower));
      assert.ok(asked < 600, `${asked} questions`);
    },
  );
});
