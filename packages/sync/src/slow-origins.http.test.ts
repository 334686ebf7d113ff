/** Origins that answer with their height but never with blocks must not slow a follower down. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test, type TestContext } from 'node:test';
import { until } from '@netd/protocol/testing';
import { systemClock, type Clock } from '@netd/engine';
import { hasReached, startFollower, type RunningFollower } from '@netd/testkit/start-follower';
import { HttpNode } from '@netd/testkit/http-node';

/** The factor for the follower's timers. */
const SPEED = 20;
const fastClock: Clock = {
  ...systemClock,
  elapsed: () => systemClock.elapsed() * SPEED,
  after: (milliseconds, callback) => systemClock.after(milliseconds / SPEED, callback),
};

describe('beside an honest writer', () => {
  let writer: HttpNode;
  before(async () => {
    writer = await HttpNode.start();
    for (const name of ['alice', 'bob', 'carol']) await writer.join(name);
  });
  after(() => writer.stop());

  /** Claims a height of its own and withholds every block. */
  class SilentOrigin {
    url = '';
    asked = 0;
    private readonly height: number;

    constructor(height: number) {
      this.height = height;
    }

    async listen(t: TestContext): Promise<void> {
      const server = createServer((request, response) => {
        const path = String(request.url);
        if (/\/v1\/(events|blocks\/[1-9])/.test(path)) {
          if (path.startsWith('/v1/blocks/')) this.asked++;
          return;
        }
        const told = { height: this.height, blockHash: 'ab'.repeat(32) };
        void writer
          .document(path)
          .then((document) =>
            response.end(
              JSON.stringify(path === '/v1/network' ? { ...document, ...told } : document),
            ),
          )
          .catch(() => response.destroy());
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      t.after(() => server.close().closeAllConnections());
      this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }
  }

  async function beside(t: TestContext, height: number): Promise<[SilentOrigin, RunningFollower]> {
    const silent = new SilentOrigin(height);
    await silent.listen(t);
    const follower = await startFollower(t, [writer.url, silent.url], {
      originTimeout: 600_000,
      clock: fastClock,
      from: 'genesis',
    });
    await hasReached(follower, writer.height);
    await until(() => silent.asked > 0);
    return [silent, follower];
  }

  test(
    'does not wait for an origin that claims another block and never sends it',
    { timeout: 600_000 },
    async (t) => {
      const [, follower] = await beside(t, 2);
      await writer.join('dora');
      await hasReached(follower, writer.height);
      assert.deepEqual(follower.node.faults(), []);
    },
  );

  test(
    'does not wait longer if an origin claims to be ahead and repeatedly sends nothing',
    { timeout: 600_000 },
    async (t) => {
      const [silent, follower] = await beside(t, 1_000_000);
      for (let turn = 0; turn < 8; turn++) {
        const { asked } = silent;
        await writer.join(`agent-${turn}`);
        await hasReached(follower, writer.height);
        await until(() => silent.asked > asked);
        // Its claimed height no longer counts.
        assert.ok((follower.node.status.following?.behind ?? 0) <= 1);
      }
    },
  );
});
